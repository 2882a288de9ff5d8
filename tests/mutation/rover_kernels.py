"""The compiled part of the robot software."""

from numba import njit
from rover_limits import limited


@njit(cache=True)
def speed(left_m: float, cruise_mps: float) -> float:
    """Slower near the goal."""
    return limited(0.1 + 0.8 * left_m, cruise_mps)
