"""A hall with crates, and ``move_base`` of ROS 1 as it is: does it reach its goal, and without touching anything?

    stressfield run examples/ros1/move_base.py --worlds 20 --repeats 3 --jobs 2 --out runs/move_base

Needs ROS 1 with move_base, dwa_local_planner and rosbridge_server: source /opt/ros/noetic/setup.bash first.
"""

from dataclasses import replace
from math import pi
from pathlib import Path

import stressfield as sf
from stressfield.subject import Gate, MoveBaseGoal, Pacing, RosbridgeSubject
from stressfield.world import Lidar, MapServer, Odometer, StaticFrames

LAUNCH_FILE = Path(__file__).with_name("move_base.launch")

# What move_base wants: wheel odometry with its frames, where the lidar sits, all around it, and the map.
SENSORS = (
    Odometer("/odom", 20.0, distance_noise=0.01, turn_noise=0.01, tf_topic="/tf", map_frame="map"),
    Lidar("/scan", 10.0, 0.0, 0.25, -pi, pi, 360, 0.05, 8.0, noise_m=0.01),
    StaticFrames(),
    MapServer(),
)


class Hall(sf.Element):
    """A hall with crates."""

    crates: int = sf.integer(0, 12)
    gap_m: float = sf.real(0.8, 2.0, unit="m")


def build(hall: Hall, rng: sf.Rng) -> sf.Scenario:
    robot = replace(sf.robots.diff_drive(), sensors=SENSORS)
    world = sf.World.flat(12.0, 8.0).with_robot("robot", robot, at=(1.0, 4.0))
    crates = sf.bodies.tree()
    world = world.scatter(crates, count=hall.crates, clear_of=("robot", (11.0, 4.0)), gap_m=hall.gap_m, rng=rng)
    return sf.Scenario(world, sf.Mission.reach((11.0, 4.0), within_s=90.0))


def robot(_scenario: sf.Scenario) -> sf.Subject:
    # A master and a rosbridge server of its own for every run, so that runs side by side do not hear each other.
    launch = ["roslaunch", "-p", "{master_port}", LAUNCH_FILE, "port:={rosbridge_port}"]
    # move_base answers scans with commands, 10 a second as its controller_frequency is: time waits for that.
    pacing = Pacing(gate=Gate(topic="/cmd_vel", after="/scan", at_most_s=0.3), ready_timeout_s=60.0, may_pause=True)
    return RosbridgeSubject(launch, goal=MoveBaseGoal(), pacing=pacing, grace_s=5.0)


oracle = sf.Oracle("hall")


@oracle.property("arrives", sf.MISSION_PHASE, "Reaches its goal in time")
def arrives(run: sf.Evidence) -> sf.Margin:
    return sf.eventually(run.distance("robot", "goal") <= 0.40)


@oracle.property("clear", sf.CRITICAL_EVENT, "Touches nothing", when_vacuous="pass")
def clear(run: sf.Evidence) -> sf.Margin:
    return sf.always(run.clearance("robot") >= 0.0)


study = sf.Study("move-base", model=Hall, build=build, subject=robot, oracle=oracle)
