"""An oracle made of an ontology: a property for each success property of each action, ``Pick.ObjectInGripper``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import inf

from stressfield.errors import InputError, did_you_mean
from stressfield.oracle import Evidence, Judgement, Oracle, Property, PropertyClass, Violation, holds
from stressfield_studies.tabletop.messages import ACTIONS
from stressfield_studies.tabletop.ontology.ontology import Ontology
from stressfield_studies.tabletop.oracle import PROPERTY_JUDGES, PropertyJudge, executions
from stressfield_studies.tabletop.oracle.executions import Cause
from stressfield_studies.tabletop.scores import ActionScore, metrics_of

NAMES = {"Pick": "pick_object", "Place": "place_object", "MoveBase": "move_to"}
"""Actions that the robot calls otherwise. ``MoveTo`` is its ``move_to`` without being told."""
COMMUNICATION = {Cause.GOAL_LOST, Cause.RESULT_LOST, Cause.NO_RESULT}
_CRITICAL = re.compile("Collision|Undisturbed|Upright")
_PERCEPTION = re.compile("Plane|Perceived")


def robot_action(name: str) -> str:
    """What the robot calls an action of an ontology: ``MoveTo`` is ``move_to``, ``Pick`` is ``pick_object``."""
    found = NAMES.get(name, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    if found not in ACTIONS:
        known = [*NAMES, *ACTIONS]
        raise InputError(
            f"The robot cannot do the action {name!r}. It can do: {', '.join(ACTIONS)}.{did_you_mean(name, known)}"
        )
    return found


def ontology_oracle(
    ontology: Ontology,
    *,
    actions: Sequence[str] = (),
    judges: Mapping[str, PropertyJudge] = PROPERTY_JUDGES,
    name: str = "tabletop",
) -> Oracle:
    """The oracle for these actions of an ontology (default: all). An unknown property is an InputError.

    Of an action that the task does not have there is no verdict.
    """
    oracle = Oracle(name)
    for action in actions or ontology.actions:
        done_as = robot_action(action)
        ontology.check_judged(action, judges)
        for prop in ontology.success_properties(action):
            judge = judges[prop.name]
            if done_as not in judge.actions:
                raise InputError(
                    f"The property {prop.name!r} cannot judge the action {action!r}. "
                    f"It judges: {', '.join(judge.actions)}."
                )
            oracle.add(_property(action, done_as, judge))
    return oracle


def scores(
    evidence: Evidence, ontology: Ontology, *, judges: Mapping[str, PropertyJudge] = PROPERTY_JUDGES
) -> dict[str, float]:
    """The scores A and S of a run, as metrics to keep."""
    by_robot = {robot_action(name): name for name in ontology.actions}
    found = []
    for execution in executions(evidence):
        action = by_robot.get(execution.action)
        if action is None:
            raise InputError(f"{ontology.source} says nothing of the action {execution.action!r} that the task has.")
        properties = ontology.success_properties(action)
        satisfied = sum(_satisfied(judges[prop.name](evidence, execution, {})) for prop in properties)
        lost = not execution.executed and execution.cause in COMMUNICATION
        found.append(ActionScore(action, satisfied, len(properties), lost))
    return metrics_of(found)


def _property(action: str, done_as: str, judge: PropertyJudge) -> Property:
    def judged(evidence: Evidence) -> Judgement | None:
        ours = [execution for execution in executions(evidence) if execution.action == done_as]
        return _together([judge(evidence, execution, {}) for execution in ours])

    def asked(evidence: Evidence) -> bool:
        return any(execution.action == done_as for execution in executions(evidence))

    kind = PropertyClass.MISSION_PHASE
    if _CRITICAL.search(judge.name):
        kind = PropertyClass.CRITICAL_EVENT
    elif _PERCEPTION.search(judge.name):
        kind = PropertyClass.PERCEPTION
    return Property(f"{action}.{judge.name}", kind, judge.title, judged, applies=asked)


def _together(judgements: Sequence[Judgement | None]) -> Judgement | None:
    """Several executions of one action: all must satisfy it; the worst is told."""
    if not judgements or any(judgement is None for judgement in judgements):
        return None
    seen = [judgement for judgement in judgements if judgement is not None]
    violations: tuple[Violation, ...] = tuple(violation for judgement in seen for violation in judgement.violations)
    worst = min(
        seen, key=lambda judgement: (not judgement.violations, inf if judgement.margin is None else judgement.margin)
    )
    return Judgement(
        worst.margin,
        worst.unit,
        worst.at_s,
        violations,
        note=worst.note,
        seen=all(judgement.seen for judgement in seen),
    )


def _satisfied(judgement: Judgement | None) -> bool:
    if judgement is None or not judgement.seen or judgement.violations:
        return False
    return judgement.margin is None or holds(judgement.margin)


class LazyOracle(Oracle):
    """Stands for the oracle that ``make`` returns, once somebody asks for its properties."""

    def __init__(self, name: str, make: Callable[[], Oracle]) -> None:
        super().__init__(name)
        self._make = make

    @cached_property
    def _made(self) -> Oracle:
        return self._make()

    @property
    def properties(self) -> tuple[Property, ...]:
        """Those of the oracle that was made."""
        return self._made.properties

    def add(self, new: Property) -> None:
        """Add a property to the oracle that was made."""
        self._made.add(new)
