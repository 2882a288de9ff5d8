"""Evidence: what a property may look at, the recording of a run and the scenario it was made in.

Distances are those between the robot's footprint and upright bodies, seen from above. Arrays: [samples, bodies].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.errors import OracleError, did_you_mean
from stressfield.oracle._neighbourhood import neighbourhoods
from stressfield.oracle.signal import Signal
from stressfield.scenario import Scenario
from stressfield.trace import Trace, Truth
from stressfield.world import Bodies, ReachMission, Robot, Shape


def footprint_clearance(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """Distance from the footprint to the nearest of the bodies ``which``, per sample; negative is depth of overlap."""
    nearest = np.full(len(truth), np.inf)
    for way, part, near in neighbourhoods(truth, robot, bodies, which):
        nearest[part] = plain_clearance(way, robot, bodies, near)
    return nearest


def plain_clearance(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """The same, by measuring all of them at every sample."""
    nearest = np.full(len(truth), np.inf)
    boxes = np.asarray(bodies.shape[which] == Shape.BOX)
    for chosen, distance in ((which[~boxes], _to_circles), (which[boxes], _to_boxes)):
        if len(chosen):
            nearest = np.minimum(nearest, distance(truth, robot, bodies, chosen).min(axis=1))
    return nearest


def _to_circles(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    along, across, _ = _in_robot_frame(truth, robot, bodies, which)
    gap = _to_box(along, across, robot.length_m / 2.0, robot.width_m / 2.0)
    return np.asarray(gap - bodies.size_x_m[which] / 2.0)


def _to_boxes(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """Apart: the nearest corner of one to the other. Overlapping: the least shift that would part them."""
    along, across, turn = _in_robot_frame(truth, robot, bodies, which)
    length, width = robot.length_m / 2.0, robot.width_m / 2.0
    half_x, half_y = bodies.size_x_m[which] / 2.0, bodies.size_y_m[which] / 2.0
    c, s = np.cos(turn), np.sin(turn)
    apart = np.full(along.shape, np.inf)
    for sx, sy in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
        corner = (along + sx * half_x * c - sy * half_y * s, across + sx * half_x * s + sy * half_y * c)
        apart = np.minimum(apart, _to_box(corner[0], corner[1], length, width))
        dx, dy = sx * length - along, sy * width - across
        apart = np.minimum(apart, _to_box(c * dx + s * dy, c * dy - s * dx, half_x, half_y))
    gaps = (
        np.abs(along) - length - half_x * np.abs(c) - half_y * np.abs(s),
        np.abs(across) - width - half_x * np.abs(s) - half_y * np.abs(c),
        np.abs(c * along + s * across) - half_x - length * np.abs(c) - width * np.abs(s),
        np.abs(c * across - s * along) - half_y - length * np.abs(s) - width * np.abs(c),
    )
    overlap = np.maximum.reduce(gaps)
    return np.where(overlap < 0.0, overlap, apart)


def _in_robot_frame(
    truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]
) -> tuple[Floats, Floats, Floats]:
    """Centres of bodies ahead and to the left of the footprint's centre, and how they are turned against it."""
    yaw = truth.yaw_rad[:, None]
    c, s = np.cos(yaw), np.sin(yaw)
    dx, dy = bodies.x_m[which] - truth.x_m[:, None], bodies.y_m[which] - truth.y_m[:, None]
    return c * dx + s * dy - robot.centre_offset_m, c * dy - s * dx, bodies.yaw_rad[which] - yaw


def _to_box(x: Floats, y: Floats, half_x: Floats | float, half_y: Floats | float) -> Floats:
    """Signed distance from points to a box about the origin."""
    out_x, out_y = np.abs(x) - half_x, np.abs(y) - half_y
    outside = np.hypot(np.maximum(out_x, 0.0), np.maximum(out_y, 0.0))
    return np.asarray(outside + np.minimum(np.maximum(out_x, out_y), 0.0))


GOAL = "goal"
FARTHEST_M = 10.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A trace and its scenario. No simulator and no subject: recordings can be judged anywhere.

    The methods give signals for ``always``, ``eventually`` and ``until``; all are about what really happened (the
    observer's view) except :meth:`signal`, which reads what was said on a topic.
    """

    trace: Trace
    scenario: Scenario

    def distance(self, robot: str, to: str | tuple[float, float]) -> Signal:
        """Metres from the robot's axle to a point, to the mission's ``"goal"``, or to another robot's axle."""
        truth = self.trace.truth(robot)
        x, y = self._place(to)
        name = f"distance from {robot} to {to if isinstance(to, str) else f'({to[0]:g}, {to[1]:g})'}"
        return Signal(truth.time_s, np.hypot(truth.x_m - x, truth.y_m - y), name, "m")

    def clearance(self, robot: str, *kinds: str, at_most_m: float = FARTHEST_M) -> Signal:
        """Metres between the robot's outline and the nearest body of these kinds; negative is depth of overlap.

        Without ``kinds``, the nearest solid body. Where nothing is nearer than ``at_most_m``, it reads ``at_most_m``.
        """
        truth, bodies = self.trace.truth(robot), self.scenario.world.bodies
        which = bodies.of_kind(*kinds) if kinds else np.flatnonzero(bodies.solid)
        gap = footprint_clearance(truth, self.scenario.world.robot(robot).robot, bodies, which)
        name = f"clearance from {robot} to {', '.join(kinds) or 'bodies'}"
        return Signal(truth.time_s, np.minimum(gap, at_most_m), name, "m")

    def room(self, robot: str, region: str = "limits") -> Signal:
        """Metres from the robot's axle to the border of a region, from inside; negative is outside."""
        truth, box = self.trace.truth(robot), self.scenario.world.region(region)
        x = np.minimum(truth.x_m - box.x_min_m, box.x_max_m - truth.x_m)
        y = np.minimum(truth.y_m - box.y_min_m, box.y_max_m - truth.y_m)
        return Signal(truth.time_s, np.minimum(x, y), f"room of {robot} in {region}", "m")

    def speed(self, robot: str) -> Signal:
        """Metres per second over ground; negative is backwards."""
        truth = self.trace.truth(robot)
        return Signal(truth.time_s, truth.speed_mps, f"speed of {robot}", "m/s")

    def signal(self, topic: str, path: str, *, unit: str = "") -> Signal:
        """One number of every message of a topic, at its arrival: ``signal("/cmd_vel", "linear.x", unit="m/s")``.

        A topic on which nothing was said gives no samples; of messages that arrive together the last counts.
        """
        name = f"{topic} {path}"
        if topic not in self.trace.topics or not len(self.trace.topics[topic]):
            return Signal(np.zeros(0), np.zeros(0), name, unit)
        times_s, values = self.trace.column(topic, path)
        last = np.append(np.diff(times_s) > 0.0, True)
        return Signal(times_s[last], values[last], name, unit)

    def _place(self, to: str | tuple[float, float]) -> tuple[float | Floats, float | Floats]:
        if not isinstance(to, str):
            return to
        if to in self.trace.robots:
            other = self.trace.truth(to)
            return other.x_m, other.y_m
        mission = self.scenario.mission
        if to == GOAL and isinstance(mission, ReachMission):
            return mission.goal_m
        known = [*self.trace.robots, *([GOAL] if isinstance(mission, ReachMission) else [])]
        raise OracleError(
            f"Cannot measure the distance to {to!r}. Wanted a point or one of: {', '.join(known)}."
            f"{did_you_mean(to, known)} For bodies use clearance(robot, kind)."
        )
