"""Calibration: what recordings suggest for the constants of a simulated robot, and how well it then predicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus.node import Timing
from stressfield.calibration.estimate import DRIVE_CONSTANTS, ConfidenceInterval, Untold, estimate_drive
from stressfield.calibration.recordings import DrivenRecording, Fleet, read_recordings
from stressfield.calibration.senses import estimate_senses
from stressfield.calibration.windows import WINDOW_S, Predictor, cut, looks_s
from stressfield.constants import DRIVE, LINK, constants_of, unknown_constant, with_constants
from stressfield.errors import InputError, did_you_mean
from stressfield.plugins import find_study
from stressfield.run.recorded import knowledge, recorded_scenario
from stressfield.scenario import Options, Scenario
from stressfield.seeds import generator
from stressfield.study import Study
from stressfield.trace.bags.field_topics import FieldTopics
from stressfield.world import Odometer

DRAWS = 1000
UNITS = {spec.field: spec.unit for spec in DRIVE_CONSTANTS} | {
    "position_noise_m": "m", "attitude_noise_rad": "rad", "noise_m": "m", "rate_hz": "Hz", "base_ms": "ms",
    "jitter_ms": "ms", "yaw_rate_noise_radps": "rad/s", "yaw_rate_bias_radps": "rad/s",
    "acceleration_noise_mps2": "m/s²", "outage_s": "s",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Another value of a constant, with its interval; all of a drive and its odometry hold together with 95 %."""

    name: str
    before: float
    value: float
    low: float
    high: float

    @property
    def unit(self) -> str:
        """In which it is told; empty for a plain number."""
        return UNITS.get(self.name.rpartition(".")[2], "")

    @property
    def differs(self) -> bool:
        """Whether the value that the world has is outside of the interval: only then there is something to accept."""
        return not self.low <= self.before <= self.high


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PredictionError:
    """How far simulated and recorded places are apart, over windows that were not used to estimate.

    ``before_m`` and ``after_m`` are [windows, looks]; ``start_s`` and ``recording`` say where each window is.
    """

    times_s: Floats
    before_m: Floats
    after_m: Floats
    start_s: Floats
    recording: tuple[int, ...]

    @property
    def median_before_m(self) -> float:
        """Over a whole window."""
        return float(np.median(self.before_m[:, -1]))

    @property
    def median_after_m(self) -> float:
        """Over a whole window, with all suggestions that differ."""
        return float(np.median(self.after_m[:, -1]))

    def change(self, seed: int) -> ConfidenceInterval:
        """The median after, as a share of that before, with its interval over windows."""
        rng, count = generator(seed, "prediction error"), len(self.before_m)
        rows = rng.integers(0, count, (DRAWS, count))
        shares = np.median(self.after_m[rows, -1], axis=1) / np.maximum(
            np.median(self.before_m[rows, -1], axis=1), 1e-12
        )
        low, high = np.percentile(shares, [2.5, 97.5]).tolist()
        return ConfidenceInterval(self.median_after_m / max(self.median_before_m, 1e-12), low, high)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalibrationResult:
    """What recordings tell. Nothing is used before somebody accepts it."""

    study: str
    robot: str
    recordings: tuple[DrivenRecording, ...]
    windows: int
    suggestions: tuple[Suggestion, ...]
    """All that was told: those that differ from what the world has, and those that do not."""
    untold: tuple[Untold, ...]
    known: Mapping[str, float]
    """What the user said instead of having it estimated."""
    prediction: PredictionError
    seed: int

    @property
    def differing(self) -> tuple[Suggestion, ...]:
        """What can be accepted."""
        return tuple(suggestion for suggestion in self.suggestions if suggestion.differs)

    def chosen(self, names: Sequence[str]) -> tuple[Suggestion, ...]:
        """The suggestions of these names; ``all`` for all that differ. InputError for a name that is none."""
        if list(names) == ["all"]:
            return self.differing
        known = {suggestion.name: suggestion for suggestion in self.suggestions}
        for name in names:
            if name not in known:
                raise InputError(
                    f"Nothing was suggested for {name!r}. There are: {', '.join(known) or 'none'}."
                    + did_you_mean(name, known)
                )
        return tuple(known[name] for name in dict.fromkeys(names))


def calibrate(
    study: str,
    paths: Sequence[Path | str],
    *,
    topics: FieldTopics | None = None,
    robot: str = "",
    options: Options | None = None,
    known: Mapping[str, float] | None = None,
    seed: int = 0,
    frames: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> CalibrationResult:
    """Estimate the constants of a study's robot from recordings of it. InputError for recordings that cannot be used.

    ``known`` are constants by name that are taken as given; ``seed`` is that of the bootstrap. ``frames`` is what the
    robot is called in the names of its frames, if not as in the study.
    """
    step = progress or (lambda _done, _total: None)
    found = find_study(study)
    fleet = read_recordings(found, paths, topics=topics, robot=robot, options=options, frames=frames)
    step(1, 4)
    scenario = recorded_scenario(knowledge(found, topics=found.field_topics), found, options or {}, {})
    constants = constants_of(scenario.world)
    known = _checked(known or {}, constants, scenario)
    predictor = Predictor(fleet, cut(fleet))
    prefix = f"{fleet.robot.name}.{DRIVE}."
    given = {name.removeprefix(prefix): value for name, value in known.items() if name.startswith(prefix)}
    drive = estimate_drive(predictor, fleet.drive, known=given, seed=seed)
    step(2, 4)
    values = {**given, **{name: each.value for name, each in drive.told.items()}}
    told: dict[str, ConfidenceInterval] = {f"{prefix}{name}": each for name, each in drive.told.items()}
    untold = [Untold(f"{prefix}{name}", each.why, each.advice) for name, each in drive.untold.items()]
    for name, what in estimate_senses(fleet, predictor, values, seed=seed):
        if isinstance(what, ConfidenceInterval):
            told[name] = what
        elif name not in known:
            untold.append(Untold(name, what.why, what.advice))
    step(3, 4)
    untold += _with_slip(told, known, fleet, prefix)
    result = CalibrationResult(
        study=found.name, robot=fleet.robot.name, recordings=fleet.recordings,
        windows=sum(len(each.start_s) for each in predictor.windows),
        suggestions=_suggestions(told, known, constants, found), untold=tuple(untold), known=known,
        prediction=_errors(predictor, prefix, told, known), seed=seed,
    )  # fmt: skip
    step(4, 4)
    return result


def _checked(known: Mapping[str, float], constants: Mapping[str, float], scenario: Scenario) -> Mapping[str, float]:
    for name, value in known.items():
        if name not in constants:
            raise InputError(unknown_constant(name, constants))
        least = "more than zero" if name.endswith("_scale") else "a finite number"
        if not isfinite(value) or (name.endswith("_scale") and value <= 0.0):
            raise InputError(f"{name} cannot be {value}. Wanted {least}.")
    with_constants(scenario, known, Timing())  # InputError for what a robot refuses
    return known


def _with_slip(
    told: dict[str, ConfidenceInterval], known: Mapping[str, float], fleet: Fleet, prefix: str
) -> list[Untold]:
    """What is known of odometry tells slip from gains: odometry sees what the wheels do, slip it does not see."""
    slip = f"{prefix}slip"
    odometer = next((sensor for sensor in fleet.robot.sensors if isinstance(sensor, Odometer)), None)
    if slip in known:
        return []
    scale = f"{fleet.robot.name}.{odometer.topic}.distance_scale" if odometer is not None else ""
    if scale not in known or scale not in told:
        return [
            Untold(
                slip,
                "lost motion looks like a smaller gain, and odometry that says more",
                f"Say what odometry is worth, if you measured it: --know {scale}=1."
                if scale in told
                else "Record wheel odometry beside a pose.",
            )
        ]
    ratio = told[scale]
    share = ConfidenceInterval(*(1.0 - known[scale] / value for value in (ratio.value, ratio.low, ratio.high)))
    told[slip] = ConfidenceInterval(max(0.0, share.value), max(0.0, share.low), max(0.0, share.high))
    kept = 1.0 - told[slip].value
    # What is seen of the wheels' speeds and accelerations over the ground is what slip leaves of them.
    for seen in ("speed_gain", "turn_gain", "acceleration_max_mps2", "turn_acceleration_max_radps2"):
        if f"{prefix}{seen}" in told:
            each = told[f"{prefix}{seen}"]
            told[f"{prefix}{seen}"] = ConfidenceInterval(each.value / kept, each.low / kept, each.high / kept)
    return []


def _suggestions(
    told: Mapping[str, ConfidenceInterval], known: Mapping[str, float], constants: Mapping[str, float], study: Study
) -> tuple[Suggestion, ...]:
    made = []
    for name, each in told.items():
        if name not in known:
            before = _latency(name, study.timing) if name.startswith(LINK) else constants[name]
            made.append(Suggestion(name=name, before=before, value=each.value, low=each.low, high=each.high))
    made += [Suggestion(name=name, before=constants[name], value=value, low=value, high=value)
             for name, value in known.items()]  # fmt: skip
    return tuple(made)


def _latency(name: str, timing: Timing) -> float:
    topic, _, field = name.removeprefix(LINK).rpartition(".")
    return float(getattr(timing.topics.get(topic, timing.topic_default), field))


def _errors(
    predictor: Predictor, prefix: str, told: Mapping[str, ConfidenceInterval], known: Mapping[str, float]
) -> PredictionError:
    """Of windows that were held out, as the world is and with what was found."""
    values = {name: each.value for name, each in told.items()} | dict(known)
    after = predictor.motions(
        {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}
    )
    before = predictor.motions({})
    far: list[list[Floats]] = [[], []]
    starts, which = [], []
    for i, windows in enumerate(predictor.windows):
        held = windows.held_out
        for found, motion in zip(far, (before[i], after[i]), strict=True):
            off = motion[held] - windows.motion[held]
            found.append(np.hypot(off[..., 0], off[..., 1]))
        starts.append(windows.start_s[held])
        which += [i] * int(held.sum())
    return PredictionError(
        times_s=looks_s(), before_m=np.concatenate(far[0]), after_m=np.concatenate(far[1]),
        start_s=np.concatenate(starts), recording=tuple(which),
    )  # fmt: skip


__all__ = ["WINDOW_S", "CalibrationResult", "PredictionError", "Suggestion", "calibrate"]
