"""What may vary in the `hospital` study: the floor plan, furniture, where robots start, and who visits which room.

A world drawn at random keeps twenty rooms, three robots and nine visits, as published; a descriptor may ask for fewer
rooms, and for trolleys that are on nobody's map.
"""

from __future__ import annotations

from stressfield.model import Element, boolean, choice, constraint, element, integer, real, sequence

ROBOTS = 3
LIMIT_S = 300.0
LOBBY_M = 1.6
CHARGER_X_M = 0.45
CRUISE_MPS = 0.20
"""What a robot manages on average, turns and doors included; its fastest is 0.22 m/s."""
TIME_SHARE = 0.9
"""Share of the time limit that a mission may need by the reckoning of the constraint."""


class Floor(Element):
    """Rooms on both sides of one corridor. Room 0 is the leftmost above; numbers go on below."""

    rooms_per_side: int = integer(3, 10, default=10, vary=False, doc="rooms on each side of the corridor")
    room_width_m: float = real(1.3, 1.7, unit="m", step=0.05, default=1.6, doc="along the corridor, wall to wall")
    room_depth_m: float = real(1.3, 1.9, unit="m", step=0.05, default=1.6, doc="from the corridor to the back wall")
    corridor_width_m: float = real(1.4, 2.2, unit="m", step=0.05, default=1.8, doc="between the two rows of rooms")
    door_width_m: float = real(0.55, 0.8, unit="m", step=0.01, default=0.6, doc="free width of every door")
    door_place: str = choice("middle", "left", "right", default="middle", doc="where in a room's front its door is")


class Furniture(Element):
    """Beds are on the robots' map; trolleys are not."""

    beds: bool = boolean(default=True, doc="a bed at the back wall of every room")
    trolleys: int = integer(0, 3, default=0, vary=False, doc="trolleys that somebody left in the corridor")


class Chargers(Element):
    """Where robots start and must return to: one beside the other at the left end of the corridor."""

    spacing_m: float = real(0.36, 0.55, unit="m", step=0.01, default=0.45, doc="from one charger to the next")
    swapped: bool = boolean(default=False, doc="the first robot is at the top, not at the bottom")


class Visit(Element):
    """A task in a room."""

    room: int = integer(0, 19, doc="number of the room")
    task_s: float = real(5.0, 20.0, unit="s", step=0.5, doc="how long the task takes")


class Hospital(Element):
    """A hospital floor, and three robots that visit its rooms. Visit k is for robot k modulo three."""

    floor: Floor = element(Floor)
    furniture: Furniture = element(Furniture)
    chargers: Chargers = element(Chargers)
    charge: float = real(0.6, 1.0, step=0.01, default=1.0, doc="share of a full battery at the start")
    visits: tuple[Visit, ...] = sequence(Visit, min=9, max=9, doc="three for each robot")

    @constraint("no room is visited twice", relax="visits")
    def rooms_differ(self) -> bool:
        return len({visit.room for visit in self.visits}) == len(self.visits)

    @constraint("every visited room exists", relax="floor.rooms_per_side upwards, or visits")
    def rooms_exist(self) -> bool:
        return all(visit.room < 2 * self.floor.rooms_per_side for visit in self.visits)

    @constraint(
        "the robots can be back in time",
        relax="floor.room_width_m and floor.room_depth_m downwards, or the task_s of visits",
    )
    def time_is_enough(self) -> bool:
        return all(self.expected_s(robot) <= TIME_SHARE * LIMIT_S for robot in range(ROBOTS))

    def of_robot(self, robot: int) -> tuple[Visit, ...]:
        """A robot's visits in the order in which it makes them: from the chargers outwards."""
        mine = [visit for at, visit in enumerate(self.visits) if at % ROBOTS == robot]
        return tuple(sorted(mine, key=lambda visit: (visit.room % self.floor.rooms_per_side, visit.room)))

    def room_x_m(self, room: int) -> float:
        """Where along the corridor the middle of a room is."""
        return LOBBY_M + (room % self.floor.rooms_per_side + 0.5) * self.floor.room_width_m

    def expected_s(self, robot: int) -> float:
        """How long a robot needs for its visits and the way home, by a rough reckoning."""
        visits = self.of_robot(robot)
        if not visits:
            return 0.0
        along = 2.0 * (self.room_x_m(visits[-1].room) - CHARGER_X_M)
        into = len(visits) * (self.floor.room_depth_m + self.floor.corridor_width_m)
        return (along + into) / CRUISE_MPS + sum(visit.task_s for visit in visits)


_VISITS = (
    (1, 8.0), (11, 12.0), (2, 14.0),
    (4, 10.0), (14, 13.0), (12, 9.0),
    (8, 14.0), (17, 11.0), (16, 12.0),
)  # fmt: skip
PLAIN = Hospital(
    floor=Floor(),
    furniture=Furniture(),
    chargers=Chargers(),
    visits=tuple(Visit(room=room, task_s=task_s) for room, task_s in _VISITS),
)
"""The floor plan as published, with all its dimensions and visits: ``PLAIN.descriptor`` runs it."""
