"""What can be told apart although it was measured a few times only: Vargha and Delaney's A, and fronts beyond noise."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from statistics import median

import numpy as np

from stressfield.errors import InputError

SMALL, MEDIUM, LARGE = 0.56, 0.64, 0.71
"""From which A on (or below one minus it) Vargha and Delaney call a difference so."""


def a12(one: Sequence[float], other: Sequence[float]) -> float:
    """The chance that a value of ``one`` is higher than a value of ``other``; 0.5 if neither tends to be."""
    if not len(one) or not len(other) or not all(map(isfinite, (*one, *other))):
        raise InputError(
            f"Cannot compare {len(one)} with {len(other)} values. Wanted finite numbers, at least one on either side."
        )
    wins = sum((a > b) + 0.5 * (a == b) for a in one for b in other)
    return wins / (len(one) * len(other))


def enough_repeats(repeats: int) -> int:
    """How often a test must have been measured to be on a front: at least half, and never once if there are more."""
    return max(min(2, repeats), (repeats + 1) // 2)


def noise_aware_front(
    samples: Sequence[Sequence[Sequence[float]]], *, least_repeats: int = 1, sure: float = LARGE
) -> tuple[int, ...]:
    """Places of the tests that no other beats beyond noise.

    ``samples[test][objective]`` are the values of its repeats; low is wanted.
    A test with fewer than ``least_repeats`` values of an objective cannot be on the front, nor beat another: no lucky
    single run survives. A test beats another if its median is nowhere higher and, in at least one objective, its median
    is lower *and* a run of it is lower than a run of the other with a probability of at least ``sure`` (Vargha and
    Delaney's A; 0.71 is their "large"). Tests that cannot be told apart are on the front together. With one repeat of
    each this is the usual front.
    """
    if least_repeats < 1 or not 0.5 < sure <= 1.0:
        raise InputError(
            f"A front with least_repeats={least_repeats} and sure={sure}. Wanted at least 1, and more than 0.5 up to 1."
        )
    able = [
        at
        for at, test in enumerate(samples)
        if test and all(len(one) >= least_repeats and all(map(isfinite, one)) for one in test)
    ]
    if not able:
        return ()
    middles = np.array([[median(one) for one in samples[at]] for at in able])

    def beaten(place: int) -> bool:
        lower = middles < middles[place]
        better = np.flatnonzero((middles <= middles[place]).all(axis=1) & lower.any(axis=1))
        best_first = better[np.argsort(lower[better].sum(axis=1), kind="stable")[::-1]]
        theirs = samples[able[place]]
        return any(
            lower[at, objective] and a12(theirs[objective], values) >= sure
            for at in best_first.tolist()
            for objective, values in enumerate(samples[able[at]])
        )

    return tuple(able[place] for place in range(len(able)) if not beaten(place))
