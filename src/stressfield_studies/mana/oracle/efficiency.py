"""Not only there, but well: pace (N6), detours (N7), room beside obstacles (N8), and the map it made (N9).

Bounds are from the build ``fixed`` in the study's default worlds, with room. Where more stands in the way, more detour
is allowed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield.oracle import Evidence, Judgement, Violation, intervals
from stressfield.world import Bodies
from stressfield_studies.mana.oracle.judges import ROOM_M, mission_of, report_of, truth_of
from stressfield_studies.mana.robot import FINAL_MAP
from stressfield_studies.mana.subject.messages import ElevationMap

SLOWEST_MPS = 0.90
"""On average, from start to report: ``fixed`` drives at 0.94 to 0.98 m/s, at most 1.0."""
DETOUR, DETOUR_PER_PERCENT = 1.09, 0.012
"""Way driven over the straight way: in the open, and more for each percent of the ground that is obstructed.

``fixed`` drives up to 1.10 times the straight way where 3 % are obstructed, by a building in its way.
"""
CLEARANCE_M = 0.04
"""``fixed`` leaves 0.08 m or more, mostly 0.2 m."""
HEIGHT_M, RIGHT_SHARE = 0.10, 0.97
"""How wrong a height may be, and of how many cells it may not be. Of the maps of ``fixed`` 0.99 and more are right."""
LEAST_AREA_M = 15.0
"""Square metres of the map for each metre of the straight way; ``fixed`` sees 20 and more."""


def _driven(evidence: Evidence) -> tuple[float, float] | None:
    """Metres driven, and seconds until the report; None if the rover did not say that it is there."""
    truth, report = truth_of(evidence), report_of(evidence)
    if not len(truth) or report is None or report[1].level >= 2:
        return None
    here = truth.time_s <= report[0]
    return float(np.hypot(np.diff(truth.x_m[here]), np.diff(truth.y_m[here])).sum()), report[0]


def _unfinished(unit: str) -> Judgement:
    return Judgement(None, unit, note="the mission was not finished")


def _straight_m(evidence: Evidence) -> float:
    truth, mission = truth_of(evidence), mission_of(evidence)
    return float(np.hypot(truth.x_m[0] - mission.goal_x_m, truth.y_m[0] - mission.goal_y_m))


def pace(evidence: Evidence) -> Judgement:
    """N6: a mission that was finished was driven at the rover's speed, on average."""
    driven = _driven(evidence)
    if driven is None:
        return _unfinished("m/s")
    length_m, end_s = driven
    margin = length_m / max(end_s, 1e-9) - SLOWEST_MPS
    return Judgement(margin, "m/s", end_s, (Violation(0.0, end_s),) if margin < 0.0 else ())


def no_detours(evidence: Evidence) -> Judgement:
    """N7: the way of a mission that was finished was not much longer than the straight one."""
    driven = _driven(evidence)
    if driven is None:
        return _unfinished("of the straight way")
    length_m, end_s = driven
    world, straight_m = evidence.scenario.world, _straight_m(evidence)
    ground_m2 = world.terrain.width_m * world.terrain.depth_m
    percent = 100.0 * float((world.bodies.size_x_m * world.bodies.size_y_m).sum()) / ground_m2
    allowed = DETOUR + DETOUR_PER_PERCENT * percent
    margin = allowed - length_m / max(straight_m, 1e-9)
    return Judgement(margin, "of the straight way", end_s, (Violation(0.0, end_s),) if margin < 0.0 else ())


def keeps_clear(evidence: Evidence) -> Judgement | None:
    """N8: the footprint stays some centimetres away from everything."""
    truth = truth_of(evidence)
    if not len(truth):
        return None
    left = np.minimum(truth.clearance_m, ROOM_M) - CLEARANCE_M
    worst = int(np.argmin(left))
    violations = tuple(Violation(near.start_s, near.end_s) for near in intervals(truth.time_s, left < 0.0))
    return Judgement(float(left[worst]), "m", float(truth.time_s[worst]), violations)


def true_map(evidence: Evidence) -> Judgement:
    """N9: of the cells of the final map where nothing stands, nearly all are as high as the ground, and there are many.

    The margin is the share of right cells beyond what is asked for; with too few cells it is the share that lacks.
    """
    topics, driven = evidence.trace.topics, _driven(evidence)
    if driven is None:
        return _unfinished("of the cells")
    end_s = driven[1]
    told = topics[FINAL_MAP].messages[-1] if FINAL_MAP in topics and len(topics[FINAL_MAP]) else None
    if not isinstance(told, ElevationMap):
        return Judgement(-1.0, "of the cells", end_s, (Violation(end_s, end_s, "2"),), "no final map was told")
    height = told.elevation.reshape(told.height, told.width)
    rows, columns = np.nonzero(np.isfinite(height))
    missing = len(rows) * told.cell**2 / (LEAST_AREA_M * max(_straight_m(evidence), 1e-9)) - 1.0
    if missing < 0.0:
        return Judgement(missing, "of the cells", end_s, (Violation(end_s, end_s, "2"),))
    ground = evidence.scenario.world.terrain
    x = np.asarray(told.x0 + (columns + 0.5) * told.cell, dtype=np.float64)
    y = np.asarray(told.y0 + (rows + 0.5) * told.cell, dtype=np.float64)
    on = ~_built_up(evidence.scenario.world.bodies, told)[rows, columns]
    on &= (x >= ground.x0_m) & (x <= ground.x0_m + ground.width_m)
    on &= (y >= ground.y0_m) & (y <= ground.y0_m + ground.depth_m)
    wrong = np.abs(height[rows[on], columns[on]] - ground.height_at(x[on], y[on])) > HEIGHT_M
    margin = 1.0 - float(wrong.mean() if len(wrong) else 1.0) - RIGHT_SHARE
    return Judgement(margin, "of the cells", end_s, (Violation(end_s, end_s, "1"),) if margin < 0.0 else ())


def _built_up(bodies: Bodies, told: ElevationMap) -> NDArray[np.bool_]:
    """The cells where something stands, and two around: they are not as high as the ground."""
    taken = np.zeros((told.height, told.width), dtype=np.bool_)
    reach = 2.0 * told.cell
    for x, y, half_x, half_y in zip(
        bodies.x_m - told.x0, bodies.y_m - told.y0, bodies.size_x_m / 2.0 + reach, bodies.size_y_m / 2.0 + reach,
        strict=True,
    ):  # fmt: skip
        edges = np.array([y - half_y, y + half_y + told.cell, x - half_x, x + half_x + told.cell]) / told.cell
        bottom, top, left, right = np.maximum(edges, 0.0).astype(int).tolist()
        taken[bottom:top, left:right] = True
    return taken
