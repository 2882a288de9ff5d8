"""The robot's motion against the simulated one, window by window, and whether it is still what it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from stressfield.calibration.estimate import LOST_SHARE
from stressfield.calibration.recordings import FASTEST
from stressfield.errors import InputError, TraceError
from stressfield.trace.bags.field_trace import FieldTrace
from stressfield.twin.announcements import ERROR, OK, WARN, Told, alarm_words, drift_told, residuals_told
from stressfield.twin.drift import LEAST_BASELINE, Alarm, DriftDetector
from stressfield.twin.residuals import Residuals
from stressfield.twin.shadow import TOO_FAST, Residual, Shadow
from stressfield.twin.stream import Stream
from stressfield.twin.watch import TwinWatch

WAIT_S = 0.3
"""After the end of a window: what is a little late still counts."""
FEW = 5
"""Windows that tell whether this is the robot at all."""


class MotionWatch:
    """Compares every window of a stream as soon as it is over, and tells drift. ``read`` gives its last seconds."""

    def __init__(self, stream: Stream, shadow: Shadow, watch: TwinWatch, read: Callable[[float], FieldTrace]) -> None:
        self._stream, self._shadow, self._watch, self._read = stream, shadow, watch, read
        self._next_ns: int | None = None
        self.residuals = Residuals()
        self.detector: DriftDetector | None = None
        if watch.baseline:
            self.detector = self._made(watch.baseline)
        self.drift = ""
        """How it stands with drift, in words."""
        self._learned_s = 0.0
        self._fast = self._moving = 0
        self._missed: list[float] = []
        """By how much of the motion each window was off, while it learns."""

    def hear(self, now_ns: int) -> list[Told]:
        """It is now that late in the stream: windows that are over are compared. What is to be told of that."""
        told: list[Told] = []
        if self._next_ns is None:
            self._next_ns = now_ns + round((self._shadow.needs_s + WAIT_S) * 1e9)
        while now_ns >= self._next_ns:
            told += self._window(self._next_ns - round(WAIT_S * 1e9))
            self._next_ns += round(self._watch.window_s * 1e9)
        return told

    def _window(self, end_ns: int) -> list[Told]:
        """Compare the window that ended then."""
        assert self._stream.first_ns is not None
        end_s = (end_ns - self._stream.first_ns) / 1e9
        try:
            # one window more than it takes, for messages that came out of order
            read = self._read((self._stream.last_ns - end_ns) / 1e9 + self._shadow.needs_s + self._watch.window_s)
            found = self._shadow.look(read.trace, (end_ns - read.start_ns) / 1e9 - self._watch.window_s)
        except TraceError as error:
            found = Residual(0.0, {}, why=str(error))
        found = replace(found, time_s=end_s)
        self.residuals.append(found)
        if found.why == TOO_FAST:
            self._fast += 1
            self._refuse_another_robot()
        self._moving += bool(found.values)
        return [*residuals_told(found.values), self._drift(found)]

    def _refuse_another_robot(self) -> None:
        """InputError if it moves as this robot cannot, in most windows in which it moves."""
        fast, moving = self._fast, self._fast + self._moving
        if fast >= FEW and 2 * fast > moving:
            raise InputError(
                f"{self._stream.name!r} is not of {self._shadow.robot.name}: it went faster than "
                f"{self._shadow.fastest_mps:.3g} m/s in {fast} of {moving} windows, {FASTEST:g} times what its drive "
                "does. Give this robot's stream, or map another pose."
            )

    def refuse_lost(self) -> None:
        """InputError if the motion from which is to be learned has nothing to do with the commands."""
        if self.detector is None and len(self._missed) >= FEW and np.median(self._missed) > LOST_SHARE:
            raise InputError(
                f"The motion in {self._stream.name!r} does not follow the commands: the windows to learn from are off "
                f"by {100 * np.median(self._missed):.0f} % of the motion. Another robot, another topic of commands, or "
                "clocks that do not agree?"
            )

    def _drift(self, found: Residual) -> Told:
        if self.detector is None:
            level, words = self._learn(found)
            self.drift = words
            return drift_told(level, words)
        raised = self.detector.add(found.time_s, found.values)
        on = self.detector.on
        levels = {name: f"{self.detector.level(name):.3g}" for name in self.detector.signals}
        if on:
            self.drift = "; ".join(alarm_words(alarm) for alarm in raised) or f"still: {', '.join(on)}"
            return drift_told(ERROR, self.drift, levels)
        self.drift = found.why or "none"
        return drift_told(OK, self.drift, levels)

    def _learn(self, found: Residual) -> tuple[int, str]:
        if (share := found.missed_share) is not None:
            self._missed.append(share)
        if found.time_s < self._watch.learn_s:
            return WARN, f"learning until {self._watch.learn_s:g} s"
        known = self.residuals.columns(until_s=found.time_s)
        if min((len(values) for values in known.values()), default=0) < LEAST_BASELINE:
            return WARN, f"learning until there are {LEAST_BASELINE} windows in motion"
        self.refuse_lost()
        self.detector = self._made(known)
        self._learned_s, self._missed = found.time_s, []
        return OK, "learned"

    def _made(self, baseline: Mapping[str, Sequence[float]]) -> DriftDetector:
        return DriftDetector(baseline, windows_between=self._watch.false_alarm_every_s / self._watch.window_s)

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """All that were raised."""
        return () if self.detector is None else tuple(self.detector.alarms)

    @property
    def learned(self) -> int:
        """Windows of the baseline."""
        if self.detector is None:
            return 0
        known = self._watch.baseline or self.residuals.columns(until_s=self._learned_s)
        return len(next(iter(known.values()), ()))

    @property
    def watched(self) -> int:
        """Windows in motion that were watched for drift."""
        if self.detector is None:
            return 0
        return self.residuals.in_motion(since_s=0.0 if self._watch.baseline else self._learned_s)
