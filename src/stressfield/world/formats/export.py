"""A world and its mission as files that other tools open."""

from __future__ import annotations

from pathlib import Path

from stressfield._files.disk import make_folder, write_file
from stressfield.world.formats.heightmap import terrain_png
from stressfield.world.formats.records import mission_to_json
from stressfield.world.formats.sdf import TERRAIN_IMAGE, world_sdf
from stressfield.world.mission import Mission
from stressfield.world.world import World


def export_world(world: World, mission: Mission, folder: Path) -> tuple[Path, ...]:
    """Write ``world.sdf``, ``terrain.png`` and ``mission.json`` into ``folder``; returns the three paths.

    :func:`stressfield.world.read_sdf` reads the same world back. Terrain heights are stored as 16-bit grey levels:
    exact for terrains from ``perlin_terrain`` and ``quantise``, to half a level for others.
    """
    sdf, note = world_sdf(world).encode(), mission_to_json(mission).encode()
    make_folder(folder)
    return (
        write_file(folder / "world.sdf", sdf),
        write_file(folder / TERRAIN_IMAGE, terrain_png(world.terrain)),
        write_file(folder / "mission.json", note),
    )
