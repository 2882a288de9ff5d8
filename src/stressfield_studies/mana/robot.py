"""Mana: a Segway RMP 400 rover of 1.14 x 0.67 m with a turning 3D lidar on a mast, wheel odometry and a pose sensor."""

from __future__ import annotations

from math import atan2, radians

from stressfield.world import DifferentialDrive, Lidar3D, Odometer, PoseSensor, Robot

LENGTH_M = 1.14
WIDTH_M = 0.67
SPEED_MPS = 1.0
LIDAR_X_M = 0.0
LIDAR_Z_M = 1.4

POINTS = "/velodyne/points"
ODOMETRY = "/rflex/odometry"
POSITION = "/pose/position"
PERCEIVED = "/pom/pose"
MAP = "/dtm/map"
FINAL_MAP = "/dtm/final_map"
ARC = "/p3d/arc"
COMMAND = "/rflex/command"
REPORT = "/report"

_GROUND_RINGS = 15
_FIRST_M = 1.6
_SPACING_M = 0.55

ELEVATIONS_RAD = (
    *(-atan2(LIDAR_Z_M, _FIRST_M + _SPACING_M * i) for i in range(_GROUND_RINGS)),
    radians(-3.0),
)
"""Rings that meet level ground every 0.55 m up to 9.3 m, and one above for what stands on it.

A Velodyne has 64 rings of 2000 rays at 10 Hz. Sixteen rings of 180 at 2 Hz show every cell of the elevation map that
the planner looks at (arcs of 5.5 m, cells of 0.15 m), because the rover drives at most 0.5 m between scans and DTM
fills the gaps between neighbouring points.
"""

MANA = Robot(
    name="mana",
    length_m=LENGTH_M,
    width_m=WIDTH_M,
    height_m=1.5,
    mass_kg=110.0,
    drive=DifferentialDrive(
        command_topic=COMMAND,
        wheel_radius_m=0.27,
        wheel_base_m=0.55,
        speed_max_mps=1.2,
        acceleration_max_mps2=1.0,
        turn_acceleration_max_radps2=2.0,
        lag_s=0.1,
        watchdog_s=0.6,
    ),
    sensors=(
        Lidar3D(
            topic=POINTS,
            rate_hz=2.0,
            x_m=LIDAR_X_M,
            z_m=LIDAR_Z_M,
            elevations_rad=ELEVATIONS_RAD,
            azimuths=180,
            range_min_m=0.9,
            range_max_m=14.0,
            noise_m=0.02,
            dropout=0.005,
        ),
        Odometer(topic=ODOMETRY, rate_hz=10.0, distance_noise=0.02, turn_noise=0.02),
        PoseSensor(topic=POSITION, rate_hz=10.0, position_noise_m=0.03, attitude_noise_rad=radians(0.2)),
    ),
    climb_max_rad=radians(32.0),
    step_max_m=0.30,
    tip_max_rad=radians(40.0),
)
