"""Few worlds that show every pair of chosen values: a covering array of strength two."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from stressfield import model
from stressfield.errors import InputError
from stressfield.search.listed import Listed
from stressfield.search.strategy import Setting
from stressfield.search.sweep import VaryingWorlds, varied
from stressfield.seeds import Rng, generator

TRIES = 30
"""Rows that are tried for each row that is taken; the one with most new pairs wins."""

Place = tuple[int, int]
"""A column and the number of a value in it."""


class PairwiseWorlds(
    VaryingWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="pairwise", tag_field="kind"
):
    """Every pair of values of two varied parameters stands together in at least one world."""

    def make(self, setting: Setting) -> Listed:
        """The strategy; InputError for values that the model does not have, or fewer than two parameters."""
        variations = varied(self.vary, setting, "pairwise")
        if len(variations) < 2:
            raise InputError(f"The strategy pairwise varies at least two parameters, got {len(variations)}.")
        sizes = [len(variation.values) for variation in variations]
        rows = covering_rows(sizes, generator(setting.seed, "pairwise"))
        chosen = [{v.path: v.values[place] for v, place in zip(variations, row, strict=True)} for row in rows]
        return Listed([model.template(setting.model, values) for values in chosen])


def covering_rows(sizes: Sequence[int], rng: Rng) -> list[tuple[int, ...]]:
    """Rows of value numbers in which every pair of values of two columns occurs. Greedy, as AETG does it."""
    open_pairs = {
        (a, i): {(b, j) for b in range(len(sizes)) if b != a for j in range(sizes[b])}
        for a in range(len(sizes))
        for i in range(sizes[a])
    }
    rows: list[tuple[int, ...]] = []
    while any(open_pairs.values()):
        tried = [_row(sizes, open_pairs, rng) for _ in range(TRIES)]
        best = max(tried, key=lambda row: _gain(row, open_pairs))
        for place, other in itertools.permutations(enumerate(best), 2):
            open_pairs[place].discard(other)
        rows.append(best)
    return rows


def _row(sizes: Sequence[int], open_pairs: dict[Place, set[Place]], rng: Rng) -> tuple[int, ...]:
    """Start with an open pair of the most wanted value, then fill the other columns in random order."""
    most = max(len(partners) for partners in open_pairs.values())
    wanted = [place for place, partners in open_pairs.items() if len(partners) == most]
    column, value = wanted[int(rng.integers(len(wanted)))]
    partner_column, partner_value = sorted(open_pairs[column, value])[int(rng.integers(most))]
    row = {column: value, partner_column: partner_value}
    for other in rng.permutation([c for c in range(len(sizes)) if c not in row]).tolist():
        gains = [sum((other, i) in open_pairs[place] for place in row.items()) for i in range(sizes[other])]
        best = [i for i, gain in enumerate(gains) if gain == max(gains)]
        row[other] = best[int(rng.integers(len(best)))]
    return tuple(row[c] for c in range(len(sizes)))


def _gain(row: tuple[int, ...], open_pairs: dict[Place, set[Place]]) -> int:
    places = list(enumerate(row))
    return sum(other in open_pairs[place] for place, other in itertools.combinations(places, 2))
