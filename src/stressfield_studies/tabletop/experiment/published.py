"""What was published: Table IV of S. O. Sohail, A. Mitrevski, N. Hochgeschwender and P. G. Plöger, "Property-Based
Testing in Simulation for Verifying Robot Action Execution in Tabletop Manipulation".

Fifteen pick-and-place runs of a Toyota HSR in Gazebo. Figures 7 and 8 show counts per property as bars without numbers.
"""

from __future__ import annotations

from statistics import fmean

from stressfield.analysis import SideBySide, SideBySideRow, Summary
from stressfield_studies.tabletop.scores import scores_of, suite_score

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


def tables(summary: Summary) -> tuple[SideBySide, ...]:
    """Means of A, and T, of pick-and-place runs as published and as measured; nothing for campaigns of other tasks."""
    scores = scores_of(summary.results.runs)
    whole = [score for score in scores if tuple(name for name, _ in score.shares) == ACTIONS]
    if not whole:
        return ()
    rows = []
    for place, action in enumerate(ACTIONS):
        ours = fmean(score.shares[place][1] for score in whole)
        rows.append(SideBySideRow(f"A{place + 1} {action}, mean", published_mean(place), ours))
    rows += [
        SideBySideRow("T", PUBLISHED_T, suite_score(whole)),
        SideBySideRow("best S", BEST_RUN, max(score.score for score in whole)),
        SideBySideRow(
            "runs with S = 0",
            LOST_RUNS,
            sum(score.score == 0.0 for score in whole),
            published_of=len(TABLE_IV),
            ours_of=len(whole),
        ),
    ]
    return (SideBySide("Pick and place (Table IV)", SOURCE, tuple(rows)),)
