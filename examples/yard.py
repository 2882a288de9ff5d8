"""Does the mower keep 30 cm clear of people and still reach its dock?"""

from math import atan2, cos, hypot, remainder, tau

import numpy as np

import stressfield as sf

DOCK_M = (19.0, 6.0)


class Person(sf.Element):
    x_m: float = sf.real(3.0, 17.0, unit="m")
    y_m: float = sf.real(1.0, 11.0, unit="m")


class Yard(sf.Element):
    """A mower finds its way to the dock, between trees and people who stand still."""

    people: tuple[Person, ...] = sf.sequence(Person, min=0, max=4)
    trees: int = sf.integer(0, 20)

    @sf.constraint("people stand 1 m or more apart")
    def people_keep_apart(self) -> bool:
        pairs = ((a, b) for i, a in enumerate(self.people) for b in self.people[:i])
        return all(hypot(a.x_m - b.x_m, a.y_m - b.y_m) >= 1.0 for a, b in pairs)


def build(yard: Yard, rng: sf.Rng) -> sf.Scenario:
    world = sf.World.flat(20.0, 12.0).with_robot("mower", sf.robots.diff_drive(), at=(1.0, 6.0))
    world = world.with_bodies(sf.bodies.person(), at=[(person.x_m, person.y_m) for person in yard.people])
    world = world.scatter(sf.bodies.tree(), count=yard.trees, clear_of=("mower", DOCK_M), gap_m=1.0, rng=rng)
    return sf.Scenario(world, sf.Mission.reach(DOCK_M, within_s=90.0))


class Mower(sf.Node):
    """Heads for the dock, or in the free direction nearest to it."""

    name = "mower"
    pose: sf.messages.Pose | None = None

    def __init__(self, scenario: sf.Scenario) -> None:
        assert isinstance(scenario.mission, sf.ReachMission)
        self.goal = scenario.mission.goal_m

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.subscribe("/pose", self.on_pose)
        link.subscribe("/scan", self.on_scan)

    def on_pose(self, message: sf.messages.PoseStamped) -> None:
        self.pose = message.pose

    def on_scan(self, scan: sf.messages.LaserScan) -> None:
        if self.pose is None:
            return
        dx, dy = self.goal[0] - self.pose.position.x, self.goal[1] - self.pose.position.y
        if hypot(dx, dy) < 0.15:
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.0, 0.0))
            self.link.publish("/report", sf.messages.DiagnosticStatus.done("docked"))
            return
        ahead = remainder(atan2(dy, dx) - self.pose.yaw_rad, tau)
        angles = np.linspace(scan.angle_min, scan.angle_max, len(scan.ranges))
        near = scan.ranges < min(1.5, hypot(dx, dy))
        taken = np.abs(angles[:, None] - angles[near]) < self.berth_rad(scan.ranges[near])
        free = angles[~taken.any(axis=1)]
        turn = free[np.abs(free - ahead).argmin()] if len(free) else 1.0
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.6 * max(0.0, cos(turn)) ** 2, 1.5 * turn))

    def berth_rad(self, ranges_m: np.ndarray) -> np.ndarray:
        """How far to steer past what is seen at these distances."""
        return np.full(len(ranges_m), 0.5)


oracle = sf.Oracle("yard")


@oracle.property("clear", sf.CRITICAL_EVENT, "Stays 0.3 m away from people", when_vacuous="pass")
def keeps_clear(run: sf.Evidence) -> sf.Margin:
    return sf.always(run.clearance("mower", "person") >= 0.30)


@oracle.property("docks", sf.MISSION_PHASE, "Reaches its dock in time")
def docks(run: sf.Evidence) -> sf.Margin:
    return sf.eventually(run.distance("mower", "goal") <= 0.20)


FIELD = sf.FieldTopics(goal_m=DOCK_M, limit_s=90.0)
study = sf.Study("yard", model=Yard, build=build, subject=Mower, oracle=oracle, field_topics=FIELD)
