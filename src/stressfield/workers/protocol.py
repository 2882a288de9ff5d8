"""Messages between the runner, its keeper and the workers: a kind, a key and bytes, over a socket that never blocks."""

from __future__ import annotations

import socket
import struct
from enum import IntEnum
from typing import NamedTuple

_HEAD = struct.Struct("<BQI")
_READ = 1 << 18


class Kind(IntEnum):
    """What a message says."""

    TASK = 1
    """To the keeper: a run. To a worker: do it."""
    DONE = 2
    DONE_AND_LEAVING = 3
    """The run left open files, threads or much memory behind: its worker makes room for a fresh one."""
    CRASHED = 4
    TIMED_OUT = 5
    READY = 6
    DROP = 7
    """To the keeper: forget runs that have not begun. To the runner: this one was forgotten."""
    ABANDON = 8
    """To the keeper: forget them, and end those that have."""
    BROKEN = 9
    """To the runner: no worker can be started."""
    BEGUN = 10
    """To the runner: a worker is about to get this run."""


class Frame(NamedTuple):
    """One message."""

    kind: int
    key: int
    body: bytes


class Channel:
    """One end of a connection."""

    def __init__(self, end: socket.socket) -> None:
        end.setblocking(False)
        self.end = end
        self.open = True
        self._in = bytearray()
        self._out = bytearray()

    def fileno(self) -> int:
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
                data = self.end.recv(_READ)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.open = False
            self._in += data
            if len(data) < _READ:
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
