"""Ready-made robots to start from. Change what differs in yours with ``dataclasses.replace``."""

from __future__ import annotations

from math import pi

from stressfield.world.robot import DifferentialDrive, Robot
from stressfield.world.sensors import Bumper, Lidar, Odometer, PoseSensor


def diff_drive(
    *,
    length_m: float = 0.6,
    width_m: float = 0.45,
    height_m: float = 0.3,
    mass_kg: float = 20.0,
    speed_max_mps: float = 0.8,
    acceleration_max_mps2: float = 1.0,
    turn_acceleration_max_radps2: float = 3.0,
    lag_s: float = 0.1,
    lidar_rays: int = 181,
    lidar_view_rad: float = pi,
    lidar_range_m: float = 8.0,
    lidar_noise_m: float = 0.01,
    position_noise_m: float = 0.02,
    topics: str = "",
) -> Robot:
    """A box on two driven wheels, turning about its middle, with the usual sensors.

    It obeys a Twist on ``/cmd_vel`` and sends ``/scan`` (LaserScan, 10 Hz, looking ahead), ``/pose`` (PoseStamped,
    10 Hz, as satellites and a compass give it), ``/odom`` (Odometry, 20 Hz) and ``/bumper`` (Bool, 20 Hz). Give each of
    several robots a prefix of its own: ``topics="/left"`` makes ``/left/cmd_vel`` and so on.
    """
    lidar = Lidar(
        f"{topics}/scan", 10.0, x_m=length_m / 2.0, z_m=0.8 * height_m, angle_min_rad=-lidar_view_rad / 2.0,
        angle_max_rad=lidar_view_rad / 2.0, rays=lidar_rays, range_min_m=0.05, range_max_m=lidar_range_m,
        noise_m=lidar_noise_m, dropout=0.005,
    )  # fmt: skip
    return Robot(
        name="robot",
        length_m=length_m,
        width_m=width_m,
        height_m=height_m,
        mass_kg=mass_kg,
        drive=DifferentialDrive(
            command_topic=f"{topics}/cmd_vel",
            wheel_radius_m=0.1,
            wheel_base_m=0.9 * width_m,
            speed_max_mps=speed_max_mps,
            acceleration_max_mps2=acceleration_max_mps2,
            turn_acceleration_max_radps2=turn_acceleration_max_radps2,
            lag_s=lag_s,
        ),
        sensors=(
            lidar,
            PoseSensor(f"{topics}/pose", 10.0, position_noise_m=position_noise_m, attitude_noise_rad=0.01),
            Odometer(f"{topics}/odom", 20.0, distance_noise=0.01, turn_noise=0.01),
            Bumper(f"{topics}/bumper", 20.0),
        ),
    )
