"""How a mission ended, and how much its path winds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.analysis import MissionFacts, OutcomeClass, navigation_metrics, navigation_run, outcome_class
from stressfield.analysis import tortuousness_rad as tortuousness
from stressfield.errors import InputError


def facts(**given: object) -> MissionFacts:
    usual = {"collided": False, "timed_out": False, "error_reported": False, "distance_to_goal_m": 0.5}
    return MissionFacts(**{**usual, "tolerance_m": 2.0, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, OutcomeClass.SUCCESS),
        ({"distance_to_goal_m": 2.0}, OutcomeClass.SUCCESS),
        ({"distance_to_goal_m": 2.1}, OutcomeClass.OTHER),
        ({"error_reported": True}, OutcomeClass.ERROR),
        ({"timed_out": True, "error_reported": True}, OutcomeClass.TIMEOUT),
        ({"collided": True, "timed_out": True, "error_reported": True}, OutcomeClass.COLLISION),
        ({"collided": True}, OutcomeClass.COLLISION),
    ],
)
def test_the_most_severe_class_wins(given: dict[str, object], wanted: OutcomeClass) -> None:
    assert outcome_class(facts(**given)) is wanted


def test_a_tolerance_must_be_positive() -> None:
    with pytest.raises(InputError, match=r"Cannot tell arrival with tolerance_m=0.0. Wanted a positive length."):
        outcome_class(facts(tolerance_m=0.0))


def test_a_straight_line_does_not_wind_whatever_the_speed() -> None:
    time_s = np.linspace(0.0, 60.0, 601)
    x_m = 0.5 * time_s + 2.0 * np.sin(time_s / 10.0)
    assert tortuousness(time_s, x_m, 0.3 * x_m) == pytest.approx(0.0, abs=1e-6)


def test_a_square_winds_by_its_corners() -> None:
    """Ten moves a side: of 38 angles between 39 moves, 3 are right angles."""
    side = np.arange(10) + 1.0
    x = np.concatenate([[0.0], side, np.full(10, 10.0), 10.0 - side, np.zeros(9)])
    y = np.concatenate([[0.0], np.zeros(10), side, np.full(10, 10.0), 10.0 - side[:9]])
    assert tortuousness(np.arange(40.0), x, y) == pytest.approx(3 * math.pi / 2 / 38)


def test_a_circle_winds_by_its_curvature() -> None:
    time_s = np.linspace(0.0, 100.0, 5001)
    angle = 0.1 * time_s
    assert tortuousness(time_s, 5 * np.cos(angle), 5 * np.sin(angle)) == pytest.approx(0.1, rel=1e-3)


def test_noise_while_standing_does_not_count() -> None:
    rng = np.random.default_rng(1)
    time_s = np.arange(0.0, 200.0, 0.1)
    x_m = np.minimum(time_s, 100.0) + rng.normal(0.0, 0.003, len(time_s))
    assert tortuousness(time_s, x_m, rng.normal(0.0, 0.003, len(time_s))) < 0.01


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_short_a_path_has_no_tortuousness(count: int) -> None:
    assert tortuousness(np.arange(float(count)), np.arange(float(count)), np.zeros(count)) is None


def test_metrics_and_back() -> None:
    time_s = np.arange(0.0, 30.0)
    metrics = navigation_metrics(time_s, time_s, np.zeros(30), facts(collided=True), duration_s=25.0, collisions=3)
    run = navigation_run("w", 2, metrics)
    assert run is not None
    assert (run.outcome, run.collisions, run.duration_s, run.distance_to_goal_m) == ("Fail-Collision", 3, 25.0, 0.5)
    assert metrics["path_m"] == pytest.approx(29.0)
    assert run.collided
    assert not run.success
    assert navigation_run("w", 2, {"other": 1.0}) is None
