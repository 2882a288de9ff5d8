"""Where it runs: the Simulator and Session protocols and their implementations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.bus import Stamped
    from stressfield.sim.factory import SimulatorFactory, kinematic_simulator, mujoco_simulator
    from stressfield.sim.simulator import MOBILITY, TRUTH_COLUMNS, Observation, Paced, Session, Simulator

__all__ = [
    "MOBILITY",
    "TRUTH_COLUMNS",
    "Observation",
    "Paced",
    "Session",
    "Simulator",
    "SimulatorFactory",
    "Stamped",
    "kinematic_simulator",
    "mujoco_simulator",
]

lazy_names(__name__)
