"""Is the robot still the one that it was? A detector of drift that raises a false alarm no more often than it is told.

Each window has a residual for each signal. How odd one is, is its rank among those of a *baseline*, windows of the same
robot while all was well: if nothing has changed, every rank is as likely, whatever the residuals look like. From ranks
to a bet: ``0.5 / sqrt(p)`` has a mean of at most 1 for such ranks (an e-value), and is large for an odd one. Bets are
run through the rule of Shiryaev and Roberts, ``R <- (R + 1) * bet``, with an alarm at ``R >= A``: then false alarms are
``A`` windows apart on average, or more (Shin, Ramdas and Rinaldo, *E-detectors*, 2023). Each of the signals has a
detector of its own, with ``A`` times as many.

What it rests on: that windows of an unchanged robot are like those of the baseline. A baseline of straight stretches
says nothing of turns.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Floats
from stressfield.errors import InputError

LEAST_BASELINE = 20
"""Windows: with fewer, no single rank is odd enough to bet on."""
STAYS = 10
"""Windows for which an alarm stays on after it was raised last."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """One signal is not what it was, since about ``since_s``; ``typical`` is its median residual since then."""

    signal: str
    at_s: float
    since_s: float
    typical: float
    usual: float
    """The median of the baseline."""


class DriftDetector:
    """Ranks residuals among a baseline and bets on what is odd. ``baseline``: residuals by signal."""

    def __init__(self, baseline: Mapping[str, Sequence[float]], *, windows_between: float) -> None:
        if not windows_between >= 1.0:
            raise InputError(f"False alarms cannot be {windows_between!r} windows apart. Wanted 1 or more.")
        fewest = min((len(values) for values in baseline.values()), default=0)
        if fewest < LEAST_BASELINE:
            raise InputError(
                f"The baseline has {fewest} windows in motion; wanted at least {LEAST_BASELINE}. Let the robot drive "
                "longer while all is well (--learn-s), or give recordings of earlier days (--baseline)."
            )
        self._sorted: dict[str, Floats] = {
            name: np.sort(np.asarray(values, np.float64)) for name, values in baseline.items()
        }
        self.threshold = windows_between * len(self._sorted)
        self._levels = dict.fromkeys(self._sorted, 0.0)
        self._since_s = dict.fromkeys(self._sorted, 0.0)
        self._since: dict[str, array[float]] = {name: array("d") for name in self._sorted}
        """Residuals since a change most likely began, if there was one."""
        self._won = dict.fromkeys(self._sorted, 0.0)
        self._left = dict.fromkeys(self._sorted, 0)
        self.alarms: list[Alarm] = []

    @property
    def signals(self) -> tuple[str, ...]:
        """What it watches."""
        return tuple(self._sorted)

    def usual(self, signal: str) -> tuple[float, float]:
        """Between which residuals most of the baseline is: all but one in a hundred."""
        low, high = np.quantile(self._sorted[signal], [0.005, 0.995]).tolist()
        return low, high

    def rank(self, signal: str, value: float) -> float:
        """The chance of a residual as odd, on either side, if nothing has changed."""
        known = self._sorted[signal]
        below = int(np.searchsorted(known, value, side="right"))
        above = len(known) - int(np.searchsorted(known, value, side="left"))
        return min(1.0, 2.0 * (1 + min(below, above)) / (len(known) + 1))

    def add(self, time_s: float, values: Mapping[str, float]) -> list[Alarm]:
        """The residuals of one more window; the alarms that it raises."""
        raised = []
        for name, value in values.items():
            if name not in self._sorted:
                continue
            bet = 0.5 / math.sqrt(self.rank(name, value))
            before = self._levels[name]
            level = (before + 1.0) * bet
            # when it most likely began: since then the bets have won the most
            won = self._won[name] + math.log(bet)
            if won <= 0.0:
                won, self._since[name] = 0.0, array("d")
            else:
                if not self._since[name]:
                    self._since_s[name] = time_s
                self._since[name].append(value)
            self._won[name] = won
            self._left[name] = max(0, self._left[name] - 1)
            if level >= self.threshold:
                raised.append(self._alarm(name, time_s, value))
                level, self._since[name], self._won[name], self._left[name] = 0.0, array("d"), 0.0, STAYS
            self._levels[name] = level
        self.alarms += raised
        return raised

    def _alarm(self, name: str, time_s: float, value: float) -> Alarm:
        usual, since = float(np.median(self._sorted[name])), self._since[name]
        begin_s = self._since_s[name] if since else time_s
        return Alarm(name, time_s, begin_s, float(np.median(since or [value])), usual)

    def level(self, signal: str) -> float:
        """How near to an alarm: 1 raises it."""
        return self._levels[signal] / self.threshold

    @property
    def on(self) -> tuple[str, ...]:
        """Signals whose alarm is on."""
        return tuple(name for name, left in self._left.items() if left)
