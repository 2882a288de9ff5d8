"""Bodies out of SDF models: boxes, cylinders and spheres, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stressfield._files.xml_text import XmlElement
from stressfield.errors import WorldError
from stressfield.world.bodies import Body, Shape
from stressfield.world.formats._sdf_pose import Pose, length_of, number, numbers, pose_of, positive

FOOT = "{urn:stressfield}foot"
BODIES = "{urn:stressfield}bodies"
FOOT_TOLERANCE_M = 1e-9
UNREADABLE = ("include", "actor", "population", "road")
_COUNTER = re.compile(r"(?<=.)[_ ]?\d+$")


@dataclass(frozen=True, slots=True)
class Size:
    """A shape and its full extents."""

    shape: Shape
    x_m: float
    y_m: float
    height_m: float


def bodies_of(model: XmlElement, outer: Pose, where: str) -> Iterator[Body]:
    """All bodies of a model and of the models nested in it. Ground planes are no bodies."""
    refuse_unreadable(model, where)
    mark = model.first(BODIES)
    kind = mark.attributes.get("kind", "") if mark is not None else _kind(model)
    pose = outer.then(pose_of(model, where), where)
    for link in model.all("link"):
        place = f"{where}, {name_of(link)}"
        link_pose = pose.then(pose_of(link, place), place)
        for part in _parts(link, own=mark is not None):
            spot = f"{place}, {name_of(part)}"
            body = _body(part, kind, link_pose.then(pose_of(part, spot), spot), spot, solid=part.tag == "collision")
            if body is not None:
                yield body
    for nested in model.all("model"):
        yield from bodies_of(nested, pose, f"{where}, {name_of(nested)}")


def _parts(link: XmlElement, *, own: bool) -> list[XmlElement]:
    """The elements that are bodies: in our files those with a foot, elsewhere collisions, or else visuals."""
    if own:
        return [part for part in link.children if part.first(FOOT) is not None]
    return link.all("collision") or link.all("visual")


def refuse_unreadable(element: XmlElement, where: str) -> None:
    """An error for what would silently be missing from the world."""
    for child in element.children:
        if child.tag in UNREADABLE:
            label = child.attributes.get("name") or (uri.text if (uri := child.first("uri")) else "")
            raise WorldError(
                f"{where} has <{child.tag}> {label!r}, which cannot be read; boxes, cylinders and spheres can. "
                "Remove it or replace it by such shapes."
            )


def name_of(element: XmlElement) -> str:
    """``link 'base'``: how errors call an element."""
    return f"{element.tag} {element.attributes.get('name', '?')!r}"


def _kind(model: XmlElement) -> str:
    return _COUNTER.sub("", model.attributes.get("name", "")) or "body"


def _body(part: XmlElement, kind: str, pose: Pose, where: str, *, solid: bool) -> Body | None:
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
    noted = number(note.attributes.get("z_m"), f"{where}: <stressfield:foot> z_m")
    return noted if abs(noted - computed_m) <= FOOT_TOLERANCE_M * max(1.0, abs(noted)) else computed_m


def _size(part: XmlElement, where: str) -> Size | None:
    """The shape, or None for an endless level plane."""
    geometry = part.first("geometry")
    shape = next(iter(geometry.children), None) if geometry is not None else None
    if shape is None:
        raise WorldError(f"{where} has no geometry.")
    match shape.tag:
        case "cylinder":
            diameter = 2.0 * length_of(shape, "radius", where)
            return Size(Shape.CYLINDER, diameter, diameter, length_of(shape, "length", where))
        case "sphere":
            diameter = 2.0 * length_of(shape, "radius", where)
            return Size(Shape.SPHERE, diameter, diameter, diameter)
        case "box":
            return _box(shape, where)
        case "plane":
            _require_level(shape, where)
            return None
    raise WorldError(
        f"{where} has the shape <{shape.tag}>, which cannot be read; box, cylinder and sphere can. "
        "Replace it by one of these."
    )


def _box(shape: XmlElement, where: str) -> Size:
    child = shape.first("size")
    if child is None:
        raise WorldError(f"{where}: <box> has no <size>.")
    x, y, z = (positive(value, f"{where}: <size>") for value in numbers(child, 3, where))
    return Size(Shape.BOX, x, y, z)


def _require_level(plane: XmlElement, where: str) -> None:
    normal = plane.first("normal")
    if normal is not None and numbers(normal, 3, where)[:2] != (0.0, 0.0):
        raise WorldError(f"{where} is a sloping plane with normal {normal.text!r}; only level ground can be read.")
