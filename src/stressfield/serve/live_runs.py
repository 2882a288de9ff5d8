"""What the server shows live: runs that it was asked for, each a ``stressfield live`` in a process of its own, and a
twin that serves its own page.

The robot software never runs in the server. When the server ends, or dies, its end of the line closes and the run ends.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from stressfield.errors import RigError
from stressfield.run.live import Command, Stop
from stressfield.run.live_record import RECORDING
from stressfield.serve.answers import LiveAnswer
from stressfield.serve.catalogue import Catalogue, UnknownError
from stressfield.serve.jobs import BusyError, Jobs, plain_output

AT_ONCE = 2
KEPT_MAX = 20
LISTENERS_MAX = 16
LINE_MAX = 4_000_000
GRACE_S = 10.0
QUIET_S = 15.0

Kind = Literal["world", "state", "trouble", "ended"]
Told = tuple[str, Any]


class _Line(msgspec.Struct):
    """What ``stressfield live --json`` writes."""

    kind: Kind
    data: Any


@dataclass(slots=True, eq=False)
class LiveRun:
    """A process, or the twin that serves this page; and what it has told so far."""

    id: str
    study: str
    name: str
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    stop: Callable[[], None] | None = None
    """Asks a twin to end."""
    recording: str = RECORDING
    world: dict[str, Any] | None = None
    state: dict[str, Any] | None = None
    record: dict[str, Any] | None = None
    troubles: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=50))
    said: str = ""
    """The last that it wrote beside what it was asked: why it could not begin."""
    version: int = 0
    over: bool = False
    listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = field(default_factory=dict)

    def answer(self) -> LiveAnswer:
        """As the API tells it."""
        told = self.said.strip() if self.over and self.record is None else ""
        return LiveAnswer(
            id=self.id, kind="run" if self.stop is None else "twin", study=self.study, name=self.name,
            running=not self.over, world=self.world, state=self.state, record=self.record, trouble=told[-2_000:],
        )  # fmt: skip

    def tell(self, kind: Kind, data: Any) -> None:
        """Take what it tells, and wake who listens."""
        if kind == "world":
            self.world = data
        elif kind == "state":
            self.state = data
        elif kind == "ended":
            self.record = {**data, "folder": self.name}
        else:
            self.troubles.append((self.version + 1, str(data)[:1_000]))
        self.version += 1
        self.wake()

    def end(self) -> None:
        """It tells nothing more."""
        self.over = True
        self.wake()

    def wake(self) -> None:
        """Have those who listen look again."""
        for changed, loop in list(self.listeners.items()):
            try:
                loop.call_soon_threadsafe(changed.set)
            except RuntimeError:  # its loop has ended
                self.listeners.pop(changed, None)


class LiveRuns:
    """Those of a server. Only studies that may be begun; at most two at a time."""

    def __init__(self, jobs: Jobs, catalogue: Catalogue) -> None:
        self._jobs, self._catalogue = jobs, catalogue
        self._runs: dict[str, LiveRun] = {}
        self._lock = threading.Lock()
        self._count = 0
        self._closing = False

    def begin(
        self, study: str, *, template: str | None, seed: int, build: str | None, rate: float, paused: bool
    ) -> LiveRun:
        """Start one. ForbiddenError if the study is not allowed, BusyError if two are running."""
        reference = self._jobs.check_study(study)
        with self._lock:
            if sum(not run.over for run in self._runs.values()) >= AT_ONCE:
                raise BusyError(f"{AT_ONCE} live runs are going on. Stop one first.")
            name, folder = self._free()
            words = ["live", "--json", "--seed", str(seed), "--rate", repr(rate), "--out", str(folder)]
            words += [] if template is None else [f"--template={template}"]
            words += [] if build is None else [f"--build={build}"]
            words += ["--paused"] if paused else []
            process = subprocess.Popen(  # noqa: S603  our own interpreter and verb; no shell
                [sys.executable, "-m", "stressfield", *words, "--", reference],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}, start_new_session=True,
            )  # fmt: skip
            self._count += 1
            run = LiveRun(str(self._count), study, name, folder, process=process)
            self._runs[run.id] = run
            ended = [old.id for old in self._runs.values() if old.over]
            for old in ended[: max(0, len(ended) - KEPT_MAX)]:
                del self._runs[old]
        for read in (self._read, self._read_errors):
            threading.Thread(target=read, args=(run,), daemon=True, name=f"stressfield-live-{run.id}").start()
        return run

    def add_twin(self, study: str, folder: Path, recording: str, stop: Callable[[], None]) -> LiveRun:
        """A twin that runs in this process: whoever runs it tells its world, its state, and its end."""
        with self._lock:
            self._count += 1
            run = LiveRun(str(self._count), study, folder.name, folder, stop=stop, recording=recording)
            self._runs[run.id] = run
        return run

    def all(self) -> list[LiveRun]:
        """The newest first."""
        with self._lock:
            return list(self._runs.values())[::-1]

    def run(self, name: str) -> LiveRun:
        """The one with that id; UnknownError if there is none."""
        with self._lock:
            found = self._runs.get(name)
        if found is None:
            raise UnknownError(f"There is no live run {name!r:.40}.")
        return found

    def ask(self, name: str, command: Command) -> LiveRun:
        """Have something done in it, between two ticks. What cannot be done is told among its troubles."""
        run = self.run(name)
        if run.stop is not None and not run.over:
            if not isinstance(command, Stop):
                raise BusyError("A robot cannot be held or disturbed from here: its twin can be stopped, no more.")
            run.stop()
            return run
        if run.over or run.process is None or run.process.stdin is None:
            raise BusyError("This live run has ended.")
        try:
            with self._lock:
                run.process.stdin.write(msgspec.json.encode(command) + b"\n")
                run.process.stdin.flush()
        except (OSError, ValueError):
            raise BusyError("This live run has ended.") from None
        return run

    def recording(self, name: str) -> Path:
        """Its recording, when it has ended."""
        run = self.run(name)
        path = run.folder / run.recording
        if run.record is None or not path.is_file() or path.is_symlink():
            raise UnknownError("There is no recording of it yet: that is written when the run has ended.")
        return path

    async def events(self, name: str) -> AsyncIterator[Told]:
        """Its world, then its state whenever that changes (the latest, if it changes faster than it is read)."""
        run = self.run(name)
        if len(run.listeners) >= LISTENERS_MAX:
            raise RigError(f"{LISTENERS_MAX} pages are watching this run already. Close some.")
        changed = asyncio.Event()
        run.listeners[changed] = asyncio.get_running_loop()
        try:
            async for told in self._told(run, changed):
                yield told
        finally:
            run.listeners.pop(changed, None)

    async def _told(self, run: LiveRun, changed: asyncio.Event) -> AsyncIterator[Told]:
        knows_world, state, seen = False, None, run.troubles[-1][0] if run.troubles else 0
        yield "live", run.answer()
        while not self._closing:
            changed.clear()
            if not knows_world and run.world is not None:
                knows_world = True
                yield "world", run.world
            if run.state is not None and run.state is not state:
                state = run.state
                yield "state", state
            for number, text in [told for told in run.troubles if told[0] > seen]:
                seen = number
                yield "trouble", text
            if run.over:
                yield "ended", run.answer()
                return
            try:
                await asyncio.wait_for(changed.wait(), QUIET_S)
            except TimeoutError:
                yield "", ""

    def close(self) -> None:
        """End all, and wait for it."""
        self._closing = True
        running = [run for run in self.all() if not run.over]
        processes = [run.process for run in running if run.process is not None]
        for process in processes:
            with suppress(OSError, ValueError):
                if process.stdin is not None:
                    process.stdin.close()
        for run in running:
            run.wake()
        for process in processes:
            try:
                process.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def end_streams(self) -> None:
        """Let go of who listens: streams have no end of their own."""
        self._closing = True
        for run in self.all():
            run.wake()

    def _free(self) -> tuple[str, Path]:
        number = self._count
        while True:
            number += 1
            folder = self._catalogue.root / f"live-{number}"
            if not os.path.lexists(folder):
                return folder.name, folder

    def _read(self, run: LiveRun) -> None:
        assert run.process is not None
        assert run.process.stdout is not None
        with run.process.stdout as written:
            for line in iter(lambda: written.readline(LINE_MAX), b""):
                try:
                    told = msgspec.json.decode(line, type=_Line)
                except msgspec.DecodeError:
                    continue  # the robot's own words
                run.tell(told.kind, told.data)
        run.process.wait()
        run.end()

    @staticmethod
    def _read_errors(run: LiveRun) -> None:
        assert run.process is not None
        assert run.process.stderr is not None
        with run.process.stderr as written:
            for line in iter(lambda: written.readline(LINE_MAX), b""):
                run.said = (run.said + plain_output(line.decode("utf-8", "replace")))[-4_000:]
