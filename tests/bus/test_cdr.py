"""CDR bytes and schema texts agree with ROS 2, as rosbags knows it."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from stressfield.bus import messages as std
from stressfield.bus.cdr import check_values, decode, encode
from stressfield.bus.message import PRIMITIVES, Message, definition, fields_of, message_types
from stressfield.errors import ModelError, TraceError

STANDARD = sorted(
    (cls for cls in message_types().values() if cls.__module__.startswith(f"{std.__name__}.")),
    key=lambda cls: cls.ros_type,
)
STORE = get_typestore(Stores.ROS2_JAZZY)
# Not among those of the store: as in github.com/ros-drivers/ackermann_msgs, branch ros2.
STORE.register(
    get_types_from_msg(
        "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\nfloat32 acceleration\nfloat32 jerk\n",
        "ackermann_msgs/msg/AckermannDrive",
    )
    | get_types_from_msg("std_msgs/Header header\nAckermannDrive drive\n", "ackermann_msgs/msg/AckermannDriveStamped")
)


def some(cls: type[Message], rng: random.Random) -> Any:
    """A message full of arbitrary values."""
    return cls(*(_value(field, rng) for field in fields_of(cls)))


def _value(field: Any, rng: random.Random) -> Any:
    if field.nested is not None:
        if field.size is None:
            return some(field.nested, rng)
        return tuple(some(field.nested, rng) for _ in range(field.size or rng.randrange(field.most or 4)))
    if field.base == "string":
        words = ["", "map", "é" * rng.randrange(1, 5), "x" * rng.randrange(9)]
        return (
            rng.choice(words)
            if field.size is None
            else tuple(rng.choices(words, k=field.size or rng.randrange(field.most or 4)))
        )
    if field.size is None:
        return _number(field.base, rng)
    values = [_number(field.base, rng) for _ in range(field.size or rng.randrange(field.most or 6))]
    return tuple(values) if field.size else np.array(values, dtype="<" + PRIMITIVES[field.base])


def _number(base: str, rng: random.Random) -> Any:
    if base == "bool":
        return rng.random() < 0.5
    if base.startswith("float"):
        return float(np.float32(rng.choice([0.0, -0.0, math.inf, rng.uniform(-1e3, 1e3)])))
    return rng.randrange(100)


def to_rosbags(message: Any) -> Any:
    cls = STORE.types[message.ros_type]
    return cls(*(_convert(field, getattr(message, field.name)) for field in fields_of(type(message))))


def _convert(field: Any, value: Any) -> Any:
    if field.nested is not None:
        return to_rosbags(value) if field.size is None else [to_rosbags(item) for item in value]
    if field.base == "string":
        return value if field.size is None else list(value)
    return value if field.size is None else np.array(value, dtype="<" + PRIMITIVES[field.base])


def assert_same(one: Any, other: Any) -> None:
    for field in fields_of(type(one)):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if field.nested is None:
            assert np.array_equal(a, b), field
            continue
        for x, y in [(a, b)] if field.size is None else zip(a, b, strict=True):
            assert_same(x, y)


def any_message(cls: type[Message]) -> st.SearchStrategy[Any]:
    """Messages of a class with any values that its fields can hold."""
    return st.builds(cls, *(_any_value(field) for field in fields_of(cls)))


def _any_value(field: Any) -> st.SearchStrategy[Any]:
    if field.nested is not None:
        nested = any_message(field.nested)
        return nested if field.size is None else st.lists(nested, max_size=2).map(tuple)
    if field.base == "string":
        text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
        return text if field.size is None else st.lists(text, max_size=3).map(tuple)
    number = _any_number(field.base)
    if field.size is None:
        return number
    if field.size:
        return st.lists(number, min_size=field.size, max_size=field.size).map(tuple)
    return st.lists(number, max_size=5).map(lambda values: np.array(values, dtype="<" + PRIMITIVES[field.base]))


def _any_number(base: str) -> st.SearchStrategy[Any]:
    if base == "bool":
        return st.booleans()
    if base.startswith("float"):
        return st.floats(width=32 if base == "float32" else 64)
    if base == "byte":  # unsigned in ROS 2; rosbags has it signed
        return st.integers(0, 127)
    limits = np.iinfo(PRIMITIVES[base])
    return st.integers(int(limits.min), int(limits.max))


@pytest.mark.parametrize("cls", STANDARD, ids=lambda cls: cls.__name__)
def test_bytes_are_those_of_rosbags_and_come_back(cls: type[Message]) -> None:
    @settings(deadline=None, max_examples=25, database=None, derandomize=True)
    @given(any_message(cls))
    def check(message: Any) -> None:
        data = encode(message)
        assert data == bytes(STORE.serialize_cdr(to_rosbags(message), cls.ros_type))
        assert encode(decode(cls, data)) == data

    check()


def test_messages_come_back_with_the_same_values() -> None:
    rng = random.Random(1)
    for cls in STANDARD:
        message = some(cls, rng)
        assert_same(message, decode(cls, encode(message)))


NOT_ZERO = {("geometry_msgs/msg/Quaternion", "w"): 1.0, ("sensor_msgs/msg/NavSatStatus", "status"): -2}
"""Defaults that the interface files of ROS 2 Jazzy give; all other fields are zero, false or empty."""


@pytest.mark.parametrize("cls", STANDARD, ids=lambda cls: cls.__name__)
def test_every_field_has_the_default_of_ros(cls: type[Message]) -> None:
    message = cls()
    check_values(message)
    for field in fields_of(cls):
        value = getattr(message, field.name)
        if field.nested is not None:
            assert encode(value) == encode(field.nested()) if field.size is None else value == ()
        elif field.size is None:
            assert value == NOT_ZERO.get((cls.ros_type, field.name), "" if field.base == "string" else 0)
        else:
            assert len(value) == field.size
            assert not np.any(value)


@pytest.mark.parametrize("cls", STANDARD, ids=lambda cls: cls.__name__)
def test_fields_have_the_names_the_order_and_the_types_of_ros(cls: type[Message]) -> None:
    parsed = get_types_from_msg(definition(cls), cls.ros_type)[cls.ros_type][1]
    assert parsed == STORE.fielddefs[cls.ros_type][1]


def test_definition_spells_out_dependencies_once() -> None:
    text = definition(std.Twist)
    assert text == "\n".join(
        [
            "geometry_msgs/Vector3 linear",
            "geometry_msgs/Vector3 angular",
            "=" * 80,
            "MSG: geometry_msgs/Vector3",
            "float64 x",
            "float64 y",
            "float64 z",
            "",
        ]
    )


@pytest.mark.parametrize("cls", STANDARD, ids=lambda cls: cls.__name__)
def test_damaged_bytes_give_a_trace_error_or_a_message(cls: type[Message]) -> None:
    rng = random.Random(cls.ros_type)
    data = encode(some(cls, rng))
    for cut in range(len(data)):
        with pytest.raises(TraceError):
            decode(cls, data[:cut])
    for _ in range(300):
        broken = bytearray(data)
        broken[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        try:
            decode(cls, bytes(broken))
        except TraceError:
            continue


def test_a_huge_length_allocates_nothing() -> None:
    data = bytearray(encode(std.PoseArray(std.Header(std.Time(0, 0), ""), ())))
    data[-4:] = b"\xff\xff\xff\xff"
    with pytest.raises(TraceError, match="4294967295 items with 0 bytes left"):
        decode(std.PoseArray, bytes(data))


def test_values_that_do_not_fit_are_named() -> None:
    with pytest.raises(TraceError, match="builtin_interfaces/msg/Time message cannot be encoded"):
        encode(std.Time(2**40, 0))
    with pytest.raises(TraceError, match=r"float64\[36\] covariance got an array of shape \(3,\)"):
        encode(std.PoseWithCovariance(std.Pose(std.Point(), std.Quaternion()), (0.0, 1.0, 2.0)))


class Untyped(Message, frozen=True, eq=False):
    ros_type = "test_msgs/msg/Untyped"
    number: int


def test_an_annotation_without_a_ros_type_is_refused() -> None:
    with pytest.raises(ModelError, match=r"Field Untyped\.number has no ROS type: got <class 'int'>"):
        definition(Untyped)
