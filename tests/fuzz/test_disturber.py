"""Operations in a run: when they act, what happens to nodes, what the trace shows, and that nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import pytest

from stressfield.bus import Bus, Latency, Link, Node, Stamped, Timing
from stressfield.bus.messages import (
    Float64Msg,
    Header,
    Odometry,
    Point,
    Pose,
    PoseWithCovariance,
    Quaternion,
    Time,
    Twist,
    TwistWithCovariance,
    Vector3,
)
from stressfield.errors import ConditionError, InputError, RigError
from stressfield.fuzz import (
    LOG,
    Blackhole,
    Conditional,
    Delay,
    Generated,
    Kill,
    Loss,
    Noise,
    Offset,
    Operation,
    Restart,
    Slowdown,
    StuckAt,
    Variable,
    Window,
    null_relay,
)
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario, scenario_id
from stressfield.seeds import generator
from stressfield.sim import Observation
from stressfield.study import Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Robot, Terrain, World

from .line import Listener, S, numbers, play

JITTERY = Timing(topic_default=Latency(1.0, 5.0), node_default=Latency(1.0, 3.0))
CHARGE = Variable(name="charge", topics=("/charge",), path="data")


def when(start: str, end: str | None = None, within: Window | None = None) -> Conditional:
    return Conditional(start=start, end=end, within=within)


def charged(*values: float) -> list[tuple[float, str, Float64Msg]]:
    """Half a second before each number of the line, a new charge."""
    return [(i + 0.5, "/charge", Float64Msg(value)) for i, value in enumerate(values)]


def disturbed(activation: Conditional, *charges: float) -> list[float]:
    operation = StuckAt(name="stuck", topics=("/a",), path="data", value=-1.0, when=activation)
    messages = sorted([*numbers(len(charges) + 1), *charged(*charges)], key=lambda one: one[0])
    return play([operation], messages, variables=[CHARGE]).values


# when ---------------------------------------------------------------------------------------------------------


def test_from_the_start_condition_to_the_end_condition_and_again() -> None:
    charges = (0.9, 0.2, 0.4, 0.4, 0.9, 0.1)
    assert disturbed(when("charge < 0.3", "charge > 0.5"), *charges) == [0.0, 1.0, -1.0, -1.0, -1.0, 5.0, -1.0]


def test_without_an_end_as_long_as_the_start_holds() -> None:
    assert disturbed(when("charge < 0.3"), 0.9, 0.2, 0.4, 0.1) == [0.0, 1.0, -1.0, 3.0, -1.0]


def test_unknown_is_not_true() -> None:
    assert disturbed(when("charge < 0.3 or not charge < 0.3")) == [0.0]


def test_both_conditions_at_once_do_nothing() -> None:
    assert disturbed(when("charge < 0.3", "charge < 0.4"), 0.1, 0.1) == [0.0, 1.0, 2.0]


def test_a_window_confines_a_condition() -> None:
    inside = Window(start_s=1.2, end_s=2.8)
    assert disturbed(when("charge < 0.3", "charge > 0.5", inside), 0.1, 0.1, 0.1, 0.1) == [0.0, 1.0, -1.0, 3.0, 4.0]


def test_a_length_ends_it_though_no_variable_changes() -> None:
    low = Conditional(start="charge < 0.3", length_s=2.0)
    # it begins at 0.5 s and ends at 2.5 s; the charge at 4.5 s begins it again
    assert disturbed(low, 0.1, 0.9, 0.9, 0.9, 0.1, 0.9) == [0.0, -1.0, -1.0, 3.0, 4.0, -1.0, -1.0]
    operation = StuckAt(name="stuck", topics=("/a",), path="data", value=-1.0, when=low)
    taps = play([operation], [*charged(0.1), *numbers(6)], variables=[CHARGE]).taps
    assert [(sent / S, message.level) for sent, _, message in taps[LOG]] == [(0.5, 1), (2.5, 0)]


def test_whichever_comes_first_ends_it() -> None:
    short = Conditional(start="charge < 0.3", end="charge > 0.5", length_s=2.0)
    assert disturbed(short, 0.1, 0.9, 0.4, 0.1, 0.1, 0.4) == [0.0, -1.0, 2.0, 3.0, -1.0, -1.0, 6.0]


@pytest.mark.parametrize(("times", "wanted"), [(1, [0.0, -1.0, 2.0, 3.0]), (2, [0.0, -1.0, 2.0, -1.0])])
def test_it_begins_no_more_often_than_it_may(times: int, wanted: list[float]) -> None:
    assert disturbed(Conditional(start="charge < 0.3", end="charge > 0.5", times=times), 0.1, 0.9, 0.1) == wanted
    assert disturbed(Conditional(start="charge < 0.3", times=times), 0.1, 0.9, 0.1) == wanted


@pytest.mark.parametrize(
    ("activation", "told"),
    [
        (Conditional(start="charge < 0.3", length_s=0.0), "length_s is 0.0. Wanted a time of more than 0."),
        (Conditional(start="charge < 0.3", length_s=float("inf")), "length_s is inf. Wanted a time of more than 0."),
        (Conditional(start="charge < 0.3", times=0), "times is 0. Wanted at least 1."),
    ],
)
def test_lengths_and_times_that_make_no_sense(activation: Conditional, told: str) -> None:
    with pytest.raises(InputError) as caught:
        disturbed(activation, 0.1)
    assert told in str(caught.value)


def test_a_condition_without_length_and_times_is_written_as_if_there_were_none() -> None:
    assert b"length_s" not in msgspec.json.encode(when("charge < 0.3"))
    timed = Conditional(start="a < 1", end="a > 2", length_s=3.0, times=2, within=Window(end_s=9.0))
    assert str(timed) == "from when a < 1, for 3 s, until a > 2, 2 times at most, within 0 s to 9 s"
    assert msgspec.json.decode(msgspec.json.encode(timed), type=Conditional) == timed


def test_places_and_their_distance() -> None:
    def at(x_m: float) -> Odometry:
        pose = PoseWithCovariance(Pose(Point(x_m, 0.0, 0.0), Quaternion()))
        return Odometry(Header(Time(0, 0), "m"), "b", pose, TwistWithCovariance(Twist(Vector3(), Vector3())))

    places = [
        Variable(name=f"robot{i}", kind="place", topics=(f"/odom{i}",), path="pose.pose.position") for i in range(2)
    ]
    hole = Blackhole(name="hole", topics=("/a",), when=when("distance(robot0, robot1) < 1.0"))
    messages = [(0.5, "/odom0", at(0.0)), (1.5, "/odom1", at(3.0)), (2.5, "/odom0", at(2.5)), (3.5, "/odom1", at(9.0))]
    played = play([hole], sorted([*numbers(6), *messages], key=lambda one: one[0]), variables=places)
    assert played.values == [0.0, 1.0, 2.0, 4.0, 5.0]


@pytest.mark.parametrize(("take", "wanted"), [("count", 3.0), ("sum", 6.0), ("min", 1.0), ("max", 3.0), ("last", 2.0)])
def test_what_becomes_of_many_messages(take: str, wanted: float) -> None:
    variable = Variable(name="v", topics=("/x", "/y"), path="data", take=take)  # type: ignore[arg-type]
    hole = Blackhole(name="hole", topics=("/a",), when=when(f"v == {wanted}"))
    said = [(0.1, "/x", Float64Msg(1.0)), (0.2, "/y", Float64Msg(3.0)), (0.3, "/x", Float64Msg(2.0))]
    assert play([hole], [*said, (1.0, "/a", Float64Msg(7.0))], variables=[variable]).values == []


def test_a_disturbed_topic_is_observed_as_it_was_sent() -> None:
    variable = Variable(name="a", topics=("/a",), path="data")
    offset = Offset(name="o", topics=("/a",), path="data", by=-100.0, when=when("a >= 2", "a >= 4"))
    assert play([offset], numbers(6), variables=[variable]).values == [0.0, 1.0, -98.0, -97.0, 4.0, 5.0]


def test_what_cannot_be_run_is_refused_before_the_run() -> None:
    hole = Blackhole(name="hole", topics=("/a",), when=when("charge < 0.3"))
    with pytest.raises(ConditionError, match="Unknown variable 'charge'"):
        play([hole], [])
    with pytest.raises(InputError, match=r"is not read from any topic\. Give it 'topics'"):
        play([hole], [], variables=[Variable(name="charge")])
    with pytest.raises(InputError, match="yet to be generated"):
        play([Blackhole(name="hole", topics=("/a",), when=Generated())], [])
    with pytest.raises(InputError, match="same name: x, x"):
        play([Blackhole(name="x", topics=("/a",)), Blackhole(name="x", topics=("/b",))], [])


def test_a_variable_that_cannot_be_read_is_trouble_of_the_rig() -> None:
    hole = Blackhole(name="hole", topics=("/a",), when=when("v > 1"))
    with pytest.raises(RigError, match="The variable 'v' cannot be read from '/a'"):
        play([hole], numbers(1), variables=[Variable(name="v", topics=("/a",), path="nothing")])


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        (Blackhole(name="o", topics=("/b",)), "no one subscribes to '/b'. There are: /a."),
        (Kill(name="o", nodes=("eer",)), "no node is called 'eer'. There are: ear. Did you mean 'ear'?"),
    ],
)
def test_a_disturbance_of_nothing_is_trouble_of_the_rig(operation: Operation, told: str) -> None:
    with pytest.raises(RigError) as caught:
        play([operation], [])
    assert told in str(caught.value)


# nodes --------------------------------------------------------------------------------------------------------


def test_a_killed_node_stays_dead() -> None:
    ear = Listener(period_s=1.0)
    kill = Kill(name="k", nodes=("ear",), when=Window(start_s=2.5, end_s=4.0))
    assert play([kill], numbers(8), listener=ear).values == [0.0, 1.0, 2.0]
    assert ear.ticks == [1.0, 2.0]


def test_a_restarted_node_begins_anew() -> None:
    ear = Listener(period_s=1.0)
    restart = Restart(name="r", nodes=("ear",), down_s=2.0, when=Window(start_s=2.5, end_s=9.0))
    assert play([restart], numbers(8), listener=ear, until_s=8.0).values == [0.0, 1.0, 2.0, 5.0, 6.0, 7.0]
    assert ear.ticks == [1.0, 2.0, 5.5, 6.5, 7.5]


def test_a_node_that_cannot_be_copied_cannot_be_restarted() -> None:
    class Odd(Listener):
        def __deepcopy__(self, memo: object) -> Listener:
            raise TypeError("a socket")

    with pytest.raises(RigError, match="Node 'ear' cannot be copied, so it cannot be restarted: TypeError: a socket"):
        play([Restart(name="r", nodes=("ear",))], [], listener=Odd())


def test_a_condition_can_kill() -> None:
    kill = Kill(name="k", nodes=("ear",), when=when("a >= 3"))
    variable = Variable(name="a", topics=("/a",), path="data")
    assert play([kill], numbers(6), variables=[variable]).values == [0.0, 1.0, 2.0]


def test_slowdown_multiplies_compute_time_and_ends() -> None:
    timing = Timing(topic_default=Latency(), node_default=Latency(100.0))
    operations = [
        Slowdown(name="half", nodes=("ear",), factor=2.0, when=Window(start_s=0.95, end_s=2.95)),
        Slowdown(name="fifth", nodes=("ear",), factor=5.0, when=Window(start_s=1.95, end_s=2.95)),
    ]
    # the second message of each pair waits until the first is computed
    messages = [(second, "/a", Float64Msg(float(second))) for second in range(4) for _ in range(2)]
    played = play(operations, messages, timing=timing)
    gaps = [b - a for a, b in zip(played.times[::2], played.times[1::2], strict=True)]
    assert gaps == pytest.approx([0.1, 0.2, 1.0, 0.1])


# what the trace shows -----------------------------------------------------------------------------------------


def test_the_trace_has_the_message_before_and_after() -> None:
    operations = [
        Offset(name="o", topics=("/a",), path="data", by=10.0, when=Window(start_s=2.0, end_s=4.0)),
        Loss(name="l", topics=("/a",), probability=1.0, when=Window(start_s=3.0, end_s=5.0)),
        Delay(name="d", topics=("/a",), delay_s=0.5, when=Window(start_s=2.0, end_s=3.0)),
    ]
    taps = play(operations, numbers(6)).taps
    assert [(sent / S, message.data) for sent, _, message in taps["/a"]] == [(float(i), float(i)) for i in range(6)]
    assert [(sent / S, at / S, message.data) for sent, at, message in taps["/a/fuzzed"]] == [(2.0, 2.5, 12.0)]
    logged = [(sent / S, message.level, message.name) for sent, _, message in taps[LOG]]
    assert logged == [(2.0, 1, "o"), (2.0, 1, "d"), (3.0, 1, "l"), (3.0, 0, "d"), (4.0, 0, "o"), (5.0, 0, "l")]


def test_an_operation_that_acts_without_effect_shows_that_it_did() -> None:
    taps = play([Loss(name="l", topics=("/a",), probability=0.0)], numbers(3)).taps
    assert [row[2].data for row in taps["/a/fuzzed"]] == [0.0, 1.0, 2.0]


# runs ---------------------------------------------------------------------------------------------------------


@dataclass
class Cart:
    """A simulator and its session: a noisy point that moves as it is told."""

    tick_ns: int = 50_000_000
    command_topics: tuple[str, ...] = ("/cmd",)
    time_ns: int = 0
    x_m: float = 0.0
    speed_mps: float = 0.0

    def open(self, scenario: Scenario, *, seed: int) -> Cart:
        self._rng = generator(seed, "cart")
        return self

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        for stamped in inbox:
            self.speed_mps = stamped.message.data  # type: ignore[attr-defined]
        self.time_ns += self.tick_ns
        self.x_m += self.speed_mps * 0.05
        return [Stamped("/x", self.time_ns, Float64Msg(self.x_m + float(self._rng.normal(0.0, 0.01))))]

    def observe(self) -> Observation:
        row = np.zeros((1, 11))
        row[0, 0], row[0, 6], row[0, 10] = self.x_m, 1.0, -1.0
        return Observation(self.time_ns, row)

    def close(self) -> None: ...


class Driver(Node):
    name = "driver"

    def setup(self, link: Link) -> None:
        self._link = link
        link.subscribe("/x", self.on_x)

    def on_x(self, message: Float64Msg) -> None:
        self._link.publish("/cmd", Float64Msg(0.5 - 0.1 * message.data))


class Relayed(NodesSubject):
    """The driver behind null relays."""

    def start(self, scenario: Scenario, bus: Bus) -> None:
        for topic in ("/x", "/cmd", "/done"):
            bus.interpose(topic, null_relay)
        super().start(scenario, bus)


def scenario() -> Scenario:
    robot = Robot("cart", 0.2, 0.2, 0.2, 1.0, DifferentialDrive("/cmd", 0.1, 0.3, 1.0, 1.0, 1.0), ())
    terrain = Terrain.flat(x0_m=-5.0, y0_m=-5.0, size_m=10.0)
    return Scenario(World("lane", terrain, Bodies.none(), (PlacedRobot(robot, 0.0, 0.0, 0.0),)), Mission(limit_s=5.0))


def run(
    *operations: Operation, variables: Sequence[Variable] = (), subject: NodesSubject | None = None, seed: int = 3
) -> Executed:
    return execute(
        scenario().disturbed(operations, variables),
        subject or NodesSubject(lambda _: [Driver()]),
        Cart(),
        seed=seed,
        timing=JITTERY,
        ending=Ending("/done"),
        metadata=Metadata(),
    )


def test_a_null_relay_changes_nothing() -> None:
    assert run().trace.digest() == run(subject=Relayed(lambda _: [Driver()])).trace.digest()


def test_operations_that_never_act_change_nothing() -> None:
    later = Window(start_s=100.0, end_s=200.0)
    x = Variable(name="x", topics=("/x",), path="data")
    operations = (
        Loss(name="l", topics=("/cmd",), probability=1.0, when=later),
        Noise(name="n", topics=("/x",), path="data", sigma=1.0, when=when("x > 100")),
        Restart(name="r", nodes=("driver",), when=later),
        Slowdown(name="s", nodes=("driver",), factor=9.0, when=later),
    )
    assert run(*operations, variables=[x]).trace.digest() == run().trace.digest()


def test_a_run_of_oz_with_relays_that_do_nothing_is_the_same_run() -> None:
    from stressfield_studies.oz import study

    field = study.scenario("0.02-(1-r-6.0-r-(cabbage-0.5)-5.0-0.0-0.0-(0-0.0)-r-r-r)-(true-true-left)", seed=1)
    idle = Loss(name="l", topics=("/wheel_speeds", "/scan"), probability=1.0, when=Window(start_s=1e5, end_s=2e5))
    digests = {
        execute(
            one,
            study.builds[0].subject(one),
            study.find_simulator()(),
            seed=5,
            timing=study.timing,
            ending=study.ending,
            metadata=Metadata(),
        ).trace.digest()
        for one in (field, field.disturbed([idle]))
    }
    assert len(digests) == 1


def test_before_it_acts_a_disturbed_run_is_the_undisturbed_one() -> None:
    plain = run().trace
    hurt = run(StuckAt(name="s", topics=("/cmd",), path="data", value=-1.0, when=Window(start_s=2.0, end_s=3.0))).trace
    for topic in ("/x", "/cmd"):
        (t, x), (t2, x2) = plain.column(topic, "data"), hurt.column(topic, "data")
        early = t < 2.0
        assert np.array_equal(t[early], t2[: early.sum()])
        assert np.array_equal(x[early], x2[: early.sum()])
    assert hurt.truth("cart").x_m[-1] < plain.truth("cart").x_m[-1] - 0.5
    assert set(hurt.topic("/cmd/fuzzed").column("data")) == {-1.0}
    assert len(hurt.topic(LOG)) == 2


def test_disturbed_runs_repeat_bit_for_bit() -> None:
    operations = (
        Noise(name="n", topics=("/x",), path="data", sigma=0.3),
        Loss(name="l", topics=("/cmd", "/x"), probability=0.4),
        Restart(name="r", nodes=("driver",), down_s=0.3, when=Window(start_s=1.0)),
    )
    assert run(*operations).trace.digest() == run(*operations).trace.digest()
    assert run(*operations).trace.digest() != run(*operations, seed=4).trace.digest()


def test_a_run_whose_disturbance_cannot_act_is_invalid() -> None:
    wrong = run(Offset(name="o", topics=("/cmd",), path="linear.x", by=1.0))
    assert wrong.status is Status.INVALID
    assert wrong.trouble.startswith("Operation 'o' cannot act on '/cmd'")
    nothing = run(Kill(name="k", nodes=("pilot",)))
    assert (nothing.status, "no node is called 'pilot'" in nothing.trouble) == (Status.INVALID, True)


def test_disturbances_are_part_of_the_scenario_and_nothing_changes_without_them() -> None:
    plain = scenario()
    assert plain.id == scenario_id("", "", 0, {}) == plain.disturbed([]).id
    one, other = (plain.disturbed([Loss(name="l", topics=("/a",), probability=p)]).id for p in (0.1, 0.2))
    assert len({plain.id, one, other}) == 3
    hole = Blackhole(name="h", topics=("/a",), when=when("charge < 1"))
    assert plain.disturbed([hole], [CHARGE]).id != plain.disturbed([hole]).id
