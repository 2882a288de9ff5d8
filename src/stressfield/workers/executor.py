"""Where runs are done: in worker processes of this machine, or in this process for debugging."""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal, Protocol, TypedDict

from stressfield._crash import stopped_at
from stressfield.errors import RigError
from stressfield.oracle import Outcome
from stressfield.run import Crash, Finished, Status, Task, perform
from stressfield.run.performance import untraced
from stressfield.workers._client import SupervisorClient
from stressfield.workers._protocol import Frame, Kind
from stressfield.workers.limits import Limits

ATTEMPTS = 3
"""A run that kills its worker is tried again, for the kernel may have ended it for want of memory; after this many
attempts that is its result."""

QUEUED_PER_WORKER = 24
"""Runs that wait at the supervisor, so that workers need not wait for the ledger."""

LOST_SUPERVISORS_MAX = 10
"""In a row and with no run under way: then it is the machine, not a run."""

POLL_S = 0.2
"""How often it is looked whether to stop, if nothing finishes."""

GRACE_S = 10.0
"""How long running runs may still take when the campaign is asked to stop."""

Stop = Callable[[], bool]


def never() -> bool:
    """Do not stop early."""
    return False


class Executor(Protocol):
    """Performs tasks; hands back what has finished, as it finishes, in any order."""

    def run(self, tasks: Iterable[Task | None], stop: Stop = never) -> Iterator[list[Finished]]:
        """Batches of finished runs. Once ``stop()`` is true nothing new is begun.

        ``tasks`` may give None: what comes next depends on runs under way. It is asked again when some have finished.
        """

    def close(self) -> None:
        """End all workers."""


class InProcessExecutor:
    """Runs one after another in this process: no isolation and no time limit, but a debugger can look inside."""

    def run(self, tasks: Iterable[Task | None], stop: Stop = never) -> Iterator[list[Finished]]:
        """One run a batch."""
        for task in tasks:
            if stop():
                return
            if task is not None:
                yield [perform(task)]

    def close(self) -> None:
        """Nothing to end."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    task: Task
    number: int = 1
    suspect: bool = False
    """It was under way when a supervisor was lost: it is tried again with no other run beside it."""


class _Told(TypedDict):
    """What a supervisor says of a worker that did not live to tell itself."""

    how: str
    wall_s: float
    limit_s: float
    """What the run was given, in wall time."""
    output: str
    """The last that its run or the robot's process printed."""
    stack: str
    """Where it was when it was made to end, as faulthandler says it."""


class LocalExecutor:
    """Worker processes below a supervisor. A crash or a hang costs its own run only, and none outlives the runner."""

    def __init__(
        self,
        *,
        jobs: int,
        run_timeout_s: float,
        preload: Sequence[str] = (),
        start: Literal["fork", "spawn"] = "fork",
        limits: Limits | None = None,
        quiet: bool = False,
    ) -> None:
        """``preload`` names modules that workers are born with, so that a new one is ready at once.

        What workers write to their standard error is shown, unless ``quiet``; of one that dies it is kept with its run.
        With ``start="spawn"`` every worker is a new interpreter: slower to begin, sharing nothing.
        """
        self._jobs = jobs
        self._modules = ["stressfield.run.performance", *preload]
        self._run_timeout_s = run_timeout_s
        self._start = start
        self._limits = limits or Limits.fair(jobs)
        self._quiet = quiet
        self._supervisor: SupervisorClient | None = None
        self._keys = itertools.count(1)
        self._pending: dict[int, _Attempt] = {}
        self._begun: set[int] = set()
        self._stood_still: set[int] = set()
        self._again: deque[_Attempt] = deque()
        self._lost = 0
        self.compiling: Callable[[int], None] | None = None
        """Called while kernels are compiled before the first run, with how many so far."""

    def run(self, tasks: Iterable[Task | None], stop: Stop = never) -> Iterator[list[Finished]]:
        """Keep all workers busy until the tasks are done, or ``stop()``."""
        waiting = iter(tasks)
        stopped_s: float | None = None
        try:
            while True:
                if stopped_s is None and stop():
                    stopped_s = monotonic()
                    self._tell(Kind.DROP)  # runs under way may end, so that their time is not lost
                if stopped_s is None:
                    self._fill(waiting)
                if not self._pending or (stopped_s is not None and self._over(stopped_s)):
                    return
                finished = self._collect()
                if finished:
                    yield finished
        finally:
            if self._pending:  # the caller left, or the grace is over: the workers must be free for what comes next
                self._tell(Kind.ABANDON)
            self._pending.clear()
            self._begun.clear()
            self._stood_still.clear()
            self._again.clear()

    def close(self) -> None:
        """End all workers at once."""
        if self._supervisor is not None:
            self._supervisor.close()
            self._supervisor = None

    def _fill(self, waiting: Iterator[Task | None]) -> None:
        """Ask for as many runs as the supervisor should have; after one was lost, one by one."""
        while len(self._pending) < self._jobs * QUEUED_PER_WORKER:
            careful = any(attempt.suspect for attempt in (*self._pending.values(), *itertools.islice(self._again, 1)))
            if careful and self._pending:
                return
            if self._again:
                self._ask(self._again.popleft())
            elif (task := next(waiting, None)) is not None:
                self._ask(_Attempt(task))
            else:
                return

    def _ask(self, attempt: _Attempt) -> None:
        if self._supervisor is None:
            study = attempt.task.study
            # a study's file first: it may say where the modules that follow are read from
            modules = [*([study] if study.endswith(".py") else []), *self._modules]
            self._supervisor = SupervisorClient(
                jobs=self._jobs, limits=self._limits, start=self._start, modules=modules, quiet=self._quiet
            )
        key = next(self._keys)
        self._pending[key] = attempt
        self._supervisor.ask(key, attempt.task.to_bytes(), limit_s=self._run_timeout_s)

    def _over(self, stopped_s: float) -> bool:
        return monotonic() - stopped_s > GRACE_S

    def _tell(self, kind: Kind) -> None:
        if self._supervisor is not None:
            self._supervisor.tell(kind)

    def _collect(self) -> list[Finished]:
        """All that is done by now; waits a moment for the first."""
        assert self._supervisor is not None
        finished: list[Finished] = []
        for frame in self._supervisor.receive(wait_s=POLL_S):
            if frame.kind == Kind.NO_WORKERS:
                self.close()
                raise RigError(
                    f"Worker processes cannot be kept alive: {frame.body.decode()}. "
                    "Check memory and limits, then resume."
                )
            if frame.kind == Kind.BEGUN:
                self._begun.add(frame.key)
                continue
            if frame.kind == Kind.COMPILING:
                if self.compiling is not None:
                    self.compiling(frame.key)
                continue
            if frame.kind == Kind.STOOD_STILL:
                self._stood_still.add(frame.key)
                continue
            attempt = self._pending.pop(frame.key, None)
            self._begun.discard(frame.key)
            if attempt is not None and frame.kind != Kind.DROP:
                result = self._result(attempt, frame)
                finished += [] if result is None else [result.after(attempt.number)]
            self._stood_still.discard(frame.key)
        if not self._supervisor.alive:
            finished += self._lose_supervisor()
        return finished

    def _result(self, attempt: _Attempt, frame: Frame) -> Finished | None:
        """What came of an attempt; None if it is to be made again.

        While a run stood still the wall clock went on, for its robot too: what came of that is not to be believed. One
        that is done again, without such a break, decides.
        """
        if frame.key in self._stood_still and attempt.number < ATTEMPTS:
            self._again.appendleft(replace(attempt, number=attempt.number + 1))
            return None
        if frame.kind == Kind.DONE:
            return Finished.from_bytes(frame.body)
        told: _Told = json.loads(frame.body)
        if frame.kind == Kind.TIMED_OUT:
            place, stack = stopped_at(told["stack"])
            trouble = f"Still running after {told['limit_s']:g} s of wall time. Its worker was killed."
            trouble += f" It was in {place}." if place else ""
            crash = Crash(kind="", traceback=stack)
            return _without_trace(attempt.task, Status.TIMEOUT, trouble, told, crash, outcome=Outcome.INCONCLUSIVE)
        return self._crashed(attempt, told)

    def _crashed(self, attempt: _Attempt, told: _Told) -> Finished | None:
        if attempt.number < ATTEMPTS:
            self._again.appendleft(replace(attempt, number=attempt.number + 1))
            return None
        trouble = f"Killed its worker process {ATTEMPTS} times ({told['how']})."
        return _without_trace(
            attempt.task, Status.SUBJECT_CRASH, trouble, told, Crash(kind=told["how"].removeprefix("by "))
        )

    def _lose_supervisor(self) -> list[Finished]:
        """Someone killed the supervisor: perhaps the run that had begun. Of several, each is tried again, alone."""
        self.close()
        begun = [attempt for key, attempt in self._pending.items() if key in self._begun]
        self._lost = 0 if begun else self._lost + 1
        if self._lost > LOST_SUPERVISORS_MAX:
            raise RigError(
                f"The supervisor of the workers was killed {self._lost} times in a row, with no run under way. "
                "Check memory and limits, then resume."
            )
        self._again.extend(attempt for key, attempt in self._pending.items() if key not in self._begun)
        self._pending.clear()
        self._begun.clear()
        if len(begun) != 1:
            self._again.extendleft(replace(attempt, suspect=True) for attempt in begun)
            return []
        lost = _Told(how="and its supervisor", wall_s=0.0, limit_s=0.0, output="", stack="")
        quarantined = self._crashed(replace(begun[0], suspect=True), lost)
        return [] if quarantined is None else [quarantined.after(ATTEMPTS)]


def _without_trace(
    task: Task, status: Status, trouble: str, told: _Told, crash: Crash, *, outcome: Outcome | None = None
) -> Finished:
    wall_s, output = told["wall_s"], told["output"]
    judged = untraced(task, status, trouble=trouble, output=output, wall_s=wall_s, outcome=outcome, crash=crash)
    return Finished(judged=judged)
