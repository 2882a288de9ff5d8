"""Actors as data: what is refused, and in which words."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest

from stressfield.errors import WorldError
from stressfield.world import Actor, Opening, Region, Route, Shape, Standstill, Walk, World, actors, robots

FIELD = World.flat(10.0, 8.0, name="field")
THERE = Walk(points=((2.0, 2.0),))


def test_ready_made_actors_can_all_be_placed() -> None:
    world = FIELD
    for n, make in enumerate((actors.person, actors.cart, actors.forklift, actors.vehicle, actors.door)):
        world = world.with_actor(f"a{n}", make(), at=(5.0, 4.0), yaw_rad=1)
    assert [placed.actor.kind for placed in world.actors] == ["person", "cart", "forklift", "vehicle", "door"]
    assert world.actor("a1").yaw_rad == 1.0
    assert actors.person(hurrying=True).speed_mps == 1.5 * actors.person().speed_mps
    assert not actors.person(distracted=True).sees_robots


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": ""}, "An actor needs a name and a kind, got 'ann' and ''."),
        ({"size_x_m": 0.0}, "Actor 'ann' has size_x_m = 0.0; wanted a number above zero."),
        ({"height_m": math.nan}, "Actor 'ann' has height_m = nan; wanted a number above zero."),
        ({"speed_mps": -1.0}, "Actor 'ann' has speed_mps = -1.0; wanted zero or more."),
        ({"speed_mps": math.inf}, "Actor 'ann' has speed_mps = inf; wanted zero or more."),
        ({"speed_spread": 1.0}, "Actor 'ann' has a speed_spread of 1.0; wanted a share from 0 to less than 1."),
        ({"acceleration_mps2": 0.0}, "Actor 'ann' has acceleration_mps2 = 0.0; wanted a number above zero."),
        ({"shape": Shape.SPHERE}, "wanted Shape.CYLINDER or Shape.BOX, which stand upright."),
        ({"size_y_m": 0.7}, "Actor 'ann' is round but 0.5 m x 0.7 m wide; wanted both alike, or a box."),
        ({"motion": "walk"}, "Actor 'ann' moves by 'walk'; wanted a Standstill, Route, Walk or Opening."),
        (
            {"motion": THERE, "speed_mps": 0.0},
            "Actor 'ann' has a Walk but a speed_mps of 0; wanted more than zero, or a Standstill.",
        ),
        ({"motion": Walk(points=())}, "Actor 'ann' has a Walk without points; wanted at least one, or a Standstill."),
        (
            {"motion": Route(points=((1.0, math.nan),))},
            "Actor 'ann' has the point (1.0, nan) on its way; wanted two finite numbers, x and y.",
        ),
        (
            {"motion": Route(points=((1.0, 1.0), (12.0, 3.0)))},
            "Actor 'ann' goes to (12, 3), which is outside of world 'field'; wanted x from 0 to 10 and y from 0 to 8.",
        ),
        ({"motion": replace(THERE, start_s=-1.0)}, "Actor 'ann' has start_s = -1.0; wanted zero or more."),
        ({"motion": replace(THERE, pause_s=math.inf)}, "Actor 'ann' has pause_s = inf; wanted zero or more."),
        (
            {"motion": replace(THERE, avoidance="orka")},
            "Actor 'ann' avoids others by 'orka'; wanted one of: social force, orca. Did you mean 'orca'?",
        ),
        ({"motion": Route(points=((1.0, 1.0),), loop=True)}, "Actor 'ann' goes in a loop through one point"),
        ({"motion": Opening(slide_m=1.0)}, "Actor 'ann' has an Opening but is round; wanted a box (Shape.BOX)."),
        ({"motion": Opening()}, "opens by slide_m 0.0 and swing_rad 0.0; wanted one of them, the other 0."),
        (
            {"motion": Opening(slide_m=1.0, every_s=5.0), "shape": Shape.BOX},
            "Actor 'ann' opens every 5 s; wanted no 'when', and a hold_s shorter than that.",
        ),
    ],
)
def test_what_cannot_be_is_refused_by_name(change: dict[str, Any], told: str) -> None:
    with pytest.raises(WorldError, match=re.escape(told)):
        FIELD.with_actor("ann", replace(Actor(kind="person"), **change), at=(3.0, 3.0))


def test_names_are_not_shared() -> None:
    world = FIELD.with_actor("ann", actors.person(), at=(3.0, 3.0))
    with pytest.raises(WorldError, match=r"World 'field' has two actors called 'ann'; names must differ."):
        world.with_actor("ann", actors.person(), at=(4.0, 3.0))
    with pytest.raises(WorldError, match=r"World 'field' has a robot and an actor called 'ann'; names must differ."):
        world.with_robot("ann", robots.diff_drive(), at=(4.0, 3.0))
    with pytest.raises(WorldError, match=r"World 'field' has no actor 'anne'. It has: ann. Did you mean 'ann'\?"):
        world.actor("anne")


def test_limits_that_come_later_count_too() -> None:
    world = World("open", FIELD.terrain, FIELD.bodies, ()).with_actor("ann", actors.person(), at=(9.0, 3.0))
    with pytest.raises(WorldError, match=re.escape("Actor 'ann' stands at (9, 3), which is outside of world 'open'")):
        world.with_region(Region("limits", "limits", 0.0, 0.0, 5.0, 5.0))


def test_an_actor_is_plain_data() -> None:
    assert actors.person(motion=THERE) == actors.person(motion=Walk(points=((2.0, 2.0),)))
    assert actors.person().motion == Standstill()
    assert actors.cart().radius_m == pytest.approx(math.hypot(0.6, 0.3))
