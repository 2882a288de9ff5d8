from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.errors import InputError
from stressfield.model import Element, constraint, crossover, integer, mutate, to_strategy

from .oz_like import OzWorld, Terrain, Yard

SEEDS = st.integers(0, 2**32)


@given(to_strategy(OzWorld), SEEDS, st.floats(0.01, 1.0), st.floats(0.001, 2.0))
def test_mutants_are_valid(world: OzWorld, seed: int, rate: float, scale: float) -> None:
    child = mutate(world, np.random.default_rng(seed), rate=rate, scale=scale)
    OzWorld.check_descriptor(child.descriptor)
    assert child.field.missing_stakes == 0


@given(to_strategy(Yard), SEEDS)
def test_mutants_of_free_sequences_are_valid(yard: Yard, seed: int) -> None:
    child = mutate(yard, np.random.default_rng(seed), rate=0.5)
    Yard.check_descriptor(child.descriptor)
    assert abs(len(child.people) - len(yard.people)) <= 1


@given(to_strategy(OzWorld), to_strategy(OzWorld), SEEDS)
def test_children_are_valid(a: OzWorld, b: OzWorld, seed: int) -> None:
    for child in crossover(a, b, np.random.default_rng(seed)):
        OzWorld.check_descriptor(child.descriptor)


@given(to_strategy(Yard), to_strategy(Yard), SEEDS)
def test_children_take_from_both_parents(a: Yard, b: Yard, seed: int) -> None:
    for child in crossover(a, b, np.random.default_rng(seed)):
        Yard.check_descriptor(child.descriptor)
        assert child.trees in (a.trees, b.trees)
        assert set(child.people) <= {*a.people, *b.people}


def test_mutants_differ_and_stay_near() -> None:
    rng = np.random.default_rng(1)
    flat = Terrain(roughness_m=0.06)
    mutants = [mutate(flat, rng, rate=1.0, scale=0.05).roughness_m for _ in range(200)]
    assert 0.06 not in mutants
    assert 0.002 < np.std(mutants) < 0.012


def test_same_seed_same_mutant() -> None:
    world = OzWorld.random_create(np.random.default_rng(0))
    assert mutate(world, np.random.default_rng(5)) == mutate(world, np.random.default_rng(5))


def test_no_rate_no_change() -> None:
    flat = Terrain(roughness_m=0.06)
    assert mutate(flat, np.random.default_rng(0), rate=0.0) is flat


def test_an_element_with_one_valid_choice_stays_as_it_is(rng: np.random.Generator) -> None:
    class Only(Element):
        x: int = integer(0, 9)

        @constraint("x is five")
        def five(self) -> bool:
            return self.x == 5

    only = Only(x=5)
    assert mutate(only, rng) is only
    assert crossover(only, Only(x=5), rng)[0] is only


def test_wrong_arguments(rng: np.random.Generator) -> None:
    flat = Terrain(roughness_m=0.0)
    with pytest.raises(InputError, match=r"mutate: got rate=2, wanted a probability in \[0, 1\]"):
        mutate(flat, rng, rate=2)
    with pytest.raises(InputError, match=r"mutate: got scale=0, wanted a positive share of the range"):
        mutate(flat, rng, scale=0)
    with pytest.raises(InputError, match="crossover: got Terrain and OzWorld, wanted two of one model"):
        crossover(flat, OzWorld.random_create(rng), rng)
