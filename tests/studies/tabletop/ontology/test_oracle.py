"""An oracle and scores from an ontology, with executions made up for the purpose."""

from __future__ import annotations

from typing import Any

import pytest

from stressfield.errors import InputError
from stressfield.oracle import Judgement, Outcome, PropertyClass, Violation, overall
from stressfield_studies.tabletop.mission import Step
from stressfield_studies.tabletop.ontology import oracle as made
from stressfield_studies.tabletop.ontology.ontology import ontology_from_xml, own_ontology
from stressfield_studies.tabletop.ontology.oracle import ontology_oracle, robot_action, scores
from stressfield_studies.tabletop.oracle import ActionExecution, ActionStatus, Cause, PropertyJudge

XML = """
<action:Action rdf:about="http://actions#Pick">
  <action:successProperty rdf:resource="http://actions#Held"/>
  <action:successProperty rdf:resource="http://actions#Lifted"/>
</action:Action>
<action:Action rdf:about="http://actions#MoveTo">
  <action:successProperty rdf:resource="http://actions#NoCollisions"/>
</action:Action>
"""


def execution(action: str, index: int = 0, *, lost: bool = False) -> ActionExecution:
    status = ActionStatus.NOT_EXECUTED if lost else ActionStatus.SUCCEEDED
    cause = Cause.GOAL_LOST if lost else Cause.NONE
    return ActionExecution(index, action, Step(action), f"g{index}", float(index), index + 1.0, status, cause)


def judge(name: str, action: str, *margins: float) -> PropertyJudge:
    """Gives the margin of the execution's place in the task."""

    def judged(_evidence: Any, one: ActionExecution, _parameters: Any) -> Judgement:
        margin = margins[one.index]
        violations = (Violation(one.start_s, one.end_s, "too low"),) if margin < 0 else ()
        return Judgement(margin, "m", one.end_s, violations)

    return PropertyJudge(name, f"It is {name}", (action,), judged)


JUDGES = {
    "Held": judge("Held", "pick_object", 0.1, -0.2, 0.3),
    "Lifted": judge("Lifted", "pick_object", 0.1, 0.2, 0.3),
    "NoCollisions": judge("NoCollisions", "move_to", 0.1, 0.2, 0.3),
}
ONTOLOGY = ontology_from_xml(XML, name="It")


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[ActionExecution]:
    """What the recording says was done; fill it in."""
    found: list[ActionExecution] = []
    monkeypatch.setattr(made, "executions", lambda _evidence: tuple(found))
    return found


def test_the_robots_names_of_actions() -> None:
    assert [robot_action(name) for name in ("Pick", "Place", "MoveTo", "PerceivePlane", "MoveBase", "pick_object")] == [
        "pick_object", "place_object", "move_to", "perceive_plane", "move_to", "pick_object",
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"The robot cannot do the action 'Throw'\. It can do: move_to"):
        robot_action("Throw")


def test_properties_come_from_the_ontology() -> None:
    oracle = ontology_oracle(own_ontology())
    assert len(oracle.properties) == 17
    assert oracle["Pick.ObjectInGripper"].title == "The object is in the gripper"
    assert oracle["Pick.NoGraspCollisions"].kind is PropertyClass.CRITICAL_EVENT
    assert [one.name for one in ontology_oracle(ONTOLOGY, judges=JUDGES, actions=["Pick"]).properties] == [
        "Pick.Held", "Pick.Lifted",
    ]  # fmt: skip


def test_unknown_properties_and_judges_of_other_actions_are_refused() -> None:
    with pytest.raises(InputError, match=r"Unknown property 'Lifted' of action 'Pick' in It"):
        ontology_oracle(ONTOLOGY, judges={"Held": JUDGES["Held"]})
    wrong = {**JUDGES, "Held": judge("Held", "place_object", 0.1)}
    with pytest.raises(InputError, match=r"'Held' cannot judge the action 'Pick'\. It judges: place_object"):
        ontology_oracle(ONTOLOGY, judges=wrong)


def test_an_action_that_the_task_does_not_have_gets_no_verdict(done: list[ActionExecution]) -> None:
    done.append(execution("pick_object"))
    oracle = ontology_oracle(ONTOLOGY, judges=JUDGES)
    for include in ((), ("MoveTo.NoCollisions", "Pick.Held")):
        verdicts = oracle.judge(None, include=include)  # type: ignore[arg-type]
        assert [one.property for one in verdicts] == ["Pick.Held", "Pick.Lifted"]
        assert overall(verdicts) is Outcome.PASS
    assert [one.property for one in oracle.judge(None, exclude=["Pick.Held"])] == ["Pick.Lifted"]  # type: ignore[arg-type]


def test_a_task_of_other_actions_is_inconclusive(done: list[ActionExecution]) -> None:
    done.append(execution("place_object"))
    verdicts = ontology_oracle(ONTOLOGY, judges=JUDGES).judge(None)  # type: ignore[arg-type]
    assert verdicts == ()
    assert overall(verdicts) is Outcome.INCONCLUSIVE


def test_all_executions_of_an_action_must_satisfy_a_property(done: list[ActionExecution]) -> None:
    done += [execution("pick_object", 0), execution("pick_object", 1)]
    held, lifted = ontology_oracle(ONTOLOGY, judges=JUDGES).judge(None)  # type: ignore[arg-type]
    assert (held.outcome, held.margin, held.subcase) == (Outcome.FAIL, -0.2, "too low")
    assert (lifted.outcome, lifted.margin) == (Outcome.PASS, 0.1)


def test_a_lost_goal_reads_not_executed_and_scores_nothing(done: list[ActionExecution]) -> None:
    done += [execution("move_to", 0), execution("pick_object", 1, lost=True)]
    held, _, free = ontology_oracle(ONTOLOGY, judges=JUDGES).judge(None)  # type: ignore[arg-type]
    assert (held.outcome, held.subcase, held.note) == (Outcome.FAIL, "not executed", "not executed: goal lost")
    assert free.outcome is Outcome.PASS
    assert scores(None, ONTOLOGY, judges=JUDGES) == {  # type: ignore[arg-type]
        "A1.MoveTo": 1.0, "A2.Pick": 0.0, "S": 0.5, "lost": 1.0,
    }  # fmt: skip


def test_scores_count_satisfied_properties(done: list[ActionExecution]) -> None:
    done += [execution("pick_object", 0), execution("pick_object", 1)]
    assert scores(None, ONTOLOGY, judges=JUDGES) == {  # type: ignore[arg-type]
        "A1.Pick": 1.0, "A2.Pick": 0.5, "S": 0.75, "lost": 0.0,
    }  # fmt: skip
    done.append(execution("place_object", 2))
    with pytest.raises(InputError, match="It says nothing of the action 'place_object'"):
        scores(None, ONTOLOGY, judges=JUDGES)  # type: ignore[arg-type]
