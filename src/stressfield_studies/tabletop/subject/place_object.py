"""The action ``place_object``: find a free spot, lower, open, retreat."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot, pi

import numpy as np

from stressfield.bus import Link, Node
from stressfield.bus.messages import JointState
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.builds import Issues
from stressfield_studies.tabletop.messages import (
    PLACE_OBJECT,
    Grip,
    PerceivedObject,
    PlaceObjectGoal,
    goal_topic,
)
from stressfield_studies.tabletop.subject.arm import Arm, Check, Fingers, Motion, between
from stressfield_studies.tabletop.subject.grasp import (
    APPROACH_M,
    FINGER_M,
    HAND_HALF_M,
    TOP_SLANT,
    Grasp,
    Reach,
    over,
    reach,
)
from stressfield_studies.tabletop.subject.kinematics import HOME, ToolPose, downwards, slanted
from stressfield_studies.tabletop.subject.middleware import Middleware
from stressfield_studies.tabletop.subject.pick_object import EMPTY_M, OPEN_M

DROP_M = 0.006
ENOUGH_M = 0.12
LEAST_M = 0.015
_AHEAD_M = (0.54, 0.48, 0.60, 0.66)
_ASIDE_M = (0.0, 0.07, -0.07, 0.14, -0.14, 0.21, -0.21, 0.28, -0.28, 0.35, -0.35)


class PlaceObject(Node):
    """One goal at a time. It counts on the robot standing before the surface."""

    name = PLACE_OBJECT

    def __init__(self, issues: Issues) -> None:
        self._issues = issues
        self._goal: PlaceObjectGoal | None = None

    def setup(self, link: Link) -> None:
        """Listen to goals and joints."""
        self._actions = Middleware(link, self._issues)
        self._arm = Arm(link)
        link.subscribe(goal_topic(PLACE_OBJECT), self.on_goal)
        link.subscribe(robot.JOINTS, self.on_joints, depth=1)

    def on_joints(self, message: JointState) -> None:
        """The arm goes on; between goals, note where others have left it."""
        if not self._arm.busy:
            self._arm.target = message.position[:7].copy()
        self._arm.hear(message)

    def on_goal(self, goal: PlaceObjectGoal) -> None:
        """Go to work if something is in the gripper."""
        self._goal = goal
        self._actions.feedback(PLACE_OBJECT, goal.goal_id, "received")
        if not goal.held or self._arm.width_m <= EMPTY_M:
            self._end("nothing is in the gripper")
            return
        if not goal.plane_height:
            self._end("no plane was perceived")
            return
        way = spot(goal.held[0], goal.plane_height[0].data, goal.others)
        if way is None:
            self._end("no free spot within reach")
            return
        ahead = self._arm.target.copy()
        ahead[0] = way.line[0, 0]
        self._arm.do(
            [
                Check(self._held),
                between(self._arm.target, ahead),
                between(ahead, way.line[0]),
                Motion(way.line, slow=True),
                Fingers(OPEN_M),
                Motion(way.line[::-1], slow=True),
                between(way.line[0], way.folded),
                between(way.folded, HOME),
            ],
            self._end,
        )

    def _held(self) -> str | None:
        return None if self._arm.width_m > EMPTY_M else "nothing is in the gripper"

    def _end(self, problem: str | None) -> None:
        if self._goal is not None:
            goal_id, self._goal = self._goal.goal_id, None
            self._actions.end(PLACE_OBJECT, goal_id, problem)


def spot(held: Grip, plane_m: float, others: Sequence[PerceivedObject]) -> Reach | None:
    """The way to the spot with the most room (enough is enough) that the arm can reach."""
    spots = [(x, y) for x in _AHEAD_M for y in _ASIDE_M]
    spots.sort(key=lambda at: -min(_room(at, held, others), ENOUGH_M))
    for x, y in spots:
        if _room((x, y), held, others) < LEAST_M:
            return None
        way = reach(_lowered(x - robot.ARM_X_M, y, held, plane_m), over(plane_m, others, carried_m=held.foot))
        if way is not None:
            return way
    return None


def _room(at: tuple[float, float], held: Grip, others: Sequence[PerceivedObject]) -> float:
    """Room between the hand, which may be wider than the object, and all that stands there."""
    rooms = []
    for neighbour in others:
        half = HAND_HALF_M if neighbour.height > held.foot + 0.02 else max(held.radius, FINGER_M)
        rooms.append(
            hypot(neighbour.x - at[0], neighbour.y - at[1]) - hypot(neighbour.length, neighbour.width) / 2.0 - half
        )
    return min(rooms, default=1.0)


def _lowered(x: float, y: float, held: Grip, plane_m: float) -> Grasp:
    where = np.array([x, y, plane_m + held.foot + DROP_M - robot.ARM_Z_M])
    top = held.slant >= TOP_SLANT
    yaw = atan2(y, x) - pi / 2.0
    pose = ToolPose(where, downwards(yaw) if top else slanted(atan2(y, x), held.slant))
    return Grasp(pose, pose.moved(np.array([0.0, 0.0, APPROACH_M])), held.slant, 0.0, yaw)
