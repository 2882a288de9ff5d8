"""Does Nav2, set up for a TurtleBot3, bring the robot through halls with boxes?

The build ``nav2`` is the real thing and needs ROS 2 with Nav2 and rmw_zenoh_cpp; ``standin`` is one file of Python that
answers as Nav2 does, to try the study without them: ``stressfield run nav2.py --build standin``.
"""

import sys
from dataclasses import replace
from math import pi
from pathlib import Path

import stressfield as sf
from stressfield.subject import NavigateToPose, Pacing, Ros2Subject
from stressfield.world import Lidar, MapServer, OccupancyMap, Odometer, StaticFrames, write_map

HERE = Path(__file__).resolve().parent
GOAL_M = (9.0, 3.0)

# What stressfield calls ROBOT/odom and so on, in the names that the robot's parameters have for it.
FRAMES = {"turtlebot/odom": "odom", "turtlebot/base_link": "base_link", "turtlebot/scan": "base_scan"}


class Hall(sf.Element):
    """A hall with boxes between the robot and its goal."""

    boxes: int = sf.integer(0, 8)


def turtlebot() -> sf.Robot:
    """Small, slow, with a lidar that looks all around, and with all that Nav2 wants to be told."""
    plain = sf.robots.diff_drive(length_m=0.28, width_m=0.28, height_m=0.2, mass_kg=2.0, speed_max_mps=0.26)
    lidar = Lidar(
        "/scan", 10.0, x_m=0.0, z_m=0.18, angle_min_rad=-pi, angle_max_rad=pi, rays=360, range_min_m=0.12,
        range_max_m=3.5, noise_m=0.01,
    )  # fmt: skip
    odometer = Odometer("/odom", 25.0, distance_noise=0.01, turn_noise=0.01, tf_topic="/tf", map_frame="map")
    return replace(plain, sensors=(lidar, odometer, StaticFrames(), MapServer()))


def build(hall: Hall, rng: sf.Rng) -> sf.Scenario:
    world = sf.World.flat(10.0, 6.0).with_robot("turtlebot", turtlebot(), at=(1.0, 3.0))
    box = sf.bodies.box("box", length_m=0.5, width_m=0.5, height_m=0.5)
    world = world.scatter(box, count=hall.boxes, clear_of=("turtlebot", GOAL_M), gap_m=0.9, rng=rng)
    return sf.Scenario(world, sf.Mission.reach(GOAL_M, within_s=120.0))


def nav2(_scenario: sf.Scenario) -> sf.Subject:
    # Nav2 is many threads, and nothing in it answers a scan with a command: it gets the time that it has on the robot.
    return Ros2Subject(
        ["ros2", "launch", HERE / "nav2.launch.py"],
        goal=NavigateToPose(),
        frames=FRAMES,
        pacing=Pacing(time="paced", ready_timeout_s=60.0, may_pause=True),
        grace_s=1.5,
    )


def standin(_scenario: sf.Scenario) -> sf.Subject:
    return Ros2Subject([sys.executable, HERE / "nav2_standin.py"], goal=NavigateToPose(), frames=FRAMES)


oracle = sf.Oracle("nav2")


@oracle.property("clear", sf.CRITICAL_EVENT, "Touches no box", when_vacuous="pass")
def touches_nothing(run: sf.Evidence) -> sf.Margin:
    return sf.always(run.clearance("turtlebot", "box") >= 0.0)


@oracle.property("arrives", sf.MISSION_PHASE, "Comes within 0.3 m of its goal")
def arrives(run: sf.Evidence) -> sf.Margin:
    return sf.eventually(run.distance("turtlebot", "goal") <= 0.30)


study = sf.Study(
    "nav2",
    model=Hall,
    build=build,
    subject=(
        sf.Build("nav2", "Nav2 of ROS 2, launched for every run", nav2),
        sf.Build("standin", "a stand-in that answers as Nav2 does", standin),
    ),
    oracle=oracle,
)

if __name__ == "__main__":
    # The map of one hall for nav2_map_server and AMCL: python nav2.py 6 maps
    boxes, folder = sys.argv[1:3]
    written, _ = write_map(OccupancyMap.of(study.scenario(boxes, seed=1).world), Path(folder))
    sys.stdout.write(f"{written}\n")
