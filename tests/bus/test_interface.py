"""Types made from text agree with rosbags, which knows all of ROS 2, and with hashes seen on real graphs."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.typesys import Stores, get_typestore
from tests.bus.test_cdr import some

from stressfield.bus import messages as std
from stressfield.bus.cdr import decode, encode
from stressfield.bus.interface import NO_MEMBER, Interfaces, message_from_text
from stressfield.bus.message import PRIMITIVES, Message, definition, fields_of, find_type
from stressfield.bus.type_hash import type_hash
from stressfield.errors import InputError, TraceError
from stressfield.trace import read_trace

STORE = get_typestore(Stores.ROS2_JAZZY)
NAMES = sorted(name for name in STORE.fielddefs if "/msg/" in name)
NAVIGATE = """\
geometry_msgs/PoseStamped pose
string behavior_tree
---
uint16 NONE=0
uint16 error_code
string error_msg
---
geometry_msgs/PoseStamped current_pose
builtin_interfaces/Duration navigation_time
builtin_interfaces/Duration estimated_time_remaining
int16 number_of_recoveries
float32 distance_remaining
"""


def text_of(name: str) -> str:
    return STORE.generate_msgdef(name, ros_version=2)[0]


def peer(name: str, message: Any) -> Any:
    """The same message as rosbags has it."""
    values = {}
    for field in fields_of(type(message)):
        value = getattr(message, field.name)
        if field.nested is not None:
            inner = field.nested.ros_type
            value = peer(inner, value) if field.size is None else [peer(inner, item) for item in value]
        elif field.base == "string":
            value = value if field.size is None else list(value)
        elif field.size is not None:
            value = np.array(value, dtype=PRIMITIVES[field.base])
        values[field.name] = value
    return STORE.types[name](**values)


@pytest.mark.parametrize("name", NAMES)
def test_every_type_of_ros2_is_read_from_its_text_and_encoded_as_rosbags_does(name: str) -> None:
    if "wstring" in text_of(name):
        with pytest.raises(InputError, match="wstring"):
            message_from_text(name, text_of(name))
        return
    made = message_from_text(name, text_of(name))
    for seed in range(3):
        message = some(made, random.Random(seed))
        data = encode(message)
        assert data == bytes(STORE.serialize_cdr(peer(name, message), name))
        assert encode(decode(made, data)) == data
    made_again = message_from_text(name, definition(made))
    assert definition(made_again) == definition(made)
    if not _has_char(made):  # rosbags hashes a char as another type than ROS 2 does
        assert type_hash(made) == STORE.hash_rihs01(name)


def _has_char(made: type[Message]) -> bool:
    return any(f.base == "char" or (f.nested is not None and _has_char(f.nested)) for f in fields_of(made))


@pytest.mark.parametrize(
    ("name", "digits"),
    [
        ("geometry_msgs/msg/Twist", "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a"),
        ("geometry_msgs/msg/TwistStamped", "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"),
        ("rosgraph_msgs/msg/Clock", "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"),
        ("sensor_msgs/msg/LaserScan", "64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828"),
        ("nav_msgs/msg/Odometry", "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0"),
        ("tf2_msgs/msg/TFMessage", "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087"),
        ("nav_msgs/msg/OccupancyGrid", "8d348150c12913a31ee0ec170fbf25089e4745d17035792a1ba94d6f0bc0cfc7"),
    ],
)
def test_hashes_of_messages_are_those_of_real_graphs(name: str, digits: str) -> None:
    assert type_hash(message_from_text(name, text_of(name))) == f"RIHS01_{digits}"
    known = find_type(name)
    assert known is None or type_hash(known) == f"RIHS01_{digits}"


def test_hashes_of_services_and_actions_are_those_of_real_graphs() -> None:
    interfaces = Interfaces()
    interfaces.add_text("std_srvs/srv/Trigger", "---\nbool success # it worked\nstring message\n")
    interfaces.add_text("example_interfaces/srv/AddTwoInts", "int64 a\nint64 b\n---\nint64 sum\n")
    interfaces.add_text("builtin_interfaces/msg/Duration", "int32 sec\nuint32 nanosec\n")
    interfaces.add_text("nav2_msgs/action/NavigateToPose", NAVIGATE)
    trigger = interfaces.service("std_srvs/srv/Trigger")
    assert type_hash(trigger) == "RIHS01_eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f"
    assert [field.name for field in fields_of(trigger.request)] == [NO_MEMBER]
    add = interfaces.service("example_interfaces/srv/AddTwoInts")
    assert type_hash(add) == "RIHS01_e118de6bf5eeb66a2491b5bda11202e7b68f198d6f67922cf30364858239c81a"
    action = interfaces.action("nav2_msgs/action/NavigateToPose")
    assert action.result.NONE == 0  # type: ignore[attr-defined]
    found = [type_hash(part) for part in (action.send_goal, action.get_result, action.feedback_message)]
    assert found == [
        "RIHS01_a4fcb3bee1bf32e21a0e541a943b221aa0826996e2c98f079b47022b256f48b5",
        "RIHS01_c407920357d566771e8882b4ef4d1f1a84ee922d609920ccd57faa6d6e391dc5",
        "RIHS01_9d1f6fa2eb975ce733b419ac2e97b134d8ff92b6478b6559feed9a50bdfd82b3",
    ]


def test_what_interface_files_may_say() -> None:
    text = """\
# a comment
uint8 RED=1   # a constant
string WORD=a # b
string name "plain # text"
float32 ratio 1
bool on true
int32[] counts [1, 2]
float64[<=3] few
string<=5 short abc
Part[2] parts
string[2] words
================================================================================
MSG: my_msgs/Part
byte value
"""
    made: Any = message_from_text("my_msgs/msg/Gauge", text)
    gauge = made()
    assert (made.RED, made.WORD, gauge.name, gauge.ratio, gauge.on, gauge.short) == (
        1, "a # b", "plain # text", 1.0, True, "abc",
    )  # fmt: skip
    assert gauge.counts.tolist() == [1, 2]
    assert len(gauge.parts) == 2
    assert gauge.words == ("", "")
    assert decode(made, encode(gauge)).parts[1].value == 0
    assert "float64[<=3] few" in definition(made)
    assert "string<=5 short" in definition(made)
    for wrong in ({"few": np.zeros(4)}, {"short": "abcdef"}, {"words": ("a",)}, {"parts": ()}):
        with pytest.raises(TraceError, match="cannot be encoded"):
            encode(made(**wrong))


def test_own_class_is_taken_where_it_says_the_same() -> None:
    assert message_from_text("geometry_msgs/msg/Twist", definition(std.Twist)) is std.Twist
    other = message_from_text("geometry_msgs/msg/Twist", "float64 speed\n")
    assert other is not std.Twist
    assert find_type("geometry_msgs/msg/Twist") is std.Twist


def test_folders_of_packages(tmp_path: Path) -> None:
    (tmp_path / "my_msgs" / "msg").mkdir(parents=True)
    (tmp_path / "my_msgs" / "srv").mkdir()
    (tmp_path / "my_msgs" / "msg" / "Gauge.msg").write_text("std_msgs/Header header\nfloat32 level\n")
    (tmp_path / "my_msgs" / "srv" / "Read.srv").write_text("---\nGauge gauge\n")
    interfaces = Interfaces()
    assert interfaces.add_folder(tmp_path) == 2
    gauge = interfaces.message("my_msgs/Gauge")
    assert fields_of(interfaces.service("my_msgs/srv/Read").response)[0].nested is gauge


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("my_msgs/msg/A", "float64\n", r"has a line that is none: 'float64'"),
        ("my_msgs/msg/A", "float64 x ]\n", r"has a line that is none: 'float64 x \]'"),
        ("my_msgs/msg/A", "float64 x\nfloat32 x\n", r"has two fields called 'x'"),
        ("my_msgs/msg/A", "B b\n", r"Unknown type 'my_msgs/msg/B' \(a part of my_msgs/msg/A\)"),
        ("my_msgs/msg/A", "A a\n", r"contains itself: my_msgs/msg/A > my_msgs/msg/A"),
        ("my_msgs/msg/A", "B b\n====================\nfloat64 x\n", r"has a part without a name"),
        ("nonsense", "float64 x\n", r"'nonsense' is not the name of a type"),
        ("my_msgs/msg/A", "wstring w\n", r"my_msgs/msg/A.w is a wstring"),
    ],
)
def test_bad_definitions_are_explained(name: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        message_from_text(name, text)


def test_two_definitions_of_one_type_are_refused() -> None:
    interfaces = Interfaces()
    interfaces.add_text("my_msgs/msg/A", "float64 x # here\n")
    interfaces.add_text("my_msgs/msg/A", "float64  x\n")
    with pytest.raises(InputError, match="two different definitions of my_msgs/msg/A"):
        interfaces.add_text("my_msgs/msg/A", "float32 x\n")
    interfaces.add_text("my_msgs/srv/S", "float64 x\n")
    with pytest.raises(InputError, match="has 1 parts; wanted 2"):
        interfaces.service("my_msgs/srv/S")


def test_a_recording_of_a_study_is_read_where_the_study_is_not(tmp_path: Path) -> None:
    write = (
        "import sys, numpy as np, pathlib; from typing import ClassVar\n"
        "from stressfield.bus.message import Message, Float64\n"
        "from stressfield.trace import Recorder, Metadata, write_trace\n"
        "class Gauge(Message, frozen=True, eq=False):\n"
        "    ros_type: ClassVar[str] = 'far_msgs/msg/Gauge'\n"
        "    level: Float64 = 0.0\n"
        "recorder = Recorder(())\n"
        "recorder.record('/gauge', 1, 1, Gauge(0.25))\n"
        "write_trace(recorder.finish(Metadata()), pathlib.Path(sys.argv[1]))\n"
    )
    path = tmp_path / "run.mcap"
    subprocess.run([sys.executable, "-c", write, str(path)], check=True)
    assert find_type("far_msgs/msg/Gauge") is None
    topic = read_trace(path).topic("/gauge")
    assert topic.messages[0].level == 0.25  # type: ignore[attr-defined]
    assert topic.column("level").tolist() == [0.25]
