"""Paths to the fields of messages, and changing what is there: messages are frozen, so the owners are replaced.

``linear.x``, ``velocity.0``, ``ranges.*`` (all of them); a type may stand before: ``geometry_msgs/Twist.linear.x``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite
from typing import Any, TypeAlias

import msgspec
import numpy as np

import stressfield.bus.messages  # noqa: F401 (a message type is known once its module is imported)
from stressfield.bus import Message
from stressfield.bus.message import PRIMITIVES, Ros
from stressfield.errors import InputError, did_you_mean

EVERY = "*"
_LONGEST = 200

Change: TypeAlias = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class FieldPath:
    """The steps to a field, and the ROS type the path was written for, if it names one."""

    steps: tuple[str, ...]
    ros_type: str | None = None

    def __str__(self) -> str:
        return ".".join(self.steps)

    @classmethod
    def parse(cls, text: str) -> FieldPath:
        """A path from its text; InputError if it is none."""
        head, slash, rest = text.rpartition("/")
        name, *steps = rest.split(".")
        ros_type = f"{head.removesuffix('/msg')}/msg/{name}" if slash else None
        parts = tuple(steps if slash else [name, *steps])
        plain = all(part == EVERY or part.isidentifier() or part.isdecimal() for part in parts)
        hidden = any(part.startswith("_") for part in parts)
        if not parts or not plain or hidden or len(text) > _LONGEST:
            raise InputError(f"{text[:60]!r} is not a path to a field. Wanted for instance 'linear.x' or 'velocity.0'.")
        return cls(parts, ros_type)

    def check(self, message_type: type[Message]) -> None:
        """InputError unless messages of that type have a number here."""
        if self.ros_type is not None and self.ros_type.lower() != message_type.ros_type.lower():
            raise InputError(f"The path is for {self.ros_type}, the messages are {message_type.ros_type}.")
        kind: Any = message_type
        for place, step in enumerate(self.steps):
            kind = _below(kind, step, ".".join(self.steps[: place + 1]))
        if kind not in (float, int, bool):
            raise InputError(
                f"The field '{self}' of {message_type.ros_type} is not a number. Wanted one of its fields."
            )

    def get(self, message: Message) -> float:
        """The number here. Raises AttributeError, IndexError, TypeError or ValueError where there is none."""
        value: Any = message
        for step in self.steps:
            value = value[int(step)] if step.isdecimal() else getattr(value, step)
        return float(value)

    def change(self, message: Message, change: Change) -> Message:
        """The message with another number here; the same errors as :meth:`get`."""
        changed = _changed(message, self.steps, change)
        assert isinstance(changed, Message)
        return changed


def _below(kind: Any, step: str, path: str) -> Any:
    """The type of a field of a struct, or of the items of an array."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
        if step not in fields:
            raise InputError(
                f"{getattr(kind, 'ros_type', kind.__name__)} has no field {step!r} (in '{path}'). "
                f"It has: {', '.join(fields)}.{did_you_mean(step, fields)}"
            )
        return _plain(fields[step])
    item = _item(kind)
    if item is None or not (step == EVERY or step.isdecimal()):
        raise InputError(f"There is nothing at '{path}'. Wanted a field, a place in an array, or '*' for all of it.")
    return item


def _plain(kind: Any) -> Any:
    """The type without what is noted beside it."""
    return getattr(kind, "__origin__", kind) if hasattr(kind, "__metadata__") else kind


def _item(kind: Any) -> Any:
    origin: Any = getattr(kind, "__origin__", None)
    if origin is tuple:
        return _plain(kind.__args__[0])
    return float if origin is np.ndarray else None


_LARGEST_FLOAT32 = 3.4028234e38


def _held(dtype: np.dtype[Any]) -> tuple[float, float]:
    """What a number of this type can hold."""
    if dtype.kind in "iu":
        return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return (-_LARGEST_FLOAT32, _LARGEST_FLOAT32) if dtype == np.float32 else (-inf, inf)


_HELD = {name: _held(np.dtype(code)) for name, code in PRIMITIVES.items()}


@lru_cache(maxsize=1024)
def _limits(kind: type[msgspec.Struct], name: str) -> tuple[float, float]:
    """What a field can hold: a value beyond that saturates, as it would on the wire."""
    field = next(known for known in msgspec.structs.fields(kind) if known.name == name)
    ros = next((note.type for note in getattr(field.type, "__metadata__", ()) if isinstance(note, Ros)), "")
    return _HELD.get(ros, (-inf, inf))


def _saturated(made: Any, limits: tuple[float, float]) -> Any:
    """A number within limits; what is not finite, or no number, is left as it is."""
    if isinstance(made, int | float) and not isinstance(made, bool) and isfinite(made):
        return min(max(made, limits[0]), limits[1])
    return made


def _changed(value: Any, steps: tuple[str, ...], change: Change) -> Any:
    if not steps:
        return _number(value, change)
    step, rest = steps[0], steps[1:]
    if isinstance(value, msgspec.Struct):
        made = _saturated(_changed(getattr(value, step), rest, change), _limits(type(value), step))
        return msgspec.structs.replace(value, **{step: made})
    places = range(len(value)) if step == EVERY else [int(step)]
    if isinstance(value, np.ndarray):
        array, limits = value.copy(), _held(value.dtype)
        for place in places:
            array[place] = _saturated(_changed(value[place].item(), rest, change), limits)
        return array
    items = list(value)
    for place in places:
        items[place] = _changed(items[place], rest, change)
    return tuple(items)


def _number(value: Any, change: Change) -> bool | int | float:
    if isinstance(value, bool):  # before int: in Python a bool is one
        return change(float(value)) >= 0.5
    if isinstance(value, int):
        return round(change(float(value)))
    if isinstance(value, float):
        return float(change(value))
    raise TypeError(f"{type(value).__name__} is not a number")
