"""When does it fail? A condition on the parameters of worlds, or two of them, that is more than luck.

Parameters of the model come first (``SINGLE_SHARE`` of the risk): those that are derived from the items of a sequence,
such as ``people.x_m.mean``, are many and alike, and would dilute them. Two parameters that only act together are looked
for in one half of the worlds and have to hold in the other half.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stressfield.analysis.exact_tests import deals, fisher, smallest_p, step_down
from stressfield.analysis.sensitivity import (
    ParameterCondition,
    Rule,
    Run,
    Split,
    Value,
    WorldShare,
    all_hold,
    best_split,
    is_derived,
    is_numeric,
    paths_of,
    rule_of,
    support_of,
    worlds_of,
)
from stressfield.arrays import Flags, Floats
from stressfield.seeds import generator

SINGLE_SHARE, TOGETHER_SHARE, DERIVED_SHARE = 0.85, 0.1, 0.05
"""Of the risk: for one parameter of the model, for two that act together, for one that is derived from others."""
SHUFFLES = 999
MOST_SHUFFLED = 400
"""Worlds up to which luck is found by shuffling. Of more, formulas are as good, and shuffling would take long."""
CUTS = 7
"""Thresholds of each parameter that are tried together with those of another."""


def explain(runs: Sequence[Run], *, min_worlds: int | None = None, risk: float = 0.05) -> Rule | None:
    """When does it fail? One condition, or two where the second surely helps; None when nothing stands out.

    A condition must leave at least ``min_worlds`` worlds on both sides (default: 5, or a twentieth of them). The chance
    that anything is explained which is luck is at most ``risk``.
    """
    worlds = worlds_of(runs)
    support = support_of(worlds, min_worlds)
    paths = paths_of(worlds)
    plain = [path for path in paths if not is_derived(path, paths)]
    for family, share in ((plain, SINGLE_SHARE), ([path for path in paths if path not in plain], DERIVED_SHARE)):
        found = _single(worlds, family, support)
        if found is not None and found.p <= share * risk:
            return _second(worlds, found, support, risk) or found
    return _together(worlds, plain, support, TOGETHER_SHARE * risk)


def _single(worlds: Sequence[WorldShare], paths: Sequence[str], support: int) -> Rule | None:
    """The best condition on one of these parameters, and the chance of one as good by luck."""
    splits = {path: split for path in paths if (split := best_split(worlds, path, min_worlds=support)) is not None}
    if not splits:
        return None
    if len(worlds) <= MOST_SHUFFLED:
        luck = _luck(worlds, list(splits), support)
        best = min(splits, key=lambda path: (luck[path], -splits[path].z))
        return rule_of(worlds, (splits[best].condition,), luck[best])
    best = min(splits, key=lambda path: (splits[path].p, -splits[path].z))
    return rule_of(worlds, (splits[best].condition,), min(1.0, splits[best].p * len(splits)))


def _luck(worlds: Sequence[WorldShare], paths: Sequence[str], support: int) -> dict[str, float]:
    """How often the best condition on each parameter fits as well when worlds swap what became of them."""
    shares = np.tile([world.share for world in worlds], (SHUFFLES + 1, 1))
    shares[1:] = generator("explain", len(worlds)).permuted(shares[1:], axis=1)
    scores = []
    for path in paths:
        known = np.array([path in world.parameters for world in worlds])
        values = [world.parameters[path] for world in worlds if path in world.parameters]
        scores.append(_best_z(values, shares[:, known], support))
    return dict(zip(paths, step_down(np.column_stack(scores)).p_adjusted, strict=True))


def _best_z(values: Sequence[Value], shares: Floats, support: int) -> Floats:
    """As :func:`best_split`, of one parameter, for every row of shares at once."""
    count = len(values)
    spread = shares.std(axis=1, ddof=1)
    spread[spread == 0.0] = np.inf  # nothing to divide: z is 0
    if is_numeric(values):
        numbers = np.array([float(value) for value in values])
        order = np.argsort(numbers, kind="stable")
        numbers, total = numbers[order], np.cumsum(shares[:, order], axis=1)
        below = np.arange(1, count)
        cuts = below[(numbers[1:] > numbers[:-1]) & (below >= support) & (count - below >= support)]
        under = total[:, cuts - 1]
        gap = (total[:, -1:] - under) / (count - cuts) - under / cuts
        z = np.abs(gap) * np.sqrt(cuts * (count - cuts) / count)
    else:
        inside = np.array([[value == other for value in values] for other in dict.fromkeys(values)], dtype=np.float64)
        sizes = inside.sum(axis=1)
        inside = inside[(sizes >= support) & (count - sizes >= support)]
        sizes = inside.sum(axis=1)
        sums = shares @ inside.T
        gap = sums / sizes - (shares.sum(axis=1)[:, None] - sums) / (count - sizes)
        z = gap * np.sqrt(sizes * (count - sizes) / count)
    return np.asarray(z.max(axis=1, initial=0.0) / spread)


def _halves(worlds: Sequence[WorldShare]) -> tuple[list[WorldShare], list[WorldShare]]:
    """One half to look in and one to confirm, with as much failure in both: drawn by the worlds' names alone.

    Which parameters go with failure has no part in it, so that what is found in one half proves nothing in the other.
    """
    rng = generator("halves", *sorted(world.world for world in worlds))
    luck = dict(zip(sorted(world.world for world in worlds), rng.random(len(worlds)), strict=True))
    ordered = sorted(worlds, key=lambda world: (world.share, luck[world.world]))
    return ordered[::2], ordered[1::2]


def _second(worlds: Sequence[WorldShare], first: Rule, support: int, risk: float) -> Rule | None:
    """A further condition where the first holds, if it holds in the other half: the first is sure, all risk is left."""
    looked, other = _halves([world for world in worlds if all_hold(first.conditions, world)])
    used = {condition.path for condition in first.conditions}
    splits: list[Split] = [
        split
        for path in paths_of(looked)
        if path not in used and (split := best_split(looked, path, min_worlds=support)) is not None
    ]
    if not splits:
        return None
    best = max(splits, key=lambda split: split.z)
    return _confirmed(worlds, other, (*first.conditions, best.condition), support, risk, tested=(best.condition,))


def _together(worlds: Sequence[WorldShare], paths: Sequence[str], support: int, risk: float) -> Rule | None:
    """Two conditions that neither tells alone: the pair that fits one half best, if it holds in the other."""
    looked, other = _halves(worlds)
    conditions = [condition for path in paths for condition in _conditions(looked, path)]
    shares = np.array([world.share for world in looked])
    spread = float(shares.std(ddof=1)) if len(looked) > 1 else 0.0
    if spread == 0.0 or not conditions:
        return None
    holds = np.array([[condition.holds(world.parameters) for world in looked] for condition in conditions], np.float64)
    inside, sums = holds @ holds.T, (holds * shares) @ holds.T
    outside = len(looked) - inside
    possible: Flags = (inside >= support) & (outside >= support)
    owner = np.array([condition.path for condition in conditions])
    possible &= owner[:, None] != owner
    if not possible.any():
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = sums / inside - (shares.sum() - sums) / outside
        z = np.where(possible, gap * np.sqrt(inside * outside / len(looked)), -np.inf)
    left, right = divmod(int(np.argmax(z)), len(conditions))
    pair = (conditions[left], conditions[right])
    return _confirmed(worlds, other, pair, support, risk, tested=pair)


def _conditions(worlds: Sequence[WorldShare], path: str) -> list[ParameterCondition]:
    """Some conditions on one parameter: thresholds at its quantiles, or each of its values."""
    values = [world.parameters[path] for world in worlds if path in world.parameters]
    different = list(dict.fromkeys(values))
    if len(different) < 2:
        return []
    if not is_numeric(values):
        return [ParameterCondition(path, "is", value) for value in different]
    steps = sorted({float(value) for value in values})
    cuts = [steps[int(place)] for place in np.unique(np.linspace(0, len(steps) - 2, CUTS).round())]
    whole = all(isinstance(value, int) for value in values)
    thresholds = [int(cut) if whole else cut for cut in cuts]
    return [ParameterCondition(path, operator, cut) for cut in thresholds for operator in ("<=", ">")]


def _confirmed(
    worlds: Sequence[WorldShare],
    other: Sequence[WorldShare],
    conditions: tuple[ParameterCondition, ...],
    support: int,
    risk: float,
    *,
    tested: tuple[ParameterCondition, ...],
) -> Rule | None:
    """The rule, if those of the other half in which ``tested`` holds fail more often, beyond luck."""
    inside = [world.share for world in other if all_hold(tested, world)]
    outside = [world.share for world in other if not all_hold(tested, world)]
    if min(len(inside), len(outside)) < min(support, 3):
        return None
    p = _p_greater(outside, inside)
    if p > risk:
        return None
    told = rule_of(other, conditions, p)
    recall = rule_of(worlds, conditions, p).recall
    return Rule(conditions, told.inside, told.outside, recall, p, confirmed=len(other))


def _p_greater(less: Sequence[float], more: Sequence[float]) -> float:
    if set(less) | set(more) <= {0.0, 1.0}:
        return fisher(int(sum(less)), len(less), int(sum(more)), len(more)).p_greater
    shuffles = deals(len(less), len(more), generator("confirm", len(less), len(more)))
    return smallest_p(shuffles, np.array([*less, *more])[:, None], two_sided=[False]).p[0]
