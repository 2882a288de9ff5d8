"""When a device sends."""

from __future__ import annotations

from stressfield.errors import InputError


class Rhythm:
    """Due at the first tick in every period, whether or not periods are multiples of ticks; not at time zero."""

    def __init__(self, topic: str, rate_hz: float) -> None:
        if not 0.0 < rate_hz <= 1e6:
            raise InputError(f"The sensor on {topic!r} has a rate of {rate_hz!r} Hz; wanted more than zero, up to 1e6.")
        self._rate_hz = rate_hz
        self._period = 0

    def due(self, time_ns: int) -> bool:
        """Whether a new period has begun since it was last due."""
        period = int(time_ns * self._rate_hz / 1e9 + 1e-9)
        if period == self._period:
            return False
        self._period = period
        return True
