"""The household objects: what they look like, how large and heavy they usually are."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.world import Shape

TABLE_SHADE = 0.95
"""How bright tables, walls and floors look to the camera."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object. ``shade`` is how bright it looks to the depth camera: by it the robot tells kinds apart."""

    name: str
    shape: Shape
    length_m: float
    width_m: float
    height_m: float
    mass_kg: float
    shade: float
    colour: tuple[float, float, float]


_KINDS = (
    Kind("glass", Shape.CYLINDER, 0.062, 0.062, 0.12, 0.20, 0.05, (0.55, 0.80, 0.90)),
    Kind("cup", Shape.CYLINDER, 0.066, 0.066, 0.08, 0.18, 0.15, (0.90, 0.45, 0.30)),
    Kind("mug", Shape.CYLINDER, 0.066, 0.066, 0.10, 0.30, 0.25, (0.30, 0.45, 0.80)),
    Kind("can", Shape.CYLINDER, 0.064, 0.064, 0.115, 0.35, 0.35, (0.80, 0.15, 0.20)),
    Kind("bottle", Shape.CYLINDER, 0.060, 0.060, 0.21, 0.50, 0.45, (0.20, 0.60, 0.35)),
    Kind("bowl", Shape.CYLINDER, 0.066, 0.066, 0.05, 0.25, 0.55, (0.95, 0.85, 0.45)),
    Kind("box", Shape.BOX, 0.080, 0.050, 0.11, 0.25, 0.65, (0.60, 0.40, 0.25)),
    Kind("sponge", Shape.BOX, 0.100, 0.060, 0.04, 0.05, 0.75, (0.95, 0.75, 0.15)),
    Kind("carton", Shape.BOX, 0.062, 0.062, 0.18, 0.60, 0.85, (0.75, 0.55, 0.80)),
)

KINDS = {kind.name: kind for kind in _KINDS}
"""All kinds by name. The bowl is a small one: the gripper opens by 80 mm and takes it from above, round its rim."""
