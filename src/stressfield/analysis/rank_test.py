"""Do two measures rise together? Spearman's correlation with a permutation test, and sign flips for pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError

SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class RankTest:
    """Spearman's ``rho``; the chance of one as large (``p_rising``) or as far from 0 (``p_two_sided``) by luck."""

    rho: float
    p_rising: float
    p_two_sided: float
    count: int


def spearman(
    one: NDArray[np.float64], other: NDArray[np.float64], rng: np.random.Generator, *, samples: int = SAMPLES
) -> RankTest:
    """Rank correlation of two measures of the same things. Without any variation: rho 0, p 1."""
    if len(one) != len(other):
        raise InputError(f"Cannot correlate {len(one)} values with {len(other)}. Wanted one pair for each thing.")
    count = len(one)
    a, b = _centred_ranks(np.asarray(one, np.float64)), _centred_ranks(np.asarray(other, np.float64))
    size = float(np.sqrt((a @ a) * (b @ b))) if count else 0.0
    if count < 3 or size == 0.0:
        return RankTest(0.0, 1.0, 1.0, count)
    rho = float(a @ b) / size
    shuffled = np.argsort(rng.random((samples, count)), axis=1)
    by_luck = (b[shuffled] @ a) / size
    return RankTest(rho, _share(by_luck >= rho - 1e-9), _share(np.abs(by_luck) >= abs(rho) - 1e-9), count)


def sign_flips(differences: NDArray[np.float64], rng: np.random.Generator, *, samples: int = SAMPLES) -> float:
    """Chance of so large a mean difference if each could as well have the other sign (one-sided)."""
    if not len(differences):
        return 1.0
    signs = 2.0 * rng.integers(0, 2, (samples, len(differences))) - 1.0
    return _share(signs @ differences >= float(differences.sum()) - 1e-9)


def _share(hits: NDArray[np.bool_]) -> float:
    return float((hits.sum() + 1) / (len(hits) + 1))  # the seen order is one of the draws, so p is never 0


def _centred_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(values):
        return values
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[place]
    return np.asarray(ranks - ranks.mean())
