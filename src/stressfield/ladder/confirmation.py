"""What the upper rung says of what the lower one found: a call for each finding and world, and how good the lower is.

In every world that went up, both rungs were run anew, with run seeds that nobody had chosen a world by: a world that
fails now and then is picked for the times it did, and would seem to fail less the second time on any rung. On each rung
every failure is a question of its own, with Wald's test for the answer
(:mod:`stressfield.search.sequential_test`): it shows, it does not show, or the repeats leave it open. What shows now
and then on one rung alone is told from chance by pairs of runs, over all its worlds together (`evidence`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from stressfield.analysis import Finding, Rate, Summary, summarise, wilson
from stressfield.analysis.findings import name_of
from stressfield.campaign import Results
from stressfield.ladder.sample import Drawn
from stressfield.run import JudgedRun, ScenarioRecord, Status
from stressfield.search.sequential_test import OUTCOME, Question, answers_of, by_world, false_call, needed_lead, vote


class RungCall(StrEnum):
    """What became of a finding, or of a world that fails."""

    CONFIRMED = "confirmed"
    ONLY_BELOW = "only below"
    ONLY_ABOVE = "only above"
    UNDECIDED = "undecided"


class LadderGate(StrEnum):
    """Which findings make the exit code 1: all but those that are known, those that show above, or confirmed ones."""

    ANY = "any"
    ABOVE = "above"
    CONFIRMED = "confirmed"

    def counts(self, call: RungCall) -> bool:
        """Whether such a finding fails the build."""
        if self is LadderGate.ANY:
            return True
        return call is RungCall.CONFIRMED or (self is LadderGate.ABOVE and call is RungCall.ONLY_ABOVE)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the runs of one rung say: how many show it of those that say anything, and what that comes to."""

    shown: int
    runs: int
    sure: bool | None
    """Whether it shows; None if the repeats leave it open."""

    def __str__(self) -> str:
        return f"{self.shown} of {self.runs}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldCall:
    """One world that went up: does it fail, on either rung?"""

    scenario: ScenarioRecord
    failed: bool
    """Whether it fails in the campaign that is looked at."""
    below: Answer
    above: Answer

    @property
    def call(self) -> RungCall | None:
        """None if it surely passes on both: where it failed, that was chance."""
        if self.below.sure is None or self.above.sure is None:
            return RungCall.UNDECIDED
        if self.above.sure:
            return RungCall.CONFIRMED if self.below.sure else RungCall.ONLY_ABOVE
        return RungCall.ONLY_BELOW if self.below.sure else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingCall:
    """One failure, by property and sub-case, over all worlds in which either rung ever showed it."""

    name: str
    """As the campaign calls it, ``F1``; ``A1`` for one that only the upper rung has."""
    property: str
    subcase: str | None
    call: RungCall
    why: str
    """Why it is undecided, or on what else the call rests; empty otherwise."""
    worlds: int
    """Worlds that went up in which it was seen."""
    shows_below: int
    shows_above: int
    shows_both: int
    """Worlds in which it surely shows, on each rung and on both."""
    below: Answer
    above: Answer
    example: str
    """The run above that shows it most clearly; empty if none does."""
    finding: Finding | None
    """That of the campaign; None if it has no such."""

    def title(self) -> str:
        """``P5.1``."""
        return name_of(self.property, self.subcase)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share and the interval that holds the true one with ``confidence``."""

    share: float
    low: float
    high: float
    confidence: float = 0.95

    def __str__(self) -> str:
        return f"{100 * self.share:.0f} % [{100 * self.low:.0f}, {100 * self.high:.0f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good the lower rung is at what the upper one says, world by world. None where nothing tells."""

    precision: Estimate | None
    """Of the worlds that fail below, how many fail above."""
    recall: Estimate | None
    """Of the worlds that would fail above, how many fail below: the passing ones that went up stand for all passing."""
    missed: Estimate | None
    """Of the worlds that pass below, how many fail above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Wall time of runs, on one core: what the ladder took, and what everything above would take."""

    campaign_s: float
    below_s: float
    above_s: float
    everything_s: float | None
    """All runs of the campaign on the upper rung, by what its runs took; None if there was none."""
    everything_sure_s: float | None
    """All worlds of the campaign on the upper rung, repeated as often as those that went up."""
    runs_below: int
    runs_above: int

    @property
    def ladder_s(self) -> float:
        """The campaign, and both rungs."""
        return self.campaign_s + self.below_s + self.above_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """Everything that a climb says, computed once."""

    summary: Summary
    """Of the campaign that is looked at."""
    lower: Results
    upper: Results
    rungs: tuple[str, str]
    """Names of the two simulators."""
    drawn: Drawn
    findings: tuple[FindingCall, ...]
    worlds: tuple[WorldCall, ...]
    quality: Quality
    cost: Cost
    confidence: float
    seed: int
    """Of the draw of worlds, and of the runs."""
    invalid: int
    """Runs of either rung that the rig spoiled."""
    calibration: str = ""
    """The file whose constants the upper rung has and the lower one has not; empty without."""

    @property
    def false_call(self) -> float:
        """The chance of a wrong answer for one world and failure that shows in 80 % of all runs, or in 20 %."""
        return false_call(needed_lead(self.confidence))

    @property
    def nothing_above(self) -> bool:
        """Whether no run of the upper rung passed or failed: then it says nothing."""
        return not any(vote(OUTCOME, judged) for judged in self.upper.runs)

    def count(self, call: RungCall) -> int:
        """Findings of that call."""
        return sum(finding.call is call for finding in self.findings)


def confirmation_of(
    summary: Summary,
    drawn: Drawn,
    lower: Results,
    upper: Results,
    *,
    rungs: tuple[str, str],
    seed: int = 0,
    calibration: str = "",
) -> Confirmation:
    """Make the calls from what was run. ``lower`` and ``upper`` hold the runs of all worlds that went up."""
    confidence = upper.plan.until_sure
    assert confidence is not None
    seen = _Seen.of(summary, drawn, lower, upper)
    failing = {scenario.id for scenario in drawn.failing_up}
    worlds = tuple(
        WorldCall(
            scenario=scenario,
            failed=scenario.id in failing,
            below=seen.answer(scenario.id, OUTCOME, above=False),
            above=seen.answer(scenario.id, OUTCOME, above=True),
        )
        for scenario in drawn.up
    )
    return Confirmation(
        summary=summary,
        lower=lower,
        upper=upper,
        rungs=rungs,
        drawn=drawn,
        findings=_finding_calls(summary, seen, summarise(upper)),
        worlds=worlds,
        quality=quality_of(
            [value for world in worlds if world.failed and (value := _value(world.above)) is not None],
            [value for world in worlds if not world.failed and (value := _value(world.above)) is not None],
            failing=len(drawn.failing),
            passing=len(drawn.passing),
        ),
        cost=_cost(summary, drawn, lower, upper),
        confidence=confidence,
        seed=seed,
        invalid=sum(judged.run.status is Status.INVALID for judged in (*lower.runs, *upper.runs)),
        calibration=calibration,
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """The runs of both rungs by world, what was asked in each, and the answers."""

    runs: tuple[Mapping[str, Mapping[int, JudgedRun]], Mapping[str, Mapping[int, JudgedRun]]]
    questions: Mapping[str, Sequence[Question]]
    """What was ever seen in each world: in the campaign, below or above."""
    answers: tuple[Mapping[str, Mapping[Question, bool | None]], Mapping[str, Mapping[Question, bool | None]]]
    below_anywhere: frozenset[Question]
    """What the campaign, or the lower rung anew, ever showed."""
    confidence: float

    @classmethod
    def of(cls, summary: Summary, drawn: Drawn, lower: Results, upper: Results) -> _Seen:
        names = [scenario.id for scenario in drawn.up]
        earlier = by_world((), summary.results.runs)
        above_of = _above_of(drawn, upper)
        found = by_world(above_of.values(), upper.runs)
        runs = by_world(names, lower.runs), {name: found[above_of[name]] for name in names}
        questions: dict[str, Sequence[Question]] = {}
        for name in names:
            every = (*earlier.get(name, {}).values(), *runs[0][name].values(), *runs[1][name].values())
            questions[name] = tuple(dict.fromkeys((OUTCOME, *(key for judged in every for key in _shown(judged)))))
        confidence = upper.plan.until_sure
        assert confidence is not None
        lead, repeats = needed_lead(confidence), upper.plan.repeats
        below, above = (
            {name: answers_of(of[name], questions[name], lead=lead, repeats=repeats) for name in names} for of in runs
        )
        anywhere = {key for judged in (*summary.results.runs, *lower.runs) for key in _shown(judged)}
        return cls(runs, questions, (below, above), frozenset(anywhere), confidence)

    def answer(self, world: str, question: Question, *, above: bool) -> Answer:
        votes = [
            vote(question, run) for run in self.runs[above][world].values() if run.run.status is not Status.INVALID
        ]
        told = [voted for voted in votes if voted]
        return Answer(told.count(1), len(told), self.answers[above][world].get(question))

    def differing(self, worlds: Iterable[str], question: Question) -> tuple[int, int]:
        """Pairs of runs with one world and run seed of which only the one below shows it, and only the one above."""
        return _differing(self._pairs(worlds), lambda judged: vote(question, judged))

    def only_below(self, name: str) -> bool:
        """Whether a property, in whatever sub-case, never fails above, and fails more often below than by chance."""
        pairs = self._pairs(self.runs[0])
        if any(_property_vote(name, above) > 0 for _, above in pairs):
            return False
        return evidence(*_differing(pairs, lambda judged: _property_vote(name, judged))) >= 1.0 / (
            1.0 - self.confidence
        )

    def _pairs(self, worlds: Iterable[str]) -> list[tuple[JudgedRun, JudgedRun]]:
        found = []
        for world in worlds:
            below, above = (runs[world] for runs in self.runs)
            found += [(below[repeat], above[repeat]) for repeat in sorted(below.keys() & above.keys())]
        return found


def _above_of(drawn: Drawn, upper: Results) -> dict[str, str]:
    """The id above of each world that went up: another one if the upper rung is calibrated."""
    above = {scenario.index: scenario.id for scenario in upper.scenarios}
    return {scenario.id: above.get(scenario.index, scenario.id) for scenario in drawn.up}


def _differing(pairs: Iterable[tuple[JudgedRun, JudgedRun]], voted: Callable[[JudgedRun], int]) -> tuple[int, int]:
    votes = [(voted(below), voted(above)) for below, above in pairs]
    return votes.count((1, -1)), votes.count((-1, 1))


def _property_vote(name: str, judged: JudgedRun) -> int:
    """As :func:`vote`, for a property in whatever sub-case."""
    if any(failure.property == name for failure in judged.failures):
        return 1
    return vote((name, None), judged)


def _shown(judged: JudgedRun) -> list[Question]:
    return [(failure.property, failure.subcase) for failure in judged.failures]


def _finding_calls(summary: Summary, seen: _Seen, upper: Summary) -> tuple[FindingCall, ...]:
    """Those of the campaign first, then what only the upper rung showed, the gravest first."""
    below = {(finding.property, finding.subcase): finding for finding in summary.findings}
    above = {(finding.property, finding.subcase): finding for finding in upper.findings}
    calls = [_finding_call(finding.id, key, seen, finding, above.get(key)) for key, finding in below.items()]
    number = 0
    for key, found in above.items():
        if key not in below:
            number += 1
            calls.append(_finding_call(f"A{number}", key, seen, None, found))
    return tuple(calls)


def _finding_call(
    name: str, key: tuple[str, str | None], seen: _Seen, finding: Finding | None, above: Finding | None
) -> FindingCall:
    worlds = [world for world, questions in seen.questions.items() if key in questions]
    pairs = [(seen.answer(world, key, above=False), seen.answer(world, key, above=True)) for world in worlds]
    call, why = _call(pairs, seen.differing(worlds, key), seen.confidence, below_anywhere=key in seen.below_anywhere)
    if call is RungCall.UNDECIDED and pairs and seen.only_below(key[0]):
        call, why = RungCall.ONLY_BELOW, f"seldom by itself; {key[0]} as a whole shows below alone"
    return FindingCall(
        name=name,
        property=key[0],
        subcase=key[1],
        call=call,
        why=why,
        worlds=len(worlds),
        shows_below=sum(low.sure is True for low, _ in pairs),
        shows_above=sum(high.sure is True for _, high in pairs),
        shows_both=sum(low.sure is True and high.sure is True for low, high in pairs),
        below=Answer(sum(low.shown for low, _ in pairs), sum(low.runs for low, _ in pairs), None),
        above=Answer(sum(high.shown for _, high in pairs), sum(high.runs for _, high in pairs), None),
        example="" if above is None else above.example_run_id,
        finding=finding,
    )


def _call(
    pairs: Sequence[tuple[Answer, Answer]], differing: tuple[int, int], confidence: float, *, below_anywhere: bool
) -> tuple[RungCall, str]:
    """The call of one failure from its worlds, and why it is undecided if it is.

    ``differing``: pairs of runs of which only the one below shows it, and only the one above.
    """
    enough = 1.0 / (1.0 - confidence)
    more_below, more_above = (evidence(*counts) >= enough for counts in (differing, differing[::-1]))
    shows_above = [low for low, high in pairs if high.sure]
    if shows_above and below_anywhere:
        return RungCall.CONFIRMED, ""
    if more_above or any(low.sure is False for low in shows_above):
        return (RungCall.UNDECIDED, "more often above than below") if below_anywhere else (RungCall.ONLY_ABOVE, "")
    flickers = any(high.sure is None and high.shown for _, high in pairs)
    if not flickers and (more_below or any(low.sure and high.sure is False for low, high in pairs)):
        return RungCall.ONLY_BELOW, ""
    reasons = (
        (not pairs, "none of its worlds went up"),
        (bool(shows_above), "it shows above, and below nothing could tell"),
        (flickers, "above it shows now and then"),
        (any(low.sure for low, _ in pairs), "it shows below, and above nothing could tell"),
        (any(low.sure is None and low.shown for low, _ in pairs), "below it shows now and then, above it does not"),
        (True, "it shows seldom on either rung: chance"),
    )
    return RungCall.UNDECIDED, next(why for holds, why in reasons if holds)


def evidence(more: int, less: int) -> float:
    """How much more often one side shows something, by pairs of runs that differ: in ``more`` of them only that side.

    If it does not show it more often, each pair falls either way at best as a fair coin. The e-value of a bet on all
    coins from fair to certain, mixed evenly: it reaches 20 with a chance of at most 5 %, looked at however often.
    """
    from scipy.special import betainc, betaln  # noqa: PLC0415 - slow to import

    # twice the integral of (2 q) ** more * (2 (1 - q)) ** less for q from a half to 1
    share = float(betainc(less + 1, more + 1, 0.5))  # of the whole integral; by symmetry up to a half for 1 - q
    return share * math.exp((more + less + 1) * math.log(2.0) + float(betaln(more + 1, less + 1)))


def _value(above: Answer) -> float | None:
    """How much of a failing world it is: 1 or 0 if that is sure, else the share of its runs. None without a verdict."""
    if above.sure is not None:
        return 1.0 if above.sure else 0.0
    return above.shown / above.runs if above.runs else None


def quality_of(
    failing_above: Sequence[float], passing_above: Sequence[float], *, failing: int, passing: int
) -> Quality:
    """Precision and recall of the lower rung, from worlds that went up.

    ``failing_above`` are those that fail below, ``passing_above`` those that pass below: 1 for each that fails above.
    ``failing`` and ``passing`` are all such worlds of the campaign; those that went up stand for them.
    """
    precision, missed = _rate(failing_above, 0.95), _rate(passing_above, 0.95)
    return Quality(
        precision=_estimate(precision),
        recall=_recall(failing_above, passing_above, failing=failing, passing=passing),
        missed=_estimate(missed),
    )


def _recall(
    failing_above: Sequence[float], passing_above: Sequence[float], *, failing: int, passing: int
) -> Estimate | None:
    """Both shares at their limits, each known with 97.5 %: so the interval holds with 95 % at least."""
    if not passing_above or (failing and not failing_above):
        return None
    found, missed = _rate(failing_above, 0.975), _rate(passing_above, 0.975)

    def share(found_share: float, missed_share: float) -> float | None:
        hits, misses = failing * found_share, passing * missed_share
        return hits / (hits + misses) if hits + misses else None

    middle = share(found.share or 0.0, missed.share or 0.0)
    if middle is None:  # nothing fails above: there is nothing to be found
        return None
    low, high = share(found.low, missed.high), share(found.high, missed.low)
    return Estimate(middle, 0.0 if low is None else low, 1.0 if high is None else high)


def _rate(values: Sequence[float], confidence: float) -> Rate:
    return wilson(min(sum(values), len(values)), len(values), confidence=confidence)


def _estimate(rate: Rate) -> Estimate | None:
    return None if rate.share is None else Estimate(rate.share, rate.low, rate.high, rate.confidence)


def _cost(summary: Summary, drawn: Drawn, lower: Results, upper: Results) -> Cost:
    """Failing and passing worlds are told apart: missions that fail may be over sooner."""
    runs, kinds = summary.results.runs, (drawn.failing, drawn.passing)
    everywhere = _mean([judged.run.wall_s for judged in upper.runs])
    above_of = _above_of(drawn, upper)
    once = sure = 0.0
    for worlds, went_up in zip(kinds, (drawn.failing_up, drawn.passing_up), strict=True):
        names = {world.id for world in worlds}
        up = {above_of[world.id] for world in went_up}
        above = [judged.run.wall_s for judged in upper.runs if judged.run.scenario_id in up]
        each = _mean(above) or everywhere or 0.0
        once += each * sum(judged.run.scenario_id in names for judged in runs)
        repeats = len(above) / len(went_up) if went_up else len(upper.runs) / len(drawn.up)
        sure += each * repeats * len(worlds)
    return Cost(
        campaign_s=sum(judged.run.wall_s for judged in runs),
        below_s=sum(judged.run.wall_s for judged in lower.runs),
        above_s=sum(judged.run.wall_s for judged in upper.runs),
        everything_s=None if everywhere is None else once,
        everything_sure_s=None if everywhere is None else sure,
        runs_below=len(lower.runs),
        runs_above=len(upper.runs),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
