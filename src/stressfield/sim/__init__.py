"""Where it runs: the Simulator and Session protocols and their implementations."""

from stressfield.bus.message import Stamped
from stressfield.sim.simulator import MOBILITY, TRUTH_COLUMNS, Observation, Session, Simulator

__all__ = ["MOBILITY", "TRUTH_COLUMNS", "Observation", "Session", "Simulator", "Stamped"]
