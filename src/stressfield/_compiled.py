"""What is written in C, where it could be compiled when stressfield was installed.

Each part has a plain version beside it that does the same in Python, slower: tests hold the two to the same results.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

PARTS = ("stressfield.bus._agenda", "stressfield.trace._interleave", "stressfield.trace._tape")


def part(name: str) -> ModuleType | None:
    """A module; None where it was not compiled. One that is there and cannot be loaded is an error."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None


def missing() -> list[str]:
    """The parts that are not there."""
    return [name for name in PARTS if part(name) is None]
