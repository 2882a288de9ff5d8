"""A running command line: started, listened to, ended with all its descendants."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

from stressfield import _process_tree
from stressfield.errors import NotInstalledError, RigError

KEPT_BYTES = 64 * 1024
"""How much of what a subject prints is kept: the end of it."""

SHOWN_LINES = 10
SHOWN_CHARACTERS = 2000
"""Enough for a traceback's end, and short enough for a table of troubles."""

_SUPERVISOR_S = 2.0
"""How much longer than the grace period the supervisor may take before it is killed itself."""


_running: WeakSet[RunningCommand] = WeakSet()


def last_words() -> str:
    """What the commands that this process has started, and that run, printed last: for one that is made to end."""
    return "\n".join(command.output for command in list(_running))


class RunningCommand:
    """One started command. Only used in the thread of the event loop that it was started with."""

    def __init__(self, process: subprocess.Popen[bytes], status_fd: int, loop: asyncio.AbstractEventLoop) -> None:
        assert process.stdout is not None
        self._process = process
        self._loop = loop
        self._closed = False
        _running.add(self)
        self._status_fd, self._status = status_fd, b""
        self._output = bytearray()
        self.changed: asyncio.Event | None = None
        """Set when the command ends, if given."""
        self.ended = asyncio.Event()
        self._gone = asyncio.Event()
        self._files = [status_fd, process.stdout.fileno()]
        # The loop turns only while the bus waits for the subject, so a read must never wait for more to come.
        os.set_blocking(process.stdout.fileno(), False)
        os.set_blocking(status_fd, False)
        loop.add_reader(status_fd, self._read_status)
        loop.add_reader(process.stdout.fileno(), self._read_output, process.stdout.fileno())

    @property
    def how(self) -> str:
        """How it ended: ``exit code 3``, ``SIGSEGV``; empty while it runs."""
        if not self.ended.is_set():
            return ""
        kind, _, rest = self._status.decode(errors="replace").partition("\n")[0].partition(" ")
        if kind in {"exit", "signal"}:
            return _process_tree.how_ended(int(rest) if kind == "exit" else -int(rest))
        return rest or "killed together with its supervisor"

    @property
    def succeeded(self) -> bool:
        """Whether it ended with exit code 0."""
        return self.how == "exit code 0"

    @property
    def output(self) -> str:
        """The last lines of what it printed."""
        if not self._closed:
            self._read_output(self._files[1])
        lines = self._output.decode(errors="replace").rstrip().splitlines()[-SHOWN_LINES:]
        return "\n".join(lines)[-SHOWN_CHARACTERS:]

    @property
    def told(self) -> str:
        """A sentence with the last lines of its output."""
        text = self.output
        return f" Its last output:\n{text}" if text else " It printed nothing."

    @property
    def is_stopped(self) -> bool:
        """Whether one of its processes is frozen (SIGSTOP)."""
        return any(_process_tree.state(pid) in {"T", "t"} for pid in _process_tree.tree(self._process.pid))

    async def stop(self, grace_s: float) -> None:
        """End it and all its descendants."""
        self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace_s + _SUPERVISOR_S):
                await self._gone.wait()
        except TimeoutError:
            _process_tree.kill_tree(self._process.pid)
        self.close()

    def close(self) -> None:
        """Let go of pipes; the supervisor is reaped."""
        self._read_output(self._files[1])
        self._closed = True
        _running.discard(self)
        for file in self._files:
            self._loop.remove_reader(file)
        os.close(self._status_fd)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()

    def _read_status(self) -> None:
        with suppress(BlockingIOError):
            data = os.read(self._status_fd, 4096)
            self._status += data
            if not data:
                self._loop.remove_reader(self._status_fd)
                self._gone.set()
            self.ended.set()
            if self.changed is not None:
                self.changed.set()

    def _read_output(self, file: int) -> None:
        with suppress(BlockingIOError, ValueError, OSError):
            data = os.read(file, KEPT_BYTES)
            if not data:
                self._loop.remove_reader(file)
            self._output += data
            del self._output[:-KEPT_BYTES]


def start_command(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path | None,
    grace_s: float,
    loop: asyncio.AbstractEventLoop,
) -> RunningCommand:
    """Start a command under a supervisor of its own. NotInstalledError if there is no such program."""
    if shutil.which(command[0], path=environment.get("PATH")) is None:
        raise NotInstalledError(
            f"There is no program {command[0]!r} to start the subject with. Install it, or give its path."
        )
    read_fd, write_fd = os.pipe()
    # -I -S: without the packages of this interpreter, whose search takes as long as all the rest of the start.
    supervisor = [sys.executable, "-I", "-S", _process_tree.__file__]
    line = [*supervisor, str(write_fd), str(grace_s), str(os.getpid()), *command]
    try:
        process = subprocess.Popen(  # noqa: S603
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            cwd=folder,
            pass_fds=[write_fd],
            start_new_session=True,
        )
    except OSError as error:
        os.close(read_fd)
        raise RigError(f"The subject could not be started: {error.strerror}: {error.filename}.") from error
    finally:
        os.close(write_fd)
    return RunningCommand(process, read_fd, loop)
