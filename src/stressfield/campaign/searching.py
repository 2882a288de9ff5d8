"""Running a search: ask, run, tell, generation by generation.

Nothing but the ledger is remembered. Resumed, the strategy is made anew, asked again and told what the ledger says; it
then proposes what it would have proposed, and the search goes on where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stressfield.campaign.front import evaluated, joined
from stressfield.campaign.fuzzing import find_tests, objectives_of, proposer_of, world_seed
from stressfield.campaign.plan import PlannedRun, planned
from stressfield.campaign.progress import Progress, Watch, category
from stressfield.campaign.records import Plan, Results, TestRecord
from stressfield.campaign.store import Ledger
from stressfield.campaign.tasks import tasks_of
from stressfield.errors import InputError, RigError, did_you_mean
from stressfield.fuzz.activation import Conditional
from stressfield.fuzz.space import TestingSpace
from stressfield.provenance import rig_version
from stressfield.run import Finished, JudgedRun, ScenarioRecord, Status
from stressfield.run._judgement import ALL, readable
from stressfield.scenario import scenario_id
from stressfield.search import Candidate, Evaluated
from stressfield.search.front import Box
from stressfield.seeds import generator
from stressfield.study import Study
from stressfield.workers import Executor

ATTEMPTS = 3
"""A run that the rig spoiled is tried again, unless it is spoiled twice in the same way."""
COMMIT_S = 1.0
"""What was found is written to the disk at least so often, not run by run: a killed search loses no more than that."""


class Stop(Protocol):
    """Says when to stop."""

    def is_set(self) -> bool:
        """Whether somebody asked for that."""


@dataclass(slots=True)
class Tally:
    """What came of a search so far."""

    executed: int = 0
    simulated_s: float = 0.0
    interrupted: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    ended: str = ""
    """Why the search ended."""


@dataclass(frozen=True, slots=True)
class _Asked:
    candidate: Candidate
    test: TestRecord
    runs: tuple[PlannedRun, ...]


class Search:
    """One session of a search in a campaign's folder."""

    def __init__(
        self,
        plan: Plan,
        space: TestingSpace,
        study: Study,
        before: Results,
        ledger: Ledger,
        executor: Executor,
        *,
        timed: bool,
        stop: Stop,
        progress: Watch | None,
    ) -> None:
        self._plan, self._space, self._study = plan, space, study
        self._folder, self._ledger, self._executor = Path(before.folder), ledger, executor
        self._timed, self._stop, self._watch = timed, stop, progress
        self._strategy = proposer_of(plan, study, space)
        self._objectives = objectives_of(plan, space)
        self._measures = readable(space.metrics)
        self._known = {judged.run.id: judged for judged in before.runs}
        self._tests = {test.index: test for test in before.tests}
        self._scenarios = {one.id: one for one in before.scenarios}
        self._names = _names(plan, space)
        self._version = rig_version()
        self._descriptors: dict[str, str] = {}
        self._counts = Counter(category(judged.run) for judged in before.runs)
        self._before = len(before.runs)
        self._front: NDArray[np.float64] | None = None
        """What is on the front so far, if anybody watches."""
        self._box: Box | None = None
        self._volume = 0.0
        self._world_seed = None if plan.fuzzing and plan.fuzzing.vary_world else world_seed(plan, 0)
        self._scenario_rows: list[ScenarioRecord] = []
        self._test_rows: list[TestRecord] = []
        self._run_rows: list[JudgedRun] = []
        self._committed_s = perf_counter()
        self.tally = Tally()

    def run(self, seconds: float | None) -> Tally:
        """Until the strategy has nothing left, the budget ends, or somebody says stop."""
        begin, done, generation = perf_counter(), 0, 0
        self.tally.ended = f"{self._plan.worlds} tests"
        try:
            while done < self._plan.worlds:
                if self._stop.is_set():
                    self.tally.interrupted = True
                    break
                if seconds is not None and perf_counter() - begin > seconds:
                    self.tally.ended = f"{seconds:g} s are over"
                    break
                candidates = self._strategy.ask(min(self._strategy.batch, self._plan.worlds - done))
                if not candidates:
                    self.tally.ended = getattr(self._strategy, "reason", None) or "nothing left to propose"
                    break
                if not self._generation([self._asked(one, generation) for one in candidates], generation):
                    self.tally.interrupted = True
                    break
                done, generation = done + len(candidates), generation + 1
        finally:
            self._commit()
        return self.tally

    def _generation(self, asked: Sequence[_Asked], number: int) -> bool:
        """Evaluate and tell; False if it was stopped before all was done."""
        told_before = asked[-1].test.index + 1 in self._tests
        wanted = {run.id: run for one in asked for run in one.runs}
        missing = [run for run in wanted.values() if run.id not in self._known]
        spoiled = [run for run in wanted.values() if run.id in self._known and self._invalid(run)]
        self._show(number)
        if not self._execute(missing + ([] if told_before else spoiled), number):
            return False
        if not told_before and not self._try_again(wanted, number):
            return False
        results = []
        for one in asked:
            runs = [self._known[run.id] for run in one.runs if not self._invalid(run)]
            if runs:
                results.append(evaluated(one.candidate, runs))
        if not results and not self._names:
            trouble = self._known[asked[0].runs[0].id].run.trouble
            raise RigError(
                f"All {len(asked)} tests of generation {number + 1} are invalid: there is nothing to learn from. "
                f"{trouble}"
            )
        self._strategy.tell(results)
        if self._objectives is not None and number == 0:
            self._check_measured(results)
        if self._objectives is not None and self._watch is not None:
            self._grow([self._objectives.vector(one.metrics) for one in results])
        self._show(number)
        return True

    def _grow(self, found: Sequence[tuple[float, ...] | None]) -> None:
        """The front with what was found, and its hypervolume: a share of the box of all values so far."""
        vectors = [vector for vector in found if vector is not None]
        self._front = joined(self._front, vectors)
        if vectors and self._front is not None:
            self._box = Box.of(vectors if self._box is None else [*vectors, self._box.low, self._box.high])
            self._volume = self._box.share([tuple(row) for row in self._front.tolist()])

    def _check_measured(self, results: Sequence[Evaluated]) -> None:
        """InputError if an objective is measured by nobody: found out in the first generation, not after a night."""
        assert self._objectives is not None
        known = sorted({name for one in results for name in one.metrics})
        plain = [name for name in known if ":" not in name]  # without the scores of monitors
        reasons = {name: why for judged in self._known.values() for name, why in judged.unmeasured.items()}
        for name in self._objectives.names:
            if name in known or not any(one.outcomes for one in results) or self._names:
                continue
            why = reasons.get(name) or reasons.get(ALL)
            told = f"In every run it failed: {why}." if why else f"Measured are: {', '.join(plain) or 'none'}."
            if not why and isinstance(self._study.metrics, Mapping) and name in self._study.metrics:
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
            troubles = {name: trouble for name, trouble in now.items() if trouble != troubles[name]}
        return True

    def _execute(self, runs: Sequence[PlannedRun], number: int) -> bool:
        if not runs:
            return True
        open_runs = {run.id for run in runs}
        tasks = tasks_of(self._plan, runs, self._folder, timed=self._timed, measures=self._measures)
        for batch in self._executor.run(tasks, self._stop.is_set):
            for finished in batch:
                self._note(finished)
                open_runs.discard(finished.judged.run.id)
            if perf_counter() - self._committed_s > COMMIT_S:
                self._commit()
            self._show(number)
        return not open_runs

    def _note(self, finished: Finished) -> None:
        finished.check()
        judged, tally = finished.judged, self.tally
        earlier = self._known.get(judged.run.id)
        if earlier is not None:
            self._counts[category(earlier.run)] -= 1
        self._known[judged.run.id] = judged
        self._counts[category(judged.run)] += 1
        self._run_rows.append(judged)
        tally.executed += 1
        tally.simulated_s += judged.run.simulated_s
        for part, spent in finished.seconds.items():
            tally.seconds[part] = tally.seconds.get(part, 0.0) + spent

    def _asked(self, candidate: Candidate, generation: int) -> _Asked:
        scenario = self._scenario(candidate)
        test = TestRecord(
            index=candidate.index,
            scenario_id=scenario.id,
            generation=generation,
            name=self._names[candidate.index] if self._names else "",
        )
        stored = self._tests.get(candidate.index)
        if stored is None:
            if scenario.id not in self._scenarios:
                self._scenarios[scenario.id] = scenario
                self._scenario_rows.append(scenario)
            self._test_rows.append(test)
        elif stored != test:
            raise InputError(
                f"The study or the search has changed since {str(self._folder)!r} was begun: test {candidate.index} of "
                "the same plan is another one now. Go back to that version, or run a new campaign."
            )
        runs = tuple(planned(self._plan, scenario, repeat, self._version) for repeat in range(self._plan.repeats))
        return _Asked(candidate, test, runs)

    def _scenario(self, candidate: Candidate) -> ScenarioRecord:
        plan, study = self._plan, self._study
        seed = world_seed(plan, candidate.index) if self._world_seed is None else self._world_seed
        descriptor = self._descriptors.get(candidate.template)
        if descriptor is None or self._world_seed is None:
            made = study.model.create_from_descriptor(candidate.template, generator(seed, "genotype"))
            descriptor = self._descriptors[candidate.template] = made.descriptor
        conditional = any(isinstance(one.when, Conditional) for one in candidate.operations)
        variables = self._space.variables if conditional else ()
        name = scenario_id(
            study.name, descriptor, seed, plan.options, candidate.operations, variables, limit_s=plan.limit_s
        )
        return self._scenarios.get(name) or ScenarioRecord(
            id=name,
            index=candidate.index,
            descriptor=descriptor,
            seed=seed,
            disturbances=tuple(candidate.operations),
            variables=variables,
        )

    def _invalid(self, run: PlannedRun) -> bool:
        return self._known[run.id].run.status is Status.INVALID

    def _trouble(self, run: PlannedRun) -> str:
        return self._known[run.id].run.trouble

    def _commit(self) -> None:
        if self._scenario_rows or self._test_rows or self._run_rows:
            self._ledger.add_evaluated(self._scenario_rows, self._test_rows, self._run_rows)
            self._scenario_rows, self._test_rows, self._run_rows = [], [], []
        self._committed_s = perf_counter()

    def _show(self, generation: int) -> None:
        if self._watch is None:
            return
        note = f"generation {generation + 1}"
        if self._front is not None:
            note += f", front {len(self._front)}, hypervolume {self._volume:.2f}"
        total = self._plan.worlds * self._plan.repeats
        self._watch(Progress(min(len(self._known), total), total, self._before, self._counts, note))


def _names(plan: Plan, space: TestingSpace) -> tuple[str, ...]:
    if plan.fuzzing is None or not plan.fuzzing.tests:
        return ()
    return tuple(test.name for test in find_tests(space, plan.fuzzing))
