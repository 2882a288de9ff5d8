"""A weeding mission: the tracks to drive, in order, as the farmer's terminal would send it to the robot."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.world import Mission

TWO_PASSES_FROM_M = 0.9
TRACK_CLEARANCE_M = 0.15
LEAST_SHIFT_M = 0.09
HALF_WIDTH_M = 0.225


@dataclass(frozen=True, slots=True)
class Track:
    """One pass along the rows. ``left_row`` and ``right_row`` are the rows beside it as seen facing +x, or None.

    ``heading`` is +1 along +x, -1 back. ``guide_row`` is the row to keep ``distance_m`` from.
    """

    lane: int
    y_m: float
    heading: int
    left_row: int | None
    right_row: int | None
    guide_row: int
    distance_m: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OzMission(Mission):
    """What the robot is told: where the rows should be, how long they are, and which tracks to weed."""

    row_y_m: tuple[float, ...]
    row_length_m: float
    plant_radius_m: float
    tracks: tuple[Track, ...]
    start_x_m: float
    start_y_m: float

    @property
    def ways_m(self) -> tuple[tuple[tuple[float, float], ...], ...]:
        """From the start along the tracks, one after the other."""
        ends = (0.0, self.row_length_m)
        along = [(x, track.y_m) for track in self.tracks for x in (ends if track.heading > 0 else ends[::-1])]
        return (((self.start_x_m, self.start_y_m), *along),)


def plan_tracks(
    row_y_m: tuple[float, ...], *, first_outer: bool, final_outer: bool, plant_radius_m: float
) -> tuple[Track, ...]:
    """The tracks of a mission. Rows are ordered from the first track's side; y may grow or shrink along them."""
    reference_m = HALF_WIDTH_M + plant_radius_m + TRACK_CLEARANCE_M
    passes: list[tuple[int, float, int, float]] = []
    side = 1.0 if len(row_y_m) < 2 or row_y_m[1] > row_y_m[0] else -1.0
    last = len(row_y_m) - 1
    if first_outer:
        passes.append((0, row_y_m[0] - side * reference_m, 0, reference_m))
    for gap in range(last):
        spacing_m = abs(row_y_m[gap + 1] - row_y_m[gap])
        if spacing_m < max(TWO_PASSES_FROM_M, 2.0 * reference_m + LEAST_SHIFT_M):
            passes.append((gap + 1, row_y_m[gap] + side * spacing_m / 2.0, gap, spacing_m / 2.0))
        else:
            passes.append((gap + 1, row_y_m[gap] + side * reference_m, gap, reference_m))
            passes.append((gap + 1, row_y_m[gap + 1] - side * reference_m, gap + 1, reference_m))
    if final_outer:
        passes.append((last + 1, row_y_m[last] + side * reference_m, last, reference_m))
    return tuple(_track(i, lane_pass, last=last, side=side) for i, lane_pass in enumerate(passes))


def _track(index: int, lane_pass: tuple[int, float, int, float], *, last: int, side: float) -> Track:
    lane, y_m, guide, distance_m = lane_pass
    before = lane - 1 if lane > 0 else None
    after = lane if lane <= last else None
    left, right = (after, before) if side > 0 else (before, after)
    return Track(lane, y_m, 1 if index % 2 == 0 else -1, left, right, guide, distance_m)
