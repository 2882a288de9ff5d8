"""A broken run must never look like a run: MuJoCo repairs bad states silently."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stressfield.bus import Link, Node, Timing
from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import StringMsg, Twist
from stressfield.errors import PhysicsError, SubjectError
from stressfield.run import Status, execute
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.study import Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata

from ..scenes import box, lidar, robot, scene, twist
from .scenes import drive, opened


class Saboteur:
    """A device that breaks the physics at a time, in one of several ways."""

    command_topics = ("/sabotage",)

    def __init__(self, way: str, *, after_s: float = 0.2) -> None:
        self._way, self._after_s = way, after_s

    def add(self, spec) -> None:
        pass

    def bind(self, model, data, rng) -> None:
        self._model, self._data = model, data

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        self._data.ctrl[0] = math.nan

    def before_step(self) -> None:
        data = self._data
        if not self._after_s < data.time < self._after_s + 0.011:
            return
        if self._way == "explosion":
            data.qvel[:6] = 1e9
        elif self._way == "NaN position":
            data.qpos[0] = math.nan
        elif self._way == "NaN velocity":
            data.qvel[0] = math.nan
        elif self._way == "NaN force":
            data.qfrc_applied[0] = math.nan
        elif self._way == "NaN control":
            data.ctrl[0] = math.nan
        elif self._way == "clock":
            data.time = 0.0

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        return ()


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("explosion", "MuJoCo broke down"),
        ("NaN position", "MuJoCo broke down before 0.25 s: a position that is not a number"),
        ("NaN velocity", "MuJoCo broke down before 0.25 s: a velocity that is not a number"),
        ("NaN force", "MuJoCo broke down before 0.25 s: an acceleration that is not a number"),
        ("NaN control", "MuJoCo broke down before 0.25 s: a control signal that is not a number"),
        ("clock", "MuJoCo's clock says 0.0[0-9]+ s; wanted 0.25 s"),
    ],
)
def test_broken_physics_is_noticed_at_once(
    way: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = opened(scene(robot(), bodies=[box(2.0, 0.0, 1.0, 1.0)]), devices=[Saboteur(way)])
    drive(session, 0.2, 0.3)
    with pytest.raises(PhysicsError, match=said):
        drive(session, 0.1, 0.3)
    assert os.listdir(tmp_path) == []  # no MUJOCO_LOG.TXT


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_command_to_wheels_must_be_finite(bad: float) -> None:
    session = opened(scene(robot()))
    with pytest.raises(PhysicsError, match="A command on '/wheels' is not finite"):
        session.step([twist(bad, 0.0)])


def test_a_command_of_another_kind_is_refused() -> None:
    session = opened(scene(robot()))
    with pytest.raises(SubjectError, match="is a StringMsg; wanted JointState, Twist or TwistStamped"):
        session.step([Stamped("/wheels", 0, StringMsg("go"))])


def test_a_device_that_sets_a_control_to_nan_is_noticed() -> None:
    session = opened(scene(robot()), devices=[Saboteur("none")])
    with pytest.raises(PhysicsError, match="A control signal is not finite at 0 s"):
        session.step([Stamped("/sabotage", 0, StringMsg("now"))])


class Driver(Node):
    """Drives on, whatever happens."""

    name = "driver"

    def setup(self, link: Link) -> None:
        link.every(0.05, lambda: link.publish("/wheels", Twist.drive(0.3, 0.0)))


def test_a_run_in_broken_physics_is_invalid() -> None:
    simulator = MujocoSimulator(devices=lambda _: [Saboteur("explosion", after_s=0.5)])
    scenario = scene(robot(lidar()))
    scenario = replace(scenario, mission=replace(scenario.mission, limit_s=2.0))
    done = execute(
        scenario, NodesSubject(lambda _: [Driver()]), simulator, seed=1, timing=Timing(), ending=Ending(),
        metadata=Metadata(),
    )  # fmt: skip
    assert done.status is Status.INVALID
    assert "MuJoCo broke down" in done.trouble
    assert np.isfinite(done.trace.robots["oz"].values).all()


DIGEST = """
from dataclasses import replace
from stressfield.run import execute
from stressfield_studies.oz import study
from stressfield.trace import Metadata
scenario = study.scenario("0.02-(1-[]-6.0-[0.0]-r-2.0-r-r-(0-0.0)-r-0.0-0)-(true-false-left)", seed=3).limited(6.0)
for _ in range(2):
    done = execute(
        scenario, study.find_build("fixed").subject(scenario), study.find_simulator("mujoco")(), seed=3,
        timing=study.timing, ending=study.ending, metadata=Metadata(),
    )
    print(done.status.value, done.trace.digest())
"""


def test_runs_are_the_same_to_the_last_bit_in_every_process() -> None:
    said = [
        subprocess.run([sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True).stdout.split("\n")
        for _ in range(2)
    ]
    lines = {line for text in said for line in text if line}
    assert len(lines) == 1
    assert lines.pop().startswith("timeout ")


MISSING = """
import sys
sys.modules["mujoco"] = None
import stressfield
from stressfield.errors import InputError
from stressfield_studies.oz import study
try:
    study.find_simulator("mujoco")()
except InputError as error:
    print(error)
"""


def test_without_mujoco_the_message_says_what_to_install() -> None:
    said = subprocess.run([sys.executable, "-c", MISSING], capture_output=True, text=True, check=True).stdout
    assert said.startswith("The MuJoCo simulator needs the package mujoco, which cannot be imported")
    assert said.endswith("Install it with: pip install 'stressfield[mujoco]'\n")


def test_importing_the_package_does_not_import_mujoco() -> None:
    code = "import sys, stressfield, stressfield_studies.oz, stressfield_studies.mana; print('mujoco' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "False\n"
