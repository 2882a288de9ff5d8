"""Does a calibration find what a field is like? The field is MuJoCo with constants that the study does not know.

python benchmarks/calibration_truth.py                 20 draws of a field, each recorded as rosbag2, and a table
python benchmarks/calibration_truth.py --draws 2       fewer
python benchmarks/calibration_truth.py --field kinematic   a field without a physics of its own: the method alone

Every draw has other gains, lag, dead time, slip and biased odometry. The kinematic simulator is calibrated with one
recording; what it found is held against the truth, and its predictions against another mission that it has not seen.
Slip is no constant of its own in a recording: the truth of a gain is that of the motion over the ground, and the truth
of odometry is what it says of that motion. Both follow from the same mission without noise. And the
wheels of MuJoCo have servos and inertia behind the lag that is set: so beside what was set, the table has the constants
that come nearest to the field's motion when nothing is noisy, which is all that any recording could tell.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stressfield.calibration import CalibrationResult, calibrate
from stressfield.calibration.recordings import read_recordings
from stressfield.calibration.windows import Predictor, cut
from stressfield.model import template
from stressfield.run import execute
from stressfield.seeds import generator
from stressfield.trace import Metadata, Trace
from stressfield.trace.bags.rosbag2 import write_bag

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from course import Course, study

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

DRIVE, ODOMETER = "cart.drive.", "cart./odom."
WHEN = datetime(2026, 1, 1, tzinfo=UTC)
DURATION_S = 180.0
SEEN = ("speed_gain", "turn_gain", "lag_s", "dead_time_s", "distance_scale", "turn_scale")


def drawn(number: int) -> dict[str, float]:
    """The constants of one field."""
    rng = generator(20, "field", number)
    return {
        f"{DRIVE}speed_gain": float(rng.uniform(0.85, 1.1)),
        f"{DRIVE}turn_gain": float(rng.uniform(0.8, 1.1)),
        f"{DRIVE}lag_s": float(rng.uniform(0.15, 0.4)),
        # Whole control steps, as both simulators have them.
        f"{DRIVE}dead_time_s": 0.01 * int(rng.integers(3, 21)),
        f"{DRIVE}slip": float(rng.uniform(0.0, 0.08)),
        f"{ODOMETER}distance_scale": float(rng.uniform(0.94, 1.06)),
        f"{ODOMETER}turn_scale": float(rng.uniform(0.94, 1.06)),
    }


def driven(constants: Mapping[str, float], seed: int, field: str) -> Trace:
    """A mission in the field."""
    descriptor = template(Course, {"duration_s": DURATION_S})
    scenario = study.scenario(descriptor, seed=seed, options=dict(constants))
    done = execute(
        scenario, study.builds[0].subject(scenario), study.find_simulator(field)(), seed=seed,
        timing=study.timing_of(dict(constants)), ending=study.ending, metadata=Metadata(),
    )  # fmt: skip
    return done.trace


def truth(constants: Mapping[str, float], seed: int, field: str) -> tuple[dict[str, float], dict[str, float]]:
    """What a calibration should find in the motion over the ground: as set, and nearest to it without noise."""
    quiet = {f"{ODOMETER}{name}": 0.0 for name in ("distance_noise", "turn_noise")}
    quiet |= {f"cart./pose.{name}": 0.0 for name in ("position_noise_m", "attitude_noise_rad")}
    trace = driven({**constants, **quiet}, seed, field)
    with TemporaryDirectory() as folder:
        result = calibrate(str(EXAMPLES / "course.py"), [write_bag(trace, Path(folder) / "quiet", start=WHEN)])
    robot, wheels = trace.truth("cart"), trace.topic("/odom")
    times = wheels.time_s
    yaw = np.unwrap(robot.yaw_rad)
    x, y, turned = (np.interp(times, robot.time_s, each) for each in (robot.x_m, robot.y_m, yaw))
    middle = turned[:-1] + np.diff(turned) / 2
    way = np.diff(x) * np.cos(middle) + np.diff(y) * np.sin(middle)
    speed, turn = wheels.column("twist.twist.linear.x"), wheels.column("twist.twist.angular.z")
    said, said_turn = speed[1:] * np.diff(times), turn[1:] * np.diff(times)
    # What odometry says of the way over the ground: its own scale, and what slipped.
    scale = float((said**2).sum() / (said * way).sum())
    turn_scale = float((said_turn**2).sum() / (said_turn * np.diff(turned)).sum())
    as_set = {
        "speed_gain": constants[f"{DRIVE}speed_gain"] * constants[f"{ODOMETER}distance_scale"] / scale,
        "turn_gain": constants[f"{DRIVE}turn_gain"] * constants[f"{ODOMETER}turn_scale"] / turn_scale,
        "lag_s": constants[f"{DRIVE}lag_s"],
        "dead_time_s": constants[f"{DRIVE}dead_time_s"],
        "distance_scale": scale,
        "turn_scale": turn_scale,
    }
    return as_set, {each.name.rpartition(".")[2]: each.value for each in result.suggestions}


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
    parser.add_argument("--field", choices=tuple(study.simulators), default="mujoco")
    draws, field = (getattr(parser.parse_args(), name) for name in ("draws", "field"))
    held, near = dict.fromkeys(SEEN, 0), dict.fromkeys(SEEN, 0)
    told = dict.fromkeys(SEEN, 0)
    widths: dict[str, list[float]] = {name: [] for name in SEEN}
    before, after = [], []
    for number in range(draws):
        constants = drawn(number)
        with TemporaryDirectory() as folder:
            for name, seed in (("seen", 2 * number), ("unseen", 2 * number + 1)):
                write_bag(driven(constants, seed, field), Path(folder) / name, start=WHEN)
            result = calibrate(str(EXAMPLES / "course.py"), [Path(folder) / "seen"])
            off = unseen_errors(result, Path(folder) / "unseen")
        before.append(off[0])
        after.append(off[1])
        wanted, closest = truth(constants, 2 * number, field)
        for each in result.suggestions:
            name = each.name.rpartition(".")[2]
            if name in held:
                told[name] += 1
                held[name] += each.low <= wanted[name] <= each.high
                near[name] += each.low <= closest.get(name, np.nan) <= each.high
                widths[name].append((each.high - each.low) / 2.0)
                if not each.low <= wanted[name] <= each.high:
                    text = f"{wanted[name]:.4f}, found {each.value:.4f} ({each.low:.4f} to {each.high:.4f})"
                    print(f"draw {number}: {name} is {text}", file=sys.stderr)
    print("| constant | told | as set, within its 95 % interval | nearest to the motion, within | half of it, median |")
    print("| --- | --: | --: | --: | --: |")
    for name in SEEN:
        half = f"{np.median(widths[name]):.2g}" if widths[name] else "-"
        counts = " | ".join(f"{count[name]} of {told[name]}" for count in (held, near))
        print(f"| `{name}` | {told[name]} of {draws} | {counts} | {half} |")
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
