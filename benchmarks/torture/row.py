"""One row of the table: a fault, the figure to reach, and what came out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done: ``pick(quick, full)``. ``folder`` is for files, emptied afterwards."""

    quick: bool
    folder: Path

    def pick(self, quick: int, full: int) -> int:
        return quick if self.quick else full


@dataclass(frozen=True, slots=True)
class Figure:
    """What was found. ``untested`` says what this row could not try here."""

    passed: bool
    text: str
    untested: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """``try_out`` does it."""

    name: str
    fault: str
    wanted: str
    try_out: Callable[[Size], Figure]
