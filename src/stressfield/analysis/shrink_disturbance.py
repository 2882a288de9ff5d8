"""Simpler disturbances: fewer of them, acting for a shorter time, on fewer targets, by less."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from stressfield.fuzz.activation import Conditional, Window
from stressfield.fuzz.operation import Operation

SHORTEST_S = 0.1
"""Windows are not narrowed further."""


def simpler_operations(operation: Operation, *, run_s: float) -> Iterator[Operation]:
    """Narrower windows, then fewer targets. ``run_s`` is how long the run takes: where open windows end."""
    for window in _narrower(_window(operation), run_s):
        yield _within(operation, window)
    targets = operation.targets
    if len(targets) > 1:
        half = len(targets) // 2
        for fewer in dict.fromkeys((targets[:half], targets[half:], *((one,) for one in targets))):
            yield operation.with_targets(fewer)


def burden(operations: tuple[Operation, ...], *, run_s: float) -> tuple[int, int, float]:
    """Less is simpler: operations, their targets, seconds in which they act."""
    seconds = 0.0
    for one in operations:
        window = _window(one)
        seconds += max(0.0, min(window.until_s, run_s) - window.start_s)
    return len(operations), sum(len(one.targets) for one in operations), round(seconds, 6)


def _window(operation: Operation) -> Window:
    when = operation.when
    return when if isinstance(when, Window) else (when.within or Window())


def _within(operation: Operation, window: Window) -> Operation:
    when = operation.when
    if not isinstance(when, Window):
        window_or_condition: Window | Conditional = msgspec.structs.replace(when, within=window)  # type: ignore[assignment]
        return msgspec.structs.replace(operation, when=window_or_condition)
    return msgspec.structs.replace(operation, when=window)


def _narrower(window: Window, run_s: float) -> Iterator[Window]:
    start_s, end_s = window.start_s, min(window.until_s, run_s)
    length_s = end_s - start_s
    if length_s <= SHORTEST_S:
        return
    middle_s = round(start_s + length_s / 2, 3)
    yield Window(start_s=start_s, end_s=middle_s)
    yield Window(start_s=middle_s, end_s=round(end_s, 3))
    quarter_s = length_s / 4
    yield Window(start_s=round(start_s + quarter_s, 3), end_s=round(end_s, 3))
    yield Window(start_s=start_s, end_s=round(end_s - quarter_s, 3))
