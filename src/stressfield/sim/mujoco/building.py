"""A scenario as a MuJoCo model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stressfield.errors import InputError, WorldError
from stressfield.sim.mujoco.device import Device, Model
from stressfield.sim.mujoco.library import mujoco
from stressfield.sim.mujoco.material import Material
from stressfield.sim.mujoco.model_file import read_mjcf
from stressfield.sim.mujoco.scene import GROUND, add_bodies, add_daylight, add_ground
from stressfield.sim.mujoco.vehicle import GRAVITY_MPS2, add_robot
from stressfield.world import World

IMPRATIO = 10.0


def world_spec(
    world: World,
    *,
    timestep_s: float,
    devices: Sequence[Device] = (),
    materials: Mapping[str, Material] | None = None,
    model_file: Path | None = None,
) -> mujoco.MjSpec:
    """Ground, bodies, robots, then the devices in order. A user's model keeps its own ground if it has one."""
    spec = mujoco.MjSpec() if model_file is None else read_mjcf(model_file)
    spec.modelname = world.name
    option = spec.option
    option.timestep = timestep_s
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = IMPRATIO
    option.gravity = [0.0, 0.0, -GRAVITY_MPS2]
    if model_file is None:
        add_daylight(spec)
    if spec.geom(GROUND) is None:
        add_ground(spec, world.terrain)
    add_bodies(spec, world, materials or {})
    for placed in world.robots:
        if spec.body(placed.robot.name) is not None:
            raise WorldError(
                f"The model has two bodies called {placed.robot.name!r}: a robot of the world {world.name!r} and "
                "another; wanted a name of its own for each."
            )
        height = world.terrain.height_at(np.array([placed.x_m]), np.array([placed.y_m]))
        add_robot(spec, placed, z_m=float(height[0]))
    for device in devices:
        device.add(spec)
    return spec


def compiled(spec: mujoco.MjSpec) -> Model:
    """The model. A part that MuJoCo cannot accept is the fault of who gave it."""
    try:
        return spec.compile()
    except ValueError as error:
        raise InputError(f"MuJoCo rejects the model {spec.modelname!r}: {' '.join(str(error).split())}") from error
