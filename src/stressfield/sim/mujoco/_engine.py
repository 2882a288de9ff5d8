"""MuJoCo itself: the only place that imports it, so that its absence is one clear message; and whether it is well.

MuJoCo repairs a broken state silently, so :func:`check` asks it after every tick.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from stressfield.errors import NotInstalledError, PhysicsError

try:
    import mujoco
except ImportError as error:
    raise NotInstalledError(
        f"The MuJoCo simulator needs the package mujoco, which cannot be imported ({error}). "
        "Install it with: pip install 'stressfield[mujoco]'"
    ) from error

OLDEST = 4  # MjSpec and mj_multiRay are called here as this major version has them
if int(mujoco.__version__.split(".")[0]) < OLDEST:
    raise NotInstalledError(
        f"The MuJoCo simulator needs MuJoCo {OLDEST} or later, got {mujoco.__version__}. "
        "Install it with: pip install -U 'stressfield[mujoco]'"
    )


def _counted(message: str) -> None:
    """A warning of MuJoCo: it is in its counters, which are read after every tick (see :func:`check`)."""
    del message


if mujoco.get_mju_user_warning() is None:
    # Without a handler MuJoCo prints warnings and writes them to a file MUJOCO_LOG.TXT wherever the process is.
    mujoco.set_mju_user_warning(_counted)

__all__ = ["Data", "Model", "check", "mujoco", "warnings_of"]

Model: TypeAlias = Any
"""A ``mujoco.MjModel``; MuJoCo's own types are not known to the type checker."""

Data: TypeAlias = Any
"""A ``mujoco.MjData``."""

_WARNINGS = {
    "INERTIA": "a mass matrix that cannot be inverted",
    "CONTACTFULL": "too many contacts for its memory",
    "CNSTRFULL": "too many constraints for its memory",
    "BADQPOS": "a position that is not a number or huge",
    "BADQVEL": "a velocity that is not a number or huge",
    "BADQACC": "an acceleration that is not a number or huge",
    "BADCTRL": "a control signal that is not a number or huge",
}


def check(model: Model, data: Data, expected_s: float) -> None:
    """Raise PhysicsError if MuJoCo warned, its clock is not where it must be, or a number is not finite."""
    warned = warnings_of(data)
    if warned:
        raise PhysicsError(f"MuJoCo broke down before {expected_s:g} s: {', '.join(warned)}; wanted no warning.")
    # The clock is a sum of steps, so it is off by rounding, but never by half a step.
    if abs(data.time - expected_s) > 0.5 * model.opt.timestep:
        raise PhysicsError(
            f"MuJoCo's clock says {data.time:g} s; wanted {expected_s:g} s. A bad state makes it start again from zero."
        )
    if not (np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all() and np.isfinite(data.ctrl).all()):
        raise PhysicsError(f"The state of the physics is not finite at {expected_s:g} s; wanted finite numbers.")


def warnings_of(data: Data) -> list[str]:
    """What MuJoCo warned of so far, in words."""
    numbers = data.warning.number
    if not numbers.any():
        return []
    return [_words(i, int(count)) for i, count in enumerate(numbers.tolist()) if count]


def _words(kind: int, count: int) -> str:
    name = mujoco.mjtWarning(kind).name.removeprefix("mjWARN_")
    return f"{_WARNINGS.get(name, name)} ({count} times)"
