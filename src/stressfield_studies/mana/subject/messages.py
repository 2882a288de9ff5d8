"""What the modules tell each other."""

from __future__ import annotations

from typing import ClassVar

from stressfield.bus import Float32Array, Float64, Int32, Message, UInt32
from stressfield.bus.messages import Header


class ElevationMap(Message, frozen=True, eq=False):
    """Heights of square cells, row by row from the corner (x0, y0) on; NaN where a cell was neither seen nor filled."""

    ros_type: ClassVar[str] = "mana_msgs/msg/ElevationMap"
    header: Header
    x0: Float64
    y0: Float64
    cell: Float64
    width: UInt32
    height: UInt32
    elevation: Float32Array


class ElectedArc(Message, frozen=True, eq=False):
    """The arc P3D elected (-1: none), its curvature and cost, and how many arcs qualified."""

    ros_type: ClassVar[str] = "mana_msgs/msg/ElectedArc"
    header: Header
    index: Int32
    qualified: Int32
    curvature: Float64
    cost: Float64
    distance_to_goal: Float64
