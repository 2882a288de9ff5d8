"""Who goes first: a robot waits for those of lower number that come near, but not for ever."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, hypot, pi

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.messages import PoseWithCovarianceStamped

NEAR_M = 0.6
TIGHT_M = 0.33
AHEAD_RAD = 0.6 * pi
FRESH_S = 1.0
CLOSING_MPS = 0.02
LONGEST_S = 6.0
PAUSE_S = 6.0
"""Longer than navigation is patient: two robots that block each other recover one day."""
_NOBODY = np.zeros((0, 4))


class RightOfWay:
    """Watches the poses that the ``others`` announce, and waits for those who go ``first``."""

    def __init__(self, others: tuple[str, ...], first: tuple[str, ...]) -> None:
        self.others = others
        self._first = first
        self._heard: dict[str, tuple[int, float, float, float, float]] = {}
        self._since_ns: int | None = None
        self._not_before_ns = 0

    def hearing(self, other: str) -> Callable[[PoseWithCovarianceStamped], None]:
        """What to do with another robot's pose: remember it, and how fast it moves."""

        def hear(message: PoseWithCovarianceStamped) -> None:
            place, stamp_ns = message.pose.pose.position, message.header.stamp.ns
            before = self._heard.get(other)
            vx = vy = 0.0
            if before is not None and stamp_ns > before[0]:
                dt = (stamp_ns - before[0]) / 1e9
                vx, vy = (place.x - before[1]) / dt, (place.y - before[2]) / dt
            self._heard[other] = (stamp_ns, place.x, place.y, vx, vy)

        return hear

    def must_wait(self, pose: NDArray[np.float64], now_ns: int) -> bool:
        """Whether to let another robot pass now."""
        heard = [self._heard[name] for name in self._first if name in self._heard]
        if now_ns < self._not_before_ns or not any(self._comes(neighbour, pose, now_ns) for neighbour in heard):
            self._since_ns = None
            return False
        if self._since_ns is None:
            self._since_ns = now_ns
        if now_ns - self._since_ns > LONGEST_S * 1e9:
            self._not_before_ns = now_ns + round(PAUSE_S * 1e9)
            return False
        return True

    def is_tight(self, pose: NDArray[np.float64]) -> bool:
        """Whether one of those who go first is so near that it takes room to let it pass."""
        heard = [self._heard[name] for name in self._first if name in self._heard]
        return any(hypot(x - pose[0], y - pose[1]) < TIGHT_M for _, x, y, _, _ in heard)

    def moving(self, now_ns: int) -> NDArray[np.float64]:
        """Where the others are now and how they move: x, y, vx, vy. Who has fallen silent is not there."""
        rows = []
        for stamp_ns, x, y, vx, vy in self._heard.values():
            age_s = (now_ns - stamp_ns) / 1e9
            if age_s <= FRESH_S:
                rows.append((x + vx * age_s, y + vy * age_s, vx, vy))
        return np.array(rows) if rows else _NOBODY

    @staticmethod
    def _comes(neighbour: tuple[int, float, float, float, float], pose: NDArray[np.float64], now_ns: int) -> bool:
        stamp_ns, x, y, vx, vy = neighbour
        dx, dy = x - pose[0], y - pose[1]
        distance = hypot(dx, dy)
        if now_ns - stamp_ns > FRESH_S * 1e9 or distance > NEAR_M:
            return False
        if distance < TIGHT_M:
            return bool(cos(atan2(dy, dx) - pose[2]) > 0.0)
        ahead = cos(atan2(dy, dx) - pose[2]) > cos(AHEAD_RAD)
        return bool(ahead and -(vx * dx + vy * dy) / max(distance, 1e-6) > CLOSING_MPS)
