"""Random and swept tests of a space, and the cells they enter."""

from __future__ import annotations

import pytest

from stressfield.errors import InputError
from stressfield.fuzz import (
    Conditional,
    Loss,
    RandomValue,
    Range,
    Termination,
    TestingSpace,
    Window,
    sample,
    space_from_yaml,
)
from stressfield.search import CellCoverage, Cells, Setting, SpaceSearch
from stressfield.seeds import generator

from .carts import ONE_HALL, TOPICS, Hall, evaluated, space


def make(name: str, *, of: TestingSpace | None = None, seed: int = 1, **options: object):
    made = of or space()
    kind = SpaceSearch.of(made, made.searches[0].name, strategy=name, **options)  # type: ignore[arg-type]
    return kind.make(Setting(model=Hall, template=ONE_HALL, seed=seed, space=made))


def test_random_tests_depend_on_seed_and_place_alone() -> None:
    whole = make("random").ask(50)
    pieces = make("random")
    assert pieces.ask(7) + pieces.ask(43) == whole
    assert make("random", seed=2).ask(50) != whole


def test_random_ends_by_stagnation_in_batches() -> None:
    strategy = make("random", of=space(termination=Termination(stagnation=1)), evaluations=1000)
    told = 0
    while asked := strategy.ask(30):
        told += len(asked)
        for one in asked:
            result = evaluated(one)
            strategy.tell([result])
    assert told % 100 == 0
    assert 100 < told <= 1000


def test_a_sweep_enters_every_cell_once() -> None:
    strategy, cells = make("sweep", evaluations=10_000), Cells(space(), space().searches[0])
    seen, tests = CellCoverage(cells), strategy.ask(1000)
    assert len(tests) == cells.total == 2 * 2 * 3 * 3
    for count, test in enumerate(tests, start=1):
        assert len(list(cells.entered(test.operations))) == 1
        seen.add(test.operations)
        assert seen.count == count
    assert seen.share == 1.0
    assert strategy.ask(1) == []
    assert make("sweep").ask(36) == tests
    assert make("sweep", seed=2).ask(36) != tests


def test_a_sweep_takes_the_middle_of_a_cell() -> None:
    tests = make("sweep").ask(1000)
    losses = {
        (one.topics, round(one.probability, 6), one.when)
        for (one,) in (test.operations for test in tests)
        if isinstance(one, Loss)
    }
    assert (TOPICS[:1], 0.166667, Window(start_s=0.0, end_s=100.0)) in losses
    ranges = {one.fields[0].range for (one,) in (t.operations for t in tests) if isinstance(one, RandomValue)}
    assert {(round(r.low, 6), round(r.high, 6)) for r in ranges if isinstance(r, Range)} == {
        (-1.0, -0.333333),
        (-0.333333, 0.333333),
        (0.333333, 1.0),
    }


def test_a_long_window_enters_several_time_steps() -> None:
    cells = Cells(space(), steps=3)

    def steps(start_s: float, end_s: float) -> set[int]:
        operation = Loss(name="lost", topics=TOPICS, probability=0.9, when=Window(start_s=start_s, end_s=end_s))
        entered = list(cells.entered([operation]))
        assert {(place, parameters) for place, _, parameters, _ in entered} == {(1, (2,))}
        assert {target for _, target, _, _ in entered} == {0, 1}
        return {time for *_, time in entered}

    assert steps(0.0, 100.0) == {0}
    assert steps(0.0, 100.1) == {0, 1}
    assert steps(99.0, 300.0) == {0, 1, 2}
    assert steps(200.0, 300.0) == {2}


def test_given_conditions_have_one_time_step() -> None:
    when = Conditional(start="x < 1")
    operations = tuple(Loss(name=f"l{i}", topics=("/a",), probability=Range(0, 1), when=when) for i in range(2))
    assert Cells(TestingSpace(name="c", operations=operations), steps=4).total == 8
    assert Cells(space(), steps=1).total == 4


def test_generated_conditions_have_a_step_for_each_term() -> None:
    made = space_from_yaml("""
        name: s
        variables: [{name: x, topics: [/x], path: data}, {name: y, topics: [/y], path: data}]
        grammar: [{term: x, low: 0, high: 1}, {term: abs(y), low: 0, high: 1}, {term: x + y, low: 0, high: 2}]
        operations: [{do: loss, name: l, topics: [/a], probability: [0, 1], when: {kind: generated, parts: 3}}]
        searches: [{name: all, approach: {kind: sweep, steps: 2}}]
    """)
    cells = Cells(made, steps=2)
    assert cells.total == 2 * 3
    strategy = SpaceSearch().make(Setting(model=Hall, template=ONE_HALL, seed=1, space=made))
    tests = strategy.ask(100)
    assert len({next(iter(cells.entered(test.operations))) for test in tests}) == len(tests) == 6
    seen, rng = CellCoverage(cells), generator(1, "terms")
    for _ in range(60):
        seen.add(sample(made, rng).operations)
    assert seen.share == 1.0
    starts = [test.operations[0].when for test in tests]
    assert {one.start.split(" ")[0] for one in starts if isinstance(one, Conditional)} >= {"x", "abs(y)"}


def test_sampled_tests_enter_cells() -> None:
    made = space()
    seen, rng = CellCoverage(Cells(made)), generator(1, "cells")
    shares = []
    for _ in range(300):
        seen.add(sample(made, rng).operations)
        shares.append(seen.share)
    assert shares == sorted(shares)
    assert 0.9 < shares[-1] <= 1.0


def test_too_many_cells_are_refused() -> None:
    with pytest.raises(InputError, match=r"The space has 4000000 cells, wanted at most 1000000"):
        Cells(space(), steps=1000).all()
    made = TestingSpace(name="none", metrics=space().metrics, searches=space().searches)
    with pytest.raises(InputError, match="no operations to sweep over"):
        make("sweep", of=made)
