"""From genotype to phenotype: rooms, tables, objects in random places without overlap, obstacles, and the mission."""

from __future__ import annotations

from stressfield.scenario import Scenario
from stressfield.seeds import Rng
from stressfield.world import Bodies, Region, Terrain, World
from stressfield_studies.tabletop.messages import MOVE_TO
from stressfield_studies.tabletop.mission import TASKS, Surface, TabletopMission, steps_of
from stressfield_studies.tabletop.model import TabletopWorld
from stressfield_studies.tabletop.place.furniture import footprint, object_body, table_bodies, wall_body
from stressfield_studies.tabletop.place.placement import (
    SceneRequest,
    ThingRequest,
    dock,
    known,
    place_objects,
    start_and_obstacles,
)
from stressfield_studies.tabletop.place.rooms import DEPTH_M, ENVIRONMENTS, HEIGHTS_M

TABLE_LENGTH_M, TABLE_DEPTH_M = 1.0, 0.55
LIMIT_S = 240.0


def build(genotype: TabletopWorld, rng: Rng) -> Scenario:
    """The concrete scene and task of a genotype; ``rng`` decides what the genotype leaves open."""
    rooms, tables = genotype.rooms, genotype.tables
    request = SceneRequest(
        actions=TASKS[genotype.task],
        things=tuple(
            ThingRequest(kind=t.kind, size=t.size, mass=t.mass, friction=t.friction, turn_deg=t.turn_deg)
            for t in genotype.things
        ),
        environment=rooms.environment,
        surface=tables.surface,
        place_surface=tables.place_surface,
        heights_m={name: height + tables.higher_m for name, height in HEIGHTS_M.items()},
        obstacles=(rooms.obstacle,) * rooms.obstacles,
        goal_blocked=rooms.goal_blocked,
    )
    return build_scene(request, rng)


def build_scene(request: SceneRequest, rng: Rng) -> Scenario:
    """The concrete scene of a request. Raises InputError for names it does not know and WorldError without room."""
    environment = known(ENVIRONMENTS, request.environment, "environment")
    for name in (request.surface, request.place_surface):
        known(HEIGHTS_M, name, "surface")
    surfaces = tuple(
        Surface(name, at.x_m, at.y_m, at.yaw_rad, TABLE_LENGTH_M, TABLE_DEPTH_M, request.heights_m[name])
        for name, at in environment.tables
    )
    locations = tuple(dock(surface) for surface in surfaces)
    walls = (*environment.walls, *(footprint(surface) for surface in surfaces))
    table = next(surface for surface in surfaces if surface.name == request.surface)
    objects = place_objects(request.things, table, rng)
    steps = steps_of(
        request.actions, surface=request.surface, place_surface=request.place_surface, thing=objects[0].name
    )
    docks = [
        next(location for location in locations if location.name == step.location)
        for step in steps
        if step.action == MOVE_TO
    ]
    first = next(location for location in locations if location.name == request.surface)
    start, obstacles = start_and_obstacles(request, environment, walls, docks, first, rng)
    bodies = [
        *(wall_body(wall) for wall in environment.walls),
        *(body for surface in surfaces for body in table_bodies(surface)),
        *obstacles,
        *(object_body(thing) for thing in objects),
    ]
    limits = Region("limits", "limits", 0.0, 0.0, environment.width_m, DEPTH_M)
    terrain = Terrain.flat(x0_m=-1.0, y0_m=-1.0, size_m=max(environment.width_m, DEPTH_M) + 2.0)
    world = World(environment.name, terrain, Bodies.of(bodies), (start,), (limits,))
    mission = TabletopMission(
        limit_s=LIMIT_S, steps=steps, surfaces=surfaces, locations=locations, objects=objects, walls=walls
    )
    return Scenario(world, mission)
