"""What the page of the `mana` study says is what the code does."""

from __future__ import annotations

from itertools import pairwise
from math import degrees, hypot

import pytest

from stressfield.analysis import navigation
from stressfield.bus import Latency
from stressfield.model import parameters
from stressfield.world import Lidar3D, Odometer, PoseSensor, fractal, placement
from stressfield_studies.mana import FAULTY_SIZE_M, TIMING, experiment, published, robot, site, study
from stressfield_studies.mana.difficulty import levels, trend
from stressfield_studies.mana.mission import TOLERANCE_M, ManaMission
from stressfield_studies.mana.model import ManaWorld
from stressfield_studies.mana.oracle import judges
from stressfield_studies.mana.robot import MANA
from stressfield_studies.mana.series import TrendKind
from stressfield_studies.mana.subject import dtm, kernels, p3d

from .pages import ROOT
from .test_oz_page import row

PROGRAMMES = {one.name: one for one in experiment.PROGRAMMES}
PAGE = " ".join((ROOT / "docs" / "studies" / "mana.md").read_text().split())


def missing(*said: str) -> list[str]:
    return [text for text in said if " ".join(text.split()) not in PAGE]


def delay(one: Latency) -> str:
    return f"{one.base_ms:g} + {one.jitter_ms:g} ms"


def test_the_table_of_the_model() -> None:
    assert missing(*(row(leaf) for leaf in parameters(ManaWorld))) == []


@pytest.mark.parametrize(
    ("descriptor", "trees", "buildings"),
    [
        ("(2-0.0)-(0.0-0.0-0.0)", 0, 0),
        ("(2-0.0)-(6.0-0.0-0.0)", 600, 0),
        ("(2-0.0)-(20.0-1.0-0.0)", 0, 25),
        ("(4-2.5)-(0.0-0.0-0.0)", 0, 0),
        ("(4-1.5)-(10.0-0.8-0.3)", None, None),
        ("r-(5.0-0.0-0.0)", 500, 0),
    ],
)
def test_descriptors(descriptor: str, trees: int | None, buildings: int | None) -> None:
    assert missing(f"| `{descriptor}` |") == []
    bodies = study.scenario(descriptor, seed=1).world.bodies
    if trees is not None:
        assert (len(bodies.of_kind("tree")), len(bodies.of_kind("building"))) == (trees, buildings)


def test_every_property_and_subcase_is_explained() -> None:
    for one in study.oracle.own.properties:
        assert missing(f"| {one.name} ") == []
    for name in ("N2", "N3", "N4"):
        cases = next(one.subcases for one in study.oracle.properties if one.name == name)
        assert missing(", ".join(f"{case} {text}" for case, text in cases.items())) == []
    assert [one.name for one in study.builds if missing(f"| `{one.name}` |")] == []


def test_world() -> None:
    start, goal = site.INSET_M, site.SIZE_M - site.INSET_M
    building = 100.0 * site.BUILDING_M**2 / site.SIZE_M**2
    said = (
        f"measures {site.SIZE_M:g} x {site.SIZE_M:g} m",
        f"from ({start:g}, {start:g}) to ({goal:g}, {goal:g}): {hypot(goal - start, goal - start):.1f} m",
        f"corners, {site.FREE_M:g} x {site.FREE_M:g} m each",
        f"buildings of {site.BUILDING_M:g} x {site.BUILDING_M:g} m, {site.BUILDING_HEIGHT_M:g} m high",
        f"trees of {site.TREE_M:g} x {site.TREE_M:g} m, {site.TREE_HEIGHT_M:g} m high",
        f"displaced by {fractal.DECAY:g} times as much",
        f"within {1.0 / (1.0 - fractal.DECAY):.2f} d of level",
        f"One building covers {building:.2f} %",
        f"After {placement.FAILURES_MAX:,} places in a row",
        f"| none | {site.LIMIT_S:g} s are over |",
        f"no report within {site.LIMIT_S:g} s",
    )
    assert missing(*said) == []


def test_rover_and_lidar() -> None:
    sensors = {type(one): one for one in MANA.sensors}
    lidar, odometer, fix = sensors[Lidar3D], sensors[Odometer], sensors[PoseSensor]
    assert isinstance(lidar, Lidar3D)
    assert isinstance(odometer, Odometer)
    assert isinstance(fix, PoseSensor)
    assert MANA.climb_max_rad is not None
    assert MANA.tip_max_rad is not None
    shape = f"{len(lidar.elevations_rad)} rings x {lidar.azimuths} azimuths at {lidar.rate_hz:g} Hz"
    said = (
        f"{MANA.length_m:g} x {MANA.width_m:g} x {MANA.height_m:g} m, {MANA.mass_kg:g} kg",
        f"{robot.SPEED_MPS:g} m/s at most in missions",
        f"more than {degrees(MANA.climb_max_rad):.0f} degrees",
        f"more than {MANA.step_max_m:g} m within a wheel's radius",
        f"beyond {degrees(MANA.tip_max_rad):.0f} degrees of tilt",
        f"{shape}, from {lidar.z_m:g} m above",
        f"range of {lidar.range_min_m:g} to {lidar.range_max_m:g} m, {100 * lidar.noise_m:g} cm of noise",
        f"{100 * lidar.dropout:g} % of rays lost",
        f"| `{robot.POINTS}` | PointCloud2 | {lidar.rate_hz:g} Hz |",
        f"| `{robot.ODOMETRY}` | Odometry | {odometer.rate_hz:g} Hz | wheels; {100 * odometer.distance_noise:g} %",
        f"| `{robot.POSITION}` | PoseStamped | {fix.rate_hz:g} Hz |",
        f"noise of {100 * fix.position_noise_m:g} cm and {degrees(fix.attitude_noise_rad):.1f} degrees",
        f"the run ends {study.ending.settle_s:g} s later",
        f"| {len(lidar.elevations_rad)} x {lidar.azimuths} at {lidar.rate_hz:g} Hz, {lidar.range_max_m:g} m, one",
        *(f"| `{topic}` |" for topic in (robot.PERCEIVED, robot.MAP, robot.FINAL_MAP, robot.ARC, robot.COMMAND)),
    )
    assert missing(*said) == []


def test_navigation() -> None:
    nodes, topics = TIMING.nodes, TIMING.topics
    first = ManaMission(limit_s=1.0, goal_x_m=0.0, goal_y_m=0.0).first_drive_m
    said = (
        f"(10 Hz) | {delay(nodes['pom'])} | {delay(topics[robot.POSITION])} |",
        f"(2 Hz) | {delay(nodes['dtm'])} | {delay(topics[robot.POINTS])} |",
        f"(10 Hz) | {delay(nodes['p3d'])} | {delay(topics[robot.MAP])} |",
        f"elevation map of {dtm.CELL_M:g} m cells",
        f"publishes {2 * dtm.REACH_M:g} x {2 * dtm.REACH_M:g} m around",
        f"edges higher than {kernels.EDGE_M:g} m",
        f"at most {kernels.FILL_MAX_M:g} m apart",
        f"gentle ({kernels.FILL_SLOPE:g})",
        f"first drives {first:g} m straight on",
        f"{p3d.ARCS} arcs of {p3d.NODES} nodes, {p3d.ARC_LENGTH_M:g} m long",
        f"curvatures up to {p3d.CURVATURE_MAX:g} 1/m",
        f"slope of at most {degrees(p3d.SLOPE_MAX_RAD):.1f} degrees",
        f"further than {p3d.ROUGHNESS_MAX_M:g} m from the plane",
        f"at most {100 * p3d.UNKNOWN_MAX:g} % of the ground unknown",
        f"up to {100 * p3d.UNKNOWN_MAX:g} % under the rover is tolerated",
        f"| within {p3d.ARRIVAL_M:g} m of the goal, as it believes |",
        f"within {p3d.STUCK_WITHIN_M:g} m of one place for {p3d.STUCK_AFTER_S:g} s",
        f"an error after {p3d.STUCK_AFTER_S:g} s without motion",
        f"how large the rover is: {robot.LENGTH_M} x {robot.WIDTH_M} m",
        f"believes that the rover is {FAULTY_SIZE_M[0]} x {FAULTY_SIZE_M[1]} m",
    )
    assert missing(*said) == []
    assert p3d.REFUSALS_MAX == 3  # "three maps in a row"


def test_thresholds_of_properties_and_measures() -> None:
    arc, command, pose = experiment.SIGNALS[2:]
    assert (arc.name, command.name, pose.name) == ("elected arc", "command", "pose")
    said = (
        f"less than {judges.NEW_COLLISION_AFTER_S:g} s apart are one collision",
        f"really within {TOLERANCE_M:g} m of the goal",
        f"within {judges.LOCALISATION_TOLERANCE_M:g} m of the true one",
        f"sampled every {navigation.STEP_S:g} s",
        f"{navigation.LEAST_MOVE_M:g} m from the last one",
        f"Fewer than {100 * levels.FEW_SUCCESSES:g} % successes",
        "weights of {:g}, {:g} and {:g}".format(*levels.WEIGHTS),
        f"Tracks have a point every {study.recording.track_step_s:g} s",
        f"elected arc (beyond {arc.tolerance:g} {arc.unit} of curvature)",
        f"command (beyond {command.tolerance:g} {command.unit}), pose (beyond {pose.tolerance:g} {pose.unit})",
        f"may come {command.slack_s:g} s (one pose) earlier or later",
        f"p < {trend.RISK:g}",
    )
    assert missing(*said) == []
    assert trend.FEWEST == 5  # "fewer than five configurations"


def test_experiments_and_configurations() -> None:
    assert missing(*(f"`{one.name}`" for one in study.experiments)) == []
    series = {one.name: one for one in PROGRAMMES["all"].series(False)}
    for name, one in series.items():
        if one.levels_from is None:
            title = name.replace("ground-s", "ground s = ")
            assert one.published.runs == one.runs
            assert (
                missing(
                    f"| {title} | {one.runs} |",
                    f"{len(one.configurations)} configurations, {one.maps} maps x {one.repeats} runs |",
                )
                == []
            ), name
    trees, buildings = experiment.TREES_PERCENT, experiment.BUILDINGS_PERCENT
    said = [f"0 to {trees[-1]:g} % by 0.5", f"0 and {buildings[1]:g} to {buildings[-1]:g} % by 0.75"]
    said += [f"0 to {values[-1]:g} m by 0.5" for values in experiment.GROUND_M.values()]
    assert missing(*said) == []


def test_quick_series_have_enough_pairs_for_every_comparison() -> None:
    quick = {one.name: one for one in PROGRAMMES["all"].series(True)}
    for name, one in quick.items():
        wanted = 7 if name.startswith("ground") else 6  # "six configurations a series, seven on uneven ground"
        assert (len(one.configurations), one.maps, one.repeats) == (wanted, 2, 3)
    compared = [one for one in PROGRAMMES["all"].expectations if one.kind is TrendKind.HARDER]
    assert len(compared) == 2
    for expected in compared:
        for hard, easy in pairwise(expected.series):
            last = quick[easy].configurations[-1].value
            pairs = sum(0.0 < each.value <= last for each in quick[hard].configurations)
            assert pairs == trend.fewest_pairs(len(expected.series) - 1), expected.title  # "five, or six"


def test_the_order_over_s_is_said_to_be_built_in() -> None:
    fine = next(one for one in PROGRAMMES["ground"].expectations if one.kind is TrendKind.HARDER)
    assert fine.note.startswith("This order is largely built in: with s read as cuts along each side")
    assert missing("**The order over s is largely built in.**", "cuts along each side", "steeper at equal d") == []


def test_published_numbers() -> None:
    said = [f"| trees | {published.TREES.easy_until:g} % | {published.TREES.very_difficult_from:g} % (above 7 %)"]
    said += [f"| buildings | {published.BUILDINGS.easy_until:g} %, then"]
    everything = {"trees": published.TREES, "buildings": published.BUILDINGS}
    for s, ground in published.GROUND.items():
        said.append(f"| {ground.very_difficult_from:g} m | {ground.runs} | {ground.hours:g} |")
        everything[f"ground s = {s}"] = ground
    said += [f"| {one.runs} | {one.hours:g} |" for one in everything.values()]
    said.append(", ".join(f"{mean:g} {level}" for level, mean in published.TREES_FAULTY.mean_collisions.items()))
    assert missing(*said) == []


def test_clouds_and_maps_are_fingerprints_but_the_final_map_is_whole() -> None:
    assert set(study.recording.fingerprinted) == {robot.POINTS, robot.MAP}
