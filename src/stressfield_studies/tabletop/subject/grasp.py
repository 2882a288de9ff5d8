"""Which way to take an object: from above or from the side, how turned, and the arm's way there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, radians, sin

import numpy as np

from stressfield.arrays import Floats
from stressfield.world import Shape
from stressfield_studies.tabletop.messages import PerceivedObject
from stressfield_studies.tabletop.place.furniture import KINDS
from stressfield_studies.tabletop.robot import ARM_X_M, ARM_Z_M
from stressfield_studies.tabletop.subject.kinematics import HOME, ToolPose, downwards, inverse, line, slanted

TOP_SLANT = pi / 2.0
TALL_M = 0.15
DEPTH_M = 0.035
"""How far below an object's top the fingertips go, from above."""

CLEAR_M = 0.02
APPROACH_M = 0.12
OVER_M = 0.05
HAND_HALF_M = 0.105
FINGER_M = 0.065
PALM_M = 0.031
"""From the middle of the grip to the palm, with a little to spare: what is thicker would touch it."""

BACK_MAX_M = 0.008
_SLANTS = tuple(radians(angle) for angle in (15.0, 25.0, 35.0))
_ROUND = 8


@dataclass(frozen=True, slots=True, eq=False)
class Grasp:
    """A pose of the gripper round an object, in the frame of the arm's foot; ``before`` is where it comes from."""

    pose: ToolPose
    before: ToolPose
    slant: float
    room_m: float
    yaw: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """How the arm gets to a grasp: rows of joints from a point above everything, by the point before, to the grasp."""

    grasp: Grasp
    line: Floats

    @property
    def folded(self) -> Floats:
        """The arm at home but turned towards the grasp."""
        joints = HOME.copy()
        joints[0] = self.line[0, 0]
        return joints


def seed_for(slant: float, x: float, y: float, yaw: float | None = None) -> Floats:
    """Joint angles from which the search for a pose begins; ``yaw`` is how the fingers are turned, from above."""
    towards = atan2(y, x)
    if slant < TOP_SLANT:
        return np.array([towards, -0.2, 0.0, -2.2, 0.0, 2.7, 0.785])
    wrist = 0.785 if yaw is None else 0.785 - half_turn(yaw - towards + pi / 2.0)
    return np.array([towards, -0.2, 0.0, -2.2, 0.0, 2.0, wrist])


def half_turn(angle: float) -> float:
    """The same up to half a turn, between -pi/2 and pi/2: the gripper is the same both ways round."""
    return (angle + pi / 2.0) % pi - pi / 2.0


def candidates(thing: PerceivedObject, plane_m: float, others: Sequence[PerceivedObject]) -> list[Grasp]:
    """Ways to take an object, the most promising first: tall ones from the side, those with most room first."""
    found = [*_from_side(thing, plane_m, others)] if thing.height >= TALL_M else []
    found.sort(key=lambda grasp: (grasp.room_m < CLEAR_M, grasp.slant))
    above = sorted(_from_above(thing, plane_m, others), key=lambda grasp: -grasp.room_m)
    good = [grasp for grasp in found if grasp.room_m >= CLEAR_M]
    return [*good, *above, *(grasp for grasp in found if grasp.room_m < CLEAR_M)]


def _from_above(thing: PerceivedObject, plane_m: float, others: Sequence[PerceivedObject]) -> Iterator[Grasp]:
    top = plane_m + thing.height
    z = max(top - DEPTH_M, plane_m + 0.015) - ARM_Z_M
    where = np.array([thing.x - ARM_X_M, thing.y, z])
    square = atan2(thing.y, thing.x - ARM_X_M) - pi / 2.0
    for turn in _finger_turns(thing):
        yaw = square + half_turn(turn - square)
        room = _room_above(thing, yaw, others)
        pose = ToolPose(where, downwards(yaw))
        yield Grasp(pose, pose.moved(np.array([0.0, 0.0, APPROACH_M])), TOP_SLANT, room, yaw)


def _from_side(thing: PerceivedObject, plane_m: float, others: Sequence[PerceivedObject]) -> Iterator[Grasp]:
    x, y = thing.x - ARM_X_M, thing.y
    z = plane_m + 0.62 * thing.height - ARM_Z_M
    yaw = _side_turn(thing, atan2(y, x))
    room = min((_beside(other, thing, yaw) for other in others if other.height > 0.3 * thing.height), default=1.0)
    for slant in _SLANTS:
        turned = slanted(yaw, slant)
        back = max(0.0, thing.width / 2.0 / cos(slant) - PALM_M)
        if back > BACK_MAX_M:
            continue
        pose = ToolPose(np.array([x, y, z]) - back * turned[:, 2], turned)
        yield Grasp(pose, pose.moved(-APPROACH_M * pose.rotation[:, 2]), slant, room)


def _finger_turns(thing: PerceivedObject) -> list[float]:
    """Directions in which the fingers may close: across the narrow side of a box, anyhow round something round."""
    if KINDS[thing.kind].shape is Shape.BOX:
        turns = [thing.yaw + pi / 2.0]
        if thing.length < 0.07:
            turns.append(thing.yaw)
        return turns
    return [pi / 2.0 + pi * n / _ROUND for n in range(_ROUND)]


def _side_turn(thing: PerceivedObject, towards: float) -> float:
    """The direction of approach from the side: square to a face of a box, straight ahead to something round."""
    if KINDS[thing.kind].shape is not Shape.BOX:
        return towards
    faces = [thing.yaw + pi * n / 2.0 for n in range(4)]
    return min(faces, key=lambda face: 1.0 - cos(face - towards))


def _room_above(thing: PerceivedObject, yaw: float, others: Sequence[PerceivedObject]) -> float:
    """Room beside the fingers, and beside the hand for what is as tall as where the hand will be."""
    room = 0.3
    c, s = cos(yaw), sin(yaw)
    for other in others:
        dx, dy = other.x - thing.x, other.y - thing.y
        along, across = abs(dx * c + dy * s), abs(dy * c - dx * s)
        radius = hypot(other.length, other.width) / 2.0 if other.length > 1.2 * other.width else other.length / 2.0
        half = HAND_HALF_M if other.height > thing.height - DEPTH_M + 0.04 else FINGER_M
        wide = 0.035 if half == HAND_HALF_M else 0.012
        outside = hypot(max(along - half, 0.0), max(across - wide, 0.0)) - radius
        room = min(room, outside)
    return room


def _beside(other: PerceivedObject, thing: PerceivedObject, yaw: float) -> float:
    """Room between another object and the way of the hand, which comes from behind along ``yaw``."""
    dx, dy = other.x - thing.x, other.y - thing.y
    ahead, side = dx * cos(yaw) + dy * sin(yaw), abs(dy * cos(yaw) - dx * sin(yaw))
    radius = max(other.length, other.width) / 2.0
    if ahead > 0.03 + radius:
        return 1.0
    return side - radius - (FINGER_M if ahead > -0.05 else HAND_HALF_M)


def reach(grasp: Grasp, above_m: float) -> Reach | None:
    """The arm's way to a grasp, or None where it has none. It begins ``above_m`` high if the arm can be there."""
    x, y, z = grasp.before.position.tolist()
    seed = seed_for(grasp.slant, x, y, grasp.yaw)
    joints = inverse(grasp.before, seed, rest=seed)
    if joints is None:
        return None
    down = line(joints, grasp.pose, rest=seed)
    if down is None:
        return None
    for share in (1.0, 0.6, 0.3):
        if above_m > z:
            up = line(joints, grasp.before.moved(np.array([0.0, 0.0, share * (above_m - z)])), rest=seed)
            if up is not None:
                return Reach(grasp, np.concatenate([up[:0:-1], down]))
    return Reach(grasp, down)


def choose(
    thing: PerceivedObject,
    plane_m: float,
    others: Sequence[PerceivedObject],
    *,
    suits: Callable[[Grasp], bool] = lambda _: True,
) -> Reach | None:
    """The best grasp that the arm can reach and that suits what comes later; if none does, the best in reach."""
    above_m = over(plane_m, (thing, *others))
    best = None
    for grasp in candidates(thing, plane_m, others):
        found = reach(grasp, above_m)
        if found is not None and suits(grasp):
            return found
        best = best or found
    return best


def over(plane_m: float, things: Sequence[PerceivedObject], *, carried_m: float = 0.0) -> float:
    """How high the gripper is above all of these, in the arm's frame, with something that hangs down from it."""
    return plane_m + max((thing.height for thing in things), default=0.0) + OVER_M + carried_m - ARM_Z_M
