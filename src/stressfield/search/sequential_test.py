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
from stressfield.oracle.oracle import CRASH, HANG
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


SURE_OF_OUTCOME, SURE_OF_FINDINGS = "outcome", "findings"
SURE_OF = (SURE_OF_OUTCOME, SURE_OF_FINDINGS)
"""What a world is repeated for: until it is sure whether it fails, or also whether each of its failures shows."""

Question = tuple[str, str | None] | None
"""A property and its sub-case: does that failure show? None: does the world fail?"""
OUTCOME: Question = None


def false_call(lead: int) -> float:
    """The chance of the wrong answer in a world that fails in 80 % of all cases, or in 20 %: a walk of so many steps.

    It is less for worlds that are clearer than that, and 0 for those whose runs are all alike.
    """
    return 1.0 / (1.0 + (FAILS_AT_LEAST / FAILS_AT_MOST) ** lead)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the test of one world is: how many of its repeats it wants so far, and whether its verdict is sure."""

    wanted: int
    sure: bool


class Tallies:
    """The test of each question of one world, run after run. An answer that was given once is kept."""

    def __init__(self, lead: int) -> None:
        self._lead = lead
        self._runs: list[JudgedRun] = []
        self._ahead: dict[Question, int] = {OUTCOME: 0}
        self.answers: dict[Question, bool] = {}

    def ask(self, question: Question) -> None:
        """One question more; what the runs so far say to it counts."""
        if question in self._ahead:
            return
        self._ahead[question] = 0
        for judged in self._runs:
            self._count(question, judged)

    def add(self, judged: JudgedRun, *, findings: bool) -> None:
        """The next run; with ``findings`` each failure that it shows is a question from now on."""
        if findings:
            for failure in judged.failures:
                self.ask((failure.property, failure.subcase))
        self._runs.append(judged)
        for question in self._ahead:
            self._count(question, judged)

    def _count(self, question: Question, judged: JudgedRun) -> None:
        if question in self.answers:
            return
        self._ahead[question] += vote(question, judged)
        if abs(self._ahead[question]) >= self._lead:
            self.answers[question] = self._ahead[question] > 0

    @property
    def sure(self) -> bool:
        """Whether every question has its answer."""
        return len(self.answers) == len(self._ahead)

    @property
    def missing(self) -> int:
        """How many runs it takes at least until every question has its answer."""
        return max((self._lead - abs(n) for q, n in self._ahead.items() if q not in self.answers), default=0)


def standing(
    runs: Mapping[int, JudgedRun], *, lead: int, repeats: int, of: str = SURE_OF_OUTCOME, least: int = 1
) -> Standing:
    """The repeats of one world by number. A run that crashed or hung fails; one without a verdict speaks for neither.

    It has ``least`` repeats at least, however sure it is. A run that the rig spoiled stops the world until it is done
    again: what comes after it may not be needed.
    """
    tallies = Tallies(lead)
    for repeat in range(repeats):
        judged = runs.get(repeat)
        if judged is None or judged.run.status is Status.INVALID:
            # So many more at least, whatever they say: they can be done side by side.
            more = max(tallies.missing, least - repeat) if judged is None else 1
            return Standing(min(repeats, repeat + more), sure=False)
        tallies.add(judged, findings=of == SURE_OF_FINDINGS)
        if tallies.sure and repeat + 1 >= least:
            return Standing(repeat + 1, sure=True)
    return Standing(repeats, sure=False)


def answers_of(
    runs: Mapping[int, JudgedRun], questions: Iterable[Question], *, lead: int, repeats: int
) -> dict[Question, bool | None]:
    """What the repeats of one world answer, each question by itself; None for what they leave open."""
    tallies = Tallies(lead)
    for question in questions:
        tallies.ask(question)
    for repeat in range(repeats):
        judged = runs.get(repeat)
        if judged is not None and judged.run.status is not Status.INVALID:
            tallies.add(judged, findings=False)
    return {question: tallies.answers.get(question) for question in questions}


def vote(question: Question, judged: JudgedRun) -> int:
    """1 if the run shows it, -1 if it was looked for and does not show, 0 if the run says nothing about it.

    A property that came to no conclusion says nothing. The run of a robot that crashed says nothing of properties.
    """
    if question is None:
        return _vote(judged)
    name, subcase = question
    if any((failure.property, failure.subcase) == (name, subcase) for failure in judged.failures):
        return 1
    if name in {
        CRASH,
        HANG,
    }:  # a run that came to its end did not crash or hang; one that broke otherwise did not do so
        return -1
    verdict = next((verdict for verdict in judged.verdicts if verdict.property == name), None)
    if judged.run.broke is not None or verdict is None or verdict.outcome is Outcome.INCONCLUSIVE:
        return 0
    return -1


def _vote(judged: JudgedRun) -> int:
    if judged.run.outcome in {Outcome.PASS, Outcome.FAIL}:
        return 1 if judged.run.outcome is Outcome.FAIL else -1
    crashed = judged.run.status is Status.SUBJECT_CRASH or (judged.run.status is Status.TIMEOUT and judged.run.trouble)
    return 1 if crashed else 0


def standings(
    scenarios: Mapping[str, int],
    runs: Sequence[JudgedRun],
    *,
    confidence: float,
    repeats: int,
    of: str = SURE_OF_OUTCOME,
) -> dict[str, Standing]:
    """The standing of every world, by the id of its scenario. ``scenarios``: how many repeats each has at least."""
    known = by_world(scenarios, runs)
    lead = needed_lead(confidence)
    return {
        name: standing(given, lead=lead, repeats=repeats, of=of, least=scenarios.get(name, 1))
        for name, given in known.items()
    }


def by_world(scenarios: Iterable[str], runs: Sequence[JudgedRun]) -> dict[str, dict[int, JudgedRun]]:
    """The repeats of every world by number."""
    known: dict[str, dict[int, JudgedRun]] = {name: {} for name in scenarios}
    for judged in runs:
        known.setdefault(judged.run.scenario_id, {})[judged.run.repeat] = judged
    return known
