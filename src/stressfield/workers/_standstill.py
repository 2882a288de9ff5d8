"""Standstill: when this process could not run, though it wanted to."""

from __future__ import annotations

import time

LATE_S = 2.0
"""The supervisor does little and looks up often. If it comes so much later than it wanted to, it was not running, nor
was anybody else: the processes were frozen, or the machine was."""


class StandstillClock:
    """Notices when this process was not running though it wanted to: frozen by a signal, or with the whole machine.

    Time that a machine sleeps is counted by one clock of Linux and not by the other, so it is seen in their
    difference; while only processes are frozen, both run on, so it is seen in being late.
    """

    def __init__(self) -> None:
        self._asleep_s = self._sleeps()

    def pass_until(self, wanted_s: float) -> tuple[float, bool]:
        """Called whenever something was done that should be over by ``wanted_s``: how late it is, if that is strange,
        and whether anything stood still.
        """
        now_s, asleep_s = time.monotonic(), self._sleeps()
        late_s = now_s - wanted_s
        slept = asleep_s - self._asleep_s > LATE_S
        self._asleep_s = asleep_s
        return (late_s, True) if late_s > LATE_S else (0.0, slept)

    @staticmethod
    def _sleeps() -> float:
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)
