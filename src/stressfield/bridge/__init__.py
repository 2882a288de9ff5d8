"""How others join the bus: ROS 2 over zenoh, the rosbridge protocol (JSON over WebSocket) and gRPC.

================ ==============================================================================
Hub              who is connected, what they want, what they said
RosbridgeServer  lets rosbridge clients join a hub
GrpcServer       lets gRPC clients join a hub
RosbridgeClient  joins a rosbridge server elsewhere
Clock            the message on ``/clock``
JOIN             the gRPC method; ``message_class`` makes its messages
CLOCK, TICK_DONE the topics of simulated time and of its acknowledgement
Ros2Graph        a ROS 2 graph over zenoh: topics, services, and who is there
ActionClient     sends goals to a robot; ``ActionServer`` takes them
Ros2Node         a node of the robot's: its parameters and its lifecycle
Ros2Traffic      all topics of a graph at once, known types or not
================ ==============================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.bridge.grpc_server import JOIN, GrpcServer, message_class
    from stressfield.bridge.hub import CLOCK, TICK_DONE, Clock, Hub
    from stressfield.bridge.ros2.action import ActionClient, ActionGoal, ActionServer, GoalResult, GoalStatus
    from stressfield.bridge.ros2.graph import Publisher, Received, Ros2Graph
    from stressfield.bridge.ros2.node import LifecycleState, Ros2Node, Transition
    from stressfield.bridge.ros2.traffic import Opaque, Ros2Traffic, Ros2Types
    from stressfield.bridge.ros2.wire import Qos, Role, Ros2Endpoint
    from stressfield.bridge.rosbridge.client import RosbridgeClient
    from stressfield.bridge.rosbridge.server import RosbridgeServer

__all__ = [
    "CLOCK",
    "JOIN",
    "TICK_DONE",
    "ActionClient",
    "ActionGoal",
    "ActionServer",
    "Clock",
    "GoalResult",
    "GoalStatus",
    "GrpcServer",
    "Hub",
    "LifecycleState",
    "Opaque",
    "Publisher",
    "Qos",
    "Received",
    "Role",
    "Ros2Endpoint",
    "Ros2Graph",
    "Ros2Node",
    "Ros2Traffic",
    "Ros2Types",
    "RosbridgeClient",
    "RosbridgeServer",
    "Transition",
    "message_class",
]

lazy_names(__name__)
