"""A strategy that is told what came of all that it proposed, and then proposes again; and what is known for that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stressfield.campaign.front import GrowingFront, evaluated
from stressfield.campaign.ledger import TestRecord
from stressfield.campaign.plan import PlannedRun
from stressfield.campaign.results import Results, category
from stressfield.errors import InputError, RigError, did_you_mean
from stressfield.run import JudgedRun, ScenarioRecord, Status
from stressfield.run.judgement import ALL
from stressfield.search import Candidate, Evaluated
from stressfield.search.sequential_test import needed_lead, standing

if TYPE_CHECKING:
    from stressfield.campaign.loop.session import Loop

ATTEMPTS = 3
"""A test that the rig spoiled is tried again, unless it is spoiled twice in the same way."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate and all of its runs."""

    candidate: Candidate
    runs: tuple[PlannedRun, ...]


class Memory:
    """All that a campaign knows: whoever learns from runs, or repeats them until it is sure, has to hold them."""

    def __init__(self, loop: Loop, before: Results) -> None:
        self._loop = loop
        self.runs = {judged.run.id: judged for judged in before.runs}
        self.tests = {test.index: test for test in before.tests}
        self._scenarios = {scenario.id: scenario for scenario in before.scenarios}
        self._places = {scenario.index for scenario in before.scenarios}
        self.spoiled = {name for name in self.runs if self.invalid(name)}
        """Runs of earlier sessions that the rig spoiled: they count as missing until they are done again."""
        loop.counts = Counter(category(judged.run) for name, judged in self.runs.items() if name not in self.spoiled)
        loop.done = loop.before = loop.counts.total()
        self._spared: dict[str, int] = {}
        """Of each world."""

    def invalid(self, name: str) -> bool:
        return self.runs[name].run.status is Status.INVALID

    def learn(self, runs: Iterable[JudgedRun]) -> set[str]:
        """Take note of runs that are done now, some of them perhaps not for the first time; their ids."""
        found = {judged.run.id: judged for judged in runs}
        for name, judged in found.items():
            if name in self.runs and name not in self.spoiled:
                self._loop.count(self.runs[name], -1)
            self.spoiled.discard(name)
            self.runs[name] = judged
        return set(found)

    def let_be(self, name: str) -> None:
        """A spoiled run of an earlier session is not done again: it counts as it is."""
        if name in self.spoiled:
            self.spoiled.discard(name)
            self._loop.count(self.runs[name], 1)

    def asked(self, candidate: Candidate, generation: int) -> Proposal:
        """The runs of a candidate. What the ledger has of it must be the same."""
        loop = self._loop
        made = loop.prepared.scenario(candidate)
        scenario = self._scenarios.get(made.id, made)  # a test may be proposed twice: it has one scenario
        new = scenario.id not in self._scenarios
        # Checked before anything is noted: what does not fit must not get into the ledger.
        if loop.plan.disturbed:
            self._enter_test(candidate, scenario, generation)
        elif new:
            loop.check_places([scenario], self._places)
        if new:
            self._scenarios[scenario.id] = scenario
            self._places.add(scenario.index)
            loop.enter(scenarios=[scenario])
        repeats = loop.plan.repeats_of(candidate.index)
        return Proposal(candidate, tuple(loop.plan.run_of(scenario, repeat) for repeat in repeats))

    def _enter_test(self, candidate: Candidate, scenario: ScenarioRecord, generation: int) -> None:
        test = TestRecord(index=candidate.index, scenario_id=scenario.id, generation=generation, name=candidate.name)
        stored = self.tests.get(candidate.index)
        if stored is None:
            self._loop.enter(tests=[test])
        elif stored != test:
            raise InputError(
                f"The study or the search has changed since {str(self._loop.folder)!r} was begun: test "
                f"{candidate.index} of the same plan is another one now. Go back to that version, or run a new "
                "campaign."
            )

    def told(self, index: int) -> bool:
        """Whether there was a candidate with that index in an earlier session: all before it were told then."""
        return index in (self.tests if self._loop.plan.disturbed else self._places)

    def due(self, asked: Iterable[Proposal]) -> dict[str, PlannedRun]:
        """The runs that are wanted by what is known so far: all, or those of worlds that are not sure yet."""
        plan = self._loop.plan
        if plan.until_sure is None:
            return {run.id: run for proposal in asked for run in proposal.runs}
        lead, due = needed_lead(plan.until_sure), dict[str, PlannedRun]()
        for proposal in asked:
            known = {run.repeat: self.runs[run.id] for run in proposal.runs if run.id in self.runs}
            least = plan.least_repeats(proposal.candidate.index)
            stands = standing(known, lead=lead, repeats=len(proposal.runs), of=plan.sure_of, least=least)
            due.update({run.id: run for run in proposal.runs[: stands.wanted]})
            self._spared[proposal.runs[0].scenario.id] = len(proposal.runs) - stands.wanted if stands.sure else 0
        self._loop.spared = sum(self._spared.values())
        return due

    def check_measured(self, results: Sequence[Evaluated]) -> None:
        """InputError if an objective is measured by nobody: found out in the first generation, not after a night."""
        loop = self._loop
        assert loop.objectives is not None
        known = sorted({name for result in results for name in result.metrics})
        plain = [name for name in known if ":" not in name]  # without the scores of monitors
        reasons = {name: why for judged in self.runs.values() for name, why in judged.unmeasured.items()}
        metrics = loop.prepared.study.metrics
        for name in loop.objectives.names:
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


class Generations:
    """Ask, do all that was asked for, tell, and again."""

    def __init__(self, loop: Loop, before: Results) -> None:
        self._loop, self._memory, self._front = loop, Memory(loop, before), GrowingFront()

    def run(self) -> bool:
        """False if it was stopped before all was done."""
        loop, done, generation = self._loop, 0, 0
        while done < loop.plan.worlds:
            if loop.stop():
                return False
            if loop.over():
                return True
            candidates = loop.strategy.ask(loop.plan.worlds - done)
            if not candidates:
                loop.end(done)
                return True
            own = [candidate for candidate in candidates if loop.plan.repeats_of(candidate.index)]
            asked = [self._memory.asked(candidate, generation) for candidate in own]
            if asked and not self._generation(asked, generation):
                return False
            done, generation = done + len(candidates), generation + 1
        return True

    def _generation(self, asked: Sequence[Proposal], number: int) -> bool:
        """Evaluate and tell; False if it was stopped before all was done."""
        loop, memory = self._loop, self._memory
        # What a strategy was told once must stay so: spoiled runs of earlier generations are not tried again.
        told_before = loop.prepared.learns and memory.told(asked[-1].candidate.index + 1)
        wanted = memory.due(asked)
        missing = [run for name, run in wanted.items() if name not in memory.runs]
        spoiled = [run for name, run in wanted.items() if name in memory.runs and memory.invalid(name)]
        if told_before:
            for run in spoiled:
                memory.let_be(run.id)
            spoiled = []
        if number == 0:  # what is planned can be looked at from the beginning
            loop.commit()
        self._show(number)
        if not self._execute(missing + spoiled, number):
            return False
        while (further := {name: run for name, run in memory.due(asked).items() if name not in memory.runs}) != {}:
            wanted |= further
            if not self._execute(list(further.values()), number):
                return False
        again = (loop.plan.disturbed or loop.prepared.learns) and not told_before
        if again and not self._try_again(wanted, number):
            return False
        if loop.prepared.learns or loop.objectives is not None:
            self._tell(asked, number)
        self._show(number)
        return True

    def _tell(self, asked: Sequence[Proposal], number: int) -> None:
        loop, memory = self._loop, self._memory
        results = []
        for proposal in asked:
            done = [run.id for run in proposal.runs if run.id in memory.runs]
            runs = [memory.runs[name] for name in done if not memory.invalid(name)]
            if runs:
                results.append(evaluated(proposal.candidate, runs))
        tell = getattr(loop.strategy, "tell", None)
        if tell is not None:
            if not results:
                raise RigError(
                    f"All {len(asked)} {loop.plan.noun}s of generation {number + 1} are invalid: there is nothing to "
                    f"learn from. {self._trouble(asked[0].runs[0].id)}"
                )
            tell(results)
            if loop.objectives is not None and number == 0:
                memory.check_measured(results)
        if loop.objectives is not None and loop.watch is not None:
            self._front.grow([loop.objectives.vector(result.metrics) for result in results])

    def _try_again(self, wanted: Mapping[str, PlannedRun], number: int) -> bool:
        memory = self._memory
        troubles = {name: self._trouble(name) for name in wanted if memory.invalid(name)}
        for _ in range(ATTEMPTS - 1):
            if not troubles:
                return True
            if not self._execute([wanted[name] for name in troubles], number):
                return False
            now = {name: self._trouble(name) for name in troubles if memory.invalid(name)}
            # The same trouble twice is no accident: a third try would only cost time.
            troubles = {name: trouble for name, trouble in now.items() if trouble != troubles[name]}
        return True

    def _trouble(self, name: str) -> str:
        return self._memory.runs[name].run.trouble

    def _execute(self, runs: Sequence[PlannedRun], number: int) -> bool:
        """All runs, committed as they finish; False if that was stopped."""
        if not runs:
            return True
        loop, left = self._loop, {run.id for run in runs}
        for batch in loop.executor.run(loop.tasks(runs), loop.stop):
            left -= self._memory.learn(loop.take(batch))
            self._show(number)
        return not left

    def _show(self, number: int) -> None:
        shown = self._loop.plan.disturbed or number
        self._loop.show(f"generation {number + 1}{self._front.note}" if shown else "")
