"""A navigation mission: go there."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.world import Mission

TOLERANCE_M = 2.0
"""How near the goal the rover must really end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManaMission(Mission):
    """Where to go, and how far to drive straight on first to see the surroundings."""

    goal_x_m: float
    goal_y_m: float
    tolerance_m: float = TOLERANCE_M
    first_drive_m: float = 3.0

    @property
    def ways_m(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """To the goal."""
        return (((self.goal_x_m, self.goal_y_m),),)
