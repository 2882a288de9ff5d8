"""What the fleet is told: the map of the floor, where the chargers are, and which rooms each robot visits."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.world import Mission


@dataclass(frozen=True, slots=True)
class Place:
    """A point of the floor and, for starts, a heading."""

    x_m: float
    y_m: float
    yaw_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Task:
    """A visit: where in the room to stand, and for how long."""

    room: int
    place: Place
    task_s: float


@dataclass(frozen=True, slots=True)
class Box:
    """Something on the map: centre and full extents, along the axes."""

    x_m: float
    y_m: float
    size_x_m: float
    size_y_m: float


@dataclass(frozen=True, slots=True)
class Duty:
    """All that one robot has to do."""

    robot: str
    home: Place
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HospitalMission(Mission):
    """``map`` holds walls and beds; what is not on it must be seen."""

    duties: tuple[Duty, ...]
    map: tuple[Box, ...]
    width_m: float
    depth_m: float
    """The map reaches from (0, -depth_m / 2) to (width_m, depth_m / 2)."""
    charge: float = 1.0
    """Share of a full battery at the start."""

    @property
    def ways_m(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """From the charger of each robot to its rooms."""
        return tuple(
            ((duty.home.x_m, duty.home.y_m), *((task.place.x_m, task.place.y_m) for task in duty.tasks))
            for duty in self.duties
        )

    @property
    def rooms(self) -> int:
        """How many rooms are to be visited."""
        return sum(len(duty.tasks) for duty in self.duties)
