"""A robot and those whom it may meet, over time; and what counts as an encounter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.errors import OracleError
from stressfield.oracle._approach import Approach, Outline, actor_outline, robot_outline
from stressfield.oracle.evidence import FARTHEST_M, Evidence
from stressfield.oracle.margin import Interval, Margin, intervals, mixed_times, time_base_equal
from stressfield.oracle.signal import Signal
from stressfield.world import Robot, Shape
from stressfield.world.drives import WheeledDrive

APART_S = 2.0
"""Nearness to one person that is interrupted for longer is two encounters."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A robot at every sample of its truth, and the others at the same samples."""

    times_s: Floats
    robot: Robot
    mine: Outline
    speed_mps: Floats
    others: Sequence[Outline]

    @classmethod
    def of(cls, run: Evidence, robot: str, to: tuple[str, ...]) -> Scene:
        """The robot and all of these: kinds of bodies and actors, names of actors and of other robots."""
        return cls._with(run, robot, list(_others(run, robot, to)))

    @classmethod
    def of_regions(cls, run: Evidence, robot: str, kind: str) -> Scene:
        """The robot and all regions of a kind, as boxes on the ground."""
        found = []
        for region in run.scenario.world.regions_of_kind(kind):
            centre = ((region.x_min_m + region.x_max_m) / 2.0, (region.y_min_m + region.y_max_m) / 2.0, 0.0)
            size = (region.x_max_m - region.x_min_m, region.y_max_m - region.y_min_m)
            found.append(_still(region.name, len(run._truth(robot)), centre, size, is_round=False))
        return cls._with(run, robot, found)

    @classmethod
    def _with(cls, run: Evidence, robot: str, others: Sequence[Outline]) -> Scene:
        truth, own = run._truth(robot), _on_wheels(run, robot)
        mine = robot_outline(truth, own)
        return cls(truth.time_s, own, mine, np.hypot(mine.vx_mps, mine.vy_mps), others)

    def approaches(self) -> Iterator[Approach]:
        """Those who ever come near enough to be measured."""
        reach_m = np.hypot(self.robot.length_m, self.robot.width_m) / 2.0 + FARTHEST_M
        for other in self.others:
            away = np.hypot(other.x_m - self.mine.x_m, other.y_m - self.mine.y_m)
            far = reach_m + np.hypot(other.half_x_m, other.half_y_m)
            if not bool((away > far).all()):  # also where a place is missing
                yield Approach.of(self.mine, self.robot, other)

    def signal(self, values: Floats, name: str, unit: str) -> Signal:
        """A quantity at the samples of this scene."""
        return Signal(self.times_s, values, f"{name} of {self.robot.name}", unit)


def stretches(times_s: Floats, near: Flags) -> list[Interval]:
    """The encounters: stretches of nearness, joined where they are no more than ``APART_S`` apart."""
    joined: list[Interval] = []
    for span in intervals(times_s, near):
        if joined and span.start_s - joined[-1].end_s <= APART_S:
            joined[-1] = Interval(joined[-1].start_s, span.end_s)
        else:
            joined.append(span)
    return joined


def counted(margin: Margin, encounters: int) -> Margin:
    """The plain margin with its encounters. Without any it is vacuous, unless it fails all the same."""
    vacuous = encounters == 0 and margin.holds is True
    return Margin(
        margin.value, margin.unit, margin.at_s, margin.violations, vacuous, margin.unsettled, encounters, margin.curve
    )  # fmt: skip


def _others(run: Evidence, robot: str, to: tuple[str, ...]) -> Iterator[Outline]:
    world, n = run.scenario.world, len(run._truth(robot))
    kinds, robots, actors = run._things(robot, to)
    for index in world.bodies.of_kind(*kinds).tolist() if kinds else ():
        body = world.bodies[index]
        place, size = (body.x_m, body.y_m, body.yaw_rad), (body.size_x_m, body.size_y_m)
        yield _still(body.name, n, place, size, is_round=body.shape is not Shape.BOX)
    for other in robots:
        mine, theirs = run._truth(robot), run._truth(other)
        if not time_base_equal(mine.time_ns, theirs.time_ns):
            raise OracleError(mixed_times(robot, mine.time_s, other, theirs.time_s))
        yield robot_outline(theirs, _on_wheels(run, other))
    for placed in (world.actors[i] for i in actors):
        yield actor_outline(run._actor(robot, placed.name), placed)


def _on_wheels(run: Evidence, name: str) -> Robot:
    """The robot, if its footprint is all that there is of it: of an arm, the foot alone would say nothing."""
    robot = run._robot(name)
    if not isinstance(robot.drive, WheeledDrive):
        raise OracleError(
            f"The properties for people look at footprints from above, and {name!r} is of a model file, whose bodies "
            f"reach and tilt. Measure it in space: run.clearance({name!r}, ...), with run.speed({name!r})."
        )
    return robot


def _still(
    name: str, samples: int, pose: tuple[float, float, float], size_m: tuple[float, float], *, is_round: bool
) -> Outline:
    x, y, yaw = (np.full(samples, value) for value in pose)
    nothing = np.zeros(samples)
    return Outline(
        name=name, x_m=x, y_m=y, yaw_rad=yaw, vx_mps=nothing, vy_mps=nothing,
        half_x_m=size_m[0] / 2.0, half_y_m=size_m[1] / 2.0, is_round=is_round,
    )  # fmt: skip
