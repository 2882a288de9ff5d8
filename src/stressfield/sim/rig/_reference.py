"""The simulator's geometry and motion once more, plainly: no grid, no shortcuts, no compiler. Slow, for tests.

Written from the definitions, not from the kernels; a test holds both together on random worlds.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass, replace

import numpy as np

from stressfield.arrays import Floats
from stressfield.world import (
    AckermannDrive,
    Bodies,
    Body,
    DifferentialDrive,
    Lidar,
    MarkerCamera,
    MecanumDrive,
    Robot,
    Shape,
    SkidSteerDrive,
    Terrain,
    World,
)
from stressfield.world.drives import WheeledDrive

CLEARANCE_MAX_M = 2.0
GRAVITY_MPS2 = 9.81
COASTING_S = 0.25
STEP_MIN_M = 0.01


@dataclass(frozen=True, slots=True)
class PlainPose:
    """Where a robot's axle stands on the ground, and how it tilts."""

    x_m: float
    y_m: float
    yaw_rad: float
    z_m: float = 0.0
    roll_rad: float = 0.0
    pitch_rad: float = 0.0

    def rotation(self) -> Floats:
        """Columns: ahead, left, up."""
        cr, sr = math.cos(self.roll_rad), math.sin(self.roll_rad)
        cp, sp = math.cos(self.pitch_rad), math.sin(self.pitch_rad)
        cy, sy = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
        about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        result: Floats = about_z @ about_y @ about_x
        return result

    def mount(self, x_m: float, z_m: float) -> Floats:
        """The place of a sensor."""
        result: Floats = np.array([self.x_m, self.y_m, self.z_m]) + self.rotation() @ np.array([x_m, 0.0, z_m])
        return result


def height(terrain: Terrain, x_m: float, y_m: float) -> float:
    """Ground height at one point."""
    return float(terrain.height_at(np.array([x_m]), np.array([y_m]))[0])


def settled(pose: PlainPose, robot: Robot, terrain: Terrain) -> PlainPose:
    """The pose laid on the plane through the ground at the middles of the footprint's sides."""
    ahead = np.array([math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)])
    left = np.array([-ahead[1], ahead[0]])
    centre = np.array([pose.x_m, pose.y_m]) + robot.centre_offset_m * ahead
    sides = [
        robot.length_m / 2 * ahead,
        -robot.length_m / 2 * ahead,
        robot.width_m / 2 * left,
        -robot.width_m / 2 * left,
    ]
    front, rear, port, starboard = (height(terrain, *(centre + side)) for side in sides)
    climb, bank = (front - rear) / robot.length_m, (port - starboard) / robot.width_m
    up = np.array([-climb, -bank, 1.0]) / math.sqrt(climb**2 + bank**2 + 1.0)
    pitch, roll = math.atan2(up[0], up[2]), math.asin(-up[1])
    z = (front + rear + port + starboard) / 4 - robot.centre_offset_m * climb
    return replace(pose, z_m=z, roll_rad=roll, pitch_rad=pitch)


def footprint(pose: PlainPose, robot: Robot) -> Floats:
    """Corners of the robot on the ground."""
    return corners(
        pose.x_m + robot.centre_offset_m * math.cos(pose.yaw_rad),
        pose.y_m + robot.centre_offset_m * math.sin(pose.yaw_rad),
        pose.yaw_rad,
        robot.length_m,
        robot.width_m,
    )


def corners(x: float, y: float, yaw: float, length: float, width: float) -> Floats:
    """Corners of a turned rectangle, in order around it."""
    c, s = math.cos(yaw), math.sin(yaw)
    local = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * np.array([length, width]) / 2
    result: Floats = local @ np.array([[c, s], [-s, c]]) + np.array([x, y])
    return result


def point_to_outline(point: Floats, outline: Floats) -> float:
    """Distance of a point from a convex outline, negative inside."""
    best, inside = math.inf, True
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        edge = end - start
        share = min(max(float((point - start) @ edge / (edge @ edge)), 0.0), 1.0)
        best = min(best, float(np.linalg.norm(point - start - share * edge)))
        inside &= bool(edge[0] * (point - start)[1] - edge[1] * (point - start)[0] >= 0.0)
    return -best if inside else best


def outline_to_outline(outline: Floats, other: Floats) -> float:
    """Distance of two convex outlines; if they overlap, minus the least push that parts them."""
    parting = -math.inf
    for shape in (outline, other):
        for edge in np.roll(shape, -1, axis=0) - shape:
            normal = np.array([edge[1], -edge[0]]) / np.linalg.norm(edge)
            a, b = outline @ normal, other @ normal
            parting = max(parting, float(b.min() - a.max()), float(a.min() - b.max()))
    if parting <= 0.0:
        return parting
    return min([*(point_to_outline(p, other) for p in outline), *(point_to_outline(p, outline) for p in other)])


def clearance(world: World, poses: list[PlainPose], me: int) -> tuple[float, int]:
    """Distance of a robot from all solid things, and whose contact it is (see KinematicSession)."""
    robot, pose = world.robots[me].robot, poses[me]
    outline = footprint(pose, robot)
    found = [(CLEARANCE_MAX_M, -1)]
    for index, body in enumerate(world.bodies):
        if not body.solid or body.z_m >= pose.z_m + robot.height_m:
            continue
        if body.shape == Shape.BOX:
            box = corners(body.x_m, body.y_m, body.yaw_rad, body.size_x_m, body.size_y_m)
            found.append((outline_to_outline(outline, box), index))
        else:
            found.append((point_to_outline(np.array([body.x_m, body.y_m]), outline) - body.size_x_m / 2, index))
    for other, placed in enumerate(world.robots):
        if other != me:
            found.append((outline_to_outline(outline, footprint(poses[other], placed.robot)), -2 - other))
    gap, whose = min(found, key=lambda each: each[0])
    return gap, whose if gap < 0.0 else -1


def ray_interval(o: float, d: float, low: float, high: float) -> tuple[float, float]:
    """The times at which ``o + t d`` is between low and high."""
    if d == 0.0:
        return (-math.inf, math.inf) if low <= o <= high else (math.inf, -math.inf)
    return min((low - o) / d, (high - o) / d), max((low - o) / d, (high - o) / d)


def ray_hit(body: Body, origin: Floats, ray: Floats) -> float:
    """Where a ray first meets a body, or infinity."""
    offset = origin - np.array([body.x_m, body.y_m, body.z_m])
    spans = [(0.0, math.inf)]
    if body.shape == Shape.BOX:
        c, s = math.cos(body.yaw_rad), math.sin(body.yaw_rad)
        turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        o, d = turn @ offset, turn @ ray
        spans.append(ray_interval(o[0], d[0], -body.size_x_m / 2, body.size_x_m / 2))
        spans.append(ray_interval(o[1], d[1], -body.size_y_m / 2, body.size_y_m / 2))
        spans.append(ray_interval(o[2], d[2], 0.0, body.height_m))
    else:
        radius = body.size_x_m / 2
        flat = np.array([1.0, 1.0, 0.0 if body.shape == Shape.CYLINDER else 1.0])
        o = (offset - np.array([0.0, 0.0, radius])) * flat
        d = ray * flat
        square = float((o @ d) ** 2 - (d @ d) * (o @ o - radius**2))
        if square < 0.0:
            return math.inf
        root = math.sqrt(square)
        spans.append(((-float(o @ d) - root) / float(d @ d), (-float(o @ d) + root) / float(d @ d)))
        if body.shape == Shape.CYLINDER:
            spans.append(ray_interval(offset[2], ray[2], 0.0, body.height_m))
    enter, leave = max(span[0] for span in spans), min(span[1] for span in spans)
    return enter if enter <= leave else math.inf


def as_body(pose: PlainPose, robot: Robot) -> Body:
    """A robot as others see it: an upright box."""
    x = pose.x_m + robot.centre_offset_m * math.cos(pose.yaw_rad)
    y = pose.y_m + robot.centre_offset_m * math.sin(pose.yaw_rad)
    size = (robot.length_m, robot.width_m, robot.height_m)
    return Body("", "robot", Shape.BOX, x, y, pose.z_m, *size, yaw_rad=pose.yaw_rad)


def ground_hit(terrain: Terrain, origin: Floats, ray: Floats, limit_m: float) -> float:
    """Where a ray meets the ground: steps that the steepest slope allows, then a straight line over the last one."""
    cell, heights = terrain.cell_m, terrain.heights_m
    steepest = math.hypot(np.abs(np.diff(heights, axis=0)).max(), np.abs(np.diff(heights, axis=1)).max()) / cell

    def gap_at(t: float) -> float:
        x, y, z = origin + t * ray
        return float(z - height(terrain, x, y))

    t, gap = 0.0, gap_at(0.0)
    if gap <= 0.0:
        return 0.0
    while t < limit_m:
        rate = steepest + abs(ray[2])
        step = max(gap / rate, STEP_MIN_M) if rate > 0.0 else math.inf
        beyond = gap_at(t + step) if step < math.inf else gap
        if beyond <= 0.0:
            return min(t + step * gap / (gap - beyond), limit_m)
        t, gap = t + step, beyond
    return limit_m


def scan(world: World, poses: list[PlainPose], me: int, lidar: Lidar) -> Floats:
    """Free distance along every ray, at most the range of the lidar."""
    rotation, origin = poses[me].rotation(), poses[me].mount(lidar.x_m, lidar.z_m)
    things = list(world.bodies)
    things += [as_body(poses[i], p.robot) for i, p in enumerate(world.robots) if i != me]
    ranges = np.empty(lidar.rays)
    for i, angle in enumerate(np.linspace(lidar.angle_min_rad, lidar.angle_max_rad, lidar.rays)):
        ray = rotation @ np.array([math.cos(angle), math.sin(angle), 0.0])
        free = min([lidar.range_max_m, *(ray_hit(thing, origin, ray) for thing in things)])
        ranges[i] = ground_hit(world.terrain, origin, ray, free)
    return ranges


def sightings(world: World, poses: list[PlainPose], me: int, camera: MarkerCamera) -> list[int]:
    """Indices of the markers in view."""
    pose, origin = poses[me], poses[me].mount(camera.x_m, camera.z_m)
    bodies: Bodies = world.bodies
    robots = [as_body(poses[i], p.robot) for i, p in enumerate(world.robots) if i != me]
    seen = []
    for index in bodies.of_kind(*({camera.marker_kind} & {*bodies.kinds})).tolist():
        marker = bodies[index]
        to = np.array([marker.x_m, marker.y_m, marker.z_m + min(marker.height_m, camera.visible_height_m)]) - origin
        off = math.remainder(math.atan2(to[1], to[0]) - pose.yaw_rad - camera.yaw_rad, 2 * math.pi)
        if math.hypot(to[0], to[1]) > camera.range_max_m or abs(off) > camera.field_of_view_rad / 2:
            continue
        others = [body for i, body in enumerate(bodies) if i != index and body.solid] + robots
        if all(ray_hit(body, origin, to) >= 1.0 for body in others):
            seen.append(index)
    return seen


@dataclass(frozen=True, slots=True)
class PlainOrder:
    """What a drive is told, within its limits: speeds ahead and to the left, a turn rate, or a steering angle."""

    speed_mps: float = 0.0
    turn_radps: float = 0.0
    side_mps: float = 0.0
    steering_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class PlainMotion:
    """A robot in motion on ground that is alike everywhere: pose, wheel speeds, their rates, what it was told."""

    pose: PlainPose
    now: PlainOrder = PlainOrder()
    rates: PlainOrder = PlainOrder()
    lagged: PlainOrder = PlainOrder()
    excess_mps: float = 0.0


def moved(
    motion: PlainMotion, robot: Robot, terrain: Terrain, told: PlainOrder, dt: float, *, overspeed: bool = False
) -> PlainMotion:
    """One substep towards an order that is within the limits of the drive."""
    drive, pose = robot.drive, motion.pose
    assert isinstance(drive, WheeledDrive)
    share = 1.0 - math.exp(-dt / drive.lag_s) if drive.lag_s > 0.0 else 1.0
    pairs = zip(astuple(motion.lagged), astuple(told), strict=True)
    lagged = PlainOrder(*(old + (new - old) * share for old, new in pairs))
    now, rates = _followed(motion, drive, lagged, dt)
    excess = motion.excess_mps
    if overspeed:
        pull = GRAVITY_MPS2 * math.sin(pose.pitch_rad)
        excess += ((pull if now.speed_mps * pull > 0.0 else 0.0) - excess / COASTING_S) * dt
    turn = now.turn_radps
    if isinstance(drive, SkidSteerDrive):
        turn *= drive.track_m / drive.effective_track_m
    turn *= 1.0 - drive.slip
    ahead = (now.speed_mps + excess) * (1.0 - drive.slip) * dt * math.cos(pose.pitch_rad)
    left = now.side_mps * (1.0 - drive.slip) * dt * math.cos(pose.roll_rad)
    middle = pose.yaw_rad + turn * dt / 2
    x = pose.x_m + ahead * math.cos(middle) - left * math.sin(middle)
    y = pose.y_m + ahead * math.sin(middle) + left * math.cos(middle)
    there = settled(PlainPose(x, y, pose.yaw_rad + turn * dt), robot, terrain)
    return PlainMotion(there, now, rates, lagged, excess)


def _followed(motion: PlainMotion, drive: WheeledDrive, lagged: PlainOrder, dt: float) -> tuple[PlainOrder, PlainOrder]:
    """The wheels and their rates after one substep."""
    was, rates = motion.now, motion.rates
    assert isinstance(drive, AckermannDrive | DifferentialDrive | MecanumDrive | SkidSteerDrive)
    most, jerk = drive.acceleration_max_mps2, drive.jerk_max_mps3
    speed, speed_rate = _nearer(was.speed_mps, rates.speed_mps, lagged.speed_mps, most, jerk, dt)
    side, side_rate = _nearer(was.side_mps, rates.side_mps, lagged.side_mps, most, jerk, dt)
    if isinstance(drive, AckermannDrive):
        steering = was.steering_rad + _within(
            lagged.steering_rad - was.steering_rad, drive.steering_rate_max_radps * dt
        )
        turn = speed * math.tan(steering) / drive.wheelbase_m
        return PlainOrder(speed, turn, 0.0, steering), PlainOrder(speed_rate)
    most_turn = drive.turn_acceleration_max_radps2
    turn_jerk = None if jerk is None else jerk * most_turn / most
    turn, turn_rate = _nearer(was.turn_radps, rates.turn_radps, lagged.turn_radps, most_turn, turn_jerk, dt)
    return PlainOrder(speed, turn, side), PlainOrder(speed_rate, turn_rate, side_rate)


def _nearer(
    value: float, rate: float, target: float, most: float, jerk: float | None, dt: float
) -> tuple[float, float]:
    """A number nearer to its target, and its rate: the greatest that does not have to overshoot, found by trying."""
    if jerk is None:
        return value + _within(target - value, most * dt), 0.0
    gap = target - value
    low, high = 0.0, most
    for _ in range(60):
        tried = (low + high) / 2
        if _way(tried, jerk * dt) * dt <= abs(gap):
            low = tried
        else:
            high = tried
    rate += _within(math.copysign(low, gap) - rate, jerk * dt)
    return value + rate * dt, rate


def _way(rate: float, step: float) -> float:
    """The sum of a rate and all that follow while it falls to zero step by step."""
    total = 0.0
    while rate > 0.0:
        total, rate = total + rate, rate - step
    return total


def _within(value: float, limit: float) -> float:
    return min(max(value, -limit), limit)
