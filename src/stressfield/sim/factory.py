"""Simulators that are imported when they are first needed: their modules are slow to import, or extras."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, cast

from stressfield.sim.simulator import Simulator


@dataclass(frozen=True, slots=True)
class SimulatorFactory:
    """Makes the simulator ``name`` of ``module``. A module with a ``warm_up()`` is warmed up before workers start."""

    module: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self) -> Simulator:
        return cast("Simulator", getattr(import_module(self.module), self.name)(**self.options))


def kinematic_simulator(**options: int) -> SimulatorFactory:
    """The kinematic simulator with the options of :class:`stressfield.sim.kinematic.KinematicSimulator`."""
    return SimulatorFactory("stressfield.sim.kinematic", "KinematicSimulator", options)


def mujoco_simulator(**options: Any) -> SimulatorFactory:
    """MuJoCo (an extra) with the options of :class:`stressfield.sim.mujoco.MujocoSimulator`."""
    return SimulatorFactory("stressfield.sim.mujoco", "MujocoSimulator", options)
