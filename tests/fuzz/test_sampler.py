"""Tests drawn from a space, mutated and crossed over: they vary, repeat by seed, and never leave the space."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from stressfield.errors import InputError
from stressfield.fuzz import (
    Conditional,
    FuzzTest,
    Loss,
    MutationRates,
    Range,
    Sampler,
    Search,
    TestingSpace,
    Window,
    read_space,
    sample,
)
from stressfield.seeds import generator

SPACE = read_space(Path(__file__).parent / "sample.yaml")
SEARCHES = [None, *SPACE.searches]


def text(test: FuzzTest) -> bytes:
    return msgspec.json.encode(test.operations)


@pytest.mark.parametrize("search", SEARCHES, ids=["space", "narrow", "conditions"])
def test_tests_never_leave_their_space(search: Search | None) -> None:
    sampler, rng = Sampler(SPACE, search), generator(5, "sampling")
    population = [sampler.sample(rng) for _ in range(30)]
    for _ in range(150):
        one, other = (population[int(rng.integers(30))] for _ in range(2))
        children = sampler.crossover(sampler.mutate(one, rng), sampler.mutate(other, rng), rng)
        for child in children:
            SPACE.check_test(child, search)
            assert child.operations
        population[int(rng.integers(30))] = children[0]
    assert len({text(test) for test in population}) > 15


def test_same_seed_same_test() -> None:
    first, second = (sample(SPACE, generator(9, "x")) for _ in range(2))
    assert first == second
    assert sample(SPACE, generator(10, "x")) != first


def test_a_sample_is_a_selection_of_the_operations() -> None:
    rng = generator(1, "selection")
    sizes = {len(sample(SPACE, rng).operations) for _ in range(200)}
    assert sizes == {1, 2, 3, 4}


def three() -> tuple[Sampler, FuzzTest]:
    when = Window(start_s=0.0, end_s=100.0)
    operations = tuple(
        Loss(name=f"l{i}", topics=("/a", "/b", "/c"), probability=Range(0.0, 1.0), when=when) for i in range(3)
    )
    sampler = Sampler(TestingSpace(name="s", operations=operations))
    return sampler, FuzzTest(
        name="t", operations=tuple(sampler.specialise(o, generator(1, i)) for i, o in enumerate(operations))
    )  # type: ignore[misc]


@pytest.mark.parametrize(
    ("rates", "changed"),
    [
        (MutationRates(parameters=1.0, timing=0.0, participants=0.0), {"probability"}),
        (MutationRates(parameters=0.0, timing=1.0, participants=0.0), {"when"}),
        (MutationRates(parameters=0.0, timing=0.0, participants=0.0), set()),
    ],
)
def test_each_dimension_mutates_alone(rates: MutationRates, changed: set[str]) -> None:
    sampler, test = three()
    mutated = sampler.mutate(test, generator(2, "m"), rates=rates)
    for before, after in zip(test.operations, mutated.operations, strict=True):
        assert {name for name in before.__struct_fields__ if getattr(before, name) != getattr(after, name)} == changed


def test_participants_mutate() -> None:
    sampler, test = three()
    rates = MutationRates(parameters=0.0, timing=0.0, participants=1.0)
    mutants = [sampler.mutate(test, generator(3, i), rates=rates) for i in range(60)]
    assert {op.topics for one in mutants for op in one.operations} >= {("/a",), ("/b", "/c"), ("/a", "/b", "/c")}
    assert {len(one.operations) for one in mutants} == {2, 3}
    assert all(one.developed_from == ("t",) for one in mutants)


def test_conditions_mutate_a_little() -> None:
    search = SPACE.search("conditions")
    sampler = Sampler(SPACE, search)
    test = sampler.sample(generator(1, "c"))
    rates = MutationRates(parameters=0.0, timing=1.0, participants=0.0)
    for i in range(30):
        (before,), (after,) = test.operations, sampler.mutate(test, generator(2, i), rates=rates).operations
        assert isinstance(before.when, Conditional)
        assert isinstance(after.when, Conditional)
        assert before.when.start == after.when.start or before.when.end == after.when.end


def test_crossover_swaps_what_follows_one_point() -> None:
    sampler, one = three()
    other = FuzzTest(
        name="u", operations=tuple(sampler.specialise(o, generator(7, o.name)) for o in sampler.space.operations)
    )  # type: ignore[misc]
    for i in range(10):
        a, b = sampler.crossover(one, other, generator(4, i))
        origin = ["one" if op in one.operations else "other" for op in a.operations]
        assert origin in (["one", "other", "other"], ["one", "one", "other"])
        assert sorted(map(str, (*a.operations, *b.operations))) == sorted(
            map(str, (*one.operations, *other.operations))
        )


def test_times_are_drawn_up_to_the_limit() -> None:
    endless = TestingSpace(name="s", operations=(Loss(name="l", topics=("/a",), probability=0.5),))
    with pytest.raises(InputError, match="no end_s and the search no limit_s"):
        sample(endless, generator(1))
    (operation,) = sample(endless, generator(1), limit_s=30.0).operations
    assert isinstance(operation.when, Window)
    assert operation.when.until_s <= 30.0
    with pytest.raises(InputError, match="no operations to make tests of"):
        sample(TestingSpace(name="s"), generator(1))
