"""How worlds go to files and come back: SDF with an image of the ground, JSON for missions and robots.

================== =====================================================================
export_world       writes world.sdf, terrain.png and mission.json
world_sdf          a world as the text of an SDF file
read_map           a map of a map server (ROS, Nav2); write_map writes one
check_sdf          libsdformat's own opinion of a file
terrain_png        ground as a greyscale image; read_terrain_png reads it
encode_colour      a picture in colour as the bytes of a PNG file
mission_to_json    missions and robots as JSON, and back
================== =====================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.world.formats.map import read_map, write_map
    from stressfield.world.formats.png import encode_colour, read_terrain_png, terrain_png
    from stressfield.world.formats.records import mission_from_json, mission_to_json, robot_from_json, robot_to_json
    from stressfield.world.formats.sdf import check_sdf, export_world, world_sdf

__all__ = [
    "check_sdf",
    "encode_colour",
    "export_world",
    "mission_from_json",
    "mission_to_json",
    "read_map",
    "read_terrain_png",
    "robot_from_json",
    "robot_to_json",
    "terrain_png",
    "world_sdf",
    "write_map",
]

lazy_names(__name__)
