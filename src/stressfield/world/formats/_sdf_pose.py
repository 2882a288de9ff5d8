"""Numbers and poses in SDF elements. Things in a world turn about z only."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stressfield._files.xml_text import XmlElement
from stressfield.errors import WorldError

TILT_MAX_RAD = 1e-9


@dataclass(frozen=True, slots=True)
class Pose:
    """Place and turn. ``tilted`` remembers a roll or pitch, which only a sphere may have."""

    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    yaw_rad: float = 0.0
    tilted: bool = False

    def then(self, inner: Pose, where: str) -> Pose:
        """The pose of something that stands at ``inner`` inside this one."""
        if inner == Pose():
            return self
        if self.tilted:
            raise WorldError(f"{where} is inside something with roll or pitch; bodies turn about z only.")
        c, s = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        return Pose(
            self.x_m + (c * inner.x_m - s * inner.y_m),
            self.y_m + (s * inner.x_m + c * inner.y_m),
            self.z_m + inner.z_m,
            self.yaw_rad + inner.yaw_rad,
            inner.tilted,
        )


def pose_of(element: XmlElement, where: str) -> Pose:
    """The element's own ``<pose>``, or no displacement."""
    child = element.first("pose")
    if child is None:
        return Pose()
    for key in ("relative_to", "frame"):
        if child.attributes.get(key):
            raise WorldError(
                f"{where} has a pose relative to {child.attributes[key]!r}; only poses in the enclosing element can be "
                f"read. Remove {key}."
            )
    if not child.text:
        return Pose()
    if child.attributes.get("rotation_format", "euler_rpy") != "euler_rpy" or "degrees" in child.attributes:
        raise WorldError(
            f"{where} has a pose in quaternions or degrees; only radians 'x y z roll pitch yaw' can be read."
        )
    x, y, z, roll, pitch, yaw = numbers(child, 6, where)
    return Pose(x, y, z, yaw, tilted=max(abs(roll), abs(pitch)) > TILT_MAX_RAD)


def numbers(element: XmlElement, count: int, where: str) -> tuple[float, ...]:
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


def length_of(element: XmlElement, tag: str, where: str) -> float:
    """A positive number in a child element, such as ``<radius>``."""
    child = element.first(tag)
    if child is None:
        raise WorldError(f"{where}: <{element.tag}> has no <{tag}>.")
    return positive(numbers(child, 1, where)[0], f"{where}: <{tag}>")


def positive(value: float, where: str) -> float:
    """The value, if it can be the size of something."""
    if value <= 0.0:
        raise WorldError(f"{where} needs a positive size, got {value!r}.")
    return value
