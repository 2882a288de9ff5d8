"""Where the robot believes it is: odometry, corrected by rows and stakes."""

from __future__ import annotations

from math import atan2, cos, pi, sin

import numpy as np

from stressfield.bus.messages import Odometry, Pose
from stressfield_studies.oz.mission import OzMission
from stressfield_studies.oz.subject.kernels import predict, update_rows, update_stake
from stressfield_studies.oz.subject.messages import RowEstimate
from stressfield_studies.oz.subject.stake_map import StakeMap

_DISTANCE_VARIANCE_PER_M = 0.0004
_TURN_VARIANCE_PER_RAD = 0.0012
_SKID_M = 0.002
_SKID_GAIN = 0.3
_SKID_RAD = 0.006
_ROW_GATE = 25.0
_STAKE_GATE = 16.0
_MIN_ROW_POINTS = 6
_REMEMBERED = 12
_MAX_HEADING_OFF_ROWS = 0.7


def yaw_of(pose: Pose) -> float:
    """Heading of a pose that lies in the plane."""
    return 2.0 * atan2(pose.orientation.z, pose.orientation.w)


def angle(value: float) -> float:
    """The same angle in [-pi, pi)."""
    return (value + pi) % (2.0 * pi) - pi


class Localiser:
    """An extended Kalman filter over x, y and heading in the field's frame."""

    def __init__(self, mission: OzMission, *, use_visual_odometry: bool) -> None:
        self.state = np.array([mission.start_x_m, mission.start_y_m, 0.0])
        self.cov = np.diag([0.003, 0.001, 0.001])
        self.stakes = StakeMap(mission)
        self.turn_rate_radps = 0.0
        self.skid_radps = 0.0
        """How fast the robot turns against the will of its wheels, by the images."""
        self.row_distance_m = 0.0
        """How far the robot has driven since it last saw a row."""
        self.row: RowEstimate | None = None
        self._row_y = mission.row_y_m
        self._visual = use_visual_odometry
        self._wheel: tuple[float, float, float] | None = None
        self._path = (0.0, 0.0)
        self._path_at: dict[int, tuple[float, float]] = {}
        self._visual_last: tuple[int, float, float, float] | None = None

    def odometry(self, message: Odometry) -> None:
        """Predict the pose from what the wheels did."""
        pose = message.pose.pose
        here = (pose.position.x, pose.position.y, yaw_of(pose))
        last = self._wheel
        self._wheel = here
        self.turn_rate_radps = message.twist.twist.angular.z
        if last is None:
            return
        distance, turn = _step(last, here)
        self._move(distance, turn)
        self.row_distance_m += abs(distance)
        self._path = (self._path[0] + distance, self._path[1] + turn)
        self._path_at[message.header.stamp.ns] = self._path
        if len(self._path_at) > _REMEMBERED:
            del self._path_at[next(iter(self._path_at))]

    def visual_odometry(self, message: Odometry) -> None:
        """Notice skidding: where images and wheels disagree over the last interval, believe the images."""
        if not self._visual:
            return
        pose, stamp = message.pose.pose, message.header.stamp.ns
        here = (pose.position.x, pose.position.y, yaw_of(pose))
        if stamp not in self._path_at:
            return  # the wheels' word for this instant is still under way: wait for the next image
        last, self._visual_last = self._visual_last, (stamp, *here)
        if last is None or last[0] not in self._path_at:
            return
        before, after = self._path_at[last[0]], self._path_at[stamp]
        distance, turn = _step(last[1:], here)
        skid_m = distance - (after[0] - before[0])
        skid_rad = angle(turn - (after[1] - before[1]))
        interval_s = (stamp - last[0]) / 1e9
        self.skid_radps += _SKID_GAIN * (skid_rad / interval_s - self.skid_radps)
        if abs(skid_m) > _SKID_M or abs(skid_rad) > _SKID_RAD:
            self._move(skid_m, skid_rad)

    def rows(self, estimate: RowEstimate, *, correct: bool = True) -> None:
        """Correct sideways position and heading by the rows, if they were seen well enough."""
        self.row = estimate
        along = abs(sin(self.state[2])) < sin(_MAX_HEADING_OFF_ROWS)
        if not along or estimate.points < _MIN_ROW_POINTS:
            return
        self.row_distance_m = 0.0
        if correct and abs(self.turn_rate_radps) < 0.35:
            # rows say nothing of the way along them: what little correlation there is would only let it drift
            self.cov[0, 1:] = self.cov[1:, 0] = 0.0
            update_rows(
                self.state, self.cov, estimate.lateral, estimate.heading,
                estimate.lateral_variance, estimate.heading_variance, _ROW_GATE,
            )  # fmt: skip

    def see_stakes(self, poses: tuple[Pose, ...], seen_ns: int, *, correct: bool = True) -> None:
        """Match sightings with the map, refine both. Of several sightings of one stake the likeliest counts."""
        best: dict[tuple[int, int], tuple[float, float, float, float]] = {}
        c, s = cos(self.state[2]), sin(self.state[2])
        driven, turned = self._since(seen_ns)
        ct, st = cos(turned), sin(turned)
        for pose in poses:
            dx, dy = pose.position.x - driven, pose.position.y
            dx, dy = ct * dx + st * dy, ct * dy - st * dx
            x, y = self.state[0] + c * dx - s * dy, self.state[1] + s * dx + c * dy
            stake = self.stakes.nearest(x, y)
            if stake is None:
                continue
            miss = abs(y - self._row_y[stake[0]]) + 0.3 * abs(x - self.stakes.x[stake[0]][stake[1]])
            if stake not in best or miss < best[stake][0]:
                best[stake] = (miss, dx, dy, x)
        for (row, end), (_, dx, dy, x) in best.items():
            self.stakes.sight(row, end, x, float(self.cov[0, 0]))
            if correct and abs(self.turn_rate_radps) < 0.35:
                update_stake(
                    self.state, self.cov, dx, dy, self.stakes.x[row][end], self._row_y[row],
                    self.stakes.variance[row][end] + 0.002, 0.03, 0.012, _STAKE_GATE,
                )  # fmt: skip

    def _since(self, time_ns: int) -> tuple[float, float]:
        """Distance and turn since an earlier sample: an image is old when its stakes have been found in it."""
        then = self._path_at.get(time_ns)
        if then is None:
            return 0.0, 0.0
        return self._path[0] - then[0], self._path[1] - then[1]

    def assume(self, y_m: float, heading_rad: float) -> None:
        """Take a sideways position and heading for granted (a shortcut of faulty builds)."""
        self.state[1], self.state[2] = y_m, heading_rad
        self.cov[1, :] = self.cov[:, 1] = self.cov[2, :] = self.cov[:, 2] = 0.0
        self.cov[1, 1], self.cov[2, 2] = 0.0005, 0.0005

    def doubt(self) -> None:
        """Start over with the rows that are seen, whichever they are (a shortcut of faulty builds)."""
        self.cov[1, 1] += 0.1
        self.cov[2, 2] += 0.05

    def _move(self, distance: float, turn: float) -> None:
        predict(
            self.state, self.cov, distance, turn,
            _DISTANCE_VARIANCE_PER_M * abs(distance), _TURN_VARIANCE_PER_RAD * abs(turn) + 2e-7,
        )  # fmt: skip


def _step(last: tuple[float, float, float], here: tuple[float, float, float]) -> tuple[float, float]:
    """Signed distance and turn between two odometry poses."""
    dx, dy, turn = here[0] - last[0], here[1] - last[1], angle(here[2] - last[2])
    middle = last[2] + 0.5 * turn
    return dx * cos(middle) + dy * sin(middle), turn
