"""MuJoCo's model files (MJCF): a world written as one, and a user's own read."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from stressfield.errors import InputError
from stressfield.sim.mujoco.library import mujoco

BYTES_MAX = 50_000_000


def check_mjcf(path: Path) -> None:
    """InputError unless MuJoCo accepts the file. Each version of it is read once, however often this is asked."""
    _accepted(path, _stat(path).st_mtime_ns)


@lru_cache(maxsize=16)
def _accepted(path: Path, changed_ns: int) -> None:
    del changed_ns
    read_mjcf(path)


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise InputError(f"Cannot read the model file {path}: {error.strerror}.") from error


def read_mjcf(path: Path) -> mujoco.MjSpec:
    """The model in an MJCF file. What MuJoCo rejects is an InputError that names the file, and the line if known."""
    size = _stat(path).st_size
    if size > BYTES_MAX:
        raise InputError(f"The model file {path} has {size} bytes; wanted at most {BYTES_MAX}.")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.copy().compile()
    except (ValueError, OSError) as error:
        said = " ".join(str(error).split())
        raise InputError(f"MuJoCo rejects the model file {path}: {said}") from error
    return spec
