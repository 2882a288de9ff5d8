"""The course of a run: passes along rows and the headland visits between them, from ground truth alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.oracle import Evidence
from stressfield.trace import Truth
from stressfield.world import Region
from stressfield_studies.oz.mission import OzMission, Track
from stressfield_studies.oz.robot import LENGTH_M, WIDTH_M

_IN_ROW_M = 0.8
_AFTER_TURN_M = 2.0
_BEFORE_END_M = 1.0
_PAST_STAKES_M = 0.6
_FACING = np.cos(np.radians(30.0))


@dataclass(frozen=True, slots=True)
class Pass:
    """One drive along the rows: samples ``start`` to ``stop`` between the first and the last plants."""

    start: int
    stop: int
    lane: int
    leaves_to: int | None
    """The lane it crossed into without leaving the rows, if it did."""
    left_at: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """Truth in the mission's terms. Index arrays run over the samples of ``truth``."""

    truth: Truth
    mission: OzMission
    limits: Region
    x_west_m: float
    x_east_m: float
    passes: tuple[Pass, ...]
    pass_of: NDArray[np.int64]
    """The pass a sample belongs to, or -1 in the headland."""

    def track(self, index: int) -> Track | None:
        """The track that pass ``index`` should follow."""
        return self.mission.tracks[index] if index < len(self.mission.tracks) else None


def course_of(evidence: Evidence) -> Course:
    """The course of a run; computed once per recording."""
    return _course(_Key(evidence))


class _Key:
    """Identity of an evidence, so that the properties of one judging share its course."""

    __slots__ = ("evidence",)

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    def __hash__(self) -> int:
        return hash((id(self.evidence.trace), id(self.evidence.scenario)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Key)
            and other.evidence.trace is self.evidence.trace
            and other.evidence.scenario is self.evidence.scenario
        )


@lru_cache(maxsize=1)
def _course(key: _Key) -> Course:
    evidence = key.evidence
    mission = evidence.scenario.mission
    if not isinstance(mission, OzMission):
        raise TypeError(f"An oz course needs an OzMission, got {type(mission).__name__}.")
    truth = evidence.trace.truth("oz")
    lanes = evidence.scenario.world.regions_of_kind("lane")
    west, east = lanes[0].x_min_m, lanes[0].x_max_m
    inside = (truth.x_m > west) & (truth.x_m < east)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(np.int8), [0]])))
    lane_of = _lane_of(truth.y_m, mission)
    passes: list[Pass] = []
    pass_of = np.full(len(truth.x_m), -1, dtype=np.int64)
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        x = truth.x_m[start:stop]
        depth = np.minimum(np.abs(x - x[0]), np.minimum(x - west, east - x))
        if depth.max() < _IN_ROW_M:
            continue
        pass_of[start:stop] = len(passes)
        passes.append(_pass(int(start), int(stop), lane_of[start:stop], depth))
    return Course(truth, mission, evidence.scenario.world.region("limits"), west, east, tuple(passes), pass_of)


def _lane_of(y_m: Floats, mission: OzMission) -> NDArray[np.int64]:
    rows = np.array(mission.row_y_m)
    if len(rows) > 1 and rows[1] < rows[0]:
        return np.searchsorted(-rows, -y_m).astype(np.int64)
    return np.searchsorted(rows, y_m).astype(np.int64)


def _pass(start: int, stop: int, lanes: NDArray[np.int64], depth: Floats) -> Pass:
    """The lane of a pass is the one it is in once well inside the rows; later changes are recorded."""
    settled = int(np.argmax(depth >= _IN_ROW_M))
    lane = int(lanes[settled])
    other = np.flatnonzero(lanes[settled:] != lane)
    if len(other) == 0:
        return Pass(start, stop, lane, None, None)
    at = settled + int(other[0])
    return Pass(start, stop, lane, int(lanes[at]), start + at)


def situation(course: Course, index: int) -> str:
    """Where in the mission a sample lies: 1 after, 2 during a U-turn, 3 at the end of a row, 4 in the middle."""
    truth = course.truth
    x, yaw = float(truth.x_m[index]), float(truth.yaw_rad[index])
    along = int(course.pass_of[index])
    if along >= 0:
        start = course.passes[along].start
        to_end = (course.x_east_m - x) if np.cos(yaw) > 0 else (x - course.x_west_m)
        if along > 0 and abs(x - float(truth.x_m[start])) < _AFTER_TURN_M:
            return "1"
        return "3" if to_end < _BEFORE_END_M else "4"
    return _in_headland(course, index, x, yaw)


def _in_headland(course: Course, index: int, x: float, yaw: float) -> str:
    outward = 1.0 if x > 0.5 * (course.x_west_m + course.x_east_m) else -1.0
    rows_before = np.flatnonzero(course.pass_of[:index] >= 0)
    if len(rows_before) == 0:
        return "4"  # before the first row: no U-turn yet
    facing_out = np.cos(course.truth.yaw_rad) * outward
    if (facing_out[rows_before[-1] + 1 : index + 1] < _FACING).any():
        return "1" if np.cos(yaw) * outward < -_FACING else "2"
    beyond_m = x - course.x_east_m if outward > 0 else course.x_west_m - x
    rows_after = np.flatnonzero(course.pass_of[index:] >= 0)
    visit_end = index + int(rows_after[0]) if len(rows_after) else len(facing_out)
    turns_later = bool((facing_out[index:visit_end] < _FACING).any())
    return "2" if turns_later and beyond_m > _PAST_STAKES_M else "3"


def corners(truth: Truth) -> tuple[Floats, Floats]:
    """x and y of the footprint's four corners, [4, n]."""
    c, s = np.cos(truth.yaw_rad), np.sin(truth.yaw_rad)
    ahead = np.array([1, 1, -1, -1])[:, None] * (LENGTH_M / 2.0)
    left = np.array([1, -1, 1, -1])[:, None] * (WIDTH_M / 2.0)
    return truth.x_m + c * ahead - s * left, truth.y_m + s * ahead + c * left
