"""One worker, as its keeper sees it: what it is doing, since when, and how it ended."""

from __future__ import annotations

import os
import signal
import time
from enum import Enum, auto

from stressfield.campaign.descendants import fair_bytes, kill_tree, private_bytes, send, tree
from stressfield.campaign.frames import Channel, Kind
from stressfield.campaign.limits import Limits


class Way(Enum):
    """Why a worker is made to end."""

    TIMED_OUT = auto()
    TOO_MUCH = auto()
    """Memory or processes."""
    SILENT = auto()
    """It hung up: it is about to end, or its run closed all files."""
    LEAVING = auto()
    ABANDONED = auto()


class KeptWorker:
    """A process, its channel and its run."""

    def __init__(self, pid: int, channel: Channel) -> None:
        self.pid = pid
        self.channel = channel
        self.ready = False
        self.key: int | None = None
        self.way: Way | None = None
        self.how = ""
        self.begun_s = 0.0
        self._deadline_s: float | None = None
        self._kill_s: float | None = None

    @property
    def idle(self) -> bool:
        """Whether it can take a run."""
        return self.ready and self.key is None and self.way is None

    @property
    def next_event_s(self) -> float | None:
        """When its keeper has to look at it at the latest; None while it rests."""
        return self._deadline_s if self._kill_s is None else self._kill_s

    def begin(self, key: int, limit_s: float, body: bytes) -> None:
        """Give it a run."""
        self.key = key
        self.begun_s = time.monotonic()
        self._deadline_s = self.begun_s + limit_s
        self.channel.send(Kind.TASK, key, body)

    def rest(self) -> None:
        """Its run is done."""
        self.key = None
        self._deadline_s = None

    def end(self, way: Way, how: str, *, grace_s: float) -> None:
        """Ask it and everything below it to end; after the grace they are not asked any more."""
        if self.way is not None:
            return
        self.way, self.how = way, how
        self._kill_s = time.monotonic() + grace_s
        if way not in {Way.LEAVING, Way.SILENT}:
            send([*tree(self.pid), self.pid], signal.SIGTERM)

    def check(self, now_s: float, limits: Limits, *, look: bool) -> None:
        """End it if it took too long, or, when asked to ``look``, too much."""
        if self._kill_s is not None:
            if now_s >= self._kill_s:
                kill_tree(self.pid)
                self._kill_s = now_s + 1.0
        elif self._deadline_s is not None and now_s >= self._deadline_s:
            self.end(Way.TIMED_OUT, "", grace_s=limits.grace_s)
        elif look and self.key is not None:
            below = tree(self.pid)
            if len(below) > limits.processes:
                self.end(Way.TOO_MUCH, f"more than {limits.processes} processes", grace_s=0.0)
            elif all(took([self.pid, *below]) > limits.memory_bytes for took in (private_bytes, fair_bytes)):
                self.end(Way.TOO_MUCH, f"more than {limits.memory_bytes >> 20} MiB of memory", grace_s=0.0)

    def ended(self) -> bool:
        """Whether the process is gone; if so ``how`` tells."""
        try:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            pid, status = self.pid, 0
        if pid != self.pid:
            return False
        self.how = self.how or _told(os.waitstatus_to_exitcode(status))
        return True


def _told(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"
