"""Whether the physics can be believed: MuJoCo repairs a broken state silently, so it is asked after every tick."""

from __future__ import annotations

import numpy as np

from stressfield.errors import PhysicsError
from stressfield.sim.mujoco.device import Data, Model
from stressfield.sim.mujoco.library import mujoco

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
