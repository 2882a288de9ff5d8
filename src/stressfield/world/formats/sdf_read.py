"""Reading SDF worlds: our own exactly, foreign ones as far as they are boxes, cylinders and spheres on level ground."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from stressfield._files.disk import read_file
from stressfield._files.xml_text import XmlElement, parse_xml
from stressfield.errors import WorldError, did_you_mean
from stressfield.world.bodies import Bodies, Body
from stressfield.world.formats._sdf_shapes import (
    BODIES,
    BYTES_MAX,
    OURS,
    SdfPose,
    ShapeReader,
    name_of,
    number,
    pose_of,
)
from stressfield.world.formats.actor_sdf import placed_actor
from stressfield.world.formats.png import read_terrain_png
from stressfield.world.formats.records import robot_from_json
from stressfield.world.robot import PlacedRobot
from stressfield.world.sensors import Sensor
from stressfield.world.terrain import Terrain
from stressfield.world.world import Region, World

MARGIN_M = 5.0
LEVEL_M = 1e-6
"""Ground planes that differ by less are one."""

CALLER = 3
"""Frames between a warning and whoever called World.from_sdf."""


def sdf_world(
    path: Path,
    *,
    sensors: Sequence[type[Sensor]] = (),
    unreadable: Literal["error", "skip"] = "error",
    models: Sequence[Path] = (),
) -> World:
    """See :meth:`stressfield.world.World.from_sdf`."""
    if unreadable not in ("error", "skip"):
        hint = did_you_mean(str(unreadable), ("error", "skip"))
        raise WorldError(f"unreadable is 'error' or 'skip', got {unreadable!r}.{hint}")
    label = f"SDF file {str(path)!r}"
    data = read_file(path, what="SDF file", bytes_max=BYTES_MAX, error=WorldError)
    root = parse_xml(data, name=label, error=WorldError)
    worlds = root.all("world")
    if root.tag != "sdf" or len(worlds) != 1:
        raise WorldError(f"{label} needs <sdf> with one <world>; got <{root.tag}> with {len(worlds)}.")
    header = worlds[0].first(OURS + "world")
    reader = ShapeReader(path.parent, tuple(models), skip=unreadable == "skip" and header is None)
    try:
        world = _foreign(worlds[0], reader) if header is None else _own(worlds[0], header, reader, sensors)
    except WorldError as error:
        raise WorldError(f"{label}: {error}") from None
    if reader.skipped:
        missing = "\n".join(f"- {what}" for what in reader.skipped)
        warnings.warn(f"{label} is read without {len(reader.skipped)} of its elements:\n{missing}", stacklevel=CALLER)
    return world


def _foreign(world: XmlElement, reader: ShapeReader) -> World:
    bodies = list(reader.world_bodies(world))
    levels: list[float] = []
    for z_m, where in reader.grounds_m:
        if levels and abs(z_m - levels[0]) > LEVEL_M:
            reader.refuse(f"{where} is a plane at {z_m:g} m, and the ground is at {levels[0]:g} m; one can be read.")
        else:
            levels.append(z_m)
    ground = level_ground(bodies, levels[0] if levels else 0.0)
    return World(world.attributes.get("name", ""), ground, Bodies.of(bodies), ())


def level_ground(bodies: Sequence[Body], z_m: float) -> Terrain:
    """Flat ground that reaches ``MARGIN_M`` beyond every body."""
    x = [body.x_m for body in bodies] or [0.0]
    y = [body.y_m for body in bodies] or [0.0]
    reach = max([max(body.size_x_m, body.size_y_m) for body in bodies], default=0.0) + MARGIN_M
    size = max(max(x) - min(x), max(y) - min(y)) + 2.0 * reach
    return Terrain(np.full((2, 2), z_m), (min(x) + max(x) - size) / 2.0, (min(y) + max(y) - size) / 2.0, size)


def _own(world: XmlElement, header: XmlElement, reader: ShapeReader, sensors: Sequence[type[Sensor]]) -> World:
    image = header.attributes.get("terrain", "")
    if not image or Path(image).name != image:
        raise WorldError(f"the terrain image must be a plain file name beside the SDF file, got {image!r}.")
    marked = [model for model in world.all("model") if model.first(BODIES) is not None]
    kinds = tuple(kind.attributes.get("label", "") for kind in world.all(OURS + "kind"))
    return World(
        header.attributes.get("label", ""),
        read_terrain_png(reader.folder / image),
        _in_order([body for model in marked for body in reader.bodies_of(model, SdfPose(), name_of(model))], kinds),
        tuple(robot for model in world.all("model") if (robot := _robot(model, sensors)) is not None),
        tuple(_region(region) for region in world.all(OURS + "region")),
        tuple(placed_actor(note.attributes) for part in world.children if (note := part.first(OURS + "actor"))),
    )


def _in_order(found: list[Body], kinds: tuple[str, ...]) -> Bodies:
    """Bodies by the number in their names, with the kinds in their first order."""
    bodies = Bodies.of(sorted(found, key=_index))
    if unknown := sorted(set(bodies.kinds) - set(kinds)):
        raise WorldError(f"bodies are of kinds {', '.join(unknown)}, which no <stressfield:kind> declares.")
    recode = np.array([kinds.index(kind) for kind in bodies.kinds], dtype=np.int32)
    columns = {name: getattr(bodies, name) for name in bodies.__slots__ if name not in {"kinds", "kind"}}
    return Bodies(kinds=kinds, kind=recode[bodies.kind] if found else bodies.kind, **columns)


def _index(body: Body) -> int:
    digits = body.name.rpartition("_")[2]
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise WorldError(f"a {body.kind} is named {body.name!r}; a body's name ends in its number, as in 'body_7'.")
    return int(digits)


def _robot(model: XmlElement, sensors: Sequence[type[Sensor]]) -> PlacedRobot | None:
    note = model.first(OURS + "robot")
    if note is None:
        return None
    where = name_of(model)
    pose = pose_of(model, where)
    robot = robot_from_json(note.attributes.get("record", ""), sensors=sensors)
    return PlacedRobot(robot, pose.x_m, pose.y_m, pose.yaw_rad)


def _region(element: XmlElement) -> Region:
    label = element.attributes.get("label", "")
    edges = (
        number(element.attributes.get(name), f"region {label!r}: {name}")
        for name in ("x_min_m", "y_min_m", "x_max_m", "y_max_m")
    )
    return Region(label, element.attributes.get("kind", ""), *edges)
