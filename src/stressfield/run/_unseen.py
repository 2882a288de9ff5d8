"""What may have been where nobody looked: a verdict that would change with it is not settled.

Operators leave missing samples out, so a robot of which nothing was heard for ten seconds would have kept clear of
everything meanwhile. Here it is put everywhere it might have been instead: on every thing, at the goal, far away, at
rest and fast. What fails then, or comes true, depends on what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from stressfield.scenario import Scenario
from stressfield.trace import Truth
from stressfield.world import ReachMission

FAR_M, FAST = 1e4, 1e3
MOST_BODIES = 500
"""Things that it is put on; a field of thousands has no more kinds for that."""
MOST_GAPS = 20
"""Gaps that are filled: what a verdict depends on in one of hundreds it does in most of them."""
AFTER_NS = 60_000_000_000
"""How long what comes after the end lasts."""


def places_of(scenario: Scenario) -> NDArray[np.float64]:
    """Where a robot might be, [n, 2]. The scenario is plain: without what is not known."""
    bodies = scenario.world.bodies
    step = max(1, -(-len(bodies) // MOST_BODIES))
    found = [np.column_stack([bodies.x_m[::step], bodies.y_m[::step]]), np.array([[FAR_M, FAR_M], [-FAR_M, -FAR_M]])]
    if isinstance(scenario.mission, ReachMission):
        found.append(np.array([scenario.mission.goal_m]))
    found.append(np.array([[placed.x_m, placed.y_m] for placed in scenario.world.robots]).reshape(-1, 2))
    return np.concatenate(found)


def gaps_of(robots: Mapping[str, Truth]) -> list[tuple[int, int]]:
    """Stretches in which nobody knows where a robot was, from the last time that it is known to the next."""
    if not robots:
        return []
    times = next(iter(robots.values())).time_ns
    unknown = np.any([np.isnan(truth.x_m) for truth in robots.values()], axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], unknown.astype(np.int8), [0]])))
    return [
        (int(times[max(first - 1, 0)]), int(times[min(last, len(times) - 1)]))
        for first, last in edges.reshape(-1, 2).tolist()
    ]


def filled(robots: Mapping[str, Truth], places: NDArray[np.float64]) -> dict[str, Truth]:
    """The robots as they may have been in the gaps."""
    gaps = gaps_of(robots)
    gaps = gaps[:: max(1, -(-len(gaps) // MOST_GAPS))]
    return _with_samples(robots, [_spread(first, last, 2 * len(places)) for first, last in gaps], places)


def continued(robots: Mapping[str, Truth], places: NDArray[np.float64]) -> dict[str, Truth]:
    """The robots as they may have gone on after the end."""
    end = max((int(truth.time_ns[-1]) for truth in robots.values() if len(truth)), default=0)
    return _with_samples(robots, [_spread(end, end + AFTER_NS, 2 * len(places))], places, after=True)


def _spread(first: int, last: int, count: int) -> NDArray[np.int64]:
    return np.linspace(first, max(last, first + count + 1), count + 2)[1:-1].astype(np.int64)


def _with_samples(
    robots: Mapping[str, Truth],
    stretches: list[NDArray[np.int64]],
    places: NDArray[np.float64],
    *,
    after: bool = False,
) -> dict[str, Truth]:
    """Robots that are unknown there are in all places, once at rest and once fast; the others where they were."""
    if not stretches or not robots:
        return dict(robots)
    new = np.concatenate(stretches)
    twice = np.tile(np.repeat(places, 2, axis=0), (len(stretches), 1))
    speeds = np.tile([0.0, FAST], len(twice) // 2)
    made = {}
    for name, truth in robots.items():
        known = np.isfinite(truth.x_m)
        rows = np.column_stack([np.interp(new, truth.time_ns[known], column[known]) for column in truth.values.T])
        # of a robot that was told all the time nothing is made up in between
        lost = np.ones(len(new), bool) if after else _lost(truth, known, new)
        rows[lost, 0], rows[lost, 1] = twice[lost].T
        rows[lost, 7], rows[lost, 8] = speeds[lost], speeds[lost]
        times = np.concatenate([truth.time_ns, new])
        order = np.argsort(times, kind="stable")
        made[name] = Truth(times[order], np.concatenate([truth.values, rows])[order])
    return made


def _lost(truth: Truth, known: NDArray[np.bool_], at_ns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """At which of these times the nearest sample before or after is one that is not known."""
    after = np.searchsorted(truth.time_ns, at_ns, side="left")
    before = np.maximum(after - 1, 0)
    after = np.minimum(after, len(truth) - 1)
    return np.asarray(~known[before] | ~known[after])
