"""What every subject must do. Subclass the suite and supply one fixture."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from stressfield.bus import Timing
from stressfield.run import Executed, execute
from stressfield.scenario import Scenario
from stressfield.sim import Simulator
from stressfield.study import Ending
from stressfield.subject import Subject
from stressfield.trace import Metadata
from stressfield.world import Mission, World, robots

MakeSubject = Callable[[], Subject]
LEFT_S = 5.0
"""How long processes may take to go away after ``stop``."""


class SubjectSuite:
    """Give a fixture ``make_subject``: a function that makes a fresh subject.

    Give a ``scenario`` too if yours needs another than a differential-drive robot in an empty yard. ``deterministic``
    is False for subjects that run at their own pace in another process.
    """

    deterministic = True
    limit_s = 3.0
    """Simulated seconds of a run."""

    @pytest.fixture
    def make_subject(self) -> MakeSubject:
        """A function that makes a fresh subject."""
        raise NotImplementedError("Wanted a fixture 'make_subject' in your subclass of SubjectSuite.")

    @pytest.fixture
    def scenario(self) -> Scenario:
        """What it runs in: a differential-drive robot crosses an empty yard, unless you give another."""
        world = World.flat(20.0, 12.0).with_robot("robot", robots.diff_drive(), at=(1.0, 6.0))
        return Scenario(world, Mission.reach((19.0, 6.0), within_s=60.0))

    @pytest.fixture
    def simulator(self) -> Simulator:
        """Where it runs: the kinematic simulator, unless you give another."""
        from stressfield.sim.kinematic import KinematicSimulator  # noqa: PLC0415

        return KinematicSimulator()

    def run(self, subject: Subject, scenario: Scenario, simulator: Simulator, *, seed: int = 1) -> Executed:
        """One short run."""
        from dataclasses import replace  # noqa: PLC0415

        short = replace(scenario, mission=replace(scenario.mission, limit_s=self.limit_s))
        return execute(short, subject, simulator, seed=seed, timing=Timing(), ending=Ending(), metadata=Metadata())

    def test_it_speaks(self, make_subject: MakeSubject, scenario: Scenario, simulator: Simulator) -> None:
        """It runs without trouble, and says something that a simulator listens to."""
        done = self.run(make_subject(), scenario, simulator)
        assert done.status.judged, done.trouble
        session = simulator.open(scenario, seed=1)
        try:
            assert any(len(done.trace.topics[name]) for name in session.command_topics if name in done.trace.topics)
        finally:
            session.close()

    def test_a_run_leaves_nothing_to_the_next(
        self, make_subject: MakeSubject, scenario: Scenario, simulator: Simulator
    ) -> None:
        """Three runs with the same seed are the same run."""
        runs = [self.run(make_subject(), scenario, simulator) for _ in range(3)]
        assert all(done.status.judged for done in runs), [done.trouble for done in runs]
        if self.deterministic:
            assert len({done.trace.digest() for done in runs}) == 1

    def test_stopping_is_final(self, make_subject: MakeSubject, scenario: Scenario, simulator: Simulator) -> None:
        """After ``stop`` no process is left, and stopping again does no harm."""
        before = _children()
        subject = make_subject()
        self.run(subject, scenario, simulator)
        subject.stop()
        deadline = time.monotonic() + LEFT_S
        while _children() - before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not _children() - before


def _children() -> set[int]:
    """The processes that this one started and that are still there."""
    found = set()
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/children") as file:
                found |= {int(word) for word in file.read().split()}
        except OSError:
            continue
    return found
