"""What each operation does to messages, and that it does so from its own seed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.bus import Forward, Message, encode
from stressfield.bus.messages import (
    Float64Msg,
    Header,
    Image,
    Int8Msg,
    Int16Msg,
    Int64Msg,
    JointState,
    LaserScan,
    StringMsg,
    Time,
    Twist,
    UInt8Msg,
    UInt16Msg,
    UInt32Msg,
    UInt64Msg,
    Vector3,
)
from stressfield.errors import InputError, RigError
from stressfield.fuzz import (
    Blackhole,
    Circumstances,
    Custom,
    Delay,
    Duplicate,
    FieldValues,
    Freeze,
    Jitter,
    Loss,
    Noise,
    NotANumber,
    Offset,
    Operation,
    RandomOffset,
    RandomValue,
    Range,
    Reorder,
    Scale,
    ShiftClock,
    StuckAt,
    Throttle,
    Window,
    custom_operation,
)

from .line import numbers, play

ON = ("/a",)


def window(start_s: float, end_s: float) -> Window:
    return Window(start_s=start_s, end_s=end_s)


# network ------------------------------------------------------------------------------------------------------


def test_a_blackhole_swallows_what_is_sent_in_its_window_and_nothing_else() -> None:
    played = play([Blackhole(name="hole", topics=ON, when=window(2.0, 5.0))], numbers(8))
    assert played.values == [0.0, 1.0, 5.0, 6.0, 7.0]


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 0.9, 1.0])
def test_packet_loss_loses_its_share(share: float) -> None:
    count = 10_000
    lost = count - len(play([Loss(name="loss", topics=ON, probability=share)], numbers(count, period_s=0.01)).heard)
    assert abs(lost - share * count) <= 4.0 * math.sqrt(count * share * (1.0 - share))


def test_a_delay_keeps_order_even_when_it_ends() -> None:
    played = play([Delay(name="late", topics=ON, delay_s=2.5, when=window(0.0, 3.0))], numbers(6))
    assert played.values == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert played.times == [2.5, 3.5, 4.5, 4.5, 4.5, 5.0]


def test_jitter_spreads_and_keeps_order() -> None:
    played = play([Jitter(name="jitter", topics=ON, spread_s=3.0)], numbers(300))
    late = [time_s - i for i, time_s in enumerate(played.times)]
    assert played.values == [float(i) for i in range(300)]
    assert 0.0 <= min(late) < 0.5
    assert 2.0 < max(late) <= 3.0


def test_duplicates_come_again() -> None:
    played = play([Duplicate(name="twice", topics=ON, probability=1.0, gap_s=0.25)], numbers(3))
    assert list(zip(played.times, played.values, strict=True)) == [
        (0.0, 0.0), (0.25, 0.0), (1.0, 1.0), (1.25, 1.0), (2.0, 2.0), (2.25, 2.0)]  # fmt: skip


def test_reordered_messages_are_overtaken() -> None:
    played = play([Reorder(name="mixed", topics=ON, probability=0.3, hold_s=1.5)], numbers(200))
    assert sorted(played.values) == [float(i) for i in range(200)]
    assert played.values != sorted(played.values)
    held = sum(time_s != one for time_s, one in zip(played.times, played.values, strict=True))
    assert 40 <= held <= 80


def test_throttle_lets_its_rate_pass() -> None:
    played = play([Throttle(name="slow", topics=ON, rate_hz=2.0)], numbers(100, period_s=0.1))
    assert played.times == pytest.approx([0.5 * i for i in range(20)])


def test_freeze_repeats_the_last_value_from_before() -> None:
    played = play([Freeze(name="still", topics=ON, when=window(3.0, 6.0))], numbers(8))
    assert played.values == [0.0, 1.0, 2.0, 2.0, 2.0, 2.0, 6.0, 7.0]
    assert play([Freeze(name="still", topics=ON)], numbers(3)).values == [0.0, 0.0, 0.0]


# values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "wanted"),
    [
        (Offset(name="o", topics=ON, path="data", by=0.5), [0.5, 1.5, 2.5]),
        (Scale(name="s", topics=ON, path="data", factor=-2.0), [0.0, -2.0, -4.0]),
        (Scale(name="s", topics=ON, path="std_msgs/Float64.data", factor=2), [0.0, 2.0, 4.0]),
        (StuckAt(name="k", topics=ON, path="data", value=9.0), [9.0, 9.0, 9.0]),
    ],
)
def test_values_are_changed(operation: Operation, wanted: list[float]) -> None:
    assert play([operation], numbers(3)).values == wanted


def test_noise_has_its_deviation() -> None:
    values = play([Noise(name="n", topics=ON, path="data", sigma=0.5)], numbers(2000)).values
    errors = np.array(values) - np.arange(2000.0)
    assert abs(errors.mean()) < 0.05
    assert errors.std() == pytest.approx(0.5, rel=0.1)


def test_nan() -> None:
    assert all(math.isnan(value) for value in play([NotANumber(name="nan", topics=ON, path="data")], numbers(3)).values)


def test_random_values_replace_only_their_fields() -> None:
    fields = (
        FieldValues(path="geometry_msgs/twist.linear.x", range=Range(0.904, 0.946)),
        FieldValues(path="angular.z", values=(-1.0, 1.0)),
    )
    sent = [(float(i), "/a", Twist(Vector3(1.0, 2.0, 3.0), Vector3(4.0, 5.0, 6.0))) for i in range(200)]
    heard = [message for _, message in play([RandomValue(name="v", topics=ON, fields=fields)], sent).heard]
    assert all(0.904 <= one.linear.x <= 0.946 for one in heard)
    assert len({one.linear.x for one in heard}) == 200
    assert {one.angular.z for one in heard} == {-1.0, 1.0}
    assert {(one.linear.y, one.linear.z, one.angular.x, one.angular.y) for one in heard} == {(2.0, 3.0, 4.0, 5.0)}
    assert sent[0][2].linear.x == 1.0


def test_random_offsets_are_added_to_what_was_sent() -> None:
    fields = (FieldValues(path="linear.x", range=Range(-0.1, 0.1)), FieldValues(path="angular.z", values=(2.0,)))
    sent = [(float(i), "/a", Twist(Vector3(float(i), 2.0, 3.0), Vector3(4.0, 5.0, 6.0))) for i in range(50)]
    heard = [message for _, message in play([RandomOffset(name="v", topics=ON, fields=fields)], sent).heard]
    added = [one.linear.x - i for i, one in enumerate(heard)]
    assert all(-0.1 <= one <= 0.1 for one in added)
    assert len({round(one, 9) for one in added}) == 50
    assert {one.angular.z for one in heard} == {8.0}
    # the same numbers are drawn as for random values
    replaced = play([RandomValue(name="v", topics=ON, fields=fields)], sent).heard
    assert added == pytest.approx([message.linear.x for _, message in replaced])


def test_places_in_arrays_are_changed_in_a_copy() -> None:
    joints = JointState(Header(Time(1, 0), "j"), ("l", "r"), np.zeros(2), np.array([1.0, 2.0]), np.zeros(0))
    operation = Offset(name="o", topics=ON, path="velocity.1", by=1.0)
    (_, heard), *_ = play([operation], [(0.0, "/a", joints)]).heard
    assert heard.velocity.tolist() == [1.0, 3.0]
    assert joints.velocity.tolist() == [1.0, 2.0]


def test_a_star_means_all_of_an_array() -> None:
    ranges = np.array([1.0, 2.0, np.inf], np.float32)
    scan = LaserScan(Header(Time(0, 0), "l"), 0.0, 1.0, 0.5, 0.0, 0.1, 0.1, 9.0, ranges, np.zeros(0, np.float32))
    (_, heard), *_ = play([Scale(name="s", topics=ON, path="ranges.*", factor=2.0)], [(0.0, "/a", scan)]).heard
    assert heard.ranges.tolist() == [2.0, 4.0, math.inf]
    assert heard.ranges.dtype == np.float32


@pytest.mark.parametrize(("by_s", "wanted"), [(2.5, (12, 500_000_000)), (-3.0, (7, 0)), (-12.0, (-2, 0))])
def test_the_clock_skips_and_steps_back(by_s: float, wanted: tuple[int, int]) -> None:
    joints = JointState(Header(Time(10, 0), "j"), (), np.zeros(0), np.zeros(0), np.zeros(0))
    (time_s, heard), *_ = play([ShiftClock(name="c", topics=ON, by_s=by_s)], [(0.0, "/a", joints)]).heard
    assert (heard.header.stamp.sec, heard.header.stamp.nanosec) == wanted
    assert time_s == 0.0


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        (Offset(name="o", topics=ON, path="dat", by=1.0), "has no field 'dat' (in 'dat'). It has: data."),
        (Offset(name="o", topics=ON, path="data.x", by=1.0), "There is nothing at 'data.x'."),
        (Offset(name="o", topics=ON, path="geometry_msgs/Twist.linear.x", by=1.0), "The path is for geometry_msgs"),
        (ShiftClock(name="o", topics=ON, by_s=1.0), "has no header with a stamp"),
    ],
)
def test_a_field_that_is_not_there_is_trouble_of_the_rig(operation: Operation, told: str) -> None:
    with pytest.raises(RigError) as caught:
        play([operation], numbers(1))
    assert str(caught.value).startswith("Operation 'o' cannot act on '/a': ")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("path", "by", "wanted"),
    [("sec", 1e12, (2**31 - 1, 5)), ("sec", -1.4, (0, 5)), ("nanosec", -9.0, (1, 0)), ("nanosec", 2.0, (1, 7))],
)
def test_whole_numbers_are_rounded_and_saturate(path: str, by: float, wanted: tuple[int, int]) -> None:
    (_, heard), *_ = play([Offset(name="o", topics=ON, path=path, by=by)], [(0.0, "/a", Time(1, 5))]).heard
    assert (heard.sec, heard.nanosec) == wanted
    assert isinstance(heard.sec, int)


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        (Int8Msg(5), 127),
        (UInt8Msg(5), 255),
        (Int16Msg(5), 2**15 - 1),
        (UInt16Msg(5), 2**16 - 1),
        (UInt32Msg(5), 2**32 - 1),
        (Int64Msg(5), 2**63 - 1),
        (UInt64Msg(5), 2**64 - 1),
    ],
)
def test_whole_numbers_of_all_sizes_saturate(message: Message, wanted: int) -> None:
    (_, heard), *_ = play([Offset(name="o", topics=ON, path="data", by=1e30)], [(0.0, "/a", message)]).heard
    assert heard.data == wanted
    encode(heard)


def test_numbers_in_arrays_saturate() -> None:
    image = Image(height=1, width=3, encoding="mono8", step=3, data=np.array([0, 100, 250], dtype=np.uint8))
    (_, heard), *_ = play([Offset(name="o", topics=ON, path="data.*", by=10.0)], [(0.0, "/a", image)]).heard
    assert heard.data.tolist() == [10, 110, 255]
    scan = LaserScan(ranges=np.array([1.0, np.inf], dtype=np.float32))
    (_, heard), *_ = play([Scale(name="s", topics=ON, path="ranges.*", factor=1e300)], [(0.0, "/a", scan)]).heard
    assert heard.ranges[0] == np.finfo(np.float32).max
    assert heard.ranges[1] == np.inf


def test_a_whole_number_cannot_be_nan() -> None:
    with pytest.raises(RigError, match="Operation 'n' cannot act on '/a': cannot convert float NaN to integer"):
        play([NotANumber(name="n", topics=ON, path="sec")], [(0.0, "/a", Time(1, 5))])


@pytest.mark.parametrize("path", ["", ".", "linear..x", "__class__", "data.__doc__", "a b", "x" * 500, "linear.x()"])
def test_a_path_that_is_none(path: str) -> None:
    with pytest.raises(InputError, match="is not a path to a field"):
        play([Offset(name="o", topics=ON, path=path, by=1.0)], [])


# composition --------------------------------------------------------------------------------------------------


def test_operations_act_in_the_order_given() -> None:
    double, add = (
        Scale(name="double", topics=ON, path="data", factor=2.0),
        Offset(name="add", topics=ON, path="data", by=1.0),
    )
    assert play([double, add], numbers(3)).values == [1.0, 3.0, 5.0]
    assert play([add, double], numbers(3)).values == [2.0, 4.0, 6.0]


def test_delays_add_up_and_duplicates_are_changed_too() -> None:
    operations = [
        Delay(name="one", topics=ON, delay_s=1.0),
        Duplicate(name="twice", topics=ON, probability=1.0, gap_s=0.5),
        Delay(name="two", topics=ON, delay_s=2.0),
        Offset(name="add", topics=ON, path="data", by=10.0),
    ]
    played = play(operations, numbers(1))
    assert (played.times, played.values) == ([3.0, 3.5], [10.0, 10.0])


# seeds --------------------------------------------------------------------------------------------------------


def test_same_seed_same_losses_and_other_operations_do_not_matter() -> None:
    loss = Loss(name="loss", topics=ON, probability=0.5)
    alone = play([loss], numbers(200)).values
    assert play([loss], numbers(200)).values == alone
    assert play([loss], numbers(200), seed=8).values != alone
    assert play([Loss(name="other", topics=ON, probability=0.5)], numbers(200)).values != alone
    noisy = play([Noise(name="n", topics=ON, path="data", sigma=1e-9), loss], numbers(200)).values
    assert [round(value) for value in noisy] == [round(value) for value in alone]


# your own -----------------------------------------------------------------------------------------------------


@custom_operation("test echo")
def echo(message: Message, now: Circumstances) -> list[Message | Forward]:
    late_ns = round(now.arguments["after_s"] * 1e9)
    return [message, Forward(message, late_ns, in_order=False)]


@custom_operation("test odd only")
def odd_only(message: Message, now: Circumstances) -> Message | None:
    return message if message.data % 2 else None  # type: ignore[attr-defined]


@custom_operation("test broken")
def broken(message: Message, now: Circumstances) -> Message:
    raise ZeroDivisionError("oh")


@custom_operation("test other type")
def other_type(message: Message, now: Circumstances) -> Message:
    return StringMsg("no")


def test_custom_operations() -> None:
    assert play([Custom(name="c", topics=ON, function="test odd only")], numbers(6)).values == [1.0, 3.0, 5.0]
    played = play([Custom(name="c", topics=ON, function="test echo", arguments={"after_s": 0.5})], numbers(1))
    assert played.times == [0.0, 0.5]


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("test broken", "Custom operation 'test broken' crashed on '/a': ZeroDivisionError: oh"),
        ("test other type", "gave StringMsg after 0 ns, wanted Float64Msg after at least 0 ns."),
    ],
)
def test_custom_operations_that_misbehave_make_the_run_invalid(function: str, told: str) -> None:
    with pytest.raises(RigError) as caught:
        play([Custom(name="c", topics=ON, function=function)], numbers(1))
    assert told in str(caught.value)


def test_unknown_custom_operation() -> None:
    with pytest.raises(InputError, match=r"Unknown custom operation 'test ecko'.*Did you mean 'test echo'"):
        play([Custom(name="c", topics=ON, function="test ecko")], [])
    with pytest.raises(InputError, match="Two custom operations are called 'test echo'"):
        custom_operation("test echo")(odd_only)


# bounds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        (Loss(name="o", topics=ON, probability=1.5), "Operation 'o', probability: got 1.5, wanted from 0 to 1."),
        (Loss(name="o", topics=ON, probability=Range(0.9, 0.1)), "the bounds are crossed, got [0.9, 0.1]"),
        (Loss(name="o", topics=ON, probability=Range(0.1, 0.9)), "has ranges. Wanted values: specialise it first."),
        (Delay(name="o", topics=ON, delay_s=-1.0), "got -1, wanted at least 0."),
        (Offset(name="o", topics=ON, path="data", by=math.nan), "wanted finite numbers"),
        (RandomValue(name="o", topics=ON, fields=(FieldValues(path="data"),)), "wanted either 'range' or 'values'"),
        (Blackhole(name="o", topics=ON, when=window(5.0, 5.0)), "wanted 0 <= start_s < end_s"),
        (Blackhole(name="o", topics=("/a", "/a")), "names a target twice"),
    ],
)
def test_bounds_that_make_no_sense(operation: Operation, told: str) -> None:
    with pytest.raises(InputError) as caught:
        play([operation], [])
    assert told in str(caught.value)


def test_messages_are_untouched_data() -> None:
    message = Float64Msg(1.0)
    play([Offset(name="o", topics=ON, path="data", by=1.0)], [(0.0, "/a", message)])
    assert message.data == 1.0
