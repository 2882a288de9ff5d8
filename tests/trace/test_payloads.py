"""Many messages encoded at once are the messages encoded one by one, whatever their values are."""

from __future__ import annotations

import gc
import math
import os
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.bus.cdr import encode
from stressfield.bus.message import PRIMITIVES, Field, Message, fields_of, message_types
from stressfield.bus.messages import (
    BoolMsg,
    Header,
    JointState,
    LaserScan,
    Odometry,
    Path,
    Point,
    Pose,
    PoseArray,
    PoseStamped,
    PoseWithCovariance,
    Quaternion,
    Time,
    Twist,
    TwistWithCovariance,
    Vector3,
)
from stressfield.errors import TraceError
from stressfield.trace._payloads import encode_all
from stressfield.trace._tapes import PlainTape, compiled, contents_of, new_tape, program_of

MAKERS = [PlainTape, *([] if compiled is None else [compiled.Tape])]

pytestmark = pytest.mark.skipif(
    compiled is None and os.environ.get("CI") != "true", reason="the tape is not compiled: there is no C compiler"
)


def test_the_compiled_tape_is_used() -> None:
    assert isinstance(new_tape(encode), compiled.Tape)


# Other tests have types of their own, some of which no message can be made of.
TYPES = [kind for _, kind in sorted(message_types().items()) if kind.__module__.startswith("stressfield.")]


def one_by_one(messages: list[Any]) -> list[bytes]:
    return [encode(message) for message in messages]


class _DoubtError(Exception):
    """The compiled tape asks for the plain way."""


def _doubt(message: Message) -> bytes:
    raise _DoubtError(message)


def at_once(messages: list[Any]) -> list[bytes] | None:
    """By the compiled tape alone: None where it was in doubt."""
    tape = compiled.Tape(_doubt)
    tape.begin(program_of(type(messages[0])), None)
    try:
        for message in messages:
            tape((0, 0, message))
    except _DoubtError:
        return None
    found = contents_of(tape)
    ends = np.cumsum(found.lengths).tolist()
    return [bytes(found.data[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


# --- any values of any type ---------------------------------------------------------------------------------------


def numbers(code: str) -> st.SearchStrategy[Any]:
    if code == "?":
        return st.booleans()
    if code in "fd":
        return st.floats(width=32 if code == "f" else 64)
    bounds = np.iinfo(np.dtype(code))
    return st.integers(int(bounds.min), int(bounds.max))


def values(field: Field) -> st.SearchStrategy[Any]:
    if field.nested is not None:
        single = messages_of(field.nested)
    elif field.base == "string":
        single = st.text(st.characters(codec="utf-8"), max_size=40 if field.longest is None else field.longest // 4)
    else:
        single = numbers(PRIMITIVES[field.base])
    if field.size is None:
        return single
    least, most = (field.size, field.size) if field.size else (0, min(20, field.most or 20))
    many = st.lists(single, min_size=least, max_size=most)
    if field.size or field.nested is not None or field.base == "string":
        return many.map(tuple)
    return many.map(lambda items: np.array(items, PRIMITIVES[field.base]))


def messages_of(kind: type[Message]) -> st.SearchStrategy[Any]:
    return st.tuples(*map(values, fields_of(kind))).map(lambda found: kind(*found))


@given(st.data())
@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.ros_type)
def test_any_messages_of_any_type(kind: type[Message], data: st.DataObject) -> None:
    messages = data.draw(st.lists(messages_of(kind), min_size=1, max_size=4))
    assert at_once(messages) == one_by_one(messages)


@pytest.mark.parametrize("count", [1, 15, 16, 70_000])
def test_as_many_as_there_may_be(count: int) -> None:
    for message in (BoolMsg(True), Vector3(0.5)):
        assert at_once([message] * count) == [encode(message)] * count


# --- what is not just what its type says --------------------------------------------------------------------------


@pytest.mark.parametrize("odd", [1, -1, 200, 70_000, 1 << 40, -(1 << 40), (1 << 53) + 1, 1 << 70, np.float64(0.1)])
def test_whole_numbers_and_those_of_numpy_where_floats_should_be(odd: float) -> None:
    messages = [PoseStamped(Header(Time(i, 2), "map"), Pose(Point(odd, 2.0, i), Quaternion())) for i in range(9)]
    assert at_once(messages) == one_by_one(messages)


@pytest.mark.parametrize("odd", [True, np.float32(0.1), np.int64(3)])
def test_what_only_the_plain_way_takes(odd: float) -> None:
    messages = [Vector3(0.0, 1.0, 2.0), Vector3(0.0, odd, 2.0)]
    assert at_once(messages) is None
    assert encode_all(Vector3, messages).items() == one_by_one(messages)


@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        (Time, Time(0, -1)),
        (Time, Time(1 << 31, 0)),
        (Time, Time(0.5, 0)),  # type: ignore[arg-type]
        (Time, Time(None, 0)),  # type: ignore[arg-type]
        (Time, Time("1", 0)),  # type: ignore[arg-type]
        (Header, Header({"sec": 1}, "")),  # type: ignore[arg-type]
        (Header, Header(Time(), b"map")),  # type: ignore[arg-type]
        (Header, Header(Time(), "\ud800")),
        (LaserScan, LaserScan(angle_min=1e39)),
        (PoseWithCovariance, PoseWithCovariance(Pose(), (1.0,))),
        (PoseWithCovariance, PoseWithCovariance(Pose(), (1.0,) * 37)),
        (PoseWithCovariance, PoseWithCovariance(Pose(), ("1.0x",) * 36)),  # type: ignore[arg-type]
        (PoseArray, PoseArray(Header(), (Time(),))),  # type: ignore[arg-type]
    ],
)
def test_what_does_not_fit_is_refused_as_one_by_one(kind: type[Message], bad: Message) -> None:
    messages = [kind(), kind(), bad, kind()]
    assert at_once(messages) is None
    with pytest.raises(TraceError) as plain:
        encode(bad)
    with pytest.raises(TraceError) as told:
        encode_all(kind, messages)
    assert str(told.value) == str(plain.value)


@pytest.mark.parametrize(
    "odd",
    [
        [0.5, 1.5],
        (1, 2),
        (),
        np.arange(6.0)[::2],
        np.array([1.0, 2.0], ">f8"),
        np.array([1.0, 2.0], "<f4"),
        np.array([1, 2]),
        tuple(range(300)),
    ],
    ids=str,
)
def test_sequences_that_are_lists_or_arrays_of_another_kind(odd: Any) -> None:
    messages = [JointState(Header(), ("w",), odd, np.arange(3.0), odd) for _ in range(3)]
    assert encode_all(JointState, messages).items() == one_by_one(messages)


def test_an_array_of_two_dimensions_is_none() -> None:
    with pytest.raises(TraceError, match="shape"):
        encode_all(JointState, [JointState(position=np.zeros((2, 2)))])


def test_numbers_in_tuples() -> None:
    messages = [JointState(Header(), (), tuple(range(100)), (), ()) for _ in range(50)]  # type: ignore[arg-type]
    assert at_once(messages) == one_by_one(messages)


def test_a_float_that_is_too_large_for_32_bits_though_not_by_much() -> None:
    for value in (3.4028235e38, 3.4028235677973366e38, math.inf, -math.inf, math.nan):
        messages = [LaserScan(angle_min=value)]
        try:
            wanted = one_by_one(messages)
        except TraceError:
            assert at_once(messages) is None
        else:
            assert at_once(messages) == wanted


# --- what stays the same from message to message ------------------------------------------------------------------


def odometry(place: int, covariance: Any, twist_covariance: tuple[float, ...]) -> Odometry:
    pose = PoseWithCovariance(Pose(Point(place / 3.0), Quaternion()), covariance)
    twist = TwistWithCovariance(Twist(Vector3(-place / 7.0), Vector3()), twist_covariance)
    return Odometry(Header(Time(place, 2), "odom"), "base_link", pose, twist)


def test_covariances_that_stay_and_that_change() -> None:
    first, later = (0.5,) * 36, tuple(float(i) for i in range(36))
    messages = [odometry(i, first if i % 7 < 4 else later, (float(i),) * 36) for i in range(1500)]
    assert at_once(messages) == one_by_one(messages)


def test_covariances_that_are_arrays_or_whole_numbers() -> None:
    mixed = [(0.5,) * 36, (1,) * 36, np.arange(36.0)]
    messages = [odometry(i, mixed[i % 3], (0.0,) * 36) for i in range(12)]
    assert encode_all(Odometry, messages).items() == one_by_one(messages)


@pytest.mark.parametrize("counts", [[2] * 9, [0] * 9, [i % 4 for i in range(60)], [20, 0, 70_000]])
def test_messages_within_messages(counts: list[int]) -> None:
    pose = Pose(Point(0.1, -2.0, 1e300), Quaternion(0.0, -0.0, np.nan, 1.0 / 7.0))
    messages = [PoseArray(Header(Time(i, 1), "map"), (pose,) * count) for i, count in enumerate(counts)]
    assert at_once(messages) == one_by_one(messages)


def test_messages_within_messages_within_messages() -> None:
    messages = [Path(Header(), tuple(PoseStamped(Header(Time(i, 0), "m" * i)) for i in range(n))) for n in range(9)]
    assert at_once(messages) == one_by_one(messages)


# --- the tape itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS)
def test_what_a_tape_gives(make: Any) -> None:
    odd = list[Message]()

    def otherwise(message: Message) -> bytes:
        odd.append(message)
        return encode(message)

    tape, said = make(otherwise), list[LaserScan]()
    first = LaserScan(angle_min=0.1)
    tape((1, 2, first))  # nothing is known of its type yet
    tape.begin(program_of(LaserScan), said)
    rest = [LaserScan(angle_min=0.1 * i, ranges=np.arange(i, dtype=np.float32)) for i in range(200)]
    rest.append(LaserScan(angle_min=np.float32(0.25)))  # type: ignore[arg-type]
    for place, message in enumerate(rest):
        tape((place, place + (1 << 40), message))
    assert said == rest
    assert odd[:1] == [first]
    assert odd[-1:] == rest[-1:]
    assert len(tape) == 202
    found = contents_of(tape)
    assert found.sent_ns.tolist() == [1, *range(201)]
    assert found.arrived_ns.tolist() == [2, *range(1 << 40, (1 << 40) + 201)]
    ends = np.cumsum(found.lengths)
    assert [bytes(part) for part in np.split(found.data, ends[:-1])] == one_by_one([first, *rest])
    assert len(tape) == 0
    assert not len(contents_of(tape).data)
    tape((3, 4, first))  # it has forgotten the type, and the list
    assert odd[-1] is first
    assert len(said) == 201


@pytest.mark.parametrize("make", MAKERS)
def test_a_message_that_is_refused_leaves_nothing(make: Any) -> None:
    tape, said = make(encode), list[Time]()
    tape.begin(program_of(Time), said)
    tape((1, 1, Time(1, 2)))
    with pytest.raises(TraceError):
        tape((2, 2, Time(1, -2)))
    tape((3, 3, Time(3, 4)))
    found = contents_of(tape)
    assert found.data.tobytes() == encode(Time(1, 2)) + encode(Time(3, 4))
    assert found.sent_ns.tolist() == [1, 3]
    assert [time.sec for time in said] == [1, 3]


def test_a_message_of_another_class_is_no_message_of_the_type() -> None:
    class Turned(Message, frozen=True, eq=False):
        z: float = 3.0
        y: float = 2.0
        x: float = 1.0

    tape = compiled.Tape(lambda _: b"asked")
    tape.begin(program_of(Twist), None)
    tape((0, 0, Twist(Turned(), Vector3())))  # type: ignore[arg-type]
    tape((0, 0, Vector3()))
    tape((0, 0, None))  # type: ignore[arg-type]
    assert contents_of(tape).data.tobytes() == b"asked" * 3


def test_the_compiled_tape_refuses_what_it_cannot_use() -> None:
    for row in [(1, 2), [1, 2, Time()], (1, 2, Time(), 4), ("1", 2, Time()), (1, 1 << 63, Time())]:
        with pytest.raises((TypeError, OverflowError)):
            compiled.Tape(encode)(row)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        compiled.Tape(encode)()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="bytes"):
        compiled.Tape(lambda _: "text")((1, 2, Time()))  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError):
        compiled.Tape(encode).begin("Time", None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="list"):
        compiled.Tape(encode).begin(program_of(Time), ())  # type: ignore[arg-type]
    deep: tuple[Any, ...] = ("number", "d")
    for _ in range(40):
        deep = ("items", deep, 0, -1)
    wrong = [
        (),
        ("number", "x"),
        ("text",),
        ("words",),
        ("struct", Time, (("hours", ("number", "i")),)),
        deep,
        ("numbers", "d"),
    ]
    for description in [*wrong, ("struct", int, (("real", ("number", "d")),)), ("struct", Time, (1,)), (7,)]:
        with pytest.raises((TypeError, ValueError, AttributeError)):
            compiled.Program(description)


def test_who_encodes_a_message_may_use_the_tape() -> None:
    def otherwise(message: Message) -> bytes:
        if message.sec:  # type: ignore[attr-defined]
            return bytes(contents_of(tape).data) + b"after"
        tape((0, 0, Time(0, 7)) if message.nanosec else (5, 5, Time(1)))  # type: ignore[attr-defined]
        return b"last"

    tape = compiled.Tape(otherwise)
    tape((6, 6, Time(0, 0)))
    found = contents_of(tape)
    assert (found.sent_ns.tolist(), found.lengths.tolist()) == ([5, 6], [5, 4])
    assert found.data.tobytes() == b"afterlast"


def test_nothing_is_kept_of_a_message_but_where_it_is_asked_for() -> None:
    covariance = tuple(float(i) for i in range(36))
    message = odometry(1, covariance, covariance)
    tape = compiled.Tape(encode)
    tape.begin(program_of(Odometry), None)
    tape((0, 0, message))
    parts = (message, message.header, message.pose.pose.position, message.child_frame_id, covariance)
    before = list(map(sys.getrefcount, parts))
    for _ in range(1000):
        tape((0, 0, message))
    assert list(map(sys.getrefcount, parts)) == before
    joints = JointState(Header(), ("a", "b"), np.arange(2.0), np.arange(2), [0.5])  # type: ignore[arg-type]
    tape.begin(program_of(JointState), None)
    before = [sys.getrefcount(part) for part in (joints, joints.position, joints.velocity, joints.name)]
    for _ in range(1000):
        tape((0, 0, joints))
    assert [sys.getrefcount(part) for part in (joints, joints.position, joints.velocity, joints.name)] == before


def test_a_tape_that_is_held_by_what_it_asks_is_freed() -> None:
    class Holder:
        def __init__(self) -> None:
            self.tape = compiled.Tape(self.encode)

        def encode(self, message: Message) -> bytes:
            return encode(message)

    holder = Holder()
    holder.tape((0, 0, Time()))
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None
