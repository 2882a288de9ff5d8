"""Table IV beside the figures of a campaign, for its report."""

from __future__ import annotations

from statistics import fmean

from stressfield.analysis import SideBySide, SideBySideRow, Summary
from stressfield_studies.tabletop import published
from stressfield_studies.tabletop.scores import scores_of, suite_score


def tables(summary: Summary) -> tuple[SideBySide, ...]:
    """Means of A, and T, of pick-and-place runs as published and as measured; nothing for campaigns of other tasks."""
    scores = scores_of(summary.results.runs)
    whole = [one for one in scores if tuple(name for name, _ in one.shares) == published.ACTIONS]
    if not whole:
        return ()
    rows = []
    for place, action in enumerate(published.ACTIONS):
        ours = fmean(one.shares[place][1] for one in whole)
        rows.append(SideBySideRow(f"A{place + 1} {action}, mean", published.published_mean(place), ours))
    rows += [
        SideBySideRow("T", published.PUBLISHED_T, suite_score(whole)),
        SideBySideRow("best S", published.BEST_RUN, max(one.score for one in whole)),
        SideBySideRow(
            "runs with S = 0",
            published.LOST_RUNS,
            sum(score.score == 0.0 for score in whole),
            published_of=len(published.TABLE_IV),
            ours_of=len(whole),
        ),
    ]
    return (SideBySide("Pick and place (Table IV)", published.SOURCE, tuple(rows)),)
