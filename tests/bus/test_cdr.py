"""CDR bytes and schema texts agree with ROS 2, as rosbags knows it."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from stressfield.bus import messages as std
from stressfield.bus.cdr import decode, encode
from stressfield.bus.message import PRIMITIVES, Message, definition, fields_of, message_types
from stressfield.errors import ModelError, TraceError

STANDARD = sorted(
    (cls for cls in message_types().values() if cls.__module__ == std.__name__),
    key=lambda cls: cls.ros_type,
)
STORE = get_typestore(Stores.ROS2_HUMBLE)


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


@pytest.mark.parametrize("cls", STANDARD, ids=lambda cls: cls.__name__)
def test_bytes_are_those_of_rosbags_and_come_back(cls: type[Message]) -> None:
    rng = random.Random(cls.ros_type)
    for _ in range(40):
        message = some(cls, rng)
        data = encode(message)
        assert data == bytes(STORE.serialize_cdr(to_rosbags(message), cls.ros_type))
        assert_same(message, decode(cls, data))


@pytest.mark.parametrize("cls", STANDARD, ids=lambda cls: cls.__name__)
def test_schema_text_means_the_same_type_as_in_ros(cls: type[Message]) -> None:
    parsed = get_types_from_msg(definition(cls), cls.ros_type)
    for name, (_, fields) in parsed.items():
        assert fields == STORE.fielddefs[name][1] or _without_defaults(fields) == _without_defaults(
            STORE.fielddefs[name][1]
        )


def _without_defaults(fields: Any) -> list[str]:
    return [str(field[:2]) for field in fields]


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
