"""The loop of every campaign: ask the strategy, run, commit, tell; by generations, or candidate by candidate.

Nothing but the ledger is remembered. Resumed, the strategy is made again, asked again and told what the ledger says; it
then proposes what it would have proposed, and the campaign goes on where it was.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from stressfield.campaign.front import evaluated, joined, searched
from stressfield.campaign.ledger import Ledger, TestRecord
from stressfield.campaign.plan import PlannedRun, Prepared
from stressfield.campaign.results import Progress, Results, Watch, category
from stressfield.errors import InputError, RigError, did_you_mean
from stressfield.run import Finished, JudgedRun, ScenarioRecord, Status, Task
from stressfield.run.judgement import ALL
from stressfield.search import Candidate, Evaluated, SpaceSearch
from stressfield.search.front import Box
from stressfield.search.sequential_test import needed_lead, standing
from stressfield.search.strategy import WindowedLearner
from stressfield.trace import Keep
from stressfield.workers import Executor

ATTEMPTS = 3
"""A test that the rig spoiled is tried again, unless it is spoiled twice in the same way."""
COMMIT_S = 1.0
"""What was found is written to the disk at least so often, not run by run: every commit waits for the disk, and a
campaign that is killed loses no more than that."""
SHOWN_AT_ONCE = 10
"""Results of a search without generations that are added to the front for whoever watches, together."""
WATCHING = 20.0
"""After the hypervolume was computed for whoever watches, so many times as long nothing is computed for them."""


@dataclass(slots=True)
class Tally:
    """What came of a session so far."""

    executed: int = 0
    simulated_s: float = 0.0
    interrupted: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    ended: str = ""
    """Why a search ended."""


@dataclass(frozen=True, slots=True)
class _Asked:
    candidate: Candidate
    runs: tuple[PlannedRun, ...]


class Loop:
    """One session of a campaign in its folder."""

    def __init__(
        self,
        prepared: Prepared,
        before: Results,
        ledger: Ledger,
        executor: Executor,
        *,
        timed: bool = False,
        stop: Callable[[], bool],
        progress: Watch | None = None,
    ) -> None:
        self._prepared, self._plan, self._strategy = prepared, prepared.plan, prepared.strategy
        self._objectives = prepared.objectives if prepared.plan.disturbed else None
        self._ledger, self._executor, self._folder = ledger, executor, Path(before.folder)
        self._timed, self._stop, self._watch = timed, stop, progress
        self._alike: dict[object, JudgedRun] | None = None
        if not (prepared.learns or prepared.plan.disturbed or prepared.plan.until_sure is not None):
            self._alike = {}
        self._known = {judged.run.id: self._remembered(judged) for judged in before.runs}
        self._tests = {test.index: test for test in before.tests}
        self._places = {scenario.index: scenario for scenario in before.scenarios}
        self._scenarios = {scenario.id: scenario for scenario in before.scenarios}
        self._spoiled = {name for name, judged in self._known.items() if judged.run.status is Status.INVALID}
        """Runs of earlier sessions that the rig spoiled: they count as missing until they are done again."""
        self._counts = Counter(
            category(judged.run) for name, judged in self._known.items() if name not in self._spoiled
        )
        self._before = len(self._known) - len(self._spoiled)
        self._front = _Front()
        self._spared: dict[str, int] = {}
        """Runs of each world that are not needed, because its verdict is sure."""
        self._scenario_rows: list[ScenarioRecord] = []
        self._test_rows: list[TestRecord] = []
        self._run_rows: list[JudgedRun] = []
        self._committed_s = perf_counter()
        self.tally = Tally()

    def run(self) -> Tally:
        """Until the strategy has nothing left, the budget ends, or somebody says stop."""
        kind, begin = self._plan.strategy, perf_counter()
        termination = kind.termination if isinstance(kind, SpaceSearch) else None
        seconds = None if termination is None else termination.seconds
        self.tally.ended = f"{self._plan.worlds} {self._plan.noun}s"

        def over() -> bool:
            if seconds is None or perf_counter() - begin <= seconds:
                return False
            self.tally.ended = f"{seconds:g} s are over"
            return True

        try:
            if isinstance(self._strategy, WindowedLearner):
                self._flow(self._strategy, over)
            else:
                self._generations(over)
        finally:  # also after an error or Ctrl-C: what was done is kept
            self._commit()
        return self.tally

    def _generations(self, over: Callable[[], bool]) -> None:
        """Ask, evaluate all that was asked for, tell, and again."""
        done = generation = 0
        while done < self._plan.worlds:
            if self._stop():
                self.tally.interrupted = True
                return
            if over():
                return
            candidates = self._strategy.ask(self._plan.worlds - done)
            if not candidates:
                self._end(done)
                return
            own = [candidate for candidate in candidates if self._plan.repeats_of(candidate.index)]
            asked = [self._asked(candidate, generation) for candidate in own]
            if asked and not self._generation(asked, generation):
                self.tally.interrupted = True
                return
            done, generation = done + len(candidates), generation + 1

    def _end(self, done: int) -> None:
        """The strategy has nothing left to propose."""
        if done == 0:  # nothing was tried: that must not look like a campaign without failures
            raise InputError(
                f"The strategy {self._plan.strategy_name} proposed nothing: its first "
                f"ask({self._plan.worlds}) gave no candidate. Wanted at least one."
            )
        self.tally.ended = getattr(self._strategy, "reason", None) or "nothing left to propose"

    def _flow(self, strategy: WindowedLearner, over: Callable[[], bool]) -> None:
        """Without generations: each candidate is told as soon as it is done, and the next is asked for at once."""
        flow = _Flow(self, strategy, over)
        for batch in self._executor.run(flow.tasks(), self._stop):
            flow.settle(self._take(batch))
            self._show(flow.generation)
        self.tally.interrupted = not flow.ended

    def _generation(self, asked: Sequence[_Asked], number: int) -> bool:
        """Evaluate and tell; False if it was stopped before all was done."""
        # What a strategy was told once must stay so: spoiled runs of earlier generations are not tried again.
        later = asked[-1].candidate.index + 1
        told_before = self._prepared.learns and later in (self._tests if self._plan.disturbed else self._places)
        wanted = self._due(asked)
        missing = [run for run in wanted.values() if run.id not in self._known]
        spoiled = [run for run in wanted.values() if run.id in self._known and self._invalid(run)]
        if told_before:
            self._spoiled.difference_update(run.id for run in spoiled)
            self._counts[Status.INVALID.value] += len(spoiled)
            spoiled = []
        if number == 0:  # what is planned can be looked at from the beginning
            self._commit()
        self._show(number)
        if not self._execute(missing + spoiled, number):
            return False
        while (further := {name: run for name, run in self._due(asked).items() if name not in self._known}) != {}:
            wanted |= further
            if not self._execute(list(further.values()), number):
                return False
        again = (self._plan.disturbed or self._prepared.learns) and not told_before
        if again and not self._try_again(wanted, number):
            return False
        if self._prepared.learns or self._objectives is not None:
            self._tell(asked, number)
        self._show(number)
        return True

    def _due(self, asked: Sequence[_Asked]) -> dict[str, PlannedRun]:
        """The runs that are wanted by what is known so far: all, or those of worlds that are not sure yet."""
        if self._plan.until_sure is None:
            return {run.id: run for proposal in asked for run in proposal.runs}
        lead, due = needed_lead(self._plan.until_sure), dict[str, PlannedRun]()
        for proposal in asked:
            known = {run.repeat: self._known[run.id] for run in proposal.runs if run.id in self._known}
            least = self._plan.least_repeats(proposal.candidate.index)
            stands = standing(known, lead=lead, repeats=len(proposal.runs), of=self._plan.sure_of, least=least)
            due.update({run.id: run for run in proposal.runs[: stands.wanted]})
            self._spared[proposal.runs[0].scenario.id] = len(proposal.runs) - stands.wanted if stands.sure else 0
        return due

    def _tell(self, asked: Sequence[_Asked], number: int) -> None:
        results = []
        for proposal in asked:
            done = [run for run in proposal.runs if run.id in self._known]
            runs = [self._known[run.id] for run in done if not self._invalid(run)]
            if runs:
                results.append(evaluated(proposal.candidate, runs))
        tell = getattr(self._strategy, "tell", None)
        if tell is not None:
            if not results:
                trouble = self._known[asked[0].runs[0].id].run.trouble
                raise RigError(
                    f"All {len(asked)} {self._plan.noun}s of generation {number + 1} are invalid: there is nothing to "
                    f"learn from. {trouble}"
                )
            tell(results)
            if self._objectives is not None and number == 0:
                self._check_measured(results)
        if self._objectives is not None and self._watch is not None:
            self._front.grow([self._objectives.vector(result.metrics) for result in results])

    def _check_measured(self, results: Sequence[Evaluated]) -> None:
        """InputError if an objective is measured by nobody: found out in the first generation, not after a night."""
        assert self._objectives is not None
        known = sorted({name for result in results for name in result.metrics})
        plain = [name for name in known if ":" not in name]  # without the scores of monitors
        reasons = {name: why for judged in self._known.values() for name, why in judged.unmeasured.items()}
        metrics = self._prepared.study.metrics
        for name in self._objectives.names:
            if name in known or not any(result.outcomes for result in results):
                continue
            why = reasons.get(name) or reasons.get(ALL)
            told = f"In every run it failed: {why}." if why else f"Measured are: {', '.join(plain) or 'none'}."
            if not why and isinstance(metrics, Mapping) and name in metrics:
                told = "The study's function for it gave None, or no finite number, in every run."
            raise InputError(
                f"The search looks for {name!r}, but no run of the first generation has that metric. {told}"
                f"{did_you_mean(name, known)} Wanted it in the study's metrics, or a topic and path in the space."
            )

    def _try_again(self, wanted: dict[str, PlannedRun], number: int) -> bool:
        troubles = {run.id: self._trouble(run) for run in wanted.values() if self._invalid(run)}
        for _ in range(ATTEMPTS - 1):
            if not troubles:
                return True
            if not self._execute([wanted[name] for name in troubles], number):
                return False
            now = {name: self._trouble(wanted[name]) for name in troubles if self._invalid(wanted[name])}
            # The same trouble twice is no accident: a third try would only cost time.
            troubles = {name: trouble for name, trouble in now.items() if trouble != troubles[name]}
        return True

    def _execute(self, runs: Sequence[PlannedRun], number: int) -> bool:
        """All runs, committed as they finish; False if that was stopped."""
        if not runs:
            return True
        left = {run.id for run in runs}
        for batch in self._executor.run(self._tasks(runs), self._stop):
            left -= self._take(batch)
            self._show(number)
        return not left

    def _tasks(self, runs: Iterable[PlannedRun]) -> Iterator[Task]:
        return self._plan.tasks(runs, self._plan.traces_in(self._folder), space=self._prepared.space, timed=self._timed)

    def _take(self, batch: Sequence[Finished]) -> set[str]:
        """Note what has finished, and commit it now and then; the runs that are done now."""
        # All of a batch is noted before any of it may raise: what one run found must not cost the others.
        recorded = [finished for finished in batch if finished.recorded]
        for finished in recorded:
            self._note(finished)
        for finished in batch:
            finished.check()
        if perf_counter() - self._committed_s > COMMIT_S:
            self._commit()
        return {finished.judged.run.id for finished in recorded}

    def _note(self, finished: Finished) -> None:
        judged, tally = finished.judged, self.tally
        # The plan's own text of that id: one more of every run that comes back would be all that is kept of it.
        name = intern(judged.run.id)
        if name in self._known and name not in self._spoiled:
            self._counts[category(self._known[name].run)] -= 1
        self._spoiled.discard(name)
        self._known[name] = self._remembered(judged)
        self._counts[category(judged.run)] += 1
        self._run_rows.append(judged)
        tally.executed += 1
        tally.simulated_s += judged.run.simulated_s
        for part, spent in finished.seconds.items():
            tally.seconds[part] = tally.seconds.get(part, 0.0) + spent

    def _remembered(self, judged: JudgedRun) -> JudgedRun:
        """What must be known of a run later. Where nobody learns from it that is how it ended: one record for all that
        ended alike, so that memory does not grow with runs.
        """
        if self._alike is None:
            return judged
        run = judged.run
        return self._alike.setdefault((run.status, run.outcome, run.crash is not None, run.trouble), judged)

    def _asked(self, candidate: Candidate, generation: int) -> _Asked:
        """The runs of a candidate. What the ledger has of it must be the same."""
        made = self._prepared.scenario(candidate)
        scenario = self._scenarios.get(made.id, made)  # a test may be proposed twice: it has one scenario
        new = scenario.id not in self._scenarios
        # Checked before anything is noted: what does not fit must not get into the ledger.
        if self._plan.disturbed:
            self._enter_test(candidate, scenario, generation)
        elif new and candidate.index in self._places:
            raise InputError(
                f"The study or its model has changed since {str(self._folder)!r} was begun: the same plan now gives "
                "other worlds. Go back to that version, or run a new campaign."
            )
        if new:
            self._scenarios[scenario.id] = self._places[scenario.index] = scenario
            self._scenario_rows.append(scenario)
        repeats = self._plan.repeats_of(candidate.index)
        return _Asked(candidate, tuple(self._plan.run_of(scenario, repeat) for repeat in repeats))

    def _enter_test(self, candidate: Candidate, scenario: ScenarioRecord, generation: int) -> None:
        test = TestRecord(index=candidate.index, scenario_id=scenario.id, generation=generation, name=candidate.name)
        stored = self._tests.get(candidate.index)
        if stored is None:
            self._test_rows.append(test)
        elif stored != test:
            raise InputError(
                f"The study or the search has changed since {str(self._folder)!r} was begun: test {candidate.index} of "
                "the same plan is another one now. Go back to that version, or run a new campaign."
            )

    def _invalid(self, run: PlannedRun) -> bool:
        return self._known[run.id].run.status is Status.INVALID

    def _trouble(self, run: PlannedRun) -> str:
        return self._known[run.id].run.trouble

    def _commit(self) -> None:
        begin = perf_counter()
        if self._scenario_rows or self._test_rows or self._run_rows:
            self._ledger.add(scenarios=self._scenario_rows, tests=self._test_rows, runs=self._run_rows)
            self._scenario_rows, self._test_rows, self._run_rows = [], [], []
        self._committed_s = perf_counter()
        if self._timed:
            seconds = self.tally.seconds
            seconds["store"] = seconds.get("store", 0.0) + self._committed_s - begin

    def _show(self, generation: int) -> None:
        if self._watch is None:
            return
        note = f"generation {generation + 1}{self._front.note}" if self._plan.disturbed or generation else ""
        # of an executor of several machines: which of them do what
        note = " · ".join(filter(None, (note, getattr(self._executor, "status", ""))))
        total = self._plan.own_runs - sum(self._spared.values())
        done = len(self._known) - len(self._spoiled)
        self._watch(Progress(min(done, total), total, self._before, self._counts, note))


class _Flow:
    """What is under way of a strategy without generations, and what is still to be run for it."""

    def __init__(self, loop: Loop, strategy: WindowedLearner, over: Callable[[], bool]) -> None:
        self._loop, self._strategy, self._over = loop, strategy, over
        self._under_way: dict[int, _Asked] = {}
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
        self.generation = 0
        self.ended = False
        """Whether nothing more was to be run."""

    def tasks(self) -> Iterator[Task | None]:
        """What to run next; None if something must finish before that is known."""
        while True:
            while self._queue:
                yield from self._loop._tasks((self._queue.popleft(),))
            if self._ask():
                continue
            if not self._under_way:
                self.ended = not self._loop._stop()
                return
            yield None

    def _ask(self) -> bool:
        loop, room = self._loop, self._loop._plan.worlds - self._asked
        if room <= 0 or loop._stop() or self._over():
            return False
        candidates = self._strategy.ask(room)
        if not candidates:
            if not self._under_way:
                loop._end(self._asked)
            return False
        for candidate in candidates:
            self.generation = candidate.generation
            self._under_way[candidate.index] = loop._asked(candidate, candidate.generation)
        if self._asked == 0:  # what is planned can be looked at from the beginning
            loop._commit()
        self._asked += len(candidates)
        for candidate in candidates:  # in a resumed search all may be known of them
            self._look(self._under_way[candidate.index])
        return True

    def settle(self, done: set[str]) -> None:
        """These runs are done."""
        self._pending -= done
        for name in done:
            run = self._loop._known[name].run
            if run.status is Status.INVALID:
                self._troubles.setdefault(name, []).append(run.trouble)
        for asked in list(self._under_way.values()):
            if any(run.id in done for run in asked.runs):
                self._look(asked)

    def _look(self, asked: _Asked) -> None:
        """Tell of a candidate that has all of its runs, queue what another lacks."""
        lacking = [run for name, run in self._loop._due([asked]).items() if self._lacks(name, asked)]
        new = [run for run in lacking if run.id not in self._pending]
        self._pending.update(run.id for run in new)
        self._queue += new
        if not lacking:
            del self._under_way[asked.candidate.index]
            self._tell(asked)

    def _lacks(self, name: str, asked: _Asked) -> bool:
        """Whether a run is to be done, or done again because the rig spoiled it."""
        loop = self._loop
        if name in self._pending or name not in loop._known:
            return True
        if loop._known[name].run.status is not Status.INVALID:
            return False
        # What the strategy was told once must stay so: there is a later candidate that was made of it.
        told_before = asked.candidate.index + self._strategy.window
        if told_before in (loop._tests if loop._plan.disturbed else loop._places):
            if name in loop._spoiled:
                loop._spoiled.discard(name)
                loop._counts[Status.INVALID.value] += 1
            return False
        troubles = self._troubles.get(name, [])
        # The same trouble twice is no accident: a third try would only cost time.
        return len(troubles) < ATTEMPTS and (len(troubles) < 2 or troubles[-1] != troubles[-2])

    def _tell(self, asked: _Asked) -> None:
        loop = self._loop
        known = [loop._known[run.id] for run in asked.runs if run.id in loop._known]
        runs = [judged for judged in known if judged.run.status is not Status.INVALID]
        result = evaluated(asked.candidate, runs) if runs else Evaluated(asked.candidate, (), {})
        self._strategy.tell([result])
        self._told += 1
        if self._told <= self._strategy.window:
            self._first += [result] if runs else []
            if self._told == min(self._strategy.window, loop._plan.worlds):
                self._check_first(known)
        if loop._objectives is not None and loop._watch is not None:
            self._vectors.append(loop._objectives.vector(result.metrics))
            if len(self._vectors) == SHOWN_AT_ONCE or not self._under_way:
                loop._front.grow(self._vectors)
                self._vectors = []

    def _check_first(self, last: Sequence[JudgedRun]) -> None:
        loop = self._loop
        if not self._first:
            raise RigError(
                f"The first {self._told} {loop._plan.noun}s are all invalid: there is nothing to learn from. "
                f"{last[0].run.trouble if last else ''}"
            )
        if loop._objectives is not None:
            loop._check_measured(self._first)


class _Front:
    """What is on the front so far, for whoever watches."""

    def __init__(self) -> None:
        self._vectors: NDArray[np.float64] | None = None
        self._box: Box | None = None
        self._volume = 0.0
        self._stale = False
        self._again_s = 0.0
        self.note = ""

    def grow(self, found: Sequence[tuple[float, ...] | None]) -> None:
        """The front with what was found, and its hypervolume: a share of the box of all values so far."""
        vectors = [vector for vector in found if vector is not None]
        if not vectors:
            return
        before, box = self._vectors, self._box
        self._vectors = now = joined(before, vectors)
        self._box = Box.of(vectors if box is None else [*vectors, box.low, box.high])
        assert now is not None
        self._stale |= self._box != box or before is None or not np.array_equal(before, now)
        # A volume costs the square of the front's size. To watch a search may cost a twentieth of it: the front is
        # always the latest, its volume may be that of some generations ago.
        begin_s = perf_counter()
        if self._stale and begin_s >= self._again_s:
            self._volume, self._stale = self._box.share([tuple(row) for row in now.tolist()]), False
            end_s = perf_counter()
            self._again_s = end_s + WATCHING * (end_s - begin_s)
        self.note = f", front {len(now)}, hypervolume {self._volume:.2f}"


def nothing_missing(results: Results) -> bool:
    """Whether all runs of the plan are there and none is ``invalid``, and of a search the recordings of its front.

    A strategy that ended before it had proposed all that the plan has room for counts as missing something: it must be
    asked again to know.
    """
    plan = results.plan
    settled = Counter(judged.run.scenario_id for judged in results.runs if judged.run.status is not Status.INVALID)
    if plan.disturbed:
        proposed = [(test.scenario_id, test.index) for test in results.tests]
    else:
        proposed = [(scenario.id, scenario.index) for scenario in results.scenarios]
    names = [name for name, _ in proposed]
    wanted = dict.fromkeys(names, plan.repeats)
    if plan.share is not None:  # a test that is proposed twice may have other repeats each time
        own: dict[str, set[int]] = {name: set() for name in names}
        for name, index in proposed:
            own[name].update(plan.repeats_of(index))
        wanted = {name: len(repeats) for name, repeats in own.items()}
    if plan.until_sure is not None:
        wanted = {name: found.wanted for name, found in results.standings.items()}
    if len(names) < plan.own_worlds or any(settled[name] < wanted[name] for name in names):
        return False
    if not plan.disturbed or plan.keep != Keep.FRONT:
        return True
    found = searched(results)
    front = set() if found is None else {scored.test.scenario_id for scored in found.front}
    runs = [judged.run for judged in results.runs if judged.run.scenario_id in front and judged.run.status.judged]
    return all(run.trace_file is not None for run in runs)
