"""How far apart runs of one world get."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.analysis import spearman
from stressfield.errors import InputError
from stressfield_studies.mana.difficulty import TrackedRun, distance_at, largest_at, relation, spread


def line(slope: float, count: int = 11) -> np.ndarray:
    x = np.arange(float(count))
    return np.column_stack([x, slope * x]).astype(np.float32)


def test_distance_at_the_same_time_as_long_as_both_last() -> None:
    assert distance_at(line(0.0), line(1.0, 5)).tolist() == [0, 1, 2, 3, 4]


def test_largest_of_all_pairs() -> None:
    assert largest_at([line(0.0), line(1.0), line(-0.5, 4)]).tolist()[:6] == [0, 1.5, 3.0, 4.5, 4, 5]
    assert len(largest_at([line(0.0)])) == 0


def test_successful_and_unsuccessful_runs_apart_and_averaged_over_worlds() -> None:
    runs = [
        TrackedRun("a", True, line(0.0)),
        TrackedRun("a", True, line(1.0)),
        TrackedRun("b", True, line(0.0)),
        TrackedRun("b", True, line(2.0)),
        TrackedRun("b", False, line(9.0)),
        TrackedRun("c", False, line(0.0, 3)),
        TrackedRun("c", False, line(1.0, 3)),
    ]
    found = spread(5.0, runs)
    assert (found.successful_m, found.successful_worlds) == (15.0, 2)
    assert (found.unsuccessful_m, found.unsuccessful_worlds) == (2.0, 1)
    assert spread(5.0, runs[:1]).successful_m is None


def test_relation_leaves_out_what_is_unknown() -> None:
    rng = np.random.default_rng(0)
    found = relation([(None, 0.5), *((float(n), n / 10) for n in range(10))], rng)
    assert (found.count, round(found.rho, 6)) == (10, 1.0)
    assert found.p_two_sided < 0.001


def test_spearman_agrees_with_scipy() -> None:
    from scipy.stats import spearmanr

    rng = np.random.default_rng(3)
    one, other = rng.integers(0, 6, 30).astype(float), rng.integers(0, 6, 30).astype(float)
    found, theirs = spearman(one, other, rng), spearmanr(one, other)
    assert found.rho == pytest.approx(theirs.statistic)
    assert found.p_two_sided == pytest.approx(theirs.pvalue, abs=0.03)


def test_spearman_without_variation() -> None:
    assert spearman(np.ones(9), np.arange(9.0), np.random.default_rng(0)).p_two_sided == 1.0
    with pytest.raises(InputError, match="Cannot correlate 2 values with 3"):
        spearman(np.ones(2), np.ones(3), np.random.default_rng(0))
