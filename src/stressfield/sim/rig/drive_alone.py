"""The drive of the kinematic simulator alone: from commands to dead reckoning over a whole recording.

No ground, no bodies: what a robot on level ground would have done. The steps are those of a session
(:func:`stressfield.sim.rig._motion_kernels.drive`); a test holds both together.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.order import Order
from stressfield.sim.rig._drive_kernels import (
    GIVEN,
    KIND,
    OMNI,
    ORDER_COLUMNS,
    STATE_COLUMNS,
    TO_SIDE,
    TO_SPEED,
    TO_STEER,
    TO_TURN,
    TRUE_SIDE,
    TRUE_SPEED,
    TRUE_TURN,
    command,
    roll_wheels,
    turn_wheels,
)
from stressfield.sim.rig.place import robot_row, slip_waves
from stressfield.world import Robot
from stressfield.world.drives import WheeledDrive

NO_WAVES = slip_waves(0)


def order_row(order: Order) -> Floats:
    """What a drive is told, as the kernel takes it."""
    row = np.zeros(ORDER_COLUMNS)
    row[TO_SPEED], row[TO_TURN] = order.speed_mps, order.turn_radps
    if order.more is not None:
        row[3:] = order.more
    return row


def moves(orders: Floats) -> Floats:
    """How much motion each row of orders asks for; zero is rest."""
    asked: Floats = np.abs(orders[:, [TO_SPEED, TO_TURN, TO_SIDE]]).max(axis=1)
    return asked


def dead_reckoned(robot: Robot, order_s: Floats, orders: Floats, *, steps: int, step_s: float) -> Floats:
    """Rows of x, y and yaw at the end of every step, from rest at zero: with the gains of the drive, at once.

    Its dead time makes all of that come later as a whole. Slip that depends on the place is left out: nobody knows it.
    """
    drive = robot.drive
    assert isinstance(drive, WheeledDrive)
    row = robot_row(replace(robot, drive=replace(drive, slip_max=0.0)), step_s)
    gains = np.ones(ORDER_COLUMNS)
    gains[[TO_SPEED, TO_SIDE]], gains[[TO_TURN, TO_STEER]] = drive.speed_gain, drive.turn_gain
    # An order acts from the first step at or after its arrival on, as in a session.
    at: Counts = np.ceil(order_s / step_s - 1e-9).astype(np.int64)
    return driven(row, orders * gains, at, steps, step_s, NO_WAVES)


@kernel
def driven(robot: Floats, orders: Floats, at: Counts, steps: int, dt: float, waves: Floats) -> Floats:
    """As :func:`dead_reckoned`, without gains; ``at`` says in which step an order acts."""
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
