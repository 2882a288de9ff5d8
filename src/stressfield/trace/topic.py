"""All messages of one topic, in order of arrival."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Times
from stressfield.bus import messages as _standard  # noqa: F401  registers the standard types
from stressfield.bus.cdr import decode, flat_fields
from stressfield.bus.interface import message_from_text
from stressfield.bus.message import Message, find_type, message_types
from stressfield.errors import InputError, TraceError, did_you_mean
from stressfield.trace._layout import Layout, layout_of
from stressfield.trace._payloads import Payloads, encode_all


@dataclass(frozen=True, eq=False)
class Topic:
    """What was said on a topic. Times are simulated nanoseconds; ``log_time_ns`` (arrival) never decreases.

    Recorded here or read from a file, it holds the encoded ``payloads`` and decodes messages when asked. Use
    :func:`recorded` or :func:`stored` to make one.
    """

    name: str
    ros_type: str
    log_time_ns: Times
    publish_time_ns: Times
    payloads: Payloads
    """The messages in CDR."""
    _type: type[Message] | None = None
    """The class of the messages that were recorded; that of messages in a file is found when asked for."""
    _said: Sequence[Message] | None = None
    """The messages themselves, where encoding rounds their numbers: a run is judged by what was said in it."""
    _definition: str = ""
    """The text of its type in the file that it was read from."""

    def __post_init__(self) -> None:
        if len(self.log_time_ns) and (self.log_time_ns[0] < 0 or (np.diff(self.log_time_ns) < 0).any()):
            raise TraceError(f"Times on topic {self.name!r} run backwards or below zero; wanted messages in order.")
        if len(self.publish_time_ns) and int(self.publish_time_ns.min()) < 0:
            raise TraceError(f"Topic {self.name!r} has a message published before time zero.")

    def __len__(self) -> int:
        return len(self.log_time_ns)

    @property
    def time_s(self) -> NDArray[np.float64]:
        """Arrival times in seconds."""
        return np.true_divide(self.log_time_ns, 1e9, dtype=np.float64)

    @cached_property
    def message_type(self) -> type[Message]:
        """The class of its messages; of a recording, made from the definition in it unless the same one is imported."""
        return self._type if self._type is not None else known_type(self.ros_type, self._definition)

    @cached_property
    def messages(self) -> Sequence[Message]:
        """The messages, decoded on first use."""
        if self._said is not None:
            return self._said
        return [decode(self.message_type, item) for item in self.payloads.items()]

    def column(self, path: str) -> NDArray[np.float64]:
        """One number of every message, e.g. ``velocity.0`` or ``pose.position.x``."""
        values = self._stored_column(path)
        return self._message_column(path) if values is None else values

    def _stored_column(self, path: str) -> NDArray[np.float64] | None:
        """Straight from the bytes, for a topic whose messages all have one layout."""
        if self._said is not None or self._layout is None:
            return None
        rows = self.payloads.rows()
        owner, _, last = path.rpartition(".")
        slot = self._layout.slots.get(path)
        if rows is not None and slot is not None and slot.count == 1:
            return slot.view(rows)[:, 0].astype(np.float64)
        slot = self._layout.slots.get(owner)
        if rows is not None and slot is not None and last.isdecimal() and int(last) < slot.count:
            return slot.view(rows)[:, int(last)].astype(np.float64)
        return None

    @cached_property
    def _layout(self) -> Layout | None:
        rows = self.payloads.rows()
        if rows is None:
            return None
        layout = layout_of(self.message_type, rows[0].tobytes())
        return layout if layout.fits(rows) else None

    def _message_column(self, path: str) -> NDArray[np.float64]:
        try:
            return np.fromiter(map(_getter(path), self.messages), np.float64, len(self))
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise TraceError(self._no_column(path, error)) from error

    def _no_column(self, path: str, error: Exception) -> str:
        step, owner = self._first_wrong_step(path)
        known = list(getattr(owner, "__struct_fields__", ()))
        fields = (
            f" Fields: {', '.join(known)}.{did_you_mean(step, known) if step not in known else ''}" if known else ""
        )
        return f"Topic {self.name!r} ({self.ros_type}) has no number at {path!r} in every message: {error}.{fields}"

    def _first_wrong_step(self, path: str) -> tuple[str, object]:
        """The first name of a path that does not lead on in the first message, and whose field it should be."""
        value: Any = self.messages[0]
        for step in path.split("."):
            try:
                value, owner = _getter(step)(value), value
            except (AttributeError, IndexError, TypeError):
                return step, value
        return path.rpartition(".")[2], owner


def recorded(
    name: str, message_type: type[Message], log_time_ns: Times, publish_time_ns: Times, messages: Sequence[Message]
) -> Topic:
    """A topic of messages that are at hand."""
    payloads = encode_all(message_type, messages)
    said = messages if rounds(message_type) else None
    return Topic(name, message_type.ros_type, log_time_ns, publish_time_ns, payloads, message_type, said)


def encoded(name: str, message_type: type[Message], times_ns: Times, payloads: Sequence[bytes]) -> Topic:
    """A topic of messages that came at these times, and are encoded already."""
    return Topic(name, message_type.ros_type, times_ns, times_ns, Payloads.of(payloads), message_type)


@cache
def rounds(message_type: type[Message]) -> bool:
    """Whether a message may lose digits when it is encoded: ROS has floats of 32 bits, Python none."""
    fields = flat_fields(message_type)
    return any(field.base == "float32" or (field.nested is not None and rounds(field.nested)) for _, field in fields)


def stored(
    name: str, ros_type: str, log_time_ns: Times, publish_time_ns: Times, payloads: Payloads, definition: str = ""
) -> Topic:
    """A topic of a recording that was read, with the text that defines its type there."""
    return Topic(name, ros_type, log_time_ns, publish_time_ns, payloads, _definition=definition)


@lru_cache(maxsize=1024)
def _defined(ros_type: str, text: str) -> type[Message]:
    try:
        return message_from_text(ros_type, text)
    except InputError as error:
        raise TraceError(f"The definition of {ros_type!r} in the recording cannot be used: {error}") from error


def known_type(ros_type: str, definition: str = "") -> type[Message]:
    """The message class of a ROS type name, by its definition if there is one. TraceError when nothing defines it."""
    if definition:
        return _defined(ros_type, definition)
    known = find_type(ros_type)
    if known is None:
        raise TraceError(
            f"Unknown message type {ros_type!r}.{did_you_mean(ros_type, message_types())} "
            "Import the module (the study) that defines it, then read the recording again."
        )
    return known


def _getter(path: str) -> Callable[[Any], Any]:
    steps = path.split(".")
    if not any(step.isdecimal() for step in steps):
        return attrgetter(path)

    def get(message: Any) -> Any:
        value = message
        for step in steps:
            value = value[int(step)] if step.isdecimal() else getattr(value, step)
        return value

    return get
