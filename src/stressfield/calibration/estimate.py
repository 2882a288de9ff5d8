"""Estimates of a drive's constants from windows, with intervals; and which of them a recording does not tell.

The constants are those with which the simulated motion is nearest to the recorded one, by least squares in which
windows that do not fit count less (Huber). Intervals are of a bootstrap over windows: they hold what other windows of
such recordings would have given, not what no constant of this drive can express.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from stressfield.arrays import Floats
from stressfield.calibration.windows import WINDOW_S, Predictor
from stressfield.errors import InputError
from stressfield.seeds import generator
from stressfield.world.drives import WheeledDrive

Residuals = Callable[[Floats], Floats]
LEVER_M = 0.5
"""What a radian counts, in metres: an error of heading moves the ends of a robot by about that."""
HUBER = 1.5
"""Windows further off than so many times the usual count less."""
MOVES_MIN_M = 1e-3
"""A constant is not told if being off by as much as is still sure moves the robot by less, on average."""
ROUNDS = 6
DRAWS = 4000
CONFIDENCE = 0.95
"""That the intervals of a robot's drive and odometry all hold what they are about."""
TOGETHER = 8
"""Constants of a drive and its odometry. They are accepted together: if each of eight intervals missed in one
calibration of twenty, every third would suggest something that is not so."""
EACH = 1.0 - (1.0 - CONFIDENCE) / TOGETHER
"""Of one interval (Bonferroni)."""
SIGMAS = NormalDist().inv_cdf(0.5 + EACH / 2.0)
"""Half of such an interval where errors are normal."""
ALONE = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2.0)
"""Half of an interval that need hold one constant only."""
LOST_SHARE = 0.5
"""A drive that misses by more than this share of the way, at its best, is not the one that was recorded."""


@dataclass(frozen=True, slots=True)
class DriveConstant:
    """A constant that can be estimated: its bounds, how sure it must be (half of the interval), and what would help."""

    field: str
    low: float
    high: float
    sure: float
    relative: bool
    unit: str
    advice: str

    def is_sure(self, low: float, high: float, value: float) -> bool:
        """Whether an interval is narrow enough to say anything: the one that it would have by itself, at 95 %."""
        half = (high - low) / 2.0 * ALONE / SIGMAS
        return half <= (self.sure * abs(value) if self.relative else self.sure)

    def bent(self, value: float) -> float:
        """The number that is fitted instead. Its own inverse.

        A limit of acceleration costs way in inverse proportion to it: in 1/a the way is nearly a straight line, and
        intervals of linear steps are what they say.
        """
        return 1.0 / value if self.relative else value


ABRUPT = "Start and stop more often, and at once: ramps hide how fast the drive follows"
DRIVE_CONSTANTS = (
    DriveConstant("speed_gain", 0.2, 3.0, 0.05, False, "", "Drive longer stretches straight ahead"),
    DriveConstant("turn_gain", 0.2, 3.0, 0.05, False, "", "Drive more turns, to both sides"),
    DriveConstant("lag_s", 0.0, 2.0, 0.1, False, "s", ABRUPT),
    DriveConstant("dead_time_s", 0.0, 1.0, 0.1, False, "s", ABRUPT),
    DriveConstant(
        "acceleration_max_mps2", 0.05, 20.0, 0.5, True, "m/s²",
        "Ask for full speed at once, from a standstill, and for a stop at full speed",
    ),
    DriveConstant(
        "turn_acceleration_max_radps2", 0.05, 50.0, 0.5, True, "rad/s²",
        "Turn on the spot as fast as it can, at once, from a standstill",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """An estimate and its interval. Those of a drive and its odometry all hold together with 95 % confidence."""

    value: float
    low: float
    high: float

    def with_all_of(self, other: ConfidenceInterval) -> ConfidenceInterval:
        """The same estimate, with an interval that holds that of another."""
        return ConfidenceInterval(self.value, min(self.low, other.low), max(self.high, other.high))


@dataclass(frozen=True, slots=True)
class Untold:
    """A constant that these recordings do not tell, and what would help."""

    name: str
    why: str
    advice: str


@dataclass(frozen=True, slots=True, eq=False)
class DriveEstimate:
    """What was found, by field of the drive."""

    told: Mapping[str, ConfidenceInterval]
    untold: Mapping[str, Untold]


def estimate_drive(
    predictor: Predictor, drive: WheeledDrive, *, known: Mapping[str, float], seed: int
) -> DriveEstimate:
    """Estimate what the recordings tell of a drive. ``known`` are fields that are not to be estimated."""
    specs = [
        spec
        for spec in DRIVE_CONSTANTS
        if isinstance(getattr(drive, spec.field, None), float) and spec.field not in known
    ]
    untold: dict[str, Untold] = {}
    told: dict[str, ConfidenceInterval] = {}
    while specs:
        found = _fit(predictor, drive, specs, known, seed)
        # What is not told is left as the world has it, so that the others are the best beside that. Their intervals
        # still hold what they may be when it is another: all of the one of the fit in which it was free.
        told = {name: each.with_all_of(told.get(name, each)) for name, each in found.items()}
        unsure = [spec for spec in specs if _unsure(spec, told[spec.field])]
        if not unsure:
            break
        for spec in unsure:
            untold[spec.field] = Untold(spec.field, _why(spec, told[spec.field]), spec.advice + ".")
            specs.remove(spec)
            told.pop(spec.field)
    _check_same_robot(predictor, {**known, **{name: found.value for name, found in told.items()}})
    return DriveEstimate(told, untold)


def _scale(spec: DriveConstant, value: float) -> float:
    return max(spec.sure * (abs(value) if spec.relative else 1.0), 1e-12)


def _unsure(spec: DriveConstant, found: ConfidenceInterval) -> bool:
    at_end = found.value >= spec.high * 0.999 or (spec.low > 0.0 and found.value <= spec.low * 1.001)
    return at_end or not spec.is_sure(found.low, found.high, found.value)


def _why(spec: DriveConstant, found: ConfidenceInterval) -> str:
    if found.value >= spec.high * 0.999:
        return "the commands never asked for more than it gives"
    unit = f" {spec.unit}" if spec.unit else ""
    return f"anything from {found.low:.3g} to {found.high:.3g}{unit} explains the motion as well"


def _fit(
    predictor: Predictor, drive: WheeledDrive, specs: Sequence[DriveConstant], known: Mapping[str, float], seed: int
) -> dict[str, ConfidenceInterval]:
    from scipy.optimize import least_squares  # noqa: PLC0415 - slow to import

    low, high = np.sort([[spec.bent(spec.low), spec.bent(spec.high)] for spec in specs], axis=1).T
    first = np.clip([spec.bent(getattr(drive, spec.field)) for spec in specs], low, high)
    size = np.where([spec.relative for spec in specs], first, 0.1)
    used = [~windows.held_out for windows in predictor.windows]
    measured = np.concatenate([each.motion[fit] for each, fit in zip(predictor.windows, used, strict=True)])

    def residuals(values: Floats) -> Floats:
        """[windows, numbers]"""
        constants = {**known, **{spec.field: spec.bent(float(v)) for spec, v in zip(specs, values, strict=True)}}
        motions = predictor.motions(constants)
        motion = np.concatenate([each[fit] for each, fit in zip(motions, used, strict=True)])
        off: Floats = (motion - measured) * np.array([1.0, 1.0, LEVER_M])
        return off.reshape(len(off), -1)

    def solved(start: Floats, weights: Floats) -> Floats:
        root = np.sqrt(weights)[:, None]
        found = least_squares(
            lambda values: (root * residuals(values)).ravel(), np.clip(start, low, high), bounds=(low, high),
            x_scale=size, diff_step=1e-3, xtol=1e-7, ftol=1e-9,
        )  # fmt: skip
        return np.asarray(found.x)

    weights = np.ones(len(measured))
    values = _best_start(first, specs, residuals)
    for _ in range(ROUNDS):
        values = solved(values, weights)
        off = np.sqrt((residuals(values) ** 2).mean(axis=1))
        new = np.minimum(1.0, HUBER * np.median(off) / np.maximum(off, 1e-12))
        settled = bool(np.abs(new - weights).max() < 1e-3)
        weights = new
        if settled:
            break
    slopes = _slopes(values, residuals, size)
    draws = _bootstrap(values, residuals(values), slopes, weights, size, seed)
    draws = np.clip(draws, low, high)
    # A constant that moves nothing would be as sure as it is unknown.
    for i, spec in enumerate(specs):
        if np.sqrt((slopes[:, :, i] ** 2).mean()) * _scale(spec, values[i]) < MOVES_MIN_M:
            draws[:, i] = np.where(np.arange(DRAWS) % 2 == 0, low[i], high[i])
    tail = 50.0 * (1.0 - EACH)
    ends = np.percentile(draws, [tail, 100.0 - tail], axis=0)
    told = {}
    for i, spec in enumerate(specs):
        value, *around = (spec.bent(float(number)) for number in (values[i], *ends[:, i]))
        told[spec.field] = ConfidenceInterval(value, min(around), max(around))
    return told


def _best_start(first: Floats, specs: Sequence[DriveConstant], residuals: Residuals) -> Floats:
    """The world's own constants, with the dead time from which the others are found best."""
    tries = [first]
    place = next((i for i, spec in enumerate(specs) if spec.field == "dead_time_s"), None)
    if place is not None:
        for dead_s in (0.05, 0.1, 0.2, 0.4):
            other = first.copy()
            other[place] = dead_s
            tries.append(other)
    return min(tries, key=lambda values: float(np.median((residuals(values) ** 2).mean(axis=1))))


def _slopes(values: Floats, residuals: Residuals, size: Floats) -> Floats:
    """How much residuals change with each constant, [windows, numbers, constants]."""
    slopes = []
    p = len(values)
    for i in range(p):
        step = np.zeros(p)
        step[i] = 1e-2 * size[i] if values[i] == 0.0 else max(1e-3 * size[i], 1e-3 * abs(values[i]))
        # One-sided where the other side does not exist: no lag below zero.
        lower = values - step if values[i] > step[i] else values
        slopes.append((residuals(values + step) - residuals(lower)) / (values + step - lower)[i])
    return np.stack(slopes, axis=-1)


def _bootstrap(values: Floats, base: Floats, slopes: Floats, weights: Floats, size: Floats, seed: int) -> Floats:
    """Estimates from windows drawn anew, each by one step of Gauss and Newton from the estimate of all."""
    count, p = len(base), len(values)
    pull = np.einsum("n,nmp,nm->np", weights, slopes, base)
    hold = np.einsum("n,nmp,nmq->npq", weights, slopes, slopes)
    rng = generator(seed, "calibration bootstrap")
    drawn = rng.multinomial(count, np.full(count, 1.0 / count), size=DRAWS).astype(np.float64)
    holds = np.einsum("bn,npq->bpq", drawn, hold) + 1e-9 * np.eye(p) / size**2
    pulls = drawn @ pull
    steps = np.linalg.solve(holds, pulls[:, :, None])[:, :, 0]
    return np.asarray(values - few_rows(count, p) * steps)


def few_rows(count: int, constants: int, *, confidence: float = EACH) -> float:
    """By how much draws of so few rows must be spread: rows fit themselves, and tails are Student's."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to import

    left = max(1, count - constants)
    sure = 0.5 + confidence / 2.0
    return float(np.sqrt(count / left) * stdtrit(left, sure) / stdtrit(1e9, sure))


def _check_same_robot(predictor: Predictor, constants: Mapping[str, float]) -> None:
    motions = predictor.motions(constants)
    missed, went = [], []
    for each, motion in zip(predictor.windows, motions, strict=True):
        scale = np.array([1.0, 1.0, LEVER_M])
        missed.append(np.linalg.norm((motion[:, -1] - each.motion[:, -1]) * scale, axis=-1))
        went.append(np.linalg.norm(each.motion * scale, axis=-1).max(axis=-1))
    share = float(np.median(np.concatenate(missed) / np.concatenate(went)))
    if share > LOST_SHARE:
        raise InputError(
            f"The recorded motion does not follow the recorded commands: after {WINDOW_S:g} s the best drive is off by "
            f"{100 * share:.0f} % of the way. Another robot, another topic of commands, or clocks that do not agree?"
        )
