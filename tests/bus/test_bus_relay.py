"""Relays between publishers and subscribers, and what else the rig may do to a bus."""

from __future__ import annotations

import pytest

from stressfield.bus import Bus, Forward, Latency, Link, Message, Node, Timing
from stressfield.bus.bus import Sink
from stressfield.bus.messages import Float64Msg
from stressfield.errors import InputError, RigError

MS = 1_000_000
EXACT = Timing(topic_default=Latency(), node_default=Latency())


class Ear(Node):
    name = "ear"

    def __init__(self) -> None:
        self.heard: list[tuple[int, float]] = []

    def setup(self, link: Link) -> None:
        link.subscribe("/a", lambda message: self.heard.append((link.now_ns // MS, message.data)), depth=100)


def made(timing: Timing = EXACT) -> tuple[Bus, Ear, list[tuple[str, int, int, float]]]:
    taps: list[tuple[str, int, int, float]] = []

    def tap(topic: str) -> Sink:
        return lambda row: taps.append((topic, row[0], row[1], row[2].data))  # type: ignore[attr-defined]

    bus = Bus(seed=1, timing=timing, tap=tap)
    ear = Ear()
    bus.attach(ear)
    return bus, ear, taps


def test_a_relay_says_what_arrives() -> None:
    bus, ear, taps = made()

    def relay(message: Message, sent_ns: int) -> list[Forward] | None:
        value = message.data  # type: ignore[attr-defined]
        answers = {1.0: [], 2.0: [Forward(Float64Msg(20.0)), Forward(Float64Msg(21.0), 5 * MS)]}
        return answers.get(value)

    bus.interpose("/a", relay)
    for i in range(4):
        bus.publish("/a", Float64Msg(float(i)), i * MS)
    bus.run_until(100 * MS)
    # the fourth message waits for the delayed one of the same sender
    assert ear.heard == [(0, 0.0), (2, 20.0), (7, 21.0), (7, 3.0)]
    assert [row[3] for row in taps if row[0] == "/a"] == [0.0, 1.0, 2.0, 3.0]
    assert [row[1:] for row in taps if row[0] == "/a/fuzzed"] == [(2 * MS, 2 * MS, 20.0), (2 * MS, 7 * MS, 21.0)]


def test_a_relay_draws_no_latency_from_others() -> None:
    timing = Timing(topic_default=Latency(1.0, 5.0), node_default=Latency())

    def heard(swallow: bool) -> list[tuple[int, float]]:
        bus, ear, _ = made(timing)
        bus.interpose("/a", lambda message, sent_ns: [] if swallow and sent_ns == 0 else None)
        for i in range(10):
            bus.publish("/a", Float64Msg(float(i)), i * 100 * MS)
        bus.run_until(10_000 * MS)
        return ear.heard

    assert heard(True) == heard(False)[1:]


def test_one_relay_a_topic() -> None:
    bus, _, _ = made()
    bus.interpose("/a", lambda message, sent_ns: None)
    with pytest.raises(InputError, match="Topic '/a' has a relay already"):
        bus.interpose("/a", lambda message, sent_ns: None)


def test_trouble_of_a_relay_is_not_the_nodes() -> None:
    class Talker(Node):
        name = "talker"

        def setup(self, link: Link) -> None:
            link.every(0.01, lambda: link.publish("/a", Float64Msg(1.0)))

    def broken(message: Message, sent_ns: int) -> None:
        raise RigError("relay")

    bus, _, _ = made()
    bus.attach(Talker())
    bus.interpose("/a", broken)
    with pytest.raises(RigError, match="relay"):
        bus.run_until(100 * MS)


def test_at_a_time() -> None:
    bus, _, _ = made()
    called: list[int] = []
    bus.at(5 * MS, called.append)
    bus.run_until(4 * MS)
    assert called == []
    bus.run_until(5 * MS)
    assert called == [5 * MS]


def test_killing_the_dead_and_restarting_the_unknown() -> None:
    bus, _, _ = made()
    assert (bus.node_names, bus.subscribed) == (("ear",), ("/a",))
    bus.kill("ear")
    bus.kill("ear")
    bus.slow_down("ear", 2.0)
    assert (bus.node_names, bus.subscribed) == ((), ())
    with pytest.raises(RigError, match="no spare of it was kept"):
        bus.restart("ear", 0)
