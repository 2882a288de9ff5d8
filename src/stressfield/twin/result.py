"""What came of a twin, when its stream has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stressfield.analysis.monitors import MonitorScore
from stressfield.oracle import Outcome, Verdict
from stressfield.twin.drift import Alarm
from stressfield.twin.health import TopicHealth
from stressfield.twin.live_verdicts import LiveVerdict
from stressfield.twin.shadow import Residual


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinResult:
    """What came of it."""

    study: str
    source: str
    seconds: float
    verdicts: tuple[LiveVerdict, ...]
    others: tuple[Verdict, ...]
    """Of properties that are switched off."""
    residuals: Sequence[Residual]
    alarms: tuple[Alarm, ...]
    learned: int
    """Windows of the baseline."""
    watched: int
    """Windows in motion that were watched for drift."""
    unknown: Mapping[str, int]
    """Windows of which nothing is known, by the reason."""
    health: Mapping[str, TopicHealth]
    silent: tuple[str, ...]
    """Topics of the study on which nothing came."""
    monitors: tuple[MonitorScore, ...]
    notes: tuple[str, ...]
    suggestions: tuple[str, ...]

    @property
    def failed(self) -> bool:
        """A property is violated, or the robot has drifted."""
        return bool(self.alarms) or any(live.verdict.outcome is Outcome.FAIL for live in self.verdicts)

    @property
    def nothing_judged(self) -> bool:
        """No property came to a verdict, and no window was watched for drift: nothing was said about the robot."""
        return not self.watched and all(live.verdict.outcome is Outcome.INCONCLUSIVE for live in self.verdicts)
