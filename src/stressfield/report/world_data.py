"""A world as compact numbers for the page: millimetres, grouped by kind, shared by all runs in it."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stressfield.report.looks import is_limit, look_of
from stressfield.world import Bodies, Shape, Terrain, World

GROUND_POINTS = 48
FULL_SHADE_M = 0.25
"""Ground that varies by this much, or more, is shaded from white to full."""
LOOSE_BODIES_MAX = 1500
"""Bodies that can be driven through (weeds) are decoration: beyond this many, every n-th is drawn."""


def world_data(world: World) -> dict[str, Any]:
    """What the renderer draws under a run."""
    return {
        "extent": [_mm(value) for value in extent_m(world)],
        "bodies": [_group(world.bodies, code) for code in range(len(world.bodies.kinds)) if _has(world.bodies, code)],
        "regions": [
            {
                "name": region.name,
                "limit": is_limit(region.kind, region.name),
                "box": [_mm(v) for v in (region.x_min_m, region.y_min_m, region.x_max_m, region.y_max_m)],
            }
            for region in world.regions
        ],
        "robots": [
            {
                "name": placed.robot.name,
                "length": _mm(placed.robot.length_m),
                "width": _mm(placed.robot.width_m),
                "offset": _mm(placed.robot.centre_offset_m),
            }
            for placed in world.robots
        ],
        "ground": _ground(world.terrain, extent_m(world)),
    }


def extent_m(world: World) -> tuple[float, float, float, float]:
    """The box around everything that stands, starts or bounds: x_min, y_min, x_max, y_max."""
    xs = [placed.x_m for placed in world.robots]
    ys = [placed.y_m for placed in world.robots]
    for region in world.regions:
        xs += [region.x_min_m, region.x_max_m]
        ys += [region.y_min_m, region.y_max_m]
    if len(world.bodies):
        xs += [float(world.bodies.x_m.min()), float(world.bodies.x_m.max())]
        ys += [float(world.bodies.y_m.min()), float(world.bodies.y_m.max())]
    if not xs:
        ground = world.terrain
        return ground.x0_m, ground.y0_m, ground.x0_m + ground.width_m, ground.y0_m + ground.depth_m
    return min(xs), min(ys), max(xs), max(ys)


def bodies_drawn(bodies: Bodies, code: int) -> NDArray[np.int64]:
    """Indices of the bodies of a kind that are drawn."""
    indices = np.flatnonzero(bodies.kind == code)
    if len(indices) > LOOSE_BODIES_MAX and not bodies.solid[indices].any():
        indices = indices[:: -(-len(indices) // LOOSE_BODIES_MAX)]
    return indices


def _has(bodies: Bodies, code: int) -> bool:
    return bool((bodies.kind == code).any())


def _group(bodies: Bodies, code: int) -> dict[str, Any]:
    indices = bodies_drawn(bodies, code)
    shape = Shape(int(bodies.shape[indices[0]]))
    look = look_of(bodies.kinds[code], solid=bool(bodies.solid[indices[0]]), shape=shape, place=code)
    group = {
        "kind": bodies.kinds[code],
        "glyph": look.glyph,
        "light": look.light,
        "dark": look.dark,
        "x": millis(bodies.x_m[indices]),
        "y": millis(bodies.y_m[indices]),
        "w": _same_once(millis(bodies.size_x_m[indices])),
        "h": _same_once(millis(bodies.size_y_m[indices])),
    }
    if look.glyph == "box":
        group["yaw"] = millis(bodies.yaw_rad[indices])
    return group


def millis(column: NDArray[np.float64]) -> list[int]:
    """Thousandths, as whole numbers."""
    whole: list[int] = np.rint(column * 1000.0).astype(np.int64).tolist()
    return whole


def _same_once(column: list[int]) -> list[int]:
    return column[:1] if len(set(column)) == 1 else column


def _mm(value: float) -> int:
    return round(value * 1000.0)


def _ground(terrain: Terrain, extent: tuple[float, float, float, float]) -> dict[str, Any] | None:
    """A small shaded relief (dark is low) of the ground around the extent; None where it is flat."""
    pad = 0.04 * max(extent[2] - extent[0], extent[3] - extent[1]) + 0.4
    x0, x1 = extent[0] - pad, extent[2] + pad
    y0, y1 = extent[1] - pad, extent[3] + pad
    longest = max(x1 - x0, y1 - y0)
    columns = max(2, round(GROUND_POINTS * (x1 - x0) / longest))
    rows = max(2, round(GROUND_POINTS * (y1 - y0) / longest))
    x, y = np.meshgrid(np.linspace(x0, x1, columns), np.linspace(y0, y1, rows))
    heights = terrain.height_at(x, y)
    low, high = float(heights.min()), float(heights.max())
    if high - low < 1e-4:
        return None
    shade = np.rint((high - heights) / max(high - low, FULL_SHADE_M) * 255.0).astype(np.uint8)
    return {
        "columns": columns,
        "rows": rows,
        "box": [_mm(v) for v in (x0, y0, x1, y1)],
        "shade": base64.b64encode(shade.tobytes()).decode(),
    }
