"""Messages on their way to another clock and other names of frames: the same message, with its stamps moved by a
constant and its frames renamed. What has neither stamps nor frames is passed as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import msgspec

from stressfield.bus import Message
from stressfield.bus.message import fields_of
from stressfield.bus.messages import Time

FRAMES = frozenset({"frame_id", "child_frame_id"})
"""Fields whose text is the name of a frame."""

Change: TypeAlias = Callable[[Any], Any]


class Translation:
    """Adds ``shift_ns`` to every stamp but zero, which means "none"; gives frames the names in ``frames``."""

    def __init__(self, *, shift_ns: int = 0, frames: Mapping[str, str] | None = None) -> None:
        self._shift_ns, self._frames = shift_ns, dict(frames or {})
        self._changes: dict[type[Message], Change | None] = {}

    def __call__(self, message: Message) -> Message:
        kind = type(message)
        if kind not in self._changes:
            self._changes[kind] = self._change_of(kind)
        change = self._changes[kind]
        if change is None:
            return message
        changed = change(message)
        assert isinstance(changed, Message)
        return changed

    def back(self) -> Translation:
        """The other way round."""
        return Translation(shift_ns=-self._shift_ns, frames={new: old for old, new in self._frames.items()})

    def _change_of(self, kind: type[Message]) -> Change | None:
        if kind is Time:
            return self._moved if self._shift_ns else None
        parts: dict[str, Change] = {}
        for field in fields_of(kind):
            if field.nested is not None:
                inner = self._change_of(field.nested)
                if inner is not None:
                    parts[field.name] = inner if field.size is None else partial(_each, inner)
            elif field.name in FRAMES and field.base == "string" and field.size is None and self._frames:
                parts[field.name] = self._renamed
        return partial(_replaced, parts) if parts else None

    def _moved(self, time: Time) -> Time:
        return Time.from_ns(max(0, time.ns + self._shift_ns)) if time.ns else time

    def _renamed(self, frame: str) -> str:
        return self._frames.get(frame, frame)


def _replaced(parts: Mapping[str, Change], message: Message) -> Message:
    return msgspec.structs.replace(message, **{name: change(getattr(message, name)) for name, change in parts.items()})


def _each(change: Change, items: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(change(item) for item in items)
