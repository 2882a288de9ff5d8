"""Which parameters go with failure? Worlds are the units: each counts once, by the share of its runs that fail.

Conditions on parameters, such as ``rows >= 3``, and the one that best tells failing worlds from others.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np

from stressfield.analysis.exact_tests import fisher
from stressfield.analysis.statistics import Rate, chi_squared, holm, kendall, kruskal, wilson
from stressfield.arrays import Counts, Flags, Floats, Indices
from stressfield.errors import InputError
from stressfield.seeds import generator

Value: TypeAlias = float | int | bool | str
PLAIN_SHARE = 0.8
"""Of the risk, for the parameters of the model. Those derived from them are many and alike, and would dilute them."""


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
class ParameterCondition:
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

    def among(self, values: ParameterValues) -> Flags:
        """Where it holds among the values of many worlds, as :meth:`holds` says it of one."""
        if values.numbers is None:
            met = {code for code, value in values.words if self.holds({self.path: value})}
            return np.isin(np.asarray(values.codes), list(met))
        if isinstance(self.value, str):
            return np.zeros(len(values.numbers), bool)
        compare = {">": np.greater, ">=": np.greater_equal, "<=": np.less_equal, "is": np.equal}[self.operator]
        return np.asarray(compare(values.numbers, float(self.value)))


@dataclass(frozen=True, slots=True)
class Split:
    """The condition that divides best, in standard deviations of chance (``z``).

    ``p`` is the chance of so large a ``z`` by luck, knowing that the threshold was picked because it fits.
    """

    condition: ParameterCondition
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


class ParameterColumn:
    """One parameter of many worlds. Numbers have an order; words and yes/no have not."""

    _WHOLE, _REAL, _WORD = range(3)

    def __init__(self) -> None:
        self._at, self._kinds, self._numbers = array("q"), array("b"), array("d")
        self._codes = array("q")
        self._values: dict[Value, int] = {}
        self._words = False

    def add(self, at: int, value: Value) -> None:
        """The value of the world with that number; numbers rise."""
        self._at.append(at)
        if isinstance(value, bool | str):
            self._words = True
            self._kinds.append(self._WORD)
            self._numbers.append(0.0)
        else:
            self._kinds.append(self._WHOLE if isinstance(value, int) else self._REAL)
            self._numbers.append(value)
        if self._words and len(self._codes) + 1 < len(self._at):  # numbers came before: they are words, too
            for number, kind in zip(self._numbers[:-1], self._kinds, strict=False):
                self._code(int(number) if kind == self._WHOLE else number)
        if self._words:
            self._code(value)

    def _code(self, value: Value) -> None:
        self._codes.append(self._values.setdefault(value, len(self._values)))

    def known(self, worlds: int) -> Flags:
        """Which of so many worlds have it."""
        found = np.zeros(worlds, bool)
        found[np.asarray(self._at)] = True
        return found

    def of(self, there: Indices) -> ParameterValues:
        """The values in these worlds, all of which have it."""
        places = np.searchsorted(np.asarray(self._at), there)
        kinds = np.asarray(self._kinds)[places]
        if not self._words or not (kinds == self._WORD).any():
            whole = bool((kinds == self._WHOLE).all())
            return ParameterValues(np.asarray(self._numbers, np.float64)[places], None, (), whole)
        codes, names = np.asarray(self._codes)[places], list(self._values)
        seen, first = np.unique(codes, return_index=True)
        return ParameterValues(None, codes, tuple((int(code), names[code]) for code in seen[np.argsort(first)]), False)


@dataclass(frozen=True, slots=True, eq=False)
class ParameterValues:
    """Of some worlds: ``numbers``, or else codes of words; ``words`` are the codes and words that are there, in the
    order in which they come.
    """

    numbers: Floats | None
    codes: Counts | None
    words: tuple[tuple[int, Value], ...]
    whole: bool
    """Whether all numbers are whole."""

    @property
    def vary(self) -> bool:
        """Whether there are at least two different ones."""
        if self.numbers is None:
            return len(self.words) > 1
        return bool(len(self.numbers) and (self.numbers != self.numbers[0]).any())

    @property
    def listed(self) -> list[Value]:
        """One by one."""
        if self.numbers is not None:
            return list(self.numbers.tolist())
        words = dict(self.words)
        return [words[code] for code in np.asarray(self.codes).tolist()]

    def inside(self, code: int) -> Flags:
        """Where that word is."""
        return np.asarray(self.codes == code)


class WorldTable:
    """The parameters of many worlds, column by column, in one order."""

    def __init__(self, worlds: Iterable[tuple[str, Mapping[str, Value]]]) -> None:
        self.names: list[str] = []
        self.columns: dict[str, ParameterColumn] = {}
        for at, (name, parameters) in enumerate(worlds):
            self.names.append(name)
            for path, value in parameters.items():
                column = self.columns.get(path)
                if column is None:
                    column = self.columns[path] = ParameterColumn()
                column.add(at, value)
        self._known = {path: column.known(len(self.names)) for path, column in self.columns.items()}
        self._luck: dict[bytes, Floats] = {}

    def known(self, path: str) -> Flags:
        """Which worlds have that parameter."""
        found = self._known.get(path)
        return np.zeros(len(self.names), bool) if found is None else found

    def luck(self, there: Indices) -> Floats:
        """A random number for each of these worlds, by their names alone; the same for all findings."""
        key = hashlib.sha256(np.sort(there).tobytes()).digest()
        if key not in self._luck:
            names = sorted(self.names[place] for place in there.tolist())
            drawn = generator("halves", *names).random(len(names))
            self._luck = {key: np.empty(len(self.names))}  # one at a time: nearly all findings speak of the same worlds
            order = sorted(there.tolist(), key=self.names.__getitem__)
            self._luck[key][order] = drawn
        return self._luck[key][there]


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """Some worlds of a table, each as one unit: the share of its runs that failed."""

    table: WorldTable
    there: Indices
    shares: Floats

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Worlds:
        """Runs gathered by world."""
        found = worlds_of(runs)
        table = WorldTable((world.world, world.parameters) for world in found)
        return cls(table, np.arange(len(found)), np.array([world.share for world in found], np.float64))

    def __len__(self) -> int:
        return len(self.there)

    def take(self, which: Indices | Flags) -> Worlds:
        """Some of them."""
        return Worlds(self.table, self.there[which], self.shares[which])

    def known(self, path: str) -> Flags:
        """Which of them have that parameter."""
        return self.table.known(path)[self.there]

    def values(self, path: str) -> ParameterValues:
        """Of those that have it."""
        return self.table.columns[path].of(self.there[self.known(path)])

    @property
    def paths(self) -> tuple[str, ...]:
        """All parameter paths, in order of appearance."""
        first = {path: int(known.argmax()) for path in self.table.columns if (known := self.known(path)).any()}
        return tuple(sorted(first, key=first.__getitem__))

    def holds(self, condition: ParameterCondition) -> Flags:
        """In which of them a condition holds; not in those without that parameter."""
        found = np.zeros(len(self), bool)
        known = self.known(condition.path)
        if known.any():
            found[known] = condition.among(self.values(condition.path))
        return found

    def all_hold(self, conditions: Sequence[ParameterCondition]) -> Flags:
        """Which of them meet all of these."""
        found = np.ones(len(self), bool)
        for condition in conditions:
            found &= self.holds(condition)
        return found


def is_derived(path: str, paths: Container[str]) -> bool:
    """Whether a path of a genotype's flat values sums up items of a sequence: ``people.x_m.mean``, not ``.len``."""
    owner, _, last = path.rpartition(".")
    if last not in {"min", "max", "mean"}:
        return False
    parts = owner.split(".")
    return any(f"{'.'.join(parts[:end])}.len" in paths for end in range(1, len(parts) + 1))


def is_numeric(values: Sequence[Value]) -> bool:
    """Numbers have an order; words and yes/no have not."""
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def best_split(worlds: Worlds, path: str, *, min_worlds: int) -> Split | None:
    """The condition on one parameter that holds for the worlds that fail more.

    Both sides keep at least ``min_worlds`` worlds; None where no such condition exists.
    """
    shares = worlds.shares[worlds.known(path)]
    spread = float(shares.std(ddof=1)) if len(shares) > 1 else 0.0
    if spread == 0.0:
        return None
    values = worlds.values(path)
    if values.numbers is not None:
        return _best_threshold(path, values.numbers, shares / spread, min_worlds, whole=values.whole)
    return _best_category(path, values, shares / spread, min_worlds)


def _best_threshold(path: str, numbers: Floats, scaled: Floats, min_worlds: int, *, whole: bool) -> Split | None:
    count = len(numbers)
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


def _threshold(path: str, low: float, high: float, *, above: bool, whole: bool) -> ParameterCondition:
    if whole:
        return ParameterCondition(path, ">=", int(high)) if above else ParameterCondition(path, "<=", int(low))
    return ParameterCondition(path, ">" if above else "<=", _short_number(low, high))


def _short_number(low: float, high: float) -> float:
    """The number with the fewest digits that is at least ``low`` and below ``high``."""
    middle = low + (high - low) / 2
    for digits in range(1, 18):
        short = float(f"{middle:.{digits}g}")
        if low <= short < high:
            return short
    return low


def _best_category(path: str, values: ParameterValues, scaled: Floats, min_worlds: int) -> Split | None:
    """The value whose worlds fail more than all others."""
    best, tried = None, 0
    for code, value in values.words:
        inside = values.inside(code)
        count, rest = int(inside.sum()), int((~inside).sum())
        if min(count, rest) < min_worlds:
            continue
        tried += 1
        z = float(scaled[inside].mean() - scaled[~inside].mean()) * math.sqrt(count * rest / (count + rest))
        if z > 0.0 and (best is None or z > best.z):
            best = Split(ParameterCondition(path, "is", value), z, 1.0)
    return None if best is None else replace(best, p=min(1.0, tried * NormalDist().cdf(-best.z)))


@dataclass(frozen=True, slots=True)
class Rule:
    """One or two conditions, and how often worlds fail inside and outside of them.

    ``inside.total`` is the support in worlds, ``inside.share`` the precision; ``recall`` is the part of all failure
    that lies inside. ``p`` is the chance of so good a fit by luck, allowing for all thresholds and parameters tried.
    The rates of one condition are of the worlds that it was picked from, and so a little optimistic; those of two are
    of ``confirmed`` worlds that had no part in picking the second.
    """

    conditions: tuple[ParameterCondition, ...]
    inside: Rate
    outside: Rate
    recall: float
    p: float
    confirmed: int = 0

    def __str__(self) -> str:
        return " and ".join(str(condition) for condition in self.conditions)

    def sentence(self) -> str:
        """``rows >= 3: 61 % [50, 71] fail against 22 % [15, 31]``"""
        return f"{self}: {self.inside} fail against {self.outside}"


def rule_of(worlds: Worlds, conditions: tuple[ParameterCondition, ...], p: float) -> Rule:
    """The rule of given conditions, with its rates in these worlds."""
    held = worlds.all_hold(conditions)
    inside, outside = worlds.shares[held].tolist(), worlds.shares[~held].tolist()
    failing = sum(inside) + sum(outside)
    return Rule(conditions, _rate(inside), _rate(outside), sum(inside) / failing if failing else 0.0, p)


def _rate(shares: Sequence[float]) -> Rate:
    return wilson(min(sum(shares), len(shares)), len(shares))


@dataclass(frozen=True, slots=True)
class Association:
    """How one parameter goes with failure.

    Numbers: ``auc`` is the chance that of two worlds, the one that fails more has the greater value (0.5: none), and
    ``effect`` = 2 auc - 1, the rank-biserial correlation. Words and yes/no: ``auc`` is None and ``effect`` the
    difference between the highest and lowest failing share. ``p_holm`` is corrected for their number, parameters
    of the model and those derived from the items of a sequence by themselves.
    """

    path: str
    method: str
    effect: float
    auc: float | None
    p: float
    p_holm: float
    worlds: int
    best: Rule | None


@dataclass(frozen=True, slots=True)
class _Test:
    method: str
    effect: float
    auc: float | None
    p: float


def associations(runs: Sequence[Run] | Worlds, *, min_worlds: int | None = None) -> tuple[Association, ...]:
    """Every parameter that varies, the most telling first (smallest p)."""
    worlds = runs if isinstance(runs, Worlds) else Worlds.of(runs)
    support = support_of(worlds, min_worlds)
    tests = {path: test for path in worlds.paths if (test := _test(worlds, path)) is not None}
    corrected = _corrected({path: test.p for path, test in tests.items()})
    found = [
        Association(
            path=path,
            method=test.method,
            effect=test.effect,
            auc=test.auc,
            p=test.p,
            p_holm=corrected[path],
            worlds=int(worlds.known(path).sum()),
            best=_best(worlds, path, support),
        )
        for path, test in tests.items()
    ]
    return tuple(sorted(found, key=lambda association: (association.p, -abs(association.effect), association.path)))


def _corrected(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's correction of the parameters of the model, and of those derived from them, each at its share of risk."""
    derived = {path: is_derived(path, p_values) for path in p_values}
    shares = (PLAIN_SHARE, 1.0 - PLAIN_SHARE) if any(derived.values()) else (1.0, 1.0)
    found: dict[str, float] = {}
    for kind, share in zip((False, True), shares, strict=True):
        paths = [path for path in p_values if derived[path] is kind]
        adjusted = holm([p_values[path] for path in paths])
        found.update({path: min(1.0, p / share) for path, p in zip(paths, adjusted, strict=True)})
    return found


def _best(worlds: Worlds, path: str, support: int) -> Rule | None:
    split = best_split(worlds, path, min_worlds=support)
    return None if split is None else rule_of(worlds.take(worlds.known(path)), (split.condition,), split.p)


def support_of(worlds: Worlds, min_worlds: int | None) -> int:
    """How many worlds a condition must leave on both sides: 5, or a twentieth of them, or what is asked for."""
    return max(5, len(worlds) // 20) if min_worlds is None else max(1, min_worlds)


def _test(worlds: Worlds, path: str) -> _Test | None:
    """None when the parameter, or the failing share, is the same everywhere."""
    shares = worlds.shares[worlds.known(path)]
    if len(shares) < LEAST_WORLDS or not (shares != shares[0]).any():
        return None
    values = worlds.values(path)
    if not values.vary:
        return None
    return _grouped(values, shares) if values.numbers is None else _ranked(values.numbers, shares)


LEAST_WORLDS = 3
"""Two worlds always agree in rank, or never do."""


def _ranked(numbers: Floats, shares: Floats) -> _Test:
    """Kendall's test, which is the Mann-Whitney test where every world fails always or never."""
    score, p = kendall(numbers, shares)
    effect = score / _untied_pairs(shares)
    binary = is_binary(shares)
    return _Test("Mann-Whitney" if binary else "Mann-Whitney by failing share (Kendall)", effect, 0.5 + effect / 2, p)


def is_binary(shares: Floats) -> bool:
    """Whether every world fails always or never."""
    return bool(((shares == 0.0) | (shares == 1.0)).all())


def _untied_pairs(numbers: Floats) -> float:
    counts = np.unique(numbers, return_counts=True)[1].astype(np.float64)
    return float(len(numbers) * (len(numbers) - 1) - (counts * (counts - 1)).sum()) / 2


def _grouped(values: ParameterValues, shares: Floats) -> _Test:
    groups = [shares[values.inside(code)] for code, _ in values.words]
    means = [float(group.mean()) for group in groups]
    effect = max(means) - min(means)
    if not is_binary(shares):
        return _Test("Kruskal-Wallis by failing share", effect, None, kruskal(groups))
    fails = [int(group.sum()) for group in groups]
    if len(groups) == 2:
        p = fisher(fails[0], len(groups[0]), fails[1], len(groups[1])).p_two_sided
        return _Test("Fisher's exact test", effect, None, p)
    table = [fails, [len(group) - count for group, count in zip(groups, fails, strict=True)]]
    return _Test("chi-squared", effect, None, chi_squared(table))
