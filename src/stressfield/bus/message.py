"""Message: what is said, typed in the shapes of ROS 2, with the registry of type names and the text of definitions.

A message is a frozen :class:`msgspec.Struct` whose annotations carry the ROS field types, so that the ``ros2msg``
schema text and the CDR encoding are derived from the class and cannot drift from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias, get_args, get_origin

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.errors import ModelError


class Ros(msgspec.Struct, frozen=True):
    """The ROS field type behind a Python annotation, e.g. ``float32`` or ``float64[36]``."""

    type: str


Bool: TypeAlias = Annotated[bool, Ros("bool")]
Byte: TypeAlias = Annotated[int, Ros("byte")]
Int8: TypeAlias = Annotated[int, Ros("int8")]
UInt8: TypeAlias = Annotated[int, Ros("uint8")]
Int16: TypeAlias = Annotated[int, Ros("int16")]
UInt16: TypeAlias = Annotated[int, Ros("uint16")]
Int32: TypeAlias = Annotated[int, Ros("int32")]
UInt32: TypeAlias = Annotated[int, Ros("uint32")]
Int64: TypeAlias = Annotated[int, Ros("int64")]
UInt64: TypeAlias = Annotated[int, Ros("uint64")]
Float32: TypeAlias = Annotated[float, Ros("float32")]
Float64: TypeAlias = Annotated[float, Ros("float64")]
String: TypeAlias = Annotated[str, Ros("string")]
Int8Array: TypeAlias = Annotated[NDArray[np.int8], Ros("int8[]")]
UInt8Array: TypeAlias = Annotated[NDArray[np.uint8], Ros("uint8[]")]
Float32Array: TypeAlias = Annotated[NDArray[np.float32], Ros("float32[]")]
Float64Array: TypeAlias = Annotated[NDArray[np.float64], Ros("float64[]")]
Covariance9: TypeAlias = Annotated[tuple[float, ...], Ros("float64[9]")]
Covariance36: TypeAlias = Annotated[tuple[float, ...], Ros("float64[36]")]
Matrix3x3: TypeAlias = Annotated[tuple[float, ...], Ros("float64[9]")]
Matrix3x4: TypeAlias = Annotated[tuple[float, ...], Ros("float64[12]")]
Strings: TypeAlias = Annotated[tuple[str, ...], Ros("string[]")]

BAD_MESSAGE = "bad message"
"""How a crash is called that is no exception of the robot's own: it published what is no message of its topic."""

_REGISTRY: dict[str, type[Message]] = {}


class Message(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Base of all messages. ``ros_type`` is the full type name, e.g. ``geometry_msgs/msg/Twist``.

    Messages never form cycles, so the garbage collector need not walk the hundreds of thousands a run keeps.
    """

    ros_type: ClassVar[str] = ""

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__(**config)
        name = cls.__dict__.get("ros_type", "")
        if name:
            _REGISTRY[name] = cls


def find_type(name: object, *, any_case: bool = False) -> type[Message] | None:
    """The message class of a ROS type name, with or without ``/msg/``; None if no imported module defines it.

    ``any_case`` is for models of other tools, whose authors write ``geometry_msgs/twist``.
    """
    if not isinstance(name, str):
        return None
    package, _, short = name.partition("/")
    full = f"{package}/msg/{short.removeprefix('msg/')}"
    if not any_case:
        return _REGISTRY.get(full)
    return next((known for spelled, known in _REGISTRY.items() if spelled.lower() == full.lower()), None)


def message_types() -> dict[str, type[Message]]:
    """All known message classes by their ROS type name."""
    return dict(_REGISTRY)


def no_values(ros_type: str) -> Any:
    """The default of a field that is a sequence of numbers, e.g. ``ranges: Float32Array = no_values("float32")``."""
    return msgspec.field(default_factory=partial(np.empty, 0, np.dtype(PRIMITIVES[ros_type])))


class Stamped(NamedTuple):
    """A message on its topic, with the simulated time at which it was sent or arrived."""

    topic: str
    time_ns: int
    message: Message


stamp: Callable[[tuple[str, int, Message]], Stamped] = partial(tuple.__new__, Stamped)
"""The same from a tuple, for loops: without the price of a Python call."""


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
