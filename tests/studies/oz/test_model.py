"""What may vary in the `oz` study."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.errors import DescriptorError, InputError
from stressfield.model import parameters, to_ebnf
from stressfield_studies.oz.model import OzWorld

from .fields import descriptor, genotype


def drawn(text: str, seed: int) -> OzWorld:
    return OzWorld.create_from_descriptor(text, np.random.default_rng(seed))


def test_fifteen_parameters_vary_one_of_them_the_crop() -> None:
    leaves = parameters(OzWorld)
    varying = [leaf.path for leaf in leaves if leaf.vary]
    assert len(varying) == 15
    assert "field.crop.kind" in varying


def test_the_lessons_of_the_published_study_are_in_the_grammar_but_off() -> None:
    fixed = [leaf.path for leaf in parameters(OzWorld) if not leaf.vary]
    assert fixed == ["field.stakes.missing", "field.stakes.misplaced_m", "field.long_gap_m", "field.visual_hazards"]
    grammar = to_ebnf(OzWorld)
    assert all(f"{path.rpartition('.')[2]} = " in grammar for path in fixed)


def test_the_published_example_is_any_valid_world_with_flat_terrain() -> None:
    worlds = [drawn("0.0-r-r", seed) for seed in range(60)]
    assert {world.terrain.roughness_m for world in worlds} == {0.0}
    assert {world.field.rows for world in worlds} == {1, 2, 3, 4, 5}
    assert {world.field.crop.kind for world in worlds} == {"leek", "cabbage"}
    assert {world.mission.start_side for world in worlds} == {"left", "right"}


def test_what_is_off_by_default_stays_off_in_random_worlds() -> None:
    for seed in range(60):
        field = OzWorld.random_create(np.random.default_rng(seed)).field
        assert (field.stakes.missing, field.stakes.misplaced_m) == (0, 0.0)
        assert (field.long_gap_m, field.visual_hazards) == (0.0, 0)


def test_what_is_off_by_default_is_there_when_a_descriptor_asks_for_it() -> None:
    field = genotype(stakes=(2, 0.3), gap_m=4.0, hazards=3).field
    assert (field.stakes.missing, field.stakes.misplaced_m, field.long_gap_m, field.visual_hazards) == (2, 0.3, 4.0, 3)


@pytest.mark.parametrize(
    ("path", "low", "high"),
    [
        ("terrain.roughness_m", 0.0, 0.12),
        ("field.rows", 1, 5),
        ("field.spacings_m", 0.65, 1.6),
        ("field.row_length_m", 6.0, 20.0),
        ("field.plants_per_m", 2.0, 7.0),
        ("field.alignment_noise_m", 0.0, 0.06),
        ("field.missing_plants", 0.0, 0.25),
        ("field.weeds.density_per_m2", 0.0, 15.0),
    ],
)
def test_the_domain_of_use_is_the_one_of_the_specification(path: str, low: float, high: float) -> None:
    (leaf,) = [leaf for leaf in parameters(OzWorld) if leaf.path == path]
    assert (leaf.low, leaf.high) == (low, high)


def test_n_rows_have_one_spacing_less_and_n_length_offsets() -> None:
    for seed in range(40):
        field = drawn("r-r-r", seed).field
        assert (len(field.spacings_m), len(field.length_offsets_m)) == (field.rows - 1, field.rows)


def test_too_many_spacings_are_pointed_at() -> None:
    text = (
        descriptor(spacings_m=(0.7, 0.7)).replace("(3-[0.7,0.7]", "(2-[0.7,0.7]").replace("[0.0,0.0,0.0]", "[0.0,0.0]")
    )
    with pytest.raises(DescriptorError) as caught:
        OzWorld.check_descriptor(text)
    assert "spacings_m" in str(caught.value)
    assert text[caught.value.position :].startswith(("[0.7,0.7]", "0.7]"))


def test_a_single_row_is_weeded_from_outside_first() -> None:
    assert {drawn("r-(1-r-r-r-r-r-r-r-r-r-r-r)-r", seed).mission.first_track_outer for seed in range(20)} == {True}
    with pytest.raises(InputError, match="a single row is weeded from outside first"):
        OzWorld.create_from_descriptor(descriptor(spacings_m=(), outer=(False, True)), np.random.default_rng(0))


def test_the_robot_fits_between_the_rows_with_twelve_centimetres_to_spare() -> None:
    for seed in range(60):
        field = OzWorld.random_create(np.random.default_rng(seed)).field
        assert all(field.free_width_m(spacing) >= 0.57 - 1e-9 for spacing in field.spacings_m)


@pytest.mark.parametrize(("spacing_m", "fits"), [(0.75, True), (0.74, False)])
def test_the_free_width_takes_plants_and_their_alignment_into_account(spacing_m: float, fits: bool) -> None:
    """Newly planted cabbages of 0.06 m radius, 0.03 m off: 0.75 m leaves 0.57 m."""
    choices = {"spacings_m": (spacing_m,), "crop": "cabbage", "growth": 0.0, "noise_m": 0.03}
    if fits:
        assert genotype(**choices).field.free_width_m(spacing_m) == pytest.approx(0.57)
        return
    with pytest.raises(InputError, match=r"the width free of plants between rows exceeds the robot's by 0\.12 m"):
        genotype(**choices)


@pytest.mark.parametrize(
    ("crop", "growth", "radius_m"), [("leek", 0.5, 0.03), ("cabbage", 0.0, 0.06), ("cabbage", 1.0, 0.12)]
)
def test_plants_are_as_wide_as_the_specification_says(crop: str, growth: float, radius_m: float) -> None:
    made = genotype(crop=crop, growth=growth, spacings_m=(1.0,))
    assert made.field.crop.radius_m == pytest.approx(radius_m)
    assert made.field.crop.height_m > 0.2, "higher than the lidar"


def test_a_descriptor_reads_back_to_itself() -> None:
    for seed in range(20):
        text = OzWorld.random_create(np.random.default_rng(seed)).descriptor
        assert drawn(text, seed + 1).descriptor == text


def test_a_letter_that_is_no_operator_is_pointed_at() -> None:
    with pytest.raises(DescriptorError) as caught:
        OzWorld.check_descriptor("0.0-r-x")
    assert caught.value.position == 6
    assert str(caught.value).endswith("  0.0-r-x\n        ^")
