"""A task at tables: which actions, with what and where, and what the laboratory has put on the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from stressfield.errors import InputError, did_you_mean
from stressfield.world import Mission, Shape
from stressfield_studies.tabletop.messages import ACTIONS, MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, PLACE_OBJECT


@dataclass(frozen=True, slots=True)
class Surface:
    """A table's top. The robot knows where it is and how large, but not how high."""

    name: str
    x_m: float
    y_m: float
    yaw_rad: float
    """The direction in which a robot looks that stands before it."""
    length_m: float
    """Across that direction."""
    depth_m: float
    height_m: float


@dataclass(frozen=True, slots=True)
class TableObject:
    """A thing that can be moved, with its middle at ``z_m``; ``friction`` is that of its surface on rubber."""

    name: str
    kind: str
    shape: Shape
    length_m: float
    width_m: float
    height_m: float
    mass_kg: float
    friction: float
    surface: str
    x_m: float
    y_m: float
    z_m: float
    yaw_rad: float


@dataclass(frozen=True, slots=True)
class Location:
    """A named place to drive to, facing ``yaw_rad``; the last ``dock_m`` metres are driven straight on."""

    name: str
    x_m: float
    y_m: float
    yaw_rad: float
    dock_m: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One action of the task; what it needs is named."""

    action: str
    location: str = ""
    surface: str = ""
    object: str = ""


@dataclass(frozen=True, slots=True)
class Wall:
    """Part of the map the robot has: a box that never moves."""

    x_m: float
    y_m: float
    yaw_rad: float
    length_m: float
    width_m: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TabletopMission(Mission):
    """The task, and what the robot is told: the map without obstacles, its surfaces and places, and the objects' kinds.

    ``objects`` also say where they really are and what they weigh: that is for the simulator and the oracle alone.
    """

    steps: tuple[Step, ...]
    surfaces: tuple[Surface, ...]
    locations: tuple[Location, ...]
    objects: tuple[TableObject, ...]
    walls: tuple[Wall, ...]
    action_timeout_s: float = 60.0

    def surface(self, name: str) -> Surface:
        """The surface of that name."""
        return _named(self.surfaces, name, "surface")

    def location(self, name: str) -> Location:
        """The location of that name."""
        return _named(self.locations, name, "location")

    def object(self, name: str) -> TableObject:
        """The object of that name."""
        return _named(self.objects, name, "object")


_Named = TypeVar("_Named", Surface, Location, TableObject)


def _named(things: tuple[_Named, ...], name: str, what: str) -> _Named:
    for thing in things:
        if thing.name == name:
            return thing
    known = ", ".join(thing.name for thing in things) or "none"
    raise InputError(f"The mission has no {what} {name!r}. It has: {known}.")


TASKS: dict[str, tuple[str, ...]] = {
    "move": (MOVE_TO,),
    "perceive": (PERCEIVE_PLANE,),
    "pick": (PICK_OBJECT,),
    "pick_and_place": (MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, PLACE_OBJECT),
    "fetch": (MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, MOVE_TO, PERCEIVE_PLANE, PLACE_OBJECT),
}
"""``pick`` is the first published use case, ``pick_and_place`` the second; ``fetch`` brings the object elsewhere.

A task that does not begin with ``move_to`` begins with the robot before the table.
"""


def steps_of(actions: Sequence[str], *, surface: str, place_surface: str, thing: str) -> tuple[Step, ...]:
    """The steps of a task: everything is at ``surface`` until a second ``move_to``, then at ``place_surface``.

    Raises InputError for a task that makes no sense: an unknown action, or placing what was not picked.
    """
    if not actions:
        raise InputError(f"A task needs at least one action. Wanted some of: {', '.join(ACTIONS)}.")
    steps: list[Step] = []
    picked = False
    where = surface
    for action in actions:
        if action not in ACTIONS:
            raise InputError(f"Unknown action {action!r}. Wanted: {', '.join(ACTIONS)}.{did_you_mean(action, ACTIONS)}")
        if action == PLACE_OBJECT and not picked:
            raise InputError("A task places an object that it has not picked. Wanted pick_object before place_object.")
        if action == PICK_OBJECT and picked:
            raise InputError("A task picks an object while another is in the gripper. Wanted place_object in between.")
        if action in {PICK_OBJECT, PLACE_OBJECT}:
            picked = action == PICK_OBJECT
        elif action == MOVE_TO and any(step.action == MOVE_TO for step in steps):
            where = place_surface
        steps.append(Step(action, location=where, surface=where, object=thing))
    return tuple(steps)
