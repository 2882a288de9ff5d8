"""Messages between the runner, its supervisor and the workers: a kind, a key and bytes, over a socket pair."""

from __future__ import annotations

import socket
import struct
from enum import IntEnum
from typing import NamedTuple

_HEAD = struct.Struct("<BQI")
"""Kind, key, length of the body."""
_READ_BYTES = 1 << 18


class Kind(IntEnum):
    """What a message says."""

    TASK = 1
    """To the supervisor: a run, behind its time limit. To a worker: do it."""
    DONE = 2
    DONE_AND_LEAVING = 3
    """The run left open files, threads or much memory behind: its worker makes room for a fresh one."""
    CRASHED = 4
    TIMED_OUT = 5
    READY = 6
    DROP = 7
    """To the supervisor: forget runs that have not begun. To the runner: this one was forgotten."""
    ABANDON = 8
    """To the supervisor: forget them, and end those that have."""
    NO_WORKERS = 9
    """To the runner: no worker can be started."""
    BEGUN = 10
    """To the runner: a worker is about to get this run."""
    MORE_TIME = 11
    """To the supervisor: this run waits for the wall clock, so many seconds in all, which do not count."""
    LAST_WORDS = 12
    """To the supervisor: what the robot's process printed, of a worker that is made to end."""
    COMPILING = 14
    """To the runner: the supervisor has begun to compile so many kernels (the key), before the first run."""
    STOOD_STILL = 13
    """To the runner: while this run was under way, the whole rig or the machine stood still."""


class Frame(NamedTuple):
    """One message."""

    kind: int
    key: int
    body: bytes


class Channel:
    """One end of a connection.

    It never blocks: a supervisor that waited for one slow reader could not watch the time and memory of the others.
    What cannot be sent at once is kept and sent with ``flush`` when the socket is writable.
    """

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self.end = end
        self.open = True
        self._in = bytearray()
        self._out = bytearray()

    def fileno(self) -> int:
        """For ``select.poll``."""
        return self.end.fileno()

    @property
    def unsent(self) -> int:
        """Bytes that the other side has not taken yet."""
        return len(self._out)

    def send(self, kind: int, key: int = 0, body: bytes = b"") -> None:
        """Send now as much as goes, and the rest with ``flush``."""
        self._out += _HEAD.pack(kind, key, len(body))
        self._out += body
        self.flush()

    def flush(self) -> None:
        """Send what waits."""
        while self._out and self.open:
            try:
                sent = self.end.send(self._out)
            except BlockingIOError:
                return
            except OSError:
                self.open = False
                return
            del self._out[:sent]

    def receive(self) -> list[Frame]:
        """What has come; ``open`` tells whether more can."""
        while self.open:
            try:
                data = self.end.recv(_READ_BYTES)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.open = False
            self._in += data
            if len(data) < _READ_BYTES:
                break
        frames, at = [], 0
        while len(self._in) - at >= _HEAD.size:
            kind, key, size = _HEAD.unpack_from(self._in, at)
            if len(self._in) - at - _HEAD.size < size:
                break
            start = at + _HEAD.size
            frames.append(Frame(kind, key, bytes(self._in[start : start + size])))
            at = start + size
        del self._in[:at]
        return frames

    def close(self) -> None:
        """Hang up."""
        self.open = False
        self.end.close()


def seconds_text(seconds: float) -> bytes:
    """A time as the body of a message. In hexadecimal a float keeps every bit."""
    return float(seconds).hex().encode()


def seconds_of(body: bytes) -> float:
    """A time that was sent."""
    return float.fromhex(body.decode().strip())


# A task travels behind its time limit, as text of fixed width, so that the supervisor need not understand tasks: it
# never loads a robot's code, nor anything that a robot's code has written.
_LIMIT_BYTES = 32


def with_limit(limit_s: float, task: bytes) -> bytes:
    """The body of a ``TASK`` for the supervisor."""
    return seconds_text(limit_s).ljust(_LIMIT_BYTES) + task


def split_limit(body: bytes) -> tuple[float, bytes]:
    """The time limit in seconds, and the task as it goes to a worker."""
    return seconds_of(body[:_LIMIT_BYTES]), body[_LIMIT_BYTES:]
