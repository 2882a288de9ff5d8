"""The bus: one order of events, whatever else is going on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from stressfield.bus import Bus, Latency, Link, Message, Node, Stamped, Timing
from stressfield.bus.messages import Float64Msg, StringMsg
from stressfield.bus.node import draws
from stressfield.errors import InputError, SubjectError
from stressfield.seeds import generator

MS = 1_000_000
EXACT = Timing(topic_default=Latency(), node_default=Latency())
JITTERY = Timing(topic_default=Latency(1.0, 5.0), node_default=Latency(0.0, 0.5))


def number(value: float) -> Float64Msg:
    return Float64Msg(float(value))


@dataclass
class Ear(Node):
    """Notes what arrives and when; may answer every message on a topic."""

    name: str = "ear"
    topics: tuple[str, ...] = ("/a",)
    depth: int = 1000
    answer_on: str | None = None
    heard: list[tuple[int, str, float]] = field(default_factory=list)

    def setup(self, link: Link) -> None:
        self.link = link
        for topic in self.topics:
            link.subscribe(topic, self._listener(topic), depth=self.depth)

    def _listener(self, topic: str) -> Callable[[Float64Msg], None]:
        def on_number(message: Float64Msg) -> None:
            self.heard.append((self.link.now_ns, topic, message.data))
            if self.answer_on is not None:
                self.link.publish(self.answer_on, message)

        return on_number

    @property
    def times(self) -> list[int]:
        return [time_ns for time_ns, _, _ in self.heard]

    @property
    def values(self) -> list[float]:
        return [value for _, _, value in self.heard]


class Doer(Node):
    """Does in setup whatever it is given."""

    def __init__(self, name: str, setup: Callable[[Link], None]) -> None:
        self.name = name
        self._setup = setup

    def setup(self, link: Link) -> None:
        self._setup(link)


def heard_with(*, seed: int, timing: Timing = JITTERY, messages: int = 40, other_topics: int = 0) -> Ear:
    bus, ear = Bus(seed=seed, timing=timing), Ear()
    bus.attach(ear)
    for extra in range(other_topics):
        bus.attach(Ear(f"other {extra}", (f"/other{extra}",)))
    for i in range(messages):
        for extra in range(other_topics):
            bus.publish(f"/other{extra}", number(i), i * 10 * MS)
        bus.publish("/a", number(i), i * 10 * MS)
    bus.run_until(10_000 * MS)
    return ear


# order --------------------------------------------------------------------------------------------------------


def test_events_happen_in_order_of_time_not_of_publishing() -> None:
    bus, ear = Bus(seed=1, timing=EXACT), Ear(topics=("/a", "/b"))
    bus.attach(ear)
    bus.publish("/b", number(2), 20 * MS)
    bus.publish("/a", number(1), 10 * MS)
    bus.run_until(20 * MS)
    assert ear.heard == [(10 * MS, "/a", 1.0), (20 * MS, "/b", 2.0)]


def test_at_the_same_time_the_older_message_comes_first() -> None:
    bus, ear = Bus(seed=1, timing=EXACT), Ear(topics=("/a", "/b"))
    bus.attach(ear)
    for i in range(6):
        bus.publish("/b" if i % 2 else "/a", number(i), 5 * MS)
    bus.run_until(5 * MS)
    assert ear.values == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_message_that_waits_for_a_busy_node_keeps_its_place_before_younger_ones() -> None:
    bus, ear = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency(10.0))), Ear(topics=("/a", "/b"))
    bus.attach(ear)
    bus.publish("/a", number(1), 0)
    bus.publish("/b", number(2), 3 * MS)
    bus.publish("/a", number(3), 10 * MS)
    bus.run_until(100 * MS)
    assert ear.heard == [(0, "/a", 1.0), (10 * MS, "/b", 2.0), (20 * MS, "/a", 3.0)]


def test_run_until_includes_its_limit_and_leaves_the_rest() -> None:
    bus, ear = Bus(seed=1, timing=EXACT), Ear()
    bus.attach(ear)
    for time_ms in (9, 10, 11):
        bus.publish("/a", number(time_ms), time_ms * MS)
    bus.run_until(10 * MS)
    assert (ear.values, bus.now_ns) == ([9.0, 10.0], 10 * MS)
    bus.run_until(11 * MS)
    assert ear.values == [9.0, 10.0, 11.0]


def test_every_subscriber_gets_every_message_at_the_same_time() -> None:
    bus = Bus(seed=3, timing=Timing(topic_default=Latency(1.0, 5.0), node_default=Latency()))
    one, two = Ear("one"), Ear("two")
    for ear in (one, two):
        bus.attach(ear)
    for i in range(20):
        bus.publish("/a", number(i), i * MS)
    bus.run_until(1000 * MS)
    assert one.heard == two.heard
    assert len(one.heard) == 20


# latency ------------------------------------------------------------------------------------------------------


def test_each_topic_has_its_own_latency() -> None:
    timing = Timing(topics={"/slow": Latency(30.0)}, topic_default=Latency(2.0), node_default=Latency())
    bus, ear = Bus(seed=1, timing=timing), Ear(topics=("/slow", "/a"))
    bus.attach(ear)
    bus.publish("/slow", number(1), 0)
    bus.publish("/a", number(2), 0)
    bus.run_until(100 * MS)
    assert ear.heard == [(2 * MS, "/a", 2.0), (30 * MS, "/slow", 1.0)]


def test_jitter_is_an_exponential_tail_above_the_base() -> None:
    timing = Timing(topic_default=Latency(3.0, 2.0), node_default=Latency())
    ear = heard_with(seed=5, timing=timing, messages=900)
    late = [time_ns - 10 * MS * i for i, time_ns in enumerate(ear.times)]
    assert 3 * MS <= min(late) < 3.05 * MS
    assert max(late) <= 3 * MS + 8 * 2 * MS + 1
    assert sum(late) / len(late) == pytest.approx(5 * MS, rel=0.08)
    assert len(set(late)) > 890


def test_messages_of_a_topic_never_overtake_each_other() -> None:
    bus, ear = Bus(seed=2, timing=Timing(topic_default=Latency(0.0, 50.0), node_default=Latency())), Ear()
    bus.attach(ear)
    for i in range(300):
        bus.publish("/a", number(i), i * MS)
    bus.run_until(10_000 * MS)
    assert ear.values == [float(i) for i in range(300)]
    assert ear.times == sorted(ear.times)


def test_the_tap_tells_when_a_message_really_arrived() -> None:
    taps: list[tuple[str, int, int, Message]] = []
    bus = Bus(
        seed=2,
        timing=Timing(topic_default=Latency(0.0, 50.0), node_default=Latency()),
        tap=lambda topic: lambda row: taps.append((topic, *row)),
    )
    ear = Ear()
    bus.attach(ear)
    for i in range(100):
        bus.publish("/a", number(i), i * MS)
    bus.run_until(10_000 * MS)
    assert [(topic, sent) for topic, sent, _, _ in taps] == [("/a", i * MS) for i in range(100)]
    assert [arrived for _, _, arrived, _ in taps] == ear.times


def test_the_tap_sees_messages_that_nobody_listens_to_without_latency() -> None:
    taps: list[tuple[str, int, int, Message]] = []
    bus = Bus(seed=2, timing=JITTERY, tap=lambda topic: lambda row: taps.append((topic, *row)))
    said = number(4)
    bus.publish("/void", said, 7)
    assert taps == [("/void", 7, 7, said)]


# compute time and queues --------------------------------------------------------------------------------------


def test_what_a_callback_publishes_leaves_when_its_compute_time_has_passed() -> None:
    timing = Timing(topic_default=Latency(1.0), nodes={"slow": Latency(40.0)}, node_default=Latency())
    bus, ear = Bus(seed=1, timing=timing), Ear(topics=("/answer",))
    bus.attach(Ear("slow", answer_on="/answer"))
    bus.attach(ear)
    bus.publish("/a", number(1), 0)
    bus.run_until(1000 * MS)
    assert ear.times == [(1 + 40 + 1) * MS]


def test_the_clock_of_a_callback_shows_when_it_began() -> None:
    bus, ear = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency(25.0))), Ear()
    bus.attach(ear)
    bus.publish("/a", number(1), 0)
    bus.publish("/a", number(2), 1)
    bus.run_until(1000 * MS)
    assert ear.times == [0, 25 * MS]


@pytest.mark.parametrize(("depth", "kept"), [(1, [0, 9]), (3, [0, 7, 8, 9]), (9, list(range(10)))])
def test_a_busy_node_keeps_the_newest_messages_and_drops_the_oldest(depth: int, kept: list[int]) -> None:
    bus, ear = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency(100.0))), Ear(depth=depth)
    bus.attach(ear)
    for i in range(10):
        bus.publish("/a", number(i), i * MS)
    bus.run_until(10_000 * MS)
    assert ear.values == [float(i) for i in kept]
    assert (bus.dropped, bus.delivered) == (10 - len(kept), len(kept))


def test_the_queue_of_one_topic_does_not_drop_messages_of_another() -> None:
    bus = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency(100.0)))
    ear = Ear(topics=("/a", "/b"), depth=1)
    bus.attach(ear)
    bus.publish("/b", number(-1), 0)
    for i in range(5):
        bus.publish("/a", number(i), (1 + i) * MS)
    bus.publish("/b", number(-2), 7 * MS)
    bus.run_until(10_000 * MS)
    assert ear.values == [-1.0, 4.0, -2.0]
    assert bus.dropped == 4


def test_a_node_that_is_not_busy_drops_nothing() -> None:
    ear = heard_with(seed=1, timing=EXACT, messages=50)
    assert len(ear.heard) == 50


# timers -------------------------------------------------------------------------------------------------------


def test_a_timer_rings_every_period_from_the_first_period_on() -> None:
    rang: list[int] = []
    bus = Bus(seed=1, timing=EXACT)
    bus.attach(Doer("clock", lambda link: link.every(0.02, lambda: rang.append(link.now_ns))))
    bus.run_until(100 * MS)
    assert rang == [20 * MS, 40 * MS, 60 * MS, 80 * MS, 100 * MS]


def test_a_timer_held_up_by_a_callback_does_not_drift() -> None:
    rang: list[int] = []

    def setup(link: Link) -> None:
        link.every(0.02, lambda: rang.append(link.now_ns))
        link.subscribe("/a", lambda _: None)

    bus = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency(5.0)))
    bus.attach(Doer("clock", setup))
    bus.publish("/a", number(0), 18 * MS)
    bus.run_until(61 * MS)
    assert rang == [23 * MS, 40 * MS, 60 * MS]


def test_messages_published_in_setup_leave_at_time_zero() -> None:
    bus, ear = Bus(seed=1, timing=EXACT), Ear()
    bus.attach(ear)
    bus.attach(Doer("early", lambda link: link.publish("/a", number(1))))
    bus.run_until(0)
    assert ear.heard == [(0, "/a", 1.0)]


# chance -------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_times_to_the_nanosecond() -> None:
    assert heard_with(seed=11).heard == heard_with(seed=11).heard


def test_another_seed_gives_other_times() -> None:
    one, two = heard_with(seed=11).times, heard_with(seed=12).times
    assert sum(a != b for a, b in zip(one, two, strict=True)) > 35


def test_an_unrelated_topic_and_node_leave_the_draws_of_others_alone() -> None:
    assert heard_with(seed=11).heard == heard_with(seed=11, other_topics=3).heard


def test_two_topics_of_one_seed_draw_different_latencies() -> None:
    timing = Timing(topic_default=Latency(0.0, 5.0))
    one, two = timing.of_topic("/a", 1), timing.of_topic("/b", 1)
    assert [one() for _ in range(5)] != [two() for _ in range(5)]


def test_a_topic_and_a_node_of_the_same_name_draw_different_times() -> None:
    timing = Timing(topic_default=Latency(0.0, 5.0), node_default=Latency(0.0, 5.0))
    one, two = timing.of_topic("x", 1), timing.of_node("x", 1)
    assert [one() for _ in range(5)] != [two() for _ in range(5)]


def test_a_delay_without_jitter_is_constant() -> None:
    draw = Timing(topic_default=Latency(1.5)).of_topic("/a", 1)
    assert {draw() for _ in range(600)} == {1_500_000}


def test_draws_go_on_beyond_a_block() -> None:
    draw = Timing(topic_default=Latency(0.0, 1.0)).of_topic("/a", 1)
    assert len({draw() for _ in range(600)}) > 590


# trouble ------------------------------------------------------------------------------------------------------


def test_a_crash_names_the_node_the_time_and_the_callback() -> None:
    def on_number(message: Float64Msg) -> None:
        raise ValueError(f"cannot stand {message.data}")

    bus = Bus(seed=1, timing=EXACT)
    bus.attach(Doer("brain", lambda link: link.subscribe("/a", on_number)))
    bus.publish("/a", number(13), 1250 * MS)
    with pytest.raises(SubjectError) as caught:
        bus.run_until(2000 * MS)
    assert str(caught.value) == "Node 'brain' crashed at 1.250 s in on_number: ValueError: cannot stand 13.0"
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_crash_reads_the_same_in_a_run_with_a_clock() -> None:
    class Faulty(Node):
        name = "faulty"

        def setup(self, link: Link) -> None:
            link.subscribe("/a", self.on_number)

        def on_number(self, message: Float64Msg) -> None:
            raise ValueError(f"{message.data} is too much")

    said = []
    for clock in (None, lambda: 0.0):
        bus = Bus(seed=0, timing=EXACT, clock=clock)
        bus.attach(Faulty())
        bus.publish("/a", number(3), 2 * MS)
        with pytest.raises(SubjectError) as caught:
            bus.run_until(5 * MS)
        said.append(str(caught.value))
    assert said == ["Node 'faulty' crashed at 0.002 s in on_number: ValueError: 3.0 is too much"] * 2


def test_draws_are_those_of_the_generator_each_block_from_its_end() -> None:
    draw = draws(Latency(base_ms=1.0, jitter_ms=0.5), 7, "latency /a")
    rng = generator(7, "latency /a")
    blocks = [(1e6 + 0.5e6 * rng.standard_exponential(256).clip(max=8.0)).astype("int64") for _ in range(3)]
    assert [draw() for _ in range(3 * 256)] == [value for block in blocks for value in block[::-1].tolist()]


def test_a_crash_in_a_timer_is_a_crash_too() -> None:
    def tick() -> None:
        raise KeyError("map")

    bus = Bus(seed=1, timing=EXACT)
    bus.attach(Doer("brain", lambda link: link.every(0.1, tick)))
    with pytest.raises(SubjectError) as caught:
        bus.run_until(2000 * MS)
    assert str(caught.value) == "Node 'brain' crashed at 0.100 s in tick: KeyError: 'map'"


def test_a_crash_in_setup_is_told() -> None:
    def setup(link: Link) -> None:
        raise RuntimeError("no map")

    with pytest.raises(SubjectError) as caught:
        Bus(seed=1, timing=EXACT).attach(Doer("brain", setup))
    assert str(caught.value) == "Node 'brain' crashed in setup: RuntimeError: no map"


def test_two_nodes_of_one_name_are_refused() -> None:
    bus = Bus(seed=1, timing=EXACT)
    bus.attach(Ear("ear"))
    with pytest.raises(SubjectError) as caught:
        bus.attach(Ear("ear"))
    assert str(caught.value) == "Two nodes are called 'ear'; node names on a bus must differ."


@pytest.mark.parametrize("depth", [0, -3])
def test_a_queue_needs_room_for_one_message(depth: int) -> None:
    with pytest.raises(SubjectError) as caught:
        Bus(seed=1, timing=EXACT).attach(Ear(depth=depth))
    assert str(caught.value) == (
        f"Node 'ear' crashed in setup: InputError: Node 'ear' subscribes to /a with depth {depth}; wanted at least 1."
    )


@pytest.mark.parametrize("period_s", [0.0, -1.0])
def test_a_timer_needs_a_positive_period(period_s: float) -> None:
    with pytest.raises(SubjectError) as caught:
        Bus(seed=1, timing=EXACT).attach(Doer("clock", lambda link: link.every(period_s, lambda: None)))
    assert str(caught.value) == (
        "Node 'clock' crashed in setup: InputError: "
        f"Node 'clock' wants a timer of {period_s!r} s; wanted more than zero."
    )


def test_a_node_must_define_setup() -> None:
    with pytest.raises(SubjectError) as caught:
        Bus(seed=1, timing=EXACT).attach(Node())
    assert str(caught.value) == "Node 'node' crashed in setup: NotImplementedError: Node must define setup(link)."


# the simulator's side -----------------------------------------------------------------------------------------


def test_the_simulator_collects_commands_in_order_of_arrival_once() -> None:
    bus = Bus(seed=1, timing=Timing(topics={"/late": Latency(8.0)}, topic_default=Latency(1.0), node_default=Latency()))
    bus.listen(["/late", "/cmd"])
    first, second, third = number(1), number(2), StringMsg("other")
    bus.publish("/late", first, 0)
    bus.publish("/cmd", second, 0)
    bus.publish("/unheard", third, 0)
    bus.run_until(5 * MS)
    assert bus.collect() == [Stamped("/cmd", 1 * MS, second)]
    bus.run_until(20 * MS)
    assert bus.collect() == [Stamped("/late", 8 * MS, first)]
    assert bus.collect() == []


def test_what_was_collected_does_not_change_later() -> None:
    bus = Bus(seed=1, timing=EXACT)
    bus.listen(["/cmd"])
    bus.publish("/cmd", number(1), 0)
    bus.run_until(1)
    collected = bus.collect()
    bus.publish("/cmd", number(2), 2)
    bus.run_until(3)
    assert len(collected) == 1


def test_the_rig_can_watch_a_topic_and_hears_of_a_message_when_it_is_sent() -> None:
    watched: list[int] = []
    bus = Bus(seed=1, timing=JITTERY)
    bus.watch("/done", watched.append)
    bus.publish("/done", number(1), 30)
    bus.publish("/other", number(1), 31)
    bus.publish("/done", number(2), 32)
    assert watched == [30, 32]


def test_watching_changes_no_draw() -> None:
    bus, ear = Bus(seed=11, timing=JITTERY), Ear()
    bus.watch("/a", lambda sent_ns: None)
    bus.attach(ear)
    for i in range(40):
        bus.publish("/a", number(i), i * 10 * MS)
    bus.run_until(10_000 * MS)
    assert ear.heard == heard_with(seed=11).heard


def test_the_simulator_is_never_too_busy_to_listen() -> None:
    bus = Bus(seed=1, timing=Timing(topic_default=Latency(), node_default=Latency(1000.0)))
    bus.listen(["/cmd"])
    for i in range(50):
        bus.publish("/cmd", number(i), i)
    bus.run_until(100)
    assert len(bus.collect()) == 50
    assert bus.dropped == 0


def test_a_given_clock_measures_the_callbacks_and_changes_nothing() -> None:
    ticks = iter(range(1000))
    bus, ear = Bus(seed=4, timing=JITTERY, clock=lambda: float(next(ticks))), Ear()
    bus.attach(ear)
    for i in range(40):
        bus.publish("/a", number(i), i * 10 * MS)
    bus.run_until(10_000 * MS)
    assert bus.callback_s == 40.0
    assert ear.heard == heard_with(seed=4).heard


def test_a_slow_sender_does_not_hold_up_another_on_the_same_topic() -> None:
    bus = Bus(seed=0, timing=EXACT)
    ear = Ear()
    bus.attach(ear)
    bus.publish("/a", number(1), 100 * MS, "slow")
    bus.publish("/a", number(2), 10 * MS, "quick")
    bus.run_until(200 * MS)
    assert ear.heard == [(10 * MS, "/a", 2.0), (100 * MS, "/a", 1.0)]


@pytest.mark.parametrize("delay", [(-1.0, 0.0), (0.0, -0.1), (float("nan"), 0.0), (0.0, float("inf"))])
def test_a_message_cannot_arrive_before_it_is_sent(delay: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="A latency needs base_ms and jitter_ms of at least 0"):
        Latency(*delay)


def test_a_closed_bus_holds_nothing() -> None:
    bus = Bus(seed=0, timing=EXACT, tap=lambda _topic: lambda _row: None)
    ear = Ear()
    bus.attach(ear)
    bus.publish("/a", number(1), 0)
    bus.close()
    bus.run_until(MS)
    assert ear.heard == []
