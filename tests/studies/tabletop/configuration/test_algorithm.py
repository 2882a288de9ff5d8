"""Algorithm 1, and shrinking with Hypothesis, on executions made up for the purpose."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest
from tests.studies.tabletop.configuration.test_file import shipped

from stressfield.errors import InputError
from stressfield.seeds import generator
from stressfield_studies.tabletop.configuration.algorithm import (
    Value,
    Values,
    find_smallest,
    test_action,
    test_sequence,
)
from stressfield_studies.tabletop.configuration.scenarios import fewer_things, scenario_strategy
from stressfield_studies.tabletop.model import TabletopWorld
from stressfield_studies.tabletop.ontology.ontology import ontology_from_xml

ONTOLOGY = ontology_from_xml("""
<action:Action rdf:about="http://actions#Pick">
  <action:successProperty rdf:resource="http://actions#Lifted"/>
  <action:successProperty rdf:resource="http://actions#InHand"/>
  <action:hasParameter rdf:resource="http://actions#thing"/>
  <action:hasParameter rdf:resource="http://actions#table"/>
</action:Action>
<action:Action rdf:about="http://actions#Place">
  <action:successProperty rdf:resource="http://actions#Rests"/>
  <action:hasParameter rdf:resource="http://actions#thing"/>
</action:Action>
<action:Action rdf:about="http://actions#Wait"/>
<action:Property rdf:about="http://actions#InHand">
  <action:needsParameter rdf:resource="http://actions#thing"/>
</action:Property>
""")


class Lab:
    """Remembers what it was asked, and has one thing slip."""

    def __init__(self) -> None:
        self.generated: list[str] = []
        self.executed: list[tuple[str, Values]] = []
        self.judged: list[tuple[str, Values]] = []

    def generate(self, parameter: str) -> Value:
        self.generated.append(parameter)
        return f"{parameter} {len(self.generated)}"

    def execute(self, action: str, values: Values) -> str:
        self.executed.append((action, dict(values)))
        return action

    def judges(self, answers: Mapping[str, bool]):
        def judge(name: str):
            def judged(_execution: str, needed: Values) -> bool:
                self.judged.append((name, dict(needed)))
                return answers[name]

            return judged

        return {name: judge(name) for name in answers}


def test_an_action_is_executed_with_all_parameters_and_judged_with_those_needed() -> None:
    lab = Lab()
    judges = lab.judges({"Lifted": False, "InHand": True})
    tested = test_action("Pick", ONTOLOGY, generate=lab.generate, execute=lab.execute, judges=judges)
    assert lab.executed == [("Pick", {"thing": "thing 1", "table": "table 2"})]
    assert lab.judged == [("Lifted", {}), ("InHand", {"thing": "thing 1"})]
    assert not tested.passed
    assert (tested.satisfied, len(tested.properties)) == (1, 2)


def test_a_sequence_shares_its_parameters() -> None:
    lab = Lab()
    judges = lab.judges({"Lifted": True, "InHand": True, "Rests": True})
    tested = test_sequence(["Pick", "Place"], ONTOLOGY, generate=lab.generate, execute=lab.execute, judges=judges)
    assert [one.passed for one in tested] == [True, True]
    assert lab.generated == ["thing", "table"]
    assert lab.executed[1] == ("Place", {"thing": "thing 1"})


def test_nothing_is_executed_that_cannot_be_judged() -> None:
    lab = Lab()
    with pytest.raises(InputError, match="Unknown property 'InHand' of action 'Pick'"):
        test_action("Pick", ONTOLOGY, generate=lab.generate, execute=lab.execute, judges=lab.judges({"Lifted": True}))
    with pytest.raises(InputError, match="no successProperty"):
        test_sequence(["Wait"], ONTOLOGY, generate=lab.generate, execute=lab.execute, judges={})
    with pytest.raises(InputError, match="has no actions"):
        test_sequence([], ONTOLOGY, generate=lab.generate, execute=lab.execute, judges={})
    assert not lab.executed


GRASP = shipped("grasp")


def crowded(world: TabletopWorld, _repeat: int) -> bool:
    """Fails if a box stands beside and the glass is slippery."""
    return any(thing.kind == "box" for thing in world.things) and world.things[0].friction <= 0.75


def test_a_failing_scenario_is_shrunk_to_the_smallest() -> None:
    strategy, simpler = scenario_strategy(GRASP, GRASP.tests[0]), partial(fewer_things, GRASP)
    found = find_smallest(strategy, crowded, seed=3, examples=60, simpler=simpler)
    assert found is not None
    assert [thing.kind for thing in found.scenario.things] == ["glass", "box"]
    glass = found.scenario.things[0]
    assert (glass.size, glass.mass, glass.friction, glass.turn_deg) == (1.0, 1.0, 0.75, 0)


def test_repeats_decide_what_counts() -> None:
    def sometimes(world: TabletopWorld, repeat: int) -> bool:
        return generator(0, world.descriptor, repeat).random() < 0.4 + 0.6 * crowded(world, 0)

    strategy = scenario_strategy(GRASP, GRASP.tests[0])
    found = find_smallest(strategy, sometimes, seed=3, examples=60, repeats=6, needed=6)
    assert found is not None
    assert found.fails == found.repeats == 6
    assert crowded(found.scenario, 0)
    assert find_smallest(strategy, lambda _world, _repeat: False, seed=3, examples=5) is None
    with pytest.raises(InputError, match="Wanted 1 <= needed <= repeats"):
        find_smallest(strategy, sometimes, seed=3, repeats=2, needed=3)
