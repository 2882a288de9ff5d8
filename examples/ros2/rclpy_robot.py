"""A mower that heads for its dock, or in the free direction nearest to it: a node of ROS 2, as one writes them.

It knows nothing of stressfield. It needs ROS 2 with rmw_zenoh_cpp; a node of rclcpp would be no different.
"""

import json
import os
from math import atan2, cos, hypot, remainder, tau

import numpy as np
import rclpy
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import PoseStamped, Twist
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan


class Mower(Node):
    def __init__(self):
        super().__init__("mower", parameter_overrides=[Parameter("use_sim_time", value=True)])
        self.goal = json.loads(os.environ["STRESSFIELD_MISSION"])["goal_m"]
        self.pose = None
        self.command = self.create_publisher(Twist, "/cmd_vel", 10)
        self.report = self.create_publisher(DiagnosticStatus, "/report", 10)
        self.create_subscription(PoseStamped, "/pose", self.on_pose, 10)
        self.create_subscription(LaserScan, "/scan", self.on_scan, qos_profile_sensor_data)

    def on_pose(self, message):
        self.pose = message.pose

    def on_scan(self, scan):
        if self.pose is None:
            self.drive(0.0, 0.0)
            return
        dx, dy = self.goal[0] - self.pose.position.x, self.goal[1] - self.pose.position.y
        if hypot(dx, dy) < 0.15:
            self.drive(0.0, 0.0)
            self.report.publish(DiagnosticStatus(level=DiagnosticStatus.OK, name="mission", message="docked"))
            return
        yaw = 2.0 * atan2(self.pose.orientation.z, self.pose.orientation.w)
        ahead = remainder(atan2(dy, dx) - yaw, tau)
        ranges = np.array(scan.ranges)
        angles = scan.angle_min + scan.angle_increment * np.arange(len(ranges))
        near = angles[ranges < min(1.5, hypot(dx, dy))]
        free = angles[~(np.abs(angles[:, None] - near) < 0.5).any(axis=1)]
        turn = float(free[np.abs(free - ahead).argmin()]) if len(free) else 1.0
        self.drive(0.6 * max(0.0, cos(turn)) ** 2, 1.5 * turn)

    def drive(self, speed, turn):
        message = Twist()
        message.linear.x, message.angular.z = speed, turn
        self.command.publish(message)


if __name__ == "__main__":
    rclpy.init()
    rclpy.spin(Mower())
