"""A world as an MJCF file, to open in MuJoCo's viewer or to go on from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stressfield._files.disk import make_folder, write_file
from stressfield.sim.mujoco.building import compiled, world_spec
from stressfield.sim.mujoco.material import Material
from stressfield.world import World

TIMESTEP_S = 0.005


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
