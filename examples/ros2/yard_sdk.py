"""The yard, with a mower that is a ROS 2 node of its own: pip install zenoh-ros2-sdk rosbags."""

import sys
from pathlib import Path

import stressfield as sf
from stressfield.subject import Gate, Pacing, Ros2Subject

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from yard import Yard, build, oracle  # noqa: E402

# Nodes of ROS 2 acknowledge nothing. This one answers every scan with a command: time waits for that.
ANSWERED = Pacing(gate=Gate(topic="/cmd_vel", after="/scan"))


def robot(_scenario: sf.Scenario) -> sf.Subject:
    return Ros2Subject([sys.executable, HERE / "sdk_robot.py"], pacing=ANSWERED)


study = sf.Study("yard-ros2", model=Yard, build=build, subject=robot, oracle=oracle)
