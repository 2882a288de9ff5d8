"""What every strategy must do. Subclass the suite and supply one fixture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from stressfield.oracle import Outcome
from stressfield.search import Candidate, Evaluated, Strategy

MakeStrategy = Callable[[int], Strategy]
"""Makes a fresh strategy from a seed."""


class StrategySuite:
    """Give a fixture ``make_strategy``: a function that makes a fresh strategy from a seed.

    ``evaluate`` says what came of a candidate; override it if your strategy looks at metrics.
    """

    @pytest.fixture
    def make_strategy(self) -> MakeStrategy:
        """A function from a seed to a fresh strategy."""
        raise NotImplementedError("Wanted a fixture 'make_strategy' in your subclass of StrategySuite.")

    def evaluate(self, candidate: Candidate) -> Evaluated:
        """A result that depends on nothing but the candidate."""
        value = float(sum(candidate.template.encode()) % 97 + candidate.index)
        outcome = Outcome.FAIL if value % 3 == 0 else Outcome.PASS
        return Evaluated(candidate, (outcome,), {"p": value}, {"m": (value,)})

    def search(self, strategy: Strategy, *, rounds: int, batch: int) -> list[Candidate]:
        """Ask and tell, and ask again."""
        asked: list[Candidate] = []
        for _ in range(rounds):
            candidates = strategy.ask(batch)
            asked += candidates
            if hasattr(strategy, "tell"):
                strategy.tell([self.evaluate(candidate) for candidate in candidates])
        return asked

    def test_it_gives_at_most_what_is_asked_for(self, make_strategy: MakeStrategy) -> None:
        """``ask(n)`` gives n candidates or fewer."""
        assert 1 <= len(make_strategy(1).ask(3)) <= 3

    def test_nothing_asked_nothing_given(self, make_strategy: MakeStrategy) -> None:
        """``ask(0)`` gives none and does no harm."""
        strategy = make_strategy(1)
        assert strategy.ask(0) == []
        assert _plain(strategy.ask(2)) == _plain(make_strategy(1).ask(2))

    def test_indices_are_never_used_twice(self, make_strategy: MakeStrategy) -> None:
        """An index is the place of a candidate in the campaign."""
        indices = [candidate.index for candidate in self.search(make_strategy(1), rounds=4, batch=4)]
        assert len(set(indices)) == len(indices)
        assert indices == sorted(indices)

    def test_the_same_seed_searches_the_same(self, make_strategy: MakeStrategy) -> None:
        """Same seed, same results told: same candidates. This is how a search is resumed."""
        first = self.search(make_strategy(7), rounds=4, batch=4)
        assert _plain(first) == _plain(self.search(make_strategy(7), rounds=4, batch=4))

    def test_global_randomness_is_left_alone(self, make_strategy: MakeStrategy) -> None:
        """A strategy draws from its own seed."""
        import random  # noqa: PLC0415

        import numpy as np  # noqa: PLC0415

        before = random.getstate(), np.random.get_state()  # noqa: NPY002
        first = _plain(self.search(make_strategy(7), rounds=2, batch=4))
        assert random.getstate() == before[0]
        assert str(np.random.get_state()) == str(before[1])  # noqa: NPY002
        random.seed(123)
        try:
            assert first == _plain(self.search(make_strategy(7), rounds=2, batch=4))
        finally:
            random.setstate(before[0])

    def test_it_may_be_told_nothing(self, make_strategy: MakeStrategy) -> None:
        """When the rig spoiled every run of a round, nothing is told of it."""
        strategy = make_strategy(1)
        strategy.ask(2)
        if hasattr(strategy, "tell"):
            strategy.tell([])
        assert isinstance(strategy.ask(2), list)


def _plain(candidates: Sequence[Candidate]) -> list[tuple[int, str, str]]:
    return [(candidate.index, candidate.template, repr(candidate.operations)) for candidate in candidates]
