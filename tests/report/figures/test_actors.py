"""Actors in pictures from above, in what the player gets, and in words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

import stressfield as sf
from stressfield.oracle import Evidence, Outcome, Verdict, Violation
from stressfield.report import replay_html
from stressfield.report.figures import run_svg, world_svg
from stressfield.report.figures.scene import extent_m
from stressfield.report.figures.tracks import walks_of
from stressfield.report.run.page import met_words
from stressfield.report.run.view import run_data, world_data
from stressfield.trace import Metadata, Recorder
from stressfield.world import World

SVG = "{http://www.w3.org/2000/svg}"
WORLD = (
    World.flat(12.0, 6.0)
    .with_robot("robot", sf.robots.diff_drive(), at=(1.0, 3.0))
    .with_body(sf.bodies.wall(length_m=3.0), at=(8.0, 1.0))
    .with_actor("ann", sf.actors.person(motion=sf.actors.Walk(points=((4.0, 0.5),))), at=(4.0, 5.5), yaw_rad=-1.57)
    .with_actor("lift", sf.actors.forklift(motion=sf.actors.Route(points=((2.0, 1.0),))), at=(10.0, 1.0), yaw_rad=3.14)
    .with_actor("<b>gate", sf.actors.door(), at=(11.0, 4.0))
)
FAILS = (Verdict("space", Outcome.FAIL, -0.2, "m", 4.0, None, (Violation(3.5, 4.5),), encounters=2),)


def recorded(world: World = WORLD, seconds: float = 8.0) -> Evidence:
    """The robot drives along y = 3; ann crosses, the forklift comes the other way, the gate stands."""
    recorder = Recorder(["robot"], actors=[placed.name for placed in world.actors])
    for k in range(round(seconds / 0.05) + 1):
        t = 0.05 * k
        rows = np.array([[1.0 + 0.6 * t, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 1.0, -1.0]])
        ann = [4.0, 5.5 - 0.7 * t, 0.0, -np.pi / 2, 0.0, -0.7]
        lift = [10.0 - t, 1.0, 0.0, np.pi, -1.0, 0.0]
        gate = [11.0, 4.0, 0.0, 0.0, 0.0, 0.0]
        recorder.observe(k * 50_000_000, rows, np.array([ann, lift, gate])[: len(world.actors)])
    return Evidence(recorder.finish(Metadata()), sf.Scenario(world, sf.Mission.reach((11.0, 3.0), within_s=60.0)))


def titles(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}title")]


def test_a_world_shows_where_actors_start_and_are_sent_to() -> None:
    svg = world_svg(WORLD)
    assert {"ann (person)", "lift (forklift)", "<b>gate (door)"} <= set(titles(svg))
    assert "person 1, an actor" in "".join(ET.fromstring(svg).itertext())
    assert len(list(ET.fromstring(svg).iter(f"{SVG}polyline"))) == 2  # those that are sent somewhere
    two = WORLD.with_actor("ben", sf.actors.person(), at=(1.0, 1.0))
    assert "person 2, actors" in "".join(ET.fromstring(world_svg(two)).itertext())


def test_the_picture_is_large_enough_for_where_actors_go() -> None:
    bare = World.flat(3.0, 3.0).with_robot("robot", sf.robots.diff_drive(), at=(1.0, 1.0))
    far = bare.with_actor("ann", sf.actors.person(), at=(2.5, 2.9))
    assert extent_m(far) == (0.0, 0.0, 3.0, 3.0)


def test_a_run_shows_everybody_at_its_violations_and_their_ways() -> None:
    run = recorded()
    calm, alarmed = titles(run_svg(run.scenario, run.trace, ())), titles(run_svg(run.scenario, run.trace, FAILS))
    assert calm.count("ann (person)") == 1
    assert alarmed.count("ann (person)") == 2  # at the end, and at the violation
    assert alarmed.count("<b>gate (door)") == 1  # it never moved
    assert alarmed.count("ann") == 1  # her way
    root = ET.fromstring(run_svg(run.scenario, run.trace, FAILS))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "actor"]
    assert {group.get("opacity") for group in groups} == {"0.3", "0.85"}


def test_the_player_gets_their_outlines_once_and_their_ways_by_run() -> None:
    run = recorded()
    world, data = world_data(WORLD), run_data(run.scenario, run.trace, FAILS)
    assert data is not None
    ann, lift, gate = world["actors"]
    assert (ann["round"], ann["length"], lift["round"], lift["length"], gate["door"]) == (True, 500, False, 2400, True)
    assert [walk["name"] for walk in data["walks"]] == ["ann", "lift", "<b>gate"]
    assert len(data["walks"][2]["t"]) == 1
    assert sum(data["walks"][0]["y"]) == round(1000 * (5.5 - 0.7 * 8.0))
    assert "<b>gate" not in replay_html(run.scenario, run.trace, FAILS)


def test_a_crowd_is_thinned_and_keeps_the_instants_that_matter() -> None:
    world = World.flat(12.0, 6.0).with_robot("robot", sf.robots.diff_drive(), at=(1.0, 3.0))
    for n in range(300):
        world = world.with_actor(f"p{n}", sf.actors.person(), at=(1.0 + n / 30.0, 5.0))
    recorder = Recorder(["robot"], actors=[placed.name for placed in world.actors])
    robot = np.array([[1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 1.0, -1.0]])
    for k in range(1000):
        recorder.observe(k * 50_000_000, robot, np.full((300, 6), 0.001 * k))
    trace = recorder.finish(Metadata())
    walks = walks_of(sf.Scenario(world, sf.Mission(limit_s=50.0)), trace, keep_s=[12.35])
    assert sum(len(walk.t_s) for walk in walks) <= 300 * 41
    assert all(12.35 in walk.t_s for walk in walks)
    assert walks[0].at(12.375)[0] == (0.247 + 0.248) / 2


def test_words_say_who_was_met_the_nearest_first() -> None:
    run = recorded()
    # Beside the forklift the gap is 2.0 - 0.225 - 0.55 m for a while.
    assert met_words(run)[-1].startswith("lift (forklift): 1.22 m at ")
    assert met_words(run)[0].startswith("ann (person): ")
    assert len(met_words(run)) == 2
    nobody = World.flat(12.0, 6.0).with_robot("robot", sf.robots.diff_drive(), at=(1.0, 3.0))
    recorder = Recorder(["robot"])
    assert met_words(Evidence(recorder.finish(Metadata()), sf.Scenario(nobody, sf.Mission(limit_s=1.0)))) == []
