"""Payloads: the encoded messages of one topic."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message

if TYPE_CHECKING:
    from stressfield.trace._transcription import Transcript

BLOCK_BYTES = 1 << 20
"""Of memory that an encoder takes at once: some tens of seconds of what a robot says."""


@dataclass(frozen=True, eq=False)
class Payloads:
    """Encoded messages back to back in ``flat``; message i has ``lengths[i]`` bytes."""

    flat: NDArray[np.uint8]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, items: Sequence[bytes | memoryview]) -> Payloads:
        """Collect single payloads."""
        lengths = np.fromiter(map(len, items), np.int64, len(items))
        return cls(np.frombuffer(b"".join(items), np.uint8), lengths)

    @classmethod
    def of_rows(cls, rows: NDArray[np.uint8]) -> Payloads:
        """Payloads of one length, as the rows of a matrix."""
        return cls(np.ascontiguousarray(rows).reshape(-1), np.full(len(rows), rows.shape[1], np.int64))

    def __len__(self) -> int:
        return len(self.lengths)

    def ordered(self, order: NDArray[np.intp]) -> Payloads:
        """The same payloads in another order."""
        rows = self.rows()
        if rows is not None:
            return Payloads.of_rows(rows[order])
        items = self.items()
        return Payloads.of([items[place] for place in order.tolist()])

    def rows(self) -> NDArray[np.uint8] | None:
        """A matrix with one payload per row, or None when lengths differ or there is no payload."""
        if not len(self.lengths) or (self.lengths != self.lengths[0]).any():
            return None
        return self.flat.reshape(len(self.lengths), int(self.lengths[0]))

    def items(self) -> list[bytes]:
        """Each payload on its own."""
        data = self.flat.tobytes()
        ends = np.cumsum(self.lengths).tolist()
        return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def encode_all(message_type: type[Message], messages: Sequence[Message]) -> Payloads:
    """The CDR bytes of many messages of one type. Raises TraceError when a value does not fit its ROS type."""
    return _at_once(message_type, messages) or _one_by_one(messages)


class Encoder:
    """Encodes messages of many topics by and by: all that came since the last time at once, if that is possible."""

    def __init__(self) -> None:
        self._transcript: Transcript | None = None
        self._odd = set[type[Message]]()
        """Types of which there were messages that had to be encoded one by one: they must not hold up the others."""

    def encode(self, groups: Sequence[tuple[type[Message], Sequence[Message]]]) -> list[Payloads]:
        """A group of messages of each type, which may be of none. Raises TraceError when a value does not fit."""
        plain = [(kind, messages) for kind, messages in groups if kind not in self._odd]
        found = self._together(plain) if "numba" in sys.modules else None
        if found is None:
            return [self._alone(kind, messages) for kind, messages in groups]
        if len(plain) == len(groups):
            return found
        rest = iter(found)
        return [self._alone(kind, messages) if kind in self._odd else next(rest) for kind, messages in groups]

    def _together(self, groups: Sequence[tuple[type[Message], Sequence[Message]]]) -> list[Payloads] | None:
        if self._transcript is None:
            from stressfield.trace._transcription import Transcript  # noqa: PLC0415 (numba)

            self._transcript = Transcript(BLOCK_BYTES)
        kinds, messages = zip(*groups, strict=True) if groups else ((), ())
        found = self._transcript.of(kinds, messages)
        return None if found is None else [Payloads(*item) for item in found]

    def _alone(self, kind: type[Message], messages: Sequence[Message]) -> Payloads:
        found = _at_once(kind, messages)
        if found is None and messages:
            self._odd.add(kind)
        return found or _one_by_one(messages)


def _at_once(message_type: type[Message], messages: Sequence[Message]) -> Payloads | None:
    # In a process without kernels, to import numba would take longer than it spares.
    if not messages or "numba" not in sys.modules:
        return None
    from stressfield.trace._transcription import transcribed  # noqa: PLC0415 (numba)

    found = transcribed(message_type, messages)
    return None if found is None else Payloads(*found)


def _one_by_one(messages: Sequence[Message]) -> Payloads:
    return Payloads.of([encode(message) for message in messages])
