"""Where the robot is: odometry and gyroscope between scans, scans matched against the map."""

from __future__ import annotations

from math import atan2, cos, pi, sin

import numpy as np

from stressfield.arrays import cosines, sines
from stressfield.bus import Link, Node
from stressfield.bus.messages import (
    Header,
    Imu,
    LaserScan,
    Odometry,
    Point,
    Pose,
    PoseWithCovariance,
    PoseWithCovarianceStamped,
    Quaternion,
)
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.mission import HospitalMission, Place
from stressfield_studies.hospital.subject.floor_map import floor_map
from stressfield_studies.hospital.subject.kernels import match, scan_points, search

STRIDE = 4
HELD = np.array([0.05, 0.05, 0.08])
"""How far a match may pull the pose from odometry: standard deviations in x, y and yaw."""
GOOD_SHARE = 0.6
LOST_AFTER = 5
SEARCH_REACH = np.array([0.4, 0.5])
SEARCH_STEPS = 5
SURE, UNSURE = 0.02, 0.3


class Localiser(Node):
    """Starts at its charger. After ``LOST_AFTER`` scans that do not fit the map it looks around for a better place.

    A robot that other robots surround, or that was pushed far from where its wheels say, may stay lost.
    """

    def __init__(self, mission: HospitalMission, name: str, home: Place) -> None:
        self.name = f"{name}/amcl"
        self._robot = name
        plan = floor_map(mission)
        self._map = (plan.distance, plan.grid)
        self._pose = np.array([home.x_m, home.y_m, home.yaw_rad])
        angles = 2.0 * pi * np.arange(robot.RAYS) / robot.RAYS
        self._table = np.stack([cosines(angles), sines(angles)], axis=1)
        self._points = np.empty((robot.RAYS // STRIDE + 1, 2))
        self._odometry: Odometry | None = None
        self._before = (0.0, 0.0, 0.0)
        self._gyro_yaw: float | None = None
        self._yaw_before: float | None = None
        self._misfits = 0

    def setup(self, link: Link) -> None:
        """Listen to wheels, gyroscope and lidar."""
        self._link = link
        self._topic = robot.topic(self._robot, robot.POSE)
        link.subscribe(robot.topic(self._robot, robot.ODOMETRY), self._on_odometry, depth=2)
        link.subscribe(robot.topic(self._robot, robot.INERTIAL), self._on_inertial, depth=2)
        link.subscribe(robot.topic(self._robot, robot.SCAN), self._on_scan, depth=1)

    def _on_odometry(self, message: Odometry) -> None:
        self._odometry = message

    def _on_inertial(self, message: Imu) -> None:
        self._gyro_yaw = 2.0 * atan2(message.orientation.z, message.orientation.w)

    def _on_scan(self, scan: LaserScan) -> None:
        self._predict()
        count = scan_points(self._points, scan.ranges, self._table, STRIDE, robot.CENTRE_M)
        share = match(self._pose, self._points, count, *self._map, HELD)
        self._misfits = 0 if share >= GOOD_SHARE else self._misfits + 1
        if self._misfits >= LOST_AFTER:
            self._misfits = 0
            search(self._pose, self._points, count, *self._map, SEARCH_REACH, SEARCH_STEPS)
            share = match(self._pose, self._points, count, *self._map, HELD)
        self._publish(scan, share)

    def _predict(self) -> None:
        """Move the pose by what the wheels did since the last scan; turn it as the gyroscope says."""
        message = self._odometry
        if message is None:
            return
        place, turned = message.pose.pose.position, message.pose.pose.orientation
        now = (place.x, place.y, 2.0 * atan2(turned.z, turned.w))
        before, self._before = self._before, now
        along = (now[0] - before[0]) * cos(before[2]) + (now[1] - before[1]) * sin(before[2])
        turn = now[2] - before[2]
        if self._gyro_yaw is not None:
            if self._yaw_before is not None:
                turn = self._gyro_yaw - self._yaw_before
            self._yaw_before = self._gyro_yaw
        turn = (turn + pi) % (2.0 * pi) - pi
        middle = self._pose[2] + turn / 2.0
        self._pose[0] += along * cos(middle)
        self._pose[1] += along * sin(middle)
        self._pose[2] = (self._pose[2] + turn + pi) % (2.0 * pi) - pi

    def _publish(self, scan: LaserScan, share: float) -> None:
        x, y, yaw = self._pose.tolist()
        variance = (SURE if share >= GOOD_SHARE else UNSURE) ** 2
        covariance = (variance, *(0.0,) * 6, variance, *(0.0,) * 27, variance)
        pose = Pose(Point(x, y, 0.0), Quaternion(0.0, 0.0, sin(yaw / 2.0), cos(yaw / 2.0)))
        header = Header(scan.header.stamp, "map")
        self._link.publish(self._topic, PoseWithCovarianceStamped(header, PoseWithCovariance(pose, covariance)))
