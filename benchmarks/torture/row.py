"""One row of the table: a fault, the figure to reach, and what came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done: ``pick(quick, full)``. ``folder`` is for files, emptied afterwards.

    Not ``timed``: on a machine that has other things to do, figures of time are told and not judged.
    """

    quick: bool
    folder: Path
    timed: bool = True

    def pick(self, quick: int, full: int) -> int:
        return quick if self.quick else full

    def within(self, got: float, limit: float) -> bool:
        """Whether a figure of time is good enough."""
        return got <= limit or not self.timed


@dataclass(frozen=True, slots=True)
class Figure:
    """What was found. ``untested`` says what this row could not try here; ``table`` has a row of headings first."""

    passed: bool
    text: str
    untested: str = ""
    table: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """``try_out`` does it. ``on_disk``: its files are to meet a real disk, not memory."""

    name: str
    fault: str
    wanted: str
    try_out: Callable[[Size], Figure]
    on_disk: bool = True
