"""The contract between the rig and a simulator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus import Bus
from stressfield.bus.message import Stamped
from stressfield.scenario import Scenario
from stressfield.world.actor import ACTOR_COLUMNS

NO_ACTORS: Floats = np.empty((0, len(ACTOR_COLUMNS)))
NO_ACTORS.setflags(write=False)


class Observation(NamedTuple):  # one is made every tick: a tuple takes half the time of a frozen dataclass
    """Ground truth at one instant: one row per robot, columns as in :data:`TRUTH_COLUMNS`.

    ``actors`` has a row per actor of the world, columns as in :data:`ACTOR_COLUMNS`; none in a world without.
    """

    time_ns: int
    rows: Floats
    actors: Floats = NO_ACTORS


observation: Callable[[tuple[int, Floats, Floats]], Observation] = partial(tuple.__new__, Observation)
"""The same from a tuple, for simulators that are fast: without the price of a Python call."""

TRUTH_COLUMNS = (
    "x_m", "y_m", "z_m", "qx", "qy", "qz", "qw",
    "speed_mps", "turn_rate_radps", "clearance_m", "contact_body",
)  # fmt: skip
"""What :class:`Observation` says of a robot.

``clearance_m`` is the distance from the footprint to the nearest solid body, actor or other robot (negative: depth of
overlap; a simulator may stop counting far away). ``contact_body`` says whom the robot touches: the index of a body of
the world (0 or more), after them the actors (actor ``i`` is ``len(world.bodies) + i``), -1 for nobody, ``-2 - i`` for
the world's robot ``i``, NaN throughout if the simulator does not know.
"""

MOBILITY = "/observer/mobility"
"""Topic of a simulator's own events: a robot with limits gets stuck (level 1), tips over (2) or is free again (0)."""


class Session(Protocol):
    """An opened scenario. Owns the physics; speaks messages."""

    @property
    def time_ns(self) -> int:
        """Simulated time."""

    @property
    def tick_ns(self) -> int:
        """How far one step goes."""

    @property
    def command_topics(self) -> tuple[str, ...]:
        """Topics it listens to."""

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        """Advance one tick; ``inbox`` holds the commands that arrived during it, in order of arrival.

        Returns the sensor messages sampled during the tick. Raises PhysicsError when the physics broke down.
        """

    def observe(self) -> Observation:
        """Ground truth now."""

    def close(self) -> None:
        """Free what it holds."""


class Simulator(Protocol):
    """Opens scenarios."""

    def open(self, scenario: Scenario, *, seed: int) -> Session:
        """A session at time zero. ``seed`` drives all of its noise."""


@runtime_checkable
class Joining(Protocol):
    """A session that listens to the bus as others come and go, instead of to command topics known beforehand."""

    def join(self, bus: Bus) -> None:
        """Called once, before the robot is there."""


@runtime_checkable
class WarmedUp(Protocol):
    """A subject that must see its world for a while before it can be told its mission."""

    @property
    def warms_up(self) -> bool:
        """Whether this one must."""

    def warm_up(self, scenario: Scenario, session: Session) -> None:
        """Called before the run, with a session of its own in which the robot stands; the run begins anew."""


PACED = "paced: "
"""How a note begins that tells how time went with the robot; it has numbers of its own in every run."""


@runtime_checkable
class Noting(Protocol):
    """A session or a subject that has something to say of the run itself; asked when the run is over."""

    @property
    def notes(self) -> Sequence[str]:
        """How the run was paced, how late the robot was, what did not meet: a sentence each."""


@runtime_checkable
class Paced(Protocol):
    """A simulator or a subject whose runs wait for the wall clock. That time is added to what a run may take."""

    def waits_s(self, scenario: Scenario) -> float:
        """How long a run of the scenario may wait for the wall clock, at most."""
