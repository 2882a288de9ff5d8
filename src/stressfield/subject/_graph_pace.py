"""How simulated time goes along with robots on a ROS graph, which acknowledge nothing, and how late they were."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Protocol

from stressfield.bridge.hub import Clock
from stressfield.bus import Message
from stressfield.bus.messages import Time
from stressfield.sim.simulator import PACED
from stressfield.subject.deadlines import Deadlines
from stressfield.subject.pace import Pacing

SETTLE_S = 0.004
"""How long nothing must have come from the graph until it is taken to be quiet. Nodes on one machine answer each other
in less than a millisecond; one that computes for longer is late, unless there is a gate that waits for it."""

OWED_MOST = 20
"""Answers that are waited for beside the one that is due: no more than a robot's queue may hold."""

SETTLE_MOST_S = 0.3
"""A graph that never falls silent does not stop the clock for longer than this, each tick."""


class Traffic(Protocol):
    """What comes from a graph, until it is taken."""

    @property
    def count(self) -> int:
        """How many messages have come so far."""

    def take(self) -> list[tuple[str, Message, float]]:
        """What has come since the last call: topic, message, and when on the wall clock."""

    def wait(self, within_s: float, *, count: int | None = None) -> bool:
        """Until more than ``count`` messages have come; whether they have in time."""

    def refresh(self) -> object:
        """Look who has come and gone."""


class GraphClock:
    """Tells the graph the time, and waits: for a gate, until the graph is quiet, or for the wall clock."""

    def __init__(
        self, traffic: Traffic, tell: Callable[[Clock], None], pacing: Pacing, check: Callable[[], None]
    ) -> None:
        self._traffic, self._pacing, self._check = traffic, pacing, check
        self._tell = tell
        self._told_ns = -1
        self._begin_s: float | None = None
        self._sent_s = 0.0
        self._answers_s: list[float] = []
        self._waits = self._in_vain = 0
        self._owed = 0
        """Answers that did not come in time. A robot that was late once answers old messages from then on, until time
        has waited for those, too."""
        self._deadlines = Deadlines(pacing)
        self.over = False
        """Whether the robot's mission has ended: it need not answer any more, so a gate gives way to the wall clock."""
        self.epoch_ns = 0
        """The graph's time at the beginning of the run: it went on while the robot got ready."""
        self.told_elsewhere = False
        """Whether time comes from a graph elsewhere, or is the wall's: then it neither waits nor is told here."""

    def tell(self, now_ns: int) -> None:
        """Publish the time, if it is another than before."""
        if self.told_elsewhere:
            return
        if now_ns + self.epoch_ns != self._told_ns:
            self._told_ns = now_ns + self.epoch_ns
            self._tell(Clock(Time.from_ns(self._told_ns)))

    def sends(self) -> None:
        """Something is about to be sent to the robot: what comes from now on may be an answer."""
        self._sent_s = time.monotonic()

    def wait(self, now_ns: int, topic: str) -> list[tuple[str, Message, float]]:
        """Let the robot do what it does at this time, after a message on a topic or (empty) a tick; what it said."""
        if self.told_elsewhere:
            return self._traffic.take()
        gate = self._pacing.gate
        if gate is not None and self._pacing.time != "paced" and not self.over:
            return self._pass(gate.topic, gate.at_most_s) if topic == gate.after else self._meanwhile(gate.topic)
        if topic:
            return self._traffic.take()
        if self._pacing.time == "paced" or (gate is not None and self.over):
            self._until(now_ns)
        else:
            self._settle()
        taken = self._traffic.take()
        self._answers_s += [came_s - self._sent_s for _, _, came_s in taken[:1] if came_s > self._sent_s > 0.0]
        return taken

    def _pass(self, awaited: str, at_most_s: float) -> list[tuple[str, Message, float]]:
        begin_s, before = self._sent_s, self._owed
        self._waits += 1
        taken: list[tuple[str, Message, float]] = []
        while True:
            count = self._traffic.count
            taken += self._traffic.take()
            came_s = [at_s for topic, _, at_s in taken if topic == awaited]
            # What came before the message was sent is no answer to it, but may be one to those before.
            answers_s = [at_s for at_s in came_s if at_s >= begin_s]
            owed = max(0, before - (len(came_s) - len(answers_s))) + 1 - len(answers_s)
            left_s = begin_s + at_most_s - time.monotonic()
            if owed <= 0 or left_s <= 0.0:
                break
            self._traffic.wait(left_s, count=count)
            self._check()
        if answers_s:
            self._answers_s.append(answers_s[-1] - begin_s)
        else:
            self._in_vain += 1
        # One that gave as many answers as it was sent messages, and still owes as many, has passed some over.
        self._owed = 0 if answers_s and owed >= before else min(max(owed, 0), OWED_MOST)
        return taken

    def _meanwhile(self, awaited: str) -> list[tuple[str, Message, float]]:
        """What came between two gates: answers that were late, among others."""
        taken = self._traffic.take()
        self._owed = max(0, self._owed - sum(topic == awaited for topic, _, _ in taken))
        return taken

    def _settle(self) -> None:
        end_s = time.monotonic() + SETTLE_MOST_S
        count = self._traffic.count
        while time.monotonic() < end_s:
            if not self._traffic.wait(SETTLE_S, count=count) and self._traffic.count == count:
                return
            count = self._traffic.count
            self._traffic.refresh()

    def _until(self, now_ns: int) -> None:
        rate = self._pacing.rate
        if self._begin_s is None:
            self._begin_s = time.monotonic() - now_ns / 1e9 / rate
        until_s = self._begin_s + now_ns / 1e9 / rate
        self._deadlines.due(time.monotonic() - until_s, advice="Use fewer jobs, a lower rate, or a gate.")
        while (left_s := until_s - time.monotonic()) > 0.0:
            time.sleep(left_s)

    @property
    def note(self) -> str:
        """How time went, and how late the robot was."""
        gate = self._pacing.gate
        if self.told_elsewhere:
            return f"{PACED}by the graph in which the simulator or the robot is"
        if self._pacing.time == "paced":
            how = f"{self._pacing.rate:g} simulated seconds a second; {self._deadlines.lateness or 'no ticks'}"
        elif gate is not None:
            after = f"after {gate.after}" if gate.after else "after each tick"
            how = (
                f"time waited for {gate.topic} {after}, at most {gate.at_most_s:g} s: {self._waits} times, "
                f"{self._in_vain} of them in vain"
            )
        else:
            how = "each tick of the clock waited until the graph was quiet"
        if not self._answers_s:
            return f"{PACED}{how}; the robot never answered"
        middle, worst = statistics.median(self._answers_s), max(self._answers_s)
        return f"{PACED}{how}; the robot answered after {middle * 1e3:.1f} ms (median), {worst * 1e3:.0f} ms at worst"
