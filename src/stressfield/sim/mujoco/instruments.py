"""Sensors of a scenario brought to life in a MuJoCo session.

Those that feel the robot itself are the same as in the kinematic simulator: they read its state, which the physics
writes. Lidars cast rays through the model.
"""

from __future__ import annotations

from stressfield.scenario import Scenario
from stressfield.sim.mujoco.device import Data, Model
from stressfield.sim.mujoco.lidars import PlaneLidar, RingLidar
from stressfield.sim.rig.instrument import Instrument, instruments
from stressfield.sim.rig.place import Place
from stressfield.world import Lidar, Lidar3D


def live(
    scenario: Scenario, place: Place, model: Model, data: Data, *, seed: int, tick_ns: int
) -> tuple[Instrument, ...]:
    """All sensors of all robots, in the order of the world."""
    felt = instruments(scenario, place, seed=seed, tick_ns=tick_ns)
    sensors = [(sensor, placed.robot.name) for placed in scenario.world.robots for sensor in placed.robot.sensors]
    made = []
    for instrument, (sensor, name) in zip(felt, sensors, strict=True):
        if isinstance(sensor, Lidar):
            sample = PlaneLidar(sensor, name, seed, model, data, place.ground).sample
            made.append(Instrument(instrument.topic, instrument.ticks, sample))
        elif isinstance(sensor, Lidar3D):
            cloud = RingLidar(sensor, name, seed, model, data, place.ground).sample
            made.append(Instrument(instrument.topic, instrument.ticks, cloud))
        else:
            made.append(instrument)
    return tuple(made)
