"""Start, goal and the way between them, before anything is run."""

from __future__ import annotations

import math

import numpy as np
import pytest

import stressfield as sf
from stressfield.errors import WorldError
from stressfield.world import World


def two_rooms(*, door_m: float, yaw: float = 0.0) -> World:
    """A wall across the world with a door in the middle; all turned about the origin."""
    side = (6.0 - door_m) / 2.0
    world = World.flat(12.0, 12.0)
    for y in (3.0 + side / 2.0, 9.0 - side / 2.0):
        world = world.with_body(sf.bodies.wall(length_m=side), at=(6.0, y), yaw_rad=math.pi / 2)
    for y in (3.0, 9.0):
        world = world.with_body(sf.bodies.wall(length_m=10.0), at=(6.0, y), yaw_rad=0.0)
    for x in (1.0, 11.0):
        world = world.with_body(sf.bodies.wall(length_m=6.0), at=(x, 6.0), yaw_rad=math.pi / 2)
    return world.with_robot("mower", sf.robots.diff_drive(), at=(3.0, 6.0), yaw_rad=yaw)


def test_a_way_leads_through_a_door_that_is_wide_enough() -> None:
    width = sf.robots.diff_drive().width_m
    assert two_rooms(door_m=width + 0.15).reachable("mower", (9.0, 6.0))
    assert not two_rooms(door_m=width - 0.05).reachable("mower", (9.0, 6.0))
    assert two_rooms(door_m=0.2).reachable((3.0, 6.0), (9.0, 6.0), radius_m=0.0)
    assert not two_rooms(door_m=1.0).reachable("mower", (0.5, 0.5))


def test_a_way_leads_through_what_gives_way_and_below_what_hangs() -> None:
    reed = sf.bodies.cylinder("reed", radius_m=0.4, height_m=1.0, gives_way=True)
    world = two_rooms(door_m=0.9).with_body(reed, at=(6.0, 6.0))
    assert world.reachable("mower", (9.0, 6.0))
    post = sf.bodies.cylinder("post", radius_m=0.02, height_m=1.0)
    assert not two_rooms(door_m=0.9).with_body(post, at=(6.0, 6.0)).reachable("mower", (9.0, 6.0))


def test_what_is_wrong_is_said() -> None:
    world = two_rooms(door_m=0.1)
    with pytest.raises(WorldError) as caught:
        world.require_reachable("mower", (9.0, 6.0))
    width = world.robots[0].robot.width_m
    assert str(caught.value) == (
        "The goal (9, 6) cannot be reached from the robot 'mower' at (3, 6) in world 'world': no way of "
        f"{width:g} m width leads there. Choose another goal, or open a door."
    )
    with pytest.raises(
        WorldError, match=r"^The goal \(1, 6\) is inside 'wall_4' of world 'world' or too near it: -0.05 m"
    ):
        world.require_reachable("mower", (1.0, 6.0))
    with pytest.raises(
        WorldError, match=r"^The goal \(1, 60\) is off the ground of world 'world', which reaches from \(0, 0\)"
    ):
        world.require_reachable("mower", (1.0, 60.0))
    with pytest.raises(WorldError, match=r"The goal \(nan, 1\) is no place: wanted finite numbers"):
        world.require_reachable("mower", (math.nan, 1.0))
    with pytest.raises(WorldError, match=r"has no robot 'mover'. It has: mower. Did you mean 'mower'\?"):
        world.reachable("mover", (1.0, 1.0))
    with pytest.raises(WorldError, match=r"The start \(3, 6\) needs a radius_m of zero or more .*, got None"):
        world.reachable((3.0, 6.0), (1.0, 1.0))
    with pytest.raises(WorldError, match=r"needs a resolution_m above zero, got 0.0"):
        world.reachable("mower", (1.0, 1.0), resolution_m=0.0)
    with pytest.raises(WorldError, match=r"would have 12000001 x 12000001 nodes; wanted 50,000,000 at most"):
        world.reachable("mower", (1.0, 1.0), resolution_m=1e-6)


def test_a_robot_that_stands_in_a_wall_is_named() -> None:
    robot = sf.robots.diff_drive()
    free = World.flat(10.0, 10.0).with_body(sf.bodies.wall(length_m=4.0), at=(5.0, 5.0))
    near = 5.0 - 0.05 - robot.width_m / 2.0
    free.with_robot("r", robot, at=(5.0, near - 0.01)).require_free("r")
    with pytest.raises(WorldError) as caught:
        free.with_robot("r", robot, at=(5.0, near + 0.01)).require_free("r")
    assert str(caught.value) == (
        f"The robot 'r' at (5, {near + 0.01:g}) stands in 'wall_0' of world 'world', which is at (5, 5). "
        "Choose a free place."
    )
    turned = free.with_robot("r", robot, at=(5.0, near - 0.01), yaw_rad=math.pi / 2.0)
    if robot.length_m > robot.width_m:
        with pytest.raises(WorldError, match="stands in 'wall_0'"):
            turned.require_free("r")


def test_free_ground_agrees_with_a_plain_count() -> None:
    rng = np.random.default_rng(3)
    world = World.flat(6.0, 6.0).scatter(sf.bodies.tree(radius_m=0.3), count=12, rng=rng)
    world = world.scatter(sf.bodies.box("crate", length_m=0.8, width_m=0.4, height_m=1.0), count=6, rng=rng)
    for x, y in rng.uniform(0.0, 6.0, (200, 2)).tolist():
        distance = min(
            math.hypot(x - b.x_m, y - b.y_m) - b.size_x_m / 2.0
            if b.kind == "tree"
            else math.hypot(max(abs(x - b.x_m) - 0.4, 0.0), max(abs(y - b.y_m) - 0.2, 0.0))
            for b in world.bodies
        )
        if distance > 0.25 + 1e-9:
            world.require_free((x, y), radius_m=0.25)
        elif distance < 0.25 - 1e-9:
            with pytest.raises(WorldError):
                world.require_free((x, y), radius_m=0.25)
