"""Many robots: what a table of cells finds is what a look at all of them finds, to the last bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.sim.rig import _crowd_kernels as crowds
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig.place import BodyGrid, Place, body_rows
from stressfield.world import Bodies, PlacedRobot

from ..scenes import opened, robot, scene, twist

NOBODY = BodyGrid.of(body_rows(Bodies.none()))
NO_CROWD = np.empty((3, 0), dtype=np.int64)


def standing(rng: np.random.Generator, count: int, extent_m: float, *, lattice: bool) -> tuple[np.ndarray, np.ndarray]:
    """States and constants of robots: anywhere, or on a lattice, where many are equally near."""
    state, robots = np.zeros((count, k.STATE_COLUMNS)), np.zeros((count, k.ROBOT_COLUMNS))
    state[:, :2] = rng.uniform(-extent_m, extent_m, (count, 2))
    state[:, k.YAW] = rng.uniform(-4.0, 4.0, count)
    robots[:, k.HALF_LENGTH], robots[:, k.HALF_WIDTH] = rng.uniform(0.1, 1.0, (2, count))
    robots[:, k.OFFSET], robots[:, k.HEIGHT] = rng.uniform(-0.5, 0.5, count), 1.0
    if lattice:
        state[:, :2] = np.round(state[:, :2])
        state[:, k.YAW], robots[:, k.OFFSET] = 0.0, 0.0
        robots[:, k.HALF_LENGTH], robots[:, k.HALF_WIDTH] = 0.25, 0.25
    return state, robots


def found(
    state: np.ndarray, robots: np.ndarray, crowd: np.ndarray, side: float, *, reach: float
) -> list[tuple[float, int]]:
    grid = (NOBODY.rows, NOBODY.start, NOBODY.grid)
    return [k.nearest(state, robots, me, *grid, crowd, side, reach, False) for me in range(len(state))]


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10_000), count=st.integers(1, 80), extent_m=st.sampled_from([1.0, 6.0, 40.0]),
    lattice=st.booleans(), reach=st.sampled_from([0.0, k.CLEARANCE_MAX_M]),
)  # fmt: skip
def test_the_nearest_robot_is_the_same(seed: int, count: int, extent_m: float, lattice: bool, reach: float) -> None:
    rng = np.random.default_rng(seed)
    state, robots = standing(rng, count, extent_m, lattice=lattice)
    crowd, side = k.crowd_of(state, robots)
    assert (crowd.shape[1] == 0) == (count <= crowds.FEW)
    assert found(state, robots, crowd, side, reach=reach) == found(state, robots, NO_CROWD, side, reach=reach)
    for n in rng.permutation(count).tolist():  # everybody goes elsewhere, one after another
        state[n, :2] = rng.permutation(state[:, :2])[0] if lattice else rng.uniform(-extent_m, extent_m, 2)
        crowds.moved(crowd, n, state[n, 0], state[n, 1], side)
    assert found(state, robots, crowd, side, reach=reach) == found(state, robots, NO_CROWD, side, reach=reach)


def test_a_state_that_is_not_finite_stays_in_the_table() -> None:
    state, robots = standing(np.random.default_rng(1), 40, 5.0, lattice=False)
    state[7, 0], state[8, 1] = np.nan, np.inf
    crowd, side = k.crowd_of(state, robots)
    crowds.moved(crowd, 9, np.nan, -np.inf, side)
    crowds.moved(crowd, 9, state[9, 0], state[9, 1], side)
    reach = k.CLEARANCE_MAX_M
    assert found(state, robots, crowd, side, reach=reach) == found(state, robots, NO_CROWD, side, reach=reach)


def test_a_crowd_drives_as_if_everybody_looked_at_everybody() -> None:
    """Thirty robots that bump into each other: each tick against one in which nobody is left out."""
    rng = np.random.default_rng(3)
    at = [(1.2 * (n % 6), 1.2 * (n // 6)) for n in range(30)]
    placed = [
        PlacedRobot(robot(name=f"r{n}", topic=f"/r{n}"), *spot, float(rng.uniform(-3.0, 3.0)))
        for n, spot in enumerate(at)
    ]
    session = opened(scene(*placed))
    place: Place = session.place
    touching = 0
    for _ in range(80):
        turns = rng.uniform(-1.0, 1.0, 30).tolist()
        now = session.time_ns
        session.step([twist(0.4, turn, time_ns=now, topic=f"/r{n}") for n, turn in enumerate(turns)])
        solid = place.solid
        for me in range(30):
            gap, whose = k.nearest(
                place.state, place.robots, me, solid.rows, solid.start, solid.grid, NO_CROWD, 1.0, 2.0, False
            )
            truth = place.truth[me]
            if truth[9] != 0.0:
                assert (truth[9], truth[10]) == (gap, whose if gap < 0.0 else -1)
            touching += truth[10] < -1
    assert touching > 0
