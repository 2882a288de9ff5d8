"""A study for tests: a robot that looks straight ahead only crosses a hall in which people walk."""

from __future__ import annotations

import stressfield as sf
from stressfield.sim import kinematic_simulator, mujoco_simulator


class Walker(sf.Element):
    """Somebody who walks along y, from one side of the hall to the other and back."""

    x_m: float = sf.real(2.0, 18.0, unit="m", step=0.5)
    start_s: float = sf.real(0.0, 10.0, unit="s", step=0.5)
    distracted: bool = sf.boolean()


class Hall(sf.Element):
    """A hall with walkers."""

    walkers: tuple[Walker, ...] = sf.sequence(Walker, min=0, max=6)


def build(hall: Hall, rng: sf.Rng) -> sf.Scenario:
    """The robot goes from left to right through the middle."""
    del rng
    world = sf.World.flat(20.0, 10.0).with_robot("robot", sf.robots.diff_drive(), at=(1.0, 5.0)).with_kinds("person")
    for n, walker in enumerate(hall.walkers):
        route = sf.actors.Walk(points=((walker.x_m, 9.0), (walker.x_m, 1.0)), loop=True, start_s=walker.start_s)
        who = sf.actors.person(motion=route, distracted=walker.distracted, speed_spread=0.05)
        world = world.with_actor(f"walker_{n}", who, at=(walker.x_m, 1.0))
    return sf.Scenario(world, sf.Mission.reach((19.0, 5.0), within_s=30.0))


class Blinkered(sf.Node):
    """Drives on unless something is less than 40 cm before its nose."""

    name = "blinkered"

    def __init__(self, scenario: sf.Scenario) -> None:
        del scenario

    def setup(self, link: sf.Link) -> None:
        """Listen to the lidar."""
        self.link = link
        link.subscribe("/scan", self.on_scan)

    def on_scan(self, scan: sf.messages.LaserScan) -> None:
        """On or stop."""
        middle = len(scan.ranges) // 2
        blocked = scan.ranges[middle - 3 : middle + 4].min() < 0.4
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.0 if blocked else 0.8, 0.0))


oracle = sf.Oracle("walkers")


@oracle.property("untouched", sf.CRITICAL_EVENT, "Touches nobody", when_vacuous="pass")
def untouched(run: sf.Evidence) -> sf.Margin:
    """No contact with people."""
    return sf.always(run.contact("robot", "person") <= 0)


study = sf.Study(
    "walkers",
    model=Hall,
    build=build,
    subject=Blinkered,
    oracle=oracle,
    simulator={"kinematic": kinematic_simulator(), "mujoco": mujoco_simulator()},
)
