"""TurtleBot3 Burger: 0.138 x 0.178 x 0.192 m, 1 kg, 0.22 m/s, 2.84 rad/s, a lidar of 360 degrees, an inertial unit."""

from __future__ import annotations

from math import pi

from stressfield.world import DifferentialDrive, InertialUnit, Lidar, Odometer, Robot

SPEED_MAX_MPS = 0.22
TURN_MAX_RADPS = 2.84
LENGTH_M = 0.138
WIDTH_M = 0.178
CENTRE_M = -0.032
"""The body's middle, and the lidar, lie behind the axle."""
RADIUS_M = 0.113
"""Of the circle around the body."""
RANGE_MIN_M, RANGE_MAX_M = 0.12, 3.5
RAYS = 360
SCAN_HZ = 5.0
BATTERY_J = 6000.0
"""An aged pack: fresh ones hold 72 kJ, and a mission of 300 s would hardly show."""
WATCHDOG_S = 1.0
"""The drive stops when it has heard no command for so long."""

NAMES = ("tb3_0", "tb3_1", "tb3_2")
COORDINATOR = "collective_intelligence"
REPORT = "/report"


def topic(robot: str, name: str) -> str:
    """A robot's topic: ``/tb3_0/cmd_vel``."""
    return f"/{robot}/{name}"


COMMAND = "cmd_vel"
SCAN = "scan"
ODOMETRY = "odom"
INERTIAL = "imu"
POSE = "amcl_pose"
BATTERY = "battery_state"
ROOM_COMPLETED = "roomCompleted"
ROOM_FAILED = "roomFailed"
ASSIGNED = "assignedRoom"
AT_HOME = "atHome"
GOAL = "move_base_simple/goal"
RESULT = "move_base/result"
PLAN = "move_base/plan"
NEAREST = "nearest"
POWER = "motor_power"
DISTANCE_FROM_HOME = "/metric/totalDistanceAtEnd"
"""All robots' distances from their chargers, summed, as they go; called as the published model calls the metric."""


def burger(name: str) -> Robot:
    """The robot of that name, with its topics."""
    return Robot(
        name=name,
        length_m=LENGTH_M,
        width_m=WIDTH_M,
        height_m=0.192,
        mass_kg=1.0,
        drive=DifferentialDrive(
            command_topic=topic(name, COMMAND),
            wheel_radius_m=0.033,
            wheel_base_m=2.0 * SPEED_MAX_MPS / TURN_MAX_RADPS,
            speed_max_mps=SPEED_MAX_MPS,
            acceleration_max_mps2=2.5,
            turn_acceleration_max_radps2=6.0,
            lag_s=0.05,
            watchdog_s=WATCHDOG_S,
            power_topic=topic(name, POWER),
            ignores_sideways=True,  # as the published ones: disturbances of its commands also set linear.y
        ),
        sensors=(
            Lidar(
                topic=topic(name, SCAN),
                rate_hz=SCAN_HZ,
                x_m=CENTRE_M,
                z_m=0.172,
                angle_min_rad=0.0,
                angle_max_rad=2.0 * pi * (RAYS - 1) / RAYS,
                rays=RAYS,
                range_min_m=RANGE_MIN_M,
                range_max_m=RANGE_MAX_M,
                noise_m=0.01,
                dropout=0.005,
            ),
            InertialUnit(
                topic=topic(name, INERTIAL),
                rate_hz=10.0,
                yaw_rate_noise_radps=0.01,
                yaw_rate_bias_radps=0.002,
                attitude_noise_rad=0.002,
            ),
            Odometer(topic=topic(name, ODOMETRY), rate_hz=10.0, distance_noise=0.01, turn_noise=0.02),
        ),
        centre_offset_m=CENTRE_M,
    )
