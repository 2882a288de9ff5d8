"""libsdformat's own opinion of an SDF file, asked in a process of its own (a native parser may crash)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from stressfield.errors import RigError, WorldError

LIBRARY = "libsdformat12.so.12"
NOT_INSTALLED = 77
_CHILD = f"""
import ctypes, os, sys
try:
    library = ctypes.CDLL({LIBRARY!r})
except OSError:
    os._exit({NOT_INSTALLED})
library.cmdCheck.argtypes, library.cmdCheck.restype = [ctypes.c_char_p], ctypes.c_int
code = library.cmdCheck(os.fsencode(sys.argv[1]))
sys.stderr.flush()
sys.exit(0 if code == 0 else 1)
"""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def check_sdf(path: Path, *, limit_s: float = 120.0) -> list[str]:
    """The errors and warnings that libsdformat has about the file; an empty list means that it is accepted.

    Raises RigError if libsdformat is not installed.
    """
    if not path.is_file():
        raise WorldError(f"Cannot check {str(path)!r}: there is no such file.")
    command = [sys.executable, "-I", "-c", _CHILD, str(path.resolve())]
    try:
        child = subprocess.run(command, capture_output=True, timeout=limit_s, check=False)  # noqa: S603 (own interpreter)
    except subprocess.TimeoutExpired:
        return [f"libsdformat did not finish with {path.name} within {limit_s:g} s."]
    if child.returncode == NOT_INSTALLED:
        raise RigError(
            f"libsdformat is not installed ({LIBRARY} was not found), so SDF files cannot be checked. "
            "Install Debian package libsdformat12-12."
        )
    text = _COLOUR.sub("", child.stderr.decode("utf-8", "replace"))
    messages = [line.strip() for line in text.splitlines() if line.strip()]
    if child.returncode < 0:
        messages.append(f"libsdformat crashed with signal {-child.returncode} on {path.name}.")
    elif child.returncode != 0 and not messages:
        messages.append(f"libsdformat rejected {path.name} without a message.")
    return messages
