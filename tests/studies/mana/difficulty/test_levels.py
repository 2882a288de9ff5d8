"""Levels of difficulty."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from stressfield.analysis import NavigationRun, OutcomeClass
from stressfield.errors import InputError
from stressfield_studies.mana.difficulty import ConfigurationRuns, Level, difficulty_levels
from stressfield_studies.mana.difficulty.levels import two_means

E, C, V = Level.EASY, Level.CHALLENGING, Level.VERY_DIFFICULT


def configuration(
    value: float, successes: int, *, duration_s: float = 100.0, winding: float | None = 0.1, maps: int = 5
) -> ConfigurationRuns:
    runs = []
    for number in range(5 * maps):
        good = number % 5 < successes // maps + (number // 5 < successes % maps)
        runs.append(
            NavigationRun(
                world=f"{value}-{number // 5}",
                repeat=number % 5,
                outcome=OutcomeClass.SUCCESS if good else OutcomeClass.ERROR,
                duration_s=duration_s + number % 3 - 1 if good else 30.0,
                tortuousness_rad=winding,
                distance_to_goal_m=0.0 if good else 50.0,
            )
        )
    return ConfigurationRuns(value, tuple(runs))


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_the_flat_world_names_the_easy_cluster_and_few_successes_are_very_difficult() -> None:
    found = difficulty_levels(
        [
            configuration(0, 25),
            configuration(1, 25, duration_s=104),
            configuration(2, 22, duration_s=110, winding=0.15),
            configuration(3, 14, duration_s=160, winding=0.4),
            configuration(4, 10, duration_s=170, winding=0.5),
            configuration(5, 6, duration_s=100, winding=0.1),
            configuration(6, 0),
        ],
        rng(),
    )
    assert [one.level for one in found] == [E, E, E, C, C, V, V]
    assert found[0].median_duration_s == 100.0
    assert found[6].median_duration_s is None
    assert found[6].score == 1.0
    assert found[0].confidence == 1.0
    assert sum(found[5].shares.values()) == pytest.approx(1.0)
    assert found[5].confidence < 1.0
    assert (found[3].success.count, found[3].success.total) == (14, 25)


def test_a_quarter_of_successes_is_just_enough() -> None:
    found = difficulty_levels([configuration(0, 20, maps=4), configuration(1, 5, maps=4)], rng(), resamples=5)
    assert [one.level for one in found] == [E, C]


def test_alike_configurations_are_all_easy() -> None:
    found = difficulty_levels([configuration(0, 25), configuration(1, 25)], rng(), resamples=5)
    assert [one.level for one in found] == [E, E]


def test_a_reference_without_successes() -> None:
    found = difficulty_levels([configuration(0, 0), configuration(1, 10), configuration(2, 25)], rng(), resamples=5)
    assert [one.level for one in found] == [V, C, E]


def test_without_a_reference_more_successes_are_easy() -> None:
    given = [configuration(1, 10), configuration(2, 25)]
    assert [one.level for one in difficulty_levels(given, rng(), reference=None, resamples=5)] == [C, E]
    assert [one.level for one in difficulty_levels(given, rng(), reference=0, resamples=5)] == [E, C]
    with pytest.raises(InputError, match="No configuration number 2: there are 2"):
        difficulty_levels(given, rng(), reference=2)


@pytest.mark.parametrize("place", range(5))
def test_an_unknown_tortuousness_is_neither_best_nor_worst(place: int) -> None:
    """It is left out: the other measures alone decide on the level and the score."""
    rows = [(25, 100, 0.1), (24, 102, 0.12), (23, 104, 0.11), (12, 160, 0.5), (11, 165, 0.52)]
    given = [
        configuration(n, good, duration_s=s, winding=None if n == place else w) for n, (good, s, w) in enumerate(rows)
    ]
    found = difficulty_levels(given, rng(), resamples=5)
    assert [one.level for one in found] == [E, E, E, C, C]
    assert found[place].median_tortuousness_rad is None
    good, slow_s, _ = rows[place]
    expected = (0.5 * (1.0 - good / 25) + 0.25 * (slow_s - 100) / 65) / 0.75
    assert found[place].score == pytest.approx(expected)


def test_nothing_known_of_tortuousness() -> None:
    given = [configuration(0, 25, winding=None), configuration(1, 10, winding=None), configuration(2, 0, winding=None)]
    found = difficulty_levels(given, rng(), resamples=5)
    assert [one.level for one in found] == [E, C, V]
    assert [one.score for one in found] == pytest.approx([0.0, 0.4, 1.0])


def test_the_same_seed_gives_the_same_confidence() -> None:
    given = [configuration(0, 25), configuration(1, 15), configuration(2, 7)]
    assert difficulty_levels(given, rng()) == difficulty_levels(given, rng())


def test_a_configuration_without_runs_is_refused() -> None:
    with pytest.raises(InputError, match=r"The configuration 3 has no run with a result. Leave it out."):
        difficulty_levels([ConfigurationRuns(3.0, ())], rng())


@pytest.mark.parametrize("seed", range(6))
def test_two_means_finds_what_trying_all_partitions_finds(seed: int) -> None:
    points = np.random.default_rng(seed).random((9, 3))

    def cost(member: np.ndarray) -> float:
        parts = [points[member], points[~member]]
        return sum(float(((part - part.mean(axis=0)) ** 2).sum()) for part in parts if len(part))

    best = min(cost(np.array(member)) for member in product([False, True], repeat=9) if any(member))
    found = two_means(points)
    assert not found[0]
    assert cost(found) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(6))
def test_two_means_leaves_out_what_is_missing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.random((9, 3))
    points[rng.random((9, 3)) < 0.2] = np.nan
    points[:, 0] = np.nan_to_num(points[:, 0])

    def cost(member: np.ndarray) -> float:
        columns = [column[~np.isnan(column)] for part in (points[member], points[~member]) for column in part.T]
        return sum(float(((known - known.mean()) ** 2).sum()) for known in columns if len(known))

    best = min(cost(np.array(member)) for member in product([False, True], repeat=9) if any(member))
    assert cost(two_means(points)) == pytest.approx(best)
