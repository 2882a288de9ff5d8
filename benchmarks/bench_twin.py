#!/usr/bin/env python
"""How soon the twin sees a fault that begins at a known time, and how often it sees one that is not there.

Every recording is of a robot that drives about at random, with a drive and sensors that the simulation beside it does
not know exactly (lag, wheel slip, noise). At a known time nothing happens, its odometer begins to measure too much, its
commands begin to arrive late, or its wheels begin to slip. Each is written as an MCAP file and played to the twin as
fast as it goes; the baseline are other recordings of the same robot. ``--recordings 200`` is what the page shows.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

import stressfield as sf
from stressfield._files.disk import write_file
from stressfield.analysis import clopper_pearson
from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import Odometry, Twist
from stressfield.seeds import generator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.trace import Metadata
from stressfield.trace.topic import recorded
from stressfield.trace.writer import encode_topics
from stressfield.twin import Playback, Twin, TwinResult, Watch, accompany

FAULTS = ("none", "odometry scale", "delayed commands", "slipping")
SCALE, DELAY_S, SLIP = 1.10, 0.3, 0.15
START_NS = 1_789_000_000 * 1_000_000_000


class Ground(sf.Element):
    """An empty floor."""

    size_m: float = sf.real(100.0, 200.0, unit="m", default=100.0)


def build(_ground: Ground, _rng: sf.Rng) -> sf.Scenario:
    world = sf.World.flat(400.0, 400.0).with_robot("cart", sf.robots.diff_drive(), at=(200.0, 200.0))
    return sf.Scenario(world, sf.Mission(limit_s=3600.0))


oracle = sf.Oracle("course")


@oracle.property("speed", sf.MOVEMENT_THRESHOLD, "Keeps its speed limit")
def speed(run: sf.Evidence) -> sf.oracle.Margin:
    return sf.always(run.speed("cart") <= 2.0)


study = sf.Study(name="course", model=Ground, build=build, subject=sf.Node, oracle=oracle)


@dataclass(frozen=True, slots=True)
class Driven:
    """A recording: its file, and when the fault began."""

    path: Path
    fault: str
    at_s: float


def drive(path: Path, *, seed: int, fault: str, length_s: float, at_s: float) -> Driven:
    """A robot that is not quite the simulated one drives about; what it was told and what it measured is kept."""
    rng = generator(seed, "course")
    scenario = study.scenario("r", seed=seed)
    placed = scenario.world.robots[0]
    real = replace(placed.robot, drive=replace(placed.robot.drive, lag_s=0.12, slip_max=0.06))
    scenario = replace(scenario, world=replace(scenario.world, robots=(replace(placed, robot=real),)))
    session = KinematicSimulator().open(scenario, seed=seed)
    commands: list[tuple[int, Message]] = []
    odometry: list[tuple[int, Message]] = []
    sent: list[Stamped] = []
    until_s, order = 0.0, (0.0, 0.0)
    odometer = _Odometer(scale_from_s=at_s if fault == "odometry scale" else math.inf)
    while session.time_ns < length_s * 1e9:
        now_s = session.time_ns / 1e9
        if session.time_ns % 100_000_000 == 0:
            if now_s >= until_s:
                until_s = now_s + float(rng.uniform(1.0, 4.0))
                stop = rng.random() < 0.15
                turn = 0.0 if rng.random() < 0.4 else float(rng.uniform(-0.8, 0.8))
                order = (0.0, 0.0) if stop else (float(rng.uniform(0.2, 0.8)), turn)
            commands.append((session.time_ns, Twist.drive(*order)))
            faulty = now_s >= at_s
            lost = 1.0 - SLIP if faulty and fault == "slipping" else 1.0
            late_ns = round(DELAY_S * 1e9) if faulty and fault == "delayed commands" else 0
            sent.append(Stamped("/cmd_vel", session.time_ns + late_ns, Twist.drive(order[0] * lost, order[1])))
        due = [one for one in sent if one.time_ns < session.time_ns + session.tick_ns]
        sent = [one for one in sent if one.time_ns >= session.time_ns + session.tick_ns]
        for topic, time_ns, message in session.step(due):
            if topic == "/odom" and isinstance(message, Odometry):
                odometry.append((time_ns, odometer.measured(message, time_ns / 1e9)))
    session.close()
    topics = []
    for name, said in (("/cmd_vel", commands), ("/odom", odometry)):
        times = np.array([START_NS + time_ns for time_ns, _ in said], np.int64)
        topics.append(recorded(name, type(said[0][1]), times, times, [message for _, message in said]))
    write_file(path, encode_topics(topics, Metadata()))
    return Driven(path, fault, at_s)


class _Odometer:
    """Adds up what an odometer tells, each part of the way too long from some time on."""

    def __init__(self, *, scale_from_s: float) -> None:
        self._from_s = scale_from_s
        self._last: Odometry | None = None
        self._shift = np.zeros(2)

    def measured(self, message: Odometry, time_s: float) -> Odometry:
        place = message.pose.pose.position
        if self._last is not None and time_s >= self._from_s:
            before = self._last.pose.pose.position
            self._shift += (SCALE - 1.0) * np.array([place.x - before.x, place.y - before.y])
        self._last = message
        return replace_place(message, float(place.x + self._shift[0]), float(place.y + self._shift[1]))


def replace_place(message: Odometry, x_m: float, y_m: float) -> Odometry:
    import msgspec  # noqa: PLC0415

    change = msgspec.structs.replace
    pose = message.pose.pose
    place = change(pose.position, x=x_m, y=y_m)
    return change(message, pose=change(message.pose, pose=change(pose, position=place)))


def played(driven: Driven, watch: Watch) -> TwinResult:
    """What the twin says of a recording, played as fast as it goes."""
    twin = Twin(study, source=str(driven.path), watch=watch)
    accompany(twin, Playback(driven.path, rate=math.inf))
    return twin.finish()


def residuals(results: Sequence[TwinResult]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for result in results:
        for residual in result.residuals:
            for name, value in residual.values.items():
                found.setdefault(name, []).append(value)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", type=int, default=200, help="how many, a quarter of each kind")
    parser.add_argument("--length-s", type=float, default=150.0)
    parser.add_argument("--fault-s", type=float, default=90.0)
    parser.add_argument("--baseline", type=int, default=6, help="recordings of the baseline")
    parser.add_argument("--false-alarm-every-s", type=float, default=3600.0)
    asked = parser.parse_args(arguments)
    begin_s = perf_counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)

        def made(seed: int, fault: str) -> Driven:
            return drive(folder / f"{seed}.mcap", seed=seed, fault=fault, length_s=asked.length_s, at_s=asked.fault_s)

        learning = Watch(look_s=0.0, learn_s=1e9)
        well = [played(made(10_000 + number, "none"), learning) for number in range(asked.baseline)]
        watch = Watch(look_s=0.0, baseline=residuals(well), false_alarm_every_s=asked.false_alarm_every_s)
        windows = len(next(iter(watch.baseline.values())))
        rows, false, driven_s = {fault: [] for fault in FAULTS}, 0, 0.0
        for number in range(asked.recordings):
            fault = FAULTS[number % len(FAULTS)]
            driven = made(number, fault)
            result = played(driven, watch)
            driven.path.unlink()
            sound_s = asked.length_s if fault == "none" else asked.fault_s
            early = [alarm for alarm in result.alarms if alarm.at_s < sound_s]
            false += len(early)
            driven_s += sum(bool(each.values) and each.time_s < sound_s for each in result.residuals)
            late = [alarm for alarm in result.alarms if alarm.at_s >= driven.at_s]
            rows[fault].append(late[0].at_s - driven.at_s if late and fault != "none" else None)
            print(f"\r{number + 1} of {asked.recordings}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{asked.recordings} recordings of {asked.length_s:g} s, a quarter without a fault, the others with one from")
    print(f"{asked.fault_s:g} s on; a baseline of {windows} windows of other recordings.")
    print()
    print("| fault | recordings | seen | delay, median | delay, 90 % |")
    print("| --- | ---: | ---: | ---: | ---: |")
    words = {
        "odometry scale": f"odometry {100 * (SCALE - 1):.0f} % too long",
        "delayed commands": f"commands {DELAY_S:g} s late",
        "slipping": f"wheels slip, {100 * SLIP:.0f} % of the way lost",
    }
    for fault, name in words.items():
        delays = [delay for delay in rows[fault] if delay is not None]
        shown = [f"{np.quantile(delays, q):.0f} s" if delays else "-" for q in (0.5, 0.9)]
        print(f"| {name} | {len(rows[fault])} | {len(delays)} | {shown[0]} | {shown[1]} |")
    high = clopper_pearson(min(false, int(driven_s)), int(driven_s)).high
    promised = driven_s / asked.false_alarm_every_s
    print()
    hours = driven_s / 3600
    print(f"False alarms: {false} in {hours:.1f} h of sound driving, where at most {promised:.1f} were promised (one")
    print(f"every {asked.false_alarm_every_s / 60:g} min); so they are {1.0 / high / 60:.0f} min apart or more, with")
    print("97.5 % confidence.")
    print(f"Took {perf_counter() - begin_s:.0f} s.", file=sys.stderr)


if __name__ == "__main__":
    main()
