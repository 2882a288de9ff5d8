"""How often must a world be repeated until its verdict is sure? Wald's sequential test, run after run.

A world whose runs fail in at least 80 % of all cases is one that fails, one whose runs fail in at most 20 % is one that
passes. Every run speaks for one of the two, four to one. So the test ends as soon as one verdict leads by enough runs:
by 3 for a confidence of 0.95, by 4 for 0.99. A world that fails in between is no case for a verdict: it is repeated as
often as the plan allows, and is called undecided.

What is due follows from the runs of the world alone, in the order of repeats: a campaign that was killed and resumed
does the same runs as one that was not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stressfield.errors import InputError
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, Status

FAILS_AT_LEAST, FAILS_AT_MOST = 0.8, 0.2
"""Failing shares of a world that fails, and of one that passes."""


def needed_lead(confidence: float) -> int:
    """By how many runs one verdict must lead. InputError if that is no confidence."""
    if not 0.5 < confidence < 1.0:
        raise InputError(
            f"Cannot repeat until sure with confidence {confidence}. Wanted more than 0.5 and less than 1."
        )
    odds = math.log(FAILS_AT_LEAST / FAILS_AT_MOST)
    return math.ceil(math.log(confidence / (1.0 - confidence)) / odds - 1e-9)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the test of one world is: how many of its repeats it wants so far, and whether its verdict is sure."""

    wanted: int
    sure: bool


def standing(runs: Mapping[int, JudgedRun], *, lead: int, repeats: int) -> Standing:
    """The repeats of one world by number. A run that crashed or hung fails; one without a verdict speaks for neither.

    A run that the rig spoiled stops the world until it is done again: what comes after it may not be needed.
    """
    ahead = 0
    for repeat in range(repeats):
        judged = runs.get(repeat)
        if judged is None or judged.run.status is Status.INVALID:
            # So many more at least, whatever they say: they can be done side by side.
            more = lead - abs(ahead) if judged is None else 1
            return Standing(min(repeats, repeat + more), sure=False)
        ahead += _vote(judged)
        if abs(ahead) >= lead:
            return Standing(repeat + 1, sure=True)
    return Standing(repeats, sure=False)


def _vote(judged: JudgedRun) -> int:
    if judged.run.outcome in {Outcome.PASS, Outcome.FAIL}:
        return 1 if judged.run.outcome is Outcome.FAIL else -1
    crashed = judged.run.status is Status.SUBJECT_CRASH or (judged.run.status is Status.TIMEOUT and judged.run.trouble)
    return 1 if crashed else 0


def standings(
    scenarios: Iterable[str], runs: Sequence[JudgedRun], *, confidence: float, repeats: int
) -> dict[str, Standing]:
    """The standing of every world, by the id of its scenario."""
    known: dict[str, dict[int, JudgedRun]] = {name: {} for name in scenarios}
    for judged in runs:
        known.setdefault(judged.run.scenario_id, {})[judged.run.repeat] = judged
    lead = needed_lead(confidence)
    return {name: standing(given, lead=lead, repeats=repeats) for name, given in known.items()}
