"""Free spots: where another body fits without touching what is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from stressfield.errors import WorldError
from stressfield.world.bodies import Body, Shape

if TYPE_CHECKING:
    from stressfield.world.world import World

TRIES = 10_000
"""Places tried for each body before the world counts as full."""


def free_spots(
    world: World,
    body: Body,
    count: int,
    *,
    clear_of: Sequence[str | tuple[float, float]],
    clear_m: float,
    gap_m: float,
    rng: np.random.Generator,
) -> list[tuple[float, float]]:
    """Places for ``count`` bodies: ``gap_m`` from each other and from other bodies, ``clear_m`` from ``clear_of``."""
    radius_m = _radius(body)
    x0, y0, x1, y1 = _ground(world, radius_m)
    taken = [(b.x_m, b.y_m, _radius(b) + radius_m + gap_m) for b in world.bodies]
    taken += [(*_place(world, place), radius_m + clear_m) for place in clear_of]
    spots: list[tuple[float, float]] = []
    for _ in range(count):
        for _ in range(TRIES):
            x, y = float(rng.uniform(x0, x1)), float(rng.uniform(y0, y1))
            if all(math.hypot(x - cx, y - cy) >= far for cx, cy, far in taken):
                break
        else:
            raise WorldError(
                f"No room for {count} bodies of kind {body.kind!r}: {len(spots)} placed, then {TRIES} random places in "
                "a row were taken. Ask for fewer or smaller ones, or for smaller gap_m and clear_m."
            )
        spots.append((x, y))
        taken.append((x, y, 2.0 * radius_m + gap_m))
    return spots


def _radius(body: Body) -> float:
    """Of the circle around it."""
    if body.shape is Shape.BOX:
        return math.hypot(body.size_x_m, body.size_y_m) / 2.0
    return max(body.size_x_m, body.size_y_m) / 2.0


def _place(world: World, name: str | tuple[float, float]) -> tuple[float, float]:
    if not isinstance(name, str):
        return name
    placed = world.robot(name)
    return placed.x_m, placed.y_m


def _ground(world: World, margin_m: float) -> tuple[float, float, float, float]:
    """Where bodies may stand: inside the limits if the world has any, otherwise on its terrain."""
    limits = world.regions_of_kind("limits")
    if limits:
        x0, y0, x1, y1 = limits[0].x_min_m, limits[0].y_min_m, limits[0].x_max_m, limits[0].y_max_m
    else:
        ground = world.terrain
        x0, y0, x1, y1 = ground.x0_m, ground.y0_m, ground.x0_m + ground.width_m, ground.y0_m + ground.depth_m
    if min(x1 - x0, y1 - y0) <= 2.0 * margin_m:
        raise WorldError(f"A body {2.0 * margin_m:g} m wide does not fit a ground of {x1 - x0:g} m x {y1 - y0:g} m.")
    return x0 + margin_m, y0 + margin_m, x1 - margin_m, y1 - margin_m
