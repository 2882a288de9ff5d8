"""When a disturbance did real harm, and how two ways of disturbing compare over repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from stressfield.analysis import Rate, deals, smallest_p, wilson
from stressfield.run import JudgedRun
from stressfield.seeds import generator

ROOMS = 9
ROOMS_LOST = 2
"""From so many rooms undone on it is real harm: one may be lost to a delay alone. Robots that touch are harm, too."""
ALPHA = 0.05
NEEDED = ("completedRooms", "robotCollisions", "fuzzingTimeLength")


def harmed(metrics: Mapping[str, float]) -> bool:
    """Whether at least ``ROOMS_LOST`` rooms were left undone, or two robots touched."""
    return metrics["completedRooms"] <= ROOMS - ROOMS_LOST or metrics["robotCollisions"] > 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """What came of one test, run several times. ``unmeasured`` runs were invalid, or crashed, and count nowhere."""

    lengths_s: tuple[float, ...]
    """For how long it disturbed."""
    rooms: tuple[float, ...]
    collided: int
    harmful: int
    unmeasured: int

    @property
    def count(self) -> int:
        return len(self.rooms)

    @property
    def share(self) -> float:
        """Of harmful runs; 0 without runs."""
        return self.harmful / self.count if self.count else 0.0


def repeats_of(runs: Iterable[JudgedRun]) -> Repeats:
    """The repeats of one test."""
    every = list(runs)
    measured = [judged.metrics for judged in every if all(name in judged.metrics for name in NEEDED)]
    return Repeats(
        lengths_s=tuple(metrics["fuzzingTimeLength"] for metrics in measured),
        rooms=tuple(metrics["completedRooms"] for metrics in measured),
        collided=sum(metrics["robotCollisions"] > 0.0 for metrics in measured),
        harmful=sum(map(harmed, measured)),
        unmeasured=len(every) - len(measured),
    )


def together(parts: Sequence[Repeats]) -> Repeats:
    """The repeats of several tests as if of one."""
    return Repeats(
        lengths_s=tuple(value for part in parts for value in part.lengths_s),
        rooms=tuple(value for part in parts for value in part.rooms),
        collided=sum(part.collided for part in parts),
        harmful=sum(part.harmful for part in parts),
        unmeasured=sum(part.unmeasured for part in parts),
    )


def harm_rate(parts: Sequence[Repeats]) -> Rate:
    """The share of harmful runs with Wilson's interval: of repeats of one test, or of tests, each counted once."""
    if len(parts) == 1:
        return wilson(parts[0].harmful, parts[0].count)
    shares = [part.share for part in parts if part.count]
    return wilson(min(sum(shares), len(shares)), len(shares))


def spread_sd(parts: Sequence[Sequence[float]]) -> float | None:
    """Standard deviation within tests, pooled over tests; None if no test has two values."""
    several = [np.asarray(part) for part in parts if len(part) > 1]
    freedom = sum(len(part) - 1 for part in several)
    if not freedom:
        return None
    return float(np.sqrt(sum(float(((part - part.mean()) ** 2).sum()) for part in several) / freedom))


def by_test_p(values: Sequence[float], other: Sequence[float]) -> float | None:
    """Do two kinds of tests differ, one value a test? None without tests on both sides.

    The test is the unit, because its repeats are alike: tests are dealt anew between the kinds, in all ways if these
    are few (two-sided). Three against three can show 0.1 at best.
    """
    if not values or not other:
        return None
    shuffles = deals(len(values), len(other), generator("kinds of tests", len(values), len(other)))
    every = np.array([*values, *other])
    return smallest_p(shuffles, (every - every.mean())[:, None], two_sided=[True]).p[0]


def least_p(tests: int) -> float:
    """The least p-value that so many tests of each of two kinds can show."""
    return min(1.0, 2 / comb(2 * tests, tests))


def answer(wanted: float | None, *, p: float | None) -> str:
    """``yes`` or ``no`` by the sign of a difference that is significant; else ``not shown``."""
    if wanted is None or p is None or p >= ALPHA or wanted == 0.0:
        return "not shown"
    return "yes" if wanted > 0.0 else "no"
