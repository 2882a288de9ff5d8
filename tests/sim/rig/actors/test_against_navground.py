"""Our avoidance beside that of navground (MIT), which others wrote: the same meetings come out alike."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest

from stressfield.arrays import Floats
from stressfield.scenario import Scenario
from stressfield.sim.rig import Place
from stressfield.sim.rig.actors import MovingActors
from stressfield.sim.rig.actors import _avoidance_kernels as avoidance
from stressfield.sim.rig.actors import _outline_kernels as a
from stressfield.world import Avoidance, Mission, Walk, World, actors

core = pytest.importorskip("navground.core")
sim = pytest.importorskip("navground.sim")

RADIUS_M, SPEED_MPS, DT, STEPS = 0.25, 1.3, 0.05, 260
MARGIN_M = 0.05

Meeting: TypeAlias = tuple[list[tuple[float, float]], list[tuple[float, float]]]

HEAD_ON: Meeting = ([(2.0, 8.1), (10.0, 8.0)], [(10.0, 8.1), (2.0, 8.0)])
CROSSING: Meeting = ([(2.0, 8.0), (6.0, 3.9)], [(10.0, 8.0), (6.0, 12.0)])
TURNS = np.linspace(0.0, 2.0 * math.pi, 8, endpoint=False).tolist()
CIRCLE: Meeting = tuple(  # type: ignore[assignment]
    [
        (8.0 + 5.0 * math.cos(angle + turn + 0.02 * n), 8.0 + 5.0 * math.sin(angle + turn + 0.02 * n))
        for n, angle in enumerate(TURNS)
    ]
    for turn in (0.0, math.pi)
)


def theirs(meeting: Meeting) -> Floats:
    """Ways of everybody, [steps, people, 2], by navground's ORCA."""
    world = sim.World()
    for start, goal in zip(*meeting, strict=True):
        mind = core.Behavior.make_type("ORCA")
        legs = core.kinematics.OmnidirectionalKinematics(max_speed=SPEED_MPS, max_angular_speed=10.0)
        mind.kinematics, mind.radius, mind.optimal_speed = legs, RADIUS_M, SPEED_MPS
        mind.horizon, mind.safety_margin = 4.0 + 2.0 * RADIUS_M, MARGIN_M
        mind.time_horizon = avoidance.HORIZON_S
        agent = sim.Agent(
            radius=RADIUS_M,
            behavior=mind,
            kinematics=legs,
            task=sim.tasks.WaypointsTask(waypoints=[goal], loop=False, tolerance=0.3),
            state_estimations=[sim.state_estimations.BoundedStateEstimation(range=4.0 + 2.0 * RADIUS_M)],
        )
        agent.position = start
        world.add_agent(agent)
    ways = []
    for _ in range(STEPS):
        world.update(DT)
        ways.append([np.array(agent.position) for agent in world.agents])
    return np.array(ways)


def ours(how: Avoidance, meeting: Meeting) -> Floats:
    """The same by our kernels, without preference for a side and hardly limited in acceleration."""
    world = World.flat(16.0, 16.0)
    for n, (start, goal) in enumerate(zip(*meeting, strict=True)):
        walk = Walk(points=(goal,), avoidance=how)
        person = replace(actors.person(motion=walk, radius_m=RADIUS_M, speed_mps=SPEED_MPS), acceleration_mps2=50.0)
        world = world.with_actor(f"p{n}", person, at=start)
    moving = MovingActors(Scenario(world, Mission(limit_s=1.0)), _place(world), seed=1)
    moving._actors[:, a.ASIDE] = 0.0
    ways = []
    for n in range(STEPS):
        moving.advance(n * 50_000_000, 50_000_000)
        ways.append(moving.truth[:, :2].copy())
    return np.array(ways)


def _place(world: World) -> Place:
    """Without any robot a place has no rows of robots."""
    place = Place.of(Scenario(world, Mission(limit_s=1.0)), substep_s=0.01)
    return replace(place, state=np.zeros((0, 30)), robots=np.zeros((0, 30)))


def nearest(ways: Floats) -> float:
    """The least distance of any two middles."""
    apart = np.hypot(*np.moveaxis(ways[:, :, None] - ways[:, None], -1, 0))
    apart[:, np.arange(ways.shape[1]), np.arange(ways.shape[1])] = np.inf
    return float(apart.min())


@pytest.mark.parametrize("meeting", [HEAD_ON, CROSSING, CIRCLE], ids=["head on", "crossing", "circle"])
def test_orca_goes_the_same_way(meeting: Meeting) -> None:
    """Everywhere within 10 cm of where navground's people are at that time; the nearest approach within 3 cm."""
    mine, other = ours("orca", meeting), theirs(meeting)
    assert nearest(mine) >= 2.0 * RADIUS_M
    assert nearest(mine) == pytest.approx(nearest(other), abs=0.03)
    # Who has arrived stands: theirs a little farther on, as they stop later.
    walking = np.hypot(*(other - np.array(meeting[1])).T).T > 0.6
    assert np.hypot(*(mine - other).T).T[walking].max() < 0.10


@pytest.mark.parametrize("seed", range(8))
def test_social_forces_are_the_slope_of_their_potential(seed: int) -> None:
    """Of Helbing and Molnar's: navground writes it down as well. Its own force has other factors; the slope has not."""
    rng = np.random.default_rng(seed)
    mind = core.Behavior.make_type("SocialForce")
    mind.step_duration = avoidance.STEP_S
    me, them, relative = rng.uniform(-2.0, 2.0, 2), rng.uniform(-2.0, 2.0, 2), rng.normal(0.0, 1.0, 2)
    potential = mind.neighbor_potential(core.Neighbor(position=them, radius=RADIUS_M, velocity=relative))
    tiny = 1e-3  # navground counts in single precision
    slope = [(potential(me + tiny * axis) - potential(me - tiny * axis)) / (2.0 * tiny) for axis in np.eye(2)]
    apart = me - them
    away = float(np.hypot(*apart))
    push = avoidance.social_push(away - 2.0 * RADIUS_M, *(apart / away), *relative)
    assert away > 2.0 * RADIUS_M
    assert push == pytest.approx((-float(slope[0]), -float(slope[1])), rel=0.01, abs=2e-3)


@pytest.mark.parametrize("meeting", [HEAD_ON, CROSSING, CIRCLE], ids=["head on", "crossing", "circle"])
def test_nobody_touches_by_social_forces_either(meeting: Meeting) -> None:
    mine = ours("social force", meeting)
    assert nearest(mine) >= 2.0 * RADIUS_M
    assert np.hypot(*(mine[-1] - np.array(meeting[1])).T).max() < 0.4
