"""The map of a world, against points of the bodies themselves."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stressfield as sf
from stressfield.errors import WorldError
from stressfield.world import Bodies, Body, OccupancyMap, Region, Shape, World
from stressfield.world.grid_map import FREE, OCCUPIED, UNKNOWN


def _box(length_m: float, width_m: float) -> Body:
    return sf.bodies.box("wall", length_m=length_m, width_m=width_m, height_m=1.0)


def test_an_empty_world_is_free_and_as_large_as_its_limits() -> None:
    grid = OccupancyMap.of(World.flat(10.0, 4.0))
    assert grid.cells.shape == (80, 200)
    assert grid.origin == (0.0, 0.0, 0.0)
    assert (grid.width_m, grid.depth_m) == pytest.approx((10.0, 4.0))
    assert np.unique(grid.cells).tolist() == [FREE]


def test_a_wall_that_ends_on_a_border_occupies_no_cell_more() -> None:
    wall = _box(0.2, 0.1)
    grid = OccupancyMap.of(World.flat(1.0, 1.0).with_body(wall, at=(0.5, 0.45)), resolution_m=0.1)
    rows, columns = np.nonzero(grid.cells == OCCUPIED)
    assert sorted(zip(rows.tolist(), columns.tolist(), strict=True)) == [(4, 4), (4, 5)]


def test_a_thin_wall_does_not_vanish() -> None:
    wall = _box(0.001, 3.0)
    grid = OccupancyMap.of(World.flat(4.0, 4.0).with_body(wall, at=(2.01, 2.0), yaw_rad=0.4), resolution_m=0.1)
    inside = np.linspace(-1.49, 1.49, 400)
    on_the_wall = grid.at(2.01 - math.sin(0.4) * inside, 2.0 + math.cos(0.4) * inside)
    assert np.all(on_the_wall == OCCUPIED)


shapes = st.sampled_from([Shape.CYLINDER, Shape.BOX, Shape.SPHERE])
sizes = st.floats(0.02, 1.5)
turns = st.floats(-3.2, 3.2)


@settings(deadline=None, max_examples=60)
@given(shape=shapes, size_x=sizes, size_y=sizes, yaw=turns, x=st.floats(0.0, 3.0), y=st.floats(0.0, 3.0))
def test_a_cell_is_occupied_if_and_only_if_the_body_stands_on_it(
    shape: Shape, size_x: float, size_y: float, yaw: float, x: float, y: float
) -> None:
    body = Body("b", "b", shape, 0.0, 0.0, 0.0, size_x, size_y, 1.0)
    cell = 0.25
    grid = OccupancyMap.of(World.flat(3.0, 3.0).with_body(body, at=(x, y), yaw_rad=yaw), resolution_m=cell)
    # Every point of the body is on an occupied cell, and every occupied cell has a point of the body in or near it.
    along, across = np.meshgrid(np.linspace(-0.5, 0.5, 161), np.linspace(-0.5, 0.5, 161))
    if shape == Shape.BOX:
        px, py = along * size_x, across * size_y
    else:
        disc = np.hypot(along, across) <= 0.5
        px, py = along[disc] * size_x, across[disc] * size_x
    c, s = math.cos(yaw), math.sin(yaw)
    wx, wy = (x + c * px - s * py).ravel() * (1 - 1e-12), (y + s * px + c * py).ravel() * (1 - 1e-12)
    inside = (wx > 1e-6) & (wx < 3.0 - 1e-6) & (wy > 1e-6) & (wy < 3.0 - 1e-6)
    # A point on a border belongs to two cells; those of the body's own outline may touch only one of them.
    away = np.minimum(np.abs(np.mod(wx + cell / 2, cell) - cell / 2), np.abs(np.mod(wy + cell / 2, cell) - cell / 2))
    clear = inside & (away > 1e-6)
    assert np.all(grid.at(wx[clear], wy[clear]) == OCCUPIED)
    step = max(size_x, size_y) / 160.0 * 1.5
    for j, i in zip(*np.nonzero(grid.cells == OCCUPIED), strict=True):
        off_x = np.maximum(np.abs(wx - (i + 0.5) * cell) - cell / 2, 0.0)
        off_y = np.maximum(np.abs(wy - (j + 0.5) * cell) - cell / 2, 0.0)
        assert np.hypot(off_x, off_y).min() <= step


def test_around_the_limits_nothing_is_known() -> None:
    world = World.flat(2.0, 2.0).with_body(_box(0.2, 0.2), at=(-0.3, 1.0))
    grid = OccupancyMap.of(world, resolution_m=0.1, margin_m=0.5)
    assert grid.origin == (-0.5, -0.5, 0.0)
    assert grid.at(np.array([-0.45, 1.0, 2.4, 9.0, -0.3]), np.array([1.0, 1.0, 1.0, 1.0, 1.0])).tolist() == [
        UNKNOWN, FREE, UNKNOWN, UNKNOWN, OCCUPIED,
    ]  # fmt: skip


def test_what_is_not_solid_or_hangs_above_the_robot_is_not_in_the_map() -> None:
    weed = Body("w", "weed", Shape.CYLINDER, 0.0, 0.0, 0.0, 0.3, 0.3, 0.2, solid=False)
    world = World.flat(2.0, 2.0).with_body(weed, at=(1.0, 1.0))
    assert np.all(OccupancyMap.of(world).cells == FREE)
    lamp = Body("l", "lamp", Shape.BOX, 0.0, 0.0, 1.5, 0.3, 0.3, 0.2)
    world = replace(World.flat(2.0, 2.0), bodies=Bodies.of([replace(lamp, x_m=1.0, y_m=1.0)]))
    assert np.all(OccupancyMap.of(world, height_m=1.0).cells == FREE)
    assert np.any(OccupancyMap.of(world).cells == OCCUPIED)


def test_a_turned_map_is_read_in_the_world() -> None:
    cells = np.array([[0, 100]], dtype=np.int8)
    grid = OccupancyMap(1.0, (2.0, 3.0, math.pi / 2), cells)
    assert grid.at(np.array([1.5, 1.5]), np.array([3.5, 4.5])).tolist() == [FREE, OCCUPIED]


def test_bad_maps_are_refused() -> None:
    world = World.flat(10.0, 10.0)
    for bad in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(WorldError, match="A map needs a resolution_m above zero"):
            OccupancyMap.of(world, resolution_m=bad)
    with pytest.raises(WorldError, match=re.escape("would have 1000000 x 1000000 cells; wanted 100000000 at most.")):
        OccupancyMap.of(world, resolution_m=1e-5)
    with pytest.raises(WorldError, match="margin_m of zero or more, got nan"):
        OccupancyMap.of(world, margin_m=math.nan)
    with pytest.raises(WorldError, match="there is nothing to map"):
        OccupancyMap.of(World("w", world.terrain, world.bodies, (), (Region("l", "limits", 0.0, 0.0, 0.0, 1.0),)))
    with pytest.raises(WorldError, match=re.escape("rows and columns of int8, got float64 of shape (2, 2)")):
        OccupancyMap(1.0, (0.0, 0.0, 0.0), np.zeros((2, 2)))  # type: ignore[arg-type]
