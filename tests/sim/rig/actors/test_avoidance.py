"""The compiled avoidance against the plain one, on random crowds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.arrays import Floats
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.sim.rig import Place
from stressfield.sim.rig._crowd_kernels import gathered
from stressfield.sim.rig.actors import _avoidance_kernels as avoidance
from stressfield.sim.rig.actors import _orca_kernels as orca
from stressfield.sim.rig.actors import _outline_kernels as a
from stressfield.sim.rig.actors import _reference as plain
from stressfield.sim.rig.actors.moving_actors import constants, start_rows
from stressfield.world import Mission, Walk, World, actors, robots
from stressfield.world import common_bodies as bodies

DT = 0.05


def crowded(seed: int, count: int) -> tuple[World, Floats]:
    """People and forklifts at random places, some inside each other, and random velocities."""
    rng = generator(seed, "crowd")
    world = World.flat(14.0, 14.0)
    for n in range(3):
        world = world.with_robot(f"r{n}", robots.diff_drive(topics=f"/r{n}"), at=tuple(rng.uniform(1.0, 13.0, 2)))
    for n in range(12):
        body = bodies.wall(length_m=rng.uniform(0.3, 6.0)) if n % 2 else bodies.tree(radius_m=rng.uniform(0.1, 0.5))
        world = world.with_body(body, at=tuple(rng.uniform(0.0, 14.0, 2)), yaw_rad=rng.uniform(-3.0, 3.0))
    for n in range(count):
        x, y, to_x, to_y = rng.uniform(0.5, 13.5, 4).tolist()
        walk = Walk(points=((to_x, to_y),), avoidance="orca" if n % 3 else "social force")
        who = actors.forklift() if n % 7 == 6 else actors.person(motion=walk, distracted=n % 5 == 0)
        who = actors.cart(motion=walk) if n % 7 == 5 else who
        world = world.with_actor(f"p{n}", who, at=(x, y), yaw_rad=rng.uniform(-3.0, 3.0))
    return world, rng.normal(0.0, 0.8, (count, 2))


@pytest.mark.parametrize(("seed", "count"), [(1, 1), (2, 6), (3, 12), (4, 13), (5, 40), (6, 120)])
def test_the_kernels_see_and_do_what_the_plain_version_does(seed: int, count: int) -> None:
    world, velocities = crowded(seed, count)
    place = Place.of(Scenario(world, Mission(limit_s=1.0)), substep_s=0.01)
    rows, _ = constants(world, seed)
    state = start_rows(world, rows)
    state[:, [a.VX, a.VY]] = velocities
    seen = np.zeros((3, a.SEEN_ROBOT_COLUMNS))
    a.see_robots(place.state, place.robots, np.zeros((3, a.BOX_COLUMNS)), seen, 0.0)
    seen[:, a.RFOOT] = -np.inf, 1.9, 3.0  # on the ground, over people, over all
    seen[:, [a.RVX, a.RVY]] = generator(seed, "robots").normal(0.0, 0.5, (3, 2))
    side = 1.01 * (avoidance.NEAR_M + 2.0 * float(rows[:, a.AROUND].max()))
    crowd = gathered(state, side)
    near = np.empty((avoidance.MOST_WALLS + avoidance.MOST_OTHERS, avoidance.NEAR_COLUMNS))
    planes, spare = np.empty((len(near), 4)), np.empty((len(near), 4))
    compared = impossible = 0
    solid = place.solid
    for me in range(count):
        wanted = generator(seed, "wanted", me).normal(0.0, 0.8, 2)
        fixed = avoidance.walls(near, state, rows, me, solid.rows, solid.start, solid.grid, count)
        met = avoidance.others(near, state, rows, me, crowd, side, seen)
        walls = plain.walls(state, rows, me, solid.rows[: len(solid.rows) - count])
        others = plain.others(state, rows, me, seen)
        assert (fixed, met) == (len(walls), len(others))
        for row, it in zip((*near[:fixed], *near[avoidance.MOST_WALLS :][:met]), (*walls, *others), strict=True):
            told = (it.gap_m, *it.away, *it.velocity, it.part, it.radius_m)
            got = row[[0, 1, 2, 3, 4, 5, 7]]
            assert got == pytest.approx(told, abs=1e-9)
        velocity = state[me, [a.VX, a.VY]]
        pushed = avoidance.pushed_velocity(near, met, fixed, *velocity, *wanted, DT)
        assert pushed == pytest.approx(plain.social_velocity(velocity, wanted, others, walls, DT).tolist(), abs=1e-8)
        taken = avoidance.orca_velocity(near, planes, spare, met, fixed, rows[me], *velocity, *wanted, DT)
        horizons = [avoidance.WALL_HORIZON_S] * fixed + [avoidance.HORIZON_S] * met
        radius = float(rows[me, a.AROUND])
        half_planes = [
            plain.half_plane(velocity, it, radius, horizon_s=horizon, dt=DT)
            for it, horizon in zip((*walls, *others), horizons, strict=True)
        ]
        for row, half_plane in zip(planes, half_planes, strict=False):
            # Any point of a border will do: the border itself is compared.
            assert row[2:] == pytest.approx(half_plane.direction, abs=1e-9)
            assert half_plane.allowed(row[:2]) == pytest.approx(0.0, abs=1e-8)
        best = plain.orca_velocity(half_planes, float(rows[me, a.PACE]), wanted)
        if best is None:
            impossible += 1
        else:
            compared += 1
            assert taken == pytest.approx(best.tolist(), abs=1e-7)
    assert compared + impossible == count
    assert count < 40 or (compared > 5 and impossible > 5)


@pytest.mark.parametrize("seed", range(40))
def test_where_nothing_is_allowed_the_worst_is_least_bad(seed: int) -> None:
    """Against a search over a fine grid of velocities."""
    rng = generator(seed, "planes")
    count, limit = int(rng.integers(3, 9)), 1.3
    angles, off = rng.uniform(-math.pi, math.pi, count), rng.uniform(0.1, 1.0, count)
    planes = np.empty((count, 4))
    # Allowed is what lies beyond ``off`` in direction ``angle``: several of them cannot be met at once.
    planes[:, 0], planes[:, 1] = off * np.cos(angles), off * np.sin(angles)
    planes[:, 2], planes[:, 3] = np.sin(angles), -np.cos(angles)
    vx, vy = orca.velocity(planes, np.empty_like(planes), 0, count, limit, 0.5, 0.2)
    assert math.hypot(vx, vy) <= limit + 1e-9
    x, y = np.meshgrid(np.linspace(-limit, limit, 401), np.linspace(-limit, limit, 401))
    inside = np.hypot(x, y) <= limit
    worst = np.full(x.shape, -np.inf)
    for px, py, dx, dy in planes:
        worst = np.maximum(worst, -(dx * (y - py) - dy * (x - px)))
    mine = max(-orca.allowed(planes, n, vx, vy) for n in range(count))
    least = float(worst[inside].min())
    assert mine <= max(least, 0.0) + 1e-6
    if least > 0.01:
        assert mine == pytest.approx(least, abs=0.01)


def test_a_table_of_cells_hides_nobody() -> None:
    """Who is near is found in a crowd that is large enough for the table, everywhere in the plane."""
    world, _ = crowded(9, 60)
    rows, _ = constants(world, 1)
    state = start_rows(world, rows)
    state[:, :2] -= 7.0  # cells on both sides of zero
    seen = np.zeros((0, a.SEEN_ROBOT_COLUMNS))
    near = np.empty((avoidance.MOST_WALLS + avoidance.MOST_OTHERS, avoidance.NEAR_COLUMNS))
    side = 1.01 * (avoidance.NEAR_M + 2.0 * float(rows[:, a.AROUND].max()))
    for me in range(60):
        count = avoidance.others(near, state, rows, me, gathered(state, side), side, seen)
        got = near[avoidance.MOST_WALLS :][:count, avoidance.WHO].tolist()
        everybody = avoidance.others(near, state, rows, me, np.empty((3, 0), dtype=np.int64), side, seen)
        assert got == near[avoidance.MOST_WALLS :][:everybody, avoidance.WHO].tolist()
