"""What the strict profile asks of the rover: a good run passes, and each property fails what it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from stressfield.oracle import Evidence, Outcome, Verdict
from stressfield.trace import Trace, Truth
from stressfield.trace.topic import recorded
from stressfield_studies.mana import robot, study

from .test_study import EMPTY, ran


@pytest.fixture(scope="module")
def good() -> Evidence:
    scenario = study.scenario(EMPTY, seed=1)
    return Evidence(ran(scenario).trace, scenario)


def verdicts(evidence: Evidence) -> dict[str, Verdict]:
    return {verdict.property: verdict for verdict in study.oracle.judge(evidence)}


def truth(trace: Trace, change: Callable[[np.ndarray], None]) -> Trace:
    before = trace.truth("mana")
    values = before.values.copy()
    change(values)
    return replace(trace, robots={"mana": Truth(before.time_ns, values)})


def turned(values: np.ndarray) -> None:
    half = 0.1
    z, w = values[:, 5].copy(), values[:, 6].copy()
    values[:, 5], values[:, 6] = z * np.cos(half) + w * np.sin(half), w * np.cos(half) - z * np.sin(half)


def shifted(values: np.ndarray) -> None:
    values[:, 0] += 0.3


def weaving(values: np.ndarray) -> None:
    values[:, 0] += 2.0 * np.sin(np.arange(len(values)) / 10.0)


def near(values: np.ndarray) -> None:
    values[200, 9] = 0.02


def late(trace: Trace) -> Trace:
    topic = trace.topic(robot.REPORT)
    return replace(
        trace, topics={**trace.topics, robot.REPORT: replace(topic, publish_time_ns=topic.publish_time_ns * 12 // 10)}
    )


def mapped(trace: Trace, change: Callable[[np.ndarray], np.ndarray]) -> Trace:
    topic = trace.topic(robot.FINAL_MAP)
    told = [msgspec.structs.replace(one, elevation=change(one.elevation)) for one in topic.messages]
    other = recorded(topic.name, topic.message_type, topic.log_time_ns, topic.publish_time_ns, told)
    return replace(trace, topics={**trace.topics, robot.FINAL_MAP: other})


def test_a_good_run_passes_everything(good: Evidence) -> None:
    found = verdicts(good)
    assert {name for name, verdict in found.items() if verdict.outcome is not Outcome.PASS} == set()
    assert set(found) == {*(f"N{number}" for number in range(1, 10)), "finished", "alive"}


@pytest.mark.parametrize(
    ("spoil", "name", "subcase"),
    [
        (lambda trace: truth(trace, shifted), "N5", "1"),
        (lambda trace: truth(trace, turned), "N5", "2"),
        (late, "N6", None),
        (lambda trace: truth(trace, weaving), "N7", None),
        (lambda trace: truth(trace, near), "N8", None),
        (lambda trace: mapped(trace, lambda heights: heights + np.float32(0.2)), "N9", "1"),
        (lambda trace: mapped(trace, lambda heights: np.full_like(heights, np.nan)), "N9", "2"),
    ],
)
def test_each_property_fails_what_it_is_about(
    good: Evidence, spoil: Callable[[Trace], Trace], name: str, subcase: str | None
) -> None:
    verdict = verdicts(Evidence(spoil(good.trace), good.scenario))[name]
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, subcase)
    assert verdict.margin is not None
    assert verdict.margin < 0.0


def test_in_the_published_profile_they_do_not_count() -> None:
    names = [one.name for one in study.oracle.select(profile="published")]
    assert names == ["N1", "N2", "N3", "N4", "N5"]


def test_default_worlds_are_moderate() -> None:
    made = study.model.create_from_descriptor(study.template, np.random.default_rng(1))
    assert made.ground.deformation_m == 0.5
    assert made.obstacles.obstruction_percent == 3.0


@pytest.mark.parametrize(("clearance_m", "room_m"), [(0.05, 0.05), (0.14, 0.14), (0.15, 0.15), (0.9, 0.15)])
def test_room_beyond_a_cell_of_the_map_is_no_safer(good: Evidence, clearance_m: float, room_m: float) -> None:
    """Which side of a tree the rover takes is chance, so the least clearance of wide berths says nothing."""

    def everywhere(values: np.ndarray) -> None:
        values[:, 9] = clearance_m

    found = verdicts(Evidence(truth(good.trace, everywhere), good.scenario))
    assert found["N1"].margin == pytest.approx(room_m)
    assert found["N8"].margin == pytest.approx(room_m - 0.04)
