"""The drive of one robot in a session: orders in, wheel speeds out, where the robot is, and whether it can go on."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus.message import Message
from stressfield.bus.messages import DiagnosticStatus
from stressfield.scenario import Scenario
from stressfield.sim.mujoco._engine import Data, Model
from stressfield.sim.mujoco._vehicle import wheel_names
from stressfield.sim.rig import _drive_kernels as d
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig.command import CommandLine
from stressfield.sim.rig.place import slip_waves
from stressfield.world import Robot
from stressfield.world.drives import WheeledDrive

CORRECTION = 0.1
"""Part of a wheel's error of speed by which its servo is set higher, every control step: no error stays."""

CORRECTION_MAX_RADPS = 2.0
"""Against wind-up: a wheel that is held fast must not spin when it comes free."""


class Wheels:
    """Lag, limits and watchdog of the drive are those of the kinematic simulator; the ground does the rest.

    ``state`` is the robot's row in the place that sensors look at: its pose is written there after every tick. Each
    kind of drive sets its own servos and reads its own encoders.
    """

    def __init__(
        self, scenario: Scenario, robot: int, state: Floats, constants: Floats, model: Model, data: Data, seed: int
    ) -> None:
        placed = scenario.world.robots[robot].robot
        drive = placed.drive
        assert isinstance(drive, WheeledDrive)
        # an artefact of another simulator has no place here: what it does to verdicts shows by this one's lack of it
        self._line = CommandLine(replace(drive, late_stop=False), placed.name, seed)
        self._state, self._constants, self._data = state, constants, data
        self._waves, self._slip_max = slip_waves(scenario.seed), drive.slip_max
        self._kept = 1.0 - drive.slip
        self._radius = drive.wheel_radius_m
        self._sideways = drive.is_omnidirectional
        free = model.joint(placed.name)
        self._at, self._moves = int(free.qposadr[0]), int(free.dofadr[0])
        self._order = np.zeros(d.ORDER_COLUMNS)
        self._before: tuple[list[float], list[float]] | None = None

    def hear(self, message: Message, time_ns: int) -> None:
        """A command arrived. Raises NotFiniteError for one that no drive can take (not finite)."""
        self._line.hear(message, time_ns)

    def switch(self, message: Message, time_ns: int) -> None:
        """The motors are switched on or off."""
        self._line.switch(message, time_ns)

    def control(self, now_ns: int, control_s: float) -> None:
        """Set the servos for the control step that starts now."""
        s, order = self._state, self._order
        for due in self._line.due(now_ns, now_ns):
            order[:3] = 1.0, due.speed_mps, due.turn_radps
            if due.more is not None:
                order[3:] = due.more
        d.command(s, self._constants, order)
        d.turn_wheels(s, self._constants, control_s)
        self._set_servos(control_s)

    def _set_servos(self, control_s: float) -> None:
        raise NotImplementedError

    def _encoders(self) -> list[float]:
        """What is counted between looks: angles of wheels."""
        return []

    def _count_wheels(self, now: list[float], then: list[float]) -> None:
        """Add to WHEEL_PATH and WHEEL_ANGLE what the encoders saw."""

    def look(self, truth: Floats, elapsed_s: float) -> None:
        """Write where the robot is, how fast, and how far its wheels and it have come since the last look."""
        s, data, at, dof = self._state, self._data, self._at, self._moves
        x, y, z, w, i, j, q = data.qpos[at : at + 7].tolist()
        vx, vy, vz = data.qvel[dof : dof + 3].tolist()
        rates = data.qvel[dof + 3 : dof + 6].tolist()
        ahead = (1.0 - 2.0 * (j * j + q * q), 2.0 * (i * j + w * q), 2.0 * (i * q - w * j))
        up = (2.0 * (i * q - w * j), 2.0 * (j * q + w * i), 1.0 - 2.0 * (i * i + j * j))
        yaw = math.atan2(ahead[1], ahead[0])
        speed = vx * ahead[0] + vy * ahead[1] + vz * ahead[2]
        turn = sum(u * r for u, r in zip(up, rates, strict=True))
        place, wheels = [x, y, z, yaw], self._encoders()
        if self._before is not None and elapsed_s > 0.0:
            was, had = self._before
            self._count_wheels(wheels, had)
            s[k.TRUE_PATH] += sum(a * (now - then) for a, now, then in zip(ahead, place, was, strict=False))
            s[k.TRUE_ANGLE] += math.remainder(place[3] - was[3], 2.0 * math.pi)
        total = speed
        if self._sideways:
            left = (2.0 * (i * j - w * q), 1.0 - 2.0 * (i * i + q * q), 2.0 * (j * q + w * i))
            s[k.TRUE_SIDE] = vx * left[0] + vy * left[1] + vz * left[2]
            total = math.hypot(speed, s[k.TRUE_SIDE])
            if self._before is not None and elapsed_s > 0.0:
                s[k.TRUE_DRIFT] += sum(a * (now - then) for a, now, then in zip(left, place, was, strict=False))
        s[k.X], s[k.Y], s[k.Z] = x, y, z
        s[k.ROLL], s[k.PITCH] = math.atan2(up[1], up[2]), math.asin(min(max(-ahead[2], -1.0), 1.0))
        s[k.YAW], s[k.TRUE_SPEED], s[k.TRUE_TURN] = yaw, speed, turn
        truth[0:9] = x, y, z, i, j, q, w, total, turn
        self._before = place, wheels


class TwoWheels(Wheels):
    """A motor for the left and one for the right wheel. Tracks are the same, but turn less than they say."""

    def __init__(
        self, scenario: Scenario, robot: int, state: Floats, constants: Floats, model: Model, data: Data, seed: int
    ) -> None:
        super().__init__(scenario, robot, state, constants, model, data, seed)
        self._base, self._turn_share = float(constants[d.WHEEL_BASE]), float(constants[d.TURN_SHARE])
        names = wheel_names(scenario.world.robots[robot].robot)
        self._motors = [Motor(model, data, side.wheel, side.motor) for side in names]
        self._grips = [self._kept, self._kept]

    def _set_servos(self, control_s: float) -> None:
        del control_s
        s = self._state
        speed, half = float(s[k.SPEED] + s[k.EXCESS]), float(s[k.TURN]) * self._base / 2.0
        if self._turn_share != 1.0:
            half *= self._turn_share  # what scrubbing leaves of the turn; the encoders see the whole of it
        self._grips = self._share_kept()
        for motor, rim, grip in zip(self._motors, (speed - half, speed + half), self._grips, strict=True):
            motor.turn(rim / self._radius * grip)

    def _share_kept(self) -> list[float]:
        """What slip leaves of the motion of the left and the right wheel, here."""
        most = self._slip_max
        if most <= 0.0:
            return [self._kept, self._kept]
        s, half = self._state, self._base / 2.0
        c, sn = math.cos(s[k.YAW]) * half, math.sin(s[k.YAW]) * half
        left = k.slip_at(self._waves[0], s[k.X] - sn, s[k.Y] + c, most)
        right = k.slip_at(self._waves[1], s[k.X] + sn, s[k.Y] - c, most)
        return [(1.0 - left) * self._kept, (1.0 - right) * self._kept]

    def _encoders(self) -> list[float]:
        return [motor.angle_rad for motor in self._motors]

    def _count_wheels(self, now: list[float], then: list[float]) -> None:
        s = self._state
        left, right = (
            (new - old) * self._radius / max(grip, 1e-3)  # what the encoder saw before slip took its share
            for new, old, grip in zip(now, then, self._grips, strict=True)
        )
        s[k.WHEEL_PATH] += (left + right) / 2.0
        turned = (right - left) / self._base
        s[k.WHEEL_ANGLE] += turned if self._turn_share == 1.0 else turned / self._turn_share


class Motor:
    """The speed servo of one wheel: set higher or lower until the wheel turns as it should."""

    def __init__(self, model: Model, data: Data, wheel: str, motor: str) -> None:
        joint = model.joint(wheel)
        self._spin, self._turned = int(joint.dofadr[0]), int(joint.qposadr[0])
        self._motor = int(model.actuator(motor).id)
        self._data = data
        self._correction = 0.0

    @property
    def angle_rad(self) -> float:
        """How far the wheel has turned."""
        return float(self._data.qpos[self._turned])

    def turn(self, wanted_radps: float) -> None:
        """Set the servo for the next control step."""
        off = self._correction + CORRECTION * (wanted_radps - float(self._data.qvel[self._spin]))
        self._correction = min(max(off, -CORRECTION_MAX_RADPS), CORRECTION_MAX_RADPS)
        self._data.ctrl[self._motor] = wanted_radps + self._correction


WINDOW_S = 1.0
ASKED_MIN_M = 0.1
GAINED_SHARE = 0.2
"""A robot whose wheels went so far within the window, and which came less than this share of it, is stuck."""

_FREE, _STUCK, _TIPPED = (0, "free"), (1, "stuck"), (2, "tipped over")


class Mobility:
    """Looks at one robot at the end of every tick. It does not call it stuck while it pushes against a body."""

    def __init__(self, robot: Robot, state: Floats, tick_s: float) -> None:
        self._name, self._tip_rad = robot.name, robot.tip_max_rad
        self._state = state
        self._paths: list[tuple[float, float, float, float]] = []
        self._ticks = max(1, round(WINDOW_S / tick_s))
        self._said = _FREE

    def look(self, *, touching: bool) -> DiagnosticStatus | None:
        """A message when its mobility changed."""
        now = self._mobility(touching)
        if now == self._said:
            return None
        self._said = now
        return DiagnosticStatus(now[0], "mobility", now[1], self._name)

    def _mobility(self, touching: bool) -> tuple[int, str]:
        s = self._state
        tilt = math.acos(min(1.0, max(-1.0, math.cos(s[k.PITCH]) * math.cos(s[k.ROLL]))))
        if self._tip_rad is not None and tilt > self._tip_rad:
            return _TIPPED
        paths = self._paths
        paths.append(tuple(s[[k.WHEEL_PATH, k.WHEEL_SIDE, k.TRUE_PATH, k.TRUE_DRIFT]].tolist()))
        if len(paths) <= self._ticks:
            return _FREE
        wheels, aside, ground, drift = paths.pop(0)
        asked = math.hypot(s[k.WHEEL_PATH] - wheels, s[k.WHEEL_SIDE] - aside)
        gained = math.hypot(s[k.TRUE_PATH] - ground, s[k.TRUE_DRIFT] - drift)
        return _STUCK if asked > ASKED_MIN_M and gained < GAINED_SHARE * asked and not touching else _FREE
