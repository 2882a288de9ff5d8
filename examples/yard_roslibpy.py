"""The yard, with a mower that uses roslibpy and knows nothing of stressfield: pip install roslibpy."""

import sys
from pathlib import Path

import stressfield as sf
from stressfield.subject import ProcessSubject

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from yard import Yard, build, oracle  # noqa: E402


def robot(_scenario: sf.Scenario) -> sf.Subject:
    return ProcessSubject([sys.executable, HERE / "roslibpy_robot.py"])


study = sf.Study("yard-roslibpy", model=Yard, build=build, subject=robot, oracle=oracle)
