"""What may vary in the `tabletop` study: rooms, tables, objects on them, obstacles, and the task."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from stressfield.model import Element, Real, boolean, choice, constraint, element, integer, real, sequence
from stressfield_studies.tabletop.mission import TASKS
from stressfield_studies.tabletop.place.furniture import KINDS, OBSTACLES
from stressfield_studies.tabletop.place.rooms import ENVIRONMENTS, HEIGHTS_M


@dataclass(frozen=True, slots=True, kw_only=True)
class Wider(Real):
    """A number that is drawn, varied and compared in its own range and accepted in that of ``whole``."""

    whole: Real

    @property
    def wanted(self) -> str:
        return self.whole.wanted

    def fit(self, value: object) -> Any:
        return self.whole.fit(value)


def wider(usual: Any, *, whole: Any) -> Any:
    """``wider(real(0.6, 1.0), whole=real(0.05, 1.0))``: usually 0.6 to 1.0, down to 0.05 if asked for."""
    return Wider(**{item.name: getattr(usual, item.name) for item in fields(Real)}, whole=whole)


def accepted(parameter: Real) -> Real:
    """The parameter with the range of all that it accepts."""
    return parameter.whole if isinstance(parameter, Wider) else parameter


class Thing(Element):
    """An object that can be moved."""

    kind: str = choice(*KINDS, doc="what it is")
    size: float = real(0.9, 1.05, step=0.01, default=1.0, doc="its extents as a share of the usual ones")
    mass: float = wider(
        real(0.5, 1.5, step=0.05, default=1.0, doc="its weight as a share of the usual one; up to 20 if asked for"),
        whole=real(0.05, 20.0, step=0.05),
    )
    friction: float = wider(
        real(0.6, 1.0, step=0.05, default=0.8, doc="how well it grips rubber and wood; from 0.05 if asked for"),
        whole=real(0.05, 1.0, step=0.05),
    )
    turn_deg: int = integer(-90, 90, unit="deg", doc="how it is turned about the vertical")


class Tables(Element):
    """On which table the objects are, and to which the task brings one."""

    surface: str = choice(*HEIGHTS_M, doc="the table with the objects")
    place_surface: str = choice(*HEIGHTS_M, doc="the table to which an object is brought (task fetch)")
    higher_m: float = real(-0.03, 0.04, unit="m", step=0.005, doc="by how much all tables are higher than usual")


class Rooms(Element):
    """Where the task takes place, and what stands in the way that is on no map."""

    environment: str = choice(*ENVIRONMENTS, doc="one room, two or three")
    obstacles: int = integer(0, 5, doc="how many obstacles there are")
    obstacle: str = choice(*OBSTACLES, doc="what they are")
    goal_blocked: bool = boolean(default=False, vary=False, doc="one more obstacle stands where the robot should stop")


class TabletopWorld(Element):
    """Rooms, a table with objects on it, and a task for a mobile manipulator."""

    task: str = choice(*TASKS, doc="which actions are asked for, in order")
    rooms: Rooms = element(Rooms)
    tables: Tables = element(Tables)
    things: tuple[Thing, ...] = sequence(Thing, min=1, max=5, doc="the first is the one to pick")

    @constraint("a fetched object is brought to another table", relax="tables.place_surface")
    def fetch_goes_elsewhere(self) -> bool:
        return self.task != "fetch" or self.tables.place_surface != self.tables.surface

    @constraint("objects on one table are of different kinds", relax="things")
    def kinds_differ(self) -> bool:
        kinds = [thing.kind for thing in self.things]
        return len(set(kinds)) == len(kinds)
