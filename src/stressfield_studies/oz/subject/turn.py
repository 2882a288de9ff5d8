"""The U-turn: leave the row, turn, shift to the next track, turn, enter. Five manoeuvres."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield_studies.oz.mission import OzMission, Track
from stressfield_studies.oz.subject.issues import Issues
from stressfield_studies.oz.subject.stake_map import EAST, WEST, StakeMap

PIVOT_BEYOND_STAKES_M = 0.75
WIDENING = 0.33
STOP_BEYOND_STAKES_M = 0.65


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """Where to pivot along the rows (``x_m``) and which track line to shift to (``y_m``)."""

    x_m: float
    y_m: float


def plan_turn(mission: OzMission, index: int, stakes: StakeMap, here_y_m: float, issues: Issues) -> TurnPlan:
    """The turn from track ``index`` to the next one."""
    track, following = mission.tracks[index], mission.tracks[index + 1]
    beyond = PIVOT_BEYOND_STAKES_M
    if issues.i2_wide_turn:
        beyond += WIDENING * abs(following.y_m - track.y_m)
    x_m = end_of(track, (track, following), stakes) + track.heading * beyond
    if not issues.i1_blind_turn:
        return TurnPlan(x_m, following.y_m)
    side = 1.0 if following.y_m > track.y_m else -1.0
    return TurnPlan(x_m, here_y_m + side * shift_by_lane_left(mission, index))


def shift_by_lane_left(mission: OzMission, index: int) -> float:
    """How far to shift, judged by the lane being left: right after the first of two passes, wrong after the second."""
    track, following = mission.tracks[index], mission.tracks[index + 1]
    passes = [t for t in mission.tracks if t.lane == track.lane]
    if len(passes) == 2:
        return abs(passes[1].y_m - passes[0].y_m)
    if track.lane == following.lane:
        return abs(following.y_m - track.y_m)
    return 2.0 * track.distance_m


def end_of(track: Track, tracks: tuple[Track, ...], stakes: StakeMap) -> float:
    """The x of the outermost stake beside these tracks, at the end that ``track`` runs to."""
    end = EAST if track.heading > 0 else WEST
    rows = {row for t in tracks for row in (t.left_row, t.right_row) if row is not None}
    ends = [stakes.x[row][end] for row in rows]
    return max(ends) if end == EAST else min(ends)
