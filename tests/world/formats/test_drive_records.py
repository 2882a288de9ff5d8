"""Robots with any drive in files: they are read back as they were."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.errors import RigError, WorldError
from stressfield.world import (
    Mission,
    Robot,
    World,
    check_sdf,
    export_world,
    robot_from_json,
    robot_to_json,
    robots,
)

READY = [robots.diff_drive(), robots.skid_steer(), robots.ackermann(jerk_max_mps3=1.7), robots.mecanum(topics="/m")]


@pytest.mark.parametrize("robot", READY, ids=lambda robot: type(robot.drive).__name__)
def test_a_robot_is_read_back_exactly(robot: Robot, tmp_path: Path) -> None:
    odd = replace(robot, drive=replace(robot.drive, slip_max=0.1 + 0.2, power_topic="/power"))
    back = robot_from_json(robot_to_json(odd))
    assert back == odd
    assert type(back.drive) is type(odd.drive)
    world = World.flat(9.0, 9.0, name="yard").with_robot("cart", odd, at=(3.0, 4.0), yaw_rad=0.3)
    sdf, *_ = export_world(world, Mission(limit_s=9.0), tmp_path)
    assert World.from_sdf(sdf).robots == world.robots
    assert sdf.read_text().count('<link name="wheel_') == len(odd.drive.wheels)
    with suppress(RigError):  # libsdformat is not on every machine
        assert check_sdf(sdf) == []


def test_an_unknown_drive_in_a_file_is_told() -> None:
    text = robot_to_json(robots.ackermann()).replace("AckermannDrive", "AckermanDrive")
    with pytest.raises(WorldError) as caught:
        robot_from_json(text)
    assert str(caught.value) == (
        "A robot has a drive of type 'AckermanDrive'; known are AckermannDrive, DifferentialDrive, MecanumDrive, "
        "ModelDrive, PartDrive, SkidSteerDrive. Did you mean 'AckermannDrive'?"
    )


def test_a_drive_that_lacks_something_is_told() -> None:
    text = robot_to_json(robots.ackermann()).replace('"wheelbase_m"', '"wheel_base"')
    with pytest.raises(WorldError, match=r"A robot's AckermannDrive does not fit AckermannDrive: .*wheelbase_m"):
        robot_from_json(text)
    text = robot_to_json(robots.ackermann()).replace('"wheelbase_m":0.7', '"wheelbase_m":-0.7')
    with pytest.raises(WorldError, match=r"wheelbase_m -0\.7; wanted more than zero"):
        robot_from_json(text)
