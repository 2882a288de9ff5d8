"""Typed messages in the shapes of ROS 2, and the registry of their type names.

A message is a frozen :class:`msgspec.Struct` whose annotations carry the ROS field types, so that the
``ros2msg`` schema text and the CDR encoding are derived from the class and cannot drift from it.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray


class Ros(msgspec.Struct, frozen=True):
    """The ROS field type behind a Python annotation, e.g. ``float32`` or ``float64[36]``."""

    type: str


Bool: TypeAlias = Annotated[bool, Ros("bool")]
Byte: TypeAlias = Annotated[int, Ros("byte")]
UInt8: TypeAlias = Annotated[int, Ros("uint8")]
Int32: TypeAlias = Annotated[int, Ros("int32")]
UInt32: TypeAlias = Annotated[int, Ros("uint32")]
Float32: TypeAlias = Annotated[float, Ros("float32")]
Float64: TypeAlias = Annotated[float, Ros("float64")]
String: TypeAlias = Annotated[str, Ros("string")]
UInt8Array: TypeAlias = Annotated[NDArray[np.uint8], Ros("uint8[]")]
Float32Array: TypeAlias = Annotated[NDArray[np.float32], Ros("float32[]")]
Float64Array: TypeAlias = Annotated[NDArray[np.float64], Ros("float64[]")]
Covariance9: TypeAlias = Annotated[tuple[float, ...], Ros("float64[9]")]
Covariance36: TypeAlias = Annotated[tuple[float, ...], Ros("float64[36]")]
Strings: TypeAlias = Annotated[tuple[str, ...], Ros("string[]")]

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
