"""Message: what is said, typed in the shapes of ROS 2, with the registry of type names and the text of definitions.

A message is a frozen :class:`msgspec.Struct` whose annotations carry the ROS field types, so that the ``ros2msg``
schema text and the CDR encoding are derived from the class and cannot drift from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from math import isfinite
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
    from_definition: ClassVar[bool] = False

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__(**config)
        name = cls.__dict__.get("ros_type", "")
        # A class made from the text of a recording is known to that recording alone: another may define it otherwise.
        if name and not cls.__dict__.get("from_definition", False):
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


def not_finite(message: Message) -> frozenset[str]:
    """The numbers of a message that are NaN or infinite, by their paths: ``linear.x``, ``velocity[1]``."""
    found = set[str]()
    for name in message.__struct_fields__:
        value = getattr(message, name)
        if isinstance(value, Message):
            found.update(f"{name}.{path}" for path in not_finite(value))
        elif isinstance(value, float):
            found.update(() if isfinite(value) else (name,))
        elif isinstance(value, np.ndarray):
            if value.dtype.kind == "f":
                found.update(f"{name}[{at}]" for at in np.flatnonzero(~np.isfinite(value)).tolist())
        elif isinstance(value, tuple | list) and len(value):
            for at, item in enumerate(value):
                if isinstance(item, Message):
                    found.update(f"{name}[{at}].{path}" for path in not_finite(item))
                elif isinstance(item, float | np.floating) and not isfinite(item):
                    found.add(f"{name}[{at}]")
    return frozenset(found)


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

_ROS_TYPE = re.compile(r"([A-Za-z][\w/]*)(?:<=(\d+))?(?:\[(<=)?(\d*)\])?")
_RULE = "=" * 80


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message: ``base`` is a primitive, ``string``, or (with ``nested``) a message.

    ``size`` is None for a single value, 0 for a sequence of any length, n for an array of n. A sequence may be bounded
    (``most`` items), and so may a string (``longest`` bytes).
    """

    name: str
    base: str
    nested: type[Message] | None
    size: int | None
    most: int | None = None
    longest: int | None = None

    @property
    def text(self) -> str:
        """The line of the interface file, e.g. ``float64[36] covariance``."""
        inside = f"<={self.most}" if self.most is not None else self.size or ""
        bracket = "" if self.size is None else f"[{inside}]"
        bound = "" if self.longest is None else f"<={self.longest}"
        return f"{self.base}{bound}{bracket} {self.name}"


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


def zero_of(field: Field) -> Any:
    """What a field holds if nobody says anything: the zero of its type, as in ROS."""
    plain = field.nested is None and field.base != "string"
    if field.size == 0:
        return np.empty(0, np.dtype(PRIMITIVES[field.base])) if plain else ()
    if field.nested is not None:
        single: Any = field.nested(*(zero_of(inner) for inner in fields_of(field.nested)))
    else:
        single = {"string": "", "bool": False}.get(field.base, 0.0 if field.base.startswith("float") else 0)
    return single if field.size is None else (single,) * field.size


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
    item = _item_type(annotation)
    if item is not None:
        return Field(name, short_name(item.ros_type), item, 0)
    raise _unknown(owner, name, annotation)


def _annotated(owner: type[Message], name: str, annotation: Any) -> Field:
    ros = next((mark.type for mark in annotation.__metadata__ if isinstance(mark, Ros)), "")
    match = _ROS_TYPE.fullmatch(ros)
    if match is None or (match[2] and match[1] != "string"):
        raise _unknown(owner, name, annotation)
    base, longest, bounded, count = match.groups()
    size = None if count is None else 0 if bounded else int(count or 0)
    most = int(count) if bounded and count else None
    if base in PRIMITIVES or base == "string":
        return Field(name, base, None, size, most, int(longest) if longest else None)
    nested = _item_type(get_args(annotation)[0])
    if nested is None or size is None:
        raise _unknown(owner, name, annotation)
    return Field(name, short_name(nested.ros_type), nested, size, most)


def _item_type(annotation: Any) -> type[Message] | None:
    """The class of the messages in a ``tuple[Message, ...]``; None for anything else."""
    arguments = get_args(annotation)
    if get_origin(annotation) is not tuple or arguments[1:] != (Ellipsis,):
        return None
    return arguments[0] if isinstance(arguments[0], type) and issubclass(arguments[0], Message) else None


def _unknown(owner: type[Message], name: str, annotation: Any) -> ModelError:
    return ModelError(
        f"Field {owner.__name__}.{name} has no ROS type: got {annotation!r}, wanted one of the annotations of "
        "stressfield.bus.message, a Message, or tuple[Message, ...]."
    )
