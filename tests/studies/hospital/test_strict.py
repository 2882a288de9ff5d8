"""What the strict profile asks of an undisturbed fleet: a good run passes, and each property fails what it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from stressfield.bus.messages import Twist
from stressfield.fuzz import Loss
from stressfield.oracle import Evidence, Outcome, Verdict
from stressfield.trace import Trace, Truth
from stressfield.trace.topic import recorded
from stressfield_studies.hospital import robot, study

from .runs import SHORT, ran

NAME = robot.NAMES[0]


@pytest.fixture(scope="module")
def good() -> Evidence:
    return ran(SHORT)[1]


def verdicts(evidence: Evidence) -> dict[str, Verdict]:
    return {verdict.property: verdict for verdict in study.oracle.judge(evidence)}


def truth(trace: Trace, change: Callable[[np.ndarray], None]) -> Trace:
    before = trace.truth(NAME)
    values = before.values.copy()
    change(values)
    return replace(trace, robots={**trace.robots, NAME: Truth(before.time_ns, values)})


def near_wall(values: np.ndarray) -> None:
    values[50, 9] = 0.01


def aside(values: np.ndarray) -> None:
    values[:, 0] += 0.14


def turned(values: np.ndarray) -> None:
    half = 0.2
    z, w = values[:, 5].copy(), values[:, 6].copy()
    values[:, 5], values[:, 6] = z * np.cos(half) + w * np.sin(half), w * np.cos(half) - z * np.sin(half)


def late(trace: Trace) -> Trace:
    name = robot.topic(NAME, robot.AT_HOME)
    topic = trace.topic(name)
    return replace(trace, topics={**trace.topics, name: replace(topic, log_time_ns=topic.log_time_ns + 60 * 10**9)})


def fast(trace: Trace) -> Trace:
    name = robot.topic(NAME, robot.COMMAND)
    topic = trace.topic(name)
    orders = [Twist.drive(0.3, 0.0) for _ in topic.messages]
    other = recorded(name, Twist, topic.log_time_ns, topic.publish_time_ns, orders)
    return replace(trace, topics={**trace.topics, name: other})


def silent(trace: Trace) -> Trace:
    name = robot.topic(NAME, robot.POSE)
    topic = trace.topic(name)
    half = len(topic) // 2
    other = recorded(
        name, topic.message_type, topic.log_time_ns[:half], topic.publish_time_ns[:half], topic.messages[:half]
    )
    return replace(trace, topics={**trace.topics, name: other})


def test_a_good_run_passes_everything(good: Evidence) -> None:
    found = verdicts(good)
    assert {name for name, verdict in found.items() if verdict.outcome is not Outcome.PASS} == set()
    assert {"R4", "R5", "C3", "L2", "V2", "finished", "alive"} <= set(found)


@pytest.mark.parametrize(
    ("spoil", "name", "subcase"),
    [
        (lambda trace: truth(trace, near_wall), "C3", "2"),
        (lambda trace: truth(trace, aside), "L2", "1"),
        (lambda trace: truth(trace, turned), "L2", "2"),
        (lambda trace: truth(trace, aside), "R4", None),
        (late, "R5", None),
        (fast, "V2", "1"),
        (silent, "alive", "fell silent"),
    ],
)
def test_each_property_fails_what_it_is_about(
    good: Evidence, spoil: Callable[[Trace], Trace], name: str, subcase: str | None
) -> None:
    verdict = verdicts(Evidence(spoil(good.trace), good.scenario))[name]
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, subcase)
    assert verdict.margin is not None
    assert verdict.margin < 0.0


def test_robots_that_are_disturbed_are_not_held_to_it(good: Evidence) -> None:
    loss = Loss(name="loss", topics=(robot.topic(NAME, robot.COMMAND),), probability=0.5)
    found = verdicts(Evidence(good.trace, good.scenario.disturbed((loss,), ())))
    assert {"R4", "R5", "C3", "L2"} & set(found) == set()
    assert {"V2", "finished", "alive"} <= set(found)


def test_in_the_published_profile_they_do_not_count() -> None:
    assert [one.name for one in study.oracle.select(profile="published")] == ["R1", "R2", "R3", "C1", "C2", "L1"]
