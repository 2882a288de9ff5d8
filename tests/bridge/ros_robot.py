"""A robot of a ROS graph, with roslibpy: answers each pose with a command and numbers its commands in linear.z.

python ros_robot.py URL COMMAND_TOPIC
"""

from __future__ import annotations

import os
import signal
import sys
from itertools import count

import roslibpy

ros = roslibpy.Ros(sys.argv[1])
command = roslibpy.Topic(ros, sys.argv[2], "geometry_msgs/Twist")
numbers = count(1)


def on_pose(_message: object) -> None:
    command.publish({"linear": {"x": 0.5, "z": float(next(numbers))}})


def on_connect(*_: object) -> None:
    command.advertise()
    roslibpy.Topic(ros, "/pose", "geometry_msgs/PoseStamped").subscribe(on_pose)


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
ros.on_ready(on_connect, run_in_thread=False)
ros.run_forever()
