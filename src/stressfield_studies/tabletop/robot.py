"""The mobile manipulator: a differential base with an arm of seven joints, a parallel gripper and a depth camera."""

from __future__ import annotations

from math import pi, radians

from stressfield.world import DifferentialDrive, Lidar, Odometer, PoseSensor, Robot

NAME = "porter"
LENGTH_M = 0.50
WIDTH_M = 0.50
HEIGHT_M = 0.35
ARM_X_M = 0.12
ARM_Z_M = HEIGHT_M
CAMERA_X_M = -0.20
CAMERA_Z_M = 1.35
CAMERA_DOWN_RAD = radians(41.0)
CAMERA_WIDE_RAD = radians(68.0)
CAMERA_HIGH_RAD = radians(46.0)
CAMERA_COLUMNS = 160
CAMERA_ROWS = 110
CAMERA_NOISE_M = 0.002

FINGER_MAX_M = 0.04
"""How far each finger opens: the gripper takes what is up to twice as wide."""

DRIVE = "/base/cmd_vel"
SCAN = "/base/scan"
ODOMETRY = "/base/odom"
POSE = "/base/pose"
JOINTS = "/arm/joint_states"
ARM = "/arm/trajectory"
GRIPPER = "/gripper/command"
CAPTURE = "/camera/capture"
CLOUD = "/camera/points"
REPORT = "/report"
STEP = "/task/step"
SCENE = "/observer/scene"

PREFIX = "arm/"
"""Before the names of all parts of the arm in the MuJoCo model."""

ARM_JOINTS = tuple(f"panda_joint{n}" for n in range(1, 8))
HOME_RAD = (0.0, -1.2, 0.0, -2.5, 0.0, 1.6, 0.785)
"""The arm folded over the base: nothing is in front of it."""

FINGERS = ("panda_finger_joint1", "panda_finger_joint2")

PORTER = Robot(
    name=NAME,
    length_m=LENGTH_M,
    width_m=WIDTH_M,
    height_m=HEIGHT_M,
    mass_kg=80.0,
    drive=DifferentialDrive(
        command_topic=DRIVE,
        wheel_radius_m=0.10,
        wheel_base_m=0.44,
        speed_max_mps=0.6,
        acceleration_max_mps2=0.6,
        turn_acceleration_max_radps2=1.5,
        lag_s=0.05,
        watchdog_s=0.5,
    ),
    sensors=(
        Lidar(
            topic=SCAN,
            rate_hz=4.0,
            x_m=0.0,
            z_m=0.20,
            angle_min_rad=-pi,
            angle_max_rad=pi - 2.0 * pi / 180.0,
            rays=180,
            range_min_m=0.05,
            range_max_m=5.0,
            noise_m=0.01,
            dropout=0.002,
        ),
        Odometer(ODOMETRY, 20.0, distance_noise=0.01, turn_noise=0.01),
        PoseSensor(POSE, 5.0, position_noise_m=0.01, attitude_noise_rad=0.005),
    ),
)
