"""A car in MuJoCo: four sprung wheels, of which the rear ones are driven and the front ones are steered.

Each front wheel is steered by its own servo, the inner one more, and each rear wheel has its own motor, the inner one
slower, so that all four roll about one point (Ackermann's geometry). What they lose to the ground is real.
"""

from __future__ import annotations

import math

from stressfield.arrays import Floats
from stressfield.scenario import Scenario
from stressfield.sim.mujoco import _vehicle as v
from stressfield.sim.mujoco._drive import Motor, Wheels
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.rig import _motion_kernels as k
from stressfield.world import AckermannDrive, Robot

STEERING_INERTIA_SHARE = 0.05
"""Inertia of a steered wheel about its upright axis, as a part of the robot's mass times the square of its radius."""

STEERING_PER_S = 60.0
"""How fast the servo of the steering closes the gap: much faster than drivers ask it to."""

FREE_ARMATURE_SHARE = 0.02
FRONT_MIN = 0.1
"""Least part of the weight on an axle: springs of one that carries none would have no stiffness."""


def steering_names(robot: Robot) -> tuple[str, str]:
    """Of the hinges that the front wheels are steered with, left and right."""
    return f"{robot.name}/front_left_steering", f"{robot.name}/front_right_steering"


def add_car(spec: mujoco.MjSpec, base: mujoco.MjsBody, robot: Robot) -> None:
    """Chassis, wheels, motors and steering."""
    drive = robot.drive
    assert isinstance(drive, AckermannDrive)
    v.add_chassis(base, robot, wheels=4)
    on_front = min(max(robot.centre_offset_m / drive.wheelbase_m, FRONT_MIN), 1.0 - FRONT_MIN)
    weight_n = robot.mass_kg * v.GRAVITY_MPS2
    steering = steering_names(robot)
    inertia = STEERING_INERTIA_SHARE * robot.mass_kg * drive.wheel_radius_m**2
    for n, (names, place) in enumerate(zip(v.wheel_names(robot), drive.wheels, strict=True)):
        front = n >= 2
        wheel = v.add_sprung_body(base, robot, names, place, weight_n * (on_front if front else 1.0 - on_front) / 2.0)
        if front:
            name = steering[n - 2]
            wheel.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0], armature=inertia)
            servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            servo.set_to_position(kp=inertia * STEERING_PER_S**2, kv=2.0 * inertia * STEERING_PER_S)
        armature = v.armature(robot) * (FREE_ARMATURE_SHARE if front else 1.0)
        v.add_tyre(wheel, robot, names, armature, _grip(robot, 1.0 - on_front))
        if not front:
            v.add_motor(spec, robot, names)


def _grip(robot: Robot, on_rear: float) -> float:
    """What it takes to climb as steep as the robot is said to with its rear wheels, or that of rubber."""
    return v.GRIP if robot.climb_max_rad is None else math.tan(robot.climb_max_rad) / on_rear


class CarWheels(Wheels):
    """Speeds of the rear wheels and angles of the front ones, from one speed and one angle."""

    def __init__(
        self, scenario: Scenario, robot: int, state: Floats, constants: Floats, model: Model, data: Data, seed: int
    ) -> None:
        super().__init__(scenario, robot, state, constants, model, data, seed)
        body = scenario.world.robots[robot].robot
        assert isinstance(body.drive, AckermannDrive)
        self._axles, self._track = body.drive.wheelbase_m, body.drive.track_m
        self._motors = [Motor(model, data, names.wheel, names.motor) for names in v.wheel_names(body)[:2]]
        self._servos = [int(model.actuator(name).id) for name in steering_names(body)]
        self._steered = [int(model.joint(name).qposadr[0]) for name in steering_names(body)]
        self._grip, self._bite = self._kept, 1.0

    def _set_servos(self, control_s: float) -> None:
        del control_s
        s = self._state
        if self._slip_max > 0.0:
            self._grip = (1.0 - k.slip_at(self._waves[0], s[k.X], s[k.Y], self._slip_max)) * self._kept
            self._bite = 1.0 - k.slip_at(self._waves[1], s[k.X], s[k.Y], self._slip_max)
        speed, bend = float(s[k.SPEED] + s[k.EXCESS]), math.tan(float(s[k.STEER])) * self._bite / self._axles
        half = self._track / 2.0
        for motor, servo, y in zip(self._motors, self._servos, (half, -half), strict=True):
            motor.turn(speed * (1.0 - y * bend) / self._radius * self._grip)
            self._data.ctrl[servo] = math.atan2(bend * self._axles, 1.0 - y * bend)

    def _encoders(self) -> list[float]:
        angles = [float(self._data.qpos[at]) for at in self._steered]
        return [*(motor.angle_rad for motor in self._motors), *angles]

    def _count_wheels(self, now: list[float], then: list[float]) -> None:
        """The way is that of the rear wheels, the turn what the angle of the front wheels makes of it."""
        s = self._state
        path = sum(new - old for new, old in zip(now[:2], then[:2], strict=True)) / 2.0 * self._radius
        path /= max(self._grip, 1e-3)  # what the encoders saw before slip took its share
        s[k.WHEEL_PATH] += path
        half, bends = self._track / 2.0, []
        for angle, y in zip(now[2:], (half, -half), strict=True):
            slope = math.tan(angle) / self._axles
            bends.append(slope / (1.0 + y * slope))
        s[k.WHEEL_ANGLE] += path * sum(bends) / 2.0 / max(self._bite, 1e-3)
