"""The published results of the `oz` study, and the tables that set ours beside them."""

from __future__ import annotations

RUNS = 400
FAILING_RUNS = 192
FAILS_OVER_FIVE_RUNS = (32, 5, 4, 2, 12, 25)
FAILING_BY_PROPERTY = {"P1": 0, "P3": 70, "P5": 142, "P6": 57, "P8": 14}
SUBCASES = {
    "P3": {"1": 55, "2": 4, "3": 9, "4": 2},
    "P5": {"1": 91, "2": 18, "3": 11, "4": 22},
    "P6": {"1": 6, "2": 49, "3": 2},
    "P8": {"1": 7, "2": 1, "3": 6},
}
UTURN_SHARE = 0.75
"""Share of failing runs that involve the U-turn."""
