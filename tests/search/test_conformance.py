"""The strategies of testing spaces, held to what every strategy must do."""

from __future__ import annotations

import pytest

from stressfield.search import Candidate, Evaluated, Strategy, search_strategy
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
            return search_strategy(made, made.searches[0], model=Hall, template=ONE_HALL, seed=seed, strategy=self.name)

        return make


class TestNsga2(_Suite):
    name = "nsga2"


class TestRandom(_Suite):
    name = "random"


class TestSweep(_Suite):
    name = "sweep"
