"""The yard, with a mower in JavaScript (npm's roslib over rosbridge). First: npm ci --prefix examples/javascript"""

import sys
from pathlib import Path

import stressfield as sf
from stressfield.subject import ProcessSubject

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from yard import Yard, build, oracle  # noqa: E402


def robot(_scenario: sf.Scenario) -> sf.Subject:
    return ProcessSubject(["node", HERE / "javascript" / "robot.mjs"])


study = sf.Study("yard-javascript", model=Yard, build=build, subject=robot, oracle=oracle)
