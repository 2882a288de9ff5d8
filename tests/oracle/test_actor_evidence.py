"""Properties that speak of actors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.errors import OracleError
from stressfield.oracle import Evidence
from stressfield.scenario import Scenario
from stressfield.trace import ActorTruth, Metadata, Recorder, Trace
from stressfield.trace.truth import COLUMNS
from stressfield.world import Mission, World, actors, robots
from stressfield.world import common_bodies as bodies

X = np.linspace(0.0, 4.0, 9)
WORLD = (
    World.flat(10.0, 10.0)
    .with_robot("r", robots.diff_drive(), at=(1.0, 5.0))
    .with_body(bodies.person(), at=(1.0, 9.0))
    .with_actor("ann", actors.person(), at=(8.0, 5.0))
    .with_actor("lift", actors.forklift(), at=(9.0, 1.0), yaw_rad=math.pi / 2.0)
)


def evidence(world: World = WORLD, contact: int = -1) -> Evidence:
    """The robot stands at (1, 5); ann comes from (8, 5) to (4, 5), the forklift stands."""
    recorder = Recorder(["r"], actors=[placed.name for placed in world.actors])
    for n, x in enumerate(X):
        row = np.zeros((1, len(COLUMNS)))
        row[0, [0, 1, 6, 10]] = 1.0, 5.0, 1.0, contact
        seen = np.zeros((len(world.actors), 6))
        for place, placed in zip(seen, world.actors, strict=True):
            place[:4] = placed.x_m, placed.y_m, 0.0, placed.yaw_rad
        if len(seen):
            seen[0, 0] -= x
        recorder.observe(n * 100_000_000, row, seen)
    return Evidence(recorder.finish(Metadata()), Scenario(world, Mission(limit_s=1.0)))


def test_clearance_is_from_outline_to_outline() -> None:
    run = evidence()
    assert run.clearance("r", "ann").values == pytest.approx(7.0 - X - 0.3 - 0.25)
    assert run.clearance("r", "forklift").values == pytest.approx(np.full(9, math.hypot(9.0 - 0.55 - 1.3, 4.775 - 2.2)))
    person = np.minimum(7.0 - X - 0.55, 4.0 - 0.225 - 0.25)
    assert run.clearance("r", "person").values == pytest.approx(person)
    assert run.clearance("r").values == pytest.approx(person)


def test_distance_is_to_the_middle() -> None:
    run = evidence()
    assert run.distance("r", "ann").values == pytest.approx(7.0 - X)
    assert run.distance("r", "person").values == pytest.approx(np.minimum(7.0 - X, 4.0))
    assert run.distance("r", "forklift").values == pytest.approx(np.full(9, math.hypot(8.0, 4.0)))


@pytest.mark.parametrize(("code", "touched"), [(0, {"person"}), (1, {"person", "ann"}), (2, {"forklift", "lift"})])
def test_contacts_know_bodies_first_then_actors(code: int, touched: set[str]) -> None:
    run = evidence(contact=code)
    for name in ("person", "ann", "forklift", "lift"):
        assert run.contact("r", name).values.tolist() == [float(name in touched)] * 9
    assert run.contact("r").values.tolist() == [1.0] * 9


def test_a_kind_that_could_be_there_is_vacuous() -> None:
    world = World.flat(10.0, 10.0).with_robot("r", robots.diff_drive(), at=(1.0, 5.0)).with_kinds("person")
    run = evidence(world)
    assert run.clearance("r", "person").vacuous
    assert run.distance("r", "person").vacuous
    assert run.contact("r", "person").vacuous


def test_what_nobody_has_is_an_error() -> None:
    run = evidence()
    told = r"no such kind, and no such other robot or actor. It has: person, forklift, ann, lift. Did you mean 'ann'\?"
    with pytest.raises(OracleError, match=told):
        run.clearance("r", "anna")
    with pytest.raises(OracleError, match=r"Cannot measure the distance to 'lft'\..*Did you mean 'lift'\?"):
        run.distance("r", "lft")


def test_an_actor_that_was_not_observed_is_an_error() -> None:
    run = evidence()
    empty = Trace(robots=run.trace.robots)
    with pytest.raises(OracleError, match=r"No actor 'ann' in the trace. It has: none."):
        Evidence(empty, run.scenario).clearance("r", "person")
    ann = run.trace.actor("ann")
    late = {**run.trace.actors, "ann": ActorTruth(ann.time_ns + 1, ann.values)}
    with pytest.raises(OracleError):
        Evidence(Trace(robots=run.trace.robots, actors=late), run.scenario).clearance("r", "person")
