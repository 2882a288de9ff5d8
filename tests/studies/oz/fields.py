"""Small fields, and drives through them written by hand: truth without a simulator."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from stressfield.bus import Message
from stressfield.bus.messages import DiagnosticStatus, Header, Point, Pose, PoseStamped, Quaternion, Time
from stressfield.oracle import Evidence, Verdict
from stressfield.run import Executed, execute
from stressfield.scenario import Options, Scenario
from stressfield.trace import Metadata, Recorder
from stressfield_studies.oz import study
from stressfield_studies.oz.mission import OzMission
from stressfield_studies.oz.model import OzWorld
from stressfield_studies.oz.robot import PERCEIVED, REPORT

STEP_S = 0.05
LENGTH_M = 8.0
PIVOT_M = 1.25
"""How far beyond the last plants a drive turns."""


def descriptor(
    *,
    roughness_m: float = 0.0,
    spacings_m: tuple[float, ...] = (0.7, 0.7),
    length_m: float = LENGTH_M,
    offsets_m: tuple[float, ...] | None = None,
    crop: str = "leek",
    growth: float = 0.5,
    plants_per_m: float = 5.0,
    noise_m: float = 0.0,
    missing: float = 0.0,
    weeds: tuple[int, float] = (0, 0.0),
    stakes: tuple[int, float] = (0, 0.0),
    gap_m: float = 0.0,
    hazards: int = 0,
    outer: tuple[bool, bool] = (True, True),
    side: str = "right",
) -> str:
    """A complete descriptor: by default three rows, 0.7 m apart, every lane weeded once, y growing from row to row."""
    rows = len(spacings_m) + 1
    offsets = offsets_m or (0.0,) * rows
    spacings = ",".join(map(str, spacings_m))
    first, final = (str(one).lower() for one in outer)
    return (
        f"{roughness_m}-({rows}-[{spacings}]-{length_m}-[{','.join(map(str, offsets))}]-({crop}-{growth})"
        f"-{plants_per_m}-{noise_m}-{missing}-({weeds[0]}-{weeds[1]})-({stakes[0]}-{stakes[1]})-{gap_m}-{hazards})"
        f"-({first}-{final}-{side})"
    )


def genotype(**choices: object) -> OzWorld:
    return OzWorld.create_from_descriptor(descriptor(**choices), np.random.default_rng(0))


def field(*, seed: int = 3, options: Options | None = None, **choices: object) -> Scenario:
    return study.scenario(descriptor(**choices), seed=seed, options=options)


def mission_of(scenario: Scenario) -> OzMission:
    assert isinstance(scenario.mission, OzMission)
    return scenario.mission


def run(scenario: Scenario, build: str = "fixed", *, seed: int = 5) -> Executed:
    """A real run, with simulator and navigator."""
    return execute(
        scenario,
        study.find_build(build).subject(scenario),
        study.find_simulator()(),
        seed=seed,
        timing=study.timing,
        ending=study.ending,
        metadata=Metadata(),
    )


class Drive:
    """A robot that does exactly what the test says. Starts before the first track, facing along it."""

    def __init__(self, scenario: Scenario, *, x_m: float = -1.15, y_m: float | None = None) -> None:
        self.scenario = scenario
        self.mission = mission_of(scenario)
        self.x, self.y, self.yaw = x_m, self.mission.tracks[0].y_m if y_m is None else y_m, 0.0
        self.rows: list[list[float]] = []
        self.said: list[tuple[str, int, int, Message]] = []
        self._sample(0.0, 0.0)

    @property
    def now(self) -> int:
        """The index of the newest sample."""
        return len(self.rows) - 1

    @property
    def time_s(self) -> float:
        return self.now * STEP_S

    def _sample(self, speed: float, rate: float) -> None:
        z, w = sin(self.yaw / 2), cos(self.yaw / 2)
        self.rows.append([self.x, self.y, 0.0, 0.0, 0.0, z, w, speed, rate, 0.5, -1.0])

    def go(self, distance_m: float, *, speed: float = 0.4) -> Drive:
        """Straight on; backwards if negative."""
        steps = max(1, round(abs(distance_m) / speed / STEP_S)) if distance_m else 0
        way = speed if distance_m > 0 else -speed
        for _ in range(steps):
            self.x += distance_m / steps * cos(self.yaw)
            self.y += distance_m / steps * sin(self.yaw)
            self._sample(way, 0.0)
        return self

    def go_to(self, x_m: float, *, speed: float = 0.4) -> Drive:
        """Along the rows to this x, facing it or backwards."""
        return self.go((x_m - self.x) * (1 if cos(self.yaw) > 0 else -1), speed=speed)

    def turn(self, angle_rad: float, *, rate: float = 0.6) -> Drive:
        steps = max(1, round(abs(angle_rad) / rate / STEP_S))
        for _ in range(steps):
            self.yaw += angle_rad / steps
            self._sample(0.0, rate if angle_rad > 0 else -rate)
        return self

    def slide(self, dy_m: float, *, along_m: float = 0.8, speed: float = 0.4) -> Drive:
        """On without turning, but drifting sideways."""
        ahead = 1 if cos(self.yaw) > 0 else -1
        steps = round(along_m / speed / STEP_S) if along_m else 10
        for _ in range(steps):
            self.x += ahead * along_m / steps
            self.y += dy_m / steps
            self._sample(speed if along_m else 0.0, 0.0)
        return self

    def stand(self, seconds: float) -> Drive:
        for _ in range(round(seconds / STEP_S)):
            self._sample(0.0, 0.0)
        return self

    def out(self, beyond_m: float = PIVOT_M) -> Drive:
        """To the end of the row and beyond the last plants."""
        east = cos(self.yaw) > 0
        return self.go_to(self.mission.row_length_m + beyond_m if east else -beyond_m)

    def uturn(self, to_y_m: float, *, turns: int = 2) -> Drive:
        """Turn round to another track in so many equal turns: with the ways out and in, 2 * turns + 1 manoeuvres."""
        shift = to_y_m - self.y
        left = (shift >= 0) == (cos(self.yaw) > 0)
        legs = sum(sin(k * pi / turns) for k in range(1, turns))
        for k in range(turns):
            self.turn(pi / turns if left else -pi / turns)
            if k < turns - 1:
                self.go(abs(shift) / legs, speed=0.25)
        return self

    def lanes(self, *lanes: int, turns: int = 2) -> Drive:
        """One pass along each of these lanes, with U-turns between, starting in front of the first."""
        for i, lane in enumerate(lanes):
            if i:
                self.uturn(self.track_y(lane), turns=turns)
            self.out()
        return self

    def track_y(self, lane: int) -> float:
        return next(track.y_m for track in self.mission.tracks if track.lane == lane)

    def touch(self, first: int, last: int | None = None, *, depth_m: float = 0.02, body: int = 0) -> Drive:
        """Say that the footprint overlapped a body from one sample to another."""
        for index in range(first, (first if last is None else last) + 1):
            self.rows[index][9:] = [-depth_m, float(body)]
        return self

    def report(self, text: str, *, level: int = 2, late_s: float = 0.0) -> Drive:
        """The robot reports now; the message arrives ``late_s`` later."""
        sent = round(self.time_s * 1e9)
        self.said.append((REPORT, sent, sent + round(late_s * 1e9), DiagnosticStatus(level, "navigation", text)))
        return self

    def believe(self, dx_m: float, dy_m: float) -> Drive:
        """From the start to now the robot believed to be this far from where it was."""
        for index, row in enumerate(self.rows):
            time_ns = round(index * STEP_S * 1e9)
            pose = Pose(Point(row[0] + dx_m, row[1] + dy_m, 0.0), Quaternion())
            self.said.append((PERCEIVED, time_ns, time_ns, PoseStamped(Header(Time.from_ns(time_ns), "map"), pose)))
        return self

    def evidence(self) -> Evidence:
        recorder = Recorder(["oz"])
        for index, row in enumerate(self.rows):
            recorder.observe(round(index * STEP_S * 1e9), np.array([row]))
        for one in self.said:
            recorder.record(*one)
        return Evidence(recorder.finish(Metadata(ending="completed")), self.scenario)

    def judged(self, name: str) -> Verdict:
        """The verdict of one property."""
        every = [one.name for one in study.oracle.properties]
        (verdict,) = study.oracle.judge(
            self.evidence(), include=[name], exclude=[other for other in every if other != name]
        )
        return verdict
