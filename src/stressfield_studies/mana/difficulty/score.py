"""A difficulty score for every world, as tests score their questions (Rasch): it predicts how runs will end.

The chance of success in world w is ``1 / (1 + exp(d_w))``. The score ``d_w`` (in logits, 0 is a fair coin) is what
the world's covariates say, plus the world's own part, which is drawn towards 0: worlds with few runs lean on their
covariates, worlds with many on their runs. How strongly is learnt from the data (empirical Bayes).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis import Rate, wilson
from stressfield.arrays import Floats
from stressfield.errors import InputError

_ROUNDS = 12
_NEWTON = 30
_EDGE = 1e-6
"""Chances are kept this far from 0 and 1, so that no logarithm is infinite."""
_RIDGE = 0.05
"""Covariates are standardised and drawn to 0 this weakly, so that a control that parts runs perfectly stays finite."""


@dataclass(frozen=True, slots=True)
class ItemWorld:
    """One world: its covariates, in the same order for all worlds, and how its runs ended (True: success).

    No two worlds share a name. One that is part of two series is two worlds here, named after the series as well.
    """

    world: str
    covariates: tuple[float, ...]
    successes: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class WorldScore:
    """``score`` in logits (positive: fails more often than not), its standard error, and the chance of success."""

    world: str
    score: float
    standard_error: float
    chance: float


@dataclass(frozen=True, slots=True)
class ItemResponse:
    """Scores of all worlds, and how well such scores predict runs that they have not seen.

    ``held_out_runs``: one repeat of every world was left out. ``held_out_worlds``: whole worlds were left out, so that
    only covariates are known. None where there are too few to leave any out.
    """

    scores: tuple[WorldScore, ...]
    between_worlds: float
    """Standard deviation of the worlds' own parts, in logits: what covariates do not say."""
    held_out_runs: Calibration | None
    held_out_worlds: Calibration | None


@dataclass(frozen=True, slots=True)
class _Fit:
    weights: Floats
    own: Mapping[str, tuple[float, float]]
    variance: float


def item_response(worlds: Sequence[ItemWorld], *, folds: int = 5) -> ItemResponse:
    """Score the worlds and cross-validate: repeats left out one by one, worlds in ``folds`` parts by their order."""
    if not worlds:
        raise InputError("There are no worlds to score. Wanted at least one with runs.")
    if len({len(world.covariates) for world in worlds}) != 1:
        raise InputError("Cannot score worlds with different numbers of covariates. Wanted the same ones for all.")
    twice = [name for name, count in Counter(world.world for world in worlds).items() if count > 1]
    if twice:
        raise InputError(f"Cannot score the world {twice[0]!r} twice. Wanted a name of its own for each world.")
    fit = _fit(worlds)
    scores = []
    for world in worlds:
        chance, eta, variance = _predict(fit, world)
        scores.append(WorldScore(world.world, -eta, math.sqrt(variance), chance))
    return ItemResponse(tuple(scores), math.sqrt(fit.variance), _leave_runs(worlds), _leave_worlds(worlds, folds))


def _leave_runs(worlds: Sequence[ItemWorld]) -> Calibration | None:
    repeats = max(len(world.successes) for world in worlds)
    if repeats < 2:
        return None
    predicted, seen, base = [], [], []
    for repeat in range(repeats):
        held = [world for world in worlds if repeat < len(world.successes)]
        known = [ItemWorld(w.world, w.covariates, w.successes[:repeat] + w.successes[repeat + 1 :]) for w in worlds]
        fit, rate = _fit(known), _rate(known)
        for world in held:
            predicted.append(_predict(fit, world)[0])
            seen.append(world.successes[repeat])
            base.append(rate)
    return calibration(predicted, seen, base=base)


def _leave_worlds(worlds: Sequence[ItemWorld], folds: int) -> Calibration | None:
    if len(worlds) < 2 * folds:
        return None
    predicted, seen, base = [], [], []
    for fold in range(folds):
        known = [world for place, world in enumerate(worlds) if place % folds != fold]
        fit, rate = _fit(known), _rate(known)
        for world in worlds[fold::folds]:
            predicted += [_predict(fit, world)[0]] * len(world.successes)
            seen += list(world.successes)
            base += [rate] * len(world.successes)
    return calibration(predicted, seen, base=base) if seen else None


def _rate(worlds: Sequence[ItemWorld]) -> float:
    runs = sum(len(world.successes) for world in worlds)
    return sum(sum(world.successes) for world in worlds) / runs if runs else 0.5


def _predict(fit: _Fit, world: ItemWorld) -> tuple[float, float, float]:
    """Chance of success, its logit, and the logit's variance. An unknown world has the variance of all worlds."""
    own, variance = fit.own.get(world.world, (0.0, fit.variance))
    eta = float(fit.weights @ np.array([1.0, *world.covariates])) + own
    return _logistic(eta / math.sqrt(1.0 + math.pi * variance / 8.0)), eta, variance


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))


def _fit(worlds: Sequence[ItemWorld]) -> _Fit:
    """Alternate: weights and own parts given the variance (Newton), then the variance (one step of EM)."""
    wins = np.array([float(sum(world.successes)) for world in worlds])
    runs = np.array([float(len(world.successes)) for world in worlds])
    plain = np.array([world.covariates for world in worlds], np.float64).reshape(len(worlds), -1)
    centre, scale = plain.mean(axis=0), plain.std(axis=0)
    scale = np.where(scale > 0.0, scale, 1.0)
    design = np.column_stack([np.ones(len(worlds)), (plain - centre) / scale])
    weights, own, variance = np.zeros(design.shape[1]), np.zeros(len(worlds)), 1.0
    spread = np.ones(len(worlds))
    for _ in range(_ROUNDS):
        weights, own, spread = _newton(design, wins, runs, weights, own, variance)
        updated = float(np.clip((own**2 + spread).mean(), 0.01, 25.0))
        if abs(updated - variance) < 1e-3 * variance:
            break
        variance = updated
    slopes = weights[1:] / scale
    learnt = np.array([weights[0] - float(slopes @ centre), *slopes])
    named = {
        world.world: (float(part), float(var))
        for world, part, var, count in zip(worlds, own, spread, runs, strict=True)
        if count
    }
    return _Fit(learnt, named, variance)


def _newton(
    design: Floats, wins: Floats, runs: Floats, weights: Floats, own: Floats, variance: float
) -> tuple[Floats, Floats, Floats]:
    """The most likely weights and own parts. Each own part is solved for by hand, so the system stays small."""
    penalty = np.full(design.shape[1], _RIDGE)
    penalty[0] = 1e-6
    curve = runs
    for _ in range(_NEWTON):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ weights + own, -30.0, 30.0)))
        curve = runs * chance * (1.0 - chance) + 1e-9
        slope = wins - runs * chance
        per_world = curve + 1.0 / variance
        own_slope = slope - own / variance
        reduced = curve - curve**2 / per_world
        matrix = design.T @ (design * reduced[:, None]) + np.diag(penalty)
        right = design.T @ (slope - curve / per_world * own_slope) - penalty * weights
        step = np.linalg.solve(matrix, right)
        own_step = (own_slope - curve * (design @ step)) / per_world
        largest = max(float(np.abs(step).max()), float(np.abs(own_step).max()))
        short = min(1.0, 2.0 / largest) if largest > 0.0 else 1.0
        weights, own = weights + short * step, own + short * own_step
        if largest < 1e-7:
            break
    return weights, own, 1.0 / (curve + 1.0 / variance)


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
        return sum(
            bucket.seen.total * abs(bucket.predicted - (bucket.seen.share or 0.0)) for bucket in self.bins
        ) / max(1, self.runs)


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
