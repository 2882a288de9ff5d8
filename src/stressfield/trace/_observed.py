"""What robots and actors have in common to an observer: rows of numbers, each seen at a time, written as messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message
from stressfield.errors import TraceError
from stressfield.trace._layout import Layout, layout_of


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Rows of ``values``, [n, columns], observed at ``time_ns`` (never decreasing). The first three are a place."""

    columns: ClassVar[tuple[str, ...]]
    whose: ClassVar[str]
    """Of whom an error speaks."""

    time_ns: NDArray[np.int64]
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        wanted = (len(self.time_ns), len(self.columns))
        if self.values.shape != wanted:
            raise TraceError(
                f"The truth of {self.whose} has shape {self.values.shape}, wanted {wanted}: {', '.join(self.columns)}."
            )
        if len(self.time_ns) and (self.time_ns[0] < 0 or (np.diff(self.time_ns) < 0).any()):
            raise TraceError(
                f"Times of the truth of {self.whose} run backwards or below zero; wanted observations in order."
            )

    def __len__(self) -> int:
        return len(self.time_ns)

    @property
    def time_s(self) -> NDArray[np.float64]:
        """Times in seconds."""
        return np.true_divide(self.time_ns, 1e9, dtype=np.float64)

    @property
    def x_m(self) -> NDArray[np.float64]:
        return self.values[:, 0]

    @property
    def y_m(self) -> NDArray[np.float64]:
        return self.values[:, 1]

    @property
    def z_m(self) -> NDArray[np.float64]:
        """Height: of a robot's origin, of an actor's foot."""
        return self.values[:, 2]


def stamped_rows(sample: Message, time_ns: NDArray[np.int64]) -> tuple[Layout, NDArray[np.uint8]]:
    """The bytes of as many copies of a message as there are times, each with its stamp; numbers are filled in later."""
    layout = layout_of(type(sample), encode(sample))
    rows = np.empty((len(time_ns), len(layout.sample)), np.uint8)
    rows[:] = np.frombuffer(layout.sample, np.uint8)
    layout.column(rows, "header.stamp.sec")[:] = time_ns // 1_000_000_000
    layout.column(rows, "header.stamp.nanosec")[:] = time_ns % 1_000_000_000
    return layout, rows
