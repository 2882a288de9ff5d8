"""Doing runs again: to see whether they come out the same, bit for bit, and to look at what was not kept of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from stressfield._files.disk import make_folder, write_file
from stressfield.campaign.folder import TRACES, open_trace, trace_path
from stressfield.campaign.results import Results, changed_since, study_of
from stressfield.campaign.runner import make_executor
from stressfield.campaign.scenario_files import scenario_of
from stressfield.errors import InputError, RigError, StoreError, did_you_mean
from stressfield.oracle import Evidence, Signal
from stressfield.provenance import rig_version
from stressfield.run import Finished, JudgedRun
from stressfield.search.recordings import refuse_again
from stressfield.trace import read_trace
from stressfield.workers import Executor

REPLAYS = "replay"
"""Folder of what was made again, below the campaign's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A run, done again. ``differences`` is empty when nothing differs."""

    stored: JudgedRun
    again: JudgedRun
    recording: Path | None
    """The new recording, if a place for it was given."""
    bytes_compared: int | None
    """Size of the stored recording that was compared byte by byte; None if none was kept."""
    differences: tuple[str, ...]
    study_changed: str = ""
    """Which files of the study have changed since the campaign was run: the run was done with what they are now."""

    @property
    def identical(self) -> bool:
        """Whether the run came out the same, bit for bit."""
        return not self.differences


def find_run(results: Results, name: str) -> JudgedRun:
    """A run by its id or the beginning of it."""
    found = [judged for judged in results.runs if judged.run.id.startswith(name)] if name else []
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(judged.run.id for judged in found[:5])
        raise InputError(f"Run {name!r} is the beginning of several: {ids}. Give more digits.")
    known = [judged.run.id for judged in results.runs]
    example = f" For instance {known[0]}." if known else ""
    near = did_you_mean(name, known)
    raise InputError(f"The campaign {results.folder!r} has no run {name!r}.{near or example}")


def replay(
    results: Results,
    judged: JudgedRun,
    *,
    recording: Path | None = None,
    below: Path | None = None,
    in_process: bool = False,
    run_timeout_s: float | None = None,
    pace: float | None = None,
) -> Replayed:
    """Run it again, with the study as it is now, and compare with what was stored.

    With ``pace`` time goes with the wall clock, so many simulated seconds a second: to tell what a gate has caused.

    The new trace is written to ``recording`` if given, and no link between ``below`` and it is followed. It may take as
    long as the campaign's plan says, or ``run_timeout_s``.
    """
    executor = _workers(results, 1, run_timeout_s, in_process)
    (done,) = _again(results, [judged], executor, recording, below, pace=pace)
    return done


def replay_all(
    results: Results,
    runs: Sequence[JudgedRun],
    *,
    jobs: int | None = None,
    in_process: bool = False,
    run_timeout_s: float | None = None,
) -> Iterator[Replayed]:
    """Run all of them again and compare each with what was stored, as they get done, in any order."""
    return _again(results, runs, _workers(results, jobs, run_timeout_s, in_process), None)


def _workers(results: Results, jobs: int | None, run_timeout_s: float | None, in_process: bool) -> Executor:
    if results.plan.recorded is not None:
        refuse_again()
    study_of(results)  # one that cannot be had is said before anything is begun
    limit_s = results.plan.run_timeout_s if run_timeout_s is None else run_timeout_s
    return make_executor(results.plan.study, jobs=jobs, run_timeout_s=limit_s, in_process=in_process)


def _again(
    results: Results,
    runs: Sequence[JudgedRun],
    executor: Executor,
    recording: Path | None,
    below: Path | None = None,
    *,
    pace: float | None = None,
) -> Iterator[Replayed]:
    stored = {judged.run.id: judged for judged in runs}
    planned = [results.planned_of(judged.run) for judged in runs]
    plan = replace(results.plan, keep="all")
    changed = changed_since(results)
    with _workplace() as folder, closing(executor):
        (folder / TRACES).mkdir()
        tasks = plan.tasks(planned, folder / TRACES, space=results.space)
        for batch in executor.run(replace(task, pace=pace) for task in tasks):
            for finished in batch:
                _check(finished, changed)
                again = finished.judged
                made = None if again.run.trace_file is None else folder / again.run.trace_file
                differences, size = _compare(results, stored[again.run.id], again, made)
                if made is not None:
                    if recording is not None:
                        make_folder(recording.parent, below=below)
                        write_file(recording, made.read_bytes(), below=below)
                    made.unlink()
                yield Replayed(
                    stored=stored[again.run.id],
                    again=again,
                    recording=recording if made is not None else None,
                    bytes_compared=size,
                    differences=differences,
                    study_changed=changed,
                )


def _check(finished: Finished, changed: str) -> None:
    """InputError if the run cannot be done: perhaps because its build or its world is no more."""
    try:
        finished.check()
    except InputError as error:
        if not changed:
            raise
        raise InputError(f"{error} The study has changed since the campaign was run ({changed}).") from error


def _compare(
    results: Results, stored: JudgedRun, again: JudgedRun, made: Path | None
) -> tuple[tuple[str, ...], int | None]:
    notes: list[str] = []
    differences, size = [], None
    if results.versions.get("stressfield") != rig_version():
        was = results.versions.get("stressfield", "unknown")
        notes.append(f"version: recorded with stressfield {was}, replayed with {rig_version()}")
    for name in ("status", "outcome", "simulated_s", "digest"):
        was, now = getattr(stored.run, name), getattr(again.run, name)
        if was != now:
            differences.append(f"{name}: stored {was!s}, now {now!s}")
    cases = [None if record.run.crash is None else record.run.crash.case for record in (stored, again)]
    if cases[0] != cases[1]:
        differences.append(f"crash: stored {cases[0]}, now {cases[1]}")
    if stored.run.trace_file is not None and made is not None:
        size, difference = _compare_bytes(trace_path(Path(results.folder), stored.run.trace_file), made)
        differences += difference
    for name in sorted(stored.metrics.keys() | again.metrics.keys()):
        if stored.metrics.get(name) != again.metrics.get(name) and stored.metrics:
            was, now = (_shown(record.metrics.get(name)) for record in (stored, again))
            differences.append(f"metric {name}: stored {was}, now {now}")
    before = {v.property: v for v in stored.verdicts + stored.others}
    now_on = {v.property: v for v in again.verdicts + again.others}
    for name in before.keys() & now_on.keys():
        if before[name] != now_on[name]:
            differences.append(f"verdict {name}: stored {before[name].outcome}, now {now_on[name].outcome}")
    return tuple(differences + notes if differences else ()), size


def _shown(value: float | None) -> str:
    return "none" if value is None else repr(value)


def _compare_bytes(stored: Path, made: Path) -> tuple[int, list[str]]:
    try:
        was, now = stored.read_bytes(), made.read_bytes()
    except OSError as error:
        raise StoreError(f"Cannot read the recording {str(stored)!r}: {error.strerror}.") from None
    if was == now:
        return len(was), []
    first = next((i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now)))
    return len(was), [f"recording: first different byte at {first}; {len(was)} bytes stored, {len(now)} now"]


@contextmanager
def _workplace() -> Iterator[Path]:
    with TemporaryDirectory(prefix="stressfield-replay-") as name:
        yield Path(name)


def evidence_of(results: Results, judged: JudgedRun, *, in_process: bool = False) -> Evidence:
    """The recording of a run with its scenario; if it was not kept the run is done again, and must be the same."""
    scenario = scenario_of(results.plan, results.scenario_of(judged.run))
    if judged.run.trace_file is not None:
        return Evidence(open_trace(Path(results.folder), judged), scenario)
    with TemporaryDirectory(prefix="stressfield-series-") as folder:
        again = replay(results, judged, recording=Path(folder) / "run.mcap", in_process=in_process)
        if again.recording is None or not again.identical:
            why = again.again.run.trouble or "; ".join(again.differences)
            raise RigError(f"Run {judged.run.id} cannot be shown: done again, it came out differently. {why}")
        return Evidence(read_trace(again.recording), scenario)


def series_of(results: Results, judged: JudgedRun, *, in_process: bool = False) -> Mapping[str, Signal]:
    """The study's series of a run, by name; none if the study has none."""
    series = study_of(results).series
    if series is None or not judged.run.status.judged:
        return {}
    evidence = evidence_of(results, judged, in_process=in_process)
    try:
        return dict(series(evidence))
    except Exception as error:
        raise RigError(
            f"The series of run {judged.run.id} could not be made: {type(error).__name__}: {error}"
        ) from error
