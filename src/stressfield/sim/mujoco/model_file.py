"""A user's own model file (MJCF), tried out in a process of its own first: a native parser may crash or hang."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from stressfield.errors import InputError
from stressfield.sim.mujoco._engine import mujoco

BYTES_MAX = 50_000_000
MEMORY_MAX = 8 << 30
LIMIT_S = 60.0
REJECTED = 76  # an exit code that neither Python nor a signal uses
_CHILD = f"""
import json, os, resource, sys
sys.path[:] = json.loads(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_MAX}, {MEMORY_MAX}))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
import mujoco
mujoco.set_mju_user_warning(lambda said: None)  # which would write a file MUJOCO_LOG.TXT
try:
    mujoco.MjSpec.from_file(sys.argv[2]).compile()
except Exception as error:
    sys.stdout.buffer.write(" ".join(str(error).split()).encode("utf-8", "replace"))
    sys.stdout.flush()
    os._exit({REJECTED})
os._exit(0)
"""


def check_mjcf(path: Path) -> None:
    """InputError unless MuJoCo accepts the file. Each version of it is tried once, however often this is asked."""
    found = _stat(path)
    if found.st_size > BYTES_MAX:
        raise InputError(f"The model file {path} has {found.st_size} bytes; wanted at most {BYTES_MAX}.")
    _try_out(path.absolute(), found.st_mtime_ns, found.st_size)


def read_mjcf(path: Path) -> mujoco.MjSpec:
    """The model in an MJCF file. What MuJoCo rejects is an InputError that names the file, and the line if known."""
    check_mjcf(path)
    try:
        return mujoco.MjSpec.from_file(str(path))
    except (ValueError, OSError) as error:
        said = " ".join(str(error).split())
        raise InputError(f"MuJoCo rejects the model file {path}: {said}") from error


@lru_cache(maxsize=16)
def _try_out(path: Path, changed_ns: int, size: int) -> None:
    """Read and compile it elsewhere. Errors are not remembered: a mesh beside it may be there the next time."""
    del changed_ns, size
    command = [sys.executable, "-c", _CHILD, json.dumps(sys.path), str(path)]
    try:
        child = subprocess.run(  # noqa: S603 (own interpreter)
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise InputError(
            f"MuJoCo did not finish with the model file {path} within {LIMIT_S:g} s. Make the model smaller."
        ) from None
    if child.returncode == REJECTED:
        said = child.stdout.decode("utf-8", "replace")
        raise InputError(f"MuJoCo rejects the model file {path}: {said}")
    if child.returncode != 0:
        last = child.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        said = f": {last[0]:.300}" if last else "."
        raise InputError(f"MuJoCo crashed on the model file {path} ({_ended(child.returncode)}){said}")


def _ended(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise InputError(f"Cannot read the model file {path}: {error.strerror}.") from error
