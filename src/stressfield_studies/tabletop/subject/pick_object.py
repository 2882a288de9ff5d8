"""The action ``pick_object``: choose a grasp, approach, close, lift."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus import Link, Node
from stressfield.bus.messages import JointState, PointCloud2
from stressfield.seeds import generator
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.builds import BIAS_M, CLIP_M, OFFSET_M, Issues
from stressfield_studies.tabletop.messages import (
    ABORTED,
    PICK_OBJECT,
    SUCCEEDED,
    Capture,
    Grip,
    PerceivedObject,
    PickObjectGoal,
    PickObjectResult,
    goal_topic,
)
from stressfield_studies.tabletop.subject.arm import Arm, Check, Fingers, Motion, Stage, between
from stressfield_studies.tabletop.subject.carry import carry
from stressfield_studies.tabletop.subject.grasp import Grasp, Reach, candidates, choose, over, reach
from stressfield_studies.tabletop.subject.kinematics import HOME, forward, line
from stressfield_studies.tabletop.subject.middleware import Middleware
from stressfield_studies.tabletop.subject.perception import perceive

OPEN_M = 2.0 * robot.FINGER_MAX_M
EMPTY_M = 0.012


class PickObject(Node):
    """One goal at a time."""

    name = PICK_OBJECT

    def __init__(self, issues: Issues, *, fits_later: Callable[[Grip], bool] = lambda _: True) -> None:
        self._issues = issues
        self._fits_later = fits_later
        self._goal: PickObjectGoal | None = None
        self._looking = False

    def setup(self, link: Link) -> None:
        """Listen to goals, joints and the camera."""
        self._link = link
        self._actions = Middleware(link, self._issues)
        self._arm = Arm(link)
        link.subscribe(goal_topic(PICK_OBJECT), self.on_goal)
        link.subscribe(robot.JOINTS, self.on_joints, depth=1)
        link.subscribe(robot.CLOUD, self.on_cloud)

    def on_goal(self, goal: PickObjectGoal) -> None:
        """Go to work, or look first if nobody has."""
        self._goal = goal
        self._actions.feedback(PICK_OBJECT, goal.goal_id, "received")
        if goal.found and goal.plane_height:
            self._pick(goal.found[0], goal.plane_height[0].data, goal.others)
        elif goal.plane_height:
            self._end(f"no {goal.kind} was perceived")
        else:
            self._looking = True
            self._link.publish(robot.CAPTURE, Capture(self._actions.header()))

    def on_joints(self, message: JointState) -> None:
        """The arm goes on; between goals, note where others have left it."""
        if not self._arm.busy:
            self._arm.target = message.position[:7].copy()
        self._arm.hear(message)

    def on_cloud(self, cloud: PointCloud2) -> None:
        """What it sees when it looks for itself."""
        if not self._looking or self._goal is None:
            return
        self._looking = False
        bias_m = BIAS_M if self._issues.bias else 0.0
        seen = perceive(cloud, generator("ransac", self._goal.goal_id), bias_m=bias_m)
        if seen is None:
            self._end("no plane in sight")
            return
        found, others = split(seen.objects, self._goal.kind)
        if found is None:
            self._end(f"no {self._goal.kind} in sight")
            return
        self._pick(found, seen.height_m, others)

    def _pick(self, thing: PerceivedObject, plane_m: float, others: tuple[PerceivedObject, ...]) -> None:
        way = self._way(thing, plane_m, others)
        if way is None:
            self._end(f"the arm cannot reach the {thing.kind}")
            return
        self._line, self._folded = way.line, way.folded
        grasp = way.grasp
        self._grip = _grip(grasp, thing, plane_m)
        high_m = float(forward(way.line[0]).position[2])
        approach: list[Stage] = [between(self._arm.target, way.folded)]
        aside = self._from_aside(way) if self._issues.clip else None
        if aside is None:
            approach += [between(way.folded, way.line[0]), Motion(way.line, slow=True)]
        else:
            approach += [between(way.folded, aside[0]), Motion(aside, slow=True)]
        stages: list[Stage] = [
            Fingers(OPEN_M),
            *approach,
            Fingers(0.0),
            Check(self._closed),
            Motion(way.line[::-1], slow=True),
            Check(self._closed),
            *carry(way.line, high_m, grasp.slant, self._grip.foot),
            Check(self._closed),
        ]
        self._arm.do(stages, self._after)

    def _way(self, thing: PerceivedObject, plane_m: float, others: tuple[PerceivedObject, ...]) -> Reach | None:
        if not (self._issues.clip or self._issues.offset):
            return choose(thing, plane_m, others, suits=lambda grasp: self._fits_later(_grip(grasp, thing, plane_m)))
        for grasp in candidates(thing, plane_m, () if self._issues.clip else others):
            found = reach(self._moved(grasp), over(plane_m, (thing, *others)))
            if found is not None:
                return found
        return None

    def _from_aside(self, way: Reach) -> Floats | None:
        """The way of the fault ``clip``: rows of joints to the grasp along the line of the fingers."""
        for aside_m in (sign * far for far in CLIP_M for sign in (1.0, -1.0)):
            pose = way.grasp.pose.moved(aside_m * way.grasp.pose.rotation[:, 1])
            rows = line(way.line[-1], pose, rest=way.line[-1])
            if rows is not None:
                return rows[::-1]
        return None

    def _moved(self, grasp: Grasp) -> Grasp:
        if not self._issues.offset:
            return grasp
        aside = OFFSET_M * grasp.pose.rotation[:, 0]
        aside = aside - np.array([0.0, 0.0, aside[2]])
        return Grasp(grasp.pose.moved(aside), grasp.before.moved(aside), grasp.slant, grasp.room_m, grasp.yaw)

    def _closed(self) -> str | None:
        return None if self._arm.width_m > EMPTY_M else "nothing is in the gripper"

    def _after(self, problem: str | None) -> None:
        if problem is None:
            self._end(None)
        else:
            stages: list[Stage] = [Fingers(OPEN_M)]
            if np.array_equal(self._arm.target, self._line[-1]):
                stages.append(Motion(self._line[::-1]))
            stages.append(between(self._line[0], self._folded))
            stages.append(between(self._folded, HOME))
            self._arm.do(stages, lambda _: self._end(problem))

    def _end(self, problem: str | None) -> None:
        if self._goal is None:
            return
        status = SUCCEEDED if problem is None else ABORTED
        held = (self._grip,) if problem is None else ()
        result = PickObjectResult(self._actions.header(), self._goal.goal_id, status, problem or "picked", held)
        self._goal = None
        self._actions.send_result(PICK_OBJECT, result)


def _grip(grasp: Grasp, thing: PerceivedObject, plane_m: float) -> Grip:
    """How an object is held by a grasp."""
    foot_m = float(grasp.pose.position[2]) + robot.ARM_Z_M - plane_m
    return Grip(grasp.slant, foot_m, max(thing.length, thing.width) / 2.0)


def split(
    objects: tuple[PerceivedObject, ...], kind: str
) -> tuple[PerceivedObject | None, tuple[PerceivedObject, ...]]:
    """The object of a kind (the one seen best), and all others."""
    those = sorted((thing for thing in objects if thing.kind == kind), key=lambda thing: -thing.points)
    if not those:
        return None, objects
    return those[0], tuple(thing for thing in objects if thing is not those[0])
