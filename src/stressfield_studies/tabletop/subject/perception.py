"""From depth points to a plane and the objects on it: RANSAC, clustering, and the shape of each cluster."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from stressfield.arrays import Floats, cosines, sines, turned
from stressfield.bus.messages import PointCloud2
from stressfield.seeds import Rng
from stressfield.world import Shape
from stressfield_studies.tabletop.messages import PerceivedObject
from stressfield_studies.tabletop.place.furniture import KINDS

TRIALS = 80
INLIER_M = 0.008
UPRIGHT = 0.98
LEAST_INLIERS = 200
LEAST_POINTS = 12
ABOVE_M = 0.012
TALLEST_M = 0.4
CELL_M = 0.01
TABLE_CELL_M = 0.05
EDGE_M = 0.01
_DIRECTIONS = np.linspace(0.0, pi, 12, endpoint=False)
_TURNS = np.linspace(0.0, pi / 2.0, 45, endpoint=False)


@dataclass(frozen=True, slots=True)
class Seen:
    """A plane and what stands on it, in the robot's frame; ``height_m`` is above the floor."""

    height_m: float
    objects: tuple[PerceivedObject, ...]


def points_of(cloud: PointCloud2) -> Floats:
    """The points of a depth image near the robot, as x, y, z and shade."""
    points = cloud.data.view(np.float32).reshape(-1, 4).astype(np.float64)
    points = points[np.isfinite(points).all(axis=1)]
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    return points[(x > 0.25) & (x < 1.4) & (np.abs(y) < 0.9) & (z > 0.2) & (z < 1.3)]


def perceive(cloud: PointCloud2, rng: Rng, *, bias_m: float = 0.0) -> Seen | None:
    """The largest level plane and the objects on it, or None where no plane is."""
    points = points_of(cloud)
    plane = find_plane(points[:, :3], rng)
    if plane is None:
        return None
    top = max(clusters(points[plane], cell_m=TABLE_CELL_M), key=len)
    height = float(np.mean(top[:, 2])) + bias_m
    low, high = top[:, :2].min(axis=0) + EDGE_M, top[:, :2].max(axis=0) - EDGE_M
    over = ((points[:, :2] > low) & (points[:, :2] < high)).all(axis=1)
    rise = points[:, 2] - height
    above = points[over & (rise > ABOVE_M) & (rise < TALLEST_M)]
    objects = tuple(_object(cluster, height) for cluster in clusters(above))
    return Seen(height, objects)


def find_plane(points: Floats, rng: Rng) -> NDArray[np.bool_] | None:
    """RANSAC for a level plane: which points lie in it, by the best of many trials.

    A trial takes three points; if they span a plane that is nearly level, it counts the points as high as their middle.
    """
    if len(points) < LEAST_INLIERS:
        return None
    best: NDArray[np.bool_] | None = None
    most = LEAST_INLIERS - 1
    for three in rng.integers(0, len(points), size=(TRIALS, 3)):
        a, b, c = points[three]
        normal = np.cross(b - a, c - a)
        length = hypot(*normal.tolist())
        if length < 1e-6 or abs(normal[2]) < UPRIGHT * length:
            continue
        inliers = np.abs(points[:, 2] - (a[2] + b[2] + c[2]) / 3.0) < INLIER_M
        count = int(np.count_nonzero(inliers))
        if count > most:
            best, most = inliers, count
    return best


def clusters(points: Floats, *, cell_m: float = CELL_M) -> list[Floats]:
    """Groups of points that touch when seen from above."""
    if not len(points):
        return []
    low = points[:, :2].min(axis=0) - 2.0 * cell_m
    cells = ((points[:, :2] - low) / cell_m).astype(np.int64)
    image = np.zeros(cells.max(axis=0) + 3, dtype=np.bool_)
    image[cells[:, 0], cells[:, 1]] = True
    labels, count = ndimage.label(ndimage.binary_dilation(image, iterations=1), structure=np.ones((3, 3)))
    label = labels[cells[:, 0], cells[:, 1]]
    groups = [points[label == n] for n in range(1, count + 1)]
    return [group for group in groups if len(group) >= LEAST_POINTS]


def _object(points: Floats, plane_m: float) -> PerceivedObject:
    kind = min(KINDS.values(), key=lambda candidate: abs(candidate.shade - float(np.median(points[:, 3]))))
    flat = points[:, :2]
    top = float(np.percentile(points[:, 2], 97.0))
    if kind.shape is Shape.BOX:
        x, y, yaw, length, width = _rectangle(flat)
    else:
        x, y, length = _circle(flat)
        width, yaw = length, 0.0
    height = top - plane_m
    return PerceivedObject(kind.name, x, y, plane_m + height / 2.0, yaw, length, width, height, len(points))


def _spans(flat: Floats, angles: Floats) -> tuple[Floats, Floats]:
    """The extents of points in several directions: lowest and highest places along each."""
    along = turned(flat, np.stack([cosines(angles), sines(angles)], axis=1))
    low, high = np.percentile(along, [1.0, 99.0], axis=0)
    return low, high


def _circle(flat: Floats) -> tuple[float, float, float]:
    """Middle and diameter, from the middles of the extents in many directions."""
    low, high = _spans(flat, _DIRECTIONS)
    # Least squares; the directions are evenly spread over half a turn, so that the two unknowns come apart.
    share, middle = 2.0 / len(_DIRECTIONS), (low + high) / 2.0
    x, y = (share * float((middle * part).sum()) for part in (cosines(_DIRECTIONS), sines(_DIRECTIONS)))
    return x, y, float(np.median(high - low))


def _rectangle(flat: Floats) -> tuple[float, float, float, float, float]:
    """Middle, turn, length and width of the smallest rectangle around the points."""
    (u0, u1), (v0, v1) = _spans(flat, _TURNS), _spans(flat, _TURNS + pi / 2.0)
    best = int(np.argmin((u1 - u0) * (v1 - v0)))
    turn = float(_TURNS[best])
    u, v = float(u0[best] + u1[best]) / 2.0, float(v0[best] + v1[best]) / 2.0
    length, width = float(u1[best] - u0[best]), float(v1[best] - v0[best])
    c, s = cos(turn), sin(turn)
    if width > length:
        turn, length, width = turn + pi / 2.0, width, length
    return c * u - s * v, s * u + c * v, atan2(sin(turn), cos(turn)), length, width
