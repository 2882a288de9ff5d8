"""Are predicted chances of success true? Brier score, log-loss and reliability, beside the plain success rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis.statistics import Rate, wilson
from stressfield.errors import InputError

_EDGE = 1e-6


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Runs with similar predictions: what was predicted on average, and how many succeeded."""

    low: float
    high: float
    predicted: float
    seen: Rate


@dataclass(frozen=True, slots=True)
class Calibration:
    """How good predictions of held-out runs are; the ``base`` figures are those of always saying the success rate."""

    runs: int
    brier: float
    base_brier: float
    log_loss: float
    base_log_loss: float
    bins: tuple[ReliabilityBin, ...]

    @property
    def skill(self) -> float:
        """Share of the Brier score of the base rate that is saved: 1 perfect, 0 no better, below 0 worse."""
        return 1.0 - self.brier / self.base_brier if self.base_brier > 0.0 else 0.0

    @property
    def expected_error(self) -> float:
        """Mean distance between prediction and success rate over the bins, weighted by runs."""
        return sum(one.seen.total * abs(one.predicted - (one.seen.share or 0.0)) for one in self.bins) / max(
            1, self.runs
        )


def calibration(
    predicted: Sequence[float] | NDArray[np.float64],
    success: Sequence[bool] | NDArray[np.bool_],
    *,
    base: Sequence[float] | NDArray[np.float64],
    bins: int = 10,
) -> Calibration:
    """Compare predictions with what happened. ``base`` is the rate of success where each prediction was learnt."""
    chance = np.clip(np.asarray(predicted, np.float64), _EDGE, 1.0 - _EDGE)
    plain = np.clip(np.asarray(base, np.float64), _EDGE, 1.0 - _EDGE)
    seen = np.asarray(success, np.float64)
    if not len(seen) or len(chance) != len(seen) or len(plain) != len(seen):
        raise InputError(f"Cannot judge {len(chance)} predictions of {len(seen)} runs. Wanted one for each run.")
    place = np.minimum((chance * bins).astype(np.int64), bins - 1)
    found = []
    for number in range(bins):
        inside = place == number
        if inside.any():
            rate = wilson(int(seen[inside].sum()), int(inside.sum()))
            found.append(ReliabilityBin(number / bins, (number + 1) / bins, float(chance[inside].mean()), rate))
    return Calibration(
        runs=len(seen),
        brier=float(((chance - seen) ** 2).mean()),
        base_brier=float(((plain - seen) ** 2).mean()),
        log_loss=_log_loss(chance, seen),
        base_log_loss=_log_loss(plain, seen),
        bins=tuple(found),
    )


def _log_loss(chance: NDArray[np.float64], seen: NDArray[np.float64]) -> float:
    return float(-(seen * np.log(chance) + (1.0 - seen) * np.log(1.0 - chance)).mean())
