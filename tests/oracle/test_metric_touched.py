"""What operations did to messages, counted in recordings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stressfield.bus import Bus, Latency, Link, Message, Node, Timing
from stressfield.bus.messages import Float64Msg
from stressfield.fuzz import (
    Blackhole,
    Delay,
    Disturber,
    Duplicate,
    Freeze,
    Kill,
    Loss,
    Offset,
    Operation,
    Reorder,
    Throttle,
    Window,
)
from stressfield.oracle.metric import Touched, touched
from stressfield.trace import Metadata, Recorder, Trace

S = 1_000_000_000
EXACT = Timing(topic_default=Latency(), node_default=Latency())


class Ear(Node):
    name = "ear"

    def setup(self, link: Link) -> None:
        link.subscribe("/a", self.hear, depth=10_000)

    def hear(self, message: Message) -> None:
        """Nothing to do."""


def sent(operations: Sequence[Operation], messages: int, *, period_s: float = 0.1, seed: int = 7) -> Trace:
    """A recording of so many numbers on /a."""
    recorder = Recorder(())
    bus = Bus(seed=seed, timing=EXACT, tap=recorder.tap)
    disturber = Disturber(operations, seed=seed)
    disturber.join(bus)
    bus.attach(Ear())
    for number in range(messages):
        time_ns = round(number * period_s * S)
        bus.run_until(time_ns)
        bus.publish("/a", Float64Msg(float(number)), time_ns)
    bus.run_until(round(messages * period_s * S) + S)
    return recorder.finish(Metadata())


def counted(operation: Operation, messages: int = 100) -> tuple[int, int, int, int, int]:
    (found,) = touched(sent([operation], messages), [operation])
    assert (found.operation, found.topic, found.shared) == (operation.name, "/a", 0)
    return found.sent, found.lost, found.changed, found.late, found.extra


A = ("/a",)
HALF = Window(start_s=2.0, end_s=7.0)


def test_packet_loss_of_30_percent_loses_30_percent() -> None:
    number, lost, changed, late, extra = counted(Loss(name="l", topics=A, probability=0.3), messages=10_000)
    assert number == 10_000
    assert 2_850 <= lost <= 3_150  # 3.3 standard deviations
    assert (changed, late, extra) == (0, 0, 0)


@pytest.mark.parametrize(
    ("operation", "counts"),
    [
        (Blackhole(name="o", topics=A, when=HALF), (50, 50, 0, 0, 0)),
        (Blackhole(name="o", topics=A), (100, 100, 0, 0, 0)),
        (Offset(name="o", topics=A, path="data", by=1.0, when=HALF), (50, 0, 50, 0, 0)),
        (Offset(name="o", topics=A, path="data", by=0.0, when=HALF), (50, 0, 0, 0, 0)),
        (Delay(name="o", topics=A, delay_s=0.05, when=HALF), (50, 0, 0, 50, 0)),
        (Duplicate(name="o", topics=A, probability=1.0, gap_s=0.01, when=HALF), (50, 0, 0, 0, 50)),
        (Reorder(name="o", topics=A, probability=1.0, hold_s=0.15, when=HALF), (50, 0, 0, 50, 0)),
        (Throttle(name="o", topics=A, rate_hz=2.0, when=HALF), (50, 40, 0, 0, 0)),
        (Freeze(name="o", topics=A, when=HALF), (50, 0, 50, 0, 0)),
        (Loss(name="o", topics=A, probability=0.0, when=HALF), (50, 0, 0, 0, 0)),
        (Loss(name="o", topics=A, probability=1.0, when=Window(start_s=50.0)), (0, 0, 0, 0, 0)),
    ],
)
def test_each_message_is_followed(operation: Operation, counts: tuple[int, ...]) -> None:
    assert counted(operation) == counts


def test_what_two_did_together_is_said_of_both() -> None:
    one = Offset(name="one", topics=A, path="data", by=1.0, when=Window(start_s=0.0, end_s=6.0))
    two = Blackhole(name="two", topics=A, when=Window(start_s=4.0, end_s=10.0))
    first, second = touched(sent([one, two], 100), [one, two])
    assert first == Touched(operation="one", topic="/a", sent=60, lost=20, changed=40, late=0, extra=0, shared=20)
    assert second == Touched(operation="two", topic="/a", sent=60, lost=60, changed=0, late=0, extra=0, shared=20)


def test_operations_on_nodes_have_no_row_and_nothing_recorded_is_nothing_sent() -> None:
    assert touched(Trace(), [Kill(name="k", nodes=("ear",))]) == ()
    (found,) = touched(Trace(), [Blackhole(name="o", topics=A)])
    assert (found.sent, found.lost) == (0, 0)


def test_messages_of_one_moment_are_told_apart() -> None:
    recorder = Recorder(())
    hole = Blackhole(name="o", topics=A)
    bus = Bus(seed=1, timing=EXACT, tap=recorder.tap)
    Disturber([hole], seed=1).join(bus)
    bus.run_until(S)
    recorder.record("/a", 2 * S, 2 * S, Float64Msg(1.0))
    recorder.record("/a", 2 * S, 2 * S, Float64Msg(2.0))
    recorder.record("/a/fuzzed", 2 * S, 2 * S, Float64Msg(2.0))
    (found,) = touched(recorder.finish(Metadata()), [hole])
    assert (found.sent, found.lost, found.changed, found.extra) == (2, 1, 0, 0)
