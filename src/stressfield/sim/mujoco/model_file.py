"""MuJoCo's model files (MJCF): a world written as one, and a user's own read."""

from __future__ import annotations

from pathlib import Path

from stressfield.errors import InputError
from stressfield.sim.mujoco.library import mujoco

BYTES_MAX = 50_000_000


def read_mjcf(path: Path) -> mujoco.MjSpec:
    """The model in an MJCF file. What MuJoCo rejects is an InputError that names the file, and the line if known."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(f"Cannot read the model file {path}: {error.strerror}.") from error
    if size > BYTES_MAX:
        raise InputError(f"The model file {path} has {size} bytes; wanted at most {BYTES_MAX}.")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.copy().compile()
    except (ValueError, OSError) as error:
        said = " ".join(str(error).split())
        raise InputError(f"MuJoCo rejects the model file {path}: {said}") from error
    return spec
