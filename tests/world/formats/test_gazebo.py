"""Files that a real Gazebo takes: what it must find in them, and what SDF itself says of them."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest
from sdf_description import FOLDER, complaints
from worlds import assert_same_world, crop_field

import stressfield as sf
from stressfield.errors import RigError, WorldError
from stressfield.world import (
    AckermannDrive,
    MecanumDrive,
    Mission,
    OccupancyMap,
    SdfSensor,
    Sensor,
    Terrain,
    World,
    check_sdf,
    export_world,
    perlin_terrain,
    world_sdf,
)
from stressfield.world.formats.gazebo import CLASSIC, FLAVOURS, SIM, ground_of, sensor_element
from stressfield.world.formats.png import decode_samples

MISSION = Mission(limit_s=10.0)
VERSIONS = {"classic": "1.7", "sim": "1.9"}


def needs_sdformat() -> None:
    if not FOLDER.is_dir() and os.environ.get("CI") != "true":
        pytest.skip("libsdformat12 is not installed")


def yard() -> World:
    """Level, with a robot of every ready-made sensor."""
    world = World.flat(8.0, 6.0).with_body(sf.bodies.wall(length_m=2.0), at=(4.0, 3.0))
    return world.with_robot("mower", sf.robots.diff_drive(), at=(1.0, 1.0), yaw_rad=0.3)


def garage() -> World:
    """Level, with a car and a robot on rollers."""
    world = World.flat(8.0, 6.0).with_robot("car", sf.robots.ackermann(), at=(1.0, 1.0))
    return world.with_robot("rolls", sf.robots.mecanum(topics="/rolls"), at=(5.0, 3.0))


@pytest.mark.parametrize("gazebo", sorted(FLAVOURS))
@pytest.mark.parametrize(
    "world", [yard(), garage(), crop_field(plants=3, weeds=2), crop_field(plants=2, weeds=1, roughness_m=0.0)]
)
def test_every_element_is_in_the_version_of_the_file(tmp_path: Path, gazebo: str, world: World) -> None:
    needs_sdformat()
    path = export_world(world, MISSION, tmp_path, gazebo=gazebo)[0]
    assert complaints(path.read_text(), VERSIONS[gazebo]) == []
    try:
        assert check_sdf(path) == []
    except RigError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))


def test_the_description_of_the_format_is_really_asked() -> None:
    needs_sdformat()
    text = world_sdf(yard(), gazebo="classic")
    wrong = text.replace("<cast_shadows>true", "<cast_shadow>true").replace("cast_shadows>", "cast_shadow>")
    assert any("cast_shadow: not in SDF 1.7" in line for line in complaints(wrong, "1.7"))
    assert complaints(text.replace("<mass>", "<mass>heavy "), "1.7")
    assert complaints(text, "1.9") == ["version 1.7, wanted 1.9"]


@pytest.mark.parametrize("gazebo", sorted(FLAVOURS))
def test_both_read_back_the_same(tmp_path: Path, gazebo: str) -> None:
    world = crop_field()
    paths = export_world(world, MISSION, tmp_path, gazebo=gazebo)
    assert_same_world(World.from_sdf(paths[0]), world)
    names = ["world.sdf", "terrain.png", "mission.json"]
    assert [path.name for path in paths] == (names if gazebo == "sim" else [*names, "heightmap.png"])


def model(text: str, name: str) -> Element:
    found = fromstring(text).find(f".//model[@name='{name}']")
    assert found is not None
    return found


def test_a_robot_has_what_makes_it_drive_in_gazebo_sim() -> None:
    text = world_sdf(yard(), gazebo="sim")
    systems = [plugin.get("filename") for plugin in fromstring(text).findall("./world/plugin")]
    assert systems[:3] == ["gz-sim-physics-system", "gz-sim-user-commands-system", "gz-sim-scene-broadcaster-system"]
    assert "gz-sim-sensors-system" in systems
    robot = model(text, "mower")
    drive = robot.find("plugin[@filename='gz-sim-diff-drive-system']")
    assert drive is not None
    assert drive.get("name") == "gz::sim::systems::DiffDrive"
    plan = yard().robots[0].robot.drive
    assert [drive.findtext(tag) for tag in ("left_joint", "right_joint", "topic")] == [
        "axle_left",
        "axle_right",
        "/cmd_vel",
    ]
    assert float(drive.findtext("wheel_separation") or 0) == plan.wheel_base_m
    assert float(drive.findtext("wheel_radius") or 0) == plan.wheel_radius_m
    joints = {joint.get("name"): joint.findtext("child") for joint in robot.findall("joint")}
    assert joints == {"axle_left": "wheel_left", "axle_right": "wheel_right"}
    assert robot.find(".//sensor[@type='gpu_lidar']/lidar") is not None


def test_a_car_is_steered_in_gazebo_sim() -> None:
    robot, plan = model(world_sdf(garage()), "car"), garage().robots[0].robot.drive
    assert isinstance(plan, AckermannDrive)
    drive = robot.find("plugin[@filename='gz-sim-ackermann-steering-system']")
    assert drive is not None
    assert drive.get("name") == "gz::sim::systems::AckermannSteering"
    joints = {str(joint.get("name")): joint for joint in robot.findall("joint")}
    told = {part.tag: str(part.text) for part in drive}
    for side in ("left", "right"):
        assert joints[told[f"{side}_joint"]].findtext("child") == f"wheel_rear_{side}"
        steer, axle = joints[told[f"{side}_steering_joint"]], joints[f"axle_front_{side}"]
        assert steer.findtext("parent") == "base"
        assert steer.findtext("child") == axle.findtext("parent") == f"knuckle_front_{side}"
        assert float(steer.findtext("axis/limit/velocity") or 0) == plan.steering_rate_max_radps
        # the inner wheel of the tightest circle is within the limits of its joint
        inner = math.atan(plan.wheelbase_m / (plan.radius_min_m - float(told["kingpin_width"]) / 2.0))
        assert float(steer.findtext("axis/limit/upper") or 0) == pytest.approx(inner)
    # as Gazebo has it: the tightest circle is the wheelbase by the sine of its limit
    assert float(told["wheel_base"]) / math.sin(float(told["steering_limit"])) == pytest.approx(plan.radius_min_m)
    assert (told["topic"], float(told["max_velocity"])) == (plan.command_topic, plan.speed_max_mps)
    assert robot.find("link[@name='base']/collision[@name='caster_0']") is None


def test_rollers_grip_so_that_a_robot_moves_sideways_in_gazebo_sim() -> None:
    text = world_sdf(garage())
    robot, plan = model(text, "rolls"), garage().robots[1].robot.drive
    assert isinstance(plan, MecanumDrive)
    drive = robot.find("plugin[@filename='gz-sim-mecanum-drive-system']")
    assert drive is not None
    told = {part.tag: str(part.text) for part in drive}
    assert told["back_left_joint"] == "axle_rear_left"
    assert (float(told["wheelbase"]), float(told["wheel_separation"])) == (plan.wheelbase_m, plan.track_m)
    # Each wheel moves the robot along the axis of its roller: told to go left, front left and rear right turn back.
    for wheel in plan.wheels:
        grip = robot.find(f"link[@name='wheel_{wheel.name}']/collision/surface/friction/ode")
        assert grip is not None
        assert (grip.findtext("mu"), grip.findtext("mu2")) == ("1", "0")
        x, y, _ = (float(word) for word in str(grip.findtext("fdir1")).split())
        back = wheel.name in {"front_left", "rear_right"}
        assert (x, y) == (1.0, -1.0 if back else 1.0)
    assert text.count('<fdir1 gz:expressed_in="base">') == 4  # by that very prefix, and not with the wheel
    assert 'xmlns:gz="http://gazebosim.org/schema"' in text


def test_gazebo_classic_has_no_plugin_for_a_car_and_says_so() -> None:
    text = world_sdf(garage(), gazebo="classic")
    assert "<!-- no plugin of Gazebo classic drives a AckermannDrive by commands: add one -->" in text
    assert "<!-- no plugin of Gazebo classic drives a MecanumDrive by commands: add one -->" in text


def test_a_robot_has_what_makes_it_drive_in_gazebo_classic() -> None:
    text = world_sdf(yard(), gazebo="classic")
    assert "gz-sim" not in text
    robot = model(text, "mower")
    drive = robot.find("plugin")
    assert drive is not None
    assert drive.get("filename") == "libDiffDrivePlugin.so"
    # Gazebo 11 adds the turn to the wheel that it calls left; ours turn to the left for a positive angle
    assert [drive.findtext(tag) for tag in ("left_joint", "right_joint")] == ["axle_right", "axle_left"]
    scanner = robot.find(".//sensor[@type='ray']")
    assert scanner is not None
    assert scanner.find("ray/scan/horizontal") is not None
    assert "lidar>" not in text


@pytest.mark.parametrize("gazebo", sorted(FLAVOURS))
def test_a_robot_stands_on_its_wheels(gazebo: str) -> None:
    robot = model(world_sdf(yard(), gazebo=gazebo), "mower")
    feet = [
        part for part in robot.findall("link[@name='base']/collision") if str(part.get("name")).startswith("caster")
    ]
    assert len(feet) == 4
    plan = yard().robots[0].robot
    for foot in feet:
        x, y, z = (float(word) for word in str(foot.findtext("pose")).split()[:3])
        radius = float(foot.findtext("geometry/sphere/radius") or 0)
        assert 0.0 < z - radius < 0.01
        assert abs(x - plan.centre_offset_m) + radius <= plan.length_m / 2.0 + 1e-9
        assert abs(y) + radius <= plan.width_m / 2.0 + 1e-9
        assert foot.findtext("surface/friction/ode/mu") == "0"


def test_what_gives_way_is_touched_by_nothing() -> None:
    text = world_sdf(crop_field(plants=2, weeds=1), gazebo="classic")
    soft = model(text, "cabbage").findall(".//collision")
    assert all(part.findtext("surface/contact/collide_bitmask") == "0" for part in soft)
    assert model(text, "wall").find(".//surface") is None


@pytest.mark.parametrize("flavour", [CLASSIC, SIM], ids=lambda flavour: flavour.name)
def test_the_height_map_has_the_heights_of_the_ground(flavour: object) -> None:
    assert flavour in (CLASSIC, SIM)
    terrain = perlin_terrain(roughness_m=0.4, x0_m=-3.0, y0_m=2.0, size_m=20.0, points=50, rng=np.random.default_rng(1))
    ground = ground_of(terrain, CLASSIC if flavour is CLASSIC else SIM)
    assert ground.image is not None
    samples = decode_samples(ground.image, name="image", pixels_max=10**7)
    rows, columns, _ = samples.values.shape
    assert rows == columns
    assert math.log2(rows - 1).is_integer()
    part = fromstring(f"<v>{ground.visual}</v>")
    sizes, place = ([float(w) for w in str(part.findtext(f".//{tag}")).split()] for tag in ("size", "pos"))
    if flavour is CLASSIC:
        assert place[:2] == [0.0, 0.0]  # where Gazebo 11 has the collision shape, whatever the file says
        assert part.findtext(".//uri") == "file://heightmap.png"
        assert samples.value_max == 255
    assert int(samples.values.max()) == samples.value_max
    assert int(samples.values.min()) == 0
    # as Gazebo reads it: the first row is the greatest y, black is <pos>, the lightest pixel is <size> above it
    heights = place[2] + samples.values[::-1, :, 0] / samples.value_max * sizes[2]
    x = place[0] - sizes[0] / 2.0 + np.arange(columns) * sizes[0] / (columns - 1)
    y = place[1] - sizes[1] / 2.0 + np.arange(rows) * sizes[1] / (rows - 1)
    wanted = terrain.height_at(*np.meshgrid(x, y))
    assert np.abs(heights - wanted).max() <= sizes[2] / samples.value_max
    assert x[0] <= terrain.x0_m + 1e-9
    assert y[-1] >= terrain.y0_m + terrain.depth_m - 1e-9


def test_level_ground_is_a_plane_and_needs_no_image() -> None:
    for flavour in (CLASSIC, SIM):
        ground = ground_of(Terrain(np.full((2, 2), 1.5), 0.0, 0.0, 4.0), flavour)
        assert ground.image is None
        assert "<plane>" in ground.collision
        assert "<pose>2.0 2.0 1.5 0 0 0</pose>" in ground.collision


@dataclass(frozen=True, slots=True)
class Nose(Sensor):
    def sdf(self) -> SdfSensor:
        return SdfSensor("nose", "<nose/>")


def test_a_sensor_that_gazebo_lacks_is_said_in_the_file() -> None:
    assert 'type="nose"' in sensor_element(Nose("/a--b", 1.0), 0, SIM)  # a user's own kind is written as it is
    robot = yard().robots[0].robot
    world = replace(yard(), robots=()).with_robot("r", replace(robot, sensors=(Nose("/n", 1.0),)), at=(1.0, 1.0))
    assert 'type="nose"' in world_sdf(world, gazebo="classic")


def test_an_unknown_gazebo_is_refused() -> None:
    with pytest.raises(WorldError, match=r"Unknown Gazebo 'clasic'. Wanted: sim, classic. Did you mean 'classic'\?"):
        world_sdf(yard(), gazebo="clasic")


def test_a_map_lies_beside_the_file(tmp_path: Path) -> None:
    paths = export_world(yard(), MISSION, tmp_path, map_resolution_m=0.1)
    assert [path.name for path in paths[-2:]] == ["map.yaml", "map.pgm"]
    back = OccupancyMap.of(World.from_map(paths[-2]), resolution_m=0.1)
    assert (back.cells == OccupancyMap.of(yard(), resolution_m=0.1).cells).all()
    with pytest.raises(WorldError, match="A map needs a resolution_m above zero, got -1"):
        export_world(yard(), MISSION, tmp_path, map_resolution_m=-1.0)
