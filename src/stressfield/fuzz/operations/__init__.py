"""The operations there are, each one class with its data and its effect: add a class to a file, and it is there.

=============== ======================================================================================================
network         Blackhole, Loss, Delay, Jitter, Duplicate, Reorder, Throttle, Freeze
values          RandomValue, RandomOffset, Offset, Scale, Noise, StuckAt, NotANumber, ShiftClock
nodes           Kill, Restart, Slowdown
custom          Custom, ``custom_operation``: a function of yours
=============== ======================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.fuzz.operations.custom import Circumstances, Custom, custom_operation
    from stressfield.fuzz.operations.network import Blackhole, Delay, Duplicate, Freeze, Jitter, Loss, Reorder, Throttle
    from stressfield.fuzz.operations.nodes import Kill, Restart, Slowdown
    from stressfield.fuzz.operations.union import OPERATIONS, AnyOperation
    from stressfield.fuzz.operations.values import (
        Noise,
        NotANumber,
        Offset,
        RandomOffset,
        RandomValue,
        Scale,
        ShiftClock,
        StuckAt,
    )

__all__ = [
    "OPERATIONS",
    "AnyOperation",
    "Blackhole",
    "Circumstances",
    "Custom",
    "Delay",
    "Duplicate",
    "Freeze",
    "Jitter",
    "Kill",
    "Loss",
    "Noise",
    "NotANumber",
    "Offset",
    "RandomOffset",
    "RandomValue",
    "Reorder",
    "Restart",
    "Scale",
    "ShiftClock",
    "Slowdown",
    "StuckAt",
    "Throttle",
    "custom_operation",
]

lazy_names(__name__)
