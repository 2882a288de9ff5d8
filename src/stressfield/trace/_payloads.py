"""Payloads: the encoded messages of one topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message
from stressfield.trace._tapes import contents_of, new_tape, program_of


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
    tape = new_tape(encode)
    tape.begin(program_of(message_type), None)
    for message in messages:
        tape((0, 0, message))
    found = contents_of(tape)
    return Payloads(found.data, found.lengths)
