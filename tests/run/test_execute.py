"""One run: how it can end, and that everything is put away whatever happens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from stressfield.bus import Bus, Latency, Link, Node, Stamped, Timing
from stressfield.bus.messages import Float64Msg, StringMsg
from stressfield.errors import NotInstalledError, PhysicsError, RigError
from stressfield.run import Executed, Status, Stopwatch, execute
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.sim import Observation
from stressfield.study import Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Robot, Terrain, World

EXACT = Timing(topic_default=Latency(), node_default=Latency())
ENDING = Ending("/done", settle_s=0.3, report=StringMsg)


def scenario(limit_s: float = 1.0) -> Scenario:
    robot = Robot("cart", 0.2, 0.2, 0.2, 1.0, DifferentialDrive("/cmd", 0.1, 0.3, 1.0, 1.0, 1.0), ())
    terrain = Terrain.flat(x0_m=-5.0, y0_m=-5.0, size_m=10.0)
    world = World("lane", terrain, Bodies.none(), (PlacedRobot(robot, 0.0, 0.0, 0.0),))
    return Scenario(world, Mission(limit_s=limit_s))


@dataclass
class Cart:
    """A simulator and its own session: a noisy point that moves as it is told, and counts how often it is closed."""

    breaks: Callable[[float], None] = lambda speed: None
    tick_ns: int = 50_000_000
    command_topics: tuple[str, ...] = ("/cmd",)
    time_ns: int = 0
    x_m: float = 0.0
    speed_mps: float = 0.0
    closed: int = 0
    commands: list[Stamped] = field(default_factory=list)

    def open(self, scenario: Scenario, *, seed: int) -> Cart:
        self._rng = generator(seed, "cart")
        return self

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        for stamped in inbox:
            self.commands.append(stamped)
            self.speed_mps = stamped.message.data
        self.breaks(self.speed_mps)
        self.time_ns += self.tick_ns
        self.x_m += self.speed_mps * 0.05
        return [Stamped("/x", self.time_ns, Float64Msg(self.x_m + float(self._rng.normal(0.0, 0.01))))]

    def observe(self) -> Observation:
        row = np.zeros((1, 11))
        row[0, 0], row[0, 6], row[0, 10] = self.x_m, 1.0, -1.0
        return Observation(self.time_ns, row)

    def close(self) -> None:
        self.closed += 1


class Driver(Node):
    """Answers each position with a command; ``act(x, publish)`` may do more."""

    name = "driver"

    def __init__(self, act: Callable[[float, Link], None] = lambda x, link: None, speed: float = 1.0) -> None:
        self._act = act
        self._speed = speed

    def setup(self, link: Link) -> None:
        self._link = link
        link.subscribe("/x", self.on_x)

    def on_x(self, message: Float64Msg) -> None:
        self._link.publish("/cmd", Float64Msg(self._speed))
        self._act(message.data, self._link)


class Counted(NodesSubject):
    """Counts how often it is stopped."""

    def __init__(self, *nodes: Node, start_error: Exception | None = None, stop_error: Exception | None = None) -> None:
        super().__init__(lambda _: nodes)
        self.stopped = 0
        self._start_error = start_error
        self._stop_error = stop_error

    def start(self, scenario: Scenario, bus: Bus) -> None:
        if self._start_error is not None:
            raise self._start_error
        super().start(scenario, bus)

    def stop(self) -> None:
        self.stopped += 1
        if self._stop_error is not None:
            raise self._stop_error


def reports_at(x_m: float) -> Callable[[float, Link], None]:
    told: list[float] = []

    def act(x: float, link: Link) -> None:
        if x > x_m:
            told.append(x)
            link.publish("/done", StringMsg(f"there {len(told)}"))

    return act


def run(
    subject: NodesSubject,
    cart: Cart | None = None,
    *,
    limit_s: float = 1.0,
    seed: int = 1,
    timing: Timing = EXACT,
    stopwatch: Stopwatch | None = None,
    ending: Ending = ENDING,
) -> Executed:
    return execute(
        scenario(limit_s),
        subject,
        cart or Cart(),
        seed=seed,
        timing=timing,
        ending=ending,
        metadata=Metadata(run_id="r1", seeds={"run": seed}),
        stopwatch=stopwatch,
    )


# how it ends --------------------------------------------------------------------------------------------------


def test_a_run_without_a_report_is_a_timeout_at_the_mission_limit() -> None:
    subject, cart = Counted(Driver()), Cart()
    done = run(subject, cart, limit_s=1.0)
    assert (done.status, done.simulated_s, done.trouble) == (Status.TIMEOUT, 1.0, "")
    assert (subject.stopped, cart.closed) == (1, 1)
    topics = ["/cmd", "/done", "/x"]  # silent ones, too: properties may ask for them
    assert done.trace.metadata == Metadata(run_id="r1", ending="timeout", seeds={"run": 1}, topics=topics)
    assert "/done" not in done.trace.topics


def test_what_a_node_advertises_is_known_of_the_trace() -> None:
    class Shy(Driver):
        def setup(self, link: Link) -> None:
            super().setup(link)
            link.advertise("/alarm")

    silent, plain = run(Counted(Shy()), limit_s=1.0), run(Counted(Driver()), limit_s=1.0)
    assert "/alarm" in silent.trace.metadata.topics
    assert silent.trace.digest() == plain.trace.digest()  # announcing changes nothing that happens


@pytest.mark.parametrize(("settle_s", "end_s"), [(0.0, 0.55), (0.3, 0.80), (0.31, 0.85)])
def test_a_run_is_completed_when_it_has_settled_after_the_first_report(settle_s: float, end_s: float) -> None:
    done = run(Counted(Driver(reports_at(0.43))), limit_s=5.0, ending=Ending("/done", settle_s, report=StringMsg))
    reported_s = done.trace.topic("/done").time_s[0]
    assert done.status is Status.COMPLETED
    assert reported_s + settle_s <= done.simulated_s < reported_s + settle_s + 0.05 + 1e-9
    assert done.simulated_s == pytest.approx(end_s)
    assert done.trace.metadata.ending == "completed"


def test_later_reports_do_not_prolong_a_run() -> None:
    done = run(Counted(Driver(reports_at(0.1))), limit_s=5.0, ending=Ending("/done", 0.5, report=StringMsg))
    assert len(done.trace.topic("/done")) > 3
    assert done.simulated_s < 1.0


def test_a_message_on_another_topic_ends_nothing() -> None:
    done = run(Counted(Driver(reports_at(0.1))), ending=Ending("/finished", 0.1))
    assert done.status is Status.TIMEOUT


def test_a_crash_of_a_node_is_a_result_with_the_trace_so_far() -> None:
    def act(x: float, link: Link) -> None:
        if x > 0.2:
            raise ZeroDivisionError("division by zero")

    subject, cart = Counted(Driver(act)), Cart()
    done = run(subject, cart)
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("Node 'driver' crashed at 0.")
    assert re.search(r"s in on_x: ZeroDivisionError: division by zero \(.*test_execute\.py:\d+\)$", done.trouble)
    assert done.crash is not None
    assert done.crash.kind == "ZeroDivisionError"
    assert "raise ZeroDivisionError" in done.crash.traceback
    assert "bus.py" not in done.crash.traceback
    assert 0.2 < done.simulated_s < 0.6
    assert len(done.trace.topic("/x")) > 2
    assert (subject.stopped, cart.closed) == (1, 1)
    assert done.trace.metadata.ending == "subject_crash"


def test_a_subject_that_crashes_in_start_is_a_subject_crash() -> None:
    subject, cart = Counted(start_error=FileNotFoundError("no map.yaml")), Cart()
    done = run(subject, cart)
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("The subject crashed in start: FileNotFoundError: no map.yaml (")
    assert (subject.stopped, cart.closed) == (1, 1)


def test_a_subject_that_crashes_in_stop_is_a_subject_crash_and_the_session_is_closed() -> None:
    subject, cart = Counted(Driver(), stop_error=OSError("still writing")), Cart()
    done = run(subject, cart)
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("The subject crashed in stop: OSError: still writing (")
    assert cart.closed == 1


def test_trouble_of_the_rig_is_not_blamed_on_a_subject_that_then_fails_to_stop() -> None:
    def breaks(speed: float) -> None:
        raise PhysicsError("exploded")

    cart = Cart(breaks)
    done = run(Counted(Driver(), stop_error=OSError("no simulator")), cart)
    assert (done.status, done.trouble, cart.closed) == (Status.INVALID, "exploded", 1)


def test_broken_physics_makes_a_run_invalid() -> None:
    def breaks(speed: float) -> None:
        if speed > 0.0:
            raise PhysicsError("The cart is not finite.")

    subject, cart = Counted(Driver()), Cart(breaks)
    done = run(subject, cart)
    assert (done.status, done.trouble) == (Status.INVALID, "The cart is not finite.")
    assert (subject.stopped, cart.closed) == (1, 1)
    assert done.trace.metadata.ending == "invalid"


def test_a_simulator_that_cannot_open_makes_a_run_invalid() -> None:
    class Closed(Cart):
        def open(self, scenario: Scenario, *, seed: int) -> Cart:
            raise RigError("no licence")

    subject = Counted(Driver())
    done = run(subject, Closed())
    assert (done.status, done.trouble, done.simulated_s, subject.stopped) == (Status.INVALID, "no licence", 0.0, 1)


def test_two_nodes_of_one_name_are_the_robots_fault() -> None:
    subject, cart = Counted(Driver(), Driver()), Cart()
    done = run(subject, cart)
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("Two nodes are called 'driver'; node names on a bus must differ.")
    assert (subject.stopped, cart.closed) == (1, 1)


def test_what_is_missing_on_this_machine_is_told_at_once() -> None:
    subject, cart = Counted(start_error=NotInstalledError("no grpc")), Cart()
    with pytest.raises(NotInstalledError, match="no grpc"):
        run(subject, cart)
    assert (subject.stopped, cart.closed) == (1, 1)


def test_a_bug_in_a_simulator_makes_the_run_invalid_and_names_its_line() -> None:
    def breaks(speed: float) -> None:
        raise TypeError("a bug")

    subject, cart = Counted(Driver()), Cart(breaks)
    done = run(subject, cart)
    assert done.status is Status.INVALID
    assert re.fullmatch(r"The simulator crashed: TypeError: a bug \(.*test_execute\.py:\d+\)", done.trouble)
    assert done.crash is not None
    assert 'raise TypeError("a bug")' in done.crash.traceback
    assert (subject.stopped, cart.closed) == (1, 1)


@pytest.mark.parametrize(("status", "judged"), list(zip(Status, [True, True, False, False], strict=True)))
def test_only_completed_and_timeout_are_judged(status: Status, judged: bool) -> None:
    assert status.judged is judged


# what happens in it -------------------------------------------------------------------------------------------


def test_commands_reach_the_simulator_in_the_tick_of_their_arrival() -> None:
    cart = Cart()
    run(Counted(Driver()), cart, timing=Timing(topic_default=Latency(5.0), node_default=Latency(10.0)))
    assert [stamped.time_ns for stamped in cart.commands[:3]] == [70_000_000, 120_000_000, 170_000_000]
    assert len(cart.commands) == 19


def test_the_trace_holds_the_truth_of_every_tick_and_every_message() -> None:
    done = run(Counted(Driver()), limit_s=1.0)
    truth = done.trace.truth("cart")
    assert truth.time_s.tolist() == pytest.approx([0.05 * i for i in range(21)])
    assert truth.x_m[0] == 0.0
    assert truth.x_m[-1] == pytest.approx(19 * 0.05)
    assert set(done.trace.topics) == {"/x", "/cmd"}
    assert len(done.trace.topic("/x")) == 20


def test_the_same_seed_gives_the_same_trace_bit_for_bit() -> None:
    timing = Timing()
    assert run(Counted(Driver()), timing=timing).trace.digest() == run(Counted(Driver()), timing=timing).trace.digest()


def test_another_seed_gives_another_trace() -> None:
    assert run(Counted(Driver()), seed=1).trace.digest() != run(Counted(Driver()), seed=2).trace.digest()


def test_the_stopwatch_changes_nothing_but_tells_where_the_time_went() -> None:
    stopwatch = Stopwatch()
    plain = run(Counted(Driver(reports_at(0.4))), limit_s=5.0, timing=Timing())
    timed = run(Counted(Driver(reports_at(0.4))), limit_s=5.0, timing=Timing(), stopwatch=stopwatch)
    assert (timed.status, timed.simulated_s) == (plain.status, plain.simulated_s) == (Status.COMPLETED, 0.85)
    assert timed.trace.digest() == plain.trace.digest()
    assert set(stopwatch.seconds) == {"engine", "subject", "bus", "recording"}
    assert all(seconds > 0.0 for seconds in stopwatch.seconds.values())


def test_the_stopwatch_changes_no_timeout_and_no_crash_either() -> None:
    def act(x: float, link: Link) -> None:
        if x > 0.3:
            raise ValueError("far enough")

    for make in (lambda: Counted(Driver()), lambda: Counted(Driver(act))):
        plain, timed = run(make(), timing=Timing()), run(make(), timing=Timing(), stopwatch=Stopwatch())
        assert (timed.status, timed.trouble) == (plain.status, plain.trouble)
        assert timed.trace.digest() == plain.trace.digest()


def test_a_stopwatch_adds_up_blocks_even_those_that_raise() -> None:
    stopwatch = Stopwatch()
    stopwatch.add("store", 2.0)
    with pytest.raises(KeyError), stopwatch.time("store"):
        raise KeyError
    assert stopwatch.seconds["store"] > 2.0
