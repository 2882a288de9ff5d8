"""Strategies: what they propose, and that it follows from the seed alone."""

from __future__ import annotations

import itertools

import pytest

from stressfield.errors import DescriptorError, InputError
from stressfield.model import Element, boolean, choice, element, integer, real
from stressfield.search import (
    Candidate,
    PairwiseWorlds,
    RandomWorlds,
    Setting,
    SweepWorlds,
    covering_rows,
    read_variations,
)
from stressfield.seeds import generator


class Ground(Element):
    roughness_m: float = real(0.0, 0.12, unit="m")
    wet: bool = boolean()


class Plot(Element):
    ground: Ground = element(Ground)
    rows: int = integer(1, 9)
    crop: str = choice("leek", "bean")


def test_random_proposes_its_template_with_running_index() -> None:
    strategy = RandomWorlds().make(Setting(model=Plot, seed=1, template="r-3-r"))
    assert strategy.ask(2) == [Candidate(0, "r-3-r"), Candidate(1, "r-3-r")]
    assert strategy.ask(1) == [Candidate(2, "r-3-r")]


def test_random_checks_its_template() -> None:
    with pytest.raises(DescriptorError):
        RandomWorlds().make(Setting(model=Plot, seed=1, template="r-x-r"))


def test_sweep_goes_through_all_combinations() -> None:
    strategy = SweepWorlds(vary=("rows=1,2", "crop=leek,bean", "ground.wet=true")).make(Setting(model=Plot, seed=1))
    assert strategy.combinations == 4
    templates = [candidate.template for candidate in strategy.ask(4)]
    assert templates == ["(r-true)-1-leek", "(r-true)-1-bean", "(r-true)-2-leek", "(r-true)-2-bean"]
    assert strategy.ask(1)[0].template == templates[0]


def test_ranges_give_round_numbers() -> None:
    (variation,) = read_variations(Plot, ["ground.roughness_m=0:0.12:5"])
    assert variation.values == (0.0, 0.03, 0.06, 0.09, 0.12)
    (variation,) = read_variations(Plot, ["rows=1:9:3"])
    assert variation.values == (1, 5, 9)


@pytest.mark.parametrize("sizes", [[2, 2], [3, 3, 3, 3], [4, 2, 5, 3, 1], [10, 10], [2] * 12])
def test_every_pair_is_covered(sizes: list[int]) -> None:
    rows = covering_rows(sizes, generator(1, "pairs"))
    for (a, size_a), (b, size_b) in itertools.combinations(enumerate(sizes), 2):
        assert {(row[a], row[b]) for row in rows} == set(itertools.product(range(size_a), range(size_b)))
    assert rows == covering_rows(sizes, generator(1, "pairs"))


def test_pairwise_needs_far_fewer_worlds_than_a_sweep() -> None:
    assert len(covering_rows([3] * 8, generator(1, "pairs"))) < 25


def test_pairwise_shows_every_pair_of_values() -> None:
    strategy = PairwiseWorlds(vary=("rows=1,2,3", "crop=leek,bean", "ground.wet=true,false")).make(
        Setting(model=Plot, seed=3)
    )
    parts = [candidate.template.rsplit("-", 2) for candidate in strategy.ask(strategy.combinations)]
    assert {(rows, crop) for _, rows, crop in parts} == set(itertools.product("123", ["leek", "bean"]))


@pytest.mark.parametrize(
    ("kind", "vary", "message"),
    [
        (SweepWorlds, (), "The strategy sweep needs values to vary, such as --vary 'PATH=VALUE,VALUE'. Got none."),
        (SweepWorlds, ("rows",), "Cannot vary 'rows'. Wanted PATH=VALUE,VALUE,... or PATH=FROM:TO:COUNT."),
        (SweepWorlds, ("rows=1:2",), "Cannot vary 'rows=1:2'. A range is FROM:TO:COUNT, such as 0:0.12:5."),
        (SweepWorlds, ("rows=1:9:0",), "Cannot vary 'rows=1:9:0': got 0 values, wanted 1 to 10000."),
        (SweepWorlds, ("rows=0,1",), "Parameter 'rows': got 0, wanted an integer in [1, 9]."),
        (SweepWorlds, ("rows=1", "rows=2"), "Parameter 'rows' is varied twice. Name it once, with all of its values."),
        (PairwiseWorlds, ("rows=1,2",), "The strategy pairwise varies at least two parameters, got 1."),
    ],
)
def test_bad_input(kind: type[SweepWorlds | PairwiseWorlds], vary: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        kind(vary=vary).make(Setting(model=Plot, seed=1))
    assert str(caught.value) == message


def test_an_unknown_parameter_is_named() -> None:
    with pytest.raises(InputError, match=r"no parameter 'row'.*Did you mean 'rows'"):
        SweepWorlds(vary=("row=1",)).make(Setting(model=Plot, seed=1))
