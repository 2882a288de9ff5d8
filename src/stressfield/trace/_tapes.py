"""Tapes: what is said on one topic, encoded as it is said.

The tape that does it is compiled, from ``_tape.c``. Where that could not be built, :class:`PlainTape` does the same,
message by message in Python: it is what the other is compared with, and what it asks where it is in doubt.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stressfield import _compiled
from stressfield.arrays import Times
from stressfield.bus.message import PRIMITIVES, Field, Message, fields_of

compiled = _compiled.part("stressfield.trace._tape")

Row: TypeAlias = tuple[int, int, Message]
"""When a message was sent, when it arrived, and the message."""

ANY = -1
"""How many items a sequence may have, or bytes a text, that has no bound."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What was said, in the order in which it was recorded."""

    sent_ns: Times
    arrived_ns: Times
    lengths: NDArray[np.int64]
    """How many bytes each message has."""
    data: NDArray[np.uint8]
    """The bytes of all messages, back to back."""


class Tape(Protocol):
    """Called for every message, hundreds of times a simulated second."""

    def __call__(self, row: Row, /) -> None:
        """Take a message."""

    def begin(self, program: Any, said: list[Message] | None, /) -> None:
        """Have the type of the messages (see :func:`program_of`), and a list that keeps them, if they are to be kept.

        Until then, each is encoded otherwise.
        """

    def take(self) -> tuple[Any, Any, Any, bytearray]:
        """What was taken so far: see :class:`Said`. The tape forgets it, and the type of its messages."""

    def __len__(self) -> int:
        """How many messages were taken."""


def new_tape(otherwise: Callable[[Message], bytes]) -> Tape:
    """An empty tape. ``otherwise`` encodes a message whose values are not plainly those of its type, or raises."""
    tape: Tape = PlainTape(otherwise) if compiled is None else compiled.Tape(otherwise)
    return tape


def contents_of(tape: Tape) -> Said:
    """What a tape has taken, which is the caller's from now on."""
    sent, arrived, lengths, data = tape.take()
    return Said(
        np.frombuffer(sent, np.int64),
        np.frombuffer(arrived, np.int64),
        np.frombuffer(lengths, np.int64),
        np.frombuffer(data, np.uint8),
    )


@cache
def program_of(message_type: type[Message]) -> Any:
    """What a tape must know of a type; nothing if none is compiled."""
    return None if compiled is None else compiled.Program(described(message_type))


def described(message_type: type[Message]) -> tuple[Any, ...]:
    """A type as the compiled tape reads it: a tree of its fields, in their order, with where each is in the object."""
    fields = tuple((field.name, _described(field)) for field in fields_of(message_type))
    return "struct", message_type, fields


def _described(field: Field) -> tuple[Any, ...]:
    longest = ANY if field.longest is None else field.longest
    if field.nested is not None:
        single = described(field.nested)
    elif field.base == "string":
        single = ("text", longest)
    elif field.size is None:
        single = ("number", PRIMITIVES[field.base])
    else:
        return "numbers", PRIMITIVES[field.base], field.size, ANY if field.most is None else field.most
    return single if field.size is None else ("items", single, field.size, ANY if field.most is None else field.most)


class PlainTape:
    """The same without anything compiled."""

    def __init__(self, otherwise: Callable[[Message], bytes]) -> None:
        self._encode = otherwise
        self._said: list[Message] | None = None
        self._forget()

    def begin(self, _program: None, said: list[Message] | None, /) -> None:
        """All messages are encoded alike, whatever their type: only whether to keep them matters."""
        self._said = said

    def __call__(self, row: Row, /) -> None:
        """Take a message."""
        sent_ns, arrived_ns, message = row
        encoded = self._encode(message)
        if self._said is not None:
            self._said.append(message)
        self._sent_ns.append(sent_ns)
        self._arrived_ns.append(arrived_ns)
        self._lengths.append(len(encoded))
        self._data += encoded

    def __len__(self) -> int:
        """How many messages were taken."""
        return len(self._lengths)

    def take(self) -> tuple[Any, Any, Any, bytearray]:
        """What was taken so far."""
        taken = self._sent_ns, self._arrived_ns, self._lengths, self._data
        self._said = None
        self._forget()
        return taken

    def _forget(self) -> None:
        self._sent_ns, self._arrived_ns, self._lengths = array("q"), array("q"), array("q")
        self._data = bytearray()
