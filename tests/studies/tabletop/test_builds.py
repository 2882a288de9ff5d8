"""Each fault alone, and the properties that show it."""

from __future__ import annotations

import pytest

from stressfield.bus import Message
from stressfield.errors import InputError
from stressfield_studies.tabletop import study
from stressfield_studies.tabletop.builds import BUILDS, FAULTS, LOSS, issues_of
from stressfield_studies.tabletop.oracle import ActionStatus, Cause
from stressfield_studies.tabletop.subject import middleware
from stressfield_studies.tabletop.subject.middleware import Middleware

from .runs import SETS, judged, scene

PICK, SEE = "pick_object", "perceive_plane"


def test_the_study_has_a_build_for_each_fault() -> None:
    assert [build.name for build in study.builds] == ["fixed", "release", "clip", "offset", "bias", "lost"]
    assert {fault.build for fault in FAULTS} == set(BUILDS) - {"fixed", "release"}
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


class _Bus:
    """Counts what is sent."""

    now_ns = 0
    sent = 0

    def publish(self, topic: str, message: Message) -> None:
        self.sent += 1


def test_the_middleware_loses_a_share_of_goals_and_results_and_no_feedback() -> None:
    bus = _Bus()
    lossy = Middleware(bus, issues_of("lost"))
    for bus.now_ns in range(2000):
        lossy.end(PICK, "g", None)
    assert bus.sent == pytest.approx(2000 * (1.0 - LOSS), abs=60)
    bus.sent = 0
    for bus.now_ns in range(200):
        lossy.feedback(PICK, "g", "at work")
    assert bus.sent == 200


def test_a_goal_lost_by_the_middleware_was_not_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "LOSS", 1.0)
    found = judged(scene("perceive", "cup", timeout_s=2.0), "lost").action(SEE)
    assert (found.status, found.cause) == (ActionStatus.NOT_EXECUTED, Cause.GOAL_LOST)
