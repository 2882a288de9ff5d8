"""What a test session leaves behind: a campaign folder for each study, as ``stressfield run`` would have written it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from stressfield._files.disk import make_folder
from stressfield.campaign.folder import TRACES, locked, write_plan
from stressfield.campaign.ledger import LEDGER, Ledger
from stressfield.campaign.plan import Plan, prepare
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, Status
from stressfield.testing.sampled_run import SampledRun


class Told(msgspec.Struct, frozen=True):
    """A run on its way from the process that did it to the one that keeps the books."""

    folder: str
    plan: Plan
    judged: JudgedRun


def to_text(run: SampledRun) -> str:
    """As text that any test runner can carry."""
    return msgspec.json.encode(Told(str(run.folder), run.plan, replace(run.judged, track=None))).decode()


def from_text(text: str) -> Told:
    """The run that was told."""
    return msgspec.json.decode(text, type=Told)


def write_campaigns(told: Sequence[Told]) -> tuple[Path, ...]:
    """One campaign a folder, with the runs of this session; an earlier session's are replaced. Passing traces go."""
    folders: dict[str, list[Told]] = {}
    for told_run in told:
        folders.setdefault(told_run.folder, []).append(told_run)
    return tuple(_write(Path(folder), runs) for folder, runs in folders.items())


def _write(folder: Path, told: Sequence[Told]) -> Path:
    plan = replace(
        told[0].plan,
        worlds=max(told_run.plan.worlds for told_run in told),
        repeats=max(told_run.plan.repeats for told_run in told),
    )
    make_folder(folder)
    with locked(folder):
        for name in (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm"):
            (folder / name).unlink(missing_ok=True)
        write_plan(folder, plan, plan.versions(), plan.study_record())
        kept = list({told_run.judged.run.id: _without_passing_trace(told_run.judged) for told_run in told}.values())
        with Ledger(folder) as ledger:
            ledger.add(scenarios=prepare(plan).ask(), runs=kept)
        traces = {judged.run.trace_file for judged in kept}
        for path in (folder / TRACES).glob("*.mcap"):
            if f"{TRACES}/{path.name}" not in traces:
                path.unlink(missing_ok=True)
    return folder


def _without_passing_trace(judged: JudgedRun) -> JudgedRun:
    failed = judged.run.outcome is Outcome.FAIL or judged.run.status is Status.SUBJECT_CRASH
    return judged if failed else replace(judged, run=replace(judged.run, trace_file=None))
