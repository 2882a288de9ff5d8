"""How a navigation mission went: how it ended, how much its path winds, and its numbers by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError

COLLIDED = "collided"
COLLISIONS = "collisions"
TIMED_OUT = "timed_out"
ERROR = "error_reported"
DURATION = "duration_s"
DISTANCE = "distance_to_goal_m"
TOLERANCE = "tolerance_m"
TORTUOUSNESS = "tortuousness_rad"
PATH = "path_m"

STEP_S = 1.0
"""How often a position module of the published rover logs."""
LEAST_MOVE_M = 0.05
"""Moves shorter than this have a direction of noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationRun:
    """One run of a navigation mission. Duration and path say something only of runs that arrived.

    ``distance_to_goal_m`` is None for a run that crashed, because it was not measured.
    """

    world: str
    repeat: int
    outcome: OutcomeClass
    duration_s: float
    tortuousness_rad: float | None
    distance_to_goal_m: float | None
    collisions: int = 0

    @property
    def success(self) -> bool:
        return self.outcome is OutcomeClass.SUCCESS

    @property
    def collided(self) -> bool:
        return self.outcome is OutcomeClass.COLLISION


def navigation_metrics(
    time_s: NDArray[np.float64],
    x_m: NDArray[np.float64],
    y_m: NDArray[np.float64],
    facts: MissionFacts,
    *,
    duration_s: float,
    collisions: int = 0,
) -> dict[str, float]:
    """The numbers of one run, from its real positions and what was observed; a study's ``metrics`` returns them.

    ``duration_s`` is when the robot ended its mission, or was stopped.
    """
    moved = float(np.hypot(np.diff(x_m), np.diff(y_m)).sum()) if len(x_m) > 1 else 0.0
    found = {
        COLLIDED: float(facts.collided),
        COLLISIONS: float(collisions),
        TIMED_OUT: float(facts.timed_out),
        ERROR: float(facts.error_reported),
        DISTANCE: facts.distance_to_goal_m,
        TOLERANCE: facts.tolerance_m,
        DURATION: duration_s,
        PATH: moved,
    }
    winding = tortuousness_rad(time_s, x_m, y_m)
    return found if winding is None else {**found, TORTUOUSNESS: winding}


def navigation_run(world: str, repeat: int, metrics: Mapping[str, float]) -> NavigationRun | None:
    """The run that has these metrics; None if they are not those of a navigation mission."""
    if not {COLLIDED, TIMED_OUT, ERROR, DISTANCE, TOLERANCE, DURATION} <= metrics.keys():
        return None
    facts = MissionFacts(
        collided=metrics[COLLIDED] > 0.0,
        timed_out=metrics[TIMED_OUT] > 0.0,
        error_reported=metrics[ERROR] > 0.0,
        distance_to_goal_m=metrics[DISTANCE],
        tolerance_m=metrics[TOLERANCE],
    )
    return NavigationRun(
        world=world,
        repeat=repeat,
        outcome=outcome_class(facts),
        duration_s=metrics[DURATION],
        tortuousness_rad=metrics.get(TORTUOUSNESS),
        distance_to_goal_m=metrics[DISTANCE],
        collisions=int(metrics.get(COLLISIONS, metrics[COLLIDED])),
    )


def crashed_run(world: str, repeat: int, *, duration_s: float) -> NavigationRun:
    """A run in which the robot software crashed: a failure without metrics. Whether it collided before is not known."""
    return NavigationRun(
        world=world,
        repeat=repeat,
        outcome=OutcomeClass.ERROR,
        duration_s=duration_s,
        tortuousness_rad=None,
        distance_to_goal_m=None,
    )


class OutcomeClass(StrEnum):
    """From best to worst is: success, then Fail-Other, Fail-Error, Fail-TimeOut, Fail-Collision.

    A crash of the robot software counts as Fail-Error: it ended the mission by itself, and did not arrive.
    """

    SUCCESS = "success"
    COLLISION = "Fail-Collision"
    TIMEOUT = "Fail-TimeOut"
    ERROR = "Fail-Error"
    OTHER = "Fail-Other"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionFacts:
    """What was observed of one run. ``distance_to_goal_m`` is that of the last real position."""

    collided: bool
    timed_out: bool
    error_reported: bool
    distance_to_goal_m: float
    tolerance_m: float


def outcome_class(facts: MissionFacts) -> OutcomeClass:
    """The class of a run; one with several issues falls into the most severe class.

    ``Fail-Other`` is a run that ended normally, without collision, but not within tolerance of the goal.
    """
    if not facts.tolerance_m > 0.0:
        raise InputError(f"Cannot tell arrival with tolerance_m={facts.tolerance_m!r}. Wanted a positive length.")
    if facts.collided:
        return OutcomeClass.COLLISION
    if facts.timed_out:
        return OutcomeClass.TIMEOUT
    if facts.error_reported:
        return OutcomeClass.ERROR
    arrived = facts.distance_to_goal_m <= facts.tolerance_m
    return OutcomeClass.SUCCESS if arrived else OutcomeClass.OTHER


def tortuousness_rad(
    time_s: NDArray[np.float64],
    x_m: NDArray[np.float64],
    y_m: NDArray[np.float64],
    *,
    step_s: float = STEP_S,
    least_move_m: float = LEAST_MOVE_M,
) -> float | None:
    """Mean absolute angle between successive moves, in radians; None for fewer than two moves.

    Sampling: positions are interpolated at every ``step_s`` of time, as a position module that publishes at a fixed
    rate would log them. A position is kept once it is ``least_move_m`` from the last one kept, because the direction
    of a robot that stands still is noise. 0 is a straight line; half a turn between all moves is pi.
    """
    if not step_s > 0.0:
        raise InputError(f"Cannot sample a path every {step_s!r} s. Wanted a positive time.")
    if len(time_s) < 2:
        return None
    count = int(np.floor((time_s[-1] - time_s[0]) / step_s + 1e-9)) + 1
    times = time_s[0] + step_s * np.arange(count)
    points = _moving(np.column_stack([np.interp(times, time_s, x_m), np.interp(times, time_s, y_m)]), least_move_m)
    moves = np.diff(points, axis=0)
    if len(moves) < 2:
        return None
    before, after = moves[:-1], moves[1:]
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return float(np.abs(np.arctan2(cross, (before * after).sum(axis=1))).mean())


def _moving(points: NDArray[np.float64], least_move_m: float) -> NDArray[np.float64]:
    kept = [0]
    for place in range(1, len(points)):
        if np.hypot(*(points[place] - points[kept[-1]])) >= least_move_m:
            kept.append(place)
    return points[kept]
