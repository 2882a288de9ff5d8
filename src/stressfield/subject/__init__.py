"""Who is tested: the Subject protocol, in-process nodes, other processes, clients of a bridge.

================ ====================================================================================
Subject          robot software that can be put on a bus
NodesSubject     in-process nodes
ProcessSubject   a command line, started for every run, that joins over rosbridge or gRPC
BridgedSubject   a client of rosbridge or gRPC that somebody else started
Monitor          a node that watches the robot while it runs, and may intervene
MONITORS         where monitors say what they see: below this topic
RosbridgeSubject robot software on a ROS graph with a rosbridge server, ROS 1 or 2, that stays as it is
MoveBaseGoal     how such a robot is told its mission; ``NavigateGoal`` and ``PoseGoal`` are others
Ros2Subject      robot software on a ROS 2 graph: launched for every run, or one that runs already
NavigateToPose   how such a robot is told its mission; ``FollowWaypoints`` and ``PoseTopic`` are others
Pacing           how time goes with such a subject, and how long the rig waits for it
Gate             what simulated time waits for, with a robot that acknowledges no ticks
================ ====================================================================================

What other processes need is imported when first used: studies of in-process nodes do not pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.subject.pace import Gate, Pacing
    from stressfield.subject.process import BridgedSubject, ProcessSubject
    from stressfield.subject.ros2 import Ros2Subject
    from stressfield.subject.ros2_goal import FollowWaypoints, NavigateToPose, PoseTopic, Ros2Goal
    from stressfield.subject.rosbridge import RosbridgeSubject
    from stressfield.subject.rosbridge_goal import MoveBaseGoal, NavigateGoal, PoseGoal
    from stressfield.subject.subject import MONITORS, Monitor, NodesSubject, Subject

__all__ = [
    "MONITORS",
    "BridgedSubject",
    "FollowWaypoints",
    "Gate",
    "Monitor",
    "MoveBaseGoal",
    "NavigateGoal",
    "NavigateToPose",
    "NodesSubject",
    "Pacing",
    "PoseGoal",
    "PoseTopic",
    "ProcessSubject",
    "Ros2Goal",
    "Ros2Subject",
    "RosbridgeSubject",
    "Subject",
]

lazy_names(__name__)
