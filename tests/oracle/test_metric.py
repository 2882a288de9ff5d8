"""Metrics that need no code: variables of topics, and how long a run was disturbed."""

from __future__ import annotations

import pytest

from stressfield.bus.messages import DiagnosticStatus, Float64Msg, Twist
from stressfield.errors import InputError, OracleError, TraceError
from stressfield.fuzz import LOG
from stressfield.oracle.metric import (
    Active,
    active_times,
    disturbed_time_s,
    fuzzing_time_s,
    take_variable,
    variable_signal,
)
from stressfield.trace import Metadata, Recorder, Trace


def recording(*said: tuple[str, float, object]) -> Trace:
    recorder = Recorder(())
    for topic, time_s, message in said:
        recorder.record(topic, round(time_s * 1e9), round(time_s * 1e9), message)
    return recorder.finish(Metadata())


ROOMS = recording(
    ("/a", 1.0, Float64Msg(2.0)),
    ("/b", 2.0, Float64Msg(5.0)),
    ("/a", 3.0, Float64Msg(-1.0)),
    ("/b", 4.0, Float64Msg(3.0)),
)


@pytest.mark.parametrize(("take", "value"), [("last", 3.0), ("sum", 9.0), ("min", -1.0), ("max", 5.0), ("count", 4.0)])
def test_several_topics_are_one_variable(take, value: float) -> None:
    assert take_variable(ROOMS, ["/a", "/b"], "data", take=take) == value
    signal = variable_signal(ROOMS, ["/a", "/b"], "data", take=take)
    assert signal.times_s.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert signal.values[-1] == value


def test_a_series_is_what_was_known_so_far() -> None:
    assert variable_signal(ROOMS, ["/a", "/b"], "data", take="sum").values.tolist() == [2.0, 7.0, 6.0, 9.0]
    assert variable_signal(ROOMS, ["/a", "/b"], "data", take="min").values.tolist() == [2.0, 2.0, -1.0, -1.0]
    assert variable_signal(ROOMS, ["/a"], take="count").values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("take", ["last", "sum", "count"])
def test_what_was_never_said_is_missing(take) -> None:
    assert take_variable(ROOMS, ["/c"], "data", take=take) is None
    assert take_variable(Trace(), ["/a"], "data", take=take) is None
    assert len(variable_signal(ROOMS, ["/c"], "data", take=take)) == 0
    assert take_variable(ROOMS, ["/c", "/a"], "data") == -1.0


def test_paths_may_name_the_type_and_must_be_one_number() -> None:
    trace = recording(("/cmd", 1.0, Twist.drive(0.5, 0.1)))
    assert take_variable(trace, ["/cmd"], "geometry_msgs/Twist.linear.x") == 0.5
    with pytest.raises(OracleError, match=r"The metric's path 'ranges.\*' names many numbers"):
        take_variable(ROOMS, ["/a"], "ranges.*")
    with pytest.raises(TraceError, match=r"has no number at 'dat'"):
        take_variable(ROOMS, ["/a"], "dat")
    with pytest.raises(InputError, match=r"is not a path to a field"):
        take_variable(ROOMS, ["/a"], "a b")


def edge(time_s: float, name: str, level: int) -> tuple[str, float, object]:
    return (LOG, time_s, DiagnosticStatus(level, name, "begins" if level else "ends"))


def test_times_in_which_operations_acted() -> None:
    trace = recording(
        edge(1.0, "x", 1), edge(2.0, "y", 1), edge(3.0, "x", 0), edge(4.0, "y", 0), edge(6.0, "x", 1),
        ("/a", 7.5, Float64Msg(0.0)),
    )  # fmt: skip
    assert active_times(trace) == (Active("x", 1.0, 3.0), Active("y", 2.0, 4.0), Active("x", 6.0, 7.5))
    assert disturbed_time_s(trace) == pytest.approx(3.0 + 1.5)
    assert fuzzing_time_s(trace) == pytest.approx(2.0 + 2.0 + 1.5)


def test_an_operation_inside_another_counts_in_the_sum_alone() -> None:
    trace = recording(edge(1.0, "x", 1), edge(2.0, "y", 1), edge(3.0, "y", 0), edge(9.0, "x", 0))
    assert disturbed_time_s(trace) == pytest.approx(8.0)
    assert fuzzing_time_s(trace) == pytest.approx(9.0)


def test_an_undisturbed_run() -> None:
    quiet = recording(("/a", 1.0, Float64Msg(2.0)))
    for trace in (quiet, Trace()):
        assert active_times(trace) == ()
        assert disturbed_time_s(trace) == fuzzing_time_s(trace) == 0.0
