"""A robot for tests on a ROS 2 graph, a process of its own: ``python ros2_toy.py BEHAVIOUR``.

It speaks with stressfield's own Ros2Graph, so it proves only that we agree with ourselves: what others say on the wire
is tried with zenoh-ros2-sdk.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from math import atan2, cos, hypot, remainder, tau
from typing import Any

from stressfield.bridge import ActionServer, GoalResult, GoalStatus, Qos, Ros2Graph
from stressfield.bridge.hub import Clock
from stressfield.bridge.ros2.node import interfaces
from stressfield.bus.messages import (
    Header,
    LaserScan,
    OccupancyGrid,
    PoseStamped,
    StringMsg,
    TFMessage,
    Twist,
    TwistStamped,
)
from stressfield.subject.ros2_goal import _NAVIGATE_EDITIONS, _WAYPOINT_EDITIONS

BEHAVIOUR = sys.argv[1] if len(sys.argv) > 1 else "echo"
LATCHED = Qos(transient_local=True, depth=1)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
graph = Ros2Graph.from_environment(node="toy")
command = graph.publisher("/cmd_vel", TwistStamped if BEHAVIOUR == "echo" else Twist)
seen: dict[str, Any] = {"scans": 0}


def note(name: str) -> Any:
    def heard(received: Any) -> None:
        seen[name] = received.message

    return heard


def echo(received: Any) -> None:
    """Answers each scan, with its stamp."""
    seen["scans"] += 1
    command.publish(TwistStamped(Header(received.message.header.stamp, "base"), Twist.drive(0.1, 0.0)))


def navigate(goal: Any, execution: Any) -> GoalResult:
    """Drives straight to the pose, by the frames of TF."""
    feedback, result = action.feedback, action.result
    poses = goal.poses if hasattr(goal, "poses") else (goal.pose,)
    for target in (pose.pose.position for pose in poses):
        while True:
            if execution.cancelled.is_set():
                command.publish(Twist.drive(0.0, 0.0))
                return GoalResult(GoalStatus.CANCELED, result())
            if BEHAVIOUR == "abort" and seen["clock"].clock.sec > seen["begin"] + 1:
                return GoalResult(GoalStatus.ABORTED, result(error_code=207, error_msg="no path"))
            if BEHAVIOUR == "die":
                os._exit(3)
            x, y, yaw = place()
            dx, dy = target.x - x, target.y - y
            if hypot(dx, dy) < 0.2:
                break
            turn = remainder(atan2(dy, dx) - yaw, tau)
            command.publish(Twist.drive(0.6 * max(0.0, cos(turn)), 1.5 * turn))
            if hasattr(feedback(), "distance_remaining"):
                execution.feedback(feedback(distance_remaining=hypot(dx, dy)))
            time.sleep(0.01)
    command.publish(Twist.drive(0.0, 0.0))
    return GoalResult(GoalStatus.SUCCEEDED, result())


def place() -> tuple[float, float, float]:
    """Where the robot is in the map."""
    x = y = yaw = 0.0
    for frame in seen["tf"].transforms:
        at, turn = frame.transform.translation, frame.transform.rotation
        c, s = cos(yaw), __import__("math").sin(yaw)
        x, y = x + c * at.x - s * at.y, y + s * at.x + c * at.y
        yaw += 2.0 * atan2(turn.z, turn.w)
    return x, y, yaw


def is_active(_: Any) -> Any:
    """Active when it has seen its world: time, map and frames, as Nav2 needs them."""
    there = {"clock", "map", "static", "tf"} <= seen.keys() and BEHAVIOUR != "inactive"
    seen["begin"] = seen["clock"].clock.sec if "clock" in seen else 0
    return trigger.response(there, "")


graph.subscribe("/clock", Clock, note("clock"), Qos(reliable=False))
if BEHAVIOUR == "echo":
    graph.subscribe("/scan", LaserScan, echo, Qos(reliable=False))
elif BEHAVIOUR == "topic":
    graph.subscribe("/goal_pose", PoseStamped, lambda received: command.publish(Twist.drive(0.3, 0.0)))
elif BEHAVIOUR == "garbage":
    graph.subscribe("/scan", LaserScan, lambda received: command.send(b"\x00\x01\x00\x00\x01"))
elif BEHAVIOUR == "wrong_type":
    graph.publisher("/cmd_vel", StringMsg)
elif BEHAVIOUR == "conflict":
    graph.publisher_of("/cmd_vel", "geometry_msgs/msg/Twist", "RIHS01_" + "0" * 64)
else:
    trigger: Any = interfaces().service("std_srvs/srv/Trigger")
    waypoints = BEHAVIOUR == "waypoints"
    editions = _WAYPOINT_EDITIONS if waypoints else _NAVIGATE_EDITIONS
    edition = next(e for e in editions if e.distribution == os.environ.get("EDITION", "jazzy"))
    full = "nav2_msgs/action/FollowWaypoints" if waypoints else "nav2_msgs/action/NavigateToPose"
    action: Any = edition.action(full)
    graph.subscribe("/map", OccupancyGrid, note("map"), LATCHED)
    graph.subscribe("/tf_static", TFMessage, note("static"), LATCHED)
    graph.subscribe("/tf", TFMessage, note("tf"))
    graph.serve("/lifecycle_manager_navigation/is_active", trigger, is_active)
    server = "/follow_waypoints" if waypoints else "/navigate_to_pose"
    ActionServer(graph, server, action, navigate, accept=lambda goal: BEHAVIOUR != "reject")
if "PIDS" in os.environ:
    with open(os.environ["PIDS"], "a") as file:
        file.write(f"{os.getpid()}\n")
threading.Event().wait()
