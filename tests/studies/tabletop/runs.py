"""Scenes and runs of the tabletop study for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stressfield.fuzz.operation import Operation
from stressfield.oracle import Evidence, Judgement
from stressfield.run import Executed, execute
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.trace import Metadata
from stressfield_studies.tabletop import study
from stressfield_studies.tabletop.mission import TASKS
from stressfield_studies.tabletop.oracle import PROPERTY_JUDGES, ActionExecution, executions
from stressfield_studies.tabletop.place.placement import SceneRequest, ThingRequest
from stressfield_studies.tabletop.scene import build_scene


def scene(task: str, *kinds: str, seed: int = 1, timeout_s: float | None = None, **factors: float) -> Scenario:
    """A task on a table with these objects; ``factors`` hold for the first of them."""
    first, *rest = kinds
    things = (ThingRequest(kind=first, **factors), *(ThingRequest(kind=kind) for kind in rest))
    made = build_scene(SceneRequest(actions=TASKS[task], things=things, surface="desk"), generator(seed, "test"))
    if timeout_s is not None:
        made = replace(made, mission=replace(made.mission, action_timeout_s=timeout_s))
    return made


def run(scenario: Scenario, build: str = "fixed", *, seed: int = 1, disturbances: Sequence[Operation] = ()) -> Executed:
    """One run of a build."""
    scenario = scenario.disturbed(disturbances)
    return execute(
        scenario,
        study.find_build(build).subject(scenario),
        study.find_simulator()(),
        seed=seed,
        timing=study.timing,
        ending=study.ending,
        metadata=Metadata(),
        fingerprinted=study.recording.fingerprinted,
    )


class Judged:
    """A run and what is said of it."""

    def __init__(self, scenario: Scenario, executed: Executed) -> None:
        self.executed = executed
        self.evidence = Evidence(executed.trace, scenario)
        self.actions = {one.action: one for one in executions(self.evidence)}

    def action(self, name: str) -> ActionExecution:
        return self.actions[name]

    def judgement(self, name: str, action: str, **parameters: float) -> Judgement:
        found = PROPERTY_JUDGES[name](self.evidence, self.actions[action], parameters)
        assert found is not None
        return found

    def holds(self, name: str, action: str, **parameters: float) -> bool:
        return not self.judgement(name, action, **parameters).violations

    def subcase(self, name: str, action: str) -> str | None:
        violations = self.judgement(name, action).violations
        return violations[0].subcase if violations else None


def judged(
    scenario: Scenario, build: str = "fixed", *, seed: int = 1, disturbances: Sequence[Operation] = ()
) -> Judged:
    """Run and judge."""
    return Judged(scenario, run(scenario, build, seed=seed, disturbances=disturbances))


SETS = {
    "move_to": ("MoveCompleted", "AtDestination", "FacingDestination", "NoMoveCollisions", "ObjectsUndisturbed"),
    "perceive_plane": ("PlanePerceived", "PlaneHeight", "ObjectsPerceived"),
    "pick_object": ("CloseObject", "ObjectGrasped", "NoGraspCollisions", "MovedObject", "ObjectInGripper"),
    "place_object": ("ObjectPlaced", "OnSurface", "NoPlaceCollisions", "ObjectReleased"),
}
