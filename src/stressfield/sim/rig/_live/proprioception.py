"""Sensors that feel the robot itself, brought to life: odometers, inertial unit, bumper."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stressfield.bus.messages import (
    NO_COVARIANCE_9,
    NO_COVARIANCE_36,
    BoolMsg,
    Header,
    Imu,
    Odometry,
    Point,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    Quaternion,
    Time,
    Twist,
    TwistWithCovariance,
    Vector3,
)
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig._draws import plain_normals
from stressfield.sim.rig._live.accelerometer import accelerometer_of
from stressfield.sim.rig._live.frames import OdometryFrames, quaternion
from stressfield.sim.rig.mount import Mount, Sample
from stressfield.world import Bumper, InertialUnit, Odometer, PoseSensor, VisualOdometer


class LiveOdometer:
    """Dead reckoning from (0, 0, 0) at the start: of the wheels, or of the true motion for visual odometry.

    The error of distance is a random walk: its standard deviation is ``distance_noise`` after one metre, twice that
    after four; so is the error of the turn, and of a robot that can, of the way sideways.
    """

    def __init__(self, spec: Odometer | VisualOdometer, mount: Mount) -> None:
        wheels = isinstance(spec, Odometer)
        columns = slice(k.WHEEL_PATH, k.WHEEL_ANGLE + 1) if wheels else slice(k.TRUE_PATH, k.TRUE_ANGLE + 1)
        self._moved = mount.place.state[mount.robot, columns]
        # Only a robot that can move sideways has a third error: those of others stay as they are without it.
        sideways = mount.scenario.world.robots[mount.robot].robot.drive.is_omnidirectional
        aside = k.WHEEL_SIDE if wheels else k.TRUE_DRIFT
        self._aside = mount.place.state[mount.robot, aside : aside + 1] if sideways else None
        self._noise = plain_normals(mount.generator(type(spec).__name__, spec.topic), 3 if sideways else 2)
        self._distance_noise, self._turn_noise = spec.distance_noise, spec.turn_noise
        self._distance_scale, self._turn_scale = spec.distance_scale, spec.turn_scale
        self._rate = spec.rate_hz
        self._path = self._angle = self._drift = 0.0
        self._x = self._y = self._yaw = 0.0
        self._frame, self._child = f"{mount.name}/odom", f"{mount.name}/base_link"
        self._frames = OdometryFrames(spec, mount)

    def companions(self) -> Sequence[tuple[str, Sample]]:
        """The same as TF, if that was asked for."""
        return self._frames.said()

    def sample(self, time: Time) -> Odometry:
        """Pose and twist now."""
        path, angle = self._moved.tolist()
        along, turn = path - self._path, angle - self._angle
        self._path, self._angle = path, angle
        along, turn = along * self._distance_scale, turn * self._turn_scale
        noise = self._noise()
        along += self._distance_noise * math.sqrt(abs(along)) * noise[0]
        turn += self._turn_noise * math.sqrt(abs(turn)) * noise[1]
        middle = self._yaw + turn / 2.0
        self._x += along * math.cos(middle)
        self._y += along * math.sin(middle)
        aside = 0.0
        if self._aside is not None:
            drift = float(self._aside[0])
            aside, self._drift = (drift - self._drift) * self._distance_scale, drift
            aside += self._distance_noise * math.sqrt(abs(aside)) * noise[2]
            self._x -= aside * math.sin(middle)
            self._y += aside * math.cos(middle)
        self._yaw += turn
        half, rate = self._yaw / 2.0, self._rate
        pose = Pose(Point(self._x, self._y, 0.0), Quaternion(0.0, 0.0, math.sin(half), math.cos(half)))
        twist = Twist(Vector3(along * rate, aside * rate, 0.0), Vector3(0.0, 0.0, turn * rate))
        self._frames.pose = pose
        return Odometry(
            Header(time, self._frame),
            self._child,
            PoseWithCovariance(pose, NO_COVARIANCE_36),
            TwistWithCovariance(twist, NO_COVARIANCE_36),
        )


class LiveInertialUnit:
    """Yaw rate, attitude and acceleration. Its yaw is the sum of measured yaw rates: zero at the start, drifting."""

    def __init__(self, spec: InertialUnit, mount: Mount) -> None:
        rng = mount.generator("inertial unit", spec.topic)
        self._bias = spec.yaw_rate_bias_radps * float(rng.standard_normal())
        self._noise = plain_normals(rng, 3)
        self._rate = spec.rate_hz
        self._yaw_rate_noise, self._attitude_noise = spec.yaw_rate_noise_radps, spec.attitude_noise_rad
        self._tilt = mount.place.state[mount.robot, k.ROLL : k.PITCH + 1]
        self._motion = mount.place.state[mount.robot, k.TRUE_SPEED : k.TRUE_ANGLE + 1]
        self._yaw = 0.0
        self._angle = 0.0
        self._speed = 0.0
        self._frame = f"{mount.name}/base_link"
        self._accelerometer = accelerometer_of(spec, mount)

    def sample(self, time: Time) -> Imu:
        """Measurements now; the yaw rate is the mean since the last sample."""
        speed, *_, angle = self._motion.tolist()
        roll, pitch = self._tilt.tolist()
        rate = self._rate
        of_rate, of_roll, of_pitch = self._noise()
        yaw_rate = (angle - self._angle) * rate + self._bias + self._yaw_rate_noise * of_rate
        roll += self._attitude_noise * of_roll
        pitch += self._attitude_noise * of_pitch
        push = (speed - self._speed) * rate
        self._angle, self._speed = angle, speed
        self._yaw += yaw_rate / rate
        g, cp = k.GRAVITY_MPS2, math.cos(pitch)
        force = Vector3(push - g * math.sin(pitch), g * cp * math.sin(roll), g * cp * math.cos(roll))
        if self._accelerometer is not None:
            force = self._accelerometer.felt()
        return Imu(
            Header(time, self._frame),
            quaternion(roll, pitch, self._yaw),
            NO_COVARIANCE_9,
            Vector3(0.0, 0.0, yaw_rate),
            NO_COVARIANCE_9,
            force,
            NO_COVARIANCE_9,
        )


class LivePoseSensor:
    """Position and attitude in the world, with white noise on each of the six numbers."""

    def __init__(self, spec: PoseSensor, mount: Mount) -> None:
        self._pose = mount.place.state[mount.robot, : k.YAW + 1]
        self._noise = plain_normals(mount.generator("pose sensor", spec.topic), 6)
        self._scale = (spec.position_noise_m,) * 3 + (spec.attitude_noise_rad,) * 3

    def sample(self, time: Time) -> PoseStamped:
        """Where the robot is now."""
        x, y, z, roll, pitch, yaw = (
            value + scale * off
            for value, scale, off in zip(self._pose.tolist(), self._scale, self._noise(), strict=True)
        )
        return PoseStamped(Header(time, "world"), Pose(Point(x, y, z), quaternion(roll, pitch, yaw)))


class LiveBumper:
    """True while the footprint touches something that blocks it, at any tick since the last sample.

    A bumper does not feel what gives way (``Body.gives_way``: plants, stakes).
    """

    def __init__(self, spec: Bumper, mount: Mount) -> None:
        del spec
        self._truth = mount.place.truth[mount.robot]
        self._blocks = mount.place.blocks
        self._felt = False

    def feel(self) -> None:
        """Note a contact; called after every tick."""
        touched = self._truth[10]
        if touched != -1.0 and (touched < -1.0 or self._blocks[int(touched)]):
            self._felt = True

    def sample(self, time: Time) -> BoolMsg:
        """Whether there was contact since the last sample."""
        del time
        felt, self._felt = self._felt, False
        return BoolMsg(felt)
