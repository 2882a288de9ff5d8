"""A world as SDF text, for Gazebo and for reading back.

Bodies of one kind are the shapes of one link of one static model: libsdformat takes several times as long to check a
link per body, and longer still for a model per body. What SDF has no words for (regions, kinds, a body's exact foot,
a robot's full record) is in elements of the namespace ``urn:stressfield``, which SDF readers skip.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

from stressfield._files.disk import make_folder, write_file
from stressfield.errors import RigError, WorldError
from stressfield.world.actor import PlacedActor
from stressfield.world.bodies import Bodies, Body, Shape
from stressfield.world.drives import WheeledDrive
from stressfield.world.formats.actor_sdf import actor_sdf, own_attributes
from stressfield.world.formats.gazebo import (
    DEFAULT,
    HEIGHTMAP_IMAGE,
    TERRAIN_IMAGE,
    Flavour,
    GroundElements,
    flavour_of,
    ground_of,
    sensor_element,
    surroundings,
)
from stressfield.world.formats.gazebo_drive import NAMESPACE as GAZEBO_NAMESPACE
from stressfield.world.formats.gazebo_drive import box_inertia, casters, drive_plugin, wheels_sdf
from stressfield.world.formats.map import write_map
from stressfield.world.formats.png import terrain_png
from stressfield.world.formats.records import mission_to_json, robot_to_json
from stressfield.world.grid_map import OccupancyMap
from stressfield.world.mission import Mission
from stressfield.world.palette import rgb_of
from stressfield.world.robot import PlacedRobot, Robot
from stressfield.world.terrain import Terrain
from stressfield.world.world import Region, World

NAMESPACE = "urn:stressfield"
LIBRARY = "libsdformat12.so.12"
# Exit code of the process that asks libsdformat: none that Python or the library itself uses.
NOT_INSTALLED = 77
# What XML 1.0 cannot carry, not even escaped.
_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Names:
    """Hands out SDF names: safe characters, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, wish: str) -> str:
        """``wish`` or something near it that is not taken."""
        base = re.sub(r"[^A-Za-z0-9_.-]", "_", wish).strip("_") or "unnamed"
        base = "place" if base == "world" else base  # which SDF keeps for itself
        name, n = base, 1
        while name in self._taken:
            n += 1
            name = f"{base}_{n}"
        self._taken.add(name)
        return name


def world_sdf(world: World, *, gazebo: str = DEFAULT) -> str:
    """The whole ``world.sdf`` for a Gazebo, ``sim`` or ``classic``; uneven ground names an image beside it."""
    flavour = flavour_of(gazebo)
    return _world_sdf(world, flavour, ground_of(world.terrain, flavour))


def _world_sdf(world: World, flavour: Flavour, ground: GroundElements) -> str:
    names = _Names()
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<sdf version="{flavour.version}" xmlns:stressfield="{NAMESPACE}" xmlns:gz="{GAZEBO_NAMESPACE}">',
        f'<world name="{names.claim(world.name)}">',
        f'<stressfield:world label={_attribute(world.name, "world name")} terrain="{TERRAIN_IMAGE}"/>',
        *(f"<stressfield:kind label={_attribute(kind, 'kind')}/>" for kind in world.bodies.kinds),
        *(_region(region) for region in world.regions),
        surroundings(flavour, [placed.robot for placed in world.robots]),
        _ground(ground, names.claim("terrain")),
        *_body_models(world.bodies, names),
    ]
    for placed in world.robots:
        record = f"<stressfield:robot record={_attribute(robot_to_json(placed.robot), 'robot')}/>"
        z_m = float(world.terrain.height_at(np.array([placed.x_m]), np.array([placed.y_m]))[0])
        name = names.claim(placed.robot.name)
        parts.append(_robot_model(placed, name=name, z_m=z_m, record=record, flavour=flavour))
    parts += [_actor(placed, names.claim(placed.name), world.terrain) for placed in world.actors]
    return "\n".join([*parts, "</world>", "</sdf>", ""])


def _actor(placed: PlacedActor, name: str, terrain: Terrain) -> str:
    own = own_attributes(placed).items()
    attributes = " ".join(f"{field}={_attribute(text, f'actor {field}')}" for field, text in own)
    look = _material(placed.actor.kind)
    return actor_sdf(placed, name=name, attributes=attributes, material=look, terrain=terrain)


def _region(region: Region) -> str:
    edges = " ".join(
        f'{name}="{float(getattr(region, name))!r}"' for name in ("x_min_m", "y_min_m", "x_max_m", "y_max_m")
    )
    name, kind = _attribute(region.name, "region name"), _attribute(region.kind, "region kind")
    return f"<stressfield:region label={name} kind={kind} {edges}/>"


def _ground(ground: GroundElements, name: str) -> str:
    return (
        f'<model name="{name}"><static>true</static><link name="ground">\n'
        f'<collision name="collision">{ground.collision}</collision>\n'
        f'<visual name="visual">{ground.visual}{_material("ground")}</visual>\n'
        "</link></model>"
    )


def _body_models(bodies: Bodies, names: _Names) -> list[str]:
    for name in ("x_m", "y_m", "z_m", "size_x_m", "size_y_m", "height_m", "yaw_rad"):
        column = getattr(bodies, name)
        if not np.isfinite(column).all():
            i = int(np.flatnonzero(~np.isfinite(column))[0])
            raise WorldError(f"Body {bodies[i].name!r} has {name} = {float(column[i])!r}; SDF needs finite numbers.")
    models = []
    for code, kind in enumerate(bodies.kinds):
        indices = np.flatnonzero(bodies.kind == code).tolist()
        if indices:
            material = _material(kind)
            shapes = "\n".join(_body_shape(bodies[i], i, material) for i in indices)
            head = f'<model name="{names.claim(kind)}"><static>true</static>'
            mark = f"<stressfield:bodies kind={_attribute(kind, 'kind')}/>"
            models.append(f'{head}{mark}<link name="bodies">\n{shapes}\n</link></model>')
    return models


def _body_shape(body: Body, index: int, material: str) -> str:
    geometry = (
        f"<pose>{body.x_m!r} {body.y_m!r} {body.z_m + body.height_m / 2.0!r} 0 0 {body.yaw_rad!r}</pose>"
        f"<geometry>{_geometry(body)}</geometry>"
    )
    # The shape's centre does not give the foot back to the last bit, so the foot is noted as well.
    yields = ' gives_way="true"' if body.gives_way else ""
    foot = f'<stressfield:foot z_m="{body.z_m!r}"{yields}/>'
    if not body.solid:
        return f'<visual name="body_{index}">{geometry}{material}{foot}</visual>'
    surface = _GIVES_WAY if body.gives_way else ""
    return (
        f'<collision name="body_{index}">{geometry}{surface}{foot}</collision>'
        f'<visual name="look_{index}">{geometry}{material}</visual>'
    )


# Gazebo's physics touch nothing with an empty bitmask, and its lidars see it all the same.
_GIVES_WAY = "<surface><contact><collide_bitmask>0</collide_bitmask></contact></surface>"


def _geometry(body: Body) -> str:
    if body.shape is Shape.BOX:
        return f"<box><size>{body.size_x_m!r} {body.size_y_m!r} {body.height_m!r}</size></box>"
    round_above = body.size_x_m == body.size_y_m
    if not round_above or (body.shape is Shape.SPHERE and body.height_m != body.size_x_m):
        raise WorldError(
            f"Body {body.name!r} is a {body.shape.name.lower()} of {body.size_x_m} x {body.size_y_m} x "
            f"{body.height_m} m; SDF knows only round ones. Make its sizes equal or use a box."
        )
    if body.shape is Shape.SPHERE:
        return f"<sphere><radius>{body.size_x_m / 2.0!r}</radius></sphere>"
    return f"<cylinder><radius>{body.size_x_m / 2.0!r}</radius><length>{body.height_m!r}</length></cylinder>"


def _material(kind: str) -> str:
    colour = " ".join(f"{part / 255.0:.3f}" for part in rgb_of(kind))
    return f"<material><ambient>{colour} 1</ambient><diffuse>{colour} 1</diffuse></material>"


def _attribute(text: str, what: str) -> str:
    if _UNFIT.search(text):
        raise WorldError(f"The {what} {text!r} has characters that XML cannot carry. Use printable ones.")
    # brings half of urllib and ssl with it, which who writes no world should not wait for
    from xml.sax.saxutils import quoteattr  # noqa: PLC0415

    return quoteattr(text)


def _robot_model(placed: PlacedRobot, *, name: str, z_m: float, record: str, flavour: Flavour) -> str:
    """The model at its start. ``record`` is the element that carries the full robot for reading back."""
    robot = placed.robot
    return (
        f'<model name="{name}"><pose>{float(placed.x_m)!r} {float(placed.y_m)!r} {z_m!r} 0 0 '
        f"{float(placed.yaw_rad)!r}</pose>{record}\n{_chassis(robot, flavour)}\n{wheels_sdf(robot, flavour)}\n"
        f"{drive_plugin(robot, name, flavour)}</model>"
    )


def _chassis(robot: Robot, flavour: Flavour) -> str:
    radius = robot.drive.wheel_radius_m if isinstance(robot.drive, WheeledDrive) else 0.0
    clearance = min(radius, 0.3 * robot.height_m)
    height = robot.height_m - clearance
    geometry = (
        f"<pose>{robot.centre_offset_m!r} 0 {clearance + height / 2.0!r} 0 0 0</pose>"
        f"<geometry><box><size>{robot.length_m!r} {robot.width_m!r} {height!r}</size></box></geometry>"
    )
    sensors = "\n".join(text for i, sensor in enumerate(robot.sensors) if (text := sensor_element(sensor, i, flavour)))
    inertia = box_inertia(0.9 * robot.mass_kg, robot.length_m, robot.width_m, height)
    return (
        f'<link name="base"><inertial><pose>{robot.centre_offset_m!r} 0 {clearance + height / 2.0!r} 0 0 0</pose>'
        f'{inertia}</inertial>\n<collision name="body">{geometry}</collision>\n'
        f'{casters(robot, clearance)}\n<visual name="body_look">{geometry}'
        "<material><ambient>0.95 0.55 0.1 1</ambient><diffuse>0.95 0.55 0.1 1</diffuse></material></visual>\n"
        f"{sensors}\n</link>"
    )


def export_world(
    world: World,
    mission: Mission,
    folder: Path,
    *,
    gazebo: str = DEFAULT,
    map_resolution_m: float | None = None,
) -> tuple[Path, ...]:
    """Write ``world.sdf``, ``terrain.png`` and ``mission.json`` into ``folder``, and what goes with them; their paths.

    :meth:`stressfield.world.World.from_sdf` reads the same world back. Heights are stored as 16-bit grey levels: exact
    for terrains from ``perlin_terrain`` and ``quantise``, to half a level for others. ``gazebo`` is the one that shall
    run it, ``sim`` (Harmonic and later) or ``classic`` (Gazebo 11); uneven ground may need a ``heightmap.png`` of its
    own. With ``map_resolution_m`` a map for map servers is written, too: ``map.yaml`` and ``map.pgm``.
    """
    flavour = flavour_of(gazebo)
    ground = ground_of(world.terrain, flavour)
    sdf, note = _world_sdf(world, flavour, ground).encode(), mission_to_json(mission).encode()
    drawn = None if map_resolution_m is None else OccupancyMap.of(world, resolution_m=map_resolution_m)
    make_folder(folder)
    paths = [
        write_file(folder / "world.sdf", sdf),
        write_file(folder / TERRAIN_IMAGE, terrain_png(world.terrain)),
        write_file(folder / "mission.json", note),
    ]
    if ground.image is not None:
        paths.append(write_file(folder / HEIGHTMAP_IMAGE, ground.image))
    return (*paths, *(write_map(drawn, folder) if drawn is not None else ()))


# A native parser may crash, so libsdformat is asked in a process of its own.
_CHILD = f"""
import ctypes, os, sys
try:
    library = ctypes.CDLL({LIBRARY!r})
except OSError:
    os._exit({NOT_INSTALLED})
library.cmdCheck.argtypes, library.cmdCheck.restype = [ctypes.c_char_p], ctypes.c_int
code = library.cmdCheck(os.fsencode(sys.argv[1]))
sys.stderr.flush()
sys.exit(0 if code == 0 else 1)
"""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def check_sdf(path: Path, *, limit_s: float = 120.0) -> list[str]:
    """The errors and warnings that libsdformat has about the file; an empty list means that it is accepted.

    Raises RigError if libsdformat is not installed.
    """
    if not path.is_file():
        raise WorldError(f"Cannot check {str(path)!r}: there is no such file.")
    command = [sys.executable, "-I", "-c", _CHILD, str(path.resolve())]
    try:
        child = subprocess.run(command, capture_output=True, timeout=limit_s, check=False)  # noqa: S603 (own interpreter)
    except subprocess.TimeoutExpired:
        return [f"libsdformat did not finish with {path.name} within {limit_s:g} s."]
    if child.returncode == NOT_INSTALLED:
        raise RigError(
            f"libsdformat is not installed ({LIBRARY} was not found), so SDF files cannot be checked. "
            "Install Debian package libsdformat12-12."
        )
    text = _COLOUR.sub("", child.stderr.decode("utf-8", "replace"))
    messages = [line.strip() for line in text.splitlines() if line.strip()]
    if child.returncode < 0:
        messages.append(f"libsdformat crashed with signal {-child.returncode} on {path.name}.")
    elif child.returncode != 0 and not messages:
        messages.append(f"libsdformat rejected {path.name} without a message.")
    return messages
