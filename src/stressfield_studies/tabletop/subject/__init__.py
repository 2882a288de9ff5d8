"""The robot software: four actions behind messages, an executor, and their known faults as switches."""

from __future__ import annotations

from stressfield.bus import Node
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield_studies.tabletop.builds import BUILDS, Issues, issues_of
from stressfield_studies.tabletop.messages import PLACE_OBJECT, Grip
from stressfield_studies.tabletop.mission import TabletopMission
from stressfield_studies.tabletop.subject.executor import Executor
from stressfield_studies.tabletop.subject.move_to import MoveTo
from stressfield_studies.tabletop.subject.perceive_plane import PerceivePlane
from stressfield_studies.tabletop.subject.pick_object import PickObject
from stressfield_studies.tabletop.subject.place_object import PlaceObject, spot


def nodes(scenario: Scenario, issues: Issues) -> list[Node]:
    """All nodes of the robot, fresh."""
    mission = scenario.mission
    if not isinstance(mission, TabletopMission):
        raise InputError(f"The tabletop robot needs a TabletopMission, got {type(mission).__name__}.")
    return [
        MoveTo(mission, issues),
        PerceivePlane(issues),
        PickObject(issues, fits_later=lambda held: _can_be_placed(mission, held)),
        PlaceObject(issues),
        Executor(mission, issues),
    ]


def _can_be_placed(mission: TabletopMission, held: Grip) -> bool:
    """Whether the arm can put down what it holds so, on every table that the task names for it: low ones are hard."""
    tables = {step.surface for step in mission.steps if step.action == PLACE_OBJECT}
    return all(spot(held, mission.surface(table).height_m, ()) is not None for table in tables)


__all__ = ["BUILDS", "Executor", "Issues", "MoveTo", "PerceivePlane", "PickObject", "PlaceObject", "issues_of", "nodes"]
