"""Deadlines: how late the rig was at each tick of a run that is paced by the wall clock."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from stressfield.errors import RigError
from stressfield.subject.pace import Pacing


@dataclass(frozen=True, slots=True)
class Lateness:
    """Of all ticks of a run: how late they were in seconds, and how many missed their deadline."""

    ticks: int
    p50_s: float
    p99_s: float
    worst_s: float
    missed: int
    deadline_s: float

    def __str__(self) -> str:
        p50_ms, p99_ms, worst_ms = (1e3 * value for value in (self.p50_s, self.p99_s, self.worst_s))
        late = f"late by {p50_ms:.1f} ms (p50), {p99_ms:.1f} ms (p99), {worst_ms:.0f} ms at worst"
        return f"{self.ticks:,} ticks {late}, {self.missed} missed the deadline of {self.deadline_s * 1e3:g} ms"


class Deadlines:
    """Counts ticks against the wall clock. A tick that comes early waits, and is late by nothing."""

    def __init__(self, pacing: Pacing) -> None:
        self._pacing = pacing
        self._late_s = array("d")
        self._missed = 0

    def due(self, lag_s: float, *, advice: str) -> None:
        """A tick that is so late (negative: early). RigError if that makes the run worthless; ``advice`` helps."""
        pacing = self._pacing
        self._late_s.append(max(0.0, lag_s))
        if lag_s > pacing.max_lag_s:
            raise RigError(
                f"The rig fell {lag_s:.1f} s behind the wall clock; wanted at most {pacing.max_lag_s:g} s. {advice}"
            )
        self._missed += lag_s > pacing.deadline_s
        if pacing.misses_max is not None and self._missed > pacing.misses_max:
            raise RigError(
                f"The rig missed the deadline of {pacing.deadline_s * 1e3:g} ms at {self._missed} of "
                f"{len(self._late_s):,} ticks; wanted at most {pacing.misses_max} misses. {advice}"
            )

    @property
    def lateness(self) -> Lateness | None:
        """How it went; None if nothing was paced."""
        if not self._late_s:
            return None
        late_s = np.frombuffer(self._late_s)
        p50_s, p99_s = np.quantile(late_s, [0.5, 0.99]).tolist()
        return Lateness(len(late_s), p50_s, p99_s, float(late_s.max()), self._missed, self._pacing.deadline_s)
