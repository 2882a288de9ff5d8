"""NSGA-II over disturbances and worlds: better than chance, repeatable, in its space, honest about what is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from stressfield.errors import InputError
from stressfield.fuzz import (
    FuzzTest,
    Loss,
    Nsga2,
    RandomTests,
    SweepTests,
    Termination,
    TestingSpace,
    space_from_yaml,
    space_to_yaml,
)
from stressfield.search import Candidate, Evaluated, Learner, Nsga2Strategy, Setting, SpaceSearch, front, hypervolume

from .carts import ONE_HALL, Hall, evaluated, space

Evaluate = Callable[[Candidate], Evaluated | None]


def make(seed: int = 1, *, of: TestingSpace | None = None, template: str = ONE_HALL, **options: object) -> Learner:
    made = of or space()
    kind = SpaceSearch.of(made, made.searches[0].name, **options)  # type: ignore[arg-type]
    return kind.make(Setting(model=Hall, template=template, seed=seed, space=made))  # type: ignore[return-value]


def run(strategy: Learner, evaluate: Evaluate = evaluated, *, ask: int | None = None) -> list[Evaluated]:
    """To its end; None is a candidate whose runs were all invalid."""
    told: list[Evaluated] = []
    while asked := strategy.ask(ask or strategy.batch):
        results = [one for one in map(evaluate, asked) if one is not None]
        strategy.tell(results)
        told += results
    return told


def volume(told: list[Evaluated]) -> float:
    points = [(one.metrics["rooms"][0], -one.metrics["away_m"][0], one.metrics["fuzzed_s"][0]) for one in told]
    return hypervolume([points[at] for at in front(points)], (10.0, 1.0, 1300.0))


def test_it_beats_random_search_with_the_same_budget() -> None:
    evolved = [volume(run(make(seed))) for seed in range(5)]
    drawn = [volume(run(make(seed, strategy="random"))) for seed in range(5)]
    assert len(run(make(strategy="random"))) == len(run(make())) == 160
    assert sum(a > b for a in evolved for b in drawn) >= 20  # of 25


def test_tests_stay_inside_the_space_and_are_never_proposed_twice() -> None:
    made = space()
    told = run(make(of=made))
    for one in told:
        test = FuzzTest(name="t", operations=one.candidate.operations)  # type: ignore[arg-type]
        made.check_test(test, made.searches[0])
        assert one.candidate.template == ONE_HALL
    assert len({str(one.candidate.operations) for one in told}) == len(told)
    assert [one.candidate.index for one in told] == list(range(160))
    assert [one.candidate.generation for one in told] == [at // 8 for at in range(160)]


def test_same_seed_and_same_tells_give_the_same_asks_in_any_order() -> None:
    one, other = make(7), make(7)
    while asked := one.ask(8):
        again = other.ask(3) + other.ask(3) + other.ask(99)
        assert again == asked
        one.tell([evaluated(candidate) for candidate in asked])
        for candidate in reversed(again):
            other.tell([evaluated(candidate)])
    assert other.ask(8) == []
    assert make(8).ask(8) != make(7).ask(8)


def test_replaying_what_was_told_continues_the_same_search() -> None:
    whole = run(make(3))
    resumed, known = make(3), {one.candidate.index: one for one in whole[:77]}
    done: list[Evaluated] = []
    while asked := resumed.ask(8):
        results = [known.get(one.index) or evaluated(one) for one in asked]
        resumed.tell(results)
        done += results
    assert done == whole


def test_what_was_told_matters() -> None:
    def other_way(candidate: Candidate) -> Evaluated:
        told = evaluated(candidate)
        return replace(told, metrics={name: tuple(-v for v in values) for name, values in told.metrics.items()})

    assert [one.candidate for one in run(make())] != [one.candidate for one in run(make(), other_way)]


def test_tests_without_values_have_no_children() -> None:
    """Every test that loses commands is invalid or has no rooms: soon none is proposed any more."""

    def broken(candidate: Candidate) -> Evaluated | None:
        if not any(isinstance(one, Loss) for one in candidate.operations):
            return evaluated(candidate)
        told = evaluated(candidate)
        return None if candidate.index % 2 else replace(told, metrics={**told.metrics, "rooms": ()})

    def lossy(told: list[Evaluated]) -> int:
        return sum(any(isinstance(op, Loss) for op in one.candidate.operations) for one in told[-40:])

    strategy = make()
    assert isinstance(strategy, Nsga2Strategy)
    told = run(strategy, broken)
    living = strategy._evolution.population
    assert len(living) == 8
    assert all(len(values) == 3 for _, values in living)
    assert not any(isinstance(op, Loss) for genome, _ in living for op in genome.operations)
    assert lossy(told) < lossy(run(make()))


def test_a_search_that_never_gets_a_value_goes_on_to_its_budget() -> None:
    strategy = make(evaluations=30)
    asked = []
    while candidates := strategy.ask(strategy.batch):
        asked += candidates
    assert len(asked) == 30
    assert len({str(one.operations) for one in asked}) == 30
    assert strategy.reason == "30 tests"


def test_infinities_are_no_values() -> None:
    def broken(candidate: Candidate) -> Evaluated:
        return replace(evaluated(candidate), metrics={**evaluated(candidate).metrics, "away_m": (float("inf"),)})

    strategy = make(evaluations=24)
    run(strategy, broken)
    assert isinstance(strategy, Nsga2Strategy)
    assert strategy._evolution.population == []


def test_repeats_count_with_their_median() -> None:
    strategy = make()
    assert isinstance(strategy, Nsga2Strategy)
    vector = strategy.objectives.vector({"rooms": (9.0, 0.0, 8.0), "away_m": (1.0, 3.0), "fuzzed_s": (7.0,)})
    assert vector == (8.0, -2.0, 7.0)
    assert strategy.objectives.vector({"rooms": (9.0,), "away_m": (1.0,), "fuzzed_s": ()}) is None
    assert strategy.objectives.shown((8.0, -2.0, 7.0)) == (8.0, 2.0, 7.0)


def test_late_results_are_refused() -> None:
    strategy = make()
    first = strategy.ask(8)
    strategy.ask(8)
    with pytest.raises(InputError, match=r"Candidate 0 is not of the open generation 1\. Wanted all results"):
        strategy.tell([evaluated(first[0])])


# worlds


def test_worlds_evolve_inside_their_template() -> None:
    told = run(make(template="(r-wood)-r"))
    worlds = [Hall.create_from_descriptor(one.candidate.template, None) for one in told]  # type: ignore[arg-type]
    assert {world.floor.kind for world in worlds} == {"wood"}
    assert len({world.doors for world in worlds}) > 3
    assert len({world.floor.wet_share for world in worlds}) > 10
    assert len({str(one.candidate.operations) for one in told}) > 40


def test_worlds_alone_evolve_without_operations() -> None:
    made = TestingSpace(name="none", metrics=space().metrics, searches=space().searches)

    def doors(candidate: Candidate) -> Evaluated:
        world = Hall.create_from_descriptor(candidate.template, None)  # type: ignore[arg-type]
        away = world.floor.wet_share * world.doors
        return Evaluated(candidate, (), {}, {"rooms": (1.0,), "away_m": (away,), "fuzzed_s": (1.0,)})

    told = run(make(of=made, template="r"), doors)
    assert all(one.candidate.operations == () for one in told)
    assert max(one.metrics["away_m"][0] for one in told) > 8.5
    with pytest.raises(InputError, match="has nothing to vary"):
        make(of=made, template=ONE_HALL)


def test_a_template_with_other_operators_is_refused() -> None:
    with pytest.raises(InputError, match=r"it has the operator 'M'\. Wanted values and 'r' alone"):
        make(template="(r-wood)-M")


# how it ends


def test_it_ends_when_the_front_stands_still() -> None:
    strategy = make(of=space(termination=Termination(stagnation=3)))
    told = run(strategy, lambda one: Evaluated(one, (), {}, {"rooms": (1.0,), "away_m": (1.0,), "fuzzed_s": (1.0,)}))
    assert len(told) == 4 * 8
    assert strategy.reason == "no better front for 3 generations"


def test_a_higher_threshold_ends_it_earlier() -> None:
    lengths = []
    for improvement in (0.0, 0.3):
        termination = Termination(stagnation=2, improvement=improvement)
        lengths.append(len(run(make(of=space(termination=termination), evaluations=4000))))
    assert lengths[1] < lengths[0] < 4000


def test_it_ends_when_the_space_is_covered() -> None:
    strategy = make(of=space(termination=Termination(coverage=0.5)))
    assert len(run(strategy)) < 100
    assert strategy.reason is not None
    assert strategy.reason.endswith("of the cells covered")


def test_it_ends_after_its_evaluations() -> None:
    assert len(run(make(of=space(termination=Termination(evaluations=13))))) == 13
    assert len(run(make(evaluations=11), ask=3)) == 11


def test_it_ends_when_nothing_new_can_be_found() -> None:
    floors = TestingSpace(name="none", metrics=space().metrics, searches=space().searches)
    strategy = make(of=floors, template="(0.5-r)-3")
    told = run(strategy, lambda one: Evaluated(one, (), {}, {"rooms": (1.0,), "away_m": (1.0,), "fuzzed_s": (1.0,)}))
    assert {one.candidate.template for one in told} == {"(0.5-wood)-3", "(0.5-stone)-3"}
    assert strategy.reason == "no new test was found"


# which strategy


@pytest.mark.parametrize(
    ("approach", "name", "budget"),
    [
        (Nsga2(population=4, iterations=5), "Nsga2Strategy", 20),
        (RandomTests(evaluations=33), "RandomTestStrategy", 33),
        (SweepTests(steps=2), "SweepTestStrategy", 16),
        (SweepTests(steps=2, evaluations=9), "SweepTestStrategy", 9),
    ],
)
def test_the_campaign_chooses_its_strategy(approach: object, name: str, budget: int) -> None:
    strategy = make(of=space(approach=approach))
    assert type(strategy).__name__ == name
    assert len(run(strategy)) == budget


def test_settings_stand_in_the_file_of_the_space() -> None:
    made = space(termination=Termination(stagnation=4, improvement=0.01, seconds=60.0), approach=SweepTests(steps=2))
    assert space_from_yaml(space_to_yaml(made)) == made
    text = space_to_yaml(made).replace("stagnation: 4", "stagnation: 0")
    with pytest.raises(InputError, match=r"Expected `int` >= 1 - at `\$.searches\[0\].termination.stagnation`"):
        space_from_yaml(text)


def test_bad_input() -> None:
    assert isinstance(make(of=space(approach=None)), Nsga2Strategy), "the default"
    with pytest.raises(
        InputError, match=r"Unknown strategy 'nsga3'\. There are: nsga2, steady-nsga2, random, sweep\. Did you mean"
    ):
        make(strategy="nsga3")
    with pytest.raises(InputError, match="A search with evaluations=0"):
        make(evaluations=0)
    with pytest.raises(InputError, match="Search 'worst' has no objectives"):
        make(of=space(objectives=()))
