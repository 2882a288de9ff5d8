"""A ROS graph and simulator that somebody else runs, joined through its rosbridge server or as a part of ROS 2.

================== ====================================================================================
ExternalSimulator  opens scenarios in it: observe, interpose, disturb, judge
ExternalSession    an opened scenario
Interposition      a topic that goes through the rig
Direction          INBOUND (listen to X_IN, publish X) or OUTBOUND (listen to X, publish X_OUT)
GraphLink          what a ``reset`` may do before a run: call services, publish
Ros2Simulator      a ROS 2 graph in a domain of its own: the rig stands between it and the robot's domain
================== ====================================================================================

Such runs are truly indeterminate: nothing in the graph is seeded, and a replay is another run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.sim.external.interposition import Direction, GraphLink, Interposition
    from stressfield.sim.external.ros2 import Ros2Session, Ros2Simulator
    from stressfield.sim.external.session import ExternalSession
    from stressfield.sim.external.simulator import ExternalSimulator

__all__ = [
    "Direction",
    "ExternalSession",
    "ExternalSimulator",
    "GraphLink",
    "Interposition",
    "Ros2Session",
    "Ros2Simulator",
]

lazy_names(__name__)
