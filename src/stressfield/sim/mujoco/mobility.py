"""Whether the ground lets a robot go on: the simulator's own report of robots with limits."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.messages import DiagnosticStatus
from stressfield.sim.rig import _motion_kernels as k
from stressfield.world import Robot

WINDOW_S = 1.0
ASKED_MIN_M = 0.1
GAINED_SHARE = 0.2
"""A robot whose wheels went so far within the window, and which came less than this share of it, is stuck."""

_FREE, _STUCK, _TIPPED = (0, "free"), (1, "stuck"), (2, "tipped over")


class Mobility:
    """Looks at one robot at the end of every tick. It does not call it stuck while it pushes against a body."""

    def __init__(self, robot: Robot, state: NDArray[np.float64], tick_s: float) -> None:
        self._name, self._tip_rad = robot.name, robot.tip_max_rad
        self._state = state
        self._paths: list[tuple[float, float]] = []
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
        paths.append((float(s[k.WHEEL_PATH]), float(s[k.TRUE_PATH])))
        if len(paths) <= self._ticks:
            return _FREE
        wheels, ground = paths.pop(0)
        asked, gained = abs(s[k.WHEEL_PATH] - wheels), abs(s[k.TRUE_PATH] - ground)
        return _STUCK if asked > ASKED_MIN_M and gained < GAINED_SHARE * asked and not touching else _FREE
