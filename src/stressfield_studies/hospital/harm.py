"""When a disturbance did real harm, and how two ways of disturbing compare over repeats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.analysis import EffectSize, Rate, effect_size, wilson
from stressfield.run import JudgedRun

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
    def rate(self) -> Rate:
        """The share of harmful runs, with Wilson's interval."""
        return wilson(self.harmful, self.count)


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


def location(values: Sequence[float], other: Sequence[float]) -> EffectSize | None:
    """Is one higher than the other (Mann-Whitney)? None without values on both sides."""
    return effect_size(values, other) if values and other else None


def spread_sd(parts: Sequence[Sequence[float]]) -> float | None:
    """Standard deviation within tests, pooled over tests; None if no test has two values."""
    several = [np.asarray(part) for part in parts if len(part) > 1]
    freedom = sum(len(part) - 1 for part in several)
    if not freedom:
        return None
    return float(np.sqrt(sum(float(((part - part.mean()) ** 2).sum()) for part in several) / freedom))


def spread_p(tests: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float | None:
    """Do both vary alike within tests (Brown-Forsythe: distances from each test's median)? None for too few values."""
    from scipy.stats import f_oneway  # noqa: PLC0415 - slow to import

    mine, theirs = (
        np.concatenate([np.abs(np.asarray(part) - np.median(part)) for part in parts if len(part) > 1] or [np.zeros(0)])
        for parts in (tests, other)
    )
    if len(mine) < 3 or len(theirs) < 3:
        return None
    if not np.ptp(np.concatenate([mine, theirs])):
        return 1.0
    if not np.ptp(mine) and not np.ptp(theirs):
        return 0.0
    return float(f_oneway(mine, theirs).pvalue)


def share_p(repeats: Repeats, other: Repeats) -> float | None:
    """Do both do harm equally often (Fisher's exact test)? None without runs on both sides."""
    from scipy.stats import fisher_exact  # noqa: PLC0415 - slow to import

    if not repeats.count or not other.count:
        return None
    table = [[part.harmful, part.count - part.harmful] for part in (repeats, other)]
    return float(fisher_exact(table)[1])


def answer(wanted: float | None, *, p: float | None) -> str:
    """``yes`` or ``no`` by the sign of a difference that is significant; else ``not shown``."""
    if wanted is None or p is None or p >= ALPHA or wanted == 0.0:
        return "not shown"
    return "yes" if wanted > 0.0 else "no"
