"""Where runs are done: in worker processes of this machine, or in this process for debugging."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import queue
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import forkserver
from time import monotonic
from typing import Any, Protocol

from pebble import ProcessExpired, ProcessPool

from stressfield.campaign.worker import Finished, Task, perform, record
from stressfield.errors import RigError
from stressfield.oracle import Outcome
from stressfield.run import Status

ATTEMPTS = 3
"""A run that kills or outlasts its worker is tried again; after this many attempts that is its result."""

QUEUED_PER_WORKER = 2
GRACE_S = 10.0
"""How long running runs may still take when the campaign is asked to stop."""

_PR_SET_PDEATHSIG = 1
_QUIET = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""Workers are many, so each is single-threaded; and robot software that iterates over sets must repeat itself."""

Stop = Callable[[], bool]


def never() -> bool:
    """Do not stop early."""
    return False


class Executor(Protocol):
    """Performs tasks; hands back what has finished, as it finishes, in any order."""

    def run(self, tasks: Iterable[Task], stop: Stop = never) -> Iterator[list[Finished]]:
        """Batches of finished runs. Once ``stop()`` is true nothing new is begun."""

    def close(self) -> None:
        """End all workers."""


class InProcessExecutor:
    """Runs one after another in this process: no isolation and no time limit, but a debugger can look inside."""

    def run(self, tasks: Iterable[Task], stop: Stop = never) -> Iterator[list[Finished]]:
        """One run a batch."""
        for task in tasks:
            if stop():
                return
            yield [perform(task)]

    def close(self) -> None:
        """Nothing to end."""


class LocalExecutor:
    """Worker processes. A crash or a hang costs its own run and no other."""

    def __init__(self, *, jobs: int, run_timeout_s: float, preload: Sequence[str] = ()) -> None:
        """``preload`` names modules that workers are born with, so that a new one is ready at once."""
        self._jobs = jobs
        self._preload = ["stressfield.campaign.worker", *preload]
        self._run_timeout_s = run_timeout_s
        self._context = multiprocessing.get_context("forkserver")
        self._pool: Any = None
        self._done: queue.SimpleQueue[tuple[Task, int, Any]] = queue.SimpleQueue()
        self._pending: set[Any] = set()

    def run(self, tasks: Iterable[Task], stop: Stop = never) -> Iterator[list[Finished]]:
        """Keep all workers busy until the tasks are done, or ``stop()``."""
        waiting, again = iter(tasks), deque[tuple[Task, int]]()
        stopped_at: float | None = None
        while True:
            if stopped_at is None and stop():
                stopped_at = monotonic()
                self._cancel_queued()
            while stopped_at is None and len(self._pending) < self._jobs * QUEUED_PER_WORKER:
                next_one = again.popleft() if again else next(((task, 1) for task in waiting), None)
                if next_one is None:
                    break
                self._submit(*next_one)
            if not self._pending or (stopped_at is not None and monotonic() - stopped_at > GRACE_S):
                return
            finished = []
            for task, attempt, future in self._collect():
                result = self._result(task, attempt, future)
                if result is not None:
                    finished.append(result)
                elif not future.cancelled():
                    again.append((task, attempt + 1))
            if finished:
                yield finished

    def close(self) -> None:
        """End all workers at once."""
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()
            self._pool = None

    def _submit(self, task: Task, attempt: int) -> None:
        if self._pool is None:
            self._pool = self._start()
        try:
            future = self._pool.schedule(perform, args=[task], timeout=self._run_timeout_s)
        except RuntimeError:  # the pool broke down between two tasks; nothing of this one was done
            self.close()
            self._pool = self._start()
            future = self._pool.schedule(perform, args=[task], timeout=self._run_timeout_s)
        self._pending.add(future)
        future.add_done_callback(lambda done: self._done.put((task, attempt, done)))

    def _start(self) -> Any:
        before = {name: os.environ.get(name) for name in _QUIET}
        os.environ.update(_QUIET)
        try:
            self._context.set_forkserver_preload(self._preload)
            forkserver.ensure_running()
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
        return ProcessPool(max_workers=self._jobs, initializer=_begin_worker, context=self._context)

    def _collect(self) -> list[tuple[Task, int, Any]]:
        """All that is done by now; waits a moment for the first."""
        batch = []
        try:
            batch.append(self._done.get(timeout=0.2))
            while True:
                batch.append(self._done.get_nowait())
        except queue.Empty:
            pass
        for _, _, future in batch:
            self._pending.discard(future)
        return batch

    def _cancel_queued(self) -> None:
        for future in list(self._pending):
            if not future.running():
                future.cancel()
                self._pending.discard(future)

    def _result(self, task: Task, attempt: int, future: Any) -> Finished | None:
        """What came of an attempt; None if it is to be made again."""
        last = attempt >= ATTEMPTS
        try:
            finished: Finished = future.result()
        except CancelledError:
            return None
        except TimeoutError:
            if not last:
                return None
            trouble = (
                f"Still running after {self._run_timeout_s:g} s of wall time, {ATTEMPTS} times. Its worker was killed."
            )
            status, outcome, wall_s = Status.TIMEOUT, Outcome.INCONCLUSIVE, self._run_timeout_s
        except ProcessExpired as error:
            if not last:
                return None
            trouble = f"Killed its worker process {ATTEMPTS} times ({_ended(error.exitcode)})."
            status, outcome, wall_s = Status.SUBJECT_CRASH, None, 0.0
        except BrokenProcessPool as error:
            self.close()
            if not last:
                return None
            raise RigError(
                f"Worker processes cannot be kept alive: {error}. Check memory and limits, then resume."
            ) from error
        else:
            return finished
        return Finished(judged=record(task, status, trouble=trouble, wall_s=wall_s, outcome=outcome))


def _ended(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        try:
            return f"by {signal.Signals(-exitcode).name}"
        except ValueError:
            return f"by signal {-exitcode}"
    return f"exit code {exitcode}"


def _begin_worker() -> None:
    """Die with the runner, and leave Ctrl-C to it.

    Workers are children of the fork server, which ends when the last process that holds its "alive" pipe is gone. Each
    worker inherits that pipe; closing it here leaves the runner as the only holder. So a killed runner ends the fork
    server, and that ends the workers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    server = getattr(forkserver, "_forkserver", None)
    alive = getattr(server, "_forkserver_alive_fd", None)
    if server is not None and isinstance(alive, int):
        server._forkserver_alive_fd = None
        os.close(alive)
