"""The strategies of testing spaces, held to what every strategy must do."""

from __future__ import annotations

import pytest

from stressfield.search import Candidate, Evaluated, Setting, SpaceSearch, Strategy
from stressfield.testing import StrategySuite

from .carts import ONE_HALL, Hall, evaluated, space


class _Suite(StrategySuite):
    name = ""

    def evaluate(self, candidate: Candidate) -> Evaluated:
        return evaluated(candidate)

    @pytest.fixture
    def make_strategy(self):
        made = space()

        def make(seed: int) -> Strategy:
            kind = SpaceSearch.of(made, strategy=self.name)
            return kind.make(Setting(model=Hall, template=ONE_HALL, seed=seed, space=made))

        return make


class TestNsga2(_Suite):
    name = "nsga2"


class TestSteadyNsga2(_Suite):
    name = "steady-nsga2"


class TestRandom(_Suite):
    name = "random"


class TestSweep(_Suite):
    name = "sweep"
