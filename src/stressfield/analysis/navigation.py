"""What a navigation study measures in every run, by name, and one run of it as the analyses want it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis.outcome_class import MissionFacts, OutcomeClass, outcome_class
from stressfield.analysis.tortuousness import tortuousness_rad

COLLIDED = "collided"
COLLISIONS = "collisions"
TIMED_OUT = "timed_out"
ERROR = "error_reported"
DURATION = "duration_s"
DISTANCE = "distance_to_goal_m"
TOLERANCE = "tolerance_m"
TORTUOUSNESS = "tortuousness_rad"
PATH = "path_m"


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
