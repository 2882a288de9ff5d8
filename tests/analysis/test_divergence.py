"""The first time and signal in which two recordings part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stressfield.analysis import ComparedSignal, divergence
from stressfield.bus.messages import Float64Msg
from stressfield.errors import InputError, TraceError
from stressfield.trace import COLUMNS, Metadata, Recorder, Trace

SIGNALS = (
    ComparedSignal(name="scan", topic="/scan"),
    ComparedSignal(name="command", topic="/command", paths=("data",), tolerance=0.1, unit="m/s"),
    ComparedSignal(
        name="pose",
        topic="/truth/cart/pose",
        paths=("pose.position.x", "pose.position.y"),
        tolerance=0.5,
        unit="m",
    ),
)


def trace(name: str, *, scan: float = 0.0, command: float = 0.0, drift: float = 0.0, silent_after: int = 99) -> Trace:
    """Ten seconds; ``scan`` differs from 2 s, ``command`` from 4 s, and the cart drifts from 5 s on."""
    recorder = Recorder(("cart",), topics={"/scan": Float64Msg, "/command": Float64Msg})
    for second in range(11):
        ns = second * 1_000_000_000
        if second <= silent_after:
            recorder.record("/scan", ns, ns, Float64Msg(data=1.0 + scan * (second >= 2)))
        recorder.record("/command", ns, ns + 1000, Float64Msg(data=0.5 + command * (second >= 4)))
        row = np.zeros((1, len(COLUMNS)))
        row[0, 0], row[0, 1], row[0, 6] = second, drift * max(0, second - 5), 1.0
        recorder.observe(ns, row)
    return recorder.finish(Metadata(run_id=name))


def test_says_where_and_in_which_order() -> None:
    found = divergence(trace("a"), trace("b", scan=1e-9, command=0.3, drift=0.2), SIGNALS)
    assert [parting.at_s for parting in found.partings] == [2.0, 4.000001, 8.0]
    assert found.first is found.partings[0]
    assert found.sentence() == (
        "Runs a and b part first in the scan at 2.00 s, then in the command (beyond 0.1 m/s) at 4.00 s, "
        "the pose (beyond 0.5 m) at 8.00 s."
    )


def test_tolerance_and_never() -> None:
    found = divergence(trace("a"), trace("b", scan=1.0, command=0.1, drift=0.05), SIGNALS)
    assert found.sentence() == "Runs a and b part first in the scan at 2.00 s; never in command, pose."


def test_equal_recordings_do_not_part() -> None:
    found = divergence(trace("a"), trace("b"), SIGNALS)
    assert found.first is None
    assert found.sentence() == "Runs a and b do not part in any of the signals."


def test_a_signal_that_falls_silent_parts_there() -> None:
    found = divergence(trace("a"), trace("b", silent_after=6), SIGNALS[:1])
    assert found.partings[0].at_s == 7.0


COMMAND = ComparedSignal(name="command", topic="/command", paths=("data",), tolerance=0.1, unit="m/s")


def commands(name: str, *, values: dict[int, float], start: int = 0, until: int = 30) -> Trace:
    """Commands at 10 Hz from tick ``start`` to ``until``: 0.5, from each tick in ``values`` on that value."""
    recorder = Recorder(("cart",), topics={"/command": Float64Msg})
    value = 0.5
    for tick in range(31):
        ns = tick * 100_000_000
        value = values.get(tick, value)
        if start <= tick <= until:
            recorder.record("/command", ns, ns + 1000, Float64Msg(data=value))
        row = np.zeros((1, len(COLUMNS)))
        row[0, 6] = 1.0
        recorder.observe(ns, row)
    return recorder.finish(Metadata(run_id=name))


def test_messages_are_paired_by_time() -> None:
    """A recording that starts a message later says the same at the same time."""
    one, other = commands("a", values={10: 1.0}), commands("b", values={10: 1.0}, start=1)
    assert divergence(one, other, (COMMAND,)).first is None
    assert divergence(other, one, (COMMAND,)).first is None


def test_a_change_one_tick_later_is_no_parting_if_there_is_slack() -> None:
    slack = replace(COMMAND, slack_s=0.1)
    one, later = commands("a", values={10: 1.0}), commands("b", values={11: 1.0})
    assert divergence(one, later, (COMMAND,)).partings[0].at_s == pytest.approx(1.000001)
    assert divergence(one, later, (slack,)).first is None
    much_later = commands("b", values={13: 1.0})
    found = divergence(one, much_later, (slack,))
    assert found.partings[0].at_s == pytest.approx(1.100001, abs=0.11)
    assert found.partings[0].apart == pytest.approx(0.5)
    assert "part first in the command (beyond 0.1 m/s, give or take 0.1 s) at" in found.sentence()


def test_a_value_of_one_recording_alone_parts_whichever_comes_first() -> None:
    plain, blip = commands("a", values={}), commands("b", values={15: 0.9, 16: 0.5})
    for pair in ((plain, blip), (blip, plain)):
        assert divergence(*pair, (replace(COMMAND, slack_s=0.1),)).partings[0].at_s == pytest.approx(1.500001)


@pytest.mark.parametrize(("until", "at_s"), [(20, 2.100001), (29, None)])
def test_silence_parts_but_one_missing_message_does_not(until: int, at_s: float | None) -> None:
    whole, cut = commands("a", values={}), commands("b", values={}, until=until)
    for pair in ((whole, cut), (cut, whole)):
        found = divergence(*pair, (COMMAND,)).partings[0]
        assert found.at_s == (None if at_s is None else pytest.approx(at_s))
        assert found.apart is None


def test_bad_input() -> None:
    with pytest.raises(InputError, match="Cannot compare recordings without signals"):
        divergence(trace("a"), trace("b"), ())
    with pytest.raises(TraceError, match="No topic '/scann' in the trace"):
        divergence(trace("a"), trace("b"), (ComparedSignal(name="scan", topic="/scann"),))
