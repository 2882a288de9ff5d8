"""The whole task: messages, results, and what is said of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from stressfield.fuzz.operations import Blackhole
from stressfield.oracle import Evidence
from stressfield.run import Status
from stressfield.seeds import generator
from stressfield.trace import read_trace, write_trace
from stressfield_studies.tabletop.messages import ACTIONS, goal_topic, result_topic
from stressfield_studies.tabletop.oracle import ActionStatus, Cause, executions
from stressfield_studies.tabletop.place.placement import SceneRequest, ThingRequest
from stressfield_studies.tabletop.robot import REPORT
from stressfield_studies.tabletop.scene import build_scene

from .runs import SETS, Judged, judged, run, scene

OTHERS = ("bottle", "sponge")


@pytest.fixture(scope="module")
def done() -> Judged:
    return judged(scene("pick_and_place", "mug", *OTHERS))


def test_a_mug_is_picked_and_placed(done: Judged) -> None:
    assert done.executed.status is Status.COMPLETED
    assert [one.status for one in done.actions.values()] == [ActionStatus.SUCCEEDED] * 4
    assert tuple(done.actions) == ACTIONS
    failed = [(action, name) for action in ACTIONS for name in SETS[action] if not done.holds(name, action)]
    assert failed == []
    assert [message.level for message in done.executed.trace.topic(REPORT).messages] == [0]


def test_actions_follow_each_other(done: Judged) -> None:
    times = [(one.start_s, one.end_s) for one in done.actions.values()]
    assert all(start < end for start, end in times)
    assert all(end < start for (_, end), (start, _) in pairwise(times))


@pytest.mark.parametrize(
    ("name", "action", "parameters"),
    [
        ("AtDestination", "move_to", {"near_m": 1e-6}),
        ("FacingDestination", "move_to", {"turned_rad": 1e-9}),
        ("PlaneHeight", "perceive_plane", {"height_m": 1e-9}),
        ("ObjectsPerceived", "perceive_plane", {"near_m": 1e-6}),
        ("CloseObject", "pick_object", {"reach_m": 0.1}),
        ("MovedObject", "pick_object", {"least_m": 2.0}),
        ("ObjectInGripper", "pick_object", {"near_m": 1e-6}),
        ("MovedAlongY", "pick_object", {"least_m": 2.0}),
        ("OnSurface", "place_object", {"height_m": -0.1}),
        ("Upright", "place_object", {"tilt_rad": -0.1}),
    ],
)
def test_a_property_fails_where_its_tolerance_is_too_small(
    done: Judged, name: str, action: str, parameters: dict[str, float]
) -> None:
    assert done.holds(name, action)
    assert not done.holds(name, action, **parameters)


def test_the_properties_of_the_published_listing_judge_a_pick(done: Judged) -> None:
    assert [done.holds(name, "pick_object") for name in ("MovedAlongY", "OnSurface", "InHand")] == [True] * 3


def test_the_same_seed_gives_the_same_trace_and_another_does_not(done: Judged) -> None:
    scenario = done.evidence.scenario
    assert run(scenario).trace.digest() == done.executed.trace.digest()
    assert run(scenario, seed=2).trace.digest() != done.executed.trace.digest()


def test_a_recording_is_judged_as_the_run_was(done: Judged, tmp_path) -> None:  # type: ignore[no-untyped-def]
    write_trace(done.executed.trace, tmp_path / "run.mcap")
    again = read_trace(tmp_path / "run.mcap")
    assert executions(Evidence(again, done.evidence.scenario)) == tuple(done.actions.values())


@pytest.mark.parametrize(
    ("topic", "cause"),
    [(goal_topic("pick_object"), Cause.GOAL_LOST), (result_topic("pick_object"), Cause.RESULT_LOST)],
)
def test_an_action_whose_messages_are_lost_was_not_executed(topic: str, cause: Cause) -> None:
    hole = Blackhole(name="hole", topics=(topic,))
    found = judged(scene("pick", "cup", timeout_s=14.0), disturbances=[hole])
    assert found.executed.status is Status.COMPLETED
    pick = found.action("pick_object")
    assert (pick.status, pick.cause) == (ActionStatus.NOT_EXECUTED, cause)
    assert {found.subcase(name, "pick_object") for name in SETS["pick_object"]} == {"not executed"}
    assert found.judgement("NoGraspCollisions", "pick_object").note == f"not executed: {cause}"


def test_after_a_lost_goal_the_rest_of_the_task_is_not_reached() -> None:
    hole = Blackhole(name="hole", topics=(goal_topic("move_to"),))
    found = judged(scene("pick_and_place", "cup", timeout_s=2.0), disturbances=[hole])
    causes = [one.cause for one in found.actions.values()]
    assert causes == [Cause.GOAL_LOST, *[Cause.NOT_REACHED] * 3]


def test_a_place_that_is_blocked_is_given_up_without_a_collision() -> None:
    things = (ThingRequest(kind="cup"),)
    request = SceneRequest(actions=("move_to",), things=things, surface="desk", goal_blocked=True)
    found = judged(build_scene(request, generator("blocked")))
    assert found.action("move_to").status is ActionStatus.ABORTED
    failed = [name for name in SETS["move_to"] if not found.holds(name, "move_to")]
    assert failed == ["MoveCompleted", "AtDestination", "FacingDestination"]
