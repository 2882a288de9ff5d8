"""The navigator node: perceives, decides, commands, reports."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from stressfield.bus import Link, Node
from stressfield.bus.messages import (
    BoolMsg,
    DiagnosticStatus,
    Header,
    JointState,
    Odometry,
    Point,
    Pose,
    PoseArray,
    PoseStamped,
    Quaternion,
)
from stressfield_studies.oz import robot
from stressfield_studies.oz.mission import OzMission
from stressfield_studies.oz.subject.issues import Issues
from stressfield_studies.oz.subject.localiser import Localiser
from stressfield_studies.oz.subject.messages import RowEstimate
from stressfield_studies.oz.subject.pilot import Phase, Pilot

OK, ERROR = 0, 2
_NAMES = ("left_wheel", "right_wheel")
_NONE = np.zeros(0)
_LEAST_STAKE_SPACING_M = 0.4
_DOUBLE_FRAMES = 2


class Navigator(Node):
    """Fuses what is sensed, lets the pilot decide, and drives the wheels."""

    name = "navigator"

    def __init__(self, mission: OzMission, issues: Issues) -> None:
        self._issues = issues
        self.where = Localiser(mission, use_visual_odometry=not issues.i6_wheel_odometry_only)
        self.pilot = Pilot(mission, self.where, issues)
        self._reported = False
        self._double_frames = 0

    def setup(self, link: Link) -> None:
        """Listen to everything but the lidar, which the row tracker reads."""
        self._publish = link.publish
        link.subscribe(robot.ODOMETRY, self.on_odometry)
        link.subscribe(robot.VISUAL_ODOMETRY, self.on_visual_odometry)
        link.subscribe(robot.ROW, self.on_row, depth=1)
        link.subscribe(robot.STAKES_LEFT, self.on_stakes)
        link.subscribe(robot.STAKES_RIGHT, self.on_stakes)
        link.subscribe(robot.BUMPER, self.on_bumper)

    def on_odometry(self, message: Odometry) -> None:
        """Move on: the heartbeat of control."""
        self.where.odometry(message)
        speed, turn = self.pilot.speeds()
        self._command(message.header, speed, turn)
        if not self._reported and self.pilot.ended:
            self._report()

    def on_visual_odometry(self, message: Odometry) -> None:
        """Correct for skidding."""
        self.where.visual_odometry(message)

    def on_row(self, message: RowEstimate) -> None:
        """Correct by the rows and tell where we are."""
        self.where.rows(message, correct=self.pilot.trusts_landmarks)
        self._tell_pose(message.header)

    def on_stakes(self, message: PoseArray) -> None:
        """Correct by the stakes."""
        if self._issues.i4_double_vision and self._double(message.poses):
            self.pilot.fail("invalid markers spacing")
        self.where.see_stakes(message.poses, message.header.stamp.ns, correct=self.pilot.trusts_landmarks)

    def on_bumper(self, message: BoolMsg) -> None:
        """Stop on contact with anything rigid."""
        if message.data and self.pilot.phase is not Phase.FAILED:
            self.pilot.fail("bumper")

    def _double(self, poses: tuple[Pose, ...]) -> bool:
        """Two detections closer together than any two rows, frame after frame."""
        near = any(
            (a.position.x - b.position.x) ** 2 + (a.position.y - b.position.y) ** 2 < _LEAST_STAKE_SPACING_M**2
            for i, a in enumerate(poses)
            for b in poses[:i]
        )
        self._double_frames = self._double_frames + 1 if near else 0
        return self._double_frames >= _DOUBLE_FRAMES and self.pilot.phase is Phase.FOLLOW

    def _command(self, header: Header, speed: float, turn: float) -> None:
        half = 0.5 * robot.WHEEL_BASE_M * turn
        wheels = np.array([(speed - half) / robot.WHEEL_RADIUS_M, (speed + half) / robot.WHEEL_RADIUS_M])
        self._publish(robot.WHEELS, JointState(header, _NAMES, _NONE, wheels, _NONE))

    def _tell_pose(self, header: Header) -> None:
        x, y, yaw = self.where.state.tolist()
        pose = Pose(Point(x, y, 0.0), Quaternion(0.0, 0.0, sin(yaw / 2.0), cos(yaw / 2.0)))
        self._publish(robot.PERCEIVED, PoseStamped(header, pose))

    def _report(self) -> None:
        self._reported = True
        if self.pilot.phase is Phase.DONE:
            status = DiagnosticStatus(OK, "mission", "success", "oz")
        else:
            status = DiagnosticStatus(ERROR, "navigation", self.pilot.error or "unknown", "oz")
        self._publish(robot.REPORT, status)
