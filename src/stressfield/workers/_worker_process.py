"""A worker as its supervisor sees it: what it is doing, since when, and how it ended."""

from __future__ import annotations

import os
import signal
import time
from enum import Enum, auto

from stressfield._process_tree import fair_bytes, how_ended, kill_tree, private_bytes, send, tree
from stressfield.workers._protocol import Channel, Kind
from stressfield.workers.limits import Limits

LAST_WORDS_MAX = 10_000
"""Characters of what a run printed that are passed on."""

STACK = "Stack (most recent call first):"
"""Before what faulthandler writes."""

KILL_AGAIN_S = 1.0
"""A process that hangs in the kernel is killed again so often."""


class EndReason(Enum):
    """Why a worker is made to end."""

    TIMED_OUT = auto()
    OVER_LIMIT = auto()
    """Memory or processes."""
    HUNG_UP = auto()
    """Its channel is closed: it is about to end, or its run closed all files."""
    LEAVING = auto()
    ABANDONED = auto()


class WorkerProcess:
    """A worker as its supervisor sees it: what it is doing, since when, and how it ended."""

    def __init__(self, pid: int, channel: Channel, stderr: int) -> None:
        self.pid = pid
        self.channel = channel
        self.stderr: int | None = stderr
        """The end of the pipe from its standard error; None once that is closed."""
        self._said = bytearray()
        self.ready = False
        self.key: int | None = None
        self.reason: EndReason | None = None
        self.how = ""
        self.last_words = b""
        self.begun_s = 0.0
        self.limit_s = 0.0
        self.waits = False
        """Whether its run waits for the wall clock."""
        self._deadline_s: float | None = None
        self._kill_s: float | None = None

    @property
    def idle(self) -> bool:
        """Whether it can take a run."""
        return self.ready and self.key is None and self.reason is None

    @property
    def next_event_s(self) -> float | None:
        """When the supervisor has to look at it at the latest; None while it has nothing to do."""
        return self._deadline_s if self._kill_s is None else self._kill_s

    def begin(self, key: int, limit_s: float, body: bytes) -> None:
        """Give it a run."""
        self.key = key
        self._said.clear()
        self.begun_s = time.monotonic()
        self.limit_s, self.waits = limit_s, False
        self._deadline_s = self.begun_s + limit_s
        self.channel.send(Kind.TASK, key, body)

    def give_time(self, seconds: float) -> None:
        """Its run may take so much longer: it waits for the wall clock."""
        self.waits = True
        if self._deadline_s is not None:
            self.limit_s += seconds
            self._deadline_s += seconds

    def give_back(self, seconds: float) -> None:
        """Time in which it could not run does not count."""
        self.begun_s += seconds
        if self._deadline_s is not None:
            self._deadline_s += seconds

    def listen(self) -> bytes:
        """What it has written to its standard error since the last time; ``stderr`` tells whether there may be more."""
        if self.stderr is None:
            return b""
        try:
            heard = os.read(self.stderr, 1 << 16)
        except BlockingIOError:
            return b""
        if not heard:
            self.close()
        self._said += heard
        del self._said[: -2 * LAST_WORDS_MAX]
        return heard

    def close(self) -> None:
        """Listen no more."""
        if self.stderr is not None:
            os.close(self.stderr)
            self.stderr = None

    @property
    def words(self) -> tuple[str, str]:
        """The last that its run printed, the robot's process as well; and where it was when it was made to end."""
        said, _, stack = self._said.decode(errors="replace").partition(STACK)
        last = [self.last_words.decode(errors="replace").rstrip(), said.rstrip()]
        return "\n".join(filter(None, last))[-LAST_WORDS_MAX:], stack

    def rest(self) -> None:
        """Its run is done."""
        self.key = None
        self._deadline_s = None

    def end(self, reason: EndReason, how: str, *, grace_s: float) -> None:
        """Ask it and everything below it to end; after the grace they are killed."""
        if self.reason is not None:
            return
        self.reason, self.how = reason, how
        self._kill_s = time.monotonic() + grace_s
        if reason not in {EndReason.LEAVING, EndReason.HUNG_UP}:  # those end by themselves
            send([*tree(self.pid), self.pid], signal.SIGTERM)

    def check(self, now_s: float, limits: Limits, *, look: bool) -> None:
        """End it if it took too long, or, when asked to ``look``, too much."""
        if self._kill_s is not None:
            if now_s >= self._kill_s:
                kill_tree(self.pid)
                self._kill_s = now_s + KILL_AGAIN_S
        elif self._deadline_s is not None and now_s >= self._deadline_s:
            self.end(EndReason.TIMED_OUT, "", grace_s=limits.grace_s)
        elif look and self.key is not None:
            below = tree(self.pid)
            if len(below) > limits.processes:
                self.end(EndReason.OVER_LIMIT, f"more than {limits.processes} processes", grace_s=0.0)
            # The first count is quick but may be too high (pages shared after a fork); the second is asked only then.
            elif all(count([self.pid, *below]) > limits.memory_bytes for count in (private_bytes, fair_bytes)):
                self.end(EndReason.OVER_LIMIT, f"more than {limits.memory_bytes >> 20} MiB of memory", grace_s=0.0)

    def ended(self) -> bool:
        """Whether the process is gone; if so ``how`` tells."""
        try:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            pid, status = self.pid, 0
        if pid != self.pid:
            return False
        code = os.waitstatus_to_exitcode(status)
        self.how = self.how or ("by " if code < 0 else "") + how_ended(code)
        return True
