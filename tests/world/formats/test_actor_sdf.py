"""Actors in SDF files."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from pathlib import Path

import pytest
from worlds import assert_same_world

from stressfield._files.xml_text import parse_xml
from stressfield.errors import RigError, WorldError
from stressfield.world import Actor, Mission, Opening, Route, Walk, World, actors, check_sdf, export_world
from stressfield.world.formats.records import actor_from_json, actor_to_json

MISSION = Mission(limit_s=10.0)
ROUTE = Route(points=((8.0, 2.0), (8.0, 5.0)), loop=True, pause_s=0.7, start_s=1.25)


def busy() -> World:
    world = World.flat(10.0, 10.0, name="busy")
    world = world.with_actor("ann", actors.person(motion=ROUTE, speed_mps=1.1), at=(1.0 / 3.0, 2.0), yaw_rad=0.1)
    walk = Walk(points=((5.0, 5.0),), avoidance="orca", when="distance(me, ann) < 2 and time > 1", start_spread_s=0.3)
    world = world.with_actor(
        "bob & co", replace(actors.person(motion=walk, distracted=True), speed_spread=0.2), at=(2, 3)
    )
    waits = replace(ROUTE, when="time > 3")
    world = world.with_actor("lift", actors.forklift(motion=waits), at=(6.0, 6.0), yaw_rad=math.pi)
    world = world.with_actor("gate", actors.door(motion=Opening(slide_m=0.9, hold_s=2.0, every_s=7.0)), at=(9.0, 9.0))
    return world.with_actor("pat", actors.person(group="visitors"), at=(4.0, 8.0))


def test_a_world_with_actors_reads_back_the_same(tmp_path: Path) -> None:
    world = busy()
    assert_same_world(World.from_sdf(export_world(world, MISSION, tmp_path)[0]), world)


def test_libsdformat_accepts_them(tmp_path: Path) -> None:
    path = export_world(busy(), MISSION, tmp_path)[0]
    try:
        assert check_sdf(path) == []
    except RigError as error:
        pytest.skip(str(error))


def test_a_route_is_a_script_that_others_can_play(tmp_path: Path) -> None:
    path = export_world(busy(), MISSION, tmp_path)[0]
    world = parse_xml(path.read_bytes(), name="sdf", error=WorldError).all("world")[0]
    scripted = world.all("actor")
    assert [actor.attributes["name"] for actor in scripted] == ["ann"]
    script = scripted[0].all("script")[0]
    assert [script.all(tag)[0].text for tag in ("loop", "delay_start", "auto_start")] == ["true", "1.25", "true"]
    waypoints = script.all("trajectory")[0].all("waypoint")
    times = [float(point.all("time")[0].text) for point in waypoints]
    places = [tuple(map(float, point.all("pose")[0].text.split())) for point in waypoints]
    assert times == sorted(times)
    assert places[0] == (1.0 / 3.0, 2.0, 0.0, 0.0, 0.0, 0.1)
    # A turn of 0.1 rad at 4 rad/s, then to (8, 2) at 1.1 m/s, then 0.7 s there.
    assert times[1:4] == pytest.approx([0.025, 0.025 + (8.0 - 1.0 / 3.0) / 1.1, 0.725 + (8.0 - 1.0 / 3.0) / 1.1])
    assert places[2][:2] == places[3][:2] == (8.0, 2.0)
    assert places[-1][:2] == (8.0, 2.0)  # a loop ends where it began
    models = [model.attributes["name"] for model in world.all("model")]
    assert models == ["terrain", "bob___co", "lift", "gate", "pat"]


@pytest.mark.parametrize("placed", busy().actors, ids=lambda placed: placed.name)
def test_records_hold_the_whole_actor(placed: object) -> None:
    actor = placed.actor  # type: ignore[attr-defined]
    assert actor_from_json(actor_to_json(actor)) == actor
    assert all(f'"{field.name}"' in actor_to_json(actor) for field in fields(Actor))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("&quot;type&quot;:&quot;Walk&quot;", "&quot;type&quot;:&quot;Run&quot;", "has a motion of type 'Run'"),
        ('x_m="2.0"', 'x_m="two"', "actor 'bob & co' needs x_m, y_m and yaw_rad, each a number."),
        ('x_m="2.0"', 'x_m="nan"', "Actor 'bob & co' has x_m = nan; wanted a finite number."),
        ("&quot;speed_mps&quot;:2.0", "&quot;speed_mps&quot;:-2.0", "Actor 'lift' has speed_mps = -2.0"),
        ('x_m="4.0"', 'x_m="44.0"', "Actor 'pat' stands at (44, 8), which is outside of world 'busy'"),
    ],
)
def test_what_was_changed_by_hand_is_checked(tmp_path: Path, old: str, new: str, told: str) -> None:
    path = export_world(busy(), MISSION, tmp_path)[0]
    text = path.read_text()
    plain_old, plain_new = old.replace("&quot;", '"'), new.replace("&quot;", '"')
    changed = text.replace(old, new) if old in text else text.replace(plain_old, plain_new)
    assert changed != text
    path.write_text(changed)
    with pytest.raises(WorldError) as caught:
        World.from_sdf(path)
    assert told in str(caught.value)
    assert str(path) in str(caught.value)


def test_actors_of_others_are_not_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "w.sdf"
    path.write_text("<sdf version='1.9'><world name='w'><actor name='walker'/></world></sdf>")
    with pytest.raises(WorldError, match="has <actor> 'walker', which cannot be read"):
        World.from_sdf(path)
