"""Types that come from interface files are disturbed, asked by conditions and read by properties as any others."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from stressfield.bus import Bus, Interfaces, Latency, Link, Node, Timing
from stressfield.errors import InputError
from stressfield.fuzz import Conditional, FieldPath, Offset, StuckAt, Variable, Window
from stressfield.fuzz.disturber import Disturber
from stressfield.trace import Metadata, Recorder


def gauge() -> Any:
    interfaces = Interfaces()
    interfaces.add_text("my_msgs/msg/Part", "float32[] levels\nint16 count\n")
    interfaces.add_text("my_msgs/msg/Gauge", "std_msgs/Header header\nPart[2] parts\nfloat64 level\n")
    return interfaces.message("my_msgs/msg/Gauge")


class Listener(Node):
    name = "listener"

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def setup(self, link: Link) -> None:
        link.subscribe("/gauge", self.heard.append, depth=100)


def test_a_type_of_an_interface_file_is_disturbed_conditioned_and_read() -> None:
    kind = gauge()
    level = Variable(name="level", topics=("/gauge",), path="level")
    operations = [
        Offset(name="more", topics=("/gauge",), path="my_msgs/Gauge.parts.1.count", by=5.0, when=Window(end_s=1e6)),
        StuckAt(name="stuck", topics=("/gauge",), path="level", value=9.0, when=Conditional(start="level > 3")),
    ]
    recorder, listener = Recorder(()), Listener()
    bus = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency()), tap=recorder.tap)
    disturber = Disturber(operations, [level], seed=1)
    disturber.join(bus)
    bus.attach(listener)
    disturber.check(bus)
    for number in range(6):
        bus.run_until(number * 1_000_000)
        bus.publish("/gauge", kind(level=float(number)), number * 1_000_000)
    bus.run_until(10_000_000)
    assert [said.parts[1].count for said in listener.heard] == [5] * 6
    assert [said.level for said in listener.heard] == [0.0, 1.0, 2.0, 3.0, 9.0, 9.0]
    trace = recorder.finish(Metadata())
    assert trace.topic("/gauge").column("level").tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert trace.topic("/gauge/fuzzed").column("parts.1.count").tolist() == [5.0] * 6


def test_a_path_that_the_type_has_not_is_told() -> None:
    check = partial(FieldPath.check, message_type=gauge())
    check(FieldPath.parse("parts.0.levels.*"))
    with pytest.raises(InputError, match=r"my_msgs/msg/Gauge has no field 'levle' .* Did you mean 'level'\?"):
        check(FieldPath.parse("levle"))
    with pytest.raises(InputError, match="is not a number"):
        check(FieldPath.parse("parts.0"))
