"""Opens scenarios in the kinematic simulator."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.kinematic.session import KinematicSession
from stressfield.sim.rig import LiveSensors
from stressfield.sim.rig.cadence import STEP_NS, TICK_NS, cadence_of, usual
from stressfield.world import (
    Bodies,
    Body,
    DepthCamera,
    DifferentialDrive,
    Lidar,
    Lidar3D,
    MarkerCamera,
    Mission,
    PlacedRobot,
    Robot,
    Shape,
    Terrain,
    World,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KinematicSimulator:
    """Steps by ``tick_ns``, moves robots by ``substep_ns`` within: 50 and 10 ms, or less if a sensor needs it.

    ``sensors`` are live parts of sensors of your own: ``{Thermometer: LiveThermometer}``.
    """

    tick_ns: int | None = None
    substep_ns: int | None = None
    sensors: LiveSensors = field(default_factory=dict)

    def __post_init__(self) -> None:
        tick, substep = usual(TICK_NS, self.tick_ns), usual(STEP_NS, self.substep_ns)
        if substep <= 0 or tick <= 0 or tick % substep:
            raise InputError(
                f"A tick must be a multiple of a substep: got tick_ns {tick}, substep_ns {substep}; "
                "wanted e.g. 50_000_000 and 10_000_000."
            )

    def open(self, scenario: Scenario, *, seed: int) -> KinematicSession:
        """A session at time zero. ``seed`` drives all of its noise."""
        tick_ns, substep_ns = cadence_of(scenario, tick_ns=self.tick_ns, step_ns=self.substep_ns)
        return KinematicSession(scenario, seed=seed, tick_ns=tick_ns, substep_ns=substep_ns, sensors=self.sensors)


def warm_up() -> None:
    """Compile all kernels, or load them from numba's cache, so that the first run of a worker is not slow."""
    drive = DifferentialDrive("/command", 0.1, 0.4, 0.4, 1.0, 1.0)
    lidar = Lidar("/scan", 20.0, 0.0, 0.3, -1.0, 1.0, 3, 0.05, 5.0, 0.01, 0.01, resolution_m=0.01)
    camera = MarkerCamera("/markers", 20.0, 0.0, 0.5, 1.0, 5.0, "stake")
    rings = Lidar3D("/points", 20.0, 0.0, 1.0, (-0.5,), 3, 0.05, 5.0, 0.01, 0.01)
    depth = DepthCamera("/depth", 20.0, 0.0, 0.5, width_px=2, height_px=2)
    robot = Robot("warm", 0.7, 0.4, 0.5, 1.0, drive, (lidar, rings, camera, depth))
    stake = Body("stake_0", "stake", Shape.CYLINDER, 2.0, 0.0, 0.0, 0.05, 0.05, 1.0)
    terrain = Terrain(np.zeros((3, 3)), -5.0, -5.0, 5.0)
    world = World("warm", terrain, Bodies.of([stake]), (PlacedRobot(robot, 0.0, 0.0, 0.0),))
    KinematicSimulator().open(Scenario(world, Mission(limit_s=1.0)), seed=0).step(())
