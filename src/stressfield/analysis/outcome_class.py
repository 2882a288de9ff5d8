"""How a navigation mission ended: success, or the gravest of four ways to fail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stressfield.errors import InputError


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
