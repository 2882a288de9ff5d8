"""The types of a recording: definitions in whatever language, none at all, and messages of ROS 1 as CDR."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from stressfield.bus.interface import LONGEST_TEXT
from stressfield.bus.message import definition, find_type
from stressfield.errors import NotInstalledError, TraceError, did_you_mean
from stressfield.trace.bags._storage import BagChannel

HEADER = "std_msgs/msg/Header"
LATEST = "latest"


@dataclass(frozen=True, slots=True)
class Readable:
    """What it takes to read a channel: the text of its type, and how a message becomes CDR."""

    definition: str
    to_cdr: Callable[[bytes], bytes] | None = None
    """None: it is CDR already."""
    note: str = ""
    """Where the definition is from, if not from the recording."""


def readable(channel: BagChannel, distribution: str = "") -> Readable:
    """How to read a channel. ``distribution`` of ROS 2 is what definitions are taken from that the file lacks.

    TraceError if nobody knows the type or the encoding.
    """
    if channel.encoding not in {"cdr", "ros1"}:
        raise TraceError(
            f"Topic {channel.topic!r} is encoded as {channel.encoding!r}; wanted 'cdr' (ROS 2) or 'ros1'. "
            "Leave it out of the mapping."
        )
    if channel.encoding == "ros1":
        return _of_ros1(channel.ros_type, channel.definition)
    if channel.definition and channel.language == "ros2msg":
        return Readable(channel.definition)
    if channel.definition and channel.language == "ros2idl":
        return Readable(_from_idl(channel.ros_type, channel.definition))
    return _of_store(channel, distribution)


def _of_store(channel: BagChannel, distribution: str) -> Readable:
    """A definition that the recording lacks, from the type stores of rosbags; or one that was imported."""
    own = find_type(channel.ros_type)
    name = distribution or LATEST
    store, used = _store(name)
    if channel.ros_type not in store.fielddefs:
        if own is not None:
            return Readable(definition(own), note=f"the definition of {channel.ros_type} is this program's own")
        raise TraceError(
            f"The recording has no definition of {channel.ros_type!r} (topic {channel.topic!r}), and ROS 2 {used} has "
            f"none either.{did_you_mean(channel.ros_type, store.fielddefs)} Record it with a newer ros2 bag, which "
            "keeps definitions, or import the study that has the type."
        )
    text = str(store.generate_msgdef(channel.ros_type, ros_version=2)[0])
    return Readable(text, note=f"the recording has no definition of {channel.ros_type}: that of ROS 2 {used} was taken")


@lru_cache(maxsize=16)
def _store(name: str) -> tuple[Any, str]:
    types = _rosbags("rosbags.typesys")
    known = {store.value.removeprefix("ros2_"): store for store in types.Stores if store.value != "empty"}
    chosen = name if name in known else LATEST
    return types.get_typestore(known[chosen]), chosen


@lru_cache(maxsize=256)
def _of_ros1(ros_type: str, text: str) -> Readable:
    """ROS 1 counts headers; ROS 2, whose classes are used here, does not: the number is dropped."""
    if not text:
        raise TraceError(f"The recording has no definition of {ros_type!r}, which ROS 1 bags always have.")
    types = _parsed(ros_type, text, "get_types_from_msg")
    if HEADER in types:
        constants, fields = types[HEADER]
        types[HEADER] = (constants, [field for field in fields if field[0] != "seq"])
    store = _registered(ros_type, types)
    ours = str(store.generate_msgdef(ros_type, ros_version=2)[0])

    def to_cdr(data: bytes) -> bytes:
        try:
            return bytes(store.ros1_to_cdr(data, ros_type))
        except Exception as error:  # whatever the generated code stumbles over in a stranger's bytes
            raise TraceError(f"A message is no {ros_type} of ROS 1: {type(error).__name__}: {error}.") from None

    return Readable(ours, to_cdr)


def _from_idl(ros_type: str, text: str) -> str:
    store = _registered(ros_type, _parsed(ros_type, text, "get_types_from_idl"))
    return str(store.generate_msgdef(ros_type, ros_version=2)[0])


def _parsed(ros_type: str, text: str, parser: str) -> dict[str, Any]:
    if len(text) > LONGEST_TEXT:
        raise TraceError(
            f"The definition of {ros_type!r:.100} has {len(text)} characters; wanted at most {LONGEST_TEXT}."
        )
    types = _rosbags("rosbags.typesys")
    arguments = (text, ros_type) if parser == "get_types_from_msg" else (text,)
    try:
        return dict(getattr(types, parser)(*arguments))
    except Exception as error:  # the parser of a library, given a stranger's text
        raise _unusable(ros_type, error) from None


def _registered(ros_type: str, found: dict[str, Any]) -> Any:
    types = _rosbags("rosbags.typesys")
    try:
        known = types.get_typestore(types.Stores.LATEST).fielddefs
        store = types.get_typestore(types.Stores.EMPTY)
        # Texts of ROS 1 leave out its two built-in types.
        times = {name: known[name] for name in ("builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration")}
        store.register({**times, **found})
        store.get_msgdef(ros_type)
        return store
    except Exception as error:  # as above
        raise _unusable(ros_type, error) from None


def _unusable(ros_type: str, error: Exception) -> TraceError:
    said = (str(error) or type(error).__name__).splitlines()[0][:200]
    return TraceError(f"The definition of {ros_type!r:.100} in the recording cannot be used: {said}.")


def _rosbags(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise NotInstalledError(
            "ROS 1 bags, and recordings without definitions, need the package rosbags. "
            "Get it with: pip install 'stressfield[bags]'"
        ) from None
