"""A study for mutants: a robot in files of its own, one of them compiled, and what it shares with its oracle."""

import rover_pilot
from rover_shape import apart

import stressfield as sf

GOAL_M = (3.0, 2.0)


class Plane(sf.Element):
    """A robot on an empty plane."""

    start_m: float = sf.real(0.5, 1.0, unit="m")


def build(plane: Plane, rng: sf.Rng) -> sf.Scenario:
    world = sf.World.flat(5.0, 4.0).with_robot("rover", sf.robots.diff_drive(), at=(plane.start_m, 2.0))
    return sf.Scenario(world, sf.Mission.reach(GOAL_M, within_s=12.0))


oracle = sf.Oracle("rover")


@oracle.property("arrives", sf.MISSION_PHASE, "Reaches its goal")
def arrives(run: sf.Evidence) -> sf.Margin:
    assert apart(0.0, 3.0) == 3.0
    return sf.eventually(run.distance("rover", "goal") <= 0.3)


study = sf.Study(
    "rover",
    model=Plane,
    build=build,
    subject=rover_pilot.Pilot,
    oracle=oracle,
    ending=sf.Ending(settle_s=0.5),
    kernels=("rover_kernels",),
)
