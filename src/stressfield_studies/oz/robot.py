"""The weeding robot: 0.75 x 0.45 x 0.55 m, 120 kg, 0.4 m/s, differential drive."""

from __future__ import annotations

from math import radians

from stressfield.world import (
    Bumper,
    DifferentialDrive,
    Lidar,
    MarkerCamera,
    Odometer,
    Robot,
    VisualOdometer,
)

LENGTH_M = 0.75
WIDTH_M = 0.45
SPEED_MAX_MPS = 0.4
WHEEL_RADIUS_M = 0.10
WHEEL_BASE_M = 0.40
LIDAR_X_M = 0.33
LIDAR_Z_M = 0.20

SCAN = "/scan"
STAKES_LEFT = "/camera_left/stakes"
STAKES_RIGHT = "/camera_right/stakes"
ODOMETRY = "/odom"
VISUAL_ODOMETRY = "/visual_odom"
BUMPER = "/bumper"
WHEELS = "/wheel_speeds"
PERCEIVED = "/perceived_pose"
REPORT = "/report"
ROW = "/row"


def _camera(topic: str, yaw_deg: float) -> MarkerCamera:
    return MarkerCamera(
        topic=topic,
        rate_hz=5.0,
        x_m=0.30,
        z_m=0.45,
        yaw_rad=radians(yaw_deg),
        field_of_view_rad=radians(100.0),
        range_max_m=3.5,
        marker_kind="stake",
        bearing_noise_rad=radians(0.5),
        range_noise=0.02,
        missed=0.05,
        double_offset_m=0.16,
        visible_height_m=0.9,
    )


OZ = Robot(
    name="oz",
    length_m=LENGTH_M,
    width_m=WIDTH_M,
    height_m=0.55,
    mass_kg=120.0,
    drive=DifferentialDrive(
        command_topic=WHEELS,
        wheel_radius_m=WHEEL_RADIUS_M,
        wheel_base_m=WHEEL_BASE_M,
        speed_max_mps=0.45,
        acceleration_max_mps2=0.6,
        turn_acceleration_max_radps2=2.0,
        lag_s=0.08,
        watchdog_s=0.5,
    ),
    sensors=(
        Lidar(
            topic=SCAN,
            rate_hz=10.0,
            x_m=LIDAR_X_M,
            z_m=LIDAR_Z_M,
            angle_min_rad=radians(-135.0),
            angle_max_rad=radians(135.0),
            rays=271,
            range_min_m=0.05,
            range_max_m=4.0,
            noise_m=0.01,
            dropout=0.01,
            resolution_m=0.002,
        ),
        _camera(STAKES_LEFT, 50.0),
        _camera(STAKES_RIGHT, -50.0),
        Odometer(topic=ODOMETRY, rate_hz=20.0, distance_noise=0.01, turn_noise=0.015),
        VisualOdometer(topic=VISUAL_ODOMETRY, rate_hz=10.0, distance_noise=0.015, turn_noise=0.015),
        Bumper(topic=BUMPER, rate_hz=5.0),
    ),
)
