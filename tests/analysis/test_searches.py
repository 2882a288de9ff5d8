"""Fronts and hypervolumes against their plain definitions and against pymoo; fronts of noisy tests."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from stressfield.analysis import Box, front, hypervolume, hypervolume_history, noise_aware_front
from stressfield.errors import InputError
from stressfield.search.front import enough_repeats
from stressfield.seeds import generator

Points = list[tuple[float, ...]]


def drawn(seed: int, count: int, objectives: int, steps: int) -> Points:
    """On a coarse grid there are ties."""
    return [tuple(row) for row in (generator(seed, "points").integers(0, steps, (count, objectives)) / 1.0).tolist()]


def plain_front(points: Points) -> list[int]:
    def beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
        return all(a <= b for a, b in zip(one, other, strict=True)) and one != other

    return [at for at, point in enumerate(points) if not any(beats(other, point) for other in points)]


def counted_volume(points: Points, reference: tuple[int, ...]) -> int:
    """Unit cubes between whole-numbered points and the reference."""
    cubes = itertools.product(*(range(end) for end in reference))
    return sum(any(all(p <= c for p, c in zip(point, cube, strict=True)) for point in points) for cube in cubes)


@pytest.mark.parametrize("objectives", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_front_and_volume_are_what_they_are_defined_to_be(objectives: int, seed: int) -> None:
    points = drawn(seed, 12, objectives, 7)
    assert list(front(points)) == plain_front(points)
    reference = (6,) * objectives
    assert hypervolume(points, reference) == counted_volume(points, reference)


@pytest.mark.parametrize(("objectives", "count"), [(2, 60), (3, 60), (4, 30)])
def test_volume_agrees_with_pymoo(objectives: int, count: int) -> None:
    from pymoo.indicators.hv import Hypervolume

    for seed in range(4):
        points = generator(seed, "pymoo").random((count, objectives))
        reference = np.full(objectives, 0.9)
        ours = hypervolume(points.tolist(), reference.tolist())
        assert ours == pytest.approx(float(Hypervolume(ref_point=reference).do(points)), rel=1e-12)


@pytest.mark.parametrize(("objectives", "count"), [(7, 20), (9, 12)])
def test_with_many_objectives_the_volume_is_estimated_and_never_shrinks(objectives: int, count: int) -> None:
    from pymoo.indicators.hv import Hypervolume

    points = generator(3, "many").random((count, objectives)) * 0.5
    reference, least = [1.0] * objectives, [0.0] * objectives
    exact = float(Hypervolume(ref_point=np.ones(objectives)).do(points))
    assert hypervolume(points.tolist(), reference, least=least) == pytest.approx(exact, abs=0.02)
    assert hypervolume(points.tolist(), reference) == pytest.approx(exact, abs=0.02)
    grown = [hypervolume(points[:size].tolist(), reference, least=least) for size in range(count + 1)]
    assert grown == sorted(grown)
    assert grown[0] == 0.0
    assert Box((0.0,) * objectives, (1.0,) * objectives).share([least]) == pytest.approx(1.0)


def test_small_cases() -> None:
    assert front([]) == ()
    assert front([(1.0, 1.0), (1.0, 1.0)]) == (0, 1)
    assert hypervolume([], (1.0, 1.0)) == 0.0
    assert hypervolume([(1.0, 0.0)], (1.0, 1.0)) == 0.0
    assert hypervolume([(0.0, 0.5), (0.5, 0.0), (0.5, 0.5)], (1.0, 1.0)) == 0.75


@pytest.mark.parametrize("points", [[(1.0, float("nan"))], [(1.0,), (1.0, 2.0)], [(float("inf"), 0.0)]])
def test_points_without_values_are_refused(points: Points) -> None:
    with pytest.raises(InputError, match="Leave out what was not measured"):
        front(points)


def test_history_grows_to_the_volume_of_all() -> None:
    points: list[tuple[float, ...] | None] = [*drawn(3, 60, 3, 20)]
    points[7] = points[20] = None
    found = [point for point in points if point is not None]
    box = Box.of(points)
    history = hypervolume_history(points, box)
    assert len(history) == 60
    assert history == sorted(history)
    assert history[7] == history[6]
    assert history[-1] == pytest.approx(box.share(found), rel=1e-12)
    assert 0.0 < history[0] < history[-1] <= 1.0
    assert hypervolume_history([None, None], box) == [0.0, 0.0]


def test_a_box_scales_to_unit_and_bears_constants() -> None:
    box = Box.of([(0.0, 5.0), None, (10.0, 5.0)])
    assert box.scaled((5.0, 5.0)) == (0.5, 0.0)
    assert box.share([(0.0, 5.0)]) == 1.0
    with pytest.raises(InputError, match="Cannot make a box of no points"):
        Box.of([None])


# noise


def test_with_one_repeat_it_is_the_usual_front() -> None:
    points = drawn(5, 30, 3, 9)
    assert noise_aware_front([[(value,) for value in point] for point in points]) == front(points)


def test_no_lucky_single_run_survives() -> None:
    lucky, solid = [(0.0,), (0.0,)], [(1.0, 1.1, 0.9), (1.0, 1.0, 1.0)]
    assert noise_aware_front([lucky, solid]) == (0,)
    assert noise_aware_front([lucky, solid], least_repeats=3) == (1,)
    assert noise_aware_front([lucky, lucky], least_repeats=3) == ()


def test_one_lucky_repeat_does_not_make_a_test_better() -> None:
    steady, lucky = [(2.0, 2.0, 2.0, 2.0, 2.0)], [(0.0, 3.0, 3.0, 3.0, 3.0)]
    assert noise_aware_front([steady, lucky], least_repeats=5) == (0,)


def test_what_noise_hides_is_on_the_front_together() -> None:
    one, other, worse = [(1.0, 2.0, 3.0, 4.0)], [(1.1, 2.1, 3.1, 4.1)], [(11.0, 12.0, 13.0, 14.0)]
    assert noise_aware_front([one, other, worse], least_repeats=4) == (0, 1)
    assert front([(2.5,), (2.6,), (12.5,)]) == (0,)


def test_what_was_not_measured_is_not_on_the_front() -> None:
    assert noise_aware_front([[(), (0.0,)], [(1.0,), (1.0,)]]) == (1,)
    assert noise_aware_front([[(float("nan"),), (0.0,)], [(1.0,), (1.0,)]]) == (1,)
    with pytest.raises(InputError, match="least_repeats=0"):
        noise_aware_front([], least_repeats=0)


def test_a_noisy_search_keeps_the_truly_good_tests() -> None:
    """True values on a line; noise as large as their distance; five repeats find the best end of it."""
    rng = generator(1, "noise")
    samples = [[tuple(true + rng.normal(0.0, 1.0, 5)), tuple(true + rng.normal(0.0, 1.0, 5))] for true in range(12)]
    found = noise_aware_front(samples, least_repeats=5)
    assert 0 in found
    assert max(found) <= 3


@pytest.mark.parametrize(("repeats", "least"), [(1, 1), (2, 2), (3, 2), (5, 3), (10, 5)])
def test_a_test_on_the_front_was_seen_more_than_once(repeats: int, least: int) -> None:
    assert enough_repeats(repeats) == least
