"""One small drive as others would record it, written by rosbags, not by us: frames, odometry, scans, a map, texts.

Scans are made for a room of 12 m x 10 m: drawn in the right place, their points lie on its walls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

START_S = 1_700_000_000.0
STEPS = 300
EVIL = "<img src=x onerror=\"document.title='owned'\">"
HALF_X_M, HALF_Y_M = 6.0, 5.0
LASER_M = 0.2


class Drive:
    """Messages of one type store, ROS 2's or ROS 1's."""

    def __init__(self, store: Any, *, ros1: bool, words: str = EVIL) -> None:
        self.types, self.ros1, self.words = store.types, ros1, words

    def make(self, kind: str, *values: Any, **named: Any) -> Any:
        package, name = kind.split("/")
        return self.types[f"{package}/msg/{name}"](*values, **named)

    def header(self, time_s: float, frame: str) -> Any:
        stamp = self.make("builtin_interfaces/Time", int(time_s), int((time_s % 1) * 1e9))
        sequence = {"seq": 0} if self.ros1 else {}
        return self.make("std_msgs/Header", **sequence, stamp=stamp, frame_id=frame)

    def turn(self, yaw: float) -> Any:
        return self.make("geometry_msgs/Quaternion", x=0.0, y=0.0, z=math.sin(yaw / 2), w=math.cos(yaw / 2))

    def pose(self, x: float, y: float, yaw: float = 0.0) -> Any:
        return self.make("geometry_msgs/Pose", self.make("geometry_msgs/Point", x=x, y=y, z=0.0), self.turn(yaw))

    def vector(self, x: float, y: float, z: float) -> Any:
        return self.make("geometry_msgs/Vector3", x=x, y=y, z=z)

    def frames(self, time_s: float, *links: tuple[str, str, float, float, float]) -> Any:
        return self.make("tf2_msgs/TFMessage", [
            self.make(
                "geometry_msgs/TransformStamped", self.header(time_s, parent), child,
                self.make("geometry_msgs/Transform", self.vector(x, y, 0.3), self.turn(yaw)),
            )
            for parent, child, x, y, yaw in links
        ])  # fmt: skip

    def messages(self) -> Iterator[tuple[str, Any, float]]:
        yield "/tf_static", self.frames(START_S, ("base_link", "laser", LASER_M, 0.0, 0.0)), START_S
        cells = np.zeros((100, 120), np.int8)
        cells[0] = cells[-1] = cells[:, 0] = cells[:, -1] = 100
        nought = self.make("builtin_interfaces/Time", 0, 0)
        info = self.make("nav_msgs/MapMetaData", nought, 0.1, 120, 100, self.pose(-HALF_X_M, -HALF_Y_M))
        yield "/map", self.make("nav_msgs/OccupancyGrid", self.header(START_S, "map"), info, cells.reshape(-1)), START_S
        for step in range(STEPS):
            yield from self.moment(step, START_S + step * 0.1)

    def moment(self, step: int, time_s: float) -> Iterator[tuple[str, Any, float]]:
        angle = step / STEPS * 2 * math.pi
        x, y, yaw = 3.5 * math.cos(angle), 3.5 * math.sin(angle), angle + math.pi / 2
        links = (("map", "odom", 0.5, 0.0, 0.0), ("odom", "base_link", x - 0.5, y, yaw))
        yield "/tf", self.frames(time_s, *links), time_s
        none = np.zeros(36)
        twist = self.make("geometry_msgs/Twist", self.vector(0.73, 0.0, 0.0), self.vector(0.0, 0.0, 0.21))
        yield "/odom", self.make(
            "nav_msgs/Odometry", self.header(time_s, "odom"), "base_link",
            self.make("geometry_msgs/PoseWithCovariance", self.pose(x - 0.5, y, yaw), none),
            self.make("geometry_msgs/TwistWithCovariance", twist, none),
        ), time_s  # fmt: skip
        at = (x + LASER_M * math.cos(yaw), y + LASER_M * math.sin(yaw))
        rays = [_to_wall(*at, yaw + (ray - 90) * math.pi / 180) for ray in range(181)]
        yield "/scan", self.make(
            "sensor_msgs/LaserScan", self.header(time_s, "laser"), -math.pi / 2, math.pi / 2, math.pi / 180, 0.0, 0.1,
            0.1, 20.0, np.array(rays, np.float32), np.zeros(0, np.float32),
        ), time_s  # fmt: skip
        if step % 50 == 0:
            ahead = [(3.5 * math.cos(angle + more), 3.5 * math.sin(angle + more)) for more in np.linspace(0, 1, 12)]
            header = self.header(time_s, "map")
            poses = [self.make("geometry_msgs/PoseStamped", header, self.pose(*point)) for point in ahead]
            yield "/plan", self.make("nav_msgs/Path", header, poses), time_s
            yield "/note", self.make("std_msgs/String", data=f"lap {step // 50} {self.words}"), time_s
        if step == 150:
            grey = np.zeros(640 * 480, np.uint8)
            yield "/image", self.make(
                "sensor_msgs/Image", self.header(time_s, "laser"), 480, 640, "mono8", 0, 640, grey
            ), time_s  # fmt: skip


def _to_wall(x: float, y: float, angle: float) -> float:
    """How far it is from a point in the room to its wall."""
    c, s = math.cos(angle), math.sin(angle)
    ways = [((math.copysign(HALF_X_M, c)) - x) / c if abs(c) > 1e-9 else math.inf]
    ways.append(((math.copysign(HALF_Y_M, s)) - y) / s if abs(s) > 1e-9 else math.inf)
    return min(ways)


def write_rosbag2(folder: Path, storage: StoragePlugin, *, words: str = EVIL) -> Path:
    """As ``ros2 bag record`` would; the file with the messages."""
    store = get_typestore(Stores.ROS2_HUMBLE)
    made: dict[str, Any] = {}
    with Writer2(folder, version=8, storage_plugin=storage) as writer:
        for topic, message, time_s in Drive(store, ros1=False, words=words).messages():
            kind = message.__msgtype__
            if topic not in made:
                made[topic] = writer.add_connection(topic, kind, typestore=store)
            writer.write(made[topic], int(time_s * 1e9), store.serialize_cdr(message, kind))
    return next(path for path in folder.iterdir() if path.suffix in {".db3", ".mcap"})


def write_bag1(path: Path) -> Path:
    """A bag of ROS 1, compressed with LZ4."""
    store = get_typestore(Stores.ROS1_NOETIC)
    store.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms", "tf2_msgs/msg/TFMessage"))
    made: dict[str, Any] = {}
    writer = Writer1(path)
    writer.set_compression(Writer1.CompressionFormat.LZ4)
    with writer:
        for topic, message, time_s in Drive(store, ros1=True).messages():
            kind = message.__msgtype__
            if topic not in made:
                made[topic] = writer.add_connection(topic, kind, typestore=store)
            writer.write(made[topic], int(time_s * 1e9), store.serialize_ros1(message, kind))
    return path
