"""Runs and verdicts as rows of the ledger, and back."""

from __future__ import annotations

from typing import Any

from stressfield.campaign.records import RunRecord
from stressfield.oracle import Outcome, Verdict
from stressfield.run import Status


def run_row(run: RunRecord) -> tuple[object, ...]:
    """A run as a row of its table."""
    outcome = None if run.outcome is None else run.outcome.value
    start = (run.id, run.scenario_id, run.repeat, run.seed, run.build, run.status.value, outcome)
    return (*start, run.simulated_s, run.wall_s, run.digest, run.trace_file, run.trouble)


def verdict_row(run: RunRecord, place: int, verdict: Verdict, active: int) -> tuple[object, ...]:
    """A verdict as a row of its table."""
    start = (run.id, place, verdict.property, active, verdict.outcome.value, verdict.margin)
    return (*start, verdict.unit, verdict.at_s, verdict.subcase, verdict.note)


def run_of(row: tuple[Any, ...]) -> RunRecord:
    """The run of a row."""
    id_, scenario_id, repeat, seed, build, status, outcome, simulated_s, wall_s, digest, trace_file, trouble = row
    return RunRecord(
        id=str(id_),
        scenario_id=str(scenario_id),
        repeat=int(repeat),
        seed=int(seed),
        build=str(build),
        status=Status(status),
        outcome=None if outcome is None else Outcome(outcome),
        simulated_s=float(simulated_s),
        wall_s=float(wall_s),
        digest=str(digest),
        trace_file=None if trace_file is None else str(trace_file),
        trouble=str(trouble),
    )
