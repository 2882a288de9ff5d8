"""A difficulty score per world predicts runs, and says how well."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.errors import InputError
from stressfield_studies.mana.difficulty import ItemWorld, calibration, item_response


def worlds(count: int, repeats: int, *, slope: float, own: float, seed: int = 0) -> tuple[list[ItemWorld], np.ndarray]:
    rng = np.random.default_rng(seed)
    control = rng.uniform(-1.0, 1.0, count)
    truth = slope * control + rng.normal(0.0, own, count)
    chance = 1.0 / (1.0 + np.exp(truth))
    made = [
        ItemWorld(f"w{n}", (float(control[n]),), tuple(bool(hit) for hit in rng.random(repeats) < chance[n]))
        for n in range(count)
    ]
    return made, truth


def test_scores_recover_the_truth_and_predict_held_out_runs() -> None:
    given, truth = worlds(150, 6, slope=3.0, own=1.0)
    found = item_response(given)
    scores = np.array([one.score for one in found.scores])
    assert np.corrcoef(scores, truth)[0, 1] > 0.9
    assert found.between_worlds == pytest.approx(1.0, abs=0.35)
    runs, unknown = found.held_out_runs, found.held_out_worlds
    assert runs is not None
    assert unknown is not None
    assert (runs.runs, unknown.runs) == (900, 900)
    assert runs.brier < unknown.brier < unknown.base_brier
    assert runs.log_loss < runs.base_log_loss
    assert runs.expected_error < 0.05
    assert sum(one.seen.total for one in runs.bins) == 900


def test_worlds_with_few_runs_lean_on_their_control() -> None:
    given, _ = worlds(80, 5, slope=4.0, own=0.3)
    given.append(ItemWorld("lucky", (1.0,), (True,)))
    found = {one.world: one for one in item_response(given).scores}
    assert found["lucky"].score > 1.0
    assert 0.0 < found["lucky"].chance < 0.5


def test_a_control_that_parts_runs_perfectly_stays_finite() -> None:
    given = [ItemWorld(f"w{n}", (float(n),), (n < 10,) * 4) for n in range(20)]
    found = item_response(given)
    assert all(math.isfinite(one.score) and math.isfinite(one.standard_error) for one in found.scores)
    assert found.scores[0].chance > 0.9
    assert found.scores[19].chance < 0.1


def test_nothing_to_learn_is_no_better_than_the_base_rate() -> None:
    given, _ = worlds(60, 5, slope=0.0, own=0.0, seed=4)
    found = item_response(given).held_out_runs
    assert found is not None
    assert abs(found.skill) < 0.05


def test_too_few_to_leave_out() -> None:
    found = item_response([ItemWorld("a", (), (True,)), ItemWorld("b", (), (False,))])
    assert (found.held_out_runs, found.held_out_worlds) == (None, None)
    assert len(found.scores) == 2


def test_bad_input() -> None:
    with pytest.raises(InputError, match=r"There are no worlds to score. Wanted at least one with runs."):
        item_response([])
    with pytest.raises(InputError, match=r"Cannot score the world 'a' twice. Wanted a name of its own for each world."):
        item_response([ItemWorld("a", (), (True,)), ItemWorld("a", (), (False,))])
    with pytest.raises(InputError, match="different numbers of covariates"):
        item_response([ItemWorld("a", (), (True,)), ItemWorld("b", (1.0,), (True,))])
    with pytest.raises(InputError, match="Cannot judge 1 predictions of 2 runs"):
        calibration([0.5], [True, False], base=[0.5, 0.5])


def test_calibration_by_hand() -> None:
    found = calibration([0.9, 0.9, 0.1, 0.3], [True, True, False, True], base=[0.75] * 4)
    assert found.brier == pytest.approx((0.01 + 0.01 + 0.01 + 0.49) / 4)
    assert found.base_brier == pytest.approx((3 * 0.0625 + 0.5625) / 4)
    assert found.log_loss == pytest.approx(-(2 * math.log(0.9) + math.log(0.9) + math.log(0.3)) / 4)
    assert [(one.low, one.seen.total) for one in found.bins] == [(0.1, 1), (0.3, 1), (0.9, 2)]
