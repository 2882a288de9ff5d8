"""What the robot is asked to do. Studies derive their own frozen mission from this one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    """The least every mission says: how long the robot may take."""

    limit_s: float
