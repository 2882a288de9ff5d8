"""A rate that may be looked at all the time: intervals that hold at all times at once; worlds count in their order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stressfield.analysis import confidence_sequence, settlement, summarise, wilson
from stressfield.campaign import Plan, load, run_campaign
from stressfield.search import ListedWorlds

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
LOOKS = (*range(1, 40), *range(40, 401, 8))


@pytest.mark.parametrize("share", [0.03, 0.2, 0.5])
def test_who_looks_often_is_rarely_wrong_with_a_confidence_sequence_and_often_with_another_interval(
    share: float,
) -> None:
    rng = np.random.default_rng(5)
    campaigns = 200
    wrong = {"sequence": 0, "wilson": 0}
    for _ in range(campaigns):
        failed = np.cumsum(rng.random(LOOKS[-1]) < share)
        for name, interval in (("sequence", confidence_sequence), ("wilson", wilson)):
            rates = [interval(float(failed[n - 1]), n) for n in LOOKS]
            wrong[name] += any(not rate.low <= share <= rate.high for rate in rates)
    # 5 % are allowed; of 200 campaigns, 19 would be so many by chance in fewer than one of a hundred tests
    assert wrong["sequence"] <= 18
    assert wrong["wilson"] > 40


def test_fractions_of_worlds_are_covered_as_well() -> None:
    rng = np.random.default_rng(6)
    wrong = 0
    for _ in range(200):
        shares = np.cumsum(rng.choice([0.0, 0.5, 1.0], p=[0.5, 0.3, 0.2], size=LOOKS[-1]))
        rates = [confidence_sequence(float(shares[n - 1]), n) for n in LOOKS]
        wrong += any(not rate.low <= 0.35 <= rate.high for rate in rates)
    assert wrong <= 18


def test_nothing_and_everything_are_open_to_one_side() -> None:
    assert (confidence_sequence(0, 50).low, confidence_sequence(50, 50).high) == (0.0, 1.0)
    assert confidence_sequence(0, 50).high == pytest.approx(1.0 - confidence_sequence(50, 50).low)
    assert confidence_sequence(0, 0).share is None
    assert confidence_sequence(30, 100, confidence=0.99).low < confidence_sequence(30, 100).low


def _campaign(folder: Path, **options: object) -> Path:
    plan = Plan(study=TOY, build="late", seed=3, repeats=2, template="r", keep="none", **{"worlds": 8, **options})  # type: ignore[arg-type]
    run_campaign(plan, folder, in_process=True)
    return folder


def test_worlds_count_in_their_order_up_to_the_first_that_is_not_done(tmp_path: Path) -> None:
    results = load(_campaign(tmp_path / "c"))
    whole = settlement(summarise(results))
    assert whole is not None
    assert whole.now is not None
    assert (whole.now.total, whole.waiting, whole.settled) == (8, 0, False)
    assert whole.now.share == pytest.approx(summarise(results).rate.share or 0.0)
    third = next(record.id for record in results.scenarios if record.index == 3)
    missing = next(judged for judged in results.runs if judged.run.scenario_id == third)
    early = settlement(summarise(replace(results, runs=tuple(run for run in results.runs if run is not missing))))
    assert early is not None
    assert early.now is not None
    assert (early.now.total, early.waiting) == (3, 4)


def test_worlds_that_were_chosen_tell_no_rate_of_others(tmp_path: Path) -> None:
    chosen = ListedWorlds(templates=("2.0-1-dry", "3.0-1-dry"))
    assert settlement(summarise(load(_campaign(tmp_path / "c", worlds=2, strategy=chosen)))) is None
