"""Is everything still there, and is it what it was? Every row of a campaign, checked against its trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from stressfield.campaign.folder import TRACES, trace_path
from stressfield.campaign.ledger import LEDGER, guarded, open_to_read
from stressfield.campaign.results import Results, load, study_of
from stressfield.campaign.scenario_files import judge_again
from stressfield.errors import StressfieldError, TraceError
from stressfield.oracle import Outcome, overall
from stressfield.provenance import SOURCE, rig_version, source_digest
from stressfield.run import JudgedRun, ScenarioRecord, Status
from stressfield.trace import KeepPolicy, Trace, read_trace


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was written. ``run_id`` is None if it concerns the whole campaign."""

    run_id: str | None
    text: str

    def __str__(self) -> str:
        return self.text if self.run_id is None else f"run {self.run_id}: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was looked at and what is wrong. ``leftovers`` are harmless: files that no row speaks of."""

    runs: int
    traces: int
    judged_again: int
    problems: tuple[Problem, ...]
    leftovers: tuple[str, ...]
    unchecked: Mapping[str, int] = field(default_factory=dict)
    """How many runs could not be judged again, by the reason; nothing if that was not asked for."""
    notes: tuple[str, ...] = ()
    """What judging again does not prove, because it was done with something else."""


def verify(
    folder: str | Path,
    *,
    judge: bool = False,
    study: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verified:
    """Check every row and every trace of a campaign; with ``judge`` also judge every trace again and compare.

    Only judging takes the study; ``study`` says where it is now, if not where it was.
    Nothing is written. A folder that is not a campaign is an InputError, a ledger that cannot be opened a StoreError.
    """
    folder = Path(folder)
    results = load(folder, study=study)
    if judge:
        study_of(results)  # one that cannot be had is said once, not for every run
    # a server sees to its tables by itself
    faults_there = () if results.plan.ledger else _ledger_faults(folder / LEDGER)
    problems = [Problem(None, text) for text in faults_there]
    traces = judged_again = 0
    unchecked: Counter[str] = Counter()
    sampled = _sampled(results)
    for number, judged in enumerate(results.runs, 1):
        faults = [*_row_faults(results, judged, sampled)]
        if judged.run.trace_file is not None:
            traces += 1
            trace, fault = checked_trace(folder, judged)
            faults += fault
            if trace is not None and judge and judged.run.status.judged:
                judged_again += 1
                faults += _judging_faults(results, results.scenario_of(judged.run), judged, trace)
            elif judge and judged.run.status.judged:
                unchecked[UNREADABLE] += 1
        if judge and (judged.run.trace_file is None or not judged.run.status.judged):
            unchecked[_why_unchecked(judged, results.plan.keep)] += 1
        problems += [Problem(judged.run.id, text) for text in faults]
        if progress is not None:
            progress(number, len(results.runs))
    return Verified(
        runs=len(results.runs),
        traces=traces,
        judged_again=judged_again,
        problems=tuple(problems),
        leftovers=_leftovers(folder, results),
        unchecked=dict(sorted(unchecked.items())),
        notes=tuple(_differences(results)) if judge else (),
    )


UNREADABLE = "its recording cannot be read"


def _why_unchecked(judged: JudgedRun, keep: str) -> str:
    run = judged.run
    if not run.status.judged:
        return f"{run.status.value}: it has no verdicts"
    if not run.digest:
        return f"{run.status.value}: it was killed, and has no recording"
    return f"no recording was kept (keep={keep})"


def _differences(results: Results) -> Iterator[str]:
    """What is not as it was when the runs were judged."""
    was, now = results.versions.get("stressfield", "unknown"), rig_version()
    if was != now:
        yield f"Judged again with stressfield {now}; the campaign was made with {was}."
    if results.versions.get(SOURCE) != source_digest(results.plan.study):
        yield "The source of the study has changed since: judged again with another oracle, or in other worlds."


def _ledger_faults(path: Path) -> Iterator[str]:
    with guarded(path), closing(open_to_read(path)) as db:
        for (text,) in db.execute("PRAGMA integrity_check"):
            if text != "ok":
                yield f"the ledger is damaged: {text}"
        for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
            yield f"the ledger is damaged: row {row} of {table} has no {parent}"


def _sampled(results: Results) -> set[str] | None:
    """Runs whose recordings are to be there, if not those of all that failed are."""
    if KeepPolicy.of(results.plan.keep).per_finding is None:
        return None
    from stressfield.campaign.runner import sampled_runs  # noqa: PLC0415 (workers, which others do without)

    return sampled_runs(results)


def _row_faults(results: Results, judged: JudgedRun, sampled: set[str] | None) -> Iterator[str]:
    """A row that contradicts itself or the plan. ``sampled``: runs whose recordings are kept, if not all are."""
    run = judged.run
    plan, version = replace(results.plan, build=run.build), results.versions.get("stressfield", "unknown")
    wanted = plan.run_of(results.scenario_of(run), run.repeat, version=version)
    if (run.id, run.seed) != (wanted.id, wanted.seed):
        yield f"its id does not fit its scenario, build, seed and version: wanted {wanted.id}"
    if not run.status.judged and (run.outcome is not None or judged.verdicts):
        yield f"it is {run.status.value} and yet has an outcome or verdicts"
    if run.status.judged and judged.verdicts and run.outcome is not overall(judged.verdicts):
        yield f"its outcome is {run.outcome}, but its verdicts make it {overall(judged.verdicts)}"
    if run.status is Status.COMPLETED and run.outcome is None:
        yield "it is completed but has no outcome"
    failed = run.outcome is Outcome.FAIL or (run.status is Status.SUBJECT_CRASH and run.digest != "")
    policy = KeepPolicy.of(results.plan.keep)
    kept = policy.wants(failed=failed) and run.status is not Status.INVALID and (sampled is None or run.id in sampled)
    if run.trace_file is None and run.digest and kept:
        yield f"it should have a trace (keep={results.plan.keep}), but its row names none"


def checked_trace(folder: Path, judged: JudgedRun) -> tuple[Trace | None, list[str]]:
    """The trace of a run and what is wrong with it."""
    run = judged.run
    assert run.trace_file is not None
    try:
        trace = read_trace(trace_path(folder, run.trace_file))
    except TraceError as error:
        return None, [str(error)]
    faults = []
    if trace.metadata.run_id != run.id:
        faults.append(f"its trace {run.trace_file!r} is of run {trace.metadata.run_id}")
    elif trace.metadata.ending != run.status.value:
        faults.append(f"its row says {run.status.value}, its trace says {trace.metadata.ending}")
    if trace.digest() != run.digest:
        faults.append(f"its trace {run.trace_file!r} has another digest than its row")
    return trace, faults


def _judging_faults(results: Results, scenario: ScenarioRecord, judged: JudgedRun, trace: Trace) -> list[str]:
    try:
        verdicts = judge_again(results.plan, scenario, trace)
    except StressfieldError as error:
        return [f"its trace cannot be judged: {error}"]
    now = {verdict.property: verdict for verdict in verdicts}
    return [
        f"property {stored.property}: its row says {stored.outcome.value}, judged again it is "
        f"{now[stored.property].outcome.value if stored.property in now else 'unknown'}"
        for stored in judged.verdicts + judged.others
        if now.get(stored.property) != stored
    ]


def _leftovers(folder: Path, results: Results) -> tuple[str, ...]:
    known = {judged.run.trace_file for judged in results.runs}
    there = sorted((folder / TRACES).iterdir()) if (folder / TRACES).is_dir() else []
    return tuple(f"{TRACES}/{path.name}" for path in there if f"{TRACES}/{path.name}" not in known)
