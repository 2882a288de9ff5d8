"""Where it runs: the Simulator and Session protocols and their implementations."""

from stressfield.bus import Stamped
from stressfield.sim.factory import SimulatorFactory, kinematic_simulator, mujoco_simulator
from stressfield.sim.simulator import MOBILITY, TRUTH_COLUMNS, Observation, Session, Simulator

__all__ = [
    "MOBILITY",
    "TRUTH_COLUMNS",
    "Observation",
    "Session",
    "Simulator",
    "SimulatorFactory",
    "Stamped",
    "kinematic_simulator",
    "mujoco_simulator",
]
