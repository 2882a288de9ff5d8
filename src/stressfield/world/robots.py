"""Ready-made robots to start from. Change what differs in yours with ``dataclasses.replace``."""

from __future__ import annotations

from math import pi

from stressfield.world.drives import AckermannDrive, DifferentialDrive, Drive, MecanumDrive, SkidSteerDrive
from stressfield.world.robot import Robot
from stressfield.world.sensors import Bumper, Lidar, Odometer, PoseSensor, Sensor


def diff_drive(
    *,
    length_m: float = 0.6,
    width_m: float = 0.45,
    height_m: float = 0.3,
    mass_kg: float = 20.0,
    speed_max_mps: float = 0.8,
    acceleration_max_mps2: float = 1.0,
    turn_acceleration_max_radps2: float = 3.0,
    jerk_max_mps3: float | None = None,
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
            jerk_max_mps3=jerk_max_mps3,
            lag_s=lag_s,
        ),
        sensors=_usual_sensors(
            topics, length_m / 2.0, 0.8 * height_m,
            rays=lidar_rays, view_rad=lidar_view_rad, range_m=lidar_range_m, noise_m=lidar_noise_m,
            position_noise_m=position_noise_m,
        ),
    )  # fmt: skip


def skid_steer(
    *,
    length_m: float = 0.9,
    width_m: float = 0.65,
    height_m: float = 0.4,
    mass_kg: float = 50.0,
    effective_track_share: float = 1.5,
    speed_max_mps: float = 1.0,
    acceleration_max_mps2: float = 1.0,
    turn_acceleration_max_radps2: float = 3.0,
    jerk_max_mps3: float | None = None,
    lag_s: float = 0.1,
    topics: str = "",
) -> Robot:
    """A robot on tracks that turns by scrubbing; topics and sensors as :func:`diff_drive`.

    It turns as if its tracks were ``effective_track_share`` times as far apart as they are, which neither its
    controller nor its odometry knows.
    """
    track_m = 0.8 * width_m
    drive = SkidSteerDrive(
        command_topic=f"{topics}/cmd_vel",
        wheel_radius_m=0.12,
        track_m=track_m,
        effective_track_m=effective_track_share * track_m,
        speed_max_mps=speed_max_mps,
        acceleration_max_mps2=acceleration_max_mps2,
        turn_acceleration_max_radps2=turn_acceleration_max_radps2,
        jerk_max_mps3=jerk_max_mps3,
        lag_s=lag_s,
    )
    return _robot(drive, length_m, width_m, height_m, mass_kg, topics)


def ackermann(
    *,
    length_m: float = 1.0,
    width_m: float = 0.5,
    height_m: float = 0.4,
    mass_kg: float = 30.0,
    wheelbase_m: float = 0.7,
    steering_max_rad: float = 0.5,
    steering_rate_max_radps: float = 1.5,
    speed_max_mps: float = 2.0,
    acceleration_max_mps2: float = 1.5,
    jerk_max_mps3: float | None = None,
    lag_s: float = 0.1,
    topics: str = "",
) -> Robot:
    """A small car, driven by its rear wheels; sensors as :func:`diff_drive`, its pose is that of the rear axle.

    It obeys an AckermannDriveStamped or a Twist on ``/cmd_vel``. Its tightest circle has a radius of
    ``wheelbase_m / tan(steering_max_rad)``, 1.28 m as it is.
    """
    drive = AckermannDrive(
        command_topic=f"{topics}/cmd_vel",
        wheel_radius_m=0.1,
        wheelbase_m=wheelbase_m,
        track_m=0.8 * width_m,
        steering_max_rad=steering_max_rad,
        steering_rate_max_radps=steering_rate_max_radps,
        speed_max_mps=speed_max_mps,
        acceleration_max_mps2=acceleration_max_mps2,
        jerk_max_mps3=jerk_max_mps3,
        lag_s=lag_s,
    )
    return _robot(drive, length_m, width_m, height_m, mass_kg, topics, centre_offset_m=wheelbase_m / 2.0)


def mecanum(
    *,
    length_m: float = 0.7,
    width_m: float = 0.55,
    height_m: float = 0.35,
    mass_kg: float = 30.0,
    speed_max_mps: float = 1.0,
    acceleration_max_mps2: float = 1.0,
    turn_acceleration_max_radps2: float = 3.0,
    jerk_max_mps3: float | None = None,
    lag_s: float = 0.1,
    topics: str = "",
) -> Robot:
    """A robot on four wheels with rollers that obeys ``linear.y``, too; topics and sensors as :func:`diff_drive`."""
    drive = MecanumDrive(
        command_topic=f"{topics}/cmd_vel",
        wheel_radius_m=0.1,
        wheelbase_m=0.6 * length_m,
        track_m=0.8 * width_m,
        speed_max_mps=speed_max_mps,
        acceleration_max_mps2=acceleration_max_mps2,
        turn_acceleration_max_radps2=turn_acceleration_max_radps2,
        jerk_max_mps3=jerk_max_mps3,
        lag_s=lag_s,
    )
    return _robot(drive, length_m, width_m, height_m, mass_kg, topics)


def _robot(
    drive: Drive,
    length_m: float,
    width_m: float,
    height_m: float,
    mass_kg: float,
    topics: str,
    *,
    centre_offset_m: float = 0.0,
) -> Robot:
    front_m = centre_offset_m + length_m / 2.0
    return Robot(
        name="robot",
        length_m=length_m,
        width_m=width_m,
        height_m=height_m,
        mass_kg=mass_kg,
        drive=drive,
        sensors=_usual_sensors(topics, front_m, 0.8 * height_m),
        centre_offset_m=centre_offset_m,
    )


def _usual_sensors(
    topics: str,
    lidar_x_m: float,
    lidar_z_m: float,
    *,
    rays: int = 181,
    view_rad: float = pi,
    range_m: float = 8.0,
    noise_m: float = 0.01,
    position_noise_m: float = 0.02,
) -> tuple[Sensor, ...]:
    """A lidar at the front that looks ahead, a pose, wheel odometry and a bumper."""
    lidar = Lidar(
        f"{topics}/scan", 10.0, x_m=lidar_x_m, z_m=lidar_z_m, angle_min_rad=-view_rad / 2.0,
        angle_max_rad=view_rad / 2.0, rays=rays, range_min_m=0.05, range_max_m=range_m,
        noise_m=noise_m, dropout=0.005,
    )  # fmt: skip
    return (
        lidar,
        PoseSensor(f"{topics}/pose", 10.0, position_noise_m=position_noise_m, attitude_noise_rad=0.01),
        Odometer(f"{topics}/odom", 20.0, distance_noise=0.01, turn_noise=0.01),
        Bumper(f"{topics}/bumper", 20.0),
    )
