"""The keeper: a small process between the runner and its workers that never runs a robot's code.

It starts workers, hands them runs, watches their time, memory and processes, and ends what goes beyond. Everything that
runs start is below it, even what tries to slip away by forking twice, so when the runner is gone it ends all of it.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import asdict
from enum import Enum, auto

from stressfield.workers.child import preload, warm_up, work
from stressfield.workers.limits import Limits
from stressfield.workers.process_tree import (
    adopt_orphans,
    children,
    die_with_parent,
    fair_bytes,
    kill_children,
    kill_tree,
    outlive_parent,
    private_bytes,
    send,
    tree,
)
from stressfield.workers.protocol import Channel, Frame, Kind

TICK_S = 0.1
"""How often memory and processes are looked at."""

STILLBORN_MAX = 5
"""Workers that may die before they are ready, one after the other."""


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


class Keeper:
    """Runs until the runner hangs up or ends."""

    def __init__(self, runner: socket.socket, *, jobs: int, limits: Limits, start: str, modules: list[str]) -> None:
        self._runner = Channel(runner)
        self._jobs = jobs
        self._limits = limits
        self._start = start
        self._modules = modules
        self._queue: deque[tuple[int, float, bytes]] = deque()
        self._workers: dict[int, KeptWorker] = {}
        self._stillborn = 0
        self._poll = select.poll()
        self._poll.register(self._runner, select.POLLIN)
        self._poll.register(_runner_end(os.getppid()), select.POLLIN)
        self._bell, bell = os.pipe()
        for end in (self._bell, bell):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        self._poll.register(self._bell, select.POLLIN)
        self._looked_s = 0.0

    def serve(self) -> None:
        """Until the runner is gone; then nothing is left."""
        mother = os.getppid()
        while self._runner.open and os.getppid() == mother:
            self._staff()
            self._dispatch()
            self._wait()
            for frame in self._runner.receive():
                self._ordered(frame)
            self._runner.flush()
            for worker in list(self._workers.values()):
                self._listen(worker)
            self._mourn()
            self._watch()
        kill_children()

    def _staff(self) -> None:
        """As many workers as there are runs to do, and no more than asked for."""
        busy = sum(worker.key is not None for worker in self._workers.values())
        wanted = min(self._jobs, busy + len(self._queue))
        while len(self._workers) < wanted and self._stillborn < STILLBORN_MAX:
            self._begin_worker()

    def _begin_worker(self) -> None:
        ours, theirs = socket.socketpair()
        try:
            pid = os.fork()
        except OSError as error:
            ours.close()
            theirs.close()
            self._stillborn = STILLBORN_MAX
            self._runner.send(Kind.BROKEN, body=f"no process can be started ({error.strerror})".encode())
            return
        if pid == 0:
            self._become_worker(ours, theirs)
        theirs.close()
        worker = KeptWorker(pid, Channel(ours))
        self._workers[pid] = worker
        self._poll.register(worker.channel, select.POLLIN)

    def _become_worker(self, ours: socket.socket, theirs: socket.socket) -> None:
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            ours.close()
            self._runner.close()
            for worker in self._workers.values():
                worker.channel.close()
            if self._start == "spawn":
                self._exec_worker(theirs)
            work(theirs, self._limits)
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)

    def _exec_worker(self, end: socket.socket) -> None:
        end.set_inheritable(True)
        modules = [name for name in self._modules if not name.endswith(".py")]
        given = {"descriptor": end.fileno(), "limits": asdict(self._limits), "preload": modules, "path": sys.path}
        arguments = [sys.executable, "-m", "stressfield.workers.child", json.dumps(given)]
        os.execv(sys.executable, arguments)  # noqa: S606

    def _dispatch(self) -> None:
        for worker in self._workers.values():
            if self._queue and worker.idle:
                key, limit_s, body = self._queue.popleft()
                self._runner.send(Kind.BEGUN, key)
                worker.begin(key, limit_s, body)

    def _wait(self) -> None:
        now = time.monotonic()
        events = [worker.next_event_s for worker in self._workers.values() if worker.next_event_s is not None]
        until = min([*events, self._looked_s + TICK_S]) if events else now + 60.0
        for worker in self._workers.values():
            if not worker.channel.open:
                continue
            self._poll.modify(worker.channel, select.POLLIN | (select.POLLOUT if worker.channel.unsent else 0))
        self._poll.modify(self._runner, select.POLLIN | (select.POLLOUT if self._runner.unsent else 0))
        self._poll.poll(max(0.0, until - now) * 1000.0)
        with suppress(BlockingIOError):
            os.read(self._bell, 4096)

    def _ordered(self, frame: Frame) -> None:
        if frame.kind == Kind.TASK:
            limit_s = float.fromhex(frame.body[:32].decode().strip())
            self._queue.append((frame.key, limit_s, frame.body[32:]))
            return
        for key, _, _ in self._queue:
            self._runner.send(Kind.DROP, key)
        self._queue.clear()
        if frame.kind == Kind.ABANDON:
            for worker in self._workers.values():
                if worker.key is not None:
                    worker.end(Way.ABANDONED, "", grace_s=0.0)

    def _listen(self, worker: KeptWorker) -> None:
        worker.channel.flush()
        for frame in worker.channel.receive():
            if frame.kind == Kind.READY:
                worker.ready, self._stillborn = True, 0
            elif worker.way is None and frame.key == worker.key:
                self._runner.send(Kind.DONE, frame.key, frame.body)
                worker.rest()
                if frame.kind == Kind.DONE_AND_LEAVING:
                    worker.end(Way.LEAVING, "", grace_s=self._limits.grace_s)
        if not worker.channel.open:
            self._unregister(worker)
            worker.end(Way.SILENT, "", grace_s=self._limits.grace_s)

    def _mourn(self) -> None:
        """Take note of workers that ended, and of what they left behind."""
        left = False
        for worker in list(self._workers.values()):
            if not worker.ended():
                continue
            self._listen(worker)  # its last words
            self._unregister(worker)
            worker.channel.close()
            del self._workers[worker.pid]
            left = True
            if not worker.ready and worker.way in {None, Way.SILENT}:
                self._stillborn += 1
                if self._stillborn >= STILLBORN_MAX:
                    self._runner.send(Kind.BROKEN, body=f"workers end at once, {worker.how}".encode())
            if worker.key is not None and worker.way is not Way.ABANDONED:
                kind = Kind.TIMED_OUT if worker.way is Way.TIMED_OUT else Kind.CRASHED
                told = {"how": worker.how, "wall_s": time.monotonic() - worker.begun_s}
                self._runner.send(kind, worker.key, json.dumps(told).encode())
        strays = set(children(os.getpid())) - self._workers.keys()
        if left or strays:
            kill_children(spare=self._workers, limit_s=1.0)

    def _watch(self) -> None:
        now = time.monotonic()
        look = now - self._looked_s >= TICK_S
        if look:
            self._looked_s = now
        for worker in self._workers.values():
            worker.check(now, self._limits, look=look)

    def _unregister(self, worker: KeptWorker) -> None:
        with suppress(KeyError, ValueError):
            self._poll.unregister(worker.channel)


def _runner_end(pid: int) -> int:
    """A descriptor that tells when the runner has ended, whoever else still holds its side of the socket."""
    return os.pidfd_open(pid)


def main(given: dict[str, object]) -> None:
    """Be a keeper."""
    os.setsid()
    adopt_orphans()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    modules = [str(name) for name in given["preload"]]  # type: ignore[attr-defined]
    start = str(given["start"])
    if start == "fork":
        preload(modules)
        die_with_parent()  # kernels may be long in compiling, and until then nobody listens to the runner
        warm_up(modules)
        outlive_parent()  # from now on there are workers to be ended first
        gc.collect()
        gc.freeze()
    limits = Limits(**given["limits"])  # type: ignore[arg-type]
    with socket.socket(fileno=int(str(given["descriptor"]))) as runner:
        Keeper(runner, jobs=int(str(given["jobs"])), limits=limits, start=start, modules=modules).serve()
