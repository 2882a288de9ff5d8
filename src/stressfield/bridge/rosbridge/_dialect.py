"""How one rosbridge server wants its messages: of ROS 1 or 2, and which numbers its parser takes.

Servers are silent about what they refuse: a ``null`` in an array of floats, a field that the type does not have. So it
is asked at the start what they take, and what they do not take is never sent.
"""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import isfinite, isnan
from typing import Any

import msgspec
import numpy as np

from stressfield._files.json_text import parse_json
from stressfield.bus import Message
from stressfield.bus.message import Field, fields_of
from stressfield.bus.messages import Header, LaserScan, Time
from stressfield.errors import MalformedError, NotInstalledError, RigError

ODD_WORDS = ("Infinity", "1e999", "NaN")
"""How numbers may be said that JSON does not have. Any parser reads ``1e999`` as infinity, if it takes it."""

PROBE_STAMP = Time(7, 500)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What was found out about a server. None for a number: it cannot be said to it."""

    ros: int = 2
    cbor: bool = False
    """Whether the server sends CBOR, with exact numbers; else it says ``null`` for all that are not finite."""
    infinity: str | None = None
    nan: str | None = None

    @property
    def note(self) -> str:
        """What was found out, as a sentence."""
        words = {"infinity": self.infinity, "NaN": self.nan}
        takes = " and ".join(word for word, said in words.items() if said) or "neither infinity nor NaN"
        return (
            f"The graph is of ROS {self.ros}; its server sends {'CBOR' if self.cbor else 'JSON only'}, takes {takes}."
        )

    def type_name(self, ros_type: str) -> str:
        """``std_msgs/String`` or ``std_msgs/msg/String``: ROS 2 servers take both, those of ROS 1 only the former."""
        return ros_type.replace("/msg/", "/").replace("/srv/", "/") if self.ros == 1 else ros_type

    def publish(self, topic: str, message: Message, *, latch: bool = False) -> bytes:
        """The operation that publishes a message. RigError if the server cannot be told one of its numbers."""
        try:
            words = {"op": "publish", "topic": topic, "msg": self.plain(message)}
        except _NotSaidError as error:
            raise RigError(
                f"A message on {topic} has {error.number} in {error.path!r}, which this rosbridge server cannot take: "
                "it would be refused without a word. It was not sent, and the run says nothing about the robot. Use a "
                "server that parses JSON with Python's own parser, or a disturbance with finite numbers."
            ) from None
        return msgspec.json.encode({**words, "latch": True, "queue_size": 1} if latch else words)

    def advertise(self, topic: str, ros_type: str, *, latch: bool = False) -> bytes:
        """The operation that announces a topic."""
        words = {"op": "advertise", "topic": topic, "type": self.type_name(ros_type)}
        return msgspec.json.encode({**words, "latch": True, "queue_size": 1} if latch else words)

    def wants_cbor(self, message_type: type[Message]) -> str:
        """The ``compression`` to subscribe with."""
        return "cbor" if _goes_as_cbor(message_type) else "none"

    def plain(self, message: Message) -> dict[str, Any]:
        """A message as values that become its JSON."""
        return self._plain(message, "")

    def _plain(self, message: Message, path: str) -> dict[str, Any]:
        if self.ros == 1 and isinstance(message, Time):
            return {"secs": message.sec, "nsecs": message.nanosec}
        return {
            field.name: self._field(field, getattr(message, field.name), f"{path}.{field.name}" if path else field.name)
            for field in fields_of(type(message))
        }

    def _field(self, field: Field, value: Any, path: str) -> Any:
        if field.nested is not None:
            if field.size is None:
                return self._plain(value, path)
            return [self._plain(item, f"{path}.{place}") for place, item in enumerate(value)]
        if isinstance(value, np.generic):
            value = value.item()
        if not field.base.startswith("float"):
            if isinstance(value, np.ndarray):
                return b64encode(value.tobytes()).decode() if value.dtype == np.uint8 else value.tolist()
            return value
        if field.size is None:
            return value if isfinite(value) else self._odd(value, path)
        numbers = np.asarray(value, np.float64)
        odd = np.flatnonzero(~np.isfinite(numbers))
        said: list[Any] = value.tolist() if isinstance(value, np.ndarray) else list(value)
        for at in odd.tolist():
            said[at] = self._odd(said[at], f"{path}[{at}]")
        return said

    def _odd(self, value: float, path: str) -> msgspec.Raw:
        word = self.nan if isnan(value) else self.infinity
        if word is None:
            raise _NotSaidError(path, "NaN" if isnan(value) else "infinity")
        return msgspec.Raw(f"-{word}".encode() if value < 0 else word.encode())


class _NotSaidError(Exception):
    def __init__(self, path: str, number: str) -> None:
        self.path, self.number = path, number


def probe(topic: str, name: str, *, ros: int, number: str = "1.5") -> bytes:
    """The operation that publishes a scan with one number in it; its frame is called ``name``."""
    said = Dialect(ros).plain(LaserScan(header=Header(PROBE_STAMP, name)))
    said["ranges"] = [msgspec.Raw(number.encode())]
    return msgspec.json.encode({"op": "publish", "topic": topic, "msg": said})


def ros_of(message: object) -> int:
    """Of which ROS a message with a header is: 1 has ``secs``, 2 has ``sec``."""
    stamp = message.get("header", {}).get("stamp", {}) if isinstance(message, dict) else {}
    return 1 if isinstance(stamp, dict) and "secs" in stamp else 2


def _cbor2() -> Any:
    try:
        import cbor2  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalledError("rosbridge needs the package cbor2: pip install 'stressfield[rosbridge]'.") from error
    return cbor2


def to_cbor(topic: str, message: Message) -> bytes:
    """The operation that publishes a message, as CBOR: numbers are exact, also those that are not finite."""
    cbor2 = _cbor2()

    def value(field: Field, said: Any) -> Any:
        if field.nested is not None:
            return values(said) if field.size is None else [values(item) for item in said]
        if isinstance(said, np.ndarray):
            if said.dtype == np.uint8:
                return said.tobytes()
            small = said.astype(said.dtype.newbyteorder("<"))
            return (
                cbor2.CBORTag(_TAGS[small.dtype.str[1:]], small.tobytes()) if small.dtype.kind != "b" else said.tolist()
            )
        return said.item() if isinstance(said, np.generic) else said

    def values(said: Message) -> dict[str, Any]:
        return {field.name: value(field, getattr(said, field.name)) for field in fields_of(type(said))}

    data: bytes = cbor2.dumps({"op": "publish", "topic": topic, "msg": values(message)})
    return data


_TAGS = {"u2": 69, "u4": 70, "u8": 71, "i1": 72, "i2": 77, "i4": 78, "i8": 79, "f4": 85, "f8": 86}
"""Of arrays of numbers, smallest byte first (RFC 8746)."""


def parse_cbor(frame: bytes) -> Any:
    """The value of a CBOR frame. Whatever is wrong with it, only MalformedError comes out."""
    cbor2 = _cbor2()
    try:
        return cbor2.loads(frame)
    except (cbor2.CBORError, ValueError, TypeError, RecursionError) as error:
        raise MalformedError(f"Not CBOR: {error}") from error


def parse_frame(frame: str | bytes, *, max_bytes: int) -> Any:
    """What a server sent: CBOR if it is binary, else JSON, in which some write NaN and Infinity as Python does."""
    if isinstance(frame, bytes):
        return parse_cbor(frame)
    if "NaN" in frame or "Infinity" in frame:
        with suppress(ValueError, RecursionError):  # the strict parser says what is wrong
            return json.loads(frame)
    return parse_json(frame, max_bytes=max_bytes)


@cache
def _goes_as_cbor(message_type: type[Message]) -> bool:
    """Whether servers can say it in CBOR. With arrays of fixed size, arrays of texts, bounded ones or a ``byte`` in it
    their conversion breaks, of which only their log tells: such a message would never come.
    """
    return all(_field_goes_as_cbor(field) for field in fields_of(message_type))


def _field_goes_as_cbor(field: Field) -> bool:
    if field.size or field.most is not None:
        return False
    if field.nested is not None:
        return _goes_as_cbor(field.nested)
    return field.base != "byte" and not (field.base == "string" and field.size == 0)
