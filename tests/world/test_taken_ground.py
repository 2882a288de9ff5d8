"""Placement finds the same places whether it looks at all circles or only at those of a cell."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.seeds import generator
from stressfield.world import World
from stressfield.world import common_bodies as bodies
from stressfield.world._taken_ground import TakenGround, free_of

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
    hall, tree = bodies.box("hall", length_m=9.0, width_m=5.0, height_m=3.0), bodies.tree()
    world = World.flat(60.0, 60.0)
    world = world.scatter(hall, count=6, rng=generator(5, "halls"))
    made = world.scatter(tree, count=400, clear_of=((30.0, 30.0),), clear_m=2.0, gap_m=0.2, rng=generator(5, "trees"))
    rng, radius = generator(5, "trees"), tree.size_x_m / 2.0
    taken = [(b.x_m, b.y_m, math.hypot(b.size_x_m, b.size_y_m) / 2.0 + radius + 0.2) for b in world.bodies]
    taken.append((30.0, 30.0, radius + 2.0))
    spots: list[tuple[float, float]] = []
    while len(spots) < 400:
        x, y = (float(rng.uniform(0.0 + radius, 60.0 - radius)) for _ in range(2))
        if free_of(taken, x, y):
            spots.append((x, y))
            taken.append((x, y, 2.0 * radius + 0.2))
    at = np.column_stack([made.bodies.x_m, made.bodies.y_m])[made.bodies.of_kind("tree")]
    assert at.tolist() == [list(spot) for spot in spots]
