"""Worlds that the tests share."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from stressfield.world import (
    Bodies,
    Body,
    Bumper,
    DifferentialDrive,
    InertialUnit,
    Lidar,
    MarkerCamera,
    Odometer,
    PlacedRobot,
    Region,
    Robot,
    Shape,
    VisualOdometer,
    World,
    perlin_terrain,
)


def robot(name: str = "oz") -> Robot:
    return Robot(
        name=name,
        length_m=0.75,
        width_m=0.45,
        height_m=0.55,
        mass_kg=120.0,
        drive=DifferentialDrive("/wheels", 0.15, 0.4, 0.4, 0.5, 1.0, lag_s=0.1),
        sensors=(
            Lidar("/scan", 10.0, 0.3, 0.2, -1.5, 1.5, 181, 0.05, 10.0, noise_m=0.01),
            MarkerCamera("/stakes", 5.0, 0.3, 0.4, 1.2, 8.0, "stake"),
            Odometer("/odom", 20.0, 0.01),
            VisualOdometer("/vo", 20.0),
            InertialUnit("/imu", 50.0),
            Bumper("/bumper", 20.0),
        ),
        centre_offset_m=0.1,
    )


def crop_field(*, seed: int = 3, plants: int = 40, weeds: int = 60, roughness_m: float = 0.1) -> World:
    """Three rows, stakes, weeds in between, a turned wall, a rock; kinds interleave."""
    rng = np.random.default_rng(seed)
    ground = perlin_terrain(roughness_m=roughness_m, x0_m=-4.1, y0_m=-8.3, size_m=17.0, points=65, rng=rng)
    bodies = Bodies.none()
    for y in (-1.1, 0.0, 1.1):
        x_m, y_m = np.linspace(0.0, 8.0, plants), y + rng.normal(0.0, 0.03, plants)
        radius = rng.uniform(0.06, 0.12, plants)
        z_m = ground.height_at(x_m, y_m)
        bodies += Bodies.cylinders("cabbage", x_m, y_m, radius_m=radius, height_m=0.2, z_m=z_m, gives_way=True)
        bodies += Bodies.cylinders("stake", np.array([-0.5, 8.5]), np.full(2, y), radius_m=0.02, height_m=1.2)
    x_m, y_m = rng.uniform(-1.0, 9.0, weeds), rng.uniform(-2.0, 2.0, weeds)
    z_m = ground.height_at(x_m, y_m)
    bodies += Bodies.cylinders("weed", x_m, y_m, radius_m=0.02, height_m=0.08, z_m=z_m, solid=False)
    bodies += Bodies.of(
        [
            Body("", "wall", Shape.BOX, 3.1, 4.3, 0.07, 2.0, 0.3, 0.8, 0.3),
            Body("", "rock", Shape.SPHERE, 8.0, 4.2, 0.1, 0.5, 0.5, 0.5),
        ]
    )
    regions = (
        Region("row 1 <first>", "row", 0.0, -1.2, 8.0, -1.0),
        Region("limits", "limits", -2.0, -3.1, 10.0, 3.1),
    )
    robots = (PlacedRobot(robot(), -1.2, -0.55, 0.1), PlacedRobot(robot(), -1.2, 0.55, -0.3))
    return World('field "0.1-r-r" & more', ground, bodies, robots, regions)


def assert_same_world(got: World, wanted: World) -> None:
    assert got.name == wanted.name
    assert got.regions == wanted.regions
    assert got.robots == wanted.robots
    assert got.actors == wanted.actors
    assert got.bodies.kinds == wanted.bodies.kinds
    for name in (f.name for f in fields(Bodies) if f.name != "kinds"):
        np.testing.assert_array_equal(getattr(got.bodies, name), getattr(wanted.bodies, name), err_msg=name)
    np.testing.assert_array_equal(got.terrain.heights_m, wanted.terrain.heights_m)
    ground = (got.terrain.x0_m, got.terrain.y0_m, got.terrain.cell_m)
    assert ground == (wanted.terrain.x0_m, wanted.terrain.y0_m, wanted.terrain.cell_m)
