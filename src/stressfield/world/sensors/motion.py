"""Sensors that feel the robot itself, or tell where it is: odometers, inertial unit, bumper, satellites."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.world.sensors.sensor import Mounting, SdfSensor, Sensor


@dataclass(frozen=True, slots=True)
class Odometer(Sensor):
    """Wheel odometry. ``distance_noise`` and ``turn_noise`` are standard deviations per metre and per radian.

    It says ``distance_scale`` and ``turn_scale`` times what the wheels did: with wheels that are smaller, or further
    apart, than it was told.

    With ``tf_topic`` (``/tf``) the same pose is sent there, from ``ROBOT/odom`` to ``ROBOT/base_link``. With
    ``map_frame`` (``map``) also where the odometry's frame lies in the world, as a perfect localiser would say it: the
    chain from ``map`` to ``base_link`` is then the true pose.
    """

    distance_noise: float = 0.0
    turn_noise: float = 0.0
    tf_topic: str = ""
    map_frame: str = ""
    distance_scale: float = 1.0
    turn_scale: float = 1.0


@dataclass(frozen=True, slots=True)
class VisualOdometer(Sensor):
    """Odometry from images: unaffected by wheel slip; noise and frames as in :class:`Odometer`."""

    distance_noise: float = 0.0
    turn_noise: float = 0.0
    tf_topic: str = ""
    map_frame: str = ""
    distance_scale: float = 1.0
    turn_scale: float = 1.0


@dataclass(frozen=True, slots=True)
class PoseSensor(Sensor):
    """Position and attitude in the frame of the world (satellites and a compass), with white noise."""

    position_noise_m: float = 0.0
    attitude_noise_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class GpsReceiver(Sensor):
    """Latitude and longitude (NavSatFix, WGS 84). The origin of the world lies at the datum.

    The datum is ``latitude_deg``, ``longitude_deg`` and ``altitude_m``; ``east_yaw_rad`` is the yaw, in the world, of
    somebody who looks east. Errors: white noise of ``noise_m`` in each of east, north and up; and a drift that wanders
    slowly about zero (a Gauss-Markov process of ``drift_m``, forgotten within ``drift_time_s``), which begins anywhere.
    ``outage`` is the share of time without a fix, in outages of ``outage_s`` on average (exponentially distributed, as
    are the times between); then the status is -1 and the numbers are NaN.
    """

    x_m: float = 0.0
    z_m: float = 0.0
    latitude_deg: float = 0.0
    longitude_deg: float = 0.0
    altitude_m: float = 0.0
    east_yaw_rad: float = 0.0
    noise_m: float = 0.0
    drift_m: float = 0.0
    drift_time_s: float = 60.0
    outage: float = 0.0
    outage_s: float = 5.0

    def sdf(self) -> SdfSensor:
        """A satellite receiver; the datum of the world is no matter of a sensor in SDF."""
        noise = f'<noise type="gaussian"><mean>0</mean><stddev>{self.noise_m!r}</stddev></noise>'
        sensing = f"<horizontal>{noise}</horizontal><vertical>{noise}</vertical>"
        return SdfSensor(
            "navsat",
            f"<pose>{self.x_m!r} 0 {self.z_m!r} 0 0 0</pose><navsat><position_sensing>{sensing}</position_sensing>"
            "</navsat>",
        )

    def mounting(self) -> Mounting:
        """Of the antenna."""
        return Mounting(self.x_m, 0.0, self.z_m)


@dataclass(frozen=True, slots=True)
class InertialUnit(Sensor):
    """Yaw rate and attitude, with white noise and a constant bias drawn per run.

    Its ``linear_acceleration`` is gravity as the measured attitude has it, and the change of speed along the robot.
    With ``accelerometer`` it is what an accelerometer at the middle of the axle, on the ground, feels on all three axes
    (the mean since the last sample: turns push outwards, slopes tilt gravity), with white noise of
    ``acceleration_noise_mps2`` and a constant bias of each axis drawn per run, ``acceleration_bias_mps2``.
    """

    yaw_rate_noise_radps: float = 0.0
    yaw_rate_bias_radps: float = 0.0
    attitude_noise_rad: float = 0.0
    accelerometer: bool = False
    acceleration_noise_mps2: float = 0.0
    acceleration_bias_mps2: float = 0.0

    def sdf(self) -> SdfSensor:
        """An IMU in the middle of the base."""
        return SdfSensor("imu")


@dataclass(frozen=True, slots=True)
class Bumper(Sensor):
    """Reports contact of the footprint with a solid body."""

    def sdf(self) -> SdfSensor:
        """Contacts of the body's collision shape."""
        return SdfSensor("contact", "<contact><collision>body</collision></contact>")
