"""Fronts of tests that were run several times, and how a search's front grew."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.fronts import Box, Point, dominates, front, hypervolume
from stressfield.noise import noise_aware_front

__all__ = ["Box", "Point", "front", "hypervolume", "hypervolume_history", "noise_aware_front"]


def hypervolume_history(points: Sequence[Point | None], box: Box) -> list[float]:
    """The hypervolume of the front after each evaluation, as a share of the box. None is a test without values."""
    history: list[float] = []
    best: list[Point] = []
    for point in points:
        beaten = point is None or any(one == point or dominates(one, point) for one in best)
        if point is not None and not beaten:
            best = [one for one in best if not dominates(point, one)] + [point]
        history.append(history[-1] if beaten and history else box.share(best))
    return history
