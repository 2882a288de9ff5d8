"""What the two Gazebos want of an SDF file, so that a world loads in them. What makes robots drive is beside it.

``classic`` is Gazebo 11 (SDF 1.7, an 8-bit image of the ground around the origin, plugins of its own without ROS);
``sim`` is Gazebo Harmonic and later (SDF 1.9, systems as plugins). The words and their meaning were taken from the
sources of both; where a Gazebo has no word for something, a comment in the file says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stressfield.errors import WorldError, did_you_mean
from stressfield.world.formats.png import GreyImage, encode_grey
from stressfield.world.robot import Robot
from stressfield.world.sensors import Sensor
from stressfield.world.terrain import LEVEL_MAX, Terrain, levels_of

TERRAIN_IMAGE = "terrain.png"
HEIGHTMAP_IMAGE = "heightmap.png"
POINTS_MAX = 2049
"""Along a side of an image for Gazebo: more than its renderer takes."""


class SensorWords(NamedTuple):
    """How a flavour calls a sensor and the element inside it, and the system that must run for it."""

    kind: str
    element: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flavour:
    """One Gazebo. ``sensors`` has a row for every kind that a sensor's own ``sdf()`` may name."""

    name: str
    version: str
    sensors: Mapping[str, SensorWords]
    grey_bits: int
    """Of the image of the ground: classic reads the first byte of a pixel, whatever its depth."""
    centred: bool
    """Whether the ground's collision shape is at the origin wherever the file puts it."""


CLASSIC = Flavour(
    name="classic",
    version="1.7",
    sensors={
        "gpu_lidar": SensorWords("ray", "ray"),
        "camera": SensorWords("camera"),
        "depth_camera": SensorWords("depth"),
        "sonar": SensorWords("sonar"),
        "navsat": SensorWords("gps", "gps"),
        "imu": SensorWords("imu"),
        "contact": SensorWords("contact"),
    },
    grey_bits=8,
    centred=True,
)

SIM = Flavour(
    name="sim",
    version="1.9",
    sensors={
        "gpu_lidar": SensorWords("gpu_lidar", system="sensors"),
        "camera": SensorWords("camera", system="sensors"),
        "depth_camera": SensorWords("depth_camera", system="sensors"),
        "navsat": SensorWords("navsat", system="navsat"),
        "imu": SensorWords("imu", system="imu"),
        "contact": SensorWords("contact", system="contact"),
    },
    grey_bits=16,
    centred=False,
)

FLAVOURS = {flavour.name: flavour for flavour in (SIM, CLASSIC)}
DEFAULT = SIM.name

_SYSTEMS = {
    "physics": "Physics",
    "user-commands": "UserCommands",
    "scene-broadcaster": "SceneBroadcaster",
    "sensors": "Sensors",
    "imu": "Imu",
    "contact": "Contact",
    "navsat": "NavSat",
}
_ALWAYS = ("physics", "user-commands", "scene-broadcaster")


def flavour_of(name: str) -> Flavour:
    """The Gazebo of that name."""
    found = FLAVOURS.get(name)
    if found is None:
        raise WorldError(f"Unknown Gazebo {name!r}. Wanted: {', '.join(FLAVOURS)}.{did_you_mean(name, FLAVOURS)}")
    return found


def surroundings(flavour: Flavour, robots: Iterable[Robot]) -> str:
    """Physics, the systems that the robots' sensors need, and daylight."""
    if flavour is CLASSIC:
        return f"{_physics('')}\n{_SUN}"
    needed = list(_ALWAYS)
    for robot in robots:
        for sensor in robot.sensors:
            found = sensor.sdf()
            words = flavour.sensors.get(found.kind) if found is not None else None
            if words is not None and words.system and words.system not in needed:
                needed.append(words.system)
    plugins = "\n".join(
        f'<plugin filename="gz-sim-{system}-system" name="gz::sim::systems::{_SYSTEMS[system]}">'
        f"{'<render_engine>ogre2</render_engine>' if system == 'sensors' else ''}</plugin>"
        for system in needed
    )
    place = ""
    if "navsat" in needed:
        place = (
            "\n<spherical_coordinates><surface_model>EARTH_WGS84</surface_model><latitude_deg>0</latitude_deg>"
            "<longitude_deg>0</longitude_deg><elevation>0</elevation><heading_deg>0</heading_deg></spherical_coordinates>"
        )
    # The detector that Gazebo's own example of a height map recommends.
    detector = "<dart><collision_detector>bullet</collision_detector></dart>"
    return f"{_physics(detector)}\n{plugins}{place}\n{_SUN}"


def _physics(more: str) -> str:
    return (
        '<physics name="default" type="ode"><max_step_size>0.001</max_step_size><real_time_factor>1</real_time_factor>'
        f"<real_time_update_rate>1000</real_time_update_rate>{more}</physics>"
    )


_SUN = """\
<light name="sun" type="directional">
<cast_shadows>true</cast_shadows><pose>0 0 10 0 0 0</pose><diffuse>0.9 0.9 0.85 1</diffuse>
<specular>0.2 0.2 0.2 1</specular><direction>-0.5 0.3 -1</direction>
</light>"""


def sensor_element(sensor: Sensor, index: int, flavour: Flavour) -> str:
    """The sensor's SDF element; a comment where this Gazebo has none, nothing where SDF has none."""
    from xml.sax.saxutils import escape  # noqa: PLC0415 (brings half of urllib with it)

    found = sensor.sdf()
    if found is None:
        return ""
    # A kind that stands in no table is one of a user's own sensor, who knows what Gazebo calls it.
    known = found.kind in CLASSIC.sensors or found.kind in SIM.sensors
    words = flavour.sensors.get(found.kind, None if known else SensorWords(found.kind))
    if words is None:
        return (
            f"<!-- no sensor {found.kind} in Gazebo {flavour.name} for {escape(sensor.topic).replace('--', '- -')} -->"
        )
    body = found.body
    if words.element:
        for mark in ("<", "</"):
            body = body.replace(f"{mark}{_element_of(found.kind)}>", f"{mark}{words.element}>")
    topic = escape(sensor.topic)
    if found.kind == "contact":
        body = body.replace("</contact>", f"<topic>{topic}</topic></contact>")
    return (
        f'<sensor name="{found.kind}_{index}" type="{words.kind}"><always_on>true</always_on>'
        f"<update_rate>{sensor.rate_hz!r}</update_rate><topic>{topic}</topic>{body}</sensor>"
    )


def _element_of(kind: str) -> str:
    """The element inside a sensor of that kind."""
    return kind.removeprefix("gpu_").removeprefix("depth_")


@dataclass(frozen=True, slots=True)
class GroundElements:
    """The ground as a flavour has it: the elements, and the image if it needs one that is not the terrain's own."""

    collision: str
    visual: str
    image: bytes | None = None


def ground_of(terrain: Terrain, flavour: Flavour) -> GroundElements:
    """A plane where all heights are the same; otherwise a height map with a square image of 2^n + 1 pixels a side."""
    x, y = terrain.x0_m + terrain.width_m / 2.0, terrain.y0_m + terrain.depth_m / 2.0
    low, high = float(terrain.heights_m.min()), float(terrain.heights_m.max())
    if low == high:
        shape = f"<plane><normal>0 0 1</normal><size>{terrain.width_m!r} {terrain.depth_m!r}</size></plane>"
        both = f"<pose>{x!r} {y!r} {low!r} 0 0 0</pose><geometry>{shape}</geometry>"
        return GroundElements(both, both)
    rows, columns = terrain.heights_m.shape
    if not flavour.centred and rows == columns and _fits(rows):
        levels = levels_of(terrain)
        # Gazebo stretches the lightest pixel of the image to the full height of <size>.
        size = terrain.width_m, terrain.depth_m, float(levels.grey.max()) * levels.step_m
        return _height_map(TERRAIN_IMAGE, (x, y, levels.z_min_m), size, flavour, None)
    if flavour.centred:
        x = y = 0.0
        reach = max(abs(terrain.x0_m), abs(terrain.x0_m + terrain.width_m))
        side_x = side_y = 2.0 * max(reach, abs(terrain.y0_m), abs(terrain.y0_m + terrain.depth_m))
    else:
        side_x, side_y = terrain.width_m, terrain.depth_m
    points = _points(max(side_x, side_y) / terrain.cell_m)
    across = x - side_x / 2.0 + np.arange(points) * (side_x / (points - 1))
    along = y - side_y / 2.0 + np.arange(points) * (side_y / (points - 1))
    heights = terrain.height_at(*np.meshgrid(across, along))
    low, high = float(heights.min()), float(heights.max())
    level_max = 2**flavour.grey_bits - 1
    grey = np.rint((heights - low) / (high - low or 1.0) * level_max)[::-1]
    image = encode_grey(GreyImage((grey * (LEVEL_MAX // level_max)).astype(np.uint16)), bits=flavour.grey_bits)
    return _height_map(HEIGHTMAP_IMAGE, (x, y, low), (side_x, side_y, high - low or 1.0), flavour, image)


def _height_map(
    name: str, at: tuple[float, float, float], size: tuple[float, float, float], flavour: Flavour, image: bytes | None
) -> GroundElements:
    uri = f"file://{name}" if flavour is CLASSIC else name
    sizes, place = (" ".join(repr(number) for number in numbers) for numbers in (size, at))
    head = f"<heightmap><uri>{uri}</uri><size>{sizes}</size>"

    def geometry(pos: str) -> str:
        return f"<geometry>{head}<pos>{pos}</pos><sampling>1</sampling></heightmap></geometry>"

    if flavour.centred:
        # Only the height of <pos> moves the collision shape; the picture of the ground follows all of it.
        return GroundElements(geometry(place), geometry(place), image)
    # The collision shape is where its <pose> is and knows no <pos>; the picture of the ground is at its <pos>.
    return GroundElements(f"<pose>{place} 0 0 0</pose>{geometry('0 0 0')}", geometry(place), image)


def _fits(points: int) -> bool:
    return points > 2 and (points - 1) & (points - 2) == 0


def _points(cells: float) -> int:
    """The least 2^n + 1 with cells no larger than wanted, within what Gazebo takes."""
    doublings = max(2, math.ceil(math.log2(max(cells, 1.0)) - 1e-9))
    return min(POINTS_MAX, (1 << doublings) + 1)
