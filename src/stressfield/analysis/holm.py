"""Many tests at once: Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import InputError


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values, in the given order: calling those below 0.05 keeps the risk of any false call below 5 %."""
    for p_value in p_values:
        if not 0.0 <= p_value <= 1.0:
            raise InputError(f"{p_value} is no p-value. Wanted numbers from 0 to 1.")
    adjusted, so_far = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        so_far = max(so_far, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = so_far
    return tuple(adjusted)
