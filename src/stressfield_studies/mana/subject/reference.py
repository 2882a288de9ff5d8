"""DTM's and P3D's arithmetic once more, plainly, for tests of the kernels."""

from __future__ import annotations

import math

import numpy as np

from stressfield.arrays import Floats
from stressfield_studies.mana.subject.kernels import BLEND, EDGE_M, FILL_MAX_M, FILL_SLOPE, FILLED, SEEN, UNSEEN


class PlainMap:
    """An elevation map as a dictionary of cells: what is known of each and its height."""

    def __init__(self, x0: float, y0: float, cell: float, rows: int, columns: int) -> None:
        self.x0, self.y0, self.cell, self.rows, self.columns = x0, y0, cell, rows, columns
        self.cells: dict[tuple[int, int], tuple[int, float]] = {}

    def at(self, x: float, y: float) -> tuple[int, int] | None:
        """The cell under a place, row first; None off the map."""
        j, i = math.floor((y - self.y0) / self.cell), math.floor((x - self.x0) / self.cell)
        return (j, i) if 0 <= j < self.rows and 0 <= i < self.columns else None

    def height(self, x: float, y: float) -> float:
        """The height under a place, NaN if unknown."""
        place = self.at(x, y)
        return math.nan if place is None else self.cells.get(place, (UNSEEN, math.nan))[1]

    def note(self, x: float, y: float, z: float, seen: int) -> None:
        """Enter a height."""
        place = self.at(x, y)
        if place is None:
            return
        known, old = self.cells.get(place, (UNSEEN, math.nan))
        if known < seen:
            self.cells[place] = seen, z
        elif known == seen == SEEN and z > old - EDGE_M:
            self.cells[place] = seen, z if z > old + EDGE_M else old + BLEND * (z - old)

    def fill(self, a: Floats, b: Floats) -> None:
        """Fill the cells between two points."""
        gap = math.hypot(b[0] - a[0], b[1] - a[1])
        if not (self.cell < gap <= FILL_MAX_M and abs(b[2] - a[2]) <= FILL_SLOPE * gap):
            return
        steps = math.ceil(gap / (0.8 * self.cell))
        for k in range(1, steps):
            x, y, z = (a + (b - a) * k / steps).tolist()
            self.note(x, y, z, FILLED)

    def add_cloud(self, points: Floats, pose: Floats, mount: Floats) -> None:
        """Enter a cloud of [rings, azimuths, 3]; NaN is no return."""
        turned = (points + mount) @ rotation(*pose[3:]).T + pose[:3]
        rings, azimuths, _ = turned.shape
        for a in range(azimuths):
            for ring in range(rings):
                here = turned[ring, a]
                if np.isnan(here[0]):
                    continue
                self.note(float(here[0]), float(here[1]), float(here[2]), SEEN)
                if ring:
                    self.fill(turned[ring - 1, a], here)
                if a:
                    self.fill(turned[ring, a - 1], here)


def rotation(roll: float, pitch: float, yaw: float) -> Floats:
    """From the robot's frame to the world's."""
    cr, sr, cp, sp, cy, sy = (f(v) for v in (roll, pitch, yaw) for f in (math.cos, math.sin))
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    result: Floats = about_z @ about_y @ about_x
    return result


def stand(
    plain: PlainMap, x: float, y: float, yaw: float, u: Floats, v: Floats, unknown_max: float
) -> tuple[float, float]:
    """Slope and roughness of the plane that fits the known ground under a robot best."""
    c, s = math.cos(yaw), math.sin(yaw)
    places = np.array([(a, b, plain.height(x + a * c - b * s, y + a * s + b * c)) for a in u for b in v])
    known = places[~np.isnan(places[:, 2])]
    if len(places) - len(known) > unknown_max * len(places):
        return math.inf, 0.0
    matrix = np.column_stack([known[:, :2], np.ones(len(known))])
    plane = np.linalg.lstsq(matrix, known[:, 2], rcond=None)[0]
    return float(math.hypot(plane[0], plane[1])), float(np.abs(known[:, 2] - matrix @ plane).max())


def node_on_arc(x: float, y: float, yaw: float, curvature: float, distance: float) -> tuple[float, float, float]:
    """The pose after some distance on an arc, by many small steps."""
    steps = 20_000
    headings = yaw + curvature * distance * (np.arange(steps) + 0.5) / steps
    step = distance / steps
    return (
        x + float(np.cos(headings).sum()) * step,
        y + float(np.sin(headings).sum()) * step,
        yaw + curvature * distance,
    )


def been(x: float, y: float, trail: Floats, trail_m: float) -> float:
    """How much a robot was around a place before."""
    far = np.hypot(trail[:, 0] - x, trail[:, 1] - y)
    return float(np.maximum(0.0, 1.0 - far / trail_m).sum())
