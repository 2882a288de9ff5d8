"""What a recording says of the fleet, for properties and metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.bus.messages import DiagnosticStatus, Int32Msg
from stressfield.errors import OracleError
from stressfield.oracle import Evidence, intervals
from stressfield.trace import Truth
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.mission import HospitalMission
from stressfield_studies.hospital.model import LOBBY_M


@dataclass(frozen=True, slots=True)
class Completion:
    """A robot said that it has serviced a room."""

    time_s: float
    robot: str
    room: int


@dataclass(frozen=True, slots=True)
class Contact:
    """Something touched a robot from a time to another."""

    start_s: float
    end_s: float
    robot: str
    where: str


def mission_of(evidence: Evidence) -> HospitalMission:
    """The mission; an OracleError if it is another study's."""
    mission = evidence.scenario.mission
    if not isinstance(mission, HospitalMission):
        raise OracleError(f"The hospital's oracle needs a HospitalMission, got {type(mission).__name__}.")
    return mission


def observed(evidence: Evidence) -> bool:
    """Whether there is any truth to judge."""
    return all(len(evidence.trace.truth(duty.robot)) for duty in mission_of(evidence).duties)


def completions(evidence: Evidence) -> list[Completion]:
    """All rooms reported as serviced, in order of time, each only once."""
    found: list[Completion] = []
    for duty in mission_of(evidence).duties:
        name = robot.topic(duty.robot, robot.ROOM_COMPLETED)
        if name in evidence.trace.topics:
            topic = evidence.trace.topic(name)
            for time_s, message in zip(topic.time_s.tolist(), topic.messages, strict=True):
                assert isinstance(message, Int32Msg)
                found.append(Completion(time_s, duty.robot, message.data))
    first: dict[int, Completion] = {}
    for completion in sorted(found, key=lambda completion: completion.time_s):
        first.setdefault(completion.room, completion)
    return list(first.values())


def report_of(evidence: Evidence) -> tuple[float, DiagnosticStatus] | None:
    """When and how the coordinator said that the mission ended."""
    if robot.REPORT not in evidence.trace.topics:
        return None
    topic = evidence.trace.topic(robot.REPORT)
    message = topic.messages[0]
    assert isinstance(message, DiagnosticStatus)
    return float(topic.time_s[0]), message


def home_distances_m(evidence: Evidence) -> dict[str, float]:
    """How far each robot really is from its charger at the end."""
    found = {}
    for duty in mission_of(evidence).duties:
        truth = evidence.trace.truth(duty.robot)
        found[duty.robot] = float(np.hypot(truth.x_m[-1] - duty.home.x_m, truth.y_m[-1] - duty.home.y_m))
    return found


def where(evidence: Evidence, x_m: float, y_m: float) -> str:
    """The sub-case of a place: at the chargers, in the corridor, in a room."""
    if x_m < LOBBY_M:
        return "1"
    corridor = evidence.scenario.world.region("corridor")
    return "2" if corridor.y_min_m <= y_m <= corridor.y_max_m else "3"


def pairs(evidence: Evidence) -> list[tuple[str, str]]:
    """Every two robots."""
    return list(combinations([duty.robot for duty in mission_of(evidence).duties], 2))


def gap_m(truth: Truth, other: Truth) -> Floats:
    """Signed distance between the outlines of two robots at every instant; negative is depth of overlap."""
    (x1, y1, a1), (x2, y2, a2) = _middle(truth), _middle(other)
    c, s = np.cos(a1), np.sin(a1)
    wx, wy = x2 - x1, y2 - y1
    dx, dy = wx * c + wy * s, wy * c - wx * s
    c, s = np.cos(a2 - a1), np.sin(a2 - a1)
    ex, ey = dx * c + dy * s, dy * c - dx * s
    hx, hy = robot.LENGTH_M / 2.0, robot.WIDTH_M / 2.0
    ac, as_ = np.abs(c), np.abs(s)
    reach_x, reach_y = hx + ac * hx + as_ * hy, hy + as_ * hx + ac * hy
    apart = np.maximum.reduce(
        [np.abs(dx) - reach_x, np.abs(dy) - reach_y, np.abs(ex) - reach_x, np.abs(ey) - reach_y]
    )  # fmt: skip
    corners = np.minimum(_corner_gap(dx, dy, c, s, hx, hy), _corner_gap(-ex, -ey, c, -s, hx, hy))
    return np.where(apart > 0.0, corners, apart)


def _middle(truth: Truth) -> tuple[Floats, Floats, Floats]:
    yaw = truth.yaw_rad
    return truth.x_m + robot.CENTRE_M * np.cos(yaw), truth.y_m + robot.CENTRE_M * np.sin(yaw), yaw


def _corner_gap(dx: Floats, dy: Floats, c: Floats, s: Floats, hx: float, hy: float) -> Floats:
    gaps = []
    for a, b in ((hx, hy), (hx, -hy), (-hx, hy), (-hx, -hy)):
        qx, qy = np.abs(dx + c * a - s * b) - hx, np.abs(dy + s * a + c * b) - hy
        gaps.append(np.where((qx > 0.0) & (qy > 0.0), np.hypot(qx, qy), np.maximum(qx, qy)))
    least: Floats = np.minimum.reduce(gaps)
    return least


def contacts(evidence: Evidence, names: Sequence[str], touching: Flags, truth: Truth) -> list[Contact]:
    """Stretches of touching, with where they began."""
    found = []
    for interval in intervals(truth.time_s, touching):
        at = int(np.searchsorted(truth.time_s, interval.start_s))
        place = where(evidence, float(truth.x_m[at]), float(truth.y_m[at]))
        found.append(Contact(interval.start_s, interval.end_s, " and ".join(names), place))
    return found


def robot_contacts(evidence: Evidence) -> list[Contact]:
    """When two robots touched each other."""
    found: list[Contact] = []
    order = [placed.robot.name for placed in evidence.scenario.world.robots]
    for name, other in pairs(evidence):
        a, b = evidence.trace.truth(name), evidence.trace.truth(other)
        touching = (
            (gap_m(a, b) < 0.0) | (a.touched_robot == order.index(other)) | (b.touched_robot == order.index(name))
        )
        found += contacts(evidence, (name, other), touching, a)
    return sorted(found, key=lambda contact: contact.start_s)


def wall_contacts(evidence: Evidence) -> list[Contact]:
    """When robots touched anything that stands on the floor."""
    found: list[Contact] = []
    for duty in mission_of(evidence).duties:
        truth = evidence.trace.truth(duty.robot)
        found += contacts(evidence, (duty.robot,), truth.touched_body >= 0, truth)
    return sorted(found, key=lambda contact: contact.start_s)
