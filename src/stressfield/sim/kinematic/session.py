"""An opened scenario in the kinematic simulator."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stressfield.bus.message import Stamped, stamp
from stressfield.bus.messages import DiagnosticStatus, Time
from stressfield.errors import PhysicsError, WorldError
from stressfield.scenario import Scenario
from stressfield.sim.kinematic._rays import KernelRays
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig._drive_kernels import ORDER_COLUMNS
from stressfield.sim.rig._motion_kernels import drive as move_all
from stressfield.sim.rig.actors import MovingActors
from stressfield.sim.rig.command import CommandLine
from stressfield.sim.rig.instrument import instruments
from stressfield.sim.rig.mount import LiveSensors, Sample
from stressfield.sim.rig.place import Place, slip_waves
from stressfield.sim.simulator import MOBILITY, NO_ACTORS, Observation, observation
from stressfield.world import Robot
from stressfield.world.drives import WHEELED, WheeledDrive
from stressfield.world.model_drive import ModelDrive

_MOBILITY_WORDS = {k.FREE: (0, "free"), k.STUCK: (1, "stuck"), k.TIPPED: (2, "tipped over")}


class KinematicSession:
    """Robots of one scenario in motion. Sensors sample at the ends of ticks, at multiples of their period.

    In ``observe()``, ``contact_body`` is the index of the body that the footprint overlaps most or is pressed against
    (then ``clearance_m`` is 0), after the bodies that of an actor, ``-2 - i`` for robot ``i``, and -1 without contact;
    ``clearance_m`` is at most 2.
    Messages on topics other than ``command_topics`` are not for the simulator and are passed over.
    """

    def __init__(self, scenario: Scenario, *, seed: int, tick_ns: int, substep_ns: int, sensors: LiveSensors) -> None:
        world = scenario.world
        if not world.robots:
            raise WorldError(f"World {world.name!r} has no robot; wanted at least one to simulate.")
        substep_s = substep_ns / 1e9
        self._tick_ns, self._substep_ns = tick_ns, substep_ns
        self._time_ns = 0
        self._ticks = 0
        self._lines: dict[str, CommandLine] = {}
        self._switches: dict[str, CommandLine] = {}
        for placed in world.robots:
            robot, drive = placed.robot, placed.robot.drive
            if not isinstance(drive, WheeledDrive):
                raise WorldError(_no_vehicle(robot))
            if drive.command_topic in self._lines:
                raise WorldError(
                    f"Two robots listen to {drive.command_topic!r}; wanted a command_topic of its own for each."
                )
            line = CommandLine(drive, robot.name, seed)
            self._lines[drive.command_topic] = line
            if drive.power_topic:
                self._switches[drive.power_topic] = line
        self._orders = np.zeros((len(world.robots), tick_ns // substep_ns, ORDER_COLUMNS))
        self.place = place = Place.of(scenario, substep_s=substep_s)
        self._actors = MovingActors(scenario, place, seed=seed) if world.actors else None
        anything_blocks = len(world.robots) > 1 or bool(place.blocks.any())
        settings = np.array([substep_s, float(anything_blocks)])
        self._world = (
            place.ground.heights, place.ground.grid, place.solid.rows, place.solid.start, place.solid.grid,
            settings, slip_waves(scenario.seed),
        )  # fmt: skip
        self._limited = tuple(
            (i, placed.robot.name) for i, placed in enumerate(world.robots) if placed.robot.is_limited
        )
        self._mobility = dict.fromkeys(range(len(world.robots)), k.FREE)
        self._instruments = instruments(scenario, place, KernelRays(place), own=sensors, seed=seed, tick_ns=tick_ns)
        # Which sensors are due repeats with the least common multiple of their periods: looked up, not computed.
        self._cycle = math.lcm(*(i.ticks for i in self._instruments if i.ticks))
        self._due: dict[int, tuple[tuple[str, Sample], ...]] = {}
        self._feelers = tuple(i.feel for i in self._instruments if i.feel is not None)
        self._settle()

    def _settle(self) -> None:
        """Lay the robots on the ground: pose and truth at time zero, by a move of no duration."""
        place = self.place
        still = np.zeros((len(place.state), 1, ORDER_COLUMNS))
        settings = np.array([0.0, 0.0])
        move_all(place.state, place.truth, place.robots, still, *self._world[:5], settings, self._world[6])
        if self._actors is not None:
            self._actors.look()

    @property
    def time_ns(self) -> int:
        """Simulated time."""
        return self._time_ns

    @property
    def tick_ns(self) -> int:
        """How far one step goes."""
        return self._tick_ns

    @property
    def command_topics(self) -> tuple[str, ...]:
        """Topics it listens to, in the order of the robots: commands, then switches of motors."""
        return (*self._lines, *self._switches)

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        """Advance one tick. A command acts from the first substep at or after its arrival on."""
        for stamped in inbox:
            line = self._lines.get(stamped.topic)
            if line is not None:
                line.hear(stamped.message, stamped.time_ns)
            elif stamped.topic in self._switches:
                self._switches[stamped.topic].switch(stamped.message, stamped.time_ns)
        self._give_orders()
        place = self.place
        if self._actors is not None:
            # First the actors, in view of the robots; then the robots, in the way of the actors.
            self._actors.advance(self._time_ns, self._tick_ns)
        finite = move_all(place.state, place.truth, place.robots, self._orders, *self._world)
        self._time_ns += self._tick_ns
        self._ticks += 1
        if not finite:
            raise PhysicsError(
                f"The state of a robot is not finite at {self._time_ns / 1e9:g} s; wanted finite numbers."
            )
        for feel in self._feelers:
            feel()
        return self._sample()

    def _give_orders(self) -> None:
        now, substep, orders = self._time_ns, self._substep_ns, self._orders
        last = now + self._tick_ns - substep
        for robot, line in enumerate(self._lines.values()):
            for order in line.due(now, last):
                at = max(0, -((now - order.time_ns) // substep))
                orders[robot, at, 0] = 1.0
                orders[robot, at, 1] = order.speed_mps
                orders[robot, at, 2] = order.turn_radps
                if order.more is not None:
                    orders[robot, at, 3:] = order.more

    def _sample(self) -> list[Stamped]:
        now = self._time_ns
        time = Time.from_ns(now)
        said = [stamp((topic, now, sample(time))) for topic, sample in self._due_now()]
        for robot, name in self._limited:
            state = float(self.place.state[robot, k.MOBILITY])
            if state != self._mobility[robot]:
                self._mobility[robot] = state
                level, word = _MOBILITY_WORDS[state]
                said.append(Stamped(MOBILITY, now, DiagnosticStatus(level, "mobility", word, name)))
        return said

    def _due_now(self) -> tuple[tuple[str, Sample], ...]:
        """The sensors that sample after this tick, in the order of the world."""
        phase = self._ticks % self._cycle
        due = self._due.get(phase)
        if due is None:
            due = tuple((i.topic, i.sample) for i in self._instruments if i.due(self._ticks))
            if self._ticks > 1:  # what is sent once, after the first tick, must not come back with the cycle
                self._due[phase] = due
        return due

    def observe(self) -> Observation:
        """Ground truth now."""
        actors = NO_ACTORS if self._actors is None else self._actors.truth.copy()
        return observation((self._time_ns, self.place.truth.copy(), actors))

    def close(self) -> None:
        """Nothing to free."""


def _no_vehicle(robot: Robot) -> str:
    drive = robot.drive
    if isinstance(drive, ModelDrive):
        return (
            f"The robot {robot.name!r} is a model of its own ({drive.file}), which the kinematic simulator cannot "
            "move: it moves vehicles on wheels. Use MuJoCo: simulator=MujocoSimulator, or --sim mujoco."
        )
    return (
        f"The robot {robot.name!r} has a {type(drive).__name__}, which this simulator cannot move; it knows "
        f"{', '.join(sorted(WHEELED))}."
    )
