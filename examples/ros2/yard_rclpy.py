"""The yard, with a mower that is a node of rclpy. Source ROS 2 first; it needs ros-DISTRO-rmw-zenoh-cpp."""

import sys
from pathlib import Path

import stressfield as sf
from stressfield.subject import Gate, Pacing, Ros2Subject

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from yard import Yard, build, oracle  # noqa: E402


def robot(_scenario: sf.Scenario) -> sf.Subject:
    # The Python of ROS, which need not be the one that runs stressfield.
    return Ros2Subject(["python3", HERE / "rclpy_robot.py"], pacing=Pacing(gate=Gate(topic="/cmd_vel", after="/scan")))


study = sf.Study("yard-rclpy", model=Yard, build=build, subject=robot, oracle=oracle)
