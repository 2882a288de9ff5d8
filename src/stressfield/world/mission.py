"""What the robot is asked to do. Studies derive their own frozen mission from this one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    """The least every mission says: how long the robot may take."""

    limit_s: float

    @property
    def ways_m(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Where it leads, for who draws it: of each way its points in order, the last of which is a goal."""
        return ()

    @staticmethod
    def reach(goal_m: tuple[float, float], *, within_s: float) -> ReachMission:
        """Go to a point of the world within a time."""
        return ReachMission(goal_m=goal_m, limit_s=within_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachMission(Mission):
    """Go to a point: ``goal_m`` is its x and y in the world."""

    goal_m: tuple[float, float]

    @property
    def ways_m(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """To the goal."""
        return ((self.goal_m,),)
