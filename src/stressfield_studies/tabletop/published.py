"""What was published: Table IV of S. O. Sohail, A. Mitrevski, N. Hochgeschwender and P. G. Plöger, "Property-Based
Testing in Simulation for Verifying Robot Action Execution in Tabletop Manipulation".

Fifteen pick-and-place runs of a Toyota HSR in Gazebo. Figures 7 and 8 show counts per property as bars without numbers.
"""

from __future__ import annotations

from statistics import fmean

SOURCE = "Sohail et al., Table IV: 15 pick-and-place runs, Toyota HSR in Gazebo"
ACTIONS = ("MoveTo", "PerceivePlane", "Pick", "Place")
TABLE_IV: tuple[tuple[float, float, float, float], ...] = (
    (1.0, 1.0, 0.4, 0.25),
    (1.0, 0.67, 0.0, 0.0),
    (0.6, 0.33, 0.6, 0.25),
    (0.0, 0.0, 0.0, 0.0),
    (1.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
    (1.0, 1.0, 0.4, 0.25),
    (1.0, 1.0, 0.4, 0.25),
    (0.0, 0.0, 0.0, 0.0),
    (1.0, 1.0, 0.4, 0.25),
    (1.0, 1.0, 1.0, 0.75),
    (0.0, 0.0, 0.0, 0.0),
    (1.0, 1.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0),
)
"""A of each action, by run."""
PUBLISHED_S = (0.67, 0.42, 0.45, 0.0, 0.5, 0.0, 0.0, 0.67, 0.67, 0.0, 0.67, 0.94, 0.0, 0.5, 0.0)
PUBLISHED_T = 0.37
LOST_RUNS = 6
"""Runs with S = 0."""
BEST_RUN = 0.94


def published_mean(action: int) -> float:
    """Mean of A over the published runs."""
    return fmean(row[action] for row in TABLE_IV)
