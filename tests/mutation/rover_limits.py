"""What the compiled part calls in another file."""

from numba import njit


@njit(cache=True)
def limited(value: float, most: float) -> float:
    """At most so much."""
    return min(value, most)
