"""A robot on rollers (mecanum) in MuJoCo: a box on casters without friction that is pushed ahead, sideways and about.

Rollers are not modelled one by one: MuJoCo's friction has no direction that turns with a wheel, and forty small bodies
would take more time than all the rest. Instead the ground pushes the robot at its frame's origin with a force that
grows with how much faster the wheels go than the robot, up to what the weight on the wheels and their grip allow. So it
is held by a wall while its wheels (and its odometry) go on, and slides on a slope that is too steep for it.
"""

from __future__ import annotations

import math

from stressfield.arrays import Floats
from stressfield.scenario import Scenario
from stressfield.sim.mujoco import _vehicle as v
from stressfield.sim.mujoco._drive import Wheels
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.rig import _motion_kernels as k
from stressfield.world import MecanumDrive, Robot

PUSH_PER_S = 400.0
"""How fast the ground closes the gap between wheels and robot; implicit integration keeps it stable."""

UPRIGHT_MIN = 0.7
"""Cosine of the tilt beyond which the wheels have left the ground and push no more."""

_AXES = ("ahead", "aside", "turn")


def axis_names(robot: Robot) -> tuple[str, ...]:
    """Of the actuators."""
    return tuple(f"{robot.name}/{axis}" for axis in _AXES)


def add_platform(spec: mujoco.MjSpec, base: mujoco.MjsBody, robot: Robot) -> None:
    """Chassis, casters, and what pushes."""
    drive = robot.drive
    assert isinstance(drive, MecanumDrive)
    v.add_chassis(base, robot, wheels=0)
    v.add_casters(base, robot)
    site = f"{robot.name}/wheels"
    base.add_site(name=site, pos=[0.0, 0.0, 0.0], group=v.HIDDEN_GROUP)
    grip = v.GRIP if robot.climb_max_rad is None else math.tan(robot.climb_max_rad)
    force_n = grip * robot.mass_kg * v.GRAVITY_MPS2
    inertia = robot.mass_kg / 12.0 * (robot.length_m**2 + robot.width_m**2)
    scales = (robot.mass_kg, robot.mass_kg, inertia)
    arm_m = math.hypot(drive.wheelbase_m, drive.track_m) / 2.0
    limits = (force_n, force_n, force_n * arm_m)
    for name, column, scale, limit in zip(axis_names(robot), (0, 1, 5), scales, limits, strict=True):
        push = spec.add_actuator(name=name, target=site, trntype=mujoco.mjtTrn.mjTRN_SITE)
        gear = [0.0] * 6
        gear[column] = 1.0
        push.gear = gear
        push.set_to_velocity(kv=scale * PUSH_PER_S)
        push.forcelimited, push.forcerange = True, [-limit, limit]


class Platform(Wheels):
    """The wheels turn as they are told; how much of it the robot follows is up to the ground."""

    def __init__(
        self, scenario: Scenario, robot: int, state: Floats, constants: Floats, model: Model, data: Data, seed: int
    ) -> None:
        super().__init__(scenario, robot, state, constants, model, data, seed)
        body = scenario.world.robots[robot].robot
        self._pushes = [int(model.actuator(name).id) for name in axis_names(body)]

    def _set_servos(self, control_s: float) -> None:
        s, data = self._state, self._data
        speed, side, turn = float(s[k.SPEED] + s[k.EXCESS]), float(s[k.SIDE]), float(s[k.TURN])
        s[k.WHEEL_PATH] += speed * control_s
        s[k.WHEEL_SIDE] += side * control_s
        s[k.WHEEL_ANGLE] += turn * control_s
        if self._slip_max > 0.0:
            first = 1.0 - k.slip_at(self._waves[0], s[k.X], s[k.Y], self._slip_max)
            second = 1.0 - k.slip_at(self._waves[1], s[k.X], s[k.Y], self._slip_max)
            speed, side, turn = speed * first, side * second, turn * (first + second) / 2.0
        speed, side, turn = speed * self._kept, side * self._kept, turn * self._kept
        _, i, j, _ = data.qpos[self._at + 3 : self._at + 7].tolist()
        if 1.0 - 2.0 * (i * i + j * j) < UPRIGHT_MIN:
            # As fast as it is: no force. A robot on its side has no wheels on the ground.
            speed, side, turn = data.actuator_velocity[self._pushes].tolist()
        for push, wanted in zip(self._pushes, (speed, side, turn), strict=True):
            data.ctrl[push] = wanted
