"""A mower that heads for its dock, or in the free direction nearest to it: a ROS 2 node written with zenoh-ros2-sdk.

It knows nothing of stressfield: it speaks its topics on the graph that RMW_IMPLEMENTATION=rmw_zenoh_cpp would join.
"""

import json
import os
import threading
from math import atan2, cos, hypot, remainder, tau

import numpy as np
from rosbags.typesys import Stores, get_typestore
from zenoh_ros2_sdk import ROS2Publisher, ROS2Subscriber

TYPES = get_typestore(Stores.ROS2_JAZZY)
goal_x, goal_y = json.loads(os.environ["STRESSFIELD_MISSION"])["goal_m"]
latest = {}
lock = threading.Lock()


def of(name):
    """What the SDK wants to know of a message type; without network, it cannot look it up itself."""
    return {
        "msg_type": name,
        "msg_definition": TYPES.generate_msgdef(name, ros_version=2)[0],
        "type_hash": TYPES.hash_rihs01(name),
    }


def drive(speed, turn):
    vector = TYPES.types["geometry_msgs/msg/Vector3"]
    command.publish(linear=vector(x=speed, y=0.0, z=0.0), angular=vector(x=0.0, y=0.0, z=turn))


def on_pose(message):
    latest["pose"] = message.pose


def on_scan(scan):
    with lock:
        pose = latest.get("pose")
        if pose is None:
            drive(0.0, 0.0)
            return
        dx, dy = goal_x - pose.position.x, goal_y - pose.position.y
        if hypot(dx, dy) < 0.15:
            drive(0.0, 0.0)
            report.publish(level=0, name="mission", message="docked", hardware_id="", values=[])
            return
        yaw = 2.0 * atan2(pose.orientation.z, pose.orientation.w)
        ahead = remainder(atan2(dy, dx) - yaw, tau)
        angles = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
        near = angles[scan.ranges < min(1.5, hypot(dx, dy))]
        free = angles[~(np.abs(angles[:, None] - near) < 0.5).any(axis=1)]
        turn = float(free[np.abs(free - ahead).argmin()]) if len(free) else 1.0
        drive(0.6 * max(0.0, cos(turn)) ** 2, 1.5 * turn)


command = ROS2Publisher("/cmd_vel", node_name="mower", **of("geometry_msgs/msg/Twist"))
report = ROS2Publisher("/report", node_name="mower", **of("diagnostic_msgs/msg/DiagnosticStatus"))
pose = ROS2Subscriber("/pose", callback=on_pose, node_name="mower", **of("geometry_msgs/msg/PoseStamped"))
scans = ROS2Subscriber("/scan", callback=on_scan, node_name="mower", **of("sensor_msgs/msg/LaserScan"))
threading.Event().wait()
