"""From genotype to phenotype: plants, stakes and weeds with coordinates, regions, and the mission."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from stressfield.arrays import Floats
from stressfield.scenario import Scenario
from stressfield.seeds import Rng
from stressfield.world import Bodies, PlacedRobot, Region, Terrain, World, perlin_terrain
from stressfield_studies.oz.mission import OzMission, Track, plan_tracks
from stressfield_studies.oz.model import Field, OzWorld
from stressfield_studies.oz.robot import OZ, SPEED_MAX_MPS

STAKE_DISTANCE_M = 0.5
STAKE_RADIUS_M = 0.015
STAKE_HEIGHT_M = 1.0
LIMIT_M = 1.5
START_BEFORE_STAKES_M = 0.65
_BORDER_M = 3.0
_POINTS = 129
_WAVELENGTH_M = 2.0


def build(genotype: OzWorld, rng: Rng) -> Scenario:
    """The concrete crop field and mission of a genotype; ``rng`` decides what the genotype leaves open."""
    rows = _row_lines(genotype)
    terrain = _terrain(genotype, rows, rng)
    plants = _plants(genotype.field, rows, rng)
    stake_x, stake_y = _stakes(genotype.field, rows, rng)
    weed_x, weed_y, weed_h = _weeds(genotype.field, rows, rng)
    crop = genotype.field.crop
    bodies = _standing(
        terrain,
        [
            (crop.kind, plants[:, 0], plants[:, 1], crop.radius_m, crop.height_m * plants[:, 2], True),
            ("stake", stake_x, stake_y, STAKE_RADIUS_M, np.full(len(stake_x), STAKE_HEIGHT_M), True),
            ("weed", weed_x, weed_y, 0.03, weed_h, False),
            *_hazards(genotype.field, rows, rng),
        ],
    )
    tracks = plan_tracks(
        tuple(float(y) for y in rows[:, 0]),
        first_outer=genotype.mission.first_track_outer,
        final_outer=genotype.mission.final_track_outer,
        plant_radius_m=crop.radius_m,
    )
    start_x = float(rows[:, 1].min()) - STAKE_DISTANCE_M - START_BEFORE_STAKES_M
    mission = OzMission(
        limit_s=_limit_s(tracks, genotype.field.row_length_m),
        row_y_m=tuple(float(y) for y in rows[:, 0]),
        row_length_m=genotype.field.row_length_m,
        plant_radius_m=crop.radius_m,
        tracks=tracks,
        start_x_m=start_x,
        start_y_m=tracks[0].y_m,
    )
    start = PlacedRobot(
        OZ,
        start_x + float(rng.uniform(-0.05, 0.05)),
        tracks[0].y_m + float(rng.uniform(-0.02, 0.02)),
        float(rng.uniform(-0.03, 0.03)),
    )
    return Scenario(World("oz", terrain, bodies, (start,), regions(mission, rows)), mission)


def _limit_s(tracks: tuple[Track, ...], length_m: float) -> float:
    return 60.0 + len(tracks) * (1.6 * length_m / SPEED_MAX_MPS + 60.0)


def _row_lines(genotype: OzWorld) -> Floats:
    """One line per row: y, first x, last x. Rows are ordered from the side of the first track."""
    field = genotype.field
    y = np.concatenate([[0.0], np.cumsum(field.spacings_m)]) if field.rows > 1 else np.zeros(1)
    if genotype.mission.start_side == "left":
        y = -y
    length = field.row_length_m + np.asarray(field.length_offsets_m)
    return np.column_stack([y, np.zeros(field.rows), length])


def _terrain(genotype: OzWorld, rows: Floats, rng: Rng) -> Terrain:
    x_min, x_max = -_BORDER_M, float(rows[:, 2].max()) + _BORDER_M
    y_min, y_max = float(rows[:, 0].min()) - _BORDER_M, float(rows[:, 0].max()) + _BORDER_M
    size_m = max(x_max - x_min, y_max - y_min)
    return perlin_terrain(
        roughness_m=genotype.terrain.roughness_m,
        x0_m=x_min,
        y0_m=(y_min + y_max - size_m) / 2.0,
        size_m=size_m,
        points=_POINTS,
        rng=rng,
        wavelength_m=_WAVELENGTH_M,
    )


def _plants(field: Field, rows: Floats, rng: Rng) -> Floats:
    """x, y and relative height of every plant that grew."""
    parts = []
    gap_row = int(rng.integers(field.rows))
    for i, (y, first, last) in enumerate(rows):
        n = max(2, round((last - first) * field.plants_per_m) + 1)
        x = np.linspace(first, last, n)
        noise = rng.uniform(-1.0, 1.0, (n, 2)) * field.alignment_noise_m
        noise[[0, -1], 0] = 0.0
        grew = rng.random(n) >= field.missing_plants
        grew[[0, -1]] = True
        if field.long_gap_m > 0.0 and i == gap_row:
            centre = float(rng.uniform(first + 2.0, max(first + 2.0, last - 2.0)))
            grew &= np.abs(x - centre) > field.long_gap_m / 2.0
            grew[[0, -1]] = True
        height = rng.uniform(0.85, 1.15, n)
        parts.append(np.column_stack([x + noise[:, 0], y + noise[:, 1], height])[grew])
    return np.concatenate(parts)


def _stakes(field: Field, rows: Floats, rng: Rng) -> tuple[Floats, Floats]:
    x = np.concatenate([rows[:, 1] - STAKE_DISTANCE_M, rows[:, 2] + STAKE_DISTANCE_M])
    y = np.concatenate([rows[:, 0], rows[:, 0]])
    if field.stakes.misplaced_m > 0.0:
        x = x + rng.uniform(-1.0, 1.0, len(x)) * field.stakes.misplaced_m
        y = y + rng.uniform(-1.0, 1.0, len(y)) * field.stakes.misplaced_m
    if field.stakes.missing:
        stay = np.sort(rng.permutation(len(x))[field.stakes.missing :])
        x, y = x[stay], y[stay]
    return x, y


def _weeds(field: Field, rows: Floats, rng: Rng) -> tuple[Floats, Floats, Floats]:
    """Weeds in rectangular patches that may reach into the headland, with their heights."""
    if field.weeds.areas == 0 or field.weeds.density_per_m2 == 0.0:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    x_min, x_max = -1.5, float(rows[:, 2].max()) + 1.5
    y_min, y_max = float(rows[:, 0].min()) - 0.8, float(rows[:, 0].max()) + 0.8
    xs, ys = [], []
    for _ in range(field.weeds.areas):
        x0 = float(rng.uniform(x_min, x_max - 1.0))
        x1 = min(x_max, x0 + float(rng.uniform(1.5, 5.0)))
        n = int(rng.poisson(field.weeds.density_per_m2 * (x1 - x0) * (y_max - y_min)))
        xs.append(rng.uniform(x0, x1, n))
        ys.append(rng.uniform(y_min, y_max, n))
    x, y = np.concatenate(xs), np.concatenate(ys)
    return x, y, rng.uniform(0.03, 0.18, len(x))


def _hazards(field: Field, rows: Floats, rng: Rng) -> list[tuple[str, Floats, Floats, float, Floats, bool]]:
    """Red things that a camera may take for stakes: outside the limits, in sight of the headland."""
    n = field.visual_hazards
    if n == 0:
        return []
    ends = np.where(rng.random(n) < 0.5, -2.4, float(rows[:, 2].max()) + 2.4)
    y = rng.uniform(float(rows[:, 0].min()) - 1.0, float(rows[:, 0].max()) + 1.0, n)
    return [("stake", ends, y, STAKE_RADIUS_M, np.full(n, STAKE_HEIGHT_M), True)]


def _standing(terrain: Terrain, groups: list[tuple[str, Floats, Floats, float, Floats, bool]]) -> Bodies:
    """All groups as one table of cylinders with their feet on the ground."""
    kinds = tuple(dict.fromkeys(group[0] for group in groups))
    sizes = [len(group[1]) for group in groups]
    x = np.concatenate([group[1] for group in groups])
    y = np.concatenate([group[2] for group in groups])
    diameter = np.repeat([2.0 * group[3] for group in groups], sizes)
    n = len(x)
    return Bodies(
        kinds=kinds,
        kind=np.repeat(np.array([kinds.index(group[0]) for group in groups], dtype=np.int32), sizes),
        shape=np.zeros(n, dtype=np.int32),
        x_m=x,
        y_m=y,
        z_m=terrain.height_at(x, y),
        size_x_m=diameter,
        size_y_m=diameter,
        height_m=np.concatenate([group[4] for group in groups]),
        yaw_rad=np.zeros(n),
        solid=np.repeat(np.array([group[5] for group in groups]), sizes),
        gives_way=np.ones(n, dtype=np.bool_),  # whatever grows or is stuck into the soil yields to a robot of 120 kg
    )


def regions(mission: OzMission, rows: Floats) -> tuple[Region, ...]:
    """Limits of the field, lanes between and beside the rows, and the U-turn areas at both ends."""
    y_min, y_max = float(rows[:, 0].min()), float(rows[:, 0].max())
    x_min, x_max = float(rows[:, 1].min()), float(rows[:, 2].max())
    low, high = x_min - STAKE_DISTANCE_M - LIMIT_M, x_max + STAKE_DISTANCE_M + LIMIT_M
    bottom, top = y_min - LIMIT_M, y_max + LIMIT_M
    found = [
        Region("limits", "limits", low, bottom, high, top),
        Region("turn west", "turn", low, bottom, x_min, top),
        Region("turn east", "turn", x_max, bottom, high, top),
    ]
    side = 1.0 if len(rows) < 2 or rows[1, 0] > rows[0, 0] else -1.0
    borders = [mission.row_y_m[0] - side * LIMIT_M, *mission.row_y_m, mission.row_y_m[-1] + side * LIMIT_M]
    for lane, (border, next_border) in enumerate(pairwise(borders)):
        found.append(Region(f"lane {lane}", "lane", x_min, min(border, next_border), x_max, max(border, next_border)))
    for i, (y, first, last) in enumerate(rows):
        found.append(Region(f"row {i}", "row", float(first), float(y) - 0.05, float(last), float(y) + 0.05))
    return tuple(found)
