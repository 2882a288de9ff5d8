"""Conditions on parameters, such as ``rows >= 3``, and the one that best tells failing worlds from others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError

Value: TypeAlias = float | int | bool | str
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its world, the parameters of that world by path, and whether it failed."""

    world: str
    parameters: Mapping[str, Value]
    failed: bool


@dataclass(frozen=True, slots=True)
class WorldShare:
    """One world as one unit: its parameters and the share of its runs that failed."""

    world: str
    parameters: Mapping[str, Value]
    share: float
    runs: int


@dataclass(frozen=True, slots=True)
class Condition:
    """``path operator value``, true or false of a world; false of a world without that parameter."""

    path: str
    operator: Literal[">", ">=", "<=", "is"]
    value: Value

    def __str__(self) -> str:
        shown = f"{self.value:g}" if isinstance(self.value, float) else str(self.value).lower()
        return f"{self.path} {self.operator} {shown if not isinstance(self.value, str) else self.value}"

    def holds(self, parameters: Mapping[str, Value]) -> bool:
        if self.path not in parameters:
            return False
        got = parameters[self.path]
        if self.operator == "is" or isinstance(got, str) or isinstance(self.value, str):
            return self.operator == "is" and got == self.value
        if self.operator == ">":
            return got > self.value
        return got >= self.value if self.operator == ">=" else got <= self.value


@dataclass(frozen=True, slots=True)
class Split:
    """The condition that divides best, in standard deviations of chance (``z``).

    ``p`` is the chance of so large a ``z`` by luck, knowing that the threshold was picked because it fits.
    """

    condition: Condition
    z: float
    p: float


def worlds_of(runs: Sequence[Run]) -> tuple[WorldShare, ...]:
    """Runs gathered by world."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        group = groups.setdefault(run.world, [])
        if group and group[0].parameters != run.parameters:
            raise InputError(f"World '{run.world}' has runs with different parameters. Give each its own name.")
        group.append(run)
    return tuple(
        WorldShare(name, group[0].parameters, sum(run.failed for run in group) / len(group), len(group))
        for name, group in groups.items()
    )


def paths_of(worlds: Sequence[WorldShare]) -> tuple[str, ...]:
    """All parameter paths, in order of appearance."""
    return tuple(dict.fromkeys(path for world in worlds for path in world.parameters))


def is_numeric(values: Sequence[Value]) -> bool:
    """Numbers have an order; words and yes/no have not."""
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def best_split(worlds: Sequence[WorldShare], path: str, *, min_worlds: int) -> Split | None:
    """The condition on one parameter that holds for the worlds that fail more.

    Both sides keep at least ``min_worlds`` worlds; None where no such condition exists.
    """
    known = [world for world in worlds if path in world.parameters]
    values = [world.parameters[path] for world in known]
    shares = np.array([world.share for world in known])
    spread = float(shares.std(ddof=1)) if len(known) > 1 else 0.0
    if spread == 0.0:
        return None
    if is_numeric(values):
        return _best_threshold(path, values, shares / spread, min_worlds)
    return _best_category(path, values, shares / spread, min_worlds)


def _best_threshold(path: str, values: Sequence[Value], scaled: Floats, min_worlds: int) -> Split | None:
    numbers, count = np.array([float(value) for value in values]), len(values)
    order = np.argsort(numbers, kind="stable")
    numbers, total = numbers[order], np.cumsum(scaled[order])
    below = np.arange(1, count)
    cuts = below[(numbers[1:] > numbers[:-1]) & (below >= min_worlds) & (count - below >= min_worlds)]
    if not len(cuts):
        return None
    above_mean, below_mean = (total[-1] - total[cuts - 1]) / (count - cuts), total[cuts - 1] / cuts
    z = (above_mean - below_mean) * np.sqrt(cuts * (count - cuts) / count)
    place = int(np.argmax(np.abs(z)))
    low, high, best = float(numbers[cuts[place] - 1]), float(numbers[cuts[place]]), float(z[place])
    whole = all(isinstance(value, int) for value in values)
    condition = _threshold(path, low, high, above=best > 0.0, whole=whole)
    return Split(condition, abs(best), _luck_of_best_cut(abs(best), min_worlds / count, len(cuts)))


def _luck_of_best_cut(z: float, edge: float, cuts: int) -> float:
    """Miller and Siegmund (1982): chance of the largest z over all cuts, leaving ``edge`` of the worlds on both sides.

    With few possible cuts, counting each as a test of its own (Bonferroni) is the sharper bound.
    """
    each = cuts * 2 * NormalDist().cdf(-z)
    if z <= 1.0 or edge >= 0.5:
        return min(1.0, each)
    density = NormalDist().pdf(z)
    together = density * (z - 1 / z) * math.log(((1 - edge) / edge) ** 2) + 4 * density / z
    return min(1.0, each, together)


def _threshold(path: str, low: float, high: float, *, above: bool, whole: bool) -> Condition:
    if whole:
        return Condition(path, ">=", int(high)) if above else Condition(path, "<=", int(low))
    return Condition(path, ">" if above else "<=", _short_number(low, high))


def _short_number(low: float, high: float) -> float:
    """The number with the fewest digits that is at least ``low`` and below ``high``."""
    middle = low + (high - low) / 2
    for digits in range(1, 18):
        short = float(f"{middle:.{digits}g}")
        if low <= short < high:
            return short
    return low


def _best_category(path: str, values: Sequence[Value], scaled: Floats, min_worlds: int) -> Split | None:
    """The value whose worlds fail more than all others."""
    best, tried = None, 0
    for value in dict.fromkeys(values):
        inside: Flags = np.array([other == value for other in values])
        count, rest = int(inside.sum()), int((~inside).sum())
        if min(count, rest) < min_worlds:
            continue
        tried += 1
        z = float(scaled[inside].mean() - scaled[~inside].mean()) * math.sqrt(count * rest / (count + rest))
        if z > 0.0 and (best is None or z > best.z):
            best = Split(Condition(path, "is", value), z, 1.0)
    return None if best is None else replace(best, p=min(1.0, tried * NormalDist().cdf(-best.z)))
