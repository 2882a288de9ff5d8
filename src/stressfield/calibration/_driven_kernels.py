"""The drive of the kinematic simulator alone, compiled: from commands to dead reckoning over a whole recording.

No ground, no bodies: what a robot on level ground would have done. The steps are those of a session
(:func:`stressfield.sim.rig._motion_kernels.drive`); a test holds both together.
"""

from __future__ import annotations

import math

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.rig._drive_kernels import (
    GIVEN,
    KIND,
    OMNI,
    ORDER_COLUMNS,
    STATE_COLUMNS,
    TRUE_SIDE,
    TRUE_SPEED,
    TRUE_TURN,
    command,
    roll_wheels,
    turn_wheels,
)


@kernel
def driven(robot: Floats, orders: Floats, at: Counts, steps: int, dt: float, waves: Floats) -> Floats:
    """Rows of x, y and yaw at the end of every step, from rest at zero. ``at`` says in which step an order acts."""
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
