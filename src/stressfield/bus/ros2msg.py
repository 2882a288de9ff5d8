"""From a message class to its ROS 2 interface: the typed fields and the ``ros2msg`` text that files carry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin

import msgspec

from stressfield.bus.message import Message, Ros
from stressfield.errors import ModelError

PRIMITIVES = {
    "bool": "?", "byte": "B", "char": "B", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H",
    "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "float32": "f", "float64": "d",
}  # fmt: skip
"""ROS primitive types and their :mod:`struct` codes."""

_ROS_TYPE = re.compile(r"([a-z0-9]+)(?:\[(\d*)\])?")
_RULE = "=" * 80


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message: ``base`` is a primitive, ``string``, or (with ``nested``) a message.

    ``size`` is None for a single value, 0 for a sequence of any length, n for an array of n.
    """

    name: str
    base: str
    nested: type[Message] | None
    size: int | None

    @property
    def text(self) -> str:
        """The line of the interface file, e.g. ``float64[36] covariance``."""
        bracket = "" if self.size is None else f"[{self.size or ''}]"
        return f"{self.base}{bracket} {self.name}"


@cache
def fields_of(message_type: type[Message]) -> tuple[Field, ...]:
    """The ROS fields of a message class, in order. Raises ModelError for an annotation that ROS cannot say."""
    return tuple(_field(message_type, info.name, info.type) for info in msgspec.structs.fields(message_type))


@cache
def definition(message_type: type[Message]) -> str:
    """The concatenated ``ros2msg`` definition: the type itself, then each type it is made of."""
    parts = [_lines(message_type)]
    for nested in _dependencies(message_type):
        parts.append(f"{_RULE}\nMSG: {short_name(nested.ros_type)}\n{_lines(nested)}")
    return "\n".join(parts) + "\n"


def short_name(ros_type: str) -> str:
    """``geometry_msgs/Pose`` for ``geometry_msgs/msg/Pose``, as interface files write it."""
    return ros_type.replace("/msg/", "/")


def _lines(message_type: type[Message]) -> str:
    return "\n".join(field.text for field in fields_of(message_type))


def _dependencies(message_type: type[Message]) -> tuple[type[Message], ...]:
    found: dict[type[Message], None] = {}
    pending = [message_type]
    while pending:
        nested = [field.nested for field in fields_of(pending.pop(0)) if field.nested is not None]
        pending += [item for item in nested if item not in found]
        found.update(dict.fromkeys(nested))
    return tuple(found)


def _field(owner: type[Message], name: str, annotation: Any) -> Field:
    if get_origin(annotation) is Annotated:
        return _annotated(owner, name, annotation)
    if isinstance(annotation, type) and issubclass(annotation, Message):
        return Field(name, short_name(annotation.ros_type), annotation, None)
    item = get_args(annotation)[0] if get_origin(annotation) is tuple else None
    if isinstance(item, type) and issubclass(item, Message) and get_args(annotation)[1:] == (Ellipsis,):
        return Field(name, short_name(item.ros_type), item, 0)
    raise _unknown(owner, name, annotation)


def _annotated(owner: type[Message], name: str, annotation: Any) -> Field:
    ros = next((mark.type for mark in annotation.__metadata__ if isinstance(mark, Ros)), "")
    match = _ROS_TYPE.fullmatch(ros)
    if match is None or not (match[1] in PRIMITIVES or match[1] == "string"):
        raise _unknown(owner, name, annotation)
    size = None if match[2] is None else int(match[2] or 0)
    if match[1] == "string" and size:
        raise _unknown(owner, name, annotation)
    return Field(name, match[1], None, size)


def _unknown(owner: type[Message], name: str, annotation: Any) -> ModelError:
    return ModelError(
        f"Field {owner.__name__}.{name} has no ROS type: got {annotation!r}, wanted one of the annotations of "
        "stressfield.bus.message, a Message, or tuple[Message, ...]."
    )
