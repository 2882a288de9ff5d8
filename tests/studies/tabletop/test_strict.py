"""What the strict profile asks of actions that succeeded."""

from __future__ import annotations

import pytest

from stressfield.oracle import Outcome
from stressfield_studies.tabletop import study
from stressfield_studies.tabletop.oracle.strict import STRICT_JUDGES

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


def test_what_was_not_done_is_not_judged_here() -> None:
    scenario = scene("perceive", "mug")
    perceived = Judged(scenario, run(scenario))
    found = {verdict.property for verdict in study.oracle.judge(perceived.evidence)}
    assert {name for name in found if name in NAMES} == {"PerceivePlane.InTime", "PerceivePlane.ExactHeight"}


def test_in_the_published_profile_they_do_not_count() -> None:
    names = {one.name for one in study.oracle.select(profile="published")}
    assert not names & {*NAMES, "finished", "alive"}
    assert len(names) == 17
