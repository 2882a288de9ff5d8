"""Reading SDF worlds: our own exactly, foreign ones as far as they are boxes, cylinders and spheres on level ground."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stressfield._files.disk import read_file
from stressfield._files.xml_text import XmlElement, parse_xml
from stressfield.errors import WorldError
from stressfield.world.bodies import Bodies, Body, Shape
from stressfield.world.formats.actor_sdf import placed_actor
from stressfield.world.formats.png import read_terrain_png
from stressfield.world.formats.records import robot_from_json
from stressfield.world.robot import PlacedRobot
from stressfield.world.sensors import Sensor
from stressfield.world.terrain import Terrain
from stressfield.world.world import Region, World

OURS = "{urn:stressfield}"
FOOT = OURS + "foot"
BODIES = OURS + "bodies"
BYTES_MAX = 64 * 1024 * 1024
MARGIN_M = 5.0
FOOT_TOLERANCE_M = 1e-9
"""How far the written middle of a body may be off what its exact foot gives: more than rounding means it was moved."""

TILT_MAX_RAD = 1e-9
"""Rounding of angles that are zero; bodies that truly lean are refused."""

UNREADABLE = ("include", "actor", "population", "road")
_COUNTER = re.compile(r"(?<=.)[_ ]?\d+$")


def read_sdf(path: Path, *, sensors: Sequence[type[Sensor]] = ()) -> World:
    """The world in an SDF file. Anything that cannot be read is a WorldError that names the element.

    A file that :func:`stressfield.world.export_world` wrote gives the same world: bodies, ground, regions, robots and
    actors at their start. A foreign file gives its shapes as bodies (their kind is the model's name without its number)
    on flat ground; saved simulator states, lights, joints and plugins are not read. ``sensors`` are types of your own
    that robots in the file may have.
    """
    label = f"SDF file {str(path)!r}"
    data = read_file(path, what="SDF file", bytes_max=BYTES_MAX, error=WorldError)
    root = parse_xml(data, name=label, error=WorldError)
    worlds = root.all("world")
    if root.tag != "sdf" or len(worlds) != 1:
        raise WorldError(f"{label} needs <sdf> with one <world>; got <{root.tag}> with {len(worlds)}.")
    try:
        header = worlds[0].first(OURS + "world")
        return _foreign(worlds[0]) if header is None else _own(worlds[0], header, path.parent, sensors)
    except WorldError as error:
        raise WorldError(f"{label}: {error}") from None


def _foreign(world: XmlElement) -> World:
    _refuse_unreadable(world, _name_of(world))
    bodies = [body for model in world.all("model") for body in _bodies_of(model, _Pose(), _name_of(model))]
    return World(world.attributes.get("name", ""), _level_ground(bodies), Bodies.of(bodies), ())


def _level_ground(bodies: Sequence[Body]) -> Terrain:
    """Flat ground that reaches ``MARGIN_M`` beyond every body."""
    x = [body.x_m for body in bodies] or [0.0]
    y = [body.y_m for body in bodies] or [0.0]
    reach = max([max(body.size_x_m, body.size_y_m) for body in bodies], default=0.0) + MARGIN_M
    size = max(max(x) - min(x), max(y) - min(y)) + 2.0 * reach
    return Terrain.flat(x0_m=(min(x) + max(x) - size) / 2.0, y0_m=(min(y) + max(y) - size) / 2.0, size_m=size)


def _own(world: XmlElement, header: XmlElement, folder: Path, sensors: Sequence[type[Sensor]]) -> World:
    image = header.attributes.get("terrain", "")
    if not image or Path(image).name != image:
        raise WorldError(f"the terrain image must be a plain file name beside the SDF file, got {image!r}.")
    marked = [model for model in world.all("model") if model.first(BODIES) is not None]
    kinds = tuple(kind.attributes.get("label", "") for kind in world.all(OURS + "kind"))
    return World(
        header.attributes.get("label", ""),
        read_terrain_png(folder / image),
        _in_order([body for model in marked for body in _bodies_of(model, _Pose(), _name_of(model))], kinds),
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
    where = _name_of(model)
    pose = _pose_of(model, where)
    robot = robot_from_json(note.attributes.get("record", ""), sensors=sensors)
    return PlacedRobot(robot, pose.x_m, pose.y_m, pose.yaw_rad)


def _region(element: XmlElement) -> Region:
    label = element.attributes.get("label", "")
    edges = (
        _number(element.attributes.get(name), f"region {label!r}: {name}")
        for name in ("x_min_m", "y_min_m", "x_max_m", "y_max_m")
    )
    return Region(label, element.attributes.get("kind", ""), *edges)


@dataclass(frozen=True, slots=True)
class _Size:
    """A shape and its full extents."""

    shape: Shape
    x_m: float
    y_m: float
    height_m: float


def _bodies_of(model: XmlElement, outer: _Pose, where: str) -> Iterator[Body]:
    """All bodies of a model and of the models nested in it. Ground planes are no bodies."""
    _refuse_unreadable(model, where)
    mark = model.first(BODIES)
    kind = mark.attributes.get("kind", "") if mark is not None else _kind(model)
    pose = outer.then(_pose_of(model, where), where)
    for link in model.all("link"):
        place = f"{where}, {_name_of(link)}"
        link_pose = pose.then(_pose_of(link, place), place)
        for part in _parts(link, own=mark is not None):
            spot = f"{place}, {_name_of(part)}"
            body = _body(part, kind, link_pose.then(_pose_of(part, spot), spot), spot, solid=part.tag == "collision")
            if body is not None:
                yield body
    for nested in model.all("model"):
        yield from _bodies_of(nested, pose, f"{where}, {_name_of(nested)}")


def _parts(link: XmlElement, *, own: bool) -> list[XmlElement]:
    """The elements that are bodies: in our files those with a foot, elsewhere collisions, or else visuals."""
    if own:
        return [part for part in link.children if part.first(FOOT) is not None]
    return link.all("collision") or link.all("visual")


def _refuse_unreadable(element: XmlElement, where: str) -> None:
    """An error for what would silently be missing from the world."""
    for child in element.children:
        if child.tag in UNREADABLE:
            label = child.attributes.get("name") or (uri.text if (uri := child.first("uri")) else "")
            raise WorldError(
                f"{where} has <{child.tag}> {label!r}, which cannot be read; boxes, cylinders and spheres can. "
                "Remove it or replace it by such shapes."
            )


def _name_of(element: XmlElement) -> str:
    """``link 'base'``: how errors call an element."""
    return f"{element.tag} {element.attributes.get('name', '?')!r}"


def _kind(model: XmlElement) -> str:
    return _COUNTER.sub("", model.attributes.get("name", "")) or "body"


def _body(part: XmlElement, kind: str, pose: _Pose, where: str, *, solid: bool) -> Body | None:
    size = _size(part, where)
    if size is None:
        return None
    if pose.tilted and size.shape is not Shape.SPHERE:
        raise WorldError(f"{where} has roll or pitch; a {size.shape.name.lower()} must stand upright.")
    return Body(
        name=part.attributes.get("name", ""),
        kind=kind,
        shape=size.shape,
        x_m=pose.x_m,
        y_m=pose.y_m,
        z_m=_foot(part, pose.z_m - size.height_m / 2.0, where),
        size_x_m=size.x_m,
        size_y_m=size.y_m,
        height_m=size.height_m,
        yaw_rad=pose.yaw_rad,
        solid=solid,
    )


def _foot(part: XmlElement, computed_m: float, where: str) -> float:
    """The noted foot, unless somebody has moved the shape since."""
    note = part.first(FOOT)
    if note is None:
        return computed_m
    noted = _number(note.attributes.get("z_m"), f"{where}: <stressfield:foot> z_m")
    return noted if abs(noted - computed_m) <= FOOT_TOLERANCE_M * max(1.0, abs(noted)) else computed_m


def _size(part: XmlElement, where: str) -> _Size | None:
    """The shape, or None for an endless level plane."""
    geometry = part.first("geometry")
    shape = next(iter(geometry.children), None) if geometry is not None else None
    if shape is None:
        raise WorldError(f"{where} has no geometry.")
    match shape.tag:
        case "cylinder":
            diameter = 2.0 * _length_of(shape, "radius", where)
            return _Size(Shape.CYLINDER, diameter, diameter, _length_of(shape, "length", where))
        case "sphere":
            diameter = 2.0 * _length_of(shape, "radius", where)
            return _Size(Shape.SPHERE, diameter, diameter, diameter)
        case "box":
            return _box(shape, where)
        case "plane":
            _require_level(shape, where)
            return None
    raise WorldError(
        f"{where} has the shape <{shape.tag}>, which cannot be read; box, cylinder and sphere can. "
        "Replace it by one of these."
    )


def _box(shape: XmlElement, where: str) -> _Size:
    child = shape.first("size")
    if child is None:
        raise WorldError(f"{where}: <box> has no <size>.")
    x, y, z = (_positive(value, f"{where}: <size>") for value in _numbers(child, 3, where))
    return _Size(Shape.BOX, x, y, z)


def _require_level(plane: XmlElement, where: str) -> None:
    normal = plane.first("normal")
    if normal is not None and _numbers(normal, 3, where)[:2] != (0.0, 0.0):
        raise WorldError(f"{where} is a sloping plane with normal {normal.text!r}; only level ground can be read.")


@dataclass(frozen=True, slots=True)
class _Pose:
    """Place and turn. ``tilted`` remembers a roll or pitch, which only a sphere may have."""

    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0
    tilted: bool = False

    def then(self, inner: _Pose, where: str) -> _Pose:
        """The pose of something that stands at ``inner`` inside this one."""
        if inner == _Pose():
            return self
        if self.tilted:
            raise WorldError(f"{where} is inside something with roll or pitch; bodies turn about z only.")
        c, s = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        return _Pose(
            self.x_m + (c * inner.x_m - s * inner.y_m),
            self.y_m + (s * inner.x_m + c * inner.y_m),
            self.z_m + inner.z_m,
            self.yaw_rad + inner.yaw_rad,
            inner.tilted,
        )


def _pose_of(element: XmlElement, where: str) -> _Pose:
    """The element's own ``<pose>``, or no displacement."""
    child = element.first("pose")
    if child is None:
        return _Pose()
    for key in ("relative_to", "frame"):
        if child.attributes.get(key):
            raise WorldError(
                f"{where} has a pose relative to {child.attributes[key]!r}; only poses in the enclosing element can be "
                f"read. Remove {key}."
            )
    if not child.text:
        return _Pose()
    if child.attributes.get("rotation_format", "euler_rpy") != "euler_rpy" or "degrees" in child.attributes:
        raise WorldError(
            f"{where} has a pose in quaternions or degrees; only radians 'x y z roll pitch yaw' can be read."
        )
    x, y, z, roll, pitch, yaw = _numbers(child, 6, where)
    return _Pose(x, y, z, yaw, tilted=max(abs(roll), abs(pitch)) > TILT_MAX_RAD)


def _numbers(element: XmlElement, count: int, where: str) -> tuple[float, ...]:
    """Exactly ``count`` finite numbers from the element's text."""
    words = element.text.split()
    if len(words) != count:
        raise WorldError(f"{where}: <{element.tag}> needs {count} numbers, got {element.text[:80]!r}.")
    return tuple(_number(word, f"{where}: <{element.tag}>") for word in words)


def _number(text: str | None, where: str) -> float:
    """One finite number."""
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise WorldError(f"{where} needs a finite number, got {text!r:.80}.")
    return value


def _length_of(element: XmlElement, tag: str, where: str) -> float:
    """A positive number in a child element, such as ``<radius>``."""
    child = element.first(tag)
    if child is None:
        raise WorldError(f"{where}: <{element.tag}> has no <{tag}>.")
    return _positive(_numbers(child, 1, where)[0], f"{where}: <{tag}>")


def _positive(value: float, where: str) -> float:
    """The value, if it can be the size of something."""
    if value <= 0.0:
        raise WorldError(f"{where} needs a positive size, got {value!r}.")
    return value
