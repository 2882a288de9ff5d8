"""Estimates of inertial units and satellite receivers, mostly from times at which the robot stands.

What does not change while the robot stands is a bias, what changes from sample to sample is noise: differences of
neighbours tell the one without the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sqrt

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.calibration.estimate import EACH, SIGMAS, ConfidenceInterval, Untold
from stressfield.calibration.recordings import DrivenRecording, Fleet
from stressfield.calibration.spread import Found, at_rest, spread_of
from stressfield.seeds import Rng
from stressfield.world import GpsReceiver, InertialUnit, Sensor

STAND = "Let it stand for a minute."
EARTH_M = 6_371_000.0
OUTAGES_MIN = 5
"""Fewer outages do not say how long they are."""
RECORDINGS_MIN = 5
"""A bias is another one after every start: so many starts tell how large it is."""


def estimate_inertial(sensor: InertialUnit, fleet: Fleet, rng: Rng) -> Iterator[Found]:
    """White noise of rates, attitude and accelerations; and how large their constant biases are."""
    read = _readings(sensor, fleet)
    if not read:
        return
    # Columns of the readings: yaw rate, roll and pitch, accelerations. Yaw turns with what is left of a motion.
    yield _noise("yaw_rate_noise_radps", [values[:, :1] for _, values, _ in read], [rest for *_, rest in read], rng)
    yield _noise("attitude_noise_rad", [values[:, 1:3] for _, values, _ in read], [rest for *_, rest in read], rng)
    yield _bias("yaw_rate_bias_radps", [values[rest, 0] for _, values, rest in read])
    if sensor.accelerometer:
        # Along and across alone: at rest both are what bias and slope make them, and neither changes.
        still = [rest for *_, rest in read]
        yield _noise("acceleration_noise_mps2", [values[:, 3:5] for _, values, _ in read], still, rng)
        why = "a bias of an acceleration looks like a floor that is not level"
        yield "acceleration_bias_mps2", Untold("acceleration_bias_mps2", why, "Measure it on a level table.")


def estimate_receiver(sensor: GpsReceiver, fleet: Fleet, rng: Rng) -> Iterator[Found]:
    """White noise of fixes, and how often and for how long there is none."""
    read = _readings(sensor, fleet)
    if not read:
        return
    east_north, rests = [], []
    for _, values, rest in read:
        fixed = np.isfinite(values).all(axis=1)
        latitude, longitude = values[:, 0], values[:, 1]
        scale = EARTH_M * radians(1.0)
        narrow = cos(radians(float(np.median(latitude[fixed])))) if fixed.any() else 1.0
        east_north.append(np.stack([longitude * scale * narrow, latitude * scale], axis=1))
        rests.append(rest & fixed)
    yield _noise("noise_m", east_north, rests, rng)
    why = "it wanders within minutes, and so does the robot"
    yield "drift_m", Untold("drift_m", why, "Let it stand for an hour, and look at the spread of its means.")
    yield from _outages(sensor, read)


def _readings(sensor: Sensor, fleet: Fleet) -> list[tuple[DrivenRecording, Floats, Flags]]:
    """For each recording that has the sensor: what it said, and when the robot stood."""
    return [
        (recording, recording.readings[sensor.topic][1], at_rest(recording, recording.readings[sensor.topic][0]))
        for recording in fleet.recordings
        if sensor.topic in recording.readings
    ]


def _noise(field: str, values: list[Floats], rests: list[Flags], rng: Rng) -> Found:
    steps = []
    for columns, rest in zip(values, rests, strict=True):
        both = rest[1:] & rest[:-1]
        steps.append((np.diff(columns, axis=0)[both] / sqrt(2.0)).ravel())
    found = spread_of(np.concatenate(steps), rng)
    return field, found or Untold(field, "the robot hardly ever stood still", STAND)


def _bias(field: str, rates: list[Floats]) -> Found:
    """How large a bias is that is drawn anew at every start: the root of the mean square of those that were seen."""
    from scipy.special import chdtri  # noqa: PLC0415 - slow to import

    seen = np.array([float(np.median(each)) for each in rates if len(each)])
    if len(seen) < RECORDINGS_MIN:
        here = ", ".join(f"{bias:.2g}" for bias in seen) or "not seen, for the robot never stood"
        why = f"it is another one after every start (here {here})"
        return field, Untold(field, why, f"Record {RECORDINGS_MIN} starts or more, and let it stand in each.")
    total, count = float((seen**2).sum()), len(seen)
    low, high = (sqrt(total / float(chdtri(count, tail))) for tail in (0.5 - EACH / 2.0, 0.5 + EACH / 2.0))
    return field, ConfidenceInterval(sqrt(total / count), low, high)


def _outages(sensor: GpsReceiver, read: list[tuple[DrivenRecording, Floats, Flags]]) -> Iterator[Found]:
    from scipy.special import chdtri  # noqa: PLC0415 - slow to import

    lost_s, total_s, lengths = 0.0, 0.0, []
    for recording, values, _ in read:
        times = recording.readings[sensor.topic][0]
        lost: Flags = np.isnan(values[:, 0]) | np.isnan(values[:, 1])
        lasts = np.diff(times, append=times[-1])
        lost_s, total_s = lost_s + float(lasts[lost].sum()), total_s + float(lasts.sum())
        edges = np.flatnonzero(np.diff(lost.astype(np.int8)))
        begins = [at + 1 for at in edges.tolist() if lost[at + 1]]
        # Those that the recording has from their beginning to their end.
        ends = [next((at + 1 for at in edges.tolist() if at >= begin), None) for begin in begins]
        lengths += [
            float(times[end] - times[begin]) for begin, end in zip(begins, ends, strict=True) if end is not None
        ]
    share, count = lost_s / max(total_s, 1e-9), len(lengths)
    if not lost_s:
        # The rule of three, in outages of the length that the world has.
        yield "outage", ConfidenceInterval(0.0, 0.0, min(1.0, 3.0 * sensor.outage_s / max(total_s, 1e-9)))
        return
    if count < OUTAGES_MIN:
        why = f"there were {count} whole outages"
        for field in ("outage", "outage_s"):
            yield field, Untold(field, why, "Record longer, where it is used.")
        return
    # Times with and without a fix are both exponential: so is the spread of each mean, and that of their ratio.
    half = SIGMAS * share * (1.0 - share) * sqrt(2.0 / count)
    yield "outage", ConfidenceInterval(share, max(0.0, share - half), min(1.0, share + half))
    mean = float(np.mean(lengths))
    low, high = (2.0 * count * mean / float(chdtri(2 * count, tail)) for tail in (0.5 - EACH / 2.0, 0.5 + EACH / 2.0))
    yield "outage_s", ConfidenceInterval(mean, low, high)
