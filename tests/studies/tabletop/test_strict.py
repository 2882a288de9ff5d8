"""What the strict profile asks of actions that succeeded."""

from __future__ import annotations

import math

import pytest

from stressfield.oracle import Outcome
from stressfield.seeds import generator
from stressfield_studies.tabletop import study
from stressfield_studies.tabletop.mission import TASKS
from stressfield_studies.tabletop.oracle.executions import executions
from stressfield_studies.tabletop.oracle.strict import STRICT_JUDGES, good_way_m
from stressfield_studies.tabletop.place.placement import SceneRequest, ThingRequest
from stressfield_studies.tabletop.scene import build_scene

from .runs import Judged, run, scene

NAMES = [f"{action}.{judge.name}" for action, judge in STRICT_JUDGES]


@pytest.fixture(scope="module")
def done() -> Judged:
    scenario = scene("pick_and_place", "mug", "box")
    return Judged(scenario, run(scenario))


def test_a_good_run_passes_everything(done: Judged) -> None:
    found = {verdict.property: verdict.outcome for verdict in study.oracle.judge(done.evidence)}
    assert set(NAMES) | {"finished", "alive"} <= set(found)
    assert set(found.values()) == {Outcome.PASS}


@pytest.mark.parametrize(("action", "judge"), STRICT_JUDGES, ids=NAMES)
def test_each_fails_where_its_tolerance_is_too_small(done: Judged, action: str, judge) -> None:  # type: ignore[no-untyped-def]
    del action
    demanding = {"least_m": 1.0}
    narrow = {name: demanding.get(name, -1e-3) for name in judge.tolerances}
    if judge.name == "InTime":
        narrow["within_s"] = -100.0
    if judge.name == "NoDetour":
        narrow = {"times": 0.9, "more_m": -0.5}
    found = judge(done.evidence, done.action(judge.actions[0]), narrow)
    assert found is not None
    assert found.margin < 0.0
    assert found.violations


def fetch(place_surface: str) -> Judged:
    request = SceneRequest(
        actions=TASKS["fetch"], things=(ThingRequest(kind="carton"),), environment="flat", surface="dining_table",
        place_surface=place_surface,
    )  # fmt: skip
    scenario = build_scene(request, generator(1, "test"))
    return Judged(scenario, run(scenario))


@pytest.fixture(scope="module")
def fetched() -> Judged:
    return fetch("coffee_table")


def test_a_tall_object_is_taken_so_that_it_can_be_put_down_on_a_low_table(fetched: Judged) -> None:
    found = {verdict.property: verdict.outcome for verdict in study.oracle.judge(fetched.evidence)}
    assert set(found.values()) == {Outcome.PASS}


def test_what_the_gripper_holds_need_not_be_found_on_the_table(fetched: Judged) -> None:
    assert fetched.evidence.trace.topic("/perceive_plane/result").messages[-1].objects == ()
    assert fetched.holds("ObjectsPerceived", "perceive_plane")


def test_what_the_gripper_holds_before_the_camera_is_in_nobodys_way() -> None:
    topics = fetch("desk").evidence.trace.topics
    assert [thing.kind for thing in topics["/perceive_plane/result"].messages[-1].objects] == ["carton"]
    assert topics["/place_object/goal"].messages[-1].others == ()


def test_a_detour_is_one_if_there_is_a_shorter_way_through_the_door(fetched: Judged) -> None:
    mission, last = fetched.evidence.scenario.mission, executions(fetched.evidence)[3]
    here, there = (mission.location(name) for name in ("dining_table", last.step.location))
    straight_m = math.hypot(here.x_m - there.x_m, here.y_m - there.y_m)
    assert good_way_m(fetched.evidence, (here.x_m, here.y_m), there) > 1.15 * straight_m


def test_what_was_not_done_is_not_judged_here() -> None:
    scenario = scene("perceive", "mug")
    perceived = Judged(scenario, run(scenario))
    found = {verdict.property for verdict in study.oracle.judge(perceived.evidence)}
    assert {name for name in found if name in NAMES} == {"PerceivePlane.InTime", "PerceivePlane.ExactHeight"}


def test_in_the_published_profile_they_do_not_count() -> None:
    names = {one.name for one in study.oracle.select(profile="published")}
    assert not names & {*NAMES, "finished", "alive"}
    assert len(names) == 17
