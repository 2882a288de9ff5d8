"""Frames as TF: those of odometry, and where sensors sit; the map; attitudes as quaternions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stressfield.bus.messages import (
    Header,
    MapMetaData,
    OccupancyGrid,
    Point,
    Pose,
    Quaternion,
    TFMessage,
    Time,
    Transform,
    TransformStamped,
    Vector3,
)
from stressfield.errors import InputError
from stressfield.sim.rig.mount import Mount, Sample
from stressfield.world import MapServer, OccupancyMap, Odometer, StaticFrames, VisualOdometer


class LiveStaticFrames:
    """Says where all sensors of the robot sit that have a frame of their own."""

    def __init__(self, spec: StaticFrames, mount: Mount) -> None:
        del spec
        base = f"{mount.name}/base_link"
        sensors = mount.scenario.world.robots[mount.robot].robot.sensors
        self._frames = [
            (base, f"{mount.name}/{sensor.topic.strip('/')}", Transform(Vector3(*at[:3]), quaternion(*at[3:])))
            for sensor in sensors
            if (at := sensor.mounting()) is not None
        ]

    def sample(self, time: Time) -> TFMessage:
        """They do not change."""
        return TFMessage(tuple(TransformStamped(Header(time, above), child, at) for above, child, at in self._frames))


class LiveMapServer:
    """Says what the map is."""

    def __init__(self, spec: MapServer, mount: Mount) -> None:
        self._frame = spec.frame_id
        self._map = OccupancyMap.of(
            mount.scenario.world, resolution_m=spec.resolution_m, margin_m=spec.margin_m, height_m=spec.height_m
        )

    def sample(self, time: Time) -> OccupancyGrid:
        """The map; what moves is not in it."""
        return occupancy_grid(self._map, Header(time, self._frame))


def occupancy_grid(grid: OccupancyMap, header: Header) -> OccupancyGrid:
    """A map as a message."""
    rows, columns = grid.cells.shape
    x, y, yaw = grid.origin
    origin = Pose(Point(x, y, 0.0), Quaternion(0.0, 0.0, math.sin(yaw / 2.0), math.cos(yaw / 2.0)))
    return OccupancyGrid(
        header, MapMetaData(header.stamp, grid.resolution_m, columns, rows, origin), grid.cells.reshape(-1).copy()
    )


class OdometryFrames:
    """What an odometer last said, as TF: where the robot is in the odometry's frame, and where that is in the world.

    ``pose`` is set with every sample.
    """

    def __init__(self, spec: Odometer | VisualOdometer, mount: Mount) -> None:
        if spec.map_frame and not spec.tf_topic:
            raise InputError(
                f"The {type(spec).__name__} on {spec.topic!r} has a map_frame {spec.map_frame!r} and no tf_topic; "
                "wanted both, e.g. tf_topic='/tf'."
            )
        self.pose = Pose()
        self._topic, self._map = spec.tf_topic, spec.map_frame
        self._odom, self._base = f"{mount.name}/odom", f"{mount.name}/base_link"
        self._truth = mount.place.truth[mount.robot]

    def said(self) -> Sequence[tuple[str, Sample]]:
        """The topic of TF, if it was asked for."""
        return ((self._topic, self._frames),) if self._topic else ()

    def _frames(self, time: Time) -> TFMessage:
        at, turn = self.pose.position, self.pose.orientation
        base = TransformStamped(Header(time, self._odom), self._base, Transform(Vector3(at.x, at.y, at.z), turn))
        if not self._map:
            return TFMessage((base,))
        return TFMessage((TransformStamped(Header(time, self._map), self._odom, self._in_the_world()), base))

    def _in_the_world(self) -> Transform:
        """Of the odometry's frame: the true pose of the robot, with what the odometer said of it taken back."""
        x, y, z, qx, qy, qz, qw = self._truth[:7].tolist()
        at, said = self.pose.position, self.pose.orientation
        turn = times(Quaternion(qx, qy, qz, qw), Quaternion(-said.x, -said.y, -said.z, said.w))
        back = rotated(turn, Vector3(at.x, at.y, at.z))
        return Transform(Vector3(x - back.x, y - back.y, z - back.z), turn)


def times(first: Quaternion, second: Quaternion) -> Quaternion:
    """One rotation after another: ``second`` is done first."""
    a, b = first, second
    return Quaternion(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )


def rotated(turn: Quaternion, vector: Vector3) -> Vector3:
    """A vector, turned."""
    there = times(times(turn, Quaternion(vector.x, vector.y, vector.z, 0.0)), _back(turn))
    return Vector3(there.x, there.y, there.z)


def _back(turn: Quaternion) -> Quaternion:
    return Quaternion(-turn.x, -turn.y, -turn.z, turn.w)


def quaternion(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Attitude from roll, pitch (nose down positive) and yaw, as in ROS."""
    cr, sr = math.cos(roll / 2.0), math.sin(roll / 2.0)
    cp, sp = math.cos(pitch / 2.0), math.sin(pitch / 2.0)
    cy, sy = math.cos(yaw / 2.0), math.sin(yaw / 2.0)
    return Quaternion(
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    )
