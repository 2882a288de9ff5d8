"""The yard of the examples, with a mower in a process of its own that goes with the wall clock."""

from __future__ import annotations

import sys
from pathlib import Path

import stressfield as sf
from stressfield.subject import Pacing, ProcessSubject

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
from yard import Yard, build, oracle  # noqa: E402


def robot(_scenario: sf.Scenario) -> sf.Subject:
    return ProcessSubject([sys.executable, EXAMPLES / "grpc_robot.py"], bridge="grpc", pacing=Pacing(time="paced"))


study = sf.Study("yard-paced", model=Yard, build=build, subject=robot, oracle=oracle)
