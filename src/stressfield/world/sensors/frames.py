"""What a robot knows before it moves: where its sensors sit, and a map. No sensors, but they come as messages, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stressfield.world.sensors.sensor import Sensor


@dataclass(frozen=True, slots=True)
class StaticFrames(Sensor):
    """Where the other sensors of the robot sit on it, as TF: from ``ROBOT/base_link`` to ``ROBOT/TOPIC`` of each.

    It is sent once, after the first tick; with a ``rate_hz`` above zero again and again.
    """

    may_send_once: ClassVar[bool] = True
    topic: str = "/tf_static"
    rate_hz: float = 0.0


@dataclass(frozen=True, slots=True)
class MapServer(Sensor):
    """The map of the world as an OccupancyGrid: what :class:`stressfield.world.OccupancyMap` makes of it.

    It is sent once, after the first tick; with a ``rate_hz`` above zero again and again.
    """

    may_send_once: ClassVar[bool] = True
    topic: str = "/map"
    rate_hz: float = 0.0
    resolution_m: float = 0.05
    margin_m: float = 0.0
    height_m: float | None = None
    frame_id: str = "map"
