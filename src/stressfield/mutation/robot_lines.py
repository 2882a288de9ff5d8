"""Which lines of a study are the robot's: found by running the unmutated build in its worlds, and watching.

Whatever of the study's own files runs while robot software is made, started or called by the bus is the robot's. What
also runs elsewhere (in building worlds, in the simulator, in judging and measuring) is shared: a fault in it would
change the test, not the robot, so none is planted there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass

import msgspec

from stressfield.campaign import Plan
from stressfield.errors import RigError

WATCHED = "stressfield.mutation._watched"
"""Run as a process of its own: watching makes everything slow, and the study must not have been imported before."""


@dataclass(frozen=True, slots=True)
class RobotFile:
    """What of one file is the robot's: the lines that ran, and the first lines of what is not the robot's alone."""

    path: str
    lines: tuple[int, ...]
    shared: tuple[int, ...]
    """Where functions begin that others run, too, and classes of what others read: messages, elements, missions."""
    compiled: tuple[int, ...] = ()
    """Where compiled functions begin that the robot calls. Their lines do not show when they run: all count."""


def robot_files(plan: Plan) -> tuple[RobotFile, ...]:
    """The robot's files in the worlds of a plan, in the order of their names."""
    words = [sys.executable, "-m", WATCHED, msgspec.json.encode(asdict(plan)).decode(), json.dumps(sys.path)]
    done = subprocess.run(  # noqa: S603  (own interpreter)
        words, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": "0"}
    )
    told = done.stdout.splitlines()
    if done.returncode or not told:
        why = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RigError(f"The robot's own code could not be found: the unmutated build, watched, ended with: {why}")
    return msgspec.json.decode(told[-1], type=tuple[RobotFile, ...])
