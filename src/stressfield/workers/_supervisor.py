"""The supervisor: a small process between the runner and its workers that never runs a robot's code.

It starts workers, hands them runs, watches their time, memory and processes, and ends what goes beyond. Everything that
runs start is below it, even what tries to slip away by forking twice, so when the runner is gone it ends all of it. The
runner could not do that itself: it may be killed at any time, and it has other children (those of the user).
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

from stressfield._kernel_cache import compiling_watched
from stressfield._process_tree import (
    adopt_orphans,
    children,
    die_with_parent,
    kill_children,
    outlive_parent,
)
from stressfield.workers._child import STDERR, preload, warm_up, work
from stressfield.workers._protocol import Channel, Frame, Kind, seconds_of, split_limit
from stressfield.workers._standstill import StandstillClock
from stressfield.workers._worker_process import LAST_WORDS_MAX, EndReason, WorkerProcess
from stressfield.workers.limits import Limits

TICK_S = 0.1
"""How often memory and processes are looked at."""

FAILED_STARTS_MAX = 5
"""Workers that may die before they are ready, one after the other."""

WHOLE_BYTES = 4096
"""A pipe that is ready takes so much without making its writer wait."""

IDLE_S = 60.0
"""With nothing to watch, the supervisor sleeps until somebody calls; this is only so that a missed call cannot hurt."""


class Supervisor:
    """Runs until the runner hangs up or ends."""

    def __init__(self, runner: socket.socket, *, jobs: int, limits: Limits, start: str, modules: list[str]) -> None:
        self._runner = Channel(runner)
        self._jobs = jobs
        self._limits = limits
        self._start = start
        self._modules = modules
        self._queue: deque[tuple[int, float, bytes]] = deque()
        self._workers: dict[int, WorkerProcess] = {}
        self._failed_starts = 0
        self._poll = select.poll()
        self._poll.register(self._runner, select.POLLIN)
        # The end of the socket alone does not tell that the runner ended: a process that it forked may hold a copy.
        self._poll.register(os.pidfd_open(os.getppid()), select.POLLIN)
        # The end of a worker wakes the poll: Python writes a byte into this pipe when SIGCHLD comes.
        self._wakeup, wakeup = os.pipe()
        for end in (self._wakeup, wakeup):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        self._poll.register(self._wakeup, select.POLLIN)
        self._looked_s = 0.0
        self._standstill = StandstillClock()
        self._stamp_s = time.monotonic()

    def serve(self) -> None:
        """Until the runner is gone; then nothing is left."""
        runner = os.getppid()
        while self._runner.open and os.getppid() == runner:
            self._start_workers()
            self._dispatch()
            self._wait()
            for frame in self._runner.receive():
                self._obey(frame)
            self._runner.flush()
            for worker in list(self._workers.values()):
                self._hear(worker)
            self._reap()
            self._check_limits()
        self._let_go()
        kill_children()

    def _let_go(self) -> None:
        """The runner is gone: runs that wait for the wall clock are asked to end, as their robots have to be told."""
        waiting = [worker for worker in self._workers.values() if worker.key is not None and worker.waits]
        for worker in waiting:
            worker.end(EndReason.ABANDONED, "", grace_s=self._limits.grace_s)
        until_s = time.monotonic() + self._limits.grace_s
        while any(not worker.ended() for worker in waiting) and time.monotonic() < until_s:
            time.sleep(0.01)

    def _start_workers(self) -> None:
        """As many workers as there are runs to do, and no more than asked for."""
        busy = sum(worker.key is not None for worker in self._workers.values())
        wanted = min(self._jobs, busy + len(self._queue))
        while len(self._workers) < wanted and self._failed_starts < FAILED_STARTS_MAX:
            self._start_worker()

    def _start_worker(self) -> None:
        ours, theirs = socket.socketpair()
        heard, spoken = os.pipe()
        try:
            # A forked worker has all modules and compiled kernels at once, and shares their memory with the others.
            # It is safe here because the supervisor has one thread and has run no code of a robot.
            pid = os.fork()
        except OSError as error:
            ours.close()
            theirs.close()
            os.close(heard)
            os.close(spoken)
            self._failed_starts = FAILED_STARTS_MAX
            self._runner.send(Kind.NO_WORKERS, body=f"no process can be started ({error.strerror})".encode())
            return
        if pid == 0:
            os.dup2(spoken, STDERR)
            os.close(heard)
            os.close(spoken)
            self._become_worker(ours, theirs)
        theirs.close()
        os.close(spoken)
        os.set_blocking(heard, False)
        worker = WorkerProcess(pid, Channel(ours), heard)
        self._workers[pid] = worker
        self._poll.register(worker.channel, select.POLLIN)
        self._poll.register(heard, select.POLLIN)

    def _become_worker(self, ours: socket.socket, theirs: socket.socket) -> None:
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            # A copy of a channel in this process would keep it open after the supervisor's end of it is closed.
            ours.close()
            self._runner.close()
            for worker in self._workers.values():
                worker.channel.close()
                worker.close()
            if self._start == "spawn":
                self._exec_worker(theirs)
            work(theirs, self._limits)
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)  # never back into the supervisor's own code

    def _exec_worker(self, end: socket.socket) -> None:
        end.set_inheritable(True)
        modules = [name for name in self._modules if not name.endswith(".py")]
        given = {"descriptor": end.fileno(), "limits": asdict(self._limits), "preload": modules, "path": sys.path}
        arguments = [sys.executable, "-m", "stressfield.workers._child", json.dumps(given)]
        os.execv(sys.executable, arguments)  # noqa: S606

    def _dispatch(self) -> None:
        for worker in self._workers.values():
            if self._queue and worker.idle:
                key, limit_s, body = self._queue.popleft()
                # The runner hears of it before the worker does: should the run end the supervisor, it is known which.
                self._runner.send(Kind.BEGUN, key)
                worker.begin(key, limit_s, body)

    def _wait(self) -> None:
        self._notice_standstill(self._stamp_s)  # since the last poll nothing was done that takes long
        now_s = time.monotonic()
        events = [worker.next_event_s for worker in self._workers.values() if worker.next_event_s is not None]
        until_s = min([*events, self._looked_s + TICK_S]) if events else now_s + IDLE_S
        for worker in self._workers.values():
            if worker.channel.open:
                self._poll.modify(worker.channel, select.POLLIN | (select.POLLOUT if worker.channel.unsent else 0))
        self._poll.modify(self._runner, select.POLLIN | (select.POLLOUT if self._runner.unsent else 0))
        self._poll.poll(max(0.0, until_s - now_s) * 1000.0)
        self._notice_standstill(max(until_s, now_s))
        with suppress(BlockingIOError):
            os.read(self._wakeup, 4096)

    def _notice_standstill(self, wanted_s: float) -> None:
        late_s, stood_still = self._standstill.pass_until(wanted_s)
        self._stamp_s = time.monotonic()
        if stood_still:
            for worker in self._workers.values():
                worker.give_back(late_s)
                if worker.key is not None:
                    self._runner.send(Kind.STOOD_STILL, worker.key)

    def _obey(self, frame: Frame) -> None:
        if frame.kind == Kind.TASK:
            self._queue.append((frame.key, *split_limit(frame.body)))
            return
        for key, _, _ in self._queue:
            self._runner.send(Kind.DROP, key)
        self._queue.clear()
        for worker in self._workers.values():
            # One that waits for the wall clock will not end soon; a robot that is no process here has to be told.
            if worker.key is not None and (worker.waits or frame.kind == Kind.ABANDON):
                worker.end(EndReason.ABANDONED, "", grace_s=self._limits.grace_s if worker.waits else 0.0)

    def _listen(self, worker: WorkerProcess) -> None:
        """What a worker prints goes on to whoever began all this, unless it was made to end: then it is for its run."""
        end = worker.stderr
        heard = worker.listen()
        if end is not None and worker.stderr is None:
            self._poll.unregister(end)
        if worker.reason is None or worker.reason is EndReason.HUNG_UP:
            self._pass_on(heard)

    def _pass_on(self, heard: bytes) -> None:
        """Never wait for a reader: a supervisor that does cannot watch its workers."""
        ready = select.poll()
        ready.register(STDERR, select.POLLOUT)
        for at in range(0, len(heard), WHOLE_BYTES):
            if not any(event & select.POLLOUT for _, event in ready.poll(0)):
                return
            with suppress(OSError):
                os.write(STDERR, heard[at : at + WHOLE_BYTES])

    def _hear(self, worker: WorkerProcess) -> None:
        self._listen(worker)
        worker.channel.flush()
        for frame in worker.channel.receive():
            if frame.kind == Kind.READY:
                worker.ready, self._failed_starts = True, 0
            elif frame.kind == Kind.MORE_TIME:
                worker.give_time(seconds_of(frame.body))
            elif frame.kind == Kind.LAST_WORDS:
                worker.last_words = frame.body[-LAST_WORDS_MAX:]
            elif worker.reason is None and frame.key == worker.key:
                self._runner.send(Kind.DONE, frame.key, frame.body)
                worker.rest()
                if frame.kind == Kind.DONE_AND_LEAVING:
                    worker.end(EndReason.LEAVING, "", grace_s=self._limits.grace_s)
        if not worker.channel.open:
            self._unregister(worker)
            worker.end(EndReason.HUNG_UP, "", grace_s=self._limits.grace_s)

    def _reap(self) -> None:
        """Take note of workers that ended, and end what they left behind."""
        left = False
        for worker in list(self._workers.values()):
            if not worker.ended():
                continue
            self._hear(worker)  # what it sent before it ended
            self._unregister(worker)
            worker.channel.close()
            if worker.stderr is not None:
                self._poll.unregister(worker.stderr)
                worker.close()
            del self._workers[worker.pid]
            left = True
            if not worker.ready and worker.reason in {None, EndReason.HUNG_UP}:
                self._failed_starts += 1
                if self._failed_starts >= FAILED_STARTS_MAX:
                    self._runner.send(Kind.NO_WORKERS, body=f"workers end at once, {worker.how}".encode())
            if worker.key is not None and worker.reason is not EndReason.ABANDONED:
                kind = Kind.TIMED_OUT if worker.reason is EndReason.TIMED_OUT else Kind.CRASHED
                output, stack = worker.words
                told = {
                    "how": worker.how,
                    "wall_s": time.monotonic() - worker.begun_s,
                    "limit_s": worker.limit_s,
                    "output": output,
                    "stack": stack,
                }
                self._runner.send(kind, worker.key, json.dumps(told).encode())
            elif worker.key is not None:
                self._runner.send(Kind.DROP, worker.key)
        # Children that are no workers are adopted orphans: a worker that lives ends its own.
        orphans = set(children(os.getpid())) - self._workers.keys()
        if left or orphans:
            kill_children(spare=self._workers, limit_s=1.0)

    def _check_limits(self) -> None:
        now_s = time.monotonic()
        look = now_s - self._looked_s >= TICK_S
        if look:
            self._looked_s = now_s
        for worker in self._workers.values():
            worker.check(now_s, self._limits, look=look)

    def _unregister(self, worker: WorkerProcess) -> None:
        with suppress(KeyError, ValueError):
            self._poll.unregister(worker.channel)


def main(given: dict[str, object]) -> None:
    """Be a supervisor: a process of its own, which the client starts."""
    os.setsid()
    adopt_orphans()
    # Ctrl-C goes to the whole terminal, but how to stop is the runner's decision: it hangs up when it is time.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    modules = [str(name) for name in given["preload"]]  # type: ignore[attr-defined]
    start = str(given["start"])
    runner = socket.socket(fileno=int(str(given["descriptor"])))
    if start == "fork":
        preload(modules)
        die_with_parent()  # kernels may be long in compiling, and until then nobody listens to the runner
        told = Channel(runner)
        with compiling_watched(lambda count: told.send(Kind.COMPILING, count)):
            warm_up(modules)
        outlive_parent()  # from now on there are workers to be ended first
        # Objects that exist by now are for all workers. Frozen, they are never touched by the garbage collection of a
        # worker, so that their memory stays shared.
        gc.collect()
        gc.freeze()
    limits = Limits(**given["limits"])  # type: ignore[arg-type]
    with runner:
        Supervisor(runner, jobs=int(str(given["jobs"])), limits=limits, start=start, modules=modules).serve()
