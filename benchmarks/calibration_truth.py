"""Does a calibration find what a field is like? The field is MuJoCo with constants that the study does not know.

python benchmarks/calibration_truth.py                 20 draws of a field, each recorded as rosbag2, and a table
python benchmarks/calibration_truth.py --seed 5        20 others
python benchmarks/calibration_truth.py --draws 2       fewer
python benchmarks/calibration_truth.py --field kinematic   a field without a physics of its own: the method alone

Every draw has other gains, lag, dead time, limits of acceleration, slip and biased odometry. The kinematic simulator is
calibrated with one recording; what it found is held against the truth, and its predictions against another mission that
it has not seen.

There are two truths. *As set*: the constants of the field's drive, with what slip takes of gains and limits and adds to
odometry, since a recording cannot tell these apart. *As it moves*: behind the lag that is set, the wheels of MuJoCo
have servos and inertia, so that the field does not move as it is set. How it moves is measured without any of the code
of a calibration: steps of speed and of turn are commanded, and the mean and the variance of the response over time are
taken from where the robot truly is (the method of moments for a first order with dead time: the mean is the sum of
both, the variance is the square of the lag). A step that is too large for a limit of acceleration has a later mean: by
how much tells the limit. The largest acceleration itself would not: for a quarter of a second, servos that catch up
turn faster than they are told.
Odometry is held against the true way of the mission.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.optimize import brentq

import stressfield as sf
from stressfield.calibration import CalibrationResult, calibrate
from stressfield.calibration.recordings import read_recordings
from stressfield.calibration.windows import Predictor, cut
from stressfield.model import template
from stressfield.run import execute
from stressfield.seeds import generator, seed_of
from stressfield.sim import Simulator, kinematic_simulator, mujoco_simulator
from stressfield.subject import NodesSubject, Subject
from stressfield.trace import Metadata, Trace
from stressfield.trace.bags.rosbag2 import write_bag

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from course import Course, study

Steps = tuple[np.ndarray, np.ndarray]
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

DRIVE, ODOMETER = "cart.drive.", "cart./odom."
WHEN = datetime(2026, 1, 1, tzinfo=UTC)
DURATION_S = 180.0
LIMITS = ("acceleration_max_mps2", "turn_acceleration_max_radps2")
SEEN = ("speed_gain", "turn_gain", "lag_s", "dead_time_s", *LIMITS, "distance_scale", "turn_scale")
FINE_NS = 10_000_000
STEP_S, STEPS, SETTLED_S = 6.0, 8, 4.0
"""A step response: how long each command holds, how many there are, and after which time nothing changes any more."""
STEP_SPEED_MPS, STEP_TURN_RADPS = 0.1, 0.3
"""Small enough for no limit of acceleration to act: 0.1 m/s within a lag of 0.15 s is 0.7 m/s²."""
LARGE_SPEED_MPS, LARGE_TURN_RADPS = 0.7, 2.5
"""From so much one way to so much the other: both limits act, as in the course."""


def drawn(seed: int, number: int) -> dict[str, float]:
    """The constants of one field."""
    rng = generator(seed, "field", number)
    return {
        f"{DRIVE}speed_gain": float(rng.uniform(0.85, 1.1)),
        f"{DRIVE}turn_gain": float(rng.uniform(0.8, 1.1)),
        f"{DRIVE}lag_s": float(rng.uniform(0.15, 0.4)),
        # Whole control steps, as both simulators have them.
        f"{DRIVE}dead_time_s": 0.01 * int(rng.integers(3, 21)),
        f"{DRIVE}slip": float(rng.uniform(0.0, 0.08)),
        f"{ODOMETER}distance_scale": float(rng.uniform(0.94, 1.06)),
        f"{ODOMETER}turn_scale": float(rng.uniform(0.94, 1.06)),
        # Otherwise whoever does not find the limits, and leaves them as they are, would be right.
        f"{DRIVE}acceleration_max_mps2": float(rng.uniform(0.7, 1.2)),
        f"{DRIVE}turn_acceleration_max_radps2": float(rng.uniform(2.2, 3.8)),
    }


class StepDriver(sf.Node):
    """Commands one motion and then another, by turns."""

    name = "driver"

    def __init__(self, first: float, second: float, *, turn: bool) -> None:
        self.motions = [(0.0, each) if turn else (each, 0.0) for each in (first, second)]

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.every(0.1, self.command)

    def command(self) -> None:
        which = int(self.link.now_ns // (STEP_S * 1e9)) % 2
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(*self.motions[which]))


def driven(
    constants: Mapping[str, float], seed: int, simulator: Simulator, subject: Subject | None = None, *,
    duration_s: float = DURATION_S,
) -> Trace:  # fmt: skip
    """A mission in the field."""
    scenario = study.scenario(template(Course, {"duration_s": duration_s}), seed=seed, options=dict(constants))
    done = execute(
        scenario, subject or study.builds[0].subject(scenario), simulator, seed=seed,
        timing=study.timing_of(dict(constants)), ending=study.ending, metadata=Metadata(),
    )  # fmt: skip
    return done.trace


def motion(trace: Trace) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, the true way ahead and the true turn since the start."""
    robot = trace.truth("cart")
    turned = np.unwrap(robot.yaw_rad)
    middle = turned[:-1] + np.diff(turned) / 2
    ahead = np.diff(robot.x_m) * np.cos(middle) + np.diff(robot.y_m) * np.sin(middle)
    return robot.time_s, np.concatenate([[0.0], np.cumsum(ahead)]), turned - turned[0]


def steps(constants: Mapping[str, float], field: str, first: float, second: float, *, turn: bool) -> Steps:
    """Times and way (or turn) of a robot that is commanded steps, finely."""
    driver = StepDriver(first, second, turn=turn)
    finely = {"kinematic": kinematic_simulator, "mujoco": mujoco_simulator}[field](tick_ns=FINE_NS)()
    trace = driven(constants, 0, finely, NodesSubject(lambda _: [driver]), duration_s=(STEPS + 2) * STEP_S)
    times, ahead, turned = motion(trace)
    return times, turned if turn else ahead


def step_response(
    constants: Mapping[str, float], field: str, first: float, second: float, *, turn: bool
) -> tuple[float, float, float]:
    """Gain, mean (s) and variance (s²) of what the field does with a step, over all steps there and back."""
    times, gone = steps(constants, field, first, second, turn=turn)
    found = []
    for start_s in STEP_S * np.arange(1, STEPS + 1):
        within = (times > start_s - 1e-6) & (times < start_s + STEP_S + 1e-6)
        before = (times > start_s - (STEP_S - SETTLED_S)) & (times < start_s + 1e-6)
        t, way = times[within] - start_s, gone[within] - gone[within][0]
        settled = t > SETTLED_S
        speed = np.polyfit(t[settled], way[settled], 1)[0]
        step = speed - np.polyfit(times[before], gone[before], 1)[0]
        # What is missing of the way that would be made at once grows to the step times the mean of the response.
        missing = speed * t - way
        final = missing[settled].mean()
        mean = final / step
        # The trapezes have a corner where the step begins.
        square = 2.0 * np.trapezoid(final - missing, t) / step - (FINE_NS / 1e9) ** 2 / 6.0
        found.append((abs(step) / abs(second - first), mean, square - mean**2))
    gain, mean, variance = np.mean(found, axis=0).tolist()
    return gain, mean, variance


def cost_of_limit(limit: float, step: float, lag_s: float) -> float:
    """The way that a limit of acceleration costs in one step, beside what the lag alone costs."""
    # It acts until the speed that it lets the robot have is what the lag asks for; behind most where both grow alike.
    behind_most_s = -lag_s * np.log(limit * lag_s / step)
    until_s = brentq(lambda t: limit * t + step * np.expm1(-t / lag_s), behind_most_s, 2.0 * step / limit)
    return float(step * (until_s + lag_s * np.expm1(-until_s / lag_s)) - limit * until_s**2 / 2.0)


def limit_of_cost(cost: float, step: float, lag_s: float) -> float:
    """The limit of acceleration that costs so much."""
    # One that is nearly as steep as the lag alone costs nothing.
    return float(brentq(lambda limit: cost_of_limit(limit, step, lag_s) - cost, 0.01, 0.99 * step / lag_s))


def as_it_moves(constants: Mapping[str, float], seed: int, field: str) -> dict[str, float]:
    """Truth by measurement: of steps, and of odometry beside the true way of a mission without noise."""
    told: dict[str, float] = {}
    lags, dead_times = [], []
    for turn in (False, True):
        small, large = ((STEP_SPEED_MPS, LARGE_SPEED_MPS), (STEP_TURN_RADPS, LARGE_TURN_RADPS))[turn]
        # How a kinematic drive of these constants answers to the same commands: what its steps of time add is in it.
        (gain, mean, variance), (_, own_mean, own_variance) = (
            step_response(constants, which, 0.0, small, turn=turn) for which in (field, "kinematic")
        )
        lag_s = constants[f"{DRIVE}lag_s"]
        lags.append(float(np.sqrt(lag_s**2 + variance - own_variance)))
        dead_times.append(constants[f"{DRIVE}dead_time_s"] + lag_s - lags[-1] + mean - own_mean)
        told["turn_gain" if turn else "speed_gain"] = gain
        (large_gain, large_mean, _), (own_gain, own_large_mean, _) = (
            step_response(constants, which, -large, large, turn=turn) for which in (field, "kinematic")
        )
        step, own_step = 2.0 * large * large_gain, 2.0 * large * own_gain
        own_cost = cost_of_limit(as_set(constants)[LIMITS[turn]], own_step, lag_s)
        cost = step * (large_mean - mean) + own_cost - own_step * (own_large_mean - own_mean)
        told[LIMITS[turn]] = limit_of_cost(cost, step, lags[-1])
    told["lag_s"], told["dead_time_s"] = float(np.mean(lags)), float(np.mean(dead_times))
    quiet = {f"{ODOMETER}{name}": 0.0 for name in ("distance_noise", "turn_noise")}
    trace = driven({**constants, **quiet}, seed, study.find_simulator(field)())
    times, ahead, turned = motion(trace)
    wheels = trace.topic("/odom")
    for name, what, true in (("distance_scale", "linear.x", ahead), ("turn_scale", "angular.z", turned)):
        said = wheels.column(f"twist.twist.{what}")[1:] * np.diff(wheels.time_s)
        was = np.diff(np.interp(wheels.time_s, times, true))
        told[name] = float((said**2).sum() / (said * was).sum())
    return told


def as_set(constants: Mapping[str, float]) -> dict[str, float]:
    """The constants of the field, with what slip takes of gains and limits and adds to odometry."""
    kept = 1.0 - constants[f"{DRIVE}slip"]
    gains = {name: constants[f"{DRIVE}{name}"] * kept for name in ("speed_gain", "turn_gain")}
    scales = {name: constants[f"{ODOMETER}{name}"] / kept for name in ("distance_scale", "turn_scale")}
    limits = {name: constants[f"{DRIVE}{name}"] * kept for name in LIMITS}
    return {**gains, **limits, **scales, **{name: constants[f"{DRIVE}{name}"] for name in ("lag_s", "dead_time_s")}}


def unseen_errors(result: CalibrationResult, bag: Path) -> tuple[np.ndarray, np.ndarray]:
    """Errors of position over 5 s in another mission: as the world is, and as calibrated."""
    fleet = read_recordings(study, [bag])
    predictor = Predictor(fleet, cut(fleet))
    values = {each.name.removeprefix(DRIVE): each.value for each in result.differing if each.name.startswith(DRIVE)}
    off = [
        np.hypot(*(motion - windows.motion)[:, -1, :2].T)
        for constants in ({}, values)
        for motion, windows in zip(predictor.motions(constants), predictor.windows, strict=True)
    ]
    return off[0], off[1]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=2026, help="of the draws and missions")
    parser.add_argument("--field", choices=tuple(study.simulators), default="mujoco")
    draws, seed, field = (getattr(parser.parse_args(), name) for name in ("draws", "seed", "field"))
    told, held, near = (dict.fromkeys(SEEN, 0) for _ in range(3))
    widths: dict[str, list[float]] = {name: [] for name in SEEN}
    before, after = [], []
    together = 0
    for number in range(draws):
        constants = drawn(seed, number)
        missions = {name: seed_of(seed, "mission", name, number) for name in ("seen", "unseen")}
        with TemporaryDirectory() as folder:
            for name, mission in missions.items():
                trace = driven(constants, mission, study.find_simulator(field)())
                write_bag(trace, Path(folder) / name, start=WHEN)
            result = calibrate(str(EXAMPLES / "course.py"), [Path(folder) / "seen"])
            off = unseen_errors(result, Path(folder) / "unseen")
        before.append(off[0])
        after.append(off[1])
        wanted, moves = as_set(constants), as_it_moves(constants, missions["seen"], field)
        missed = 0
        for each in result.suggestions:
            name = each.name.rpartition(".")[2]
            if name in held:
                told[name] += 1
                held[name] += each.low <= wanted[name] <= each.high
                near[name] += each.low <= moves[name] <= each.high
                widths[name].append((each.high - each.low) / 2.0)
                if not each.low <= moves[name] <= each.high:
                    missed += 1
                    text = f"{moves[name]:.4f}, found {each.value:.4f} ({each.low:.4f} to {each.high:.4f})"
                    print(f"draw {number}: {name} is {text}", file=sys.stderr)
        together += not missed
    print("| constant | told | as it moves, within its interval | as set, within | half of it, median |")
    print("| --- | --: | --: | --: | --: |")
    for name in SEEN:
        half = f"{np.median(widths[name]):.2g}" if widths[name] else "-"
        counts = " | ".join(f"{count[name]} of {told[name]}" for count in (near, held))
        print(f"| `{name}` | {told[name]} of {draws} | {counts} | {half} |")
    print(f"\nAll that was told is within its interval, as it moves, in {together} of {draws} draws (95 % promised).")
    one, other = np.concatenate(before), np.concatenate(after)
    shares = np.array([np.median(b) / np.median(a) for a, b in zip(before, after, strict=True)])
    print(
        f"\nPosition after 5 s, {len(one)} windows of {draws} missions that were not used: median error "
        f"{np.median(one):.3f} m before, {np.median(other):.3f} m after "
        f"({100 * np.median(other) / np.median(one):.0f} %; "
        f"by mission {100 * shares.min():.0f} to {100 * shares.max():.0f} %)."
    )


if __name__ == "__main__":
    main()
