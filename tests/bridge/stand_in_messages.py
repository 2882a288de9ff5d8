"""Messages as the stand-in for a rosbridge server has them: types of the package ``rosbags``, plain objects, and the
conversions from and to JSON and CBOR as the sources of rosbridge_suite say that theirs are."""

from __future__ import annotations

import math
import struct
import time
from base64 import b64decode, b64encode
from functools import cache
from typing import Any

import cbor2
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

EXTRA = {
    "tf2_msgs/msg/TFMessage": "geometry_msgs/TransformStamped[] transforms",
    "move_base_msgs/msg/MoveBaseGoal": "geometry_msgs/PoseStamped target_pose",
    "move_base_msgs/msg/MoveBaseActionGoal": "std_msgs/Header header\nactionlib_msgs/GoalID goal_id\nMoveBaseGoal goal",
    "move_base_msgs/msg/MoveBaseResult": "",
    "move_base_msgs/msg/MoveBaseActionResult": (
        "std_msgs/Header header\nactionlib_msgs/GoalStatus status\nMoveBaseResult result"
    ),
}
TAGS = {
    "uint16": (69, "H"), "uint32": (70, "I"), "uint64": (71, "Q"), "byte": (72, "b"), "int8": (72, "b"),
    "int16": (77, "h"), "int32": (78, "i"), "int64": (79, "q"), "float32": (85, "f"), "float64": (86, "d"),
}  # fmt: skip


class RefusedError(Exception):
    """What the real server's conversion raises, and logs."""


@cache
def types(ros: int) -> dict[str, Any]:
    store = get_typestore(Stores.ROS1_NOETIC if ros == 1 else Stores.ROS2_JAZZY)
    for name, text in EXTRA.items():
        if name not in store.fielddefs:
            store.register(get_types_from_msg(text, name))
    return store.fielddefs


def full(name: str) -> str:
    package, _, short = name.partition("/")
    return f"{package}/msg/{short.removeprefix('msg/')}"


class Conversion:
    """Between JSON or CBOR and instances, which are plain objects with all fields here."""

    def __init__(self, ros: int) -> None:
        self.ros = ros

    def zero(self, name: str) -> dict[str, Any]:
        return {field: self._zero(kind) for field, kind in types(self.ros)[name][1]}

    def _zero(self, kind: Any) -> Any:
        node, inner = kind
        if node is Nodetype.NAME:
            return self.zero(inner)
        if node is Nodetype.BASE:
            return {"string": "", "bool": False}.get(inner[0], 0.0 if inner[0].startswith("float") else 0)
        return [] if node is Nodetype.SEQUENCE else [self._zero(inner[0])] * inner[1]

    def instance(self, name: str, said: Any) -> dict[str, Any]:
        if not isinstance(said, dict):
            raise RefusedError(f"Expected a JSON object for type {name} but received a {type(said)}")
        made = self.zero(name)
        if name == "std_msgs/msg/Header":
            made["stamp"] = stamp_of(time.time_ns())
        fields = dict(types(self.ros)[name][1])
        for field, value in said.items():
            if field not in fields:
                raise RefusedError(f"Message type {name} does not have a field {field}")
            made[field] = self._value(fields[field], value, made[field], f"{name}.{field}")
        return made

    def _value(self, kind: Any, said: Any, zero: Any, path: str) -> Any:
        node, inner = kind
        if node is Nodetype.NAME and inner in {"builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration"}:
            return self._time(said, zero)
        if node is Nodetype.NAME:
            return self.instance(inner, said)
        if node is Nodetype.BASE:
            return self._single(inner[0], said, path)
        item = inner[0]
        if item[0] is Nodetype.BASE and item[1][0] in {"uint8", "char"}:
            return list(b64decode(said)) if isinstance(said, str) else list(said)
        if not isinstance(said, list):
            raise RefusedError(f"{path} requires a list")
        return [self._value(item, one, self._zero(item), path) for one in said]

    def _time(self, said: Any, zero: dict[str, int]) -> dict[str, int]:
        made = dict(zero)
        words = (("secs",), ("nsecs",)) if self.ros == 1 else (("sec", "secs"), ("nanosec", "nsecs"))
        for name, known in zip(("sec", "nanosec"), words, strict=True):
            made[name] = next((said[word] for word in known if word in said), made[name])
        return made

    def _single(self, base: str, said: Any, path: str) -> Any:
        if base.startswith("float") and isinstance(said, int) and not isinstance(said, bool):
            return float(said)
        wanted = {"string": str, "bool": bool}.get(base, float if base.startswith("float") else int)
        if type(said) is not wanted:
            raise RefusedError(f"message requires a {base} for field {path}, but got a {type(said)}")
        return said

    def json(self, name: str, made: dict[str, Any]) -> dict[str, Any]:
        return {field: self._json(kind, made[field]) for field, kind in types(self.ros)[name][1]}

    def _json(self, kind: Any, value: Any) -> Any:
        node, inner = kind
        if node is Nodetype.NAME:
            return self._clock(value) if inner.endswith("/Time") else self.json(inner, value)
        if node is Nodetype.BASE:
            odd = inner[0].startswith("float") and not math.isfinite(value)
            return None if odd else value
        if inner[0][0] is Nodetype.BASE and inner[0][1][0] in {"uint8", "char"}:
            return b64encode(bytes(value)).decode()
        if node is Nodetype.ARRAY and self.ros == 2:
            return list(value)  # numpy's tolist: NaN stays, and Python writes it as such
        return [self._json(inner[0], one) for one in value]

    def _clock(self, value: dict[str, int]) -> dict[str, int]:
        return {"secs": value["sec"], "nsecs": value["nanosec"]} if self.ros == 1 else value

    def cbor(self, name: str, made: dict[str, Any]) -> dict[str, Any]:
        return {field: self._cbor(kind, made[field]) for field, kind in types(self.ros)[name][1]}

    def _cbor(self, kind: Any, value: Any) -> Any:
        node, inner = kind
        if node is Nodetype.NAME:
            return self._clock(value) if inner.endswith("/Time") else self.cbor(inner, value)
        if node is Nodetype.BASE:
            if inner[0] == "byte" and self.ros == 2:
                raise RefusedError("'bytes' object has no attribute 'get_fields_and_field_types'")
            return value
        base = inner[0][1][0] if inner[0][0] is Nodetype.BASE else ""
        if base in {"uint8", "char"} and node is Nodetype.SEQUENCE:
            return bytes(value)
        if node is Nodetype.SEQUENCE and base in TAGS:
            tag, code = TAGS[base]
            return cbor2.CBORTag(tag, struct.pack(f"<{len(value)}{code}", *value))
        if base == "bool" or (base == "string" and self.ros == 2):
            return list(value)
        if base:
            raise RefusedError(f"'{base}' object has no attribute '__slots__'")
        return [self.cbor(inner[0][1], one) for one in value]


def stamp_of(time_ns: int) -> dict[str, int]:
    return {"sec": time_ns // 10**9, "nanosec": time_ns % 10**9}


def merged(zero: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    return {
        name: merged(value, said[name]) if isinstance(value, dict) and name in said else said.get(name, value)
        for name, value in zero.items()
    }
