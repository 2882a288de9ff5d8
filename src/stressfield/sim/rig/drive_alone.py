"""The drive of the kinematic simulator alone: from commands to dead reckoning over a whole recording.

No ground, no bodies: what a robot on level ground would have done. The steps are those of a session
(:func:`stressfield.sim.rig._motion_kernels.drive`); a test holds both together.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stressfield.arrays import Counts, Floats
from stressfield.sim.order import Order
from stressfield.sim.rig._drive_kernels import ORDER_COLUMNS, TO_SIDE, TO_SPEED, TO_STEER, TO_TURN, driven
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
