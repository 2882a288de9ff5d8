"""Pictures and replays of single runs."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from stressfield.errors import TraceError
from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.report import replay_html
from stressfield.report.figures import run_svg
from stressfield.report.figures.tracks import Trajectory, bad_intervals, concerned, marks_of, thin, tracks_of
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.trace import Trace
from stressfield.world import Bodies


@pytest.fixture(scope="module")
def scenario(fake: ModuleType) -> Scenario:
    made: Scenario = fake.study.scenario("0.09-(4-14.0-1.2-leek)", seed=3)
    return made


@pytest.fixture(scope="module")
def failing(fake: ModuleType, scenario: Scenario) -> object:
    return fake.drive(scenario, generator(1, "drive"), swerve_m=0.4, overshoot_m=0.7)


def test_picture_is_an_svg_with_labelled_violations(fake: ModuleType, scenario: Scenario, failing: object) -> None:
    properties = {one.name: one for one in fake.oracle.properties}
    svg = run_svg(scenario, failing.trace, failing.verdicts, properties=properties)  # type: ignore[attr-defined]
    root = ET.fromstring(svg)
    texts = "".join(root.itertext())
    assert "P5_1 collision after the U-turn, " in texts
    assert {"plant", "stake", "weed"} <= {element.text for element in root.iter("{http://www.w3.org/2000/svg}title")}


def test_picture_of_a_world_without_bodies(scenario: Scenario, failing: object) -> None:
    bare = replace(scenario, world=replace(scenario.world, bodies=Bodies.none(), regions=()))
    ET.fromstring(run_svg(bare, failing.trace, ()))  # type: ignore[attr-defined]
    assert "The run" in replay_html(bare, failing.trace, ())  # type: ignore[attr-defined]


def test_picture_escapes_texts(scenario: Scenario, failing: object) -> None:
    nasty = Verdict("<b>", Outcome.FAIL, -1.0, "m", 5.0, "<i>", (Violation(4.0, 6.0, "<i>"),))
    svg = run_svg(scenario, failing.trace, (nasty,))  # type: ignore[attr-defined]
    assert "<b>" not in svg
    assert "&lt;b&gt;" in svg


def test_replay_without_robot_says_so(scenario: Scenario) -> None:
    with pytest.raises(TraceError, match="Cannot replay: the recording holds no position of a robot"):
        replay_html(scenario, Trace(), ())


def test_thinning_keeps_ends_asked_instants_and_closest_approach() -> None:
    time_s = np.arange(20_000) * 0.01
    clearance = np.full(20_000, 0.5)
    clearance[12_345] = -0.2
    kept = thin(time_s, clearance, [33.33])
    assert len(kept) <= 600
    assert {0, 3333, 12_345, 19_999} <= set(kept.tolist())
    assert np.all(np.diff(kept) > 0)
    assert thin(time_s[:10], clearance[:10], []).tolist() == list(range(10))


def test_tracks_are_those_of_the_scenario(scenario: Scenario, failing: object) -> None:
    (track,) = tracks_of(scenario, failing.trace)  # type: ignore[attr-defined]
    assert track.robot == "oz"
    assert track.at(0.0)[0] == pytest.approx(-0.5, abs=0.05)


def test_near_violations_of_a_kind_are_one_mark() -> None:
    violations = (Violation(1.0, 1.2, "1"), Violation(1.5, 2.0, "1"), Violation(9.0, 9.5, "1"))
    verdict = Verdict("P5", Outcome.FAIL, -0.031, "m", 1.6, "1", violations)
    first, second = marks_of([verdict])
    assert first.label == "P5_1, 1.6 s, \N{MINUS SIGN}0.031 m"
    assert (first.start_s, first.end_s) == (1.0, 2.0)
    assert second.label == "P5_1, 9.0 s"
    assert bad_intervals([verdict, verdict]) == [(1.0, 1.2), (1.5, 2.0), (9.0, 9.5)]


def _standing(robot: str, x_m: float, clearance_m: float) -> Trajectory:
    one = np.ones(1)
    return Trajectory(robot, one, x_m * one, one, one, one, clearance_m * one)


def test_a_violation_is_where_the_robot_is_that_the_verdict_names() -> None:
    tracks = (_standing("tb_0", 1.0, 0.4), _standing("tb_1", 2.0, 0.3), _standing("tb_10", 3.0, np.nan))
    assert concerned("not at home: tb_10", 1.0, tracks) is tracks[2]
    assert concerned("tb_0, tb_1", 1.0, tracks) is tracks[1]
    assert concerned("the mission did not end", 1.0, tracks) is tracks[0]


def test_a_small_picture_has_its_violation_in_the_middle(scenario: Scenario, failing: object) -> None:
    """Even where the worst margin was measured long before it."""
    verdict = Verdict("P1", Outcome.FAIL, -1.0, "m", 1.0, None, (Violation(12.0, 14.0, None),))
    svg = run_svg(scenario, failing.trace, (verdict,), width=400, near_s=1.0, labels=False)  # type: ignore[attr-defined]
    mark = next(one for one in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle") if one.get("r") == "9")
    assert (mark.get("cx"), mark.get("cy")) == ("200.0", "100.0")
