"""What is written in C, where it could be compiled when stressfield was installed.

Each part has a plain version beside it that does the same in Python, slower: tests hold the two to the same results.
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from pathlib import Path
from types import ModuleType

from stressfield.errors import NotInstalledError

PARTS = ("stressfield.bus._agenda", "stressfield.trace._interleave", "stressfield.trace._tape")


def part(name: str) -> ModuleType | None:
    """A module; None where it was not compiled. One that is there and cannot be used is an error."""
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # it is there, and lacks something else
            raise
        return None
    source = Path(module.__file__ or "").with_name(f"{name.rpartition('.')[2]}.c")
    # A clone that was updated, or edited: what runs would not be what can be read.
    if source.is_file() and hashlib.sha256(source.read_bytes()).hexdigest() != module.SOURCE:
        raise NotInstalledError(
            f"{name} was compiled from another source than {source.name} is now. "
            "Install stressfield again: 'make demo', or 'pip install -e .'."
        )
    return module


def missing() -> list[str]:
    """The parts that are not there."""
    return [name for name in PARTS if part(name) is None]
