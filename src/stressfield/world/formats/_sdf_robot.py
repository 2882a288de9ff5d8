"""A robot as an SDF model: a box, two driven wheels, and the sensors that SDF knows."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from stressfield.world.robot import PlacedRobot, Robot
from stressfield.world.sensors import Sensor


def robot_model(placed: PlacedRobot, *, name: str, z_m: float, record: str) -> str:
    """The model at its start. ``record`` is the element that carries the full robot for reading back."""
    robot = placed.robot
    wheels = "\n".join(_wheel(robot, side, sign) for side, sign in (("left", 0.5), ("right", -0.5)))
    return (
        f'<model name="{name}"><pose>{float(placed.x_m)!r} {float(placed.y_m)!r} {z_m!r} 0 0 '
        f"{float(placed.yaw_rad)!r}</pose>{record}\n{_chassis(robot)}\n{wheels}\n</model>"
    )


def _chassis(robot: Robot) -> str:
    clearance = min(robot.drive.wheel_radius_m, 0.3 * robot.height_m)
    height = robot.height_m - clearance
    geometry = (
        f"<pose>{robot.centre_offset_m!r} 0 {clearance + height / 2.0!r} 0 0 0</pose>"
        f"<geometry><box><size>{robot.length_m!r} {robot.width_m!r} {height!r}</size></box></geometry>"
    )
    sensors = "\n".join(text for i, sensor in enumerate(robot.sensors) if (text := _sensor(sensor, i)))
    inertia = _box_inertia(0.9 * robot.mass_kg, robot.length_m, robot.width_m, height)
    return (
        f'<link name="base"><inertial><pose>{robot.centre_offset_m!r} 0 {clearance + height / 2.0!r} 0 0 0</pose>'
        f'{inertia}</inertial>\n<collision name="body">{geometry}</collision>\n<visual name="body_look">{geometry}'
        "<material><ambient>0.95 0.55 0.1 1</ambient><diffuse>0.95 0.55 0.1 1</diffuse></material></visual>\n"
        f"{sensors}\n</link>"
    )


def _wheel(robot: Robot, side: str, sign: float) -> str:
    radius, mass = robot.drive.wheel_radius_m, 0.05 * robot.mass_kg
    width = min(0.1, 0.2 * robot.drive.wheel_base_m)
    pose = f"<pose>0 {sign * robot.drive.wheel_base_m!r} {radius!r} {-math.pi / 2.0!r} 0 0</pose>"
    geometry = f"<geometry><cylinder><radius>{radius!r}</radius><length>{width!r}</length></cylinder></geometry>"
    return (
        f'<link name="wheel_{side}">{pose}'
        f"<inertial>{_box_inertia(mass, 2.0 * radius, 2.0 * radius, width)}</inertial>"
        f'<collision name="tyre">{geometry}</collision><visual name="tyre_look">{geometry}</visual></link>\n'
        f'<joint name="axle_{side}" type="revolute"><parent>base</parent><child>wheel_{side}</child>'
        '<axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>'
    )


def _box_inertia(mass_kg: float, x_m: float, y_m: float, z_m: float) -> str:
    def moment(a: float, b: float) -> str:
        return repr(mass_kg * (a * a + b * b) / 12.0)

    return (
        f"<mass>{mass_kg!r}</mass><inertia><ixx>{moment(y_m, z_m)}</ixx><iyy>{moment(x_m, z_m)}</iyy>"
        f"<izz>{moment(x_m, y_m)}</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia>"
    )


def _sensor(sensor: Sensor, index: int) -> str:
    """The sensor's SDF element, or nothing where SDF has none."""
    found = sensor.sdf()
    if found is None:
        return ""
    return (
        f'<sensor name="{found.kind}_{index}" type="{found.kind}"><topic>{escape(sensor.topic)}</topic>'
        f"<update_rate>{sensor.rate_hz!r}</update_rate>{found.body}</sensor>"
    )
