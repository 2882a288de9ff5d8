"""Grasps are physical: contact and friction hold the object, nothing else does."""

from __future__ import annotations

import pytest

from stressfield.fuzz.operations import StuckAt
from stressfield_studies.tabletop.place.furniture import KINDS
from stressfield_studies.tabletop.robot import GRIPPER

from .runs import SETS, judged, scene

PICK = "pick_object"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_object_can_be_picked(kind: str) -> None:
    found = judged(scene("pick", kind))
    assert [name for name in SETS[PICK] if not found.holds(name, PICK)] == []


def test_a_gripper_that_stays_open_holds_nothing() -> None:
    stuck = StuckAt(name="open", topics=(GRIPPER,), path="width", value=0.08)
    found = judged(scene("pick", "cup"), disturbances=[stuck])
    assert found.subcase("ObjectInGripper", PICK) == "not held"
    assert not found.holds("MovedObject", PICK)


def test_a_slippery_object_is_not_lifted() -> None:
    found = judged(scene("pick", "cup", friction=0.05))
    assert found.subcase("ObjectInGripper", PICK) == "not held"


def test_an_object_of_three_kilograms_is_not_lifted() -> None:
    found = judged(scene("pick", "cup", mass=3.0 / KINDS["cup"].mass_kg))
    assert found.subcase("ObjectInGripper", PICK) == "not held"
