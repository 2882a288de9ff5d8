"""A mower that heads for its dock, or in the free direction nearest to it: the robot of yard.py with roslibpy."""

import json
import os
import signal
from math import atan2, cos, hypot, remainder, tau

import roslibpy

ros = roslibpy.Ros(os.environ["STRESSFIELD_URL"])
goal_x, goal_y = json.loads(os.environ["STRESSFIELD_MISSION"])["goal_m"]
command = roslibpy.Topic(ros, "/cmd_vel", "geometry_msgs/Twist")
report = roslibpy.Topic(ros, "/report", "diagnostic_msgs/DiagnosticStatus")
tick_done = roslibpy.Topic(ros, "/stressfield/tick_done", "rosgraph_msgs/Clock")
latest = {}


def drive(speed, turn):
    command.publish({"linear": {"x": speed}, "angular": {"z": turn}})


def on_pose(message):
    latest["pose"] = message["pose"]


def on_scan(scan):
    pose = latest.get("pose")
    if pose is None:
        return
    dx, dy = goal_x - pose["position"]["x"], goal_y - pose["position"]["y"]
    if hypot(dx, dy) < 0.15:
        drive(0.0, 0.0)
        report.publish({"level": 0, "name": "mission", "message": "docked"})
        return
    yaw = 2.0 * atan2(pose["orientation"]["z"], pose["orientation"]["w"])
    ahead = remainder(atan2(dy, dx) - yaw, tau)
    angles = [scan["angle_min"] + i * scan["angle_increment"] for i in range(len(scan["ranges"]))]
    limit = min(1.5, hypot(dx, dy))
    rays = zip(angles, scan["ranges"], strict=True)
    near = [angle for angle, range_m in rays if range_m is not None and range_m < limit]
    free = [angle for angle in angles if all(abs(angle - other) >= 0.5 for other in near)]
    turn = min(free, key=lambda angle: abs(angle - ahead), default=1.0)
    drive(0.6 * max(0.0, cos(turn)) ** 2, 1.5 * turn)


def on_connect(*_):
    """Ask for what the robot needs; last of all, offer to acknowledge ticks: then the run begins."""
    roslibpy.Topic(ros, "/pose", "geometry_msgs/PoseStamped").subscribe(on_pose)
    roslibpy.Topic(ros, "/scan", "sensor_msgs/LaserScan").subscribe(on_scan)
    roslibpy.Topic(ros, "/clock", "rosgraph_msgs/Clock").subscribe(tick_done.publish)
    for topic in (command, report, tick_done):
        topic.advertise()


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
ros.on_ready(on_connect, run_in_thread=False)
ros.run_forever()
