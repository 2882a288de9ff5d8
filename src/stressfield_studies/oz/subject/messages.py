"""What the parts of the navigator tell each other."""

from __future__ import annotations

from typing import ClassVar

from stressfield.bus import Float64, Int32, Message
from stressfield.bus.messages import Header


class RowEstimate(Message, frozen=True, eq=False):
    """Where the lidar sees the rows: the robot's lateral position and heading in the field, with variances.

    ``points`` is how many returns lie on the rows, ``ahead`` how many of them in front of the robot, and ``farthest``
    the distance to the farthest of these.
    """

    ros_type: ClassVar[str] = "oz_msgs/msg/RowEstimate"
    header: Header
    lateral: Float64
    heading: Float64
    lateral_variance: Float64
    heading_variance: Float64
    points: Int32
    ahead: Int32
    farthest: Float64
