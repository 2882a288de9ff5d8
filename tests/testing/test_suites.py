"""What ships with stressfield passes the suites that others are held to; something broken does not."""

from __future__ import annotations

from pathlib import Path

import pytest

import stressfield as sf
from stressfield.plugins import find_study
from stressfield.search import (
    Candidate,
    Evaluated,
    PairwiseWorlds,
    RandomWorlds,
    Setting,
    Strategy,
    SweepWorlds,
)
from stressfield.subject import NodesSubject, Subject
from stressfield.testing import ExecutorSuite, StrategySuite, SubjectSuite
from stressfield.testing.executor import STUDY
from stressfield.testing.strategy import MakeStrategy
from stressfield.testing.subject import MakeSubject
from stressfield.workers import Executor, InProcessExecutor, LocalExecutor


class Numbers(sf.Element):
    """Three numbers."""

    a: int = sf.integer(0, 9)
    b: int = sf.integer(0, 9)
    c: int = sf.integer(0, 9)


VARY = ("a=1,2,3", "b=1,2", "c=1,2,3")


class TestRandom(StrategySuite):
    @pytest.fixture
    def make_strategy(self) -> MakeStrategy:
        return lambda seed: RandomWorlds().make(Setting(model=Numbers, seed=seed))


class TestSweep(StrategySuite):
    @pytest.fixture
    def make_strategy(self) -> MakeStrategy:
        return lambda seed: SweepWorlds(vary=VARY).make(Setting(model=Numbers, seed=seed))


class TestPairwise(StrategySuite):
    @pytest.fixture
    def make_strategy(self) -> MakeStrategy:
        return lambda seed: PairwiseWorlds(vary=VARY).make(Setting(model=Numbers, seed=seed))


class TestInProcess(ExecutorSuite):
    isolates = False

    @pytest.fixture
    def executor(self) -> Executor:
        return InProcessExecutor()


class TestLocal(ExecutorSuite):
    @pytest.fixture
    def executor(self) -> Executor:
        return LocalExecutor(jobs=2, run_timeout_s=30.0)


class TestNodes(SubjectSuite):
    limit_s = 1.0

    @pytest.fixture
    def make_subject(self, scenario: sf.Scenario) -> MakeSubject:
        return lambda: find_study(str(STUDY)).builds[0].subject(scenario)

    @pytest.fixture
    def scenario(self) -> sf.Scenario:
        return find_study(str(STUDY)).scenario("drives-0.3", seed=1)


class Forgetful:
    """Gives the same index again and again, and looks at the clock of the process instead of its seed."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, n: int) -> list[Candidate]:
        self.asked += 1
        return [Candidate(0, "r")] * n

    def tell(self, results: list[Evaluated]) -> None:
        pass


def test_the_suite_catches_a_strategy_that_repeats_indices() -> None:
    def make(seed: int) -> Strategy:
        return Forgetful()

    with pytest.raises(AssertionError):
        StrategySuite().test_indices_are_never_used_twice(make)


class Silent(sf.Node):
    name = "silent"

    def setup(self, link: sf.Link) -> None:
        pass


def test_the_suite_catches_a_subject_that_says_nothing(tmp_path: Path) -> None:
    from stressfield.sim.kinematic import KinematicSimulator

    def make() -> Subject:
        return NodesSubject(lambda scenario: [Silent()])

    scenario = find_study(str(STUDY)).scenario("drives-0.3", seed=1)
    with pytest.raises(AssertionError):
        SubjectSuite().test_it_speaks(make, scenario, KinematicSimulator())
