"""Worlds of which nobody learns: asked for in parts, done in order, and forgotten.

What is remembered does not grow with the campaign: whether a run was done before, the ledger tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from stressfield.campaign.plan import PlannedRun
from stressfield.campaign.results import Results, category
from stressfield.run import ScenarioRecord, Status
from stressfield.search import Candidate

if TYPE_CHECKING:
    from stressfield.campaign.loop.session import Loop

WORLDS_AT_ONCE = 500
"""Worlds that are made and entered in the ledger together, before their first run."""


class WorldStream:
    """All that the strategy proposes, in its order."""

    def __init__(self, loop: Loop, before: Results) -> None:
        self._loop = loop
        self._under_way: set[str] = set()
        self._ended = False
        loop.counts = Counter(category(judged.run) for judged in before.runs)
        # Runs that the rig spoiled count as missing until they are done again.
        loop.counts.pop(Status.INVALID.value, None)
        loop.done = loop.before = loop.counts.total()

    def run(self) -> bool:
        """False if it was stopped before all was done."""
        loop = self._loop
        loop.show()
        for batch in loop.executor.run(loop.tasks(self._missing()), loop.stop):
            self._under_way.difference_update(judged.run.id for judged in loop.take(batch))
            loop.show()
        return self._ended and not self._under_way

    def _missing(self) -> Iterator[PlannedRun]:
        """Runs that are not in the ledger, or that the rig spoiled when they were done."""
        loop = self._loop
        for worlds in self._parts():
            for scenario, repeats, known in worlds:
                ended = loop.ledger.statuses(scenario.id) if known else {}
                for repeat in repeats:
                    run = loop.plan.run_of(scenario, repeat)
                    if ended.get(run.id, Status.INVALID) is Status.INVALID and run.id not in self._under_way:
                        self._under_way.add(run.id)
                        yield run
        self._ended = True

    def _parts(self) -> Iterator[list[tuple[ScenarioRecord, range, bool]]]:
        """Worlds of the plan, their repeats, and whether the ledger had them before, some at a time."""
        loop, asked = self._loop, 0
        while asked < loop.plan.worlds:
            # A strategy of the user's is told how much room there is, and may make use of it.
            room = loop.plan.worlds - asked
            candidates = loop.strategy.ask(room if loop.plan.own_strategy else min(room, WORLDS_AT_ONCE))
            if not candidates:
                loop.end(asked)
                return
            for start in range(0, len(candidates), WORLDS_AT_ONCE):
                yield self._entered(candidates[start : start + WORLDS_AT_ONCE])
            asked += len(candidates)

    def _entered(self, candidates: Sequence[Candidate]) -> list[tuple[ScenarioRecord, range, bool]]:
        """The worlds of candidates, in the ledger. What it has of them must be the same."""
        loop = self._loop
        made: dict[tuple[str, range], ScenarioRecord] = {}
        for candidate in candidates:
            if repeats := loop.plan.repeats_of(candidate.index):
                scenario = loop.prepared.scenario(candidate)
                made.setdefault((scenario.id, repeats), scenario)  # a world may be chosen twice
        loop.commit()  # of a world that was proposed before, all that is done is in the ledger now
        places = loop.ledger.places(list(made.values()))
        new = {scenario.id: scenario for scenario in made.values() if scenario.id not in places}
        loop.check_places(new.values(), set(places.values()))
        loop.enter(scenarios=new.values())
        loop.commit()  # what is planned can be looked at from the beginning
        return [(scenario, repeats, name not in new) for (name, repeats), scenario in made.items()]
