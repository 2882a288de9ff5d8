"""A world as a MuJoCo model: what bodies are made of, the ground, the bodies, the robots, and MJCF files.

The world knows shapes and places; weight and grip belong to the simulator.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stressfield._files.disk import make_folder, write_file
from stressfield.errors import InputError, WorldError
from stressfield.sim.mujoco._engine import Model, mujoco
from stressfield.sim.mujoco._model_body import add_model
from stressfield.sim.mujoco._robots import add_robot
from stressfield.sim.mujoco._vehicle import GRAVITY_MPS2
from stressfield.sim.mujoco.device import Device
from stressfield.sim.mujoco.model_file import read_mjcf
from stressfield.world import Body, Shape, Terrain, World
from stressfield.world.model_drive import ModelDrive, PartDrive
from stressfield.world.palette import rgb_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Weight and grip of all bodies of a kind. A body without ``mass_kg`` stands fast; one with it can be pushed."""

    mass_kg: float | None = None
    friction: float = 0.8

    def __post_init__(self) -> None:
        if self.mass_kg is not None and not (math.isfinite(self.mass_kg) and self.mass_kg > 0.0):
            raise InputError(f"A Material needs a mass_kg above zero, or None to stand fast; got {self.mass_kg!r}.")
        if not (math.isfinite(self.friction) and self.friction >= 0.0):
            raise InputError(f"A Material needs a friction of zero or more; got {self.friction!r}.")


GROUND = "ground"
GROUND_GROUP = 5
GROUND_FRICTION = 0.8
BASE_M = 1.0
"""How thick the ground is below its lowest point."""

MARGIN_M = 3.0
"""How far the ground goes on beyond the border of the terrain, as high as there."""

_FIXED = Material()


def add_ground(spec: mujoco.MjSpec, terrain: Terrain) -> None:
    """A height field, or a plane where all heights are the same (it never ends)."""
    heights = terrain.heights_m
    low, high = float(heights.min()), float(heights.max())
    if low == high:
        geom = spec.worldbody.add_geom(name=GROUND, type=mujoco.mjtGeom.mjGEOM_PLANE)
        geom.pos = [0.0, 0.0, low]
        geom.size = [0.0, 0.0, 1.0]
    else:
        margin = math.ceil(MARGIN_M / terrain.cell_m)
        wider = np.pad(heights, margin, mode="edge")
        field = spec.add_hfield(name=GROUND)
        field.nrow, field.ncol = wider.shape
        half = (np.array(wider.shape[::-1]) - 1.0) * terrain.cell_m / 2.0
        field.size = [half[0], half[1], high - low, BASE_M]
        field.userdata = ((wider - low) / (high - low)).ravel().astype(np.float32)
        geom = spec.worldbody.add_geom(name=GROUND, type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname=GROUND)
        geom.pos = [terrain.x0_m + terrain.width_m / 2.0, terrain.y0_m + terrain.depth_m / 2.0, low]
    geom.group = GROUND_GROUP
    geom.friction = [GROUND_FRICTION, 0.005, 0.0001]
    geom.rgba = _colour("ground")


def add_daylight(spec: mujoco.MjSpec) -> None:
    """Light from the sun and the sky, for pictures."""
    spec.visual.headlight.ambient = [0.42, 0.42, 0.42]
    spec.visual.headlight.diffuse = [0.25, 0.25, 0.25]
    sun = spec.worldbody.add_light(name="sun", dir=[0.4, 0.3, -0.85], diffuse=[0.75, 0.73, 0.68], castshadow=False)
    sun.type = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.72, 0.82, 0.92],
        rgb2=[0.93, 0.95, 0.97],
        width=64,
        height=64,
    )


def add_bodies(spec: mujoco.MjSpec, world: World, materials: Mapping[str, Material]) -> None:
    """All bodies. Those that give way (plants, weeds) can be seen by sensors and are touched by nothing."""
    stops = world.bodies.blocks.tolist()
    for i, body in enumerate(world.bodies):
        material = materials.get(body.kind, _FIXED)
        if material.mass_kg is None:
            _add_geom(
                spec.worldbody, f"body_{i}", body, material, stops=stops[i], at=_middle(body), yaw_rad=body.yaw_rad
            )
        else:
            loose = spec.worldbody.add_body(name=f"body_{i}")
            loose.pos, loose.quat = _middle(body), _about_z(body.yaw_rad)
            loose.add_freejoint(name=f"body_{i}")
            geom = _add_geom(loose, f"body_{i}", body, material, stops=True, at=(0.0, 0.0, 0.0), yaw_rad=0.0)
            geom.mass = material.mass_kg


def add_actors(spec: mujoco.MjSpec, world: World) -> None:
    """All actors, as bodies that go where the session puts them, whatever pushes them."""
    for i, placed in enumerate(world.actors):
        actor = placed.actor
        z = float(world.terrain.height_at(np.array([placed.x_m]), np.array([placed.y_m]))[0])
        body = Body(
            placed.name, actor.kind, actor.shape, placed.x_m, placed.y_m, z, actor.size_x_m, actor.size_y_m,
            actor.height_m,
        )  # fmt: skip
        moved = spec.worldbody.add_body(name=f"actor_{i}", mocap=True)
        moved.pos, moved.quat = _middle(body), _about_z(placed.yaw_rad)
        _add_geom(moved, f"actor_{i}", body, _FIXED, stops=True, at=(0.0, 0.0, 0.0), yaw_rad=0.0)


def _add_geom(
    parent: mujoco.MjsBody,
    name: str,
    body: Body,
    material: Material,
    *,
    stops: bool,
    at: tuple[float, float, float],
    yaw_rad: float,
) -> mujoco.MjsGeom:
    geom = parent.add_geom(name=name)
    half = body.size_x_m / 2.0
    if body.shape == Shape.SPHERE:
        geom.type, geom.size = mujoco.mjtGeom.mjGEOM_SPHERE, [half, 0.0, 0.0]
    elif body.shape == Shape.CYLINDER:
        geom.type, geom.size = mujoco.mjtGeom.mjGEOM_CYLINDER, [half, body.height_m / 2.0, 0.0]
    else:
        geom.type, geom.size = mujoco.mjtGeom.mjGEOM_BOX, [half, body.size_y_m / 2.0, body.height_m / 2.0]
    geom.pos, geom.quat = at, _about_z(yaw_rad)
    geom.friction = [material.friction, 0.005, 0.0001]
    if not stops:
        geom.contype = geom.conaffinity = 0
    geom.rgba = _colour(body.kind)
    return geom


def _middle(body: Body) -> tuple[float, float, float]:
    rise = body.size_x_m / 2.0 if body.shape == Shape.SPHERE else body.height_m / 2.0
    return body.x_m, body.y_m, body.z_m + rise


def _about_z(yaw_rad: float) -> list[float]:
    return [math.cos(yaw_rad / 2.0), 0.0, 0.0, math.sin(yaw_rad / 2.0)]


def _colour(kind: str) -> list[float]:
    return [part / 255.0 for part in rgb_of(kind)] + [1.0]


IMPRATIO = 10.0
"""Friction harder than normal forces, as MuJoCo advises for elliptic cones: what stands on a slope does not creep."""


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
    add_actors(spec, world)
    for placed in world.robots:
        if isinstance(placed.robot.drive, PartDrive):
            continue  # it comes with its model
        if spec.body(placed.robot.name) is not None:
            raise WorldError(
                f"The model has two bodies called {placed.robot.name!r}: a robot of the world {world.name!r} and "
                "another; wanted a name of its own for each."
            )
        height = world.terrain.height_at(np.array([placed.x_m]), np.array([placed.y_m]))
        if isinstance(placed.robot.drive, ModelDrive):
            add_model(spec, placed, z_m=float(height[0]))
        else:
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


TIMESTEP_S = 0.005
"""Of exported files; that of MujocoSimulator."""


def world_mjcf(world: World, *, materials: Mapping[str, Material] | None = None) -> str:
    """The text of an MJCF file with the ground, the bodies, and the robots at their start. It needs no other file."""
    spec = world_spec(world, timestep_s=TIMESTEP_S, materials=materials)
    compiled(spec)
    text: str = spec.to_xml()
    return text


def export_mjcf(world: World, folder: Path, *, materials: Mapping[str, Material] | None = None) -> Path:
    """Write ``world.mjcf.xml`` into ``folder``; returns its path."""
    make_folder(folder)
    return write_file(folder / "world.mjcf.xml", world_mjcf(world, materials=materials).encode())
