"""Worlds put together by hand: flat ground, robots, bodies, scattering."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.errors import WorldError
from stressfield.seeds import generator
from stressfield.world import (
    Mission,
    Region,
    World,
    mission_from_json,
    mission_to_json,
    robots,
)
from stressfield.world import common_bodies as bodies
from stressfield.world.mission import ReachMission


def yard() -> World:
    return World.flat(20.0, 12.0).with_robot("mower", robots.diff_drive(), at=(1.0, 6.0), yaw_rad=0.5)


def test_a_flat_world_has_limits_and_the_robot_stands_where_it_was_put() -> None:
    world = yard()
    assert world.region("limits") == Region("limits", "limits", 0.0, 0.0, 20.0, 12.0)
    placed = world.robot("mower")
    assert (placed.robot.name, placed.x_m, placed.y_m, placed.yaw_rad) == ("mower", 1.0, 6.0, 0.5)


def test_changes_are_copies() -> None:
    empty = World.flat(5.0, 5.0)
    walled = empty.with_body(bodies.wall(length_m=2.0), at=(1.0, 2.0), yaw_rad=1.0)
    assert len(empty.bodies) == 0
    assert (walled.bodies[0].kind, walled.bodies[0].x_m, walled.bodies[0].yaw_rad) == ("wall", 1.0, 1.0)
    assert walled.with_region(Region("dock", "dock", 0.0, 0.0, 1.0, 1.0)).region("dock").kind == "dock"


def test_scattered_bodies_keep_their_distances() -> None:
    world = yard().with_body(bodies.person(), at=(10.0, 6.0))
    world = world.scatter(bodies.tree(), count=20, clear_of=("mower", (19.0, 6.0)), gap_m=0.7, rng=generator(1, "t"))
    trees = world.bodies.of_kind("tree")
    assert len(trees) == 20
    at = np.column_stack([world.bodies.x_m, world.bodies.y_m])
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + 99.0 * np.eye(len(at))
    assert apart[1:, 1:].min() >= 0.4 + 0.7
    assert apart[0].min() >= 0.2 + 0.25 + 0.7
    for x, y in ((1.0, 6.0), (19.0, 6.0)):
        assert np.hypot(at[trees, 0] - x, at[trees, 1] - y).min() >= 1.2
    assert at[trees].min() >= 0.2
    assert (at[trees] <= (19.8, 11.8)).all()


def test_scattering_draws_from_its_generator_only() -> None:
    first, second = (yard().scatter(bodies.tree(), count=5, rng=generator(3, "t")).bodies.x_m for _ in range(2))
    assert np.array_equal(first, second)


def test_no_room_is_said() -> None:
    with pytest.raises(WorldError, match=r"^No room for 50 bodies of kind 'tree': \d+ placed, then 10000 random"):
        World.flat(2.0, 2.0).scatter(bodies.tree(), count=50, rng=generator(1, "t"))


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(WorldError, match="two robots called 'mower'"):
        yard().with_robot("mower", robots.diff_drive(), at=(2.0, 2.0))
    with pytest.raises(WorldError, match=r"has no robot 'mover'. It has: mower. Did you mean 'mower'\?"):
        yard().robot("mover")
    with pytest.raises(WorldError, match=r"A flat world of 0.0 m x 2.0 m cannot be"):
        World.flat(0.0, 2.0)
    with pytest.raises(WorldError, match="does not fit"):
        World.flat(0.3, 0.3).scatter(bodies.tree(), count=1, rng=generator(1, "t"))


def test_a_reach_mission_is_written_and_read() -> None:
    mission = Mission.reach((19.0, 6.0), within_s=90.0)
    assert mission == ReachMission(goal_m=(19.0, 6.0), limit_s=90.0)
    assert mission_from_json(mission_to_json(mission), ReachMission) == mission
