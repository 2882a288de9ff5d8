"""What crosses the border of a process comes out as it went in."""

from __future__ import annotations

import os
from dataclasses import replace
from math import inf, pi

import numpy as np
import pytest

from stressfield.fuzz import Conditional, Delay, Loss, Metric, Variable, Window
from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.run import Finished, JudgedRun, RunRecord, ScenarioRecord, Status, Task, Track

LARGEST_SEED = 2**63 - 1


def task() -> Task:
    """One with everything in it."""
    condition = Conditional(start="speed > 0.5", end="speed < 0.1")
    scenario = ScenarioRecord(
        id="abc",
        index=3,
        descriptor="yard-1",
        seed=LARGEST_SEED,
        disturbances=(
            Loss(name="lost", topics=("/scan",), probability=0.1 + 0.2, when=Window(start_s=1.0, end_s=2.5)),
            Delay(name="late", topics=("/cmd_vel",), delay_s=pi, when=condition),
        ),
        variables=(Variable(name="speed", topics=("/odom",), path="twist.twist.linear.x"),),
    )
    return Task(
        study="yard.py:study",
        build="default",
        scenario=scenario,
        options={"wheel_slip": 0.3, "late_stop": True, "number": 2, "mode": "fast"},
        run_id="run",
        repeat=2,
        seed=LARGEST_SEED,
        version="0.1.0",
        keep="failing",
        include=("P1",),
        exclude=(),
        traces="/tmp/traces",
        limit_s=12.5,
        measures=(Metric(name="speed", topics=("/odom",), path="twist.twist.linear.x", take="max"),),
    )


def finished(**metrics: float) -> Finished:
    """One with everything in it."""
    run = RunRecord(
        id="run",
        scenario_id="abc",
        repeat=2,
        seed=LARGEST_SEED,
        build="default",
        status=Status.TIMEOUT,
        outcome=Outcome.FAIL,
        simulated_s=0.1 + 0.2,
        wall_s=1.0,
        digest="ff",
        trace_file="traces/run.mcap",
        trouble="ends in Zürich",
    )
    verdict = Verdict("P1", Outcome.FAIL, -inf, "m", at_s=1.5, violations=(Violation(1.0, 2.0, "near"),))
    judged = JudgedRun(
        run=run, verdicts=(verdict,), metrics=metrics, track=Track(0.5, b"\0" * 8), unmeasured={"slow": "no data"}
    )
    return Finished(judged=judged, seconds={"engine": 0.25})


def test_a_task_comes_out_as_it_went_in() -> None:
    assert Task.from_bytes(task().to_bytes()) == task()


def test_a_folder_may_have_a_name_that_is_not_utf8() -> None:
    odd = replace(task(), traces=os.fsdecode(b"/tmp/\xff"))
    assert Task.from_bytes(odd.to_bytes()) == odd


def test_what_came_of_it_comes_out_as_it_went_in() -> None:
    assert Finished.from_bytes(finished(speed=pi).to_bytes()) == finished(speed=pi)


def test_numbers_of_numpy_arrive_as_plain_ones() -> None:
    told = Finished.from_bytes(finished(speed=np.float32(0.5), far=np.float64(pi)).to_bytes())
    assert told.judged.metrics == {"speed": 0.5, "far": pi}
    assert {type(value) for value in told.judged.metrics.values()} == {float}


def test_what_is_not_plain_is_told() -> None:
    with pytest.raises(TypeError, match=r"is object; wanted plain numbers and text"):
        finished(speed=object()).to_bytes()  # type: ignore[arg-type]
