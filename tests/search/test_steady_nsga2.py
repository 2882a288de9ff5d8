"""NSGA-II without generations: the same search whoever finishes first, and as good as the one with generations."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from stressfield.errors import InputError
from stressfield.fuzz import SteadyNsga2, Termination, TestingSpace, space_from_yaml, space_to_yaml
from stressfield.search import Candidate, Evaluated, Setting, SpaceSearch, SteadyNsga2Strategy

from .carts import ONE_HALL, Hall, evaluated, space
from .test_nsga2 import make, run, volume

Evaluate = Callable[[Candidate], Evaluated]


def steady(seed: int = 1, *, window: int = 8, of: TestingSpace | None = None, **options: object) -> SteadyNsga2Strategy:
    made = of or space()
    kind = SpaceSearch.of(made, made.searches[0].name, strategy="steady-nsga2", window=window, **options)  # type: ignore[arg-type]
    strategy = kind.make(Setting(model=Hall, template=ONE_HALL, seed=seed, space=made))
    assert isinstance(strategy, SteadyNsga2Strategy)
    return strategy


def play(
    strategy: SteadyNsga2Strategy, workers: int, *, rng: random.Random | None = None, evaluate: Evaluate = evaluated
) -> list[Evaluated]:
    """With so many workers that take a random time each: what was told, by index."""
    chance, doing, told = rng or random.Random(1), list[Candidate](), list[Evaluated]()
    waiting: list[Candidate] = []
    while True:
        waiting += strategy.ask(1000)
        while waiting and len(doing) < workers:
            doing.append(waiting.pop(0))
        if not doing:
            return sorted(told, key=lambda one: one.candidate.index)
        result = evaluate(doing.pop(chance.randrange(len(doing))))
        strategy.tell([result])
        told.append(result)


@pytest.mark.parametrize("window", [1, 3, 8, 20])
def test_neither_workers_nor_their_pace_change_the_search(window: int) -> None:
    alone = play(steady(window=window), 1)
    assert len(alone) == 160
    for workers in (2, 4, 50):
        for pace in range(3):
            assert play(steady(window=window), workers, rng=random.Random(pace)) == alone


def test_no_more_than_the_window_is_under_way() -> None:
    strategy = steady(window=5)
    asked = strategy.ask(1000)
    assert [one.index for one in asked] == [0, 1, 2, 3, 4]
    assert strategy.ask(1000) == []
    strategy.tell([evaluated(asked[2])])
    assert strategy.ask(1000) == [], "the oldest is not done"
    strategy.tell([evaluated(asked[0])])
    assert [one.index for one in strategy.ask(1000)] == [5]
    strategy.tell([evaluated(asked[1])])
    assert [one.index for one in strategy.ask(1000)] == [6, 7], "the one that waited counts now"


def test_what_is_asked_for_in_parts_is_the_same() -> None:
    whole, parts = steady(window=6), steady(window=6)
    assert [parts.ask(1)[0] for _ in range(6)] == whole.ask(6)
    assert parts.ask(0) == []


def test_the_window_is_part_of_the_search_and_so_is_what_was_told() -> None:
    narrow, wide = play(steady(window=2), 2), play(steady(window=30), 2)
    assert [one.candidate for one in narrow] != [one.candidate for one in wide]
    otherwise = play(steady(window=2), 2, evaluate=lambda one: Evaluated(one, (), {}, {}))
    assert [one.candidate for one in narrow[:8]] == [one.candidate for one in otherwise[:8]], "the first are drawn"
    assert [one.candidate for one in narrow] != [one.candidate for one in otherwise]


def test_a_test_without_values_does_not_hold_up_the_others() -> None:
    def shaky(candidate: Candidate) -> Evaluated:
        return Evaluated(candidate, (), {}) if candidate.index % 3 == 0 else evaluated(candidate)

    told = play(steady(window=4), 3, evaluate=shaky)
    assert len(told) == 160
    assert len({one.candidate.operations for one in told}) == 160, "none twice"


def test_it_is_as_good_as_generations() -> None:
    generations = [volume(run(make(seed))) for seed in range(6)]
    flowing = [volume(play(steady(seed), 4)) for seed in range(6)]
    drawn = [volume(run(make(seed, strategy="random"))) for seed in range(6)]
    assert sum(a > b for a in flowing for b in drawn) >= 28  # of 36
    assert sum(a >= b for a in flowing for b in generations) >= 9  # of 36: not worse beyond noise


def test_it_ends_when_the_front_stands_still_and_tells_why() -> None:
    made = space(termination=Termination(stagnation=2))
    strategy = steady(of=made, window=3)
    told = play(
        strategy,
        2,
        evaluate=lambda one: Evaluated(one, (), {}, {"rooms": (1.0,), "away_m": (1.0,), "fuzzed_s": (1.0,)}),
    )
    assert strategy.reason == "no better front for 2 generations"
    assert [one.candidate.generation for one in told] == [index // 8 for index in range(len(told))]
    assert len(told) < 160
    for workers in (1, 7):
        again = steady(of=made, window=3)
        assert len(play(again, workers, evaluate=lambda one: Evaluated(one, (), {}, told[0].metrics))) == len(told)


def test_bad_input() -> None:
    with pytest.raises(InputError, match=r"Candidate 99 is not under way\. Wanted one that was asked for"):
        steady().tell([evaluated(Candidate(99, ONE_HALL))])
    strategy = steady(window=3)
    first, second, _ = strategy.ask(3)
    for one in (second, first):
        strategy.tell([evaluated(one)])
        with pytest.raises(InputError, match=f"Candidate {one.index} is not under way"):
            strategy.tell([evaluated(one)])


def test_the_window_stands_in_the_file_of_the_space() -> None:
    made = space(approach=SteadyNsga2(population=8, iterations=5, window=3))
    assert space_from_yaml(space_to_yaml(made)) == made
    kind = SpaceSearch.of(made, "worst")
    assert kind.approach == SteadyNsga2(population=8, iterations=5, window=3)
    assert (kind.name, kind.size(made)) == ("steady-nsga2", 40)
    assert SpaceSearch.of(made, "worst", window=7).approach == SteadyNsga2(population=8, iterations=5, window=7)
