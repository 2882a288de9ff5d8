"""A concrete place, independent of any simulator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import WorldError, did_you_mean
from stressfield.world.bodies import Bodies
from stressfield.world.robot import PlacedRobot
from stressfield.world.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Region:
    """A named rectangle that means something to the oracle or the report (a row, a U-turn area, the limits)."""

    name: str
    kind: str
    x_min_m: float
    y_min_m: float
    x_max_m: float
    y_max_m: float

    def contains(self, x_m: NDArray[np.float64], y_m: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points lie inside."""
        inside: NDArray[np.bool_] = (
            (x_m >= self.x_min_m) & (x_m <= self.x_max_m) & (y_m >= self.y_min_m) & (y_m <= self.y_max_m)
        )
        return inside


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Ground, things, robots at their start, and regions."""

    name: str
    terrain: Terrain
    bodies: Bodies
    robots: tuple[PlacedRobot, ...]
    regions: tuple[Region, ...] = ()

    def region(self, name: str) -> Region:
        """The region of that name."""
        for region in self.regions:
            if region.name == name:
                return region
        names = [region.name for region in self.regions]
        raise WorldError(
            f"World {self.name!r} has no region {name!r}. It has: {', '.join(names)}." + did_you_mean(name, names)
        )

    def regions_of_kind(self, kind: str) -> tuple[Region, ...]:
        """All regions of a kind, in order."""
        return tuple(region for region in self.regions if region.kind == kind)
