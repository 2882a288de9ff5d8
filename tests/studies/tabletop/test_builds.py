"""Each fault alone, and the properties that show it."""

from __future__ import annotations

import pytest

from stressfield.errors import InputError
from stressfield.studies.tabletop import study
from stressfield.studies.tabletop.builds import BUILDS, issues_of
from stressfield.studies.tabletop.oracle import ActionStatus

from .runs import SETS, judged, scene

PICK, SEE = "pick_object", "perceive_plane"


def test_the_study_has_a_build_for_each_fault() -> None:
    assert [build.name for build in study.builds] == ["fixed", "release", "clip", "offset", "bias", "lost"]
    assert {fault.build for fault in study.faults} == set(BUILDS) - {"fixed", "release"}
    with pytest.raises(InputError, match=r"Unknown build 'offsett'.*Did you mean 'offset'"):
        issues_of("offsett")


def test_an_approach_that_clips_moves_the_object_and_does_not_get_it() -> None:
    found = judged(scene("pick", "can"), "clip")
    assert [name for name in SETS[PICK] if not found.holds(name, PICK)] == ["ObjectGrasped", "ObjectInGripper"]


def test_a_grasp_beside_the_object_does_not_move_it() -> None:
    found = judged(scene("pick", "can"), "offset")
    failed = [name for name in SETS[PICK] if not found.holds(name, PICK)]
    assert failed == ["ObjectGrasped", "MovedObject", "ObjectInGripper"]


def test_a_biased_plane_is_at_the_wrong_height() -> None:
    found = judged(scene("perceive", "bottle"), "bias")
    assert [name for name in SETS[SEE] if not found.holds(name, SEE)] == ["PlaneHeight"]
    assert found.judgement("PlaneHeight", SEE).margin == pytest.approx(-0.035, abs=0.005)


def test_lost_messages_differ_from_run_to_run() -> None:
    scenario = scene("perceive", "cup", timeout_s=3.0)
    statuses = {judged(scenario, "lost", seed=seed).action(SEE).status for seed in range(12)}
    assert statuses == {ActionStatus.SUCCEEDED, ActionStatus.NOT_EXECUTED}
