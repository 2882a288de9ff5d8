"""Estimates of sensors and links: scale and noise of odometry, noise of poses and ranges, rates, latency and jitter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt

import numpy as np

from stressfield.arrays import Counts, Floats
from stressfield.calibration.estimate import SIGMAS, ConfidenceInterval, Untold
from stressfield.calibration.instruments import estimate_inertial, estimate_receiver
from stressfield.calibration.recordings import Fleet, PoseSeries
from stressfield.calibration.spread import MAD, SAMPLES_MIN, Found, at_rest, interval_of, spread_of
from stressfield.calibration.windows import Predictor
from stressfield.constants import LINK
from stressfield.seeds import Rng, generator
from stressfield.sim.rig.cadence import STEP_NS
from stressfield.world import GpsReceiver, InertialUnit, Lidar, Odometer, PoseSensor, Sensor

RATE_SHARE = 0.05
"""A rate that differs by less is the one that was meant."""
LEAST_MS = 1e-3
"""Nothing travels faster: such a record has no times of reception."""
TURN_MIN_RAD = 2.0
WAY_MIN_M = 2.0


def estimate_senses(fleet: Fleet, predictor: Predictor, drive: Mapping[str, float], *, seed: int) -> list[Found]:
    """What recordings tell of sensors and links. ``drive`` are the constants that the drive was found to have."""
    rng, robot = generator(seed, "calibration senses"), fleet.robot
    found: list[Found] = []
    for sensor in robot.sensors:
        name = f"{robot.name}.{sensor.topic}"
        found += [(f"{name}.{field}", what) for field, what in _of_sensor(sensor, fleet, predictor, drive, rng)]
        rate = _rate(sensor, fleet)
        if rate is not None:
            found.append((f"{name}.rate_hz", rate))
    return [*found, *_links(fleet)]


def _of_sensor(
    sensor: Sensor, fleet: Fleet, predictor: Predictor, drive: Mapping[str, float], rng: Rng
) -> Iterator[Found]:
    if isinstance(sensor, Odometer):
        yield from _odometer(sensor, fleet, predictor, drive, rng)
    elif isinstance(sensor, PoseSensor):
        yield from _pose_noise(sensor, fleet, rng)
    elif isinstance(sensor, Lidar):
        yield from _lidar(sensor, fleet, rng)
    elif isinstance(sensor, InertialUnit):
        yield from estimate_inertial(sensor, fleet, rng)
    elif isinstance(sensor, GpsReceiver):
        yield from estimate_receiver(sensor, fleet, rng)


# --- odometry ---------------------------------------------------------------------------------------------------


def _odometer(
    sensor: Odometer, fleet: Fleet, predictor: Predictor, drive: Mapping[str, float], rng: Rng
) -> Iterator[Found]:
    pairs = [
        (windows, motion)
        for windows, motion in zip(predictor.windows, predictor.motions(drive), strict=True)
        if windows.recording.odometry is not None and windows.recording.odometry.topic == sensor.topic
        and len(windows.start_s)
    ]  # fmt: skip
    if not pairs:
        why = "nothing else in the recordings tells where the robot was"
        advice = "Record a pose beside it: of a localiser, satellites, or cameras that watch the robot."
        for field in ("distance_scale", "turn_scale"):
            yield field, Untold(field, why, advice)
        return
    said, was, predicted = [], [], []
    for windows, motion in pairs:
        times = np.concatenate([windows.start_s[:, None], windows.times_s], axis=1)
        odometry = windows.recording.odometry
        assert odometry is not None
        said.append(_steps(odometry, times))
        was.append(_steps(windows.recording.pose, times))
        predicted.append(_predicted_steps(motion))
    o, p, c = (np.concatenate(each) for each in (said, was, predicted))
    slip = 1.0 - drive.get("slip", fleet.drive.slip)
    for i, (scale, noise, least, unit, advice) in enumerate(
        (
            ("distance_scale", "distance_noise", WAY_MIN_M, "m", "Drive farther."),
            ("turn_scale", "turn_noise", TURN_MIN_RAD, "rad", "Drive more turns, to both sides."),
        )
    ):
        # Simulated steps are the instrument: their errors have nothing to do with those of pose and odometry, so noise
        # in either does not pull the ratio towards zero.
        above, below = (c[..., i] * o[..., i]).sum(axis=1), (c[..., i] * p[..., i]).sum(axis=1)
        way = float(np.abs(p[..., i].sum(axis=1)).sum())
        if way < least:
            yield scale, Untold(scale, f"it came only {way:.2g} {unit}", advice)
            continue
        ratio = interval_of(
            len(above), lambda rows, a=above, b=below: a[rows].sum() / b[rows].sum(), rng, weights=np.abs(below)  # type: ignore[misc]
        )  # fmt: skip
        yield scale, ConfidenceInterval(ratio.value * slip, ratio.low * slip, ratio.high * slip)
        yield _odometer_noise(noise, o[..., i] / ratio.value, p[..., i], fleet, turned=i == 1, rng=rng)


def _steps(series: PoseSeries, times_s: Floats) -> Floats:
    """Way ahead and turn from each time to the next, [windows, LOOKS, 2]."""
    poses = series.at(times_s)
    step = np.diff(poses, axis=1)
    middle = poses[:, :-1, 2] + step[..., 2] / 2.0
    return np.stack([step[..., 0] * np.cos(middle) + step[..., 1] * np.sin(middle), step[..., 2]], axis=-1)


def _predicted_steps(motion: Floats) -> Floats:
    poses = np.concatenate([np.zeros((len(motion), 1, 3)), motion], axis=1)
    step = np.diff(poses, axis=1)
    middle = poses[:, :-1, 2] + step[..., 2] / 2.0
    return np.stack([step[..., 0] * np.cos(middle) + step[..., 1] * np.sin(middle), step[..., 2]], axis=-1)


def _odometer_noise(field: str, said: Floats, was: Floats, fleet: Fleet, *, turned: bool, rng: Rng) -> Found:
    """A random walk: its variance grows with the way. What the noise of the pose explains is taken off."""
    error, way = said.sum(axis=1) - was.sum(axis=1), np.abs(was).sum(axis=1)
    noise = _white(fleet, "yaw_rad" if turned else "x_m", rng)
    of_pose = 2.0 * noise.value**2 if noise is not None else 0.0

    def walk(rows: Counts) -> float:
        variance = float((np.median(np.abs(error[rows])) * MAD) ** 2) - of_pose
        return sqrt(max(0.0, variance / max(float(np.mean(way[rows])), 1e-9)))

    found = interval_of(len(error), walk, rng)
    if found.low <= 0.0:
        return field, Untold(
            field, f"the noise of the pose hides it: at most {found.high:.2g}", "Record a better pose."
        )
    return field, found


# --- noise ------------------------------------------------------------------------------------------------------


def _pose_noise(sensor: PoseSensor, fleet: Fleet, rng: Rng) -> Iterator[Found]:
    if not any(recording.pose.topic == sensor.topic for recording in fleet.recordings):
        return
    for field, of in (("position_noise_m", "x_m"), ("attitude_noise_rad", "yaw_rad")):
        found = _white(fleet, of, rng)
        yield field, found or Untold(field, "too few poses", "Record longer.")


def _white(fleet: Fleet, of: str, rng: Rng) -> ConfidenceInterval | None:
    """White noise of a pose, from third differences: a motion that changes smoothly has next to none."""
    series = [getattr(recording.pose, each) for recording in fleet.recordings for each in _axes(of)]
    rough = np.concatenate([np.diff(each, n=3) for each in series]) / sqrt(20.0)
    return spread_of(rough, rng)


def _axes(of: str) -> tuple[str, ...]:
    return ("x_m", "y_m") if of == "x_m" else (of,)


def _lidar(sensor: Lidar, fleet: Fleet, rng: Rng) -> Iterator[Found]:
    rough, lost, seen = [], 0, 0
    for recording in fleet.recordings:
        if sensor.topic not in recording.scans:
            continue
        times, ranges = recording.scans[sensor.topic]
        still = at_rest(recording, times)
        at = np.flatnonzero(still[:-2] & still[1:-1] & still[2:])
        both = np.isfinite(ranges[at]) & np.isfinite(ranges[at + 2])
        seen, lost = seen + int(both.sum()), lost + int((both & ~np.isfinite(ranges[at + 1])).sum())
        good = both & np.isfinite(ranges[at + 1])
        a, b, c = (ranges[at + i][good] for i in range(3))
        rough.append((a - 2.0 * b + c) / sqrt(6.0))
    if not rough:
        return
    spread = spread_of(np.concatenate(rough), rng)
    if spread is None or seen < SAMPLES_MIN:
        why, advice = (
            "the robot never stood still with something in view",
            "Let it stand before a wall for ten seconds.",
        )
        yield "noise_m", Untold("noise_m", why, advice)
        yield "dropout", Untold("dropout", why, advice)
        return
    yield "noise_m", spread
    share = lost / seen
    half = SIGMAS * sqrt(max(share * (1.0 - share), 1.0 / seen) / seen)
    yield "dropout", ConfidenceInterval(share, max(0.0, share - half), min(1.0, share + half))


# --- times ------------------------------------------------------------------------------------------------------


def _rate(sensor: Sensor, fleet: Fleet) -> ConfidenceInterval | None:
    """Another rate than the world has, as a simulator can sample it; None if it is the same."""
    periods = [np.diff(recording.topics[sensor.topic].arrived_s) for recording in fleet.recordings
               if sensor.topic in recording.topics]  # fmt: skip
    if not periods or not sensor.rate_hz:
        return None
    every = np.concatenate(periods)
    period = float(np.median(every))
    if period <= 0.0 or abs(period * sensor.rate_hz - 1.0) < RATE_SHARE:
        return None
    steps = max(1, round(period * 1e9 / STEP_NS))
    half = SIGMAS * 1.2533 * float(np.std(every)) / sqrt(len(every))
    value = 1e9 / (steps * STEP_NS)
    return ConfidenceInterval(value, min(value, 1.0 / (period + half)), max(value, 1.0 / max(period - half, 1e-6)))


def _links(fleet: Fleet) -> Iterator[Found]:
    """A least time and an exponential tail, as :class:`stressfield.bus.Latency` has them."""
    # Of sensors alone: a node may stamp what it sends with the time of what it had heard.
    for topic in dict.fromkeys(sensor.topic for sensor in fleet.robot.sensors):
        parts = [recording.topics[topic] for recording in fleet.recordings if topic in recording.topics]
        told = [part for part in parts if part.travelled_ms is not None]
        if not told:
            continue
        travelled = np.concatenate([part.travelled_ms for part in told if part.travelled_ms is not None])
        if len(travelled) < SAMPLES_MIN:
            continue
        least = float(travelled.min())
        tail = np.minimum(travelled - least, 8.0 * max(float(np.median(travelled)) - least, 1e-6) / 0.693)
        mean, half = float(tail.mean()), SIGMAS * float(tail.std()) / sqrt(len(tail))
        if mean < LEAST_MS:
            why = "its messages have the times at which they were sent, not those at which they came"
            yield f"{LINK}{topic}.jitter_ms", Untold("jitter_ms", why, "Record with a tool that keeps both.")
            continue
        yield f"{LINK}{topic}.jitter_ms", ConfidenceInterval(mean, max(0.0, mean - half), mean + half)
        if all(part.same_clock for part in told):
            base = max(0.0, least - mean / len(tail))
            yield f"{LINK}{topic}.base_ms", ConfidenceInterval(base, max(0.0, least - 4.0 * mean / len(tail)), least)
        else:
            yield (
                f"{LINK}{topic}.base_ms",
                Untold("base_ms", "stamps and times of reception are of different clocks", "Synchronise them."),
            )
