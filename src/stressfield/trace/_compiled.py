"""What is written in C, where it could be compiled when stressfield was installed; None where it could not.

Each part has a plain version beside it that does the same in Python, slower: tests hold the two to the same bytes. A
part that is there and cannot be loaded is an error, not a reason to do without it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["interleave", "tape"]


def _found(name: str) -> ModuleType | None:
    try:
        return import_module(f"stressfield.trace.{name}")
    except ModuleNotFoundError:
        return None


tape = _found("_tape")
interleave = _found("_interleave")
