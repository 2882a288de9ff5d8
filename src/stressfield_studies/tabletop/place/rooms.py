"""The environments: rooms with walls and doors, and where their tables stand."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

from stressfield_studies.tabletop.mission import Wall

DEPTH_M = 5.0
THICKNESS_M = 0.1
WALL_HEIGHT_M = 1.0
"""Low, so that pictures can look into the rooms."""

DOOR_M = (1.8, 3.2)


@dataclass(frozen=True, slots=True)
class TablePlace:
    """Where a table stands: its middle, and the direction in which a robot before it looks."""

    x_m: float
    y_m: float
    yaw_rad: float


@dataclass(frozen=True, slots=True)
class Environment:
    """Rooms in a row along x, from (0, 0) to (``width_m``, 5)."""

    name: str
    width_m: float
    doors_x_m: tuple[float, ...]
    tables: tuple[tuple[str, TablePlace], ...]

    @property
    def walls(self) -> tuple[Wall, ...]:
        """Outer walls, and inner ones with a door in each."""
        w, d, t = self.width_m, DEPTH_M, THICKNESS_M
        outer = (
            Wall(w / 2.0, -t / 2.0, 0.0, w + 2.0 * t, t),
            Wall(w / 2.0, d + t / 2.0, 0.0, w + 2.0 * t, t),
            Wall(-t / 2.0, d / 2.0, 0.0, t, d),
            Wall(w + t / 2.0, d / 2.0, 0.0, t, d),
        )
        low, high = DOOR_M
        inner = tuple(
            wall
            for x in self.doors_x_m
            for wall in (Wall(x, low / 2.0, 0.0, t, low), Wall(x, (high + d) / 2.0, 0.0, t, d - high))
        )
        return outer + inner


HEIGHTS_M = {"coffee_table": 0.43, "desk": 0.58, "dining_table": 0.72}
"""The tables of every environment and how high they usually are."""

_UP, _DOWN, _AHEAD = pi / 2.0, -pi / 2.0, 0.0

_ALL = (
    Environment(
        "studio", 6.0, (),
        (
            ("coffee_table", TablePlace(1.5, 4.4, _UP)),
            ("desk", TablePlace(3.8, 0.6, _DOWN)),
            ("dining_table", TablePlace(5.4, 3.3, _AHEAD)),
        ),
    ),
    Environment(
        "flat", 8.0, (4.0,),
        (
            ("coffee_table", TablePlace(1.8, 4.4, _UP)),
            ("desk", TablePlace(5.8, 0.6, _DOWN)),
            ("dining_table", TablePlace(7.4, 3.3, _AHEAD)),
        ),
    ),
    Environment(
        "house", 11.0, (4.0, 7.5),
        (
            ("coffee_table", TablePlace(1.8, 4.4, _UP)),
            ("desk", TablePlace(5.7, 0.6, _DOWN)),
            ("dining_table", TablePlace(10.4, 3.3, _AHEAD)),
        ),
    ),
)  # fmt: skip

ENVIRONMENTS = {environment.name: environment for environment in _ALL}
