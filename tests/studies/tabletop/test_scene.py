"""From genotype to scene."""

from __future__ import annotations

from itertools import combinations
from math import cos, hypot, sin

import pytest

from stressfield.errors import InputError, WorldError
from stressfield.seeds import generator
from stressfield.world import Shape
from stressfield_studies.tabletop import study
from stressfield_studies.tabletop.mission import TASKS, TableObject, steps_of
from stressfield_studies.tabletop.model import TabletopWorld
from stressfield_studies.tabletop.place.furniture import KINDS
from stressfield_studies.tabletop.place.grid import Grid, plan
from stressfield_studies.tabletop.place.placement import SceneRequest, ThingRequest
from stressfield_studies.tabletop.place.rooms import ENVIRONMENTS
from stressfield_studies.tabletop.scene import build, build_scene

PICK = TASKS["pick"]


def _half(thing: TableObject) -> tuple[float, float]:
    if thing.shape is not Shape.BOX:
        return thing.length_m / 2.0, thing.length_m / 2.0
    c, s = abs(cos(thing.yaw_rad)), abs(sin(thing.yaw_rad))
    return (thing.length_m * c + thing.width_m * s) / 2.0, (thing.length_m * s + thing.width_m * c) / 2.0


@pytest.mark.parametrize("seed", range(12))
def test_objects_stand_apart_on_their_table(seed: int) -> None:
    scenario = build(TabletopWorld.random_create(generator(seed, "g")), generator(seed, "p"))
    mission = scenario.mission
    for thing in mission.objects:
        table = mission.surface(thing.surface)
        assert thing.z_m - thing.height_m / 2.0 == pytest.approx(table.height_m)
        assert hypot(thing.x_m - table.x_m, thing.y_m - table.y_m) < 0.6
    for a, b in combinations(mission.objects, 2):
        (ax, ay), (bx, by) = _half(a), _half(b)
        assert abs(a.x_m - b.x_m) > ax + bx or abs(a.y_m - b.y_m) > ay + by
    bodies = list(scenario.world.bodies)[-len(mission.objects) :]
    assert [body.kind for body in bodies] == [thing.kind for thing in mission.objects]


def test_size_mass_and_friction_are_parameters() -> None:
    things = (ThingRequest(kind="cup", size=0.9, mass=2.0, friction=0.3, turn_deg=30.0),)
    made = build_scene(SceneRequest(actions=PICK, things=things), generator("s")).mission.objects[0]
    assert made.length_m == pytest.approx(0.9 * KINDS["cup"].length_m)
    assert made.mass_kg == pytest.approx(2.0 * KINDS["cup"].mass_kg)
    assert made.friction == 0.3


def test_there_are_enough_kinds_heights_and_rooms() -> None:
    assert len(KINDS) >= 8
    assert len(ENVIRONMENTS) == 3
    scenario = study.scenario("pick-r-r-r", seed=1)
    assert len({surface.height_m for surface in scenario.mission.surfaces}) == 3
    assert scenario.descriptor == study.scenario(scenario.descriptor, seed=1).descriptor


@pytest.mark.parametrize(
    ("request_", "error", "text"),
    [
        (SceneRequest(actions=PICK, things=(ThingRequest(kind="glas"),)), InputError, "Unknown object 'glas'.*'glass'"),
        (SceneRequest(actions=PICK, things=()), InputError, "at least one object"),
        (
            SceneRequest(actions=PICK, things=(ThingRequest(kind="cup"),), environment="castle"),
            InputError,
            "Unknown environment 'castle'",
        ),
        (
            SceneRequest(actions=PICK, things=(ThingRequest(kind="cup"),), obstacles=("sofa",)),
            InputError,
            "Unknown obstacle 'sofa'",
        ),
        (SceneRequest(actions=("jump",), things=(ThingRequest(kind="cup"),)), InputError, "Unknown action 'jump'"),
        (SceneRequest(actions=PICK, things=(ThingRequest(kind="sponge"),) * 30), WorldError, "No room for 30 objects"),
    ],
)
def test_bad_requests_are_refused(request_: SceneRequest, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        build_scene(request_, generator("s"))


def test_placing_needs_picking_first() -> None:
    with pytest.raises(InputError, match="Wanted pick_object before place_object"):
        steps_of(("place_object",), surface="desk", place_surface="desk", thing="cup_1")


def test_a_fetched_object_goes_to_the_second_table() -> None:
    steps = steps_of(TASKS["fetch"], surface="desk", place_surface="dining_table", thing="cup_1")
    assert [step.surface for step in steps] == ["desk"] * 3 + ["dining_table"] * 3


def test_a_blocked_way_has_no_plan_and_a_free_one_keeps_its_distance() -> None:
    house = ENVIRONMENTS["house"]
    grid = Grid.of(x0_m=0.0, y0_m=0.0, width_m=house.width_m, depth_m=5.0, walls=house.walls)
    path = plan(grid, (1.0, 1.0), (9.0, 4.0), radius_m=0.4)
    assert path is not None
    assert path[-1] == (9.0, 4.0)
    assert min(grid.free_m[j, i] for i, j in (grid.cell(*point) for point in path)) >= 0.4
    assert plan(grid, (1.0, 1.0), (9.0, 4.0), radius_m=0.9) is None
