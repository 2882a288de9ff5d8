"""Where the wall time of a run goes. It measures; nothing in a run depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter


@dataclass(slots=True)
class Stopwatch:
    """Seconds of wall time by part of the rig: engine, subject, bus, recording, judging, store."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, part: str) -> Iterator[None]:
        """Count the time of a block for a part."""
        begin = perf_counter()
        try:
            yield
        finally:
            self.add(part, perf_counter() - begin)

    def add(self, part: str, seconds: float) -> None:
        """Count seconds for a part."""
        self.seconds[part] = self.seconds.get(part, 0.0) + seconds
