"""Answers as Nav2 does, as far as stressfield can tell: for those who have no ROS 2 at hand.

It becomes active when it has seen time, map and frames, takes NavigateToPose, tells how far it is, and is done or gives
up. It steers in the free direction nearest to its goal; Nav2 does better.
"""

import os
import signal
import threading
from math import atan2, cos, hypot, remainder, sin, tau

import numpy as np

from stressfield.bridge import ActionServer, Clock, GoalResult, GoalStatus, Qos, Ros2Graph
from stressfield.bus import Interfaces
from stressfield.bus.messages import LaserScan, OccupancyGrid, TFMessage, Twist, TwistStamped

KEPT = Qos(transient_local=True, depth=1)
REACH_M, SIDE_RAD = 0.9, 0.6
STUCK_S = 30.0

TYPES = Interfaces()
TYPES.add_text("builtin_interfaces/msg/Duration", "int32 sec\nuint32 nanosec\n")
TYPES.add_text("std_srvs/srv/Trigger", "---\nbool success\nstring message\n")
TYPES.add_text(
    "nav2_msgs/action/NavigateToPose",
    "geometry_msgs/PoseStamped pose\nstring behavior_tree\n---\nuint16 error_code\nstring error_msg\n---\n"
    "geometry_msgs/PoseStamped current_pose\nbuiltin_interfaces/Duration navigation_time\n"
    "builtin_interfaces/Duration estimated_time_remaining\nint16 number_of_recoveries\nfloat32 distance_remaining\n",
)
NAVIGATE, TRIGGER = TYPES.action("nav2_msgs/action/NavigateToPose"), TYPES.service("std_srvs/srv/Trigger")

latest = {}
scanned = threading.Condition()


def keep(name):
    def heard(received):
        with scanned:
            latest[name] = received.message
            scanned.notify_all()

    return heard


def place():
    """Where the robot is in the map: the frames of TF, one after another."""
    x = y = yaw = 0.0
    for frame in latest["tf"].transforms:
        at, turn = frame.transform.translation, frame.transform.rotation
        x, y = x + cos(yaw) * at.x - sin(yaw) * at.y, y + sin(yaw) * at.x + cos(yaw) * at.y
        yaw += 2.0 * atan2(turn.z, turn.w)
    return x, y, yaw


def drive(speed, turn):
    command.publish(TwistStamped(latest["scan"].header, Twist.drive(speed, turn)))


def steer(scan, ahead, distance_m):
    angles = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
    near = angles[scan.ranges < min(REACH_M, distance_m)]
    apart = np.abs(np.angle(np.exp(1j * (angles[:, None] - near))))
    free = angles[~(apart < SIDE_RAD).any(axis=1)]
    return float(free[np.abs(np.angle(np.exp(1j * (free - ahead)))).argmin()]) if len(free) else 1.0


def navigate(goal, execution):
    target = goal.pose.pose.position
    seen, begin_s = None, latest["clock"].clock.ns / 1e9
    while not execution.cancelled.is_set():
        with scanned:
            scanned.wait_for(lambda seen=seen: latest["scan"] is not seen, timeout=1.0)
            seen = latest["scan"]
        x, y, yaw = place()
        dx, dy = target.x - x, target.y - y
        execution.feedback(NAVIGATE.feedback(distance_remaining=hypot(dx, dy)))
        if hypot(dx, dy) < 0.2:
            drive(0.0, 0.0)
            return GoalResult(GoalStatus.SUCCEEDED, NAVIGATE.result())
        if latest["clock"].clock.ns / 1e9 - begin_s > STUCK_S + 10.0 * hypot(target.x, target.y):
            drive(0.0, 0.0)
            return GoalResult(GoalStatus.ABORTED, NAVIGATE.result(error_code=9003, error_msg="it takes too long"))
        turn = steer(seen, remainder(atan2(dy, dx) - yaw, tau), hypot(dx, dy))
        drive(0.25 * max(0.0, cos(turn)) ** 2, 1.5 * turn)
    drive(0.0, 0.0)
    return GoalResult(GoalStatus.CANCELED, NAVIGATE.result())


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
graph = Ros2Graph.from_environment(node="nav2_standin")
command = graph.publisher("/cmd_vel", TwistStamped)
graph.subscribe("/clock", Clock, keep("clock"), Qos(reliable=False))
graph.subscribe("/scan", LaserScan, keep("scan"), Qos(reliable=False))
graph.subscribe("/tf", TFMessage, keep("tf"))
graph.subscribe("/tf_static", TFMessage, keep("static"), KEPT)
graph.subscribe("/map", OccupancyGrid, keep("map"), KEPT)
ready = {"clock", "scan", "tf", "static", "map"}
graph.serve("/lifecycle_manager_navigation/is_active", TRIGGER, lambda _: TRIGGER.response(ready <= latest.keys(), ""))
ActionServer(graph, "/navigate_to_pose", NAVIGATE, navigate)
threading.Event().wait()
