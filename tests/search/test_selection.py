"""Ranks, crowding, survival and tournaments against pymoo's own and against their definitions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import binary_tournament
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.operators.selection.tournament import TournamentSelection
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
from pymoo.operators.survival.rank_and_crowding.metrics import calc_crowding_distance
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

from stressfield.search.selection import crowding, fronts, survivors, tournaments
from stressfield.seeds import generator

SHAPES = [(2, 1), (3, 2), (20, 3), (21, 3), (60, 2), (40, 5)]


def points(count: int, objectives: int, seed: int, *, grid: int = 0) -> list[list[float]]:
    values = generator(seed, "points").random((count, objectives))
    return (np.floor(values * grid) if grid else values).tolist()


@pytest.mark.parametrize(("count", "objectives"), SHAPES)
@pytest.mark.parametrize("grid", [0, 2, 5])
def test_ranks_agree_with_pymoo(count: int, objectives: int, grid: int) -> None:
    for seed in range(20):
        made = points(count, objectives, seed, grid=grid)
        for enough in (1, count // 2, count):
            theirs = NonDominatedSorting().do(np.array(made), n_stop_if_ranked=enough)
            assert fronts(made, enough=enough) == [front.tolist() for front in theirs]


@pytest.mark.parametrize(("count", "objectives"), SHAPES[1:])
@pytest.mark.parametrize("grid", [0, 3])
def test_crowding_agrees_with_pymoo(count: int, objectives: int, grid: int) -> None:
    for seed in range(20):
        made = points(count, objectives, seed, grid=grid)
        assert crowding(made) == calc_crowding_distance(np.array(made)).tolist()


def test_crowding_of_few_and_of_equals() -> None:
    assert crowding([(1.0, 2.0)]) == [np.inf]
    assert crowding([(1.0, 2.0), (2.0, 1.0)]) == [np.inf, np.inf]
    assert crowding([(1.0, 2.0)] * 4) == [0.0] * 4
    assert crowding([(0.0, 7.0), (1.0, 7.0), (4.0, 7.0)]) == [np.inf, 0.5, np.inf]


@pytest.mark.parametrize(("count", "objectives"), SHAPES[2:])
def test_who_survives_agrees_with_pymoo(count: int, objectives: int) -> None:
    """Without ties of crowding in the front that is cut; pymoo leaves ties to the processor's way of sorting."""
    compared = 0
    for seed in range(60):
        made, kept = points(count, objectives, seed), count // 2
        last = fronts(made, enough=kept)[-1]
        finite = np.isfinite(crowding([made[place] for place in last])).sum()
        if sum(map(len, fronts(made, enough=kept))) - kept > finite:
            continue
        population = Population([Individual(F=np.array(one), place=at) for at, one in enumerate(made)])
        problem = Problem(n_var=1, n_obj=objectives)
        theirs = RankAndCrowding().do(problem, population, n_survive=kept, random_state=generator(seed))
        ours = survivors(made, kept, generator(seed))
        assert {one.data["place"]: one.data["crowding"] for one in theirs} == dict(ours)
        compared += 1
    assert compared >= 10


def test_ties_are_broken_by_chance_and_by_nothing_else() -> None:
    same = [(1.0, 1.0)] * 6
    kept = [tuple(place for place, _ in survivors(same, 3, generator(seed))) for seed in range(40)]
    assert len(set(kept)) > 10
    assert kept == [tuple(place for place, _ in survivors(same, 3, generator(seed))) for seed in range(40)]
    assert {place for places in kept for place in places} == set(range(6))


def test_winners_agree_with_pymoo() -> None:
    for seed in range(30):
        made = points(10, 2, seed, grid=4)
        distances = crowding(made)
        population = Population(
            [Individual(F=np.array(one), rank=0, crowding=far) for one, far in zip(made, distances, strict=True)]
        )
        rng = generator(seed, "duels")
        algorithm = SimpleNamespace(tournament_type="comp_by_dom_and_crowding", random_state=rng)
        theirs = TournamentSelection(func_comp=binary_tournament).do(
            None, population, 7, 2, to_pop=False, random_state=rng, algorithm=algorithm
        )
        assert tournaments(made, distances, 14, generator(seed, "duels")) == theirs.ravel().tolist()
