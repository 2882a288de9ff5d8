"""From genotype to crop field."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from stressfield.scenario import Scenario
from stressfield.world import Bodies
from stressfield_studies.oz import study
from stressfield_studies.oz.model import OzWorld

from .fields import descriptor, field, mission_of


def plants(scenario: Scenario, row: int) -> np.ndarray:
    """x and y of the plants of a row, along it."""
    bodies = scenario.world.bodies
    crop = bodies.of_kind(*({"leek", "cabbage"} & {*bodies.kinds}))
    y = np.array(mission_of(scenario).row_y_m)
    mine = crop[np.abs(bodies.y_m[crop][:, None] - y).argmin(axis=1) == row]
    return np.column_stack([bodies.x_m[mine], bodies.y_m[mine]])[np.argsort(bodies.x_m[mine])]


def stakes(scenario: Scenario) -> np.ndarray:
    bodies = scenario.world.bodies
    found = bodies.of_kind("stake")
    return np.column_stack([bodies.x_m[found], bodies.y_m[found]])


def same(one: Bodies, other: Bodies) -> bool:
    return one.kinds == other.kinds and all(
        np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(Bodies) if f.name != "kinds"
    )


# rows, plants -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "sign"), [("right", 1.0), ("left", -1.0)])
def test_rows_lie_as_the_spacings_say_away_from_the_first_track(side: str, sign: float) -> None:
    scenario = field(spacings_m=(0.7, 1.1, 0.9), side=side)
    assert mission_of(scenario).row_y_m == pytest.approx([0.0, sign * 0.7, sign * 1.8, sign * 2.7])
    assert mission_of(scenario).start_y_m * sign < 0.0


def test_rows_have_their_own_lengths_and_plants_at_the_asked_density() -> None:
    scenario = field(spacings_m=(0.7,), length_m=10.0, offsets_m=(-0.1, 0.15), plants_per_m=4.0)
    first, second = plants(scenario, 0), plants(scenario, 1)
    assert (first[0, 0], first[-1, 0]) == (0.0, pytest.approx(9.9))
    assert (second[0, 0], second[-1, 0]) == (0.0, pytest.approx(10.15))
    assert (len(first), len(second)) == (41, 42)
    assert np.diff(first[:, 0]).tolist() == pytest.approx([9.9 / 40] * 40)


def test_without_noise_plants_stand_on_their_line() -> None:
    assert set(plants(field(), 1)[:, 1]) == {0.7}


def test_alignment_noise_stays_within_its_bound_and_uses_it() -> None:
    scenario = field(noise_m=0.05, length_m=20.0, plants_per_m=7.0, spacings_m=(0.8, 0.8))
    off = np.concatenate([plants(scenario, row)[:, 1] - y for row, y in enumerate(mission_of(scenario).row_y_m)])
    assert 0.045 < np.abs(off).max() <= 0.05
    assert abs(off.mean()) < 0.01
    assert off.std() == pytest.approx(0.05 / 3**0.5, rel=0.1)


def test_noise_does_not_move_the_first_and_the_last_plant_along_the_row() -> None:
    row = plants(field(noise_m=0.06, spacings_m=(0.8, 0.8)), 0)
    assert (row[0, 0], row[-1, 0]) == (0.0, 8.0)


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.25])
def test_about_as_many_plants_are_missing_as_asked_for(rate: float) -> None:
    grown = [len(plants(field(missing=rate, length_m=20.0, plants_per_m=7.0, seed=seed), 1)) for seed in range(12)]
    assert 1.0 - np.mean(grown) / 141 == pytest.approx(rate, abs=0.03)
    assert (rate > 0.0) == (len(set(grown)) > 1)


def test_the_first_and_the_last_plant_always_grow() -> None:
    for seed in range(10):
        row = plants(field(missing=0.25, seed=seed), 2)
        assert (row[0, 0], row[-1, 0]) == (0.0, 8.0)


@pytest.mark.parametrize("crop", ["leek", "cabbage"])
def test_plants_have_the_size_of_their_crop_and_stand_on_the_ground(crop: str) -> None:
    choices = {"crop": crop, "growth": 1.0, "roughness_m": 0.1, "spacings_m": (1.2,)}
    scenario = field(**choices)
    made = OzWorld.create_from_descriptor(descriptor(**choices), np.random.default_rng(0)).field.crop
    bodies = scenario.world.bodies
    crops = bodies.of_kind(crop)
    assert set(bodies.size_x_m[crops]) == {2.0 * made.radius_m}
    assert bodies.height_m[crops].min() >= 0.85 * made.height_m
    assert bodies.height_m[crops].max() <= 1.15 * made.height_m
    ground = scenario.world.terrain.height_at(bodies.x_m, bodies.y_m)
    assert np.array_equal(bodies.z_m, ground)
    assert bodies.z_m.std() > 0.005


# stakes -------------------------------------------------------------------------------------------------------


def test_red_stakes_stand_half_a_metre_beyond_the_first_and_last_plant_of_every_row() -> None:
    scenario = field(offsets_m=(-0.1, 0.0, 0.15), noise_m=0.06, missing=0.2, spacings_m=(0.8, 0.8))
    wanted = [(-0.5, y) for y in (0.0, 0.8, 1.6)] + [(8.4, 0.0), (8.5, 0.8), (8.65, 1.6)]
    assert sorted(map(tuple, stakes(scenario).tolist())) == [pytest.approx(one) for one in sorted(wanted)]


@pytest.mark.parametrize("missing", [1, 2])
def test_missing_stakes_are_taken_from_anywhere_and_the_others_stay(missing: int) -> None:
    whole = set(map(tuple, stakes(field()).tolist()))
    gone = set()
    for seed in range(12):
        left = set(map(tuple, stakes(field(stakes=(missing, 0.0), seed=seed)).tolist()))
        assert len(left) == 6 - missing
        assert left < whole
        gone |= whole - left
    assert len(gone) > 3


def test_misplaced_stakes_stay_within_their_bound_and_use_it() -> None:
    right = stakes(field())
    off = np.concatenate([stakes(field(stakes=(0, 0.4), seed=seed)) - right for seed in range(12)])
    assert 0.3 < np.abs(off[:, 0]).max() <= 0.4
    assert 0.3 < np.abs(off[:, 1]).max() <= 0.4


# what the lessons ask for -------------------------------------------------------------------------------------


def test_a_long_gap_is_in_one_row_only() -> None:
    for seed in range(8):
        scenario = field(gap_m=3.0, length_m=16.0, seed=seed)
        widest = sorted(float(np.diff(plants(scenario, row)[:, 0]).max()) for row in range(3))
        assert widest[:2] == pytest.approx([0.2, 0.2])
        assert 3.0 <= widest[2] <= 3.5


def test_visual_hazards_look_like_stakes_outside_the_limits() -> None:
    scenario = field(hazards=5)
    extra = stakes(scenario)[6:]
    limits = scenario.world.region("limits")
    assert len(extra) == 5
    assert not limits.contains(extra[:, 0], extra[:, 1]).any()
    assert np.abs(extra[:, 0] - 4.0).max() < 6.5, "in sight of the headland"


def test_weeds_are_seen_but_never_an_obstacle() -> None:
    scenario = field(weeds=(4, 10.0))
    bodies = scenario.world.bodies
    weeds = bodies.of_kind("weed")
    assert len(weeds) > 40
    assert not bodies.solid[weeds].any()
    assert bodies.solid[bodies.of_kind("leek", "stake")].all()


@pytest.mark.parametrize("weeds", [(0, 15.0), (4, 0.0)])
def test_no_patches_or_no_density_is_no_weeds(weeds: tuple[int, float]) -> None:
    assert len(field(weeds=weeds).world.bodies.of_kind("weed")) == 0


# regions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["right", "left"])
def test_the_field_ends_one_and_a_half_metres_beyond_stakes_and_outer_rows(side: str) -> None:
    scenario = field(offsets_m=(0.0, 0.15, -0.1), side=side)
    limits = scenario.world.region("limits")
    assert (limits.x_min_m, limits.x_max_m) == pytest.approx((-2.0, 8.15 + 2.0))
    outer = sorted(mission_of(scenario).row_y_m)
    assert (limits.y_min_m, limits.y_max_m) == pytest.approx((outer[0] - 1.5, outer[-1] + 1.5))


@pytest.mark.parametrize("side", ["right", "left"])
def test_lanes_lie_between_the_rows_in_the_order_of_the_mission(side: str) -> None:
    scenario = field(side=side)
    lanes = scenario.world.regions_of_kind("lane")
    assert [lane.name for lane in lanes] == ["lane 0", "lane 1", "lane 2", "lane 3"]
    for track in mission_of(scenario).tracks:
        lane = lanes[track.lane]
        assert lane.y_min_m < track.y_m < lane.y_max_m
        assert lane.contains(np.array([4.0]), np.array([track.y_m])).all()


def test_uturn_areas_lie_at_both_ends_between_plants_and_limits() -> None:
    world = field().world
    west, east, limits = world.region("turn west"), world.region("turn east"), world.region("limits")
    assert (west.x_min_m, west.x_max_m) == (limits.x_min_m, 0.0)
    assert (east.x_min_m, east.x_max_m) == (8.0, limits.x_max_m)


# start and ground ---------------------------------------------------------------------------------------------


def test_the_robot_starts_before_the_stakes_facing_its_first_track() -> None:
    starts = [field(seed=seed) for seed in range(10)]
    placed = np.array([(s.world.robots[0].x_m, s.world.robots[0].y_m, s.world.robots[0].yaw_rad) for s in starts])
    mission = mission_of(starts[0])
    off = np.abs(placed - [mission.start_x_m, mission.start_y_m, 0.0])
    assert (off.max(axis=0) <= [0.05, 0.02, 0.03]).all()
    assert (off.max(axis=0) > 0.0).all()
    assert mission.start_x_m == pytest.approx(-1.15)
    assert mission.start_y_m == mission.tracks[0].y_m


def test_flat_terrain_is_flat_and_rough_terrain_stays_within_its_roughness() -> None:
    assert not field(roughness_m=0.0).world.terrain.heights_m.any()
    rough = field(roughness_m=0.08).world.terrain.heights_m
    assert 0.05 < np.abs(rough).max() <= 0.08 + 1e-9


def test_the_ground_reaches_beyond_the_limits() -> None:
    world = field(length_m=20.0).world
    terrain, limits = world.terrain, world.region("limits")
    assert terrain.x0_m < limits.x_min_m
    assert terrain.y0_m < limits.y_min_m
    assert terrain.x0_m + terrain.width_m > limits.x_max_m
    assert terrain.y0_m + terrain.depth_m > limits.y_max_m


# chance -------------------------------------------------------------------------------------------------------

BUSY = {"roughness_m": 0.06, "noise_m": 0.03, "missing": 0.2, "weeds": (3, 8.0), "spacings_m": (0.8, 1.2)}


def test_the_same_seed_gives_the_same_world_bit_for_bit() -> None:
    one, other = field(seed=9, **BUSY), field(seed=9, **BUSY)
    assert same(one.world.bodies, other.world.bodies)
    assert np.array_equal(one.world.terrain.heights_m, other.world.terrain.heights_m)
    assert (one.world.robots, one.world.regions, one.mission) == (
        other.world.robots,
        other.world.regions,
        other.mission,
    )
    assert one.id == other.id


def test_another_seed_gives_another_world_of_the_same_genotype() -> None:
    one, other = field(seed=9, **BUSY), field(seed=10, **BUSY)
    assert one.descriptor == other.descriptor
    assert one.mission == other.mission
    assert one.id != other.id
    assert not same(one.world.bodies, other.world.bodies)
    assert not np.array_equal(one.world.terrain.heights_m, other.world.terrain.heights_m)


def test_a_scenario_knows_the_genotype_that_its_operators_chose() -> None:
    scenario = study.scenario("0.0-r-r", seed=4)
    again = study.scenario(scenario.descriptor, seed=4)
    assert "r" not in scenario.descriptor.replace("right", "").replace("true", "").replace("leek", "")
    assert not scenario.world.terrain.heights_m.any()
    assert again.descriptor == scenario.descriptor
    assert again.id == scenario.id
    assert same(again.world.bodies, scenario.world.bodies)


def test_every_random_genotype_becomes_a_world() -> None:
    rng = np.random.default_rng(1)
    for seed in range(25):
        text = OzWorld.random_create(rng).descriptor
        scenario = study.scenario(text, seed=seed)
        rows = len(mission_of(scenario).row_y_m)
        assert len(stakes(scenario)) == 2 * rows
        assert len(mission_of(scenario).tracks) >= 1
