"""A strategy without generations: each candidate is told as soon as it is done, and the next is asked for at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stressfield.campaign.front import GrowingFront, evaluated
from stressfield.campaign.loop.generations import ATTEMPTS, Memory, Proposal
from stressfield.campaign.plan import PlannedRun
from stressfield.campaign.results import Results
from stressfield.errors import RigError
from stressfield.run import JudgedRun, Task
from stressfield.search import Evaluated
from stressfield.search.strategy import WindowedLearner

if TYPE_CHECKING:
    from stressfield.campaign.loop.session import Loop

SHOWN_AT_ONCE = 10
"""Results that are added to the front for whoever watches, together."""


class SearchWindow:
    """What is under way of such a strategy, and what is still to be run for it."""

    def __init__(self, loop: Loop, before: Results, strategy: WindowedLearner) -> None:
        self._loop, self._strategy = loop, strategy
        self._memory, self._front = Memory(loop, before), GrowingFront()
        self._under_way: dict[int, Proposal] = {}
        self._queue: deque[PlannedRun] = deque()
        self._pending: set[str] = set()
        """Runs that are queued or with the executor."""
        self._troubles: dict[str, list[str]] = {}
        """Of runs that the rig spoiled in this session, each time."""
        self._asked = self._told = 0
        self._first: list[Evaluated] = []
        """Results of the first window."""
        self._vectors: list[tuple[float, ...] | None] = []
        """Objectives of those that whoever watches does not see yet."""
        self._generation = 0
        self._ended = False
        """Whether nothing more was to be run."""

    def run(self) -> bool:
        """False if it was stopped before all was done."""
        loop = self._loop
        for batch in loop.executor.run(self._tasks(), loop.stop):
            self._settle(self._memory.learn(loop.take(batch)))
            shown = loop.plan.disturbed or self._generation
            loop.show(f"generation {self._generation + 1}{self._front.note}" if shown else "")
        return self._ended

    def _tasks(self) -> Iterator[Task | None]:
        """What to run next; None if something must finish before that is known."""
        while True:
            while self._queue:
                yield from self._loop.tasks((self._queue.popleft(),))
            if self._ask():
                continue
            if not self._under_way:
                self._ended = not self._loop.stop()
                return
            yield None

    def _ask(self) -> bool:
        loop, room = self._loop, self._loop.plan.worlds - self._asked
        if room <= 0 or loop.stop() or loop.over():
            return False
        candidates = self._strategy.ask(room)
        if not candidates:
            if not self._under_way:
                loop.end(self._asked)
            return False
        for candidate in candidates:
            self._generation = candidate.generation
            self._under_way[candidate.index] = self._memory.asked(candidate, candidate.generation)
        if self._asked == 0:  # what is planned can be looked at from the beginning
            loop.commit()
        self._asked += len(candidates)
        for candidate in candidates:  # in a resumed search all may be known of them
            self._look(self._under_way[candidate.index])
        return True

    def _settle(self, done: set[str]) -> None:
        """These runs are done."""
        self._pending -= done
        for name in done:
            if self._memory.invalid(name):
                self._troubles.setdefault(name, []).append(self._memory.runs[name].run.trouble)
        for asked in list(self._under_way.values()):
            if any(run.id in done for run in asked.runs):
                self._look(asked)

    def _look(self, asked: Proposal) -> None:
        """Tell of a candidate that has all of its runs, queue what another lacks."""
        lacking = [run for name, run in self._memory.due([asked]).items() if self._lacks(name, asked)]
        new = [run for run in lacking if run.id not in self._pending]
        self._pending.update(run.id for run in new)
        self._queue += new
        if not lacking:
            del self._under_way[asked.candidate.index]
            self._tell(asked)

    def _lacks(self, name: str, asked: Proposal) -> bool:
        """Whether a run is to be done, or done again because the rig spoiled it."""
        memory = self._memory
        if name in self._pending or name not in memory.runs:
            return True
        if not memory.invalid(name):
            return False
        # What the strategy was told once must stay so: there is a later candidate that was made of it.
        if memory.told(asked.candidate.index + self._strategy.window):
            memory.let_be(name)
            return False
        troubles = self._troubles.get(name, [])
        # The same trouble twice is no accident: a third try would only cost time.
        return len(troubles) < ATTEMPTS and (len(troubles) < 2 or troubles[-1] != troubles[-2])

    def _tell(self, asked: Proposal) -> None:
        loop, memory = self._loop, self._memory
        known = [run.id for run in asked.runs if run.id in memory.runs]
        runs = [memory.runs[name] for name in known if not memory.invalid(name)]
        result = evaluated(asked.candidate, runs) if runs else Evaluated(asked.candidate, (), {})
        self._strategy.tell([result])
        self._told += 1
        if self._told <= self._strategy.window:
            self._first += [result] if runs else []
            if self._told == min(self._strategy.window, loop.plan.worlds):
                self._check_first([memory.runs[name] for name in known])
        if loop.objectives is not None and loop.watch is not None:
            self._vectors.append(loop.objectives.vector(result.metrics))
            if len(self._vectors) == SHOWN_AT_ONCE or not self._under_way:
                self._front.grow(self._vectors)
                self._vectors = []

    def _check_first(self, last: Sequence[JudgedRun]) -> None:
        loop = self._loop
        if not self._first:
            raise RigError(
                f"The first {self._told} {loop.plan.noun}s are all invalid: there is nothing to learn from. "
                f"{last[0].run.trouble if last else ''}"
            )
        if loop.objectives is not None:
            self._memory.check_measured(self._first)
