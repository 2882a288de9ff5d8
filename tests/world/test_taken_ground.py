"""Placement finds the same places whether it looks at all circles or only at those of a cell."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stressfield.arrays import Floats
from stressfield.errors import WorldError
from stressfield.seeds import generator
from stressfield.sim.rig._reference import corners, outline_to_outline, point_to_outline
from stressfield.world import Shape, World
from stressfield.world import common_bodies as bodies
from stressfield.world._taken_ground import TakenGround, free_of, rectangle

coordinates = st.floats(-50.0, 50.0)
circles = st.lists(st.tuples(coordinates, coordinates, st.floats(-1.0, 60.0) | st.floats(0.0, 1e-3)), max_size=30)


@given(circles=circles, points=st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=20))
def test_a_point_is_free_of_cells_exactly_if_it_is_free_of_all_circles(
    circles: list[tuple[float, float, float]], points: list[tuple[float, float]]
) -> None:
    taken = TakenGround()
    for circle in circles:
        taken.add(*circle)
    centres = [(x, y) for x, y, _ in circles]
    edges = [(x + radius, y) for x, y, radius in circles] + [(x, y - radius) for x, y, radius in circles]
    for x, y in points + centres + edges:
        assert taken.free(x, y) == free_of(circles, x, y)


@given(x=coordinates, y=coordinates, radius=st.floats(1e-3, 60.0), angle=st.floats(0.0, math.tau))
def test_points_next_to_the_border_are_no_exception(x: float, y: float, radius: float, angle: float) -> None:
    taken = TakenGround()
    taken.add(x, y, radius)
    px, py = x + radius * math.cos(angle), y + radius * math.sin(angle)
    for step in (-math.inf, math.inf):
        qx = math.nextafter(px, step)
        assert taken.free(qx, py) == free_of([(x, y, radius)], qx, py)


@pytest.mark.parametrize("circle", [(math.nan, 0.0, 1.0), (0.0, 0.0, math.inf), (math.inf, 0.0, 1.0)])
def test_circles_that_are_not_finite_are_compared_plainly(circle: tuple[float, float, float]) -> None:
    taken = TakenGround()
    taken.add(*circle)
    assert taken.free(3.0, 4.0) == free_of([circle], 3.0, 4.0)


def test_scattering_takes_the_places_that_the_plain_rule_takes() -> None:
    pond, tree = bodies.cylinder("pond", radius_m=5.0, height_m=0.1), bodies.tree()
    world = World.flat(60.0, 60.0)
    world = world.scatter(pond, count=6, rng=generator(5, "ponds"))
    made = world.scatter(tree, count=400, clear_of=((30.0, 30.0),), clear_m=2.0, gap_m=0.2, rng=generator(5, "trees"))
    rng, radius = generator(5, "trees"), tree.size_x_m / 2.0
    taken = [(b.x_m, b.y_m, b.size_x_m / 2.0 + radius + 0.2) for b in world.bodies]
    taken.append((30.0, 30.0, radius + 2.0))
    spots: list[tuple[float, float]] = []
    while len(spots) < 400:
        x, y = (float(rng.uniform(0.0 + radius, 60.0 - radius)) for _ in range(2))
        if free_of(taken, x, y):
            spots.append((x, y))
            taken.append((x, y, 2.0 * radius + 0.2))
    at = np.column_stack([made.bodies.x_m, made.bodies.y_m])[made.bodies.of_kind("tree")]
    assert at.tolist() == [list(spot) for spot in spots]


sizes, turns = st.floats(0.01, 30.0), st.floats(-4.0, 4.0)
box_or_circle = st.tuples(st.booleans(), sizes, sizes, turns)


def _distance_m(first: tuple[bool, float, float, float], second: tuple[bool, float, float, float], at: Floats) -> float:
    """Between a body at the origin and one at a place, by the plain reference of the simulators."""
    (box_a, *a, turn_a), (box_b, *b, turn_b) = first, second
    if box_a and box_b:
        return outline_to_outline(corners(0.0, 0.0, turn_a, *a), corners(*at.tolist(), turn_b, *b))
    if box_a:
        return point_to_outline(at, corners(0.0, 0.0, turn_a, *a)) - b[0] / 2.0
    if box_b:
        return point_to_outline(np.zeros(2), corners(*at.tolist(), turn_b, *b)) - a[0] / 2.0
    return math.hypot(*at.tolist()) - (a[0] + b[0]) / 2.0


def _outline(body: tuple[bool, float, float, float]) -> tuple[tuple[tuple[float, float], ...], float]:
    box, x, y, turn = body
    return (rectangle(x / 2.0, y / 2.0, turn), 0.0) if box else ((), x / 2.0)


@settings(deadline=None, max_examples=300)
@given(there=box_or_circle, new=box_or_circle, x=coordinates, y=coordinates, gap=st.floats(0.0, 3.0))
def test_a_place_is_taken_exactly_if_two_outlines_come_too_near(
    there: tuple[bool, float, float, float],
    new: tuple[bool, float, float, float],
    x: float,
    y: float,
    gap: float,
) -> None:
    taken = TakenGround()
    taken.add_pair(0.0, 0.0, *_outline(there), *_outline(new), gap)
    distance = _distance_m(there, new, np.array([x, y]))
    assume(abs(distance - gap) > 1e-6)  # two ways of computing may differ there
    assert taken.free(x, y) == (distance > gap)


def _room(*, side_m: float = 6.0) -> World:
    world = World.flat(side_m, side_m)
    wall = bodies.wall(length_m=side_m)
    for at, yaw in (((3.0, 0.05), 0.0), ((3.0, 5.95), 0.0), ((0.05, 3.0), math.pi / 2), ((5.95, 3.0), math.pi / 2)):
        world = world.with_body(wall, at=at, yaw_rad=yaw)
    return world


def test_there_is_room_inside_walls() -> None:
    table = replace(bodies.box("table", length_m=1.2, width_m=0.6, height_m=0.8), yaw_rad=0.5)
    world = _room().scatter(table, count=5, gap_m=0.3, rng=generator(2, "tables"))
    world = world.scatter(bodies.person(), count=6, gap_m=0.3, rng=generator(2, "people"))
    outlines = [
        corners(b.x_m, b.y_m, b.yaw_rad, b.size_x_m, b.size_y_m) if b.shape == Shape.BOX else None for b in world.bodies
    ]
    assert len(outlines) == 4 + 5 + 6
    for i in range(4, len(outlines)):
        for j in range(i):
            mine, other = outlines[i], outlines[j]
            if mine is not None and other is not None:
                gap = outline_to_outline(mine, other)
            elif other is not None:
                at = np.array([world.bodies.x_m[i], world.bodies.y_m[i]])
                gap = point_to_outline(at, other) - world.bodies.size_x_m[i] / 2.0
            else:
                gap = math.dist(*((world.bodies.x_m[k], world.bodies.y_m[k]) for k in (i, j))) - 0.5
            assert gap > 0.3 - 1e-9, (i, j)


def test_a_wall_as_long_as_the_room_fits_it() -> None:
    world = World.flat(6.0, 2.0).scatter(bodies.wall(length_m=5.9), count=1, rng=generator(1, "w"))
    assert abs(world.bodies.x_m[0] - 3.0) <= 0.05 + 1e-12
    with pytest.raises(WorldError, match=r"A body 6\.1 m wide does not fit a ground of 6 m x 2 m\."):
        World.flat(6.0, 2.0).scatter(bodies.wall(length_m=6.1), count=1, rng=generator(1, "w"))
