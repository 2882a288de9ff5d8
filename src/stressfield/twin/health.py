"""How the messages of a topic come: what was late, missing or out of order. Nothing is ever filled in."""

from __future__ import annotations

from dataclasses import dataclass

LATE_S = 0.5
"""A message is late if it took so much longer from its stamp to here than the quickest on its topic did."""
GAP_S, GAP_PERIODS = 1.0, 10.0
"""Something is missing if a topic pauses for so long, and for as many of its usual periods."""
STAYS = 20
"""Messages in a row that are all late, or all early, by about as much: then the clock that stamps them was set."""


@dataclass(slots=True)
class TopicHealth:
    """How one topic came."""

    messages: int = 0
    out_of_order: int = 0
    """Messages that are older than one before them, by their stamps or by the clock of the source."""
    late: int = 0
    early: int = 0
    """Messages with stamps of the future, measured by the quickest."""
    clock_set: int = 0
    """How often stamps moved against the time of reception, and stayed there."""
    gaps: int = 0
    longest_gap_s: float = 0.0
    dropped: int = 0
    """Messages that are of no use: from another time, of another type than those before, or with impossible values."""

    @property
    def words(self) -> str:
        """What was odd; empty if nothing was."""
        told = [
            (self.out_of_order, f"{self.out_of_order} out of order"),
            (self.late, f"{self.late} late"),
            (self.early, f"{self.early} stamped in the future"),
            (self.clock_set, f"its clock was set {self.clock_set} times"),
            (self.gaps, f"{self.gaps} pauses, the longest of {self.longest_gap_s:.1f} s"),
            (self.dropped, f"{self.dropped} dropped"),
        ]
        return ", ".join(words for count, words in told if count)


@dataclass(slots=True)
class TopicPace:
    """What has to be known of the past to tell how the next message comes."""

    health: TopicHealth
    first_ns: int = 0
    last_ns: int = -1
    _last_stamp_ns: int = -1
    _quickest_ns: int | None = None
    """From stamp to reception."""
    _odd_ns: int = 0
    """The quickest of those in a row that are off by more than ``LATE_S``."""
    _odd: int = 0

    def count(self, time_ns: int, stamp_ns: int | None) -> None:
        """A message that came then, made at ``stamp_ns`` if it says so."""
        behind = time_ns < self.last_ns or (stamp_ns is not None and stamp_ns < self._last_stamp_ns)
        if stamp_ns is not None:
            self._count_delay(time_ns - stamp_ns, stamp_ns)
        self.health.out_of_order += behind
        self._count_pause(time_ns)
        self.last_ns = max(self.last_ns, time_ns)
        self.health.messages += 1

    def _count_delay(self, took_ns: int, stamp_ns: int) -> None:
        if self._quickest_ns is None:
            self._quickest_ns = took_ns
        off_ns = took_ns - self._quickest_ns
        if abs(off_ns) <= LATE_S * 1e9:
            self._quickest_ns, self._odd = min(self._quickest_ns, took_ns), 0
            self._last_stamp_ns = max(self._last_stamp_ns, stamp_ns)
            return
        self.health.late += off_ns > 0
        self.health.early += off_ns < 0
        if off_ns > 0:  # a stamp of the future must not make all that follow look old
            self._last_stamp_ns = max(self._last_stamp_ns, stamp_ns)
        near = self._odd and abs(took_ns - self._odd_ns) <= LATE_S * 1e9
        self._odd, self._odd_ns = (self._odd + 1, min(self._odd_ns, took_ns)) if near else (1, took_ns)
        if self._odd >= STAYS:
            self.health.clock_set += 1
            self._quickest_ns, self._last_stamp_ns, self._odd = self._odd_ns, stamp_ns, 0

    def _count_pause(self, time_ns: int) -> None:
        before = self.health.messages
        if not before:
            self.first_ns = time_ns
            return
        pause_s = (time_ns - self.last_ns) / 1e9
        usual_s = (self.last_ns - self.first_ns) / 1e9 / max(1, before - 1)
        if before > GAP_PERIODS and pause_s > max(GAP_S, GAP_PERIODS * usual_s):
            self.health.gaps += 1
            self.health.longest_gap_s = max(self.health.longest_gap_s, pause_s)
