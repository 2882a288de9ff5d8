"""Messages as the JSON of rosbridge, and back."""

from __future__ import annotations

import json
from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield._files.json_text import parse_json
from stressfield.bridge._json_message import from_json, to_json
from stressfield.bridge.hub import Clock
from stressfield.bus import Message, cdr, find_type
from stressfield.bus.messages import (
    DiagnosticStatus,
    Float64Msg,
    Header,
    JointState,
    KeyValue,
    LaserScan,
    NavSatFix,
    Odometry,
    PointCloud2,
    PoseStamped,
    Time,
    Twist,
)
from stressfield.errors import MalformedError

HEADER = Header(Time(3, 500), "map")
ZERO = {kind: from_json(kind, {}) for kind in (LaserScan, Odometry, PointCloud2, PoseStamped)}
SCAN = LaserScan(HEADER, -1.0, 1.0, 0.5, 0.0, 0.1, 0.05, 8.0, np.array([1.5, 2.0], np.float32), np.empty(0, np.float32))
MESSAGES: list[Message] = [
    Twist.drive(0.5, -1.0),
    Clock(Time(7, 8)),
    SCAN,
    DiagnosticStatus(2, "mission", "gave up", "r", (KeyValue("a", "b"),)),
    JointState(HEADER, ("l", "r"), np.zeros(0), np.array([1.0, 2.0]), np.zeros(0)),
    *ZERO.values(),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_a_message_comes_back_from_json_as_it_went(message: Message) -> None:
    back = from_json(type(message), parse_json(to_json(message)))
    assert cdr.encode(back) == cdr.encode(message)


def test_the_words_are_those_of_rosbridge() -> None:
    assert json.loads(to_json(SCAN))["header"] == {"stamp": {"sec": 3, "nanosec": 500}, "frame_id": "map"}
    assert json.loads(to_json({"op": "publish", "msg": Float64Msg(2.0)})) == {"op": "publish", "msg": {"data": 2.0}}


def test_what_is_not_a_number_is_null_and_null_is_not_a_number() -> None:
    assert to_json(Float64Msg(nan)) == to_json(Float64Msg(inf)) == b'{"data":null}'
    assert isnan(from_json(Float64Msg, {"data": None}).data)
    assert isnan(from_json(LaserScan, {"ranges": [1.0, None]}).ranges[1])


def test_a_missing_field_has_the_default_of_ros() -> None:
    assert from_json(PoseStamped, {}).pose.orientation.w == 1.0
    assert from_json(NavSatFix, {"latitude": 47.0}).status.status == -2


def test_a_missing_field_is_zero_as_in_ros() -> None:
    twist = from_json(Twist, {"linear": {"x": 1}})
    assert (twist.linear.x, twist.linear.y, twist.angular.z) == (1.0, 0.0, 0.0)
    assert from_json(Odometry, {}).pose.covariance == (0.0,) * 36


def test_stamps_of_ros_1_are_understood() -> None:
    header = from_json(Header, {"seq": None, "stamp": {"secs": 4, "nsecs": 5.0}, "frame_id": "map"})
    assert header.stamp.ns == 4_000_000_005


def test_bytes_are_base64_or_a_list() -> None:
    cloud = from_json(PointCloud2, {"data": "AAEC"})
    assert cloud.data.tolist() == from_json(PointCloud2, {"data": [0, 1, 2]}).data.tolist() == [0, 1, 2]
    assert json.loads(to_json(cloud))["data"] == "AAEC"


WRONG = [
    (Twist, [], "The message is []; wanted an object (geometry_msgs/msg/Twist)."),
    (Twist, {"linear": {"x": "1"}}, "linear.x is '1'; wanted a number (float64)."),
    (Twist, {"linear": {"x": True}}, "linear.x is True; wanted a number (float64)."),
    (Twist, {"linear": {"X": 1.0}}, "geometry_msgs/msg/Vector3 has no field 'linear.X'. It has: x, y, z."),
    (Twist, {"linear": {"x": 10**400}}, "linear.x is 1000"),
    (Time, {"sec": 2**31}, "sec is 2147483648; wanted a whole number from -2147483648 to 2147483647 (int32)."),
    (Time, {"sec": 1.5}, "sec is 1.5; wanted a whole number"),
    (LaserScan, {"angle_min": 1e39}, "angle_min is 1e+39; wanted a number (float32)."),
    (LaserScan, {"ranges": [1.0, "x"]}, "ranges.1 is 'x'; wanted a number (float32)."),
    (LaserScan, {"ranges": 3}, "ranges is 3; wanted a list."),
    (Header, {"frame_id": 3}, "frame_id is 3; wanted a text."),
    (PointCloud2, {"data": "?"}, "data is '?'; wanted base64."),
    (PointCloud2, {"is_dense": 1}, "is_dense is 1; wanted true or false."),
    (JointState, {"name": "left"}, "name is 'left'; wanted a list."),
    (Odometry, {"pose": {"covariance": [1.0]}}, "pose.covariance is [1.0]; wanted 36 numbers."),
]


@pytest.mark.parametrize(("kind", "value", "told"), WRONG)
def test_what_does_not_fit_is_named_with_its_field(kind: type[Message], value: object, told: str) -> None:
    with pytest.raises(MalformedError) as caught:
        from_json(kind, value)
    assert str(caught.value).startswith(told)


def test_types_are_found_with_and_without_msg() -> None:
    assert find_type("geometry_msgs/Twist") is find_type("geometry_msgs/msg/Twist") is Twist
    assert find_type("visualization_msgs/Marker") is find_type(3) is find_type("Twist") is None


@pytest.mark.parametrize(
    ("text", "told", "position"),
    [
        ('{"op": }', "Not JSON: ", 7),
        ("[" * 50 + "]" * 50, "JSON is nested deeper than 32 levels.", 32),
        ("1e999", "Not JSON: Number out of range", None),
        ("9" * 5000, "Not JSON: Integer value out of range", None),
        ('"\\ud800"', "Not JSON: ", None),
        (b'"\xff"', "Not JSON: ", None),
        ("\ud800", "A text is not Unicode", 0),
        ("[" + " " * 9_000_000, "A message has 9000001 bytes; wanted at most 8388608.", None),
    ],
)
def test_bad_json_is_one_error_with_its_place(text: str | bytes, told: str, position: int | None) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_json(text)
    assert str(caught.value).startswith(told)
    assert caught.value.position == position


def test_brackets_in_texts_are_not_depth() -> None:
    assert parse_json(json.dumps(["[" * 100, '"[' * 100])) == ["[" * 100, '"[' * 100]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["x", "linear", "header", "ranges", "stamp", "sec", "data"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(JSON, st.sampled_from([Twist, LaserScan, PointCloud2, Clock, DiagnosticStatus]))
def test_any_json_is_a_message_that_can_be_written_or_malformed(value: object, kind: type[Message]) -> None:
    try:
        message = from_json(kind, value)
    except MalformedError:
        return
    cdr.encode(message)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet='[]{}":,\\0e-. au', max_size=60))
def test_any_text_is_json_or_malformed(text: bytes | str) -> None:
    try:
        parse_json(text)
    except MalformedError:
        return
