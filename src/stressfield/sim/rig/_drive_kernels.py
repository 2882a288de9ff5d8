"""Compiled drives: from a command to the motion of the wheels, and from that to the motion over the ground.

The columns of robots in the arrays of all kernels are those of this file. Plain versions to compare with are in
:mod:`stressfield.sim.rig._reference`.
"""

from __future__ import annotations

import math

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats

# Columns of the state of a robot. Its frame: origin on the ground under the axle, x ahead, y left, z up.
X, Y, Z, ROLL, PITCH, YAW = 0, 1, 2, 3, 4, 5
SPEED, TURN = 6, 7  # of the wheels, after lag and limits
LAGGED_SPEED, LAGGED_TURN, TARGET_SPEED, TARGET_TURN, SILENT_STEPS = 8, 9, 10, 11, 12
EXCESS = 13  # speed gained down a slope (artefact I9)
TRUE_SPEED, TRUE_TURN = 14, 15  # of the robot over the ground, after slip and blocking
WHEEL_PATH, WHEEL_ANGLE, TRUE_PATH, TRUE_ANGLE = 16, 17, 18, 19  # integrals over the run
MOBILITY = 20  # FREE, STUCK (this tick) or TIPPED (for good)
SIDE, LAGGED_SIDE, TARGET_SIDE, TRUE_SIDE, WHEEL_SIDE, TRUE_DRIFT = 21, 22, 23, 24, 25, 26  # to the left, as above
STEER, LAGGED_STEER, TARGET_STEER = 27, 28, 29  # angle of steered wheels, to the left
SPEED_RATE, TURN_RATE, SIDE_RATE = 30, 31, 32  # accelerations of the wheels of a drive whose jerk is limited
ASKED_STEER_RATE, ASKED_ACCELERATION, ASKED_JERK = 33, 34, 35  # limits in the command itself; 0: none
STATE_COLUMNS = 36
FREE, STUCK, TIPPED = 0.0, 1.0, 2.0

# Columns of the constants of a robot. WHEEL_BASE is from left to right, AXLES from the rear to the front axle.
WHEEL_BASE, SPEED_MAX, TURN_MAX, SPEED_STEP, TURN_STEP, LAG_SHARE, WATCHDOG_STEPS = 0, 1, 2, 3, 4, 5, 6
HALF_LENGTH, HALF_WIDTH, OFFSET, HEIGHT = 7, 8, 9, 10
CLIMB_MAX, TIP_MAX, RISE_MAX, WHEEL_RADIUS = 11, 12, 13, 14
SLIP_MAX, OVERSPEED = 15, 16  # largest share lost to slip; whether slopes make it too fast (artefact I9)
KIND, TURN_SHARE, AXLES, STEER_MAX, STEER_STEP = 17, 18, 19, 20, 21
JERK_STEP, TURN_JERK_STEP = 22, 23  # by how much accelerations change in a substep at most; infinite: without limit
SLIP = 24  # share of wheel motion lost everywhere
ROBOT_COLUMNS = 25
TWO_WHEELS, CAR, OMNI = 0.0, 1.0, 2.0  # of KIND; tracks are two wheels with a TURN_SHARE below 1

# Columns of an order to a drive: whether there is one, and what it says.
GIVEN, TO_SPEED, TO_TURN, TO_SIDE, TO_STEER, BY_STEER_RATE, BY_ACCELERATION, BY_JERK = 0, 1, 2, 3, 4, 5, 6, 7
ORDER_COLUMNS = 8

GRAVITY_MPS2 = 9.81
COASTING_S = 0.25
"""Time constant in which the speed gained down a slope (artefact I9) fades."""


@kernel
def slip_at(waves: Floats, x: float, y: float, slip_max: float) -> float:
    """Share of wheel motion lost at a place: a smooth pattern between none and ``slip_max``."""
    total = 0.0
    for k in range(len(waves)):
        total += math.sin(waves[k, 0] * x + waves[k, 1] * y + waves[k, 2])
    return slip_max * min(max(0.5 + total / len(waves), 0.0), 1.0)


@kernel
def command(s: Floats, robot: Floats, order: Floats) -> None:
    """Take a command that arrived (speed and turn within what the drive can do), or count the silence."""
    if order[GIVEN] > 0.0:
        order[GIVEN] = 0.0
        if robot[KIND] == TWO_WHEELS:
            share = robot[SPEED_MAX] / abs(order[TO_SPEED]) if abs(order[TO_SPEED]) > robot[SPEED_MAX] else 1.0
            s[TARGET_SPEED] = order[TO_SPEED] * share
            s[TARGET_TURN] = min(max(order[TO_TURN] * share, -robot[TURN_MAX]), robot[TURN_MAX])
        elif robot[KIND] == CAR:
            s[TARGET_SPEED] = min(max(order[TO_SPEED], -robot[SPEED_MAX]), robot[SPEED_MAX])
            s[TARGET_STEER] = min(max(order[TO_STEER], -robot[STEER_MAX]), robot[STEER_MAX])
            s[ASKED_STEER_RATE] = order[BY_STEER_RATE]
            s[ASKED_ACCELERATION], s[ASKED_JERK] = order[BY_ACCELERATION], order[BY_JERK]
        else:
            # The wheel that turns fastest has the rim speed of all three together.
            rim = abs(order[TO_SPEED]) + abs(order[TO_SIDE]) + abs(order[TO_TURN]) * robot[AXLES]
            share = robot[SPEED_MAX] / rim if rim > robot[SPEED_MAX] else 1.0
            s[TARGET_SPEED] = order[TO_SPEED] * share
            s[TARGET_SIDE] = order[TO_SIDE] * share
            s[TARGET_TURN] = order[TO_TURN] * share
        s[SILENT_STEPS] = 0.0
    else:
        s[SILENT_STEPS] += 1.0
    if s[SILENT_STEPS] >= robot[WATCHDOG_STEPS]:
        # A car that is stopped keeps its wheels where they are: straightening them would change its way to the stop.
        s[TARGET_SPEED] = 0.0
        s[TARGET_TURN] = 0.0
        s[TARGET_SIDE] = 0.0


@kernel
def eased(value: float, rate: float, target: float, step: float, jerk_step: float, dt: float) -> tuple[float, float]:
    """One substep towards a target: the value and its rate (acceleration), which changes by ``jerk_step`` at most.

    The rate is the greatest from which it can still fall to zero, ``jerk_step`` by ``jerk_step``, by when the target is
    reached: then there is no overshoot. From a rate r, the sum on the way is r + (r - jerk_step) + ... down to zero.
    """
    if dt == 0.0:
        return value, rate
    gap = target - value
    sums = abs(gap) / dt / jerk_step  # of rates that are left to go, in jerk_steps
    steps = math.floor((math.sqrt(1.0 + 8.0 * sums) - 1.0) / 2.0)  # full ones on the way down to zero
    wanted = min(jerk_step * (sums / (steps + 1.0) + steps / 2.0), step / dt)
    if gap < 0.0:
        wanted = -wanted
    rate += min(max(wanted - rate, -jerk_step), jerk_step)
    return value + rate * dt, rate


@kernel
def follow(s: Floats, dt: float, of: int, lagged: int, rate: int, step: float, jerk: float) -> None:
    """Bring one number of the wheels nearer to what it is told: within its acceleration, and its jerk if it has one."""
    if jerk < math.inf:
        s[of], s[rate] = eased(s[of], s[rate], s[lagged], step, jerk, dt)
    else:
        s[of] += min(max(s[lagged] - s[of], -step), step)


@kernel
def turn_wheels(s: Floats, robot: Floats, dt: float) -> None:
    """Wheel motion for one substep: lag, acceleration and jerk limits, and the excess of artefact I9."""
    share = robot[LAG_SHARE]
    s[LAGGED_SPEED] += (s[TARGET_SPEED] - s[LAGGED_SPEED]) * share
    step, jerk = robot[SPEED_STEP], robot[JERK_STEP]
    if robot[KIND] == CAR:
        if s[ASKED_ACCELERATION] > 0.0:
            step = min(step, s[ASKED_ACCELERATION] * dt)
        if s[ASKED_JERK] > 0.0:
            jerk = min(jerk, s[ASKED_JERK] * dt)
        s[LAGGED_STEER] += (s[TARGET_STEER] - s[LAGGED_STEER]) * share
        by = robot[STEER_STEP]
        if s[ASKED_STEER_RATE] > 0.0:
            by = min(by, s[ASKED_STEER_RATE] * dt)
        s[STEER] += min(max(s[LAGGED_STEER] - s[STEER], -by), by)
        follow(s, dt, SPEED, LAGGED_SPEED, SPEED_RATE, step, jerk)
        s[TURN] = s[SPEED] * math.tan(s[STEER]) / robot[AXLES]
    else:
        s[LAGGED_TURN] += (s[TARGET_TURN] - s[LAGGED_TURN]) * share
        follow(s, dt, SPEED, LAGGED_SPEED, SPEED_RATE, step, jerk)
        follow(s, dt, TURN, LAGGED_TURN, TURN_RATE, robot[TURN_STEP], robot[TURN_JERK_STEP])
        if robot[KIND] == OMNI:
            s[LAGGED_SIDE] += (s[TARGET_SIDE] - s[LAGGED_SIDE]) * share
            follow(s, dt, SIDE, LAGGED_SIDE, SIDE_RATE, step, jerk)
    if robot[OVERSPEED] > 0.0:
        pull = GRAVITY_MPS2 * math.sin(s[PITCH])
        if s[SPEED] * pull <= 0.0:
            pull = 0.0
        s[EXCESS] += (pull - s[EXCESS] / COASTING_S) * dt


@kernel
def roll_wheels(s: Floats, robot: Floats, dt: float, waves: Floats) -> None:
    """True speed over the ground from the wheels: what they do, less what slips. Wheel odometry sees the wheels."""
    base, slip_max = robot[WHEEL_BASE], robot[SLIP_MAX]
    s[TRUE_SPEED] = s[SPEED] + s[EXCESS]
    s[TRUE_TURN] = s[TURN]
    s[WHEEL_PATH] += s[TRUE_SPEED] * dt
    s[WHEEL_ANGLE] += s[TRUE_TURN] * dt
    if robot[KIND] == OMNI:
        s[TRUE_SIDE] = s[SIDE]
        s[WHEEL_SIDE] += s[SIDE] * dt
    if slip_max > 0.0:
        if robot[KIND] == TWO_WHEELS:
            c, sn = math.cos(s[YAW]) * base / 2.0, math.sin(s[YAW]) * base / 2.0
            left = s[TRUE_SPEED] - s[TURN] * base / 2.0
            right = s[TRUE_SPEED] + s[TURN] * base / 2.0
            left *= 1.0 - slip_at(waves[0], s[X] - sn, s[Y] + c, slip_max)
            right *= 1.0 - slip_at(waves[1], s[X] + sn, s[Y] - c, slip_max)
            s[TRUE_SPEED] = (left + right) / 2.0
            s[TRUE_TURN] = (right - left) / base
        else:
            # Of a car the first pattern is grip of the wheels that drive, the second of those that steer; of rollers,
            # the first is that of the motion ahead, the second that of the motion sideways.
            first = 1.0 - slip_at(waves[0], s[X], s[Y], slip_max)
            second = 1.0 - slip_at(waves[1], s[X], s[Y], slip_max)
            s[TRUE_SPEED] *= first
            s[TRUE_SIDE] *= second
            s[TRUE_TURN] *= first * second if robot[KIND] == CAR else (first + second) / 2.0
    if robot[SLIP] > 0.0:
        s[TRUE_SPEED] *= 1.0 - robot[SLIP]
        s[TRUE_SIDE] *= 1.0 - robot[SLIP]
        s[TRUE_TURN] *= 1.0 - robot[SLIP]
    if robot[TURN_SHARE] != 1.0:
        s[TRUE_TURN] *= robot[TURN_SHARE]


@kernel
def driven(robot: Floats, orders: Floats, at: Counts, steps: int, dt: float, waves: Floats) -> Floats:
    """The drive alone, on level ground: rows of x, y and yaw from rest at zero; ``at``: in which step an order acts."""
    s = np.zeros(STATE_COLUMNS)
    order = np.zeros(ORDER_COLUMNS)
    out = np.empty((steps + 1, 3))
    x, y, yaw, due = 0.0, 0.0, 0.0, 0
    out[0] = 0.0
    for step in range(steps):
        while due < len(at) and at[due] <= step:
            order[:] = orders[due]
            order[GIVEN] = 1.0
            due += 1
        command(s, robot, order)
        turn_wheels(s, robot, dt)
        roll_wheels(s, robot, dt, waves)
        middle = yaw + s[TRUE_TURN] * dt / 2.0
        x += s[TRUE_SPEED] * dt * math.cos(middle)
        y += s[TRUE_SPEED] * dt * math.sin(middle)
        if robot[KIND] == OMNI:
            x -= s[TRUE_SIDE] * dt * math.sin(middle)
            y += s[TRUE_SIDE] * dt * math.cos(middle)
        yaw += s[TRUE_TURN] * dt
        out[step + 1] = x, y, yaw
    return out
