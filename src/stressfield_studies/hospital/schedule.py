"""The same operations at other times: the active times of a run as windows, or windows as long at random times."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from stressfield.fuzz import FuzzTest, Operation, Window
from stressfield.oracle import Active
from stressfield.seeds import Rng

JOINED_S = 0.3
"""Active times of one operation that are closer than that become one window: hardly a command lies between."""


def frozen(name: str, operations: Sequence[Operation], active: Sequence[Active], *, end_s: float) -> FuzzTest:
    """The operations in windows: the very times in which they acted in one run, up to ``end_s``."""
    made: list[Operation] = []
    for operation in operations:
        times = [(at.start_s, min(at.end_s, end_s)) for at in active if at.operation == operation.name]
        for number, (start_s, stop_s) in enumerate(_joined(times)):
            window = Window(start_s=start_s, end_s=stop_s)
            made.append(
                msgspec.structs.replace(
                    operation, name=f"{operation.name} {number}", of=operation.template, when=window
                )
            )
    return FuzzTest(name=name, operations=tuple(made))


def moved(
    name: str, operations: Sequence[Operation], active: Sequence[Active], rng: Rng, *, mission_s: float
) -> FuzzTest:
    """The operations in one window each, as long as they acted in one run, beginning together at a random time.

    The time is one at which the longest still ends within ``mission_s``.
    """
    lengths = {
        operation.name: sum(at.end_s - at.start_s for at in active if at.operation == operation.name)
        for operation in operations
    }
    start_s = max(0.0, mission_s - max(lengths.values(), default=0.0)) * rng.random()
    made = [
        msgspec.structs.replace(
            operation, when=Window(start_s=start_s, end_s=min(start_s + lengths[operation.name], mission_s))
        )
        for operation in operations
        if lengths[operation.name] > 0.0
    ]
    return FuzzTest(name=name, operations=tuple(made))


def _joined(times: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for start_s, end_s in sorted(times):
        if found and start_s - found[-1][1] < JOINED_S:
            found[-1] = (found[-1][0], max(found[-1][1], end_s))
        elif end_s > start_s:
            found.append((start_s, end_s))
    return found
