"""What a rosbridge server takes and sends: JSON of ROS 1 and 2, CBOR, and numbers that are not finite."""

from __future__ import annotations

import json
from math import inf, isnan, nan

import cbor2
import numpy as np
import pytest
import roslibpy
from tests.bridge.stand_in import StandIn
from tests.bridge.stand_in_messages import Conversion, RefusedError, types

from stressfield.bridge._json_message import from_json
from stressfield.bridge.rosbridge._dialect import Dialect, _goes_as_cbor, parse_cbor, parse_frame, ros_of
from stressfield.bus import Message, encode, message_types
from stressfield.bus.message import fields_of
from stressfield.bus.messages import (
    DiagnosticStatus,
    Header,
    JointState,
    LaserScan,
    OccupancyGrid,
    Odometry,
    PointCloud2,
    PoseStamped,
    Time,
    Twist,
)
from stressfield.errors import MalformedError, RigError

SCAN = LaserScan(Header(Time(3, 500), "map"), ranges=np.array([1.5, inf, -inf, nan], np.float32))
FULL = Dialect(2, True, "Infinity", "NaN")


def made_of(message: Message, ros: int) -> dict[str, object]:
    """What the stand-in's conversion, which knows nothing of ours, makes of it."""
    dialect = Dialect(ros, True, "Infinity", "NaN")
    said = json.loads(dialect.publish("/x", message))
    assert (said["op"], said["topic"]) == ("publish", "/x")
    return Conversion(ros).instance(message.ros_type, said["msg"])


@pytest.mark.parametrize("ros", [1, 2])
@pytest.mark.parametrize("message", [SCAN, Odometry(Header(Time(9, 1), "odom")), PoseStamped(), Twist.drive(0.5, 0.1)])
def test_a_message_comes_back_as_it_was_in_json_and_in_cbor(message: Message, ros: int) -> None:
    conversion, made = Conversion(ros), made_of(message, ros)
    kind = type(message)
    if _goes_as_cbor(kind):
        frame = cbor2.dumps({"msg": conversion.cbor(message.ros_type, made)})
        assert encode(from_json(kind, parse_cbor(frame)["msg"])) == encode(message)
    if kind is not LaserScan:
        text = json.dumps({"msg": conversion.json(message.ros_type, made)})
        assert encode(from_json(kind, parse_frame(text, max_bytes=10**6)["msg"])) == encode(message)


def test_stamps_are_those_of_the_servers_ros() -> None:
    assert json.loads(Dialect(1).publish("/x", PoseStamped(Header(Time(3, 4)))))["msg"]["header"]["stamp"] == {
        "secs": 3,
        "nsecs": 4,
    }
    assert ros_of({"header": {"stamp": {"secs": 3, "nsecs": 4}}}) == 1
    assert ros_of({"header": {"stamp": {"sec": 3, "nanosec": 4}}}) == 2


def test_types_are_named_as_the_servers_ros_does() -> None:
    assert json.loads(Dialect(1).advertise("/x", "std_msgs/msg/String"))["type"] == "std_msgs/String"
    assert json.loads(Dialect(2).advertise("/x", "std_msgs/msg/String"))["type"] == "std_msgs/msg/String"


def test_a_number_that_the_server_cannot_be_told_is_refused_by_its_name() -> None:
    with pytest.raises(RigError, match=r"A message on /s has infinity in 'ranges\[1\]', which this rosbridge server"):
        Dialect(2, nan="NaN").publish("/s", SCAN)
    with pytest.raises(RigError, match=r"A message on /s has NaN in 'ranges\[3\]'"):
        Dialect(2, infinity="1e999").publish("/s", SCAN)
    assert b'"ranges":[1.5,1e999,-1e999,NaN]' in Dialect(2, True, "1e999", "NaN").publish("/s", SCAN)


@pytest.mark.parametrize("ros", [1, 2])
def test_what_is_asked_for_as_cbor_is_what_servers_can_say_as_cbor(ros: int) -> None:
    conversion, known = Conversion(ros), types(ros)
    asked = [kind for name, kind in message_types().items() if name in known and _goes_as_cbor(kind)]
    assert {LaserScan, PointCloud2, OccupancyGrid, Twist, PoseStamped} <= set(asked)
    for kind in asked:
        conversion.cbor(kind.ros_type, full(conversion, kind))
    for kind, of in ((Odometry, 2), (Odometry, 1), (JointState, 1), (DiagnosticStatus, 2)):
        assert not _goes_as_cbor(kind)
        with pytest.raises(RefusedError):
            Conversion(of).cbor(kind.ros_type, full(Conversion(of), kind))


def full(conversion: Conversion, kind: type[Message]) -> dict[str, object]:
    """An instance in which every list of texts and messages has an item."""
    made = conversion.zero(kind.ros_type)
    for field in fields_of(kind):
        if field.size == 0 and field.nested is not None and field.name in made:
            made[field.name] = [conversion.zero(field.nested.ros_type)]
        elif field.size == 0 and field.base == "string" and field.name in made:
            made[field.name] = ["text"]
    return made


@pytest.mark.parametrize(
    ("kind", "field", "value", "wanted"),
    [
        (LaserScan, "ranges", cbor2.CBORTag(85, np.array([1, inf], "<f4").tobytes()), [1.0, inf]),
        (LaserScan, "ranges", cbor2.CBORTag(82, np.array([1, -inf], ">f8").tobytes()), [1.0, -inf]),
        (OccupancyGrid, "data", cbor2.CBORTag(72, np.array([-1, 100], "i1").tobytes()), [-1, 100]),
        (PointCloud2, "data", b"\x00\xff", [0, 255]),
        (PointCloud2, "data", cbor2.CBORTag(64, b"\x00\xff"), [0, 255]),
    ],
)
def test_arrays_of_cbor_are_read(kind: type[Message], field: str, value: object, wanted: list[float]) -> None:
    frame = cbor2.dumps({field: value})
    assert getattr(from_json(kind, parse_cbor(frame)), field).tolist() == wanted


@pytest.mark.parametrize(
    ("kind", "field", "value", "told"),
    [
        (LaserScan, "ranges", cbor2.CBORTag(85, b"abc"), "wanted whole numbers of 4 bytes each"),
        (LaserScan, "ranges", cbor2.CBORTag(69, b"ab"), "wanted an array of float32"),
        (LaserScan, "ranges", cbor2.CBORTag(86, np.array([1e300], "<f8").tobytes()), "wanted an array of float32"),
        (LaserScan, "ranges", b"ab", "wanted a list"),
        (OccupancyGrid, "data", cbor2.CBORTag(69, np.array([300], "<u2").tobytes()), "wanted an array of int8"),
        (OccupancyGrid, "data", cbor2.CBORTag(999, b"ab"), "wanted a list"),
    ],
)
def test_what_is_no_such_array_is_refused(kind: type[Message], field: str, value: object, told: str) -> None:
    with pytest.raises(MalformedError, match=told):
        from_json(kind, parse_cbor(cbor2.dumps({field: value})))


@pytest.mark.parametrize("frame", [b"", b"\xff", b"\x81" * 5000, b"\x5b" + b"\xff" * 8])
def test_what_is_no_cbor_is_refused(frame: bytes) -> None:
    with pytest.raises(MalformedError, match="Not CBOR: "):
        parse_cbor(frame)


def test_nan_as_python_writes_it_is_read_and_other_nonsense_is_not() -> None:
    said = parse_frame('{"op": "publish", "msg": {"x": NaN, "y": -Infinity, "z": "NaN"}}', max_bytes=1000)
    assert isnan(said["msg"]["x"])
    assert said["msg"]["y"] == -inf
    assert said["msg"]["z"] == "NaN"
    with pytest.raises(MalformedError, match="Not JSON"):
        parse_frame('{"x": NaN', max_bytes=1000)


def test_a_client_of_somebody_else_takes_the_stand_in_for_a_rosbridge_server() -> None:
    with StandIn(ros=1) as graph:
        talker = graph.node("/talker", publishes={"/chatter": "std_msgs/msg/String"})
        talker.publish("/chatter", {"data": "latched"}, latch=True)
        ros = roslibpy.Ros("127.0.0.1", graph.port)
        ros.run(timeout=10)
        try:
            heard: list[str] = []
            topic = roslibpy.Topic(ros, "/chatter", "std_msgs/String")
            topic.subscribe(lambda message: heard.append(message["data"]))
            service = roslibpy.Service(ros, "/rosapi/topics", "rosapi/Topics")
            assert "/chatter" in service.call(roslibpy.ServiceRequest(), timeout=10)["topics"]
            echo = roslibpy.Topic(ros, "/echo", "std_msgs/String")
            echo.publish(roslibpy.Message({"data": "back"}))
            service.call(roslibpy.ServiceRequest(), timeout=10)
            assert [made["data"] for made in graph.received["/echo"]] == ["back"]
            assert heard == ["latched"]
        finally:
            ros.close()
