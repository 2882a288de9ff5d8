"""Two campaigns side by side: is the candidate worse than the baseline, beyond noise?

Margins, times and metrics regress long before verdicts do, so all of them are looked at, in this order:

1. **outcome**: the share of runs that fail (a crashed or hanging run fails). It is tested by itself, at most of the
   level (``OUTCOME_SHARE``), so that it is not diluted by the others;
2. **the others together**, at the rest of the level, or at all of it once the outcome is worse: how runs end (a timeout
   where the other completed is worse, a crash worse still), the mission's time, every property's margin, its failing
   share where failures have no margin, every metric. They are corrected for their number by shuffling them jointly
   (:func:`stressfield.analysis.exact_tests.smallest_p`), which costs less than Holm's correction, as they are alike;
3. **what vanished**: a metric, a margin or a topic that all runs of the baseline have and none of the candidate.

Campaigns that share worlds are compared in those: run by run if both have the same run seeds, otherwise all runs of a
world with each other. A baseline with more repeats tells what is chance, and so a smaller change is seen. Campaigns of
other worlds are compared world by world, the repeats of each averaged. The risk that a build is called worse than
itself is at most ``alpha``.

``worse`` needs both: p of at most ``alpha``, and a change of at least ``effect``: of shares, as a difference (0.05 is
five runs in a hundred); of all other values, relative to their size: world by world where these are shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stressfield.analysis.endpoints import (
    Change,
    Endpoint,
    EndpointKind,
    Measure,
    crashed,
    endpoints_among,
    endpoints_of,
    failing,
    properties_of,
)
from stressfield.analysis.monitors import MONITOR
from stressfield.analysis.sides import Sides, check_studies, places_of, sides_of
from stressfield.analysis.summary import Summary
from stressfield.campaign import category
from stressfield.errors import InputError
from stressfield.oracle import Outcome
from stressfield.oracle.oracle import HANG
from stressfield.run import JudgedRun, Status

ALPHA, EFFECT = 0.05, 0.05
LEAST_VANISHED = 4
"""Worlds of both sides from which on something that vanished is no accident: by chance that happens to at most one in
4 ** 4 names, whatever share of runs has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A run of a shared world that ended otherwise in the candidate: passed before, fails now, or the other way."""

    world: int
    """Its number in the baseline."""
    repeat: int
    before: str
    after: str
    """How the two ended: pass, fail, inconclusive, subject_crash or hang."""
    baseline_run: str
    candidate_run: str
    same_seed: bool
    """Whether the run seeds are the same, so that chance is, too: then it is the build that made the difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignComparison:
    """What became of a candidate against a baseline. ``worse`` is the gate."""

    paired: bool
    worlds: tuple[int, int]
    """Worlds compared, of the baseline and of the candidate."""
    repeats: tuple[int, int]
    """Runs of each world, at most, that were compared, of the baseline and of the candidate."""
    endpoints: tuple[Endpoint, ...]
    """The outcome first, then those that are worse, the most striking first."""
    vanished: tuple[str, ...]
    """What every run of the baseline has and none of the candidate, such as ``metric path_m``."""
    nothing_judged: bool
    """No run of the candidate passed or failed: all crashed, hung, are inconclusive or invalid."""
    compared_runs: int
    """Pairs of runs of the same world with the same run seed: of equal builds these are equal, bit for bit."""
    changed_runs: int
    """Those of them that differ in their trace."""
    flips: tuple[Flip, ...]
    """Runs of shared worlds that ended otherwise, those that got worse first. Nothing is tested: one may be chance."""
    notes: tuple[str, ...]
    """What to keep in mind: that the campaigns are not quite alike."""
    alpha: float
    effect: float

    @property
    def worse(self) -> bool:
        """Worse beyond noise: an endpoint is worse, something vanished, or nothing could be judged."""
        return bool(self.nothing_judged or self.vanished or self.of(Change.WORSE))

    def of(self, verdict: Change) -> tuple[Endpoint, ...]:
        """The endpoints with that verdict."""
        return tuple(endpoint for endpoint in self.endpoints if endpoint.verdict is verdict)


def compare(
    baseline: Summary, candidate: Summary, *, alpha: float = ALPHA, effect: float = EFFECT
) -> CampaignComparison:
    """Whether the candidate is worse than the baseline, beyond noise. InputError if they cannot be compared.

    ``alpha`` is the risk of a false alarm, ``effect`` the least change that counts; see the module.
    """
    if not 0.0 < alpha < 1.0 or not effect >= 0.0:
        raise InputError(f"Cannot compare with alpha={alpha}, effect={effect}. Wanted 0 < alpha < 1 and effect >= 0.")
    _check_comparable(baseline, candidate)
    sides = sides_of(baseline, candidate)
    first, second = sides.runs
    compared = _same_runs(baseline, candidate)
    return CampaignComparison(
        paired=sides.paired,
        worlds=(len(sides.baseline), len(sides.candidate)),
        repeats=sides.repeats,
        endpoints=endpoints_of(sides, alpha, effect),
        vanished=_vanished(first, second) if min(len(sides.baseline), len(sides.candidate)) >= LEAST_VANISHED else (),
        nothing_judged=not _has_verdict(candidate),
        compared_runs=len(compared),
        changed_runs=sum(before.run.digest != after.run.digest for before, after in compared),
        flips=_flips(sides),
        notes=tuple(_notes(baseline, candidate, sides)),
        alpha=alpha,
        effect=effect,
    )


def compare_verdicts(baseline: Summary, candidate: Summary, *, alpha: float = ALPHA) -> tuple[Endpoint, ...]:
    """Verdicts alone: the failing share of every property that is on in both, and of crashes if there were any.

    All of them are corrected together, the most striking first in the order of the oracle.
    """
    _check_comparable(baseline, candidate)
    sides = sides_of(baseline, candidate)
    runs = [run for side in sides.runs for run in side]
    measures = [failing(name) for name in properties_of(runs)]
    if any(crashed(run) for run in runs):
        measures.append(Measure("crash", EndpointKind.FAILS, "", 1, lambda run: float(crashed(run))))
    return endpoints_among(sides, measures, alpha, 0.0)


def same_worlds(first: Summary, second: Summary) -> bool:
    """Whether both campaigns ran in the same worlds."""
    return set(places_of(first).values()) == set(places_of(second).values())


def _check_comparable(baseline: Summary, candidate: Summary) -> None:
    check_studies([(summary.results.folder, summary.study) for summary in (baseline, candidate)])
    if not _has_verdict(baseline):
        raise InputError(
            f"Cannot compare with {baseline.results.folder!r}: none of its runs passed or failed. "
            "Wanted a baseline with verdicts."
        )


def _has_verdict(summary: Summary) -> bool:
    return any(judged.run.outcome in {Outcome.PASS, Outcome.FAIL} for judged in summary.runs.values())


def _same_runs(baseline: Summary, candidate: Summary) -> list[tuple[JudgedRun, JudgedRun]]:
    """Runs of the same world with the same run seed, whose traces are comparable bit by bit."""
    places, others = places_of(baseline), places_of(candidate)
    known = {
        (places[judged.run.scenario_id], judged.run.seed): judged
        for judged in baseline.runs.values()
        if judged.run.status is not Status.INVALID
    }
    return [
        (known[key], judged)
        for judged in candidate.runs.values()
        if judged.run.status is not Status.INVALID
        and (key := (others[judged.run.scenario_id], judged.run.seed)) in known
    ]


_GRAVITY = {"pass": 0, "inconclusive": 1, "fail": 2, Status.TIMEOUT.value: 3, HANG: 3, Status.SUBJECT_CRASH.value: 4}


def _flips(sides: Sides) -> tuple[Flip, ...]:
    """Repeat by repeat; of worlds that were run more often on one side, what both have."""
    if not sides.paired:
        return ()
    found = [
        Flip(
            world=world.number,
            repeat=first.run.repeat,
            before=category(first.run),
            after=category(second.run),
            baseline_run=first.run.id,
            candidate_run=second.run.id,
            same_seed=first.run.seed == second.run.seed,
        )
        for world, other in zip(sides.baseline, sides.candidate, strict=True)
        for first, second in zip(world.runs, other.runs, strict=False)
        if category(first.run) != category(second.run)
    ]
    return tuple(sorted(found, key=lambda flip: (_GRAVITY[flip.before] - _GRAVITY[flip.after], flip.world)))


def _notes(baseline: Summary, candidate: Summary, sides: Sides) -> Iterable[str]:
    plans = baseline.results.plan, candidate.results.plan
    if sides.paired:
        total = max(len(baseline.scenarios), len(candidate.scenarios))
        if len(sides.baseline) < total:
            yield f"{len(sides.baseline)} of {total} {plans[0].noun}s were run by both: only those are compared."
    elif not (baseline.sampled and candidate.sampled):
        yield f"The {plans[0].noun}s were chosen, not drawn: a difference may be theirs."
    elif plans[0].template != plans[1].template or plans[0].strategy != plans[1].strategy:
        yield "The worlds were not drawn alike (template or strategy): a difference may be theirs."
    for what, first, second in (
        ("options", plans[0].options, plans[1].options),
        ("simulators", plans[0].simulator, plans[1].simulator),
        ("time limits", plans[0].limit_s, plans[1].limit_s),
    ):
        if first != second:
            yield f"The {what} differ, not only the build: {first or 'default'} and {second or 'default'}."
    on, off = ({prop.name for prop in summary.properties if prop.on} for summary in (baseline, candidate))
    if on != off and candidate.judged:
        yield f"Judged in one of them only, so not compared: {', '.join(sorted(on ^ off))}."
    for summary in (baseline, candidate):
        if summary.done < summary.planned:
            yield f"{summary.results.folder} is not finished: {summary.done} of {summary.planned} runs are done."


def _vanished(baseline: Sequence[JudgedRun], candidate: Sequence[JudgedRun]) -> tuple[str, ...]:
    """Of runs that were judged: a crash has no metrics, and is told as what it is."""
    first, second = ([_had(run) for run in side if run.run.status.judged] for side in (baseline, candidate))
    if not first or not second:
        return ()
    always, ever = set.intersection(*first), set.union(*second)
    return tuple(sorted(always - ever))


def _had(judged: JudgedRun) -> set[str]:
    margins = {f"margin of {verdict.property}" for verdict in judged.verdicts if verdict.margin is not None}
    metrics = {f"metric {name}" for name in judged.metrics if not name.startswith(MONITOR)}
    return margins | metrics | {f"topic {name}" for name in judged.run.topics.split()}
