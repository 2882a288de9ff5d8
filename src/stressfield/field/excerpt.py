"""From a log to a test: the place, the start, the mission and the disturbances of a moment of a recording."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import isfinite
from pathlib import Path

import numpy as np

from stressfield._files.disk import make_folder, write_file
from stressfield.campaign import find_study
from stressfield.errors import InputError, TraceError
from stressfield.field.case import CASE, DISTURBANCES, PLAYED, RECORDED, STUDY, FieldCase, Start, write_case
from stressfield.field.scene import GRID, SeenPlace, place_from_grid, place_from_scans
from stressfield.fuzz import TestingSpace, Window, space_to_yaml
from stressfield.fuzz.operations import Blackhole
from stressfield.plugins import is_file, study_reference
from stressfield.run.recorded import GOAL, field_robots, field_topics_of, recorded_scenario, world_file
from stressfield.scenario import Scenario
from stressfield.study import Study
from stressfield.trace import Metadata, Topic, Trace, Truth, write_trace
from stressfield.trace.bags.bag import Bag
from stressfield.trace.bags.field_knowledge import OF_STUDY, UNKNOWN, FieldKnowledge
from stressfield.trace.bags.field_trace import FieldTrace, field_trace
from stressfield.world import export_world
from stressfield.world.formats import write_map

PERIODS, LEAST_SILENCE_S = 5.0, 0.5
"""A sensor is taken for disturbed if it was silent for so many usual periods, and so long."""
AT_REST_MPS = 0.02
MAP = "/map"
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What is asked for: a time of the recording (seconds, or by the clock), and how much around it."""

    at: str
    before_s: float = 20.0
    after_s: float = 10.0

    def __post_init__(self) -> None:
        for name in ("before_s", "after_s"):
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0.0):
                raise InputError(f"{name} is {value!r}. Wanted zero or more seconds.")


def write_field_case(
    study: str,
    bag: Path | str,
    folder: Path | str,
    moment: Moment,
    known: FieldKnowledge,
    *,
    kind: str = "seen",
    prop: str = "",
) -> FieldCase:
    """Write a moment of a recording as a test: a folder with an ordinary study, its world, mission and disturbances.

    ``known`` says how to read the recording, and where it was; if that is not known, the place is made from the map or
    the scans in it, whose things are of ``kind``. ``prop`` is the property that failed there.
    """
    folder, found = Path(folder), find_study(study)
    if folder.exists() and any(folder.iterdir()) and not (folder / CASE).exists():
        raise InputError(f"The folder {str(folder)!r} is neither empty nor a field case. Choose another with --out.")
    base = recorded_scenario(known, found, {}, {})
    with Bag.open(bag) as opened:
        wanted = [*field_topics_of(found, base), *([MAP] if MAP in opened.topics else [])]
        read = field_trace(opened, field_robots(base), wanted, known.topics, Metadata())
        made = _Excerpt(found, base, read, known, moment, Path(bag))
        make_folder(folder)
        case = made.case(_reference(study, folder), folder, kind, prop)
    made.write(folder, case)
    write_case(folder, case)
    write_file(folder / "README.md", _readme(case, made.silences).encode())
    return case


def _reference(study: str, folder: Path) -> str:
    """The study as the case names it: a path from its folder, so that both can be moved together."""
    name = study_reference(study)
    return os.path.relpath(name, folder.resolve()) if is_file(name) else name


class _Excerpt:
    """One moment of a recording."""

    def __init__(
        self, study: Study, base: Scenario, read: FieldTrace, known: FieldKnowledge, moment: Moment, bag: Path
    ) -> None:
        self._study, self._base, self._read, self._known, self._bag = study, base, read, known, bag
        self._at_s = time_of(moment.at, read)
        self._from_s = max(0.0, self._at_s - moment.before_s)
        self._until_s = min(read.trace.end_time_ns / 1e9, self._at_s + moment.after_s)
        self._trace = cut(read.trace, self._from_s, self._until_s)
        self._notes = list(read.notes)
        self._starts = tuple(self._start(placed.robot.name) for placed in base.world.robots)
        self.silences = self._silences()

    def case(self, study: str, folder: Path, kind: str, prop: str) -> FieldCase:
        """What the test is; the world is written on the way, if it has a file."""
        goal, limit_s = self._mission()
        case = FieldCase(
            name=f"field-{re.sub(r'[^A-Za-z0-9]+', '-', self._bag.stem).strip('-') or 'case'}-{self._at_s:.0f}s",
            study=study, descriptor=self._known.descriptor, seed=self._known.seed, bag=str(self._bag),
            began=self._read.began, from_s=round(self._from_s, 3), at_s=round(self._at_s, 3),
            until_s=round(self._until_s, 3), starts=self._starts, kind=kind, limit_s=round(limit_s, 3), goal_m=goal,
            property=prop, world=OF_STUDY if self._known.world == OF_STUDY else "",
        )  # fmt: skip
        if case.world != OF_STUDY:
            case = replace(case, world=self._place(folder, case))
        return replace(case, notes=tuple(dict.fromkeys(self._notes)))

    def write(self, folder: Path, case: FieldCase) -> None:
        """The excerpt itself, and what was silent in it."""
        commands = [topic for placed in self._base.world.robots for topic in placed.robot.drive.command_topics]
        there = [topic for topic in commands if topic in self._trace.topics]
        metadata = replace(self._trace.metadata, topics=there, descriptor=case.name, study=self._study.name)
        write_trace(replace(self._trace, metadata=metadata), folder / RECORDED)
        (folder / DISTURBANCES).unlink(missing_ok=True)
        if self.silences:
            space = TestingSpace(name="recorded", operations=tuple(self.silences))
            write_file(folder / DISTURBANCES, space_to_yaml(space).encode())

    def _start(self, robot: str) -> Start:
        truth = self._read.trace.robots.get(robot)
        if truth is None:
            self._notes.append(f"where {robot} was is not in the recording: it starts where the study puts it")
            placed = self._base.world.robot(robot)
            return Start(robot=robot, x_m=placed.x_m, y_m=placed.y_m, yaw_rad=placed.yaw_rad)
        first = int(np.searchsorted(truth.time_ns, round(self._from_s * 1e9)))
        first = min(first, len(truth) - 1)
        row = truth.values[first]
        if not np.isfinite(row[:7]).all():
            raise TraceError(
                f"Where {robot} was {self._from_s:.1f} s into the recording is not known. Begin at another time: "
                "--before."
            )
        speed = float(row[7]) if np.isfinite(row[7]) else 0.0
        if abs(speed) > AT_REST_MPS:
            rested = np.flatnonzero(np.abs(truth.speed_mps[: first + 1]) <= AT_REST_MPS)
            hint = (
                f"; it stood still {self._at_s - truth.time_s[rested[-1]]:.1f} s before the moment (--before)"
                if len(rested)
                else ""
            )
            self._notes.append(f"{robot} drove at {speed:.2f} m/s when the test begins, and starts at rest{hint}")
        yaw = float(truth.yaw_rad[first])
        return Start(robot=robot, x_m=float(row[0]), y_m=float(row[1]), yaw_rad=yaw, speed_mps=round(speed, 3))

    def _mission(self) -> tuple[tuple[float, float] | None, float]:
        """The goal, and the time that was left for it."""
        topics, told = self._known.topics, {}
        if topics.goal and (goals := self._read.trace.topics.get(topics.goal)) is not None:
            before = np.flatnonzero(goals.log_time_ns <= round(self._at_s * 1e9))
            if len(before):
                x, y = (float(goals.column(f"pose.position.{axis}")[before[-1]]) for axis in "xy")
                told = dict(zip(GOAL, topics.in_world(x, y), strict=True))
        mission = recorded_scenario(self._known, self._study, {}, told).mission
        goal = getattr(mission, "goal_m", None)
        if goal is None:
            self._notes.append("what the robot was asked to do is not known: the mission is the study's own")
        if isfinite(mission.limit_s):
            return goal, max(mission.limit_s - self._from_s, self._until_s - self._from_s)
        limit_s = 2.0 * (self._until_s - self._from_s)
        self._notes.append(f"how long the mission may take is not known: twice the excerpt, {limit_s:.1f} s")
        return goal, limit_s

    def _place(self, folder: Path, case: FieldCase) -> str:
        """Write the world, and say which file it is in."""
        robots = case.placed(self._base.world.robots)
        if self._known.world != UNKNOWN:
            path = Path(self._known.world)
            export_world(replace(world_file(path), robots=robots), self._base.mission, folder)
            self._notes.append(f"the place is {path.name}")
            return "world.sdf"
        seen = self._seen(case)
        write_map(seen.grid, folder)
        self._notes.append(
            f"the place was made from {seen.words}: what nobody saw is free, what moved is smeared, and all of it is "
            f"of the kind {case.kind!r}"
        )
        return "map.yaml"

    def _seen(self, case: FieldCase) -> SeenPlace:
        drawn = self._trace.topics.get(MAP) or self._read.trace.topics.get(MAP)
        if drawn is not None and drawn.ros_type == GRID and len(drawn):
            return place_from_grid(drawn, self._known.topics.origin)
        return place_from_scans(self._trace, case.placed(self._base.world.robots))

    def _silences(self) -> list[Blackhole]:
        """Sensors of the robots that fell silent: messages were lost there."""
        sensors = [sensor.topic for placed in self._base.world.robots for sensor in placed.robot.sensors]
        found = []
        for name in dict.fromkeys(sensors):
            topic = self._trace.topics.get(name)
            if topic is None:
                self._notes.append(f"{name} is not in the recording: the simulated sensor is undisturbed")
                continue
            found += [
                Blackhole(name=f"{name.strip('/').replace('/', '-')}-{number}", topics=(name,), when=window)
                for number, window in enumerate(silent_windows(topic, self._until_s - self._from_s), 1)
            ]
        return found


def silent_windows(topic: Topic, end_s: float) -> list[Window]:
    """When a topic was silent for long, as windows."""
    times = np.concatenate([[0.0], topic.time_s, [end_s]])
    steps = np.diff(times)
    usual_s = float(np.median(np.diff(topic.time_s))) if len(topic) > 2 else end_s
    long = steps > max(PERIODS * usual_s, LEAST_SILENCE_S)
    return [
        Window(start_s=round(float(times[place]), 3), end_s=round(float(times[place + 1]), 3))
        for place in np.flatnonzero(long).tolist()
    ]


def time_of(text: str, read: FieldTrace) -> float:
    """A moment in seconds of the recording: ``31.5``, ``12:31:05`` (UTC, as the recorder's clock), or ISO 8601."""
    end_s = read.trace.end_time_ns / 1e9
    start = datetime.fromtimestamp(read.start_ns / 1e9, UTC)
    clock = _CLOCK.fullmatch(text.strip())
    try:
        if clock is not None:
            hour, minute, second = int(clock[1]), int(clock[2]), float(clock[3] or 0.0)
            asked = start.replace(hour=hour, minute=minute, second=0, microsecond=0) + timedelta(seconds=second)
            asked += timedelta(days=1) if (start - asked).total_seconds() > 43_200 else timedelta()
            at_s = (asked - start).total_seconds()
        elif "T" in text or "-" in text.strip()[1:]:
            asked = datetime.fromisoformat(text.strip())
            at_s = ((asked if asked.tzinfo else asked.replace(tzinfo=UTC)) - start).total_seconds()
        else:
            at_s = float(text)
    except ValueError:
        raise InputError(
            f"Cannot read the time {text!r}. Wanted seconds of the recording (31.5), a time of day in UTC (12:31:05), "
            "or 2026-11-18T12:31:05+01:00."
        ) from None
    if not 0.0 <= at_s <= end_s:
        last = (start + timedelta(seconds=end_s)).strftime("%H:%M:%S")
        raise InputError(
            f"{text} is not in the recording, which is {end_s:.1f} s long: from {start:%Y-%m-%d %H:%M:%S} to {last} "
            "UTC."
        )
    return at_s


def cut(trace: Trace, from_s: float, until_s: float) -> Trace:
    """A part of a trace; its times begin with zero."""
    low, high = round(from_s * 1e9), round(until_s * 1e9)

    def inside(times: Sequence[int] | np.ndarray) -> slice:
        return slice(int(np.searchsorted(times, low)), int(np.searchsorted(times, high, side="right")))

    topics = {}
    for name, topic in trace.topics.items():
        part = inside(topic.log_time_ns)
        times = topic.log_time_ns[part] - low
        payloads = type(topic.payloads).of(topic.payloads.items()[part])
        topics[name] = replace(topic, log_time_ns=times, publish_time_ns=times, payloads=payloads, _said=None)
    robots = {}
    for name, truth in trace.robots.items():
        part = inside(truth.time_ns)
        robots[name] = Truth(truth.time_ns[part] - low, truth.values[part])
    return replace(trace, topics=topics, robots=robots)


def _readme(case: FieldCase, silences: Sequence[Blackhole]) -> str:
    failed = f" There `{case.property}` failed." if case.property else ""
    lines = [
        f"# {case.name}",
        "",
        f"{case.at_s:g} s into `{Path(case.bag).name}`, which began {case.began}.{failed}",
        f"The test begins {case.at_s - case.from_s:g} s before, with the robots where they were.",
        "",
        "```sh",
        f"stressfield run {STUDY} --worlds 1                  # the robot software, from that start",
        f"stressfield run {STUDY} --worlds 1 --build {PLAYED} # the commands of the recording instead",
        f"stressfield run {STUDY} --template r --worlds 20    # starts a little aside",
    ]
    if silences:
        lines.append(f"stressfield run {STUDY} --worlds 1 --disturb {DISTURBANCES}  # sensors silent as they were")
    lines += ["```", "", "## What was not known", ""]
    lines += [f"- {note}" for note in case.notes] or ["- nothing that the test needs"]
    return "\n".join([*lines, ""])
