"""Ticks against the wall clock: how late they were, and when that makes a run worthless."""

from __future__ import annotations

import re
from math import inf, nan

import pytest
from tests.subject.runs import run, toy

from stressfield.errors import InputError, RigError
from stressfield.run import Status
from stressfield.subject import Pacing
from stressfield.subject.deadlines import Deadlines


def test_quantiles_and_misses_are_of_what_was_late() -> None:
    deadlines = Deadlines(Pacing(deadline_s=0.02))
    for lag_s in (-0.005,) * 50 + (0.001,) * 48 + (0.03, 0.05):
        deadlines.due(lag_s, advice="")
    found = deadlines.lateness
    assert found is not None
    assert (found.ticks, found.missed, found.worst_s) == (100, 2, 0.05)
    assert found.p50_s == pytest.approx(0.0005)
    assert 0.03 < found.p99_s <= 0.05
    assert str(found) == "100 ticks late by 0.5 ms (p50), 30.2 ms (p99), 50 ms at worst, 2 missed the deadline of 20 ms"


def test_nothing_paced_says_nothing() -> None:
    assert Deadlines(Pacing()).lateness is None


def test_too_many_misses_spoil_the_run() -> None:
    deadlines = Deadlines(Pacing(deadline_s=0.01, misses_max=1))
    deadlines.due(0.02, advice="")
    with pytest.raises(RigError, match=r"missed the deadline of 10 ms at 2 of 2 ticks; wanted at most 1 misses. Wait"):
        deadlines.due(0.02, advice="Wait.")


def test_far_too_late_spoils_it_at_once() -> None:
    with pytest.raises(RigError, match=r"The rig fell 1.5 s behind the wall clock; wanted at most 1 s. Hurry"):
        Deadlines(Pacing()).due(1.5, advice="Hurry.")


@pytest.mark.parametrize("wrong", [{"deadline_s": 0.0}, {"misses_max": -1}, {"rate": inf}, {"rate": nan}])
def test_what_cannot_be(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Pacing(**wrong)  # type: ignore[arg-type]


def test_a_paced_run_tells_how_late_its_ticks_were() -> None:
    done = run(toy("paced drives", pacing=Pacing(rate=4.0, quiet_s=0.2, max_lag_s=20.0, may_pause=True)), limit_s=2.0)
    assert done.status in {Status.TIMEOUT, Status.COMPLETED}, done.trouble
    assert re.match(r"paced: 4 simulated seconds a second; [\d,]+ ticks late by .* \(p99\), .* missed", done.notes[0])


def test_a_rig_that_may_miss_nothing_and_does_is_invalid() -> None:
    """So fast a clock that no machine keeps up: the run says nothing about the robot."""
    hasty = Pacing(rate=1e6, quiet_s=0.2, max_lag_s=60.0, deadline_s=1e-9, misses_max=0, may_pause=True)
    done = run(toy("paced drives", pacing=hasty), limit_s=2.0)
    assert done.status is Status.INVALID
    assert "missed the deadline" in done.trouble
