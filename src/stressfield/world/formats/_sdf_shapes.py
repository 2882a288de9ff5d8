"""Shapes of SDF models as bodies: poses that add up, models nested and included, and what cannot be read, named."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from stressfield._files.disk import read_file
from stressfield._files.xml_text import XmlElement, parse_xml
from stressfield.errors import WorldError
from stressfield.world.bodies import Body, Shape

OURS = "{urn:stressfield}"
FOOT = OURS + "foot"
BODIES = OURS + "bodies"
BYTES_MAX = 64 * 1024 * 1024
FOOT_TOLERANCE_M = 1e-9
"""How far the written middle of a body may be off what its exact foot gives: more than rounding means it was moved."""

TILT_MAX_RAD = 1e-9
"""Rounding of angles that are zero; bodies that truly lean are refused."""

UNREADABLE = ("actor", "population", "road")
SCENERY = ("sun", "ground_plane")
"""Models of every Gazebo that add nothing to level ground in daylight."""

DEPTH_MAX = 8
"""Of models that include models."""

_COUNTER = re.compile(r"(?<=.)[_ ]?\d+$")


class UnreadableError(WorldError):
    """An element that SDF allows and that cannot be a body here."""


@dataclass(slots=True)
class ShapeReader:
    """Reads the models of one file. ``skipped`` collects what was left out, if that is wanted; else it is an error."""

    folder: Path
    models: Sequence[Path] = ()
    """Where included models are looked for, beside the folder of the file."""
    skip: bool = False
    depth: int = 0
    skipped: list[str] = field(default_factory=list)
    grounds_m: list[tuple[float, str]] = field(default_factory=list)
    """Heights of level planes, and where they are."""

    def refuse(self, what: str) -> None:
        """An error, or a note that it is missing from the world."""
        if not self.skip:
            raise UnreadableError(what)
        self.skipped.append(what)

    def world_bodies(self, world: XmlElement) -> Iterator[Body]:
        """All bodies of a world: of its models where a saved state has them, and of those it includes."""
        moved = _saved_poses(world)
        self.look_for_unreadable(world, name_of(world))
        for model in world.all("model"):
            yield from self.bodies_of(model, SdfPose(), name_of(model), at=moved.get(model.attributes.get("name", "")))
        for include in world.all("include"):
            yield from self._included(include, SdfPose(), name_of(world))

    def bodies_of(self, model: XmlElement, outer: SdfPose, where: str, *, at: SdfPose | None = None) -> Iterator[Body]:
        """All bodies of a model and of the models in it. Ground planes are no bodies. ``at`` is where it is instead."""
        self.look_for_unreadable(model, where)
        mark = model.first(BODIES)
        kind = mark.attributes.get("kind", "") if mark is not None else _kind(model)
        pose = outer.then(pose_of(model, where) if at is None else at, where)
        for link in model.all("link"):
            place = f"{where}, {name_of(link)}"
            link_pose = pose.then(pose_of(link, place), place)
            for part in _parts(link, own=mark is not None):
                try:
                    body = self._body(part, kind, link_pose, f"{place}, {name_of(part)}")
                except UnreadableError as error:
                    self.refuse(str(error))
                    continue
                if body is not None:
                    yield body
        for nested in model.all("model"):
            yield from self.bodies_of(nested, pose, f"{where}, {name_of(nested)}")
        for include in model.all("include"):
            yield from self._included(include, pose, where)

    def look_for_unreadable(self, element: XmlElement, where: str) -> None:
        """An error for what would silently be missing from the world."""
        for child in element.children:
            if child.tag in UNREADABLE:
                self.refuse(
                    f"{where} has <{child.tag}> {child.attributes.get('name', '')!r}, which cannot be read; boxes, "
                    "cylinders and spheres can. Remove it or replace it by such shapes."
                )

    def _included(self, include: XmlElement, outer: SdfPose, where: str) -> Iterator[Body]:
        """The bodies of a model in a file of its own."""
        uri = (child.text if (child := include.first("uri")) is not None else "").strip()
        if uri.removeprefix("model://") in SCENERY:
            return
        path = self._model_file(uri)
        if path is None:
            looked = ", ".join(repr(str(folder)) for folder in (self.folder, *self.models))
            self.refuse(
                f"{where} has <include> {uri!r}, which cannot be read: no such model in {looked}. "
                "Name its folder in models=[...], or remove it."
            )
            return
        place = f"{where}, include {uri!r} (file {str(path)!r})"
        if self.depth >= DEPTH_MAX:
            raise WorldError(f"{place} is included more than {DEPTH_MAX} levels deep; does a model include itself?")
        data = read_file(path, what="included SDF file", bytes_max=BYTES_MAX, error=WorldError)
        model = parse_xml(data, name=f"included SDF file {str(path)!r}", error=WorldError).first("model")
        if model is None:
            self.refuse(f"{place} has no <model>, so it cannot be read.")
            return
        named = include.first("name")
        if named is not None and named.text:
            model.attributes["name"] = named.text
        inner = replace(self, folder=path.parent, models=(*self.models, self.folder), depth=self.depth + 1)
        at = pose_of(include, place) if include.first("pose") is not None else None
        yield from inner.bodies_of(model, outer, place, at=at)

    def _model_file(self, uri: str) -> Path | None:
        """The file of an included model; None if there is none."""
        scheme, mark, name = uri.rpartition("://")
        if not name or (mark and scheme not in ("model", "file")) or "\0" in name:
            return None
        for folder in (self.folder, self.folder / "models", *self.models):
            found = folder / name
            if found.is_dir():
                found = found / _model_name(found)
            if found.is_file():
                return found
        return None

    def _body(self, part: XmlElement, kind: str, outer: SdfPose, where: str) -> Body | None:
        pose = outer.then(pose_of(part, where), where)
        solid = part.tag == "collision"
        size = _size(part, where)
        if size is None:
            if pose.tilted:
                raise UnreadableError(f"{where} is a plane with roll or pitch; only level ground can be read.")
            if solid:
                self.grounds_m.append((pose.z_m, where))
            return None
        if pose.tilted and size.shape is not Shape.SPHERE:
            raise UnreadableError(f"{where} has roll or pitch; a {size.shape.name.lower()} must stand upright.")
        note = part.first(FOOT)
        return Body(
            name=part.attributes.get("name", ""),
            kind=kind,
            shape=size.shape,
            x_m=pose.x_m,
            y_m=pose.y_m,
            z_m=_foot(note, pose.z_m - size.height_m / 2.0, where),
            size_x_m=size.x_m,
            size_y_m=size.y_m,
            height_m=size.height_m,
            yaw_rad=pose.yaw_rad,
            solid=solid,
            gives_way=note is not None and note.attributes.get("gives_way") == "true",
        )


def _model_name(folder: Path) -> str:
    """The SDF file that a model's folder is about: the last one that its ``model.config`` names, or the usual one."""
    if not (folder / "model.config").is_file():
        return "model.sdf"
    data = read_file(folder / "model.config", what="model configuration", bytes_max=BYTES_MAX, error=WorldError)
    root = parse_xml(data, name=f"model configuration {str(folder / 'model.config')!r}", error=WorldError)
    names = [child.text for child in root.all("sdf") if Path(child.text).name == child.text and child.text]
    return names[-1] if names else "model.sdf"


def _saved_poses(world: XmlElement) -> dict[str, SdfPose]:
    """Where a saved state of a simulator has the models: that is where it puts them when it opens the file."""
    state = world.first("state")
    models = state.all("model") if state is not None else []
    return {
        model.attributes.get("name", ""): pose_of(model, f"state, {name_of(model)}")
        for model in models
        if model.first("pose") is not None
    }


@dataclass(frozen=True, slots=True)
class _Size:
    """A shape and its full extents."""

    shape: Shape
    x_m: float
    y_m: float
    height_m: float


def _parts(link: XmlElement, *, own: bool) -> list[XmlElement]:
    """The elements that are bodies: in our files those with a foot, elsewhere collisions, or else visuals."""
    if own:
        return [part for part in link.children if part.first(FOOT) is not None]
    return link.all("collision") or link.all("visual")


def name_of(element: XmlElement) -> str:
    """``link 'base'``: how errors call an element."""
    return f"{element.tag} {element.attributes.get('name', '?')!r}"


def _kind(model: XmlElement) -> str:
    return _COUNTER.sub("", model.attributes.get("name", "")) or "body"


def _foot(note: XmlElement | None, computed_m: float, where: str) -> float:
    """The noted foot, unless somebody has moved the shape since."""
    if note is None:
        return computed_m
    noted = number(note.attributes.get("z_m"), f"{where}: <stressfield:foot> z_m")
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
    raise UnreadableError(
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
        raise UnreadableError(f"{where} is a sloping plane with normal {normal.text!r}; only level ground can be read.")


@dataclass(frozen=True, slots=True)
class SdfPose:
    """Place and turn. ``tilted`` remembers a roll or pitch, which only a sphere may have."""

    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0
    tilted: bool = False

    def then(self, inner: SdfPose, where: str) -> SdfPose:
        """The pose of something that stands at ``inner`` inside this one."""
        if inner == SdfPose():
            return self
        if self.tilted:
            raise WorldError(f"{where} is inside something with roll or pitch; bodies turn about z only.")
        c, s = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        return SdfPose(
            self.x_m + (c * inner.x_m - s * inner.y_m),
            self.y_m + (s * inner.x_m + c * inner.y_m),
            self.z_m + inner.z_m,
            self.yaw_rad + inner.yaw_rad,
            inner.tilted,
        )


def pose_of(element: XmlElement, where: str) -> SdfPose:
    """The element's own ``<pose>``, or no displacement."""
    child = element.first("pose")
    if child is None:
        return SdfPose()
    for key in ("relative_to", "frame"):
        if child.attributes.get(key):
            raise WorldError(
                f"{where} has a pose relative to {child.attributes[key]!r}; only poses in the enclosing element can be "
                f"read. Remove {key}."
            )
    if not child.text:
        return SdfPose()
    if child.attributes.get("rotation_format", "euler_rpy") != "euler_rpy" or "degrees" in child.attributes:
        raise WorldError(
            f"{where} has a pose in quaternions or degrees; only radians 'x y z roll pitch yaw' can be read."
        )
    x, y, z, roll, pitch, yaw = _numbers(child, 6, where)
    return SdfPose(x, y, z, yaw, tilted=max(abs(roll), abs(pitch)) > TILT_MAX_RAD)


def _numbers(element: XmlElement, count: int, where: str) -> tuple[float, ...]:
    """Exactly ``count`` finite numbers from the element's text."""
    words = element.text.split()
    if len(words) != count:
        raise WorldError(f"{where}: <{element.tag}> needs {count} numbers, got {element.text[:80]!r}.")
    return tuple(number(word, f"{where}: <{element.tag}>") for word in words)


def number(text: str | None, where: str) -> float:
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
