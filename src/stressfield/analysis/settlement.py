"""Whether the answer of a campaign will hardly change any more: its failing rate, looked at all the time.

See :func:`stressfield.analysis.confidence_sequence` for the interval, and docs/statistics.md for what is promised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stressfield.analysis.statistics import Rate, confidence_sequence
from stressfield.analysis.summary import Summary
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, Status

SETTLED_WIDTH = 0.1
"""An interval that is no wider will hardly change the answer: five points of a hundred to either side."""
POINTS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The failing rate after each world, in the order of the plan, with intervals that hold at all times at once."""

    points: tuple[Rate, ...]
    """Thinned: ``total`` is the number of worlds, the last one is of all that count by now."""
    settled_after: int | None
    """Worlds after which the interval was narrow enough and stayed so; None if it is not."""
    waiting: int
    """Worlds that are done, but come after one that is not: they count when that is done."""

    @property
    def now(self) -> Rate | None:
        """As of now; None if no world counts."""
        return self.points[-1] if self.points else None

    @property
    def settled(self) -> bool:
        """Whether the answer will hardly change any more."""
        return self.settled_after is not None


def settlement(summary: Summary) -> Settlement | None:
    """None if the worlds are no sample, so that no rate of others can be told from them."""
    if not summary.sampled or summary.results.plan.strategy_name != "random":
        return None
    shares = list(_shares(summary))
    total, points, narrow_since = 0.0, [], None
    step = max(1, len(shares) // POINTS_MAX)
    for place, share in enumerate(shares, start=1):
        total += share
        if place % step and place != len(shares):
            continue
        rate = confidence_sequence(min(total, place), place)
        points.append(rate)
        narrow = rate.high - rate.low <= SETTLED_WIDTH
        narrow_since = (narrow_since if narrow_since is not None else place) if narrow else None
    done = sum(_complete(summary, world.run_ids) is not None for world in summary.worlds)
    return Settlement(points=tuple(points), settled_after=narrow_since, waiting=done - len(shares))


def _shares(summary: Summary) -> Iterator[float]:
    """Of each world in order, the share of its runs that fail, up to the first that is not done.

    A world that says nothing (all its runs invalid or inconclusive) is passed over.
    """
    for place, world in enumerate(summary.worlds):
        if world.index != place:  # one before it has not even begun
            return
        share = _complete(summary, world.run_ids)
        if share is None:
            return
        if share >= 0.0:
            yield share


def _complete(summary: Summary, run_ids: tuple[str, ...]) -> float | None:
    """The failing share of a world; -1 if it says nothing, None if runs of it are missing."""
    runs = [summary.runs[run_id] for run_id in run_ids]
    wanted = summary.results.plan.repeats
    if summary.results.plan.until_sure is not None and runs:
        wanted = summary.results.standings[runs[0].run.scenario_id].wanted
    if len(runs) < wanted:
        return None
    told = [failed for run in runs if (failed := _failed(run)) is not None]
    return sum(told) / len(told) if told else -1.0


def _failed(judged: JudgedRun) -> bool | None:
    """A crash or a hang fails; what is invalid or inconclusive says nothing."""
    if judged.run.status is Status.INVALID:
        return None
    if judged.run.broke is not None:
        return True
    return None if judged.run.outcome in {None, Outcome.INCONCLUSIVE} else judged.run.outcome is Outcome.FAIL
