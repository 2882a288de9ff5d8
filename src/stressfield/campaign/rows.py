"""Runs and verdicts as rows of the ledger, and back. What cannot be in a ledger of ours is a ValueError."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.run import JudgedRun, RunRecord, Status

_OUTCOMES = {str(one): one for one in Outcome}
_STATUSES = {str(one): one for one in Status}
_ID = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_.-]{0,99}")


def run_row(run: RunRecord) -> tuple[object, ...]:
    """A run as a row of its table."""
    outcome = None if run.outcome is None else str(run.outcome)
    start = (run.id, run.scenario_id, run.repeat, run.seed, run.build, str(run.status), outcome)
    return (*start, run.simulated_s, run.wall_s, run.digest, run.trace_file, run.trouble)


def verdict_rows(judged: JudgedRun) -> Iterator[tuple[object, ...]]:
    """The verdicts of a run as rows of their table: first those of properties that are on."""
    name, on = judged.run.id, len(judged.verdicts)
    for place, one in enumerate((*judged.verdicts, *judged.others)):
        active = 1 if place < on else 0
        start = (name, place, one.property, active, str(one.outcome), one.margin)
        yield (*start, one.unit, one.at_s, one.subcase, one.note)


def violation_rows(judged: JudgedRun) -> Iterator[tuple[object, ...]]:
    """What the verdicts of a run say about when, as rows of their table."""
    for verdict in (*judged.verdicts, *judged.others):
        for place, one in enumerate(verdict.violations):
            yield (judged.run.id, verdict.property, place, one.start_s, one.end_s, one.subcase)


def verdict_of(row: tuple[Any, ...], violations: tuple[Violation, ...]) -> Verdict:
    """The verdict of a row."""
    _, _, name, _, outcome, margin, unit, at_s, subcase, note = row
    return Verdict(name, outcome_of(outcome), margin, unit, at_s, subcase, violations, note)


def checked_id(text: object) -> str:
    """The id of a run or a scenario: files are called so, so it must not lead anywhere."""
    if not isinstance(text, str) or _ID.fullmatch(text) is None:
        raise ValueError(f"an id is {text!r:.80}, wanted letters and digits")
    return text


def finite(value: object) -> float:
    """A number of the ledger that must be one."""
    if not isinstance(value, float | int) or not isfinite(value):
        raise ValueError(f"a time is {value!r:.80}, wanted a finite number")
    return float(value)


def outcome_of(text: str) -> Outcome:
    """By its word."""
    return _OUTCOMES.get(text) or Outcome(text)


def run_of(row: tuple[Any, ...]) -> RunRecord:
    """The run of a row."""
    id_, scenario_id, repeat, seed, build, status, outcome, simulated_s, wall_s, digest, trace_file, trouble = row
    return RunRecord(
        id=checked_id(id_),
        scenario_id=checked_id(scenario_id),
        repeat=int(repeat),
        seed=int(seed),
        build=str(build),
        status=_STATUSES.get(status) or Status(status),
        outcome=None if outcome is None else outcome_of(outcome),
        simulated_s=finite(simulated_s),
        wall_s=finite(wall_s),
        digest=str(digest),
        trace_file=None if trace_file is None else str(trace_file),
        trouble=str(trouble),
    )
