"""Does the shuttle get through the aisles without troubling anybody who works there?"""

from dataclasses import dataclass
from math import atan2, cos, hypot, remainder, sin, sqrt, tau

import numpy as np

import stressfield as sf
from stressfield.sim import kinematic_simulator, mujoco_simulator

WIDTH_M, RACK_M, DEPTH_M = 22.0, 6.0, 1.0
LEFT_M, GAP_M, RIGHT_M = 4.0, 10.0, 11.6  # where racks begin, where the passage between them begins and ends
YARD_M = 3.0  # free ground before the first aisle and behind the last
KEEP_RIGHT_M = 0.5
STEP_M = 0.1  # between points of the shuttle's way


class Worker(sf.Element):
    """Somebody who goes to and fro through the passage between the racks, or comes along an aisle."""

    walks: str = sf.choice("across", "along")
    place: float = sf.real(0.0, 1.0)
    start_s: float = sf.real(0.0, 20.0, unit="s")
    speed_mps: float = sf.real(0.8, 1.6, unit="m/s")
    distracted: bool = sf.boolean()


class Forklift(sf.Element):
    """It drives up and down behind the racks."""

    start_s: float = sf.real(0.0, 20.0, unit="s")
    speed_mps: float = sf.real(1.0, 2.0, unit="m/s")


class Warehouse(sf.Element):
    """A shuttle drives through an aisle to the place where goods go out, among people and forklifts."""

    aisles: int = sf.integer(2, 4)
    aisle_m: float = sf.real(2.8, 3.6, unit="m")
    takes: float = sf.real(0.0, 1.0)
    workers: tuple[Worker, ...] = sf.sequence(Worker, min=0, max=5)
    forklifts: tuple[Forklift, ...] = sf.sequence(Forklift, min=0, max=1)

    def middle_m(self, share: float) -> float:
        """The middle of an aisle, from the first (0) to the last (1)."""
        aisle = min(int(share * self.aisles), self.aisles - 1)
        return YARD_M + self.aisle_m / 2.0 + aisle * (self.aisle_m + DEPTH_M)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(sf.ReachMission):
    """Go to the goal along these points."""

    points_m: tuple[tuple[float, float], ...]


def build(hall: Warehouse, _: sf.Rng) -> sf.Scenario:
    depth_m = hall.middle_m(1.0) + hall.aisle_m / 2.0 + YARD_M
    first, last, taken = hall.middle_m(0.0), hall.middle_m(1.0), hall.middle_m(hall.takes) - KEEP_RIGHT_M
    world = sf.World.flat(WIDTH_M, depth_m, name="warehouse")
    world = world.with_robot("shuttle", sf.robots.diff_drive(speed_max_mps=1.2), at=(2.0, first), yaw_rad=tau / 4.0)
    rack = sf.bodies.box("rack", length_m=RACK_M, width_m=DEPTH_M, height_m=3.0)
    rows = [hall.middle_m((n + 0.5) / hall.aisles) + (hall.aisle_m + DEPTH_M) / 2.0 for n in range(hall.aisles - 1)]
    world = world.with_bodies(rack, at=[(x + RACK_M / 2.0, y) for x in (LEFT_M, RIGHT_M) for y in rows])
    world = world.with_kinds("person", "forklift")
    world = world.with_region(sf.Region("passage", "crossing", GAP_M, 0.0, RIGHT_M, depth_m))
    for n, worker in enumerate(hall.workers):
        if worker.walks == "across":
            x = GAP_M + 0.4 + worker.place * (RIGHT_M - GAP_M - 0.8)
            points = ((x, 0.5), (x, depth_m - 0.5))
        else:
            y = hall.middle_m(worker.place) + KEEP_RIGHT_M + 0.3
            points = ((18.2, y), (3.2, y))
        motion = sf.actors.Walk(points=points[1:] + points[:1], loop=worker.walks == "across", start_s=worker.start_s)
        person = sf.actors.person(motion=motion, speed_mps=worker.speed_mps, distracted=worker.distracted)
        world = world.with_actor(f"worker_{n + 1}", person, at=points[0])
    for n, lift in enumerate(hall.forklifts):
        drive = sf.actors.Route(points=((19.4, depth_m - 1.5), (19.4, 1.5)), loop=True, start_s=lift.start_s)
        forklift = sf.actors.forklift(motion=drive, speed_mps=lift.speed_mps)
        world = world.with_actor(f"forklift_{n + 1}", forklift, at=(19.4, 1.5), yaw_rad=tau / 4.0)
    way = ((2.0, taken), (20.8, taken), (20.8, last + 1.0))
    return sf.Scenario(world, Delivery(goal_m=way[-1], points_m=((2.0, first), *way), limit_s=90.0))


class Shuttle(sf.Node):
    """Pursues a point of its way, as fast as it can brake for what is ahead; backs off if that does not go away."""

    name = "shuttle"
    cruise_mps, brakes_mps2, keeps_m, ahead_m = 1.0, 0.6, 0.4, 0.9
    pose: sf.messages.Pose | None = None

    def __init__(self, scenario: sf.Scenario) -> None:
        assert isinstance(scenario.mission, Delivery)
        corners = np.array(scenario.mission.points_m)
        reached_m = np.append(0.0, np.cumsum(np.hypot(*np.diff(corners, axis=0).T)))
        steps_m = np.append(np.arange(0.0, reached_m[-1], STEP_M), reached_m[-1])
        self.way = np.stack([np.interp(steps_m, reached_m, column) for column in corners.T], axis=1)
        self.passed = self.waited = 0

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.subscribe("/pose", self.on_pose)
        link.subscribe("/scan", self.on_scan)

    def on_pose(self, message: sf.messages.PoseStamped) -> None:
        self.pose = message.pose

    def on_scan(self, scan: sf.messages.LaserScan) -> None:
        if self.pose is None:
            return
        here = (self.pose.position.x, self.pose.position.y)
        if hypot(*(self.way[-1] - here)) < 0.2:
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.0, 0.0))
            self.link.publish("/report", sf.messages.DiagnosticStatus.done("delivered"))
            return
        bearing, away = self.pursued(here, self.pose.yaw_rad)
        speed = min(self.cruise_mps, sqrt(2.0 * self.brakes_mps2 * max(0.0, self.free_m(scan) - self.keeps_m)))
        self.waited = 0 if speed > 0.0 else self.waited + 1
        if self.waited % 50 > 30:  # three seconds are over: two seconds backwards
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(-0.2, 0.0))
        elif abs(bearing) > 0.8:
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.0, 1.2 if bearing > 0.0 else -1.2))
        else:
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(speed, 2.0 * sin(bearing) / away * max(speed, 0.1)))

    def pursued(self, here: tuple[float, float], yaw_rad: float) -> tuple[float, float]:
        """Bearing and distance of the point of the way that lies ``ahead_m`` beyond the nearest one."""
        near = self.way[self.passed : self.passed + 40] - here
        self.passed += int(np.argmin((near * near).sum(axis=1)))
        dx, dy = self.way[min(self.passed + round(self.ahead_m / STEP_M), len(self.way) - 1)] - here
        return remainder(atan2(dy, dx) - yaw_rad, tau), max(hypot(dx, dy), 0.3)

    def free_m(self, scan: sf.messages.LaserScan) -> float:
        """How far it can go straight on."""
        angles = np.linspace(scan.angle_min, scan.angle_max, len(scan.ranges))
        seen = [(r * cos(a), r * sin(a)) for r, a in zip(scan.ranges.tolist(), angles.tolist(), strict=True)]
        return min((x for x, y in seen if abs(y) < 0.38 and x > 0.0), default=scan.range_max)


oracle = sf.Oracle("warehouse")


@oracle.property("stops", sf.CRITICAL_EVENT, "Slows down in time for whoever is in its way", when_vacuous="pass")
def stops(run: sf.Evidence) -> sf.Margin:
    return sf.people.protective_stop(
        run, "shuttle", "person", "forklift", reaction_s=0.5, deceleration_mps2=0.5, distance_m=0.1, side_m=0.05
    )


@oracle.property("space", sf.CRITICAL_EVENT, "Keeps its distance from people", when_vacuous="pass")
def space(run: sf.Evidence) -> sf.Margin:
    return sf.people.personal_space(run, "shuttle", "person", still_m=0.15, headway_s=0.2)


@oracle.property("delivers", sf.MISSION_PHASE, "Reaches the place where goods go out")
def delivers(run: sf.Evidence) -> sf.Margin:
    return sf.eventually(run.distance("shuttle", "goal") <= 0.3)


@oracle.property("passage", sf.MISSION_PHASE, "Does not stand in the passage between the racks")
def passage(run: sf.Evidence) -> sf.Margin:
    return sf.people.no_blocking(run, "shuttle", "crossing", at_most_s=4.0)


study = sf.Study(
    "warehouse",
    model=Warehouse,
    build=build,
    subject=Shuttle,
    oracle=oracle,
    simulator={"kinematic": kinematic_simulator(), "mujoco": mujoco_simulator()},
)
