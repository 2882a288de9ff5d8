"""A grid of rays as that of a camera, on a robot: cameras and sonars look through one. Flat colours of what is met."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Bytes, Counts, Floats
from stressfield.errors import InputError
from stressfield.sim.rig import _view_kernels as k
from stressfield.world import ImageCamera, Sonar, World
from stressfield.world.palette import rgb_of

RAYS_MAX = 4_000_000
"""Of one view: a camera of 2,000 x 2,000 pixels. More would fill the memory before anything is seen."""


@dataclass(frozen=True, slots=True)
class RayGrid:
    """Where it sits and how it is turned on its robot, its columns and rows, and what it can see.

    ``across`` and ``upwards`` are the tangents of half its angles. Pixels are square: their middles lie evenly between
    the borders.
    """

    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float
    down_rad: float
    columns: int
    rows: int
    across: float
    range_max_m: float
    ground: bool = True

    @classmethod
    def of_camera(cls, spec: ImageCamera) -> RayGrid:
        """What a camera sees. InputError if it cannot be one."""
        name = f"The {type(spec).__name__} on {spec.topic!r}"
        if not (spec.width_px > 0 and spec.height_px > 0 and spec.width_px * spec.height_px <= RAYS_MAX):
            raise InputError(
                f"{name} has {spec.width_px} x {spec.height_px} pixels; wanted at least one, and {RAYS_MAX} at most."
            )
        _check_angle(name, "field_of_view_rad", spec.field_of_view_rad)
        _check_range(name, spec.range_max_m)
        return cls(
            spec.x_m, spec.y_m, spec.z_m, spec.yaw_rad, spec.down_rad, spec.width_px, spec.height_px,
            math.tan(spec.field_of_view_rad / 2.0), spec.range_max_m,
        )  # fmt: skip

    @classmethod
    def of_sonar(cls, spec: Sonar) -> RayGrid:
        """The square around its cone."""
        name = f"The Sonar on {spec.topic!r}"
        if not 0 < spec.rays * spec.rays <= RAYS_MAX:
            raise InputError(f"{name} has {spec.rays} rays across; wanted at least one, and 2000 at most.")
        _check_angle(name, "cone_rad", spec.cone_rad)
        _check_range(name, spec.range_max_m)
        across = math.tan(spec.cone_rad / 2.0)
        return cls(
            spec.x_m, spec.y_m, spec.z_m, spec.yaw_rad, 0.0, spec.rays, spec.rays, across, spec.range_max_m,
            ground=spec.hears_ground,
        )  # fmt: skip

    @property
    def upwards(self) -> float:
        """The tangent of half its angle from top to bottom."""
        return self.across * self.rows / self.columns

    def slopes(self) -> tuple[Floats, Floats]:
        """How far left and up every ray goes for each metre ahead, row by row from the top left."""
        left = self.across * (1.0 - (2.0 * np.arange(self.columns) + 1.0) / self.columns)
        up = self.upwards * (1.0 - (2.0 * np.arange(self.rows) + 1.0) / self.rows)
        across, upwards = np.meshgrid(left, up)
        return across.ravel(), upwards.ravel()

    def directions(self) -> Floats:
        """The rays in the frame of the view (ahead, left, up), of length one."""
        left, up = self.slopes()
        rays = np.stack([np.ones_like(left), left, up], axis=1)
        directions: Floats = rays / np.sqrt(1.0 + left * left + up * up)[:, None]
        return directions

    def rotation(self) -> Floats:
        """Of the frame of the view in that of its robot: columns are ahead, left and up."""
        cy, sy, cd, sd = (
            math.cos(self.yaw_rad),
            math.sin(self.yaw_rad),
            math.cos(self.down_rad),
            math.sin(self.down_rad),
        )
        return np.array([[cd * cy, -sy, sd * cy], [cd * sy, cy, sd * sy], [-sd, 0.0, cd]])

    def constants(self) -> Floats:
        """As the kernels take them."""
        row = np.empty(k.VIEW_COLUMNS)
        row[k.VX], row[k.VY], row[k.VZ] = self.x_m, self.y_m, self.z_m
        row[k.COS_YAW], row[k.SIN_YAW] = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        row[k.COS_DOWN], row[k.SIN_DOWN] = math.cos(self.down_rad), math.sin(self.down_rad)
        row[k.COLUMNS], row[k.ROWS] = self.columns, self.rows
        row[k.ACROSS], row[k.UPWARDS] = self.across, self.upwards
        row[k.RANGE_MAX], row[k.GROUND_SEEN] = self.range_max_m, self.ground
        return row


SKY_RGB = (200, 215, 230)
ROBOT_RGB = (217, 140, 38)


@dataclass(frozen=True, slots=True, eq=False)
class FlatColours:
    """Colours of all that a view may meet: of bodies by their index, of whatever else by what it is."""

    bodies: Bytes

    @classmethod
    def of(cls, world: World) -> FlatColours:
        """One colour a kind."""
        kinds = np.array([rgb_of(kind) for kind in world.bodies.kinds], dtype=np.uint8).reshape(-1, 3)
        return cls(kinds[world.bodies.kind])

    def of_things(self, seen: Counts) -> Bytes:
        """Red, green and blue for each of what was met; who is no body of the world is painted as a person."""
        body = (seen >= 0) & (seen < len(self.bodies))
        out: Bytes = np.full((len(seen), 3), rgb_of("person"), dtype=np.uint8)
        out[body] = self.bodies[seen[body]]
        out[seen == k.NOTHING] = SKY_RGB
        out[seen <= -2] = ROBOT_RGB
        out[seen == k.GROUND] = rgb_of("ground")
        return out


def _check_angle(name: str, field: str, angle_rad: float) -> None:
    if not 0.0 < angle_rad < math.pi:
        raise InputError(f"{name} has a {field} of {angle_rad!r}; wanted more than 0 and less than pi.")


def _check_range(name: str, range_max_m: float) -> None:
    # Not infinite: the cells of the grid of bodies within reach are counted.
    if not 0.0 < range_max_m <= 10_000.0:
        raise InputError(f"{name} has a range_max_m of {range_max_m!r}; wanted more than 0, up to 10000.")
