"""When does it fail? A condition on the parameters of worlds, or two of them, that is more than luck.

Parameters of the model come first (``SINGLE_SHARE`` of the risk): those that are derived from the items of a sequence,
such as ``people.x_m.mean``, are many and alike, and would dilute them. Two parameters that only act together are looked
for in one half of the worlds and have to hold in the other half.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stressfield.analysis.exact_tests import chance_of_sum, fisher, step_down
from stressfield.analysis.sensitivity import (
    ParameterCondition,
    ParameterValues,
    Rule,
    Run,
    Split,
    Worlds,
    best_split,
    is_binary,
    is_derived,
    rule_of,
    support_of,
)
from stressfield.arrays import Flags, Floats
from stressfield.seeds import generator

SINGLE_SHARE, TOGETHER_SHARE, DERIVED_SHARE = 0.85, 0.1, 0.05
"""Of the risk: for one parameter of the model, for two that act together, for one that is derived from others."""
SHUFFLES = 999
MOST_SHUFFLED = 400
"""Worlds up to which luck is found by shuffling. Of more, formulas are as good, and shuffling would take long."""
MOST_DEALT = 1_000
"""Worlds up to which luck is found by dealing them anew. Of more, sums are normal."""
MOST_TOGETHER = 2_000
"""Worlds in which pairs of conditions are looked for: of more, some, spread evenly."""
CUTS = 7
"""Thresholds of each parameter that are tried together with those of another."""


def explain(runs: Sequence[Run] | Worlds, *, min_worlds: int | None = None, risk: float = 0.05) -> Rule | None:
    """When does it fail? One condition, or two where the second surely helps; None when nothing stands out.

    A condition must leave at least ``min_worlds`` worlds on both sides (default: 5, or a twentieth of them). The chance
    that anything is explained which is luck is at most ``risk``.
    """
    worlds = runs if isinstance(runs, Worlds) else Worlds.of(runs)
    support = support_of(worlds, min_worlds)
    paths = worlds.paths
    plain = [path for path in paths if not is_derived(path, paths)]
    for family, share in ((plain, SINGLE_SHARE), ([path for path in paths if path not in plain], DERIVED_SHARE)):
        found = _single(worlds, family, support)
        if found is not None and found.p <= share * risk:
            return _second(worlds, found, support, risk) or found
    return _together(worlds, plain, support, TOGETHER_SHARE * risk)


def _single(worlds: Worlds, paths: Sequence[str], support: int) -> Rule | None:
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


def _luck(worlds: Worlds, paths: Sequence[str], support: int) -> dict[str, float]:
    """How often the best condition on each parameter fits as well when worlds swap what became of them."""
    shares = np.tile(worlds.shares, (SHUFFLES + 1, 1))
    shares[1:] = generator("explain", len(worlds)).permuted(shares[1:], axis=1)
    scores = [_best_z(worlds.values(path), shares[:, worlds.known(path)], support) for path in paths]
    return dict(zip(paths, step_down(np.column_stack(scores)).p_adjusted, strict=True))


def _best_z(values: ParameterValues, shares: Floats, support: int) -> Floats:
    """As :func:`best_split`, of one parameter, for every row of shares at once."""
    count = shares.shape[1]
    spread = shares.std(axis=1, ddof=1)
    spread[spread == 0.0] = np.inf  # nothing to divide: z is 0
    if values.numbers is not None:
        order = np.argsort(values.numbers, kind="stable")
        numbers, total = values.numbers[order], np.cumsum(shares[:, order], axis=1)
        below = np.arange(1, count)
        cuts = below[(numbers[1:] > numbers[:-1]) & (below >= support) & (count - below >= support)]
        under = total[:, cuts - 1]
        gap = (total[:, -1:] - under) / (count - cuts) - under / cuts
        z = np.abs(gap) * np.sqrt(cuts * (count - cuts) / count)
    else:
        inside = np.array([values.inside(code) for code, _ in values.words], dtype=np.float64)
        sizes = inside.sum(axis=1)
        inside = inside[(sizes >= support) & (count - sizes >= support)]
        sizes = inside.sum(axis=1)
        sums = shares @ inside.T
        gap = sums / sizes - (shares.sum(axis=1)[:, None] - sums) / (count - sizes)
        z = gap * np.sqrt(sizes * (count - sizes) / count)
    return np.asarray(z.max(axis=1, initial=0.0) / spread)


def _halves(worlds: Worlds) -> tuple[Worlds, Worlds]:
    """One half to look in and one to confirm, with as much failure in both: drawn by the worlds' names alone.

    Which parameters go with failure has no part in it, so that what is found in one half proves nothing in the other.
    """
    order = np.lexsort((worlds.table.luck(worlds.there), worlds.shares))
    return worlds.take(order[::2]), worlds.take(order[1::2])


def _second(worlds: Worlds, first: Rule, support: int, risk: float) -> Rule | None:
    """A further condition where the first holds, if it holds in the other half: the first is sure, all risk is left."""
    looked, other = _halves(worlds.take(worlds.all_hold(first.conditions)))
    used = {condition.path for condition in first.conditions}
    splits: list[Split] = [
        split
        for path in looked.paths
        if path not in used and (split := best_split(looked, path, min_worlds=support)) is not None
    ]
    if not splits:
        return None
    best = max(splits, key=lambda split: split.z)
    return _confirmed(worlds, other, (*first.conditions, best.condition), support, risk, tested=(best.condition,))


def _together(worlds: Worlds, paths: Sequence[str], support: int, risk: float) -> Rule | None:
    """Two conditions that neither tells alone: the pair that fits one half best, if it holds in the other."""
    looked, other = _halves(worlds)
    needed = support
    if len(looked) > MOST_TOGETHER:
        fewer = looked.take(np.arange(0, len(looked), -(-len(looked) // MOST_TOGETHER)))
        looked, needed = fewer, max(5, support * len(fewer) // len(looked))
    conditions = [condition for path in paths for condition in _conditions(looked, path)]
    shares = looked.shares
    spread = float(shares.std(ddof=1)) if len(looked) > 1 else 0.0
    if spread == 0.0 or not conditions:
        return None
    holds = np.array([looked.holds(condition) for condition in conditions], np.float64)
    inside, sums = holds @ holds.T, (holds * shares) @ holds.T
    outside = len(looked) - inside
    possible: Flags = (inside >= needed) & (outside >= needed)
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


def _conditions(worlds: Worlds, path: str) -> list[ParameterCondition]:
    """Some conditions on one parameter: thresholds at its quantiles, or each of its values."""
    if not worlds.known(path).any() or not (values := worlds.values(path)).vary:
        return []
    if values.numbers is None:
        return [ParameterCondition(path, "is", value) for _, value in values.words]
    steps = np.unique(values.numbers).tolist()
    cuts = [steps[int(place)] for place in np.unique(np.linspace(0, len(steps) - 2, CUTS).round())]
    whole = values.whole
    thresholds = [int(cut) if whole else cut for cut in cuts]
    return [ParameterCondition(path, operator, cut) for cut in thresholds for operator in ("<=", ">")]


def _confirmed(
    worlds: Worlds,
    other: Worlds,
    conditions: tuple[ParameterCondition, ...],
    support: int,
    risk: float,
    *,
    tested: tuple[ParameterCondition, ...],
) -> Rule | None:
    """The rule, if those of the other half in which ``tested`` holds fail more often, beyond luck."""
    held = other.all_hold(tested)
    inside, outside = other.shares[held], other.shares[~held]
    if min(len(inside), len(outside)) < min(support, 3):
        return None
    p = _p_greater(outside, inside)
    if p > risk:
        return None
    told = rule_of(other, conditions, p)
    recall = rule_of(worlds, conditions, p).recall
    return Rule(conditions, told.inside, told.outside, recall, p, confirmed=len(other))


def _p_greater(less: Floats, more: Floats) -> float:
    """The chance that ``more`` are so much more by luck."""
    every = np.concatenate((less, more))
    if is_binary(every):
        return fisher(int(less.sum()), len(less), int(more.sum()), len(more)).p_greater
    if len(every) > MOST_DEALT:
        # a sum of ``more`` that are drawn from all: its mean and its spread are known
        spread = math.sqrt(len(more) * len(less) / len(every) * float(every.var(ddof=1)))
        return 0.5 * math.erfc((float(more.sum()) - len(more) * float(every.mean())) / spread / math.sqrt(2.0))
    return chance_of_sum(less, more, generator("confirm", len(less), len(more)))
