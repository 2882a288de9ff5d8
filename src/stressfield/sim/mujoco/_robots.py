"""Robots of the world in a model, each with the parts and the control that its drive asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from stressfield.arrays import Floats
from stressfield.errors import WorldError
from stressfield.scenario import Scenario
from stressfield.sim.mujoco._car import CarWheels, add_car
from stressfield.sim.mujoco._drive import TwoWheels, Wheels
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.mujoco._platform import Platform, add_platform
from stressfield.sim.mujoco._vehicle import add_frame, add_two_wheels
from stressfield.world import AckermannDrive, DifferentialDrive, Drive, MecanumDrive, PlacedRobot, Robot, SkidSteerDrive

AddParts: TypeAlias = Callable[[mujoco.MjSpec, mujoco.MjsBody, Robot], None]


class _Kind(NamedTuple):
    add: AddParts
    wheels: type[Wheels]


_KINDS: dict[type[Drive], _Kind] = {
    AckermannDrive: _Kind(add_car, CarWheels),
    DifferentialDrive: _Kind(add_two_wheels, TwoWheels),
    MecanumDrive: _Kind(add_platform, Platform),
    SkidSteerDrive: _Kind(add_two_wheels, TwoWheels),
}


def add_robot(spec: mujoco.MjSpec, placed: PlacedRobot, *, z_m: float) -> None:
    """Put a robot into the model, at its start."""
    kind = _kind_of(placed.robot)
    kind.add(spec, add_frame(spec, placed, z_m=z_m), placed.robot)


def wheels_of(
    scenario: Scenario, robot: int, state: Floats, constants: Floats, model: Model, data: Data, seed: int
) -> Wheels:
    """What controls a robot of the world in a session."""
    kind = _kind_of(scenario.world.robots[robot].robot)
    return kind.wheels(scenario, robot, state, constants, model, data, seed)


def _kind_of(robot: Robot) -> _Kind:
    kind = _KINDS.get(type(robot.drive))
    if kind is None:
        known = ", ".join(sorted(each.__name__ for each in _KINDS))
        raise WorldError(
            f"The robot {robot.name!r} has a {type(robot.drive).__name__}, which this simulator cannot move; it knows "
            f"{known}."
        )
    return kind
