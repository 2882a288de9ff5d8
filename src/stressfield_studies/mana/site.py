"""From genotype to phenotype: ground, buildings and trees, and the mission across them."""

from __future__ import annotations

from math import atan2, hypot, pi

import numpy as np

from stressfield.scenario import Scenario
from stressfield.seeds import Rng
from stressfield.world import (
    Bodies,
    PlacedRobot,
    Placement,
    Region,
    Scattered,
    Shape,
    Terrain,
    World,
    fractal_terrain,
    scatter,
)
from stressfield_studies.mana.mission import TOLERANCE_M, ManaMission
from stressfield_studies.mana.model import ManaWorld
from stressfield_studies.mana.robot import LENGTH_M, MANA, WIDTH_M

SIZE_M = 100.0
FREE_M = 8.0
INSET_M = 3.5
BUILDING_M = 9.0
TREE_M = 1.0
BUILDING_HEIGHT_M = 6.0
TREE_HEIGHT_M = 3.0
LIMIT_S = 400.0

START_AREA = Region("start", "start", 0.0, 0.0, FREE_M, FREE_M)
GOAL_AREA = Region("goal", "goal", SIZE_M - FREE_M, SIZE_M - FREE_M, SIZE_M, SIZE_M)
KINDS = ("building", "tree")


def build(genotype: ManaWorld, rng: Rng) -> Scenario:
    """The concrete site and mission of a genotype; ``rng`` decides what the genotype leaves open."""
    ground, wanted = genotype.ground, genotype.obstacles
    terrain = fractal_terrain(
        subdivisions=ground.subdivisions, amplitude_m=ground.deformation_m, size_m=SIZE_M, rng=rng
    )
    buildings = wanted.obstruction_percent * wanted.building_share
    things = (
        Scattered("building", BUILDING_M, buildings, wanted.size_variation),
        Scattered("tree", TREE_M, wanted.obstruction_percent - buildings, wanted.size_variation),
    )
    placement = scatter(things, size_m=SIZE_M, free=(START_AREA, GOAL_AREA), rng=rng)
    bodies = _standing(placement, terrain)
    goal_m = SIZE_M - INSET_M
    start = PlacedRobot(MANA, INSET_M, INSET_M, pi / 4.0)
    world = World("mana", terrain, bodies, (start,), (START_AREA, GOAL_AREA))
    return Scenario(world, ManaMission(limit_s=LIMIT_S, goal_x_m=goal_m, goal_y_m=goal_m))


def scenario_in(
    world: World,
    *,
    start_m: tuple[float, float],
    goal_m: tuple[float, float],
    heading_rad: float | None = None,
    limit_s: float = LIMIT_S,
    first_drive_m: float = 1.5,
) -> Scenario:
    """A mission of the rover in any world, such as one from :meth:`stressfield.world.World.from_sdf`.

    Raises WorldError when start or goal lie off the ground or inside an obstacle. Without ``heading_rad`` the rover
    starts towards the goal.
    """
    heading = atan2(goal_m[1] - start_m[1], goal_m[0] - start_m[0]) if heading_rad is None else heading_rad
    for name, place in (("start", start_m), ("goal", goal_m)):
        radius_m = hypot(LENGTH_M, WIDTH_M) / 2.0 if name == "start" else WIDTH_M / 2.0
        world.require_free(place, radius_m=radius_m, what=name)
    mission = ManaMission(
        limit_s=limit_s, goal_x_m=goal_m[0], goal_y_m=goal_m[1], tolerance_m=TOLERANCE_M, first_drive_m=first_drive_m
    )
    robots = (PlacedRobot(MANA, *start_m, heading),)
    return Scenario(World(world.name, world.terrain, world.bodies, robots, world.regions), mission)


def _standing(placement: Placement, terrain: Terrain) -> Bodies:
    """Boxes with their feet on the lowest ground beneath them."""
    x, y, half_x, half_y = placement.boxes.T
    n = len(x)
    feet = [terrain.height_at(x + a * half_x, y + b * half_y) for a in (-1.0, 0.0, 1.0) for b in (-1.0, 0.0, 1.0)]
    tall = np.where(placement.kind == 0, BUILDING_HEIGHT_M, TREE_HEIGHT_M)
    foot = np.min(feet, axis=0)
    return Bodies(
        kinds=KINDS,
        kind=placement.kind.astype(np.int32),
        shape=np.full(n, int(Shape.BOX), dtype=np.int32),
        x_m=x.copy(),
        y_m=y.copy(),
        z_m=foot,
        size_x_m=2.0 * half_x,
        size_y_m=2.0 * half_y,
        height_m=np.max(feet, axis=0) - foot + tall,
        yaw_rad=np.zeros(n),
        solid=np.ones(n, dtype=np.bool_),
        gives_way=np.zeros(n, dtype=np.bool_),
    )
