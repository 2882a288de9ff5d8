"""A study for the suites: a robot that drives, raises, or kills its process, as the world says."""

from __future__ import annotations

import os
import signal

import stressfield as sf
from stressfield.seeds import generator


class Toy(sf.Element):
    """A robot on an empty plane."""

    manners: str = sf.choice("drives", "raises", "dies")
    speed_mps: float = sf.real(0.1, 0.5, unit="m/s")


def build(toy: Toy, rng: sf.Rng) -> sf.Scenario:  # noqa: ARG001
    """The plane."""
    world = sf.World.flat(10.0, 4.0).with_robot("toy", sf.robots.diff_drive(), at=(1.0, 2.0))
    return sf.Scenario(world, sf.Mission.reach((9.0, 2.0), within_s=1.0))


class Driver(sf.Node):
    """Drives straight on."""

    name = "driver"

    def __init__(self, scenario: sf.Scenario) -> None:
        self._toy = Toy.create_from_descriptor(scenario.descriptor, generator(0))

    def setup(self, link: sf.Link) -> None:
        """Ten commands a second, and a report in time."""
        self._link = link
        link.every(0.1, self._drive)
        link.every(0.8, self._report)

    def _report(self) -> None:
        self._link.publish("/report", sf.messages.DiagnosticStatus.done())

    def _drive(self) -> None:
        if self._toy.manners == "raises":
            raise RuntimeError("as asked")
        if self._toy.manners == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        self._link.publish("/cmd_vel", sf.messages.Twist.drive(self._toy.speed_mps, 0.0))


oracle = sf.Oracle("toy")


@oracle.property("slow", sf.MOVEMENT_THRESHOLD, "Drives at 1 m/s at most")
def slow(run: sf.Evidence) -> sf.Margin:
    """Always true of this robot."""
    return sf.always(run.speed("toy") <= 1.0)


study = sf.Study("toy", model=Toy, build=build, subject=Driver, oracle=oracle, ending=sf.Ending(settle_s=0.2))
