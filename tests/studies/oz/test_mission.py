"""Tracks: one pass or two, from outside or not, and where they lie."""

from __future__ import annotations

import pytest

from stressfield_studies.oz.mission import Track, plan_tracks

LEEK_M, CABBAGE_M = 0.03, 0.12


def plan(*row_y_m: float, first: bool = False, final: bool = False, radius_m: float = LEEK_M) -> tuple[Track, ...]:
    return plan_tracks(row_y_m, first_outer=first, final_outer=final, plant_radius_m=radius_m)


@pytest.mark.parametrize(("spacing_m", "passes"), [(0.65, 1), (0.89, 1), (0.90, 2), (1.6, 2)])
def test_two_passes_from_ninety_centimetres_of_spacing(spacing_m: float, passes: int) -> None:
    tracks = plan(0.0, spacing_m)
    assert len(tracks) == passes
    assert {track.lane for track in tracks} == {1}


@pytest.mark.parametrize(("spacing_m", "passes"), [(0.95, 1), (1.07, 1), (1.09, 2)])
def test_large_cabbages_need_more_spacing_for_two_passes(spacing_m: float, passes: int) -> None:
    """Twice 0.495 m from plant to track, and a shift of 0.09 m: 1.08 m."""
    assert len(plan(0.0, spacing_m, radius_m=CABBAGE_M)) == passes


def test_a_single_pass_is_in_the_middle() -> None:
    (track,) = plan(0.0, 0.8)
    assert (track.y_m, track.distance_m) == (pytest.approx(0.4), pytest.approx(0.4))
    assert (track.lane, track.guide_row, track.right_row, track.left_row) == (1, 0, 0, 1)


def test_two_passes_keep_their_distance_each_to_its_own_row() -> None:
    near, far = plan(0.0, 1.2)
    assert (near.y_m, far.y_m) == pytest.approx((0.405, 1.2 - 0.405))
    assert (near.guide_row, far.guide_row) == (0, 1)
    assert near.distance_m == far.distance_m == pytest.approx(0.225 + 0.03 + 0.15)


@pytest.mark.parametrize(("first", "final", "lanes"), [
    (False, False, [1, 2]), (True, False, [0, 1, 2]), (False, True, [1, 2, 3]), (True, True, [0, 1, 2, 3]),
])  # fmt: skip
def test_outer_tracks_are_driven_when_asked_for(first: bool, final: bool, lanes: list[int]) -> None:
    tracks = plan(0.0, 0.7, 1.4, first=first, final=final)
    assert [track.lane for track in tracks] == lanes


def test_outer_tracks_lie_outside_and_have_a_row_on_one_side_only() -> None:
    tracks = plan(0.0, 0.7, first=True, final=True)
    first, final = tracks[0], tracks[-1]
    assert (first.y_m, final.y_m) == pytest.approx((-0.405, 0.7 + 0.405))
    assert (first.right_row, first.left_row, first.guide_row) == (None, 0, 0)
    assert (final.right_row, final.left_row, final.guide_row) == (1, None, 1)


def test_tracks_are_driven_to_and_fro() -> None:
    assert [track.heading for track in plan(0.0, 1.2, 1.9, first=True, final=True)] == [1, -1, 1, -1, 1]


def test_the_other_start_side_is_the_mirror_image() -> None:
    right = plan(0.0, 1.2, 1.9, first=True, final=True)
    left = plan(-0.0, -1.2, -1.9, first=True, final=True)
    assert [track.y_m for track in left] == pytest.approx([-track.y_m for track in right])
    assert [track.lane for track in left] == [track.lane for track in right]
    assert [(t.left_row, t.right_row) for t in left] == [(t.right_row, t.left_row) for t in right]
    assert [t.guide_row for t in left] == [t.guide_row for t in right]


def test_a_single_row_is_weeded_on_one_side_or_both() -> None:
    assert [track.y_m for track in plan(0.0, first=True)] == pytest.approx([-0.405])
    assert [track.y_m for track in plan(0.0, first=True, final=True)] == pytest.approx([-0.405, 0.405])
    assert [track.lane for track in plan(0.0, first=True, final=True)] == [0, 1]
