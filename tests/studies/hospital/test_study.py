"""Worlds, runs, disturbances and verdicts of the study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.studies.hospital.runs import SHORT, ran

from stressfield.bus import FORWARDED
from stressfield.errors import DescriptorError
from stressfield.fuzz import (
    Blackhole,
    Conditional,
    FieldValues,
    Loss,
    RandomValue,
    Range,
    StuckAt,
    Variable,
    Window,
    read_sesame,
)
from stressfield.oracle import Evidence, Outcome
from stressfield.run import Status
from stressfield.seeds import generator
from stressfield.trace import Truth
from stressfield_studies.hospital import robot, study
from stressfield_studies.hospital.measures import metrics, series
from stressfield_studies.hospital.mission import HospitalMission
from stressfield_studies.hospital.model import PLAIN, ROBOTS, Hospital
from stressfield_studies.hospital.oracle.facts import gap_m, robot_contacts
from stressfield_studies.hospital.space import example_test, space

SESAME = Path(__file__).parents[4] / "shared/data/sesame/testingHealthcareSpace.model"
COMMAND_2 = "/tb3_2/cmd_vel"
FAR = PLAIN.descriptor.replace("1.6-1.6", "1.7-1.9", 1).replace("(8-14.0)", "(9-20.0)")


def outcomes(evidence: Evidence) -> dict[str, Outcome]:
    return {verdict.property: verdict.outcome for verdict in study.oracle.judge(evidence, include=["V1"])}


def failed(evidence: Evidence) -> set[str]:
    return {name for name, outcome in outcomes(evidence).items() if outcome is not Outcome.PASS}


# --- worlds ------------------------------------------------------------------------------------------------------


def test_the_plain_floor_is_as_published() -> None:
    scenario = study.scenario(PLAIN.descriptor, seed=1)
    mission = scenario.mission
    assert isinstance(mission, HospitalMission)
    assert len(scenario.world.regions_of_kind("room")) == 20
    assert mission.rooms == 9
    assert mission.limit_s == 300.0
    assert [placed.robot.name for placed in scenario.world.robots] == ["tb3_0", "tb3_1", "tb3_2"]
    assert scenario.world.robots[0].robot.drive.command_topic == "/tb3_0/cmd_vel"


def test_every_task_and_charger_is_free_and_in_its_place() -> None:
    for seed in range(20):
        genotype = Hospital.random_create(generator(seed, "genotype"))
        scenario = study.build(genotype, generator(seed, "phenotype"))
        mission, bodies = scenario.mission, scenario.world.bodies
        assert isinstance(mission, HospitalMission)
        for duty in mission.duties:
            for task in duty.tasks:
                room = scenario.world.region(f"room {task.room}")
                assert room.contains(np.array([task.place.x_m]), np.array([task.place.y_m]))[0]
            for place in (duty.home, *(task.place for task in duty.tasks)):
                clear = np.maximum(
                    np.abs(bodies.x_m - place.x_m) - bodies.size_x_m / 2.0,
                    np.abs(bodies.y_m - place.y_m) - bodies.size_y_m / 2.0,
                )
                assert clear.min() > robot.RADIUS_M


def test_visits_belong_to_robots_and_lead_outwards() -> None:
    assert [[visit.room for visit in PLAIN.of_robot(r)] for r in range(ROBOTS)] == [
        [1, 4, 8],
        [11, 14, 17],
        [2, 12, 16],
    ]


@pytest.mark.parametrize(
    ("descriptor", "words"),
    [
        (PLAIN.descriptor.replace("(1-8.0)", "(11-8.0)"), "no room is visited twice"),
        (PLAIN.descriptor.replace("(10-", "(8-", 1), "every visited room exists"),
        (
            PLAIN.descriptor.replace("1.6-1.6", "1.7-1.9", 1)
            .replace("(8-14.0)", "(9-20.0)")
            .replace("(4-10.0)", "(4-20.0)")
            .replace("(1-8.0)", "(1-20.0)"),
            "be back in time",
        ),
    ],
)
def test_impossible_hospitals_are_refused(descriptor: str, words: str) -> None:
    with pytest.raises(DescriptorError, match=words):
        study.scenario(descriptor, seed=1)


# --- runs --------------------------------------------------------------------------------------------------------


def test_undisturbed_all_rooms_are_done_and_all_robots_home() -> None:
    done, evidence = ran(PLAIN.descriptor)
    assert done.status is Status.COMPLETED
    assert failed(evidence) == set()
    found = metrics(evidence)
    assert found["completedRooms"] == 9.0
    assert found["distanceAtEnd"] < 0.6
    assert found["robotCollisions"] == found["wallContacts"] == found["fuzzingTimeLength"] == 0.0
    assert 0.0 < found["totalEnergyAtEnd"] < 3 * 6000.0
    assert found["missionTime"] < 300.0
    rooms = series(evidence)["completedRooms"]
    assert rooms.values[0] == 0.0
    assert rooms.values[-1] == 9.0
    assert (np.diff(rooms.values) >= 0.0).all()


def test_the_same_seed_gives_the_same_trace_and_another_one_another() -> None:
    first, again, other = (ran(SHORT, seed=seed)[0].trace.digest() for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_relay_that_does_nothing_changes_nothing() -> None:
    never = [
        Loss(name=f"never {n}", topics=(f"/{n}/cmd_vel",), probability=1.0, when=Window(start_s=1e6, end_s=2e6))
        for n in robot.NAMES
    ]
    nothing = Variable(name="robot0", kind="place", topics=("/tb3_0/amcl_pose",), path="pose.pose.position")
    assert ran(SHORT)[0].trace.digest() == ran(SHORT, operations=never, variables=[nothing])[0].trace.digest()


def test_trolleys_that_are_on_no_map_are_seen_and_passed() -> None:
    _, evidence = ran(SHORT.replace("(true-0)", "(true-3)"))
    assert len(evidence.scenario.world.bodies.of_kind("trolley")) == 3
    assert failed(evidence) == set()


def test_a_low_battery_sends_a_robot_home_early() -> None:
    scenario = study.scenario(SHORT, seed=1)
    assert isinstance(scenario.mission, HospitalMission)
    from stressfield.run import execute
    from stressfield.trace import Metadata

    weak = replace(scenario, mission=replace(scenario.mission, charge=0.13))
    done = execute(
        weak, study.find_build("fixed").subject(weak), study.find_simulator()(), seed=1, timing=study.timing,
        ending=study.ending, metadata=Metadata(),
    )  # fmt: skip
    evidence = Evidence(done.trace, weak)
    assert metrics(evidence)["completedRooms"] < 9.0
    assert outcomes(evidence)["R1"] is Outcome.FAIL
    assert outcomes(evidence)["R2"] is Outcome.PASS


# --- disturbances ------------------------------------------------------------------------------------------------


def test_a_robot_that_gets_no_commands_stays_and_the_oracle_says_so() -> None:
    _, evidence = ran(SHORT, operations=[Blackhole(name="silence", topics=(COMMAND_2,))])
    verdicts = {verdict.property: verdict for verdict in study.oracle.judge(evidence)}
    assert metrics(evidence)["completedRooms"] == 6.0
    assert verdicts["R1"].margin == -3.0
    assert verdicts["R1"].subcase == "1"
    assert verdicts["R3"].outcome is Outcome.FAIL
    assert verdicts["R2"].outcome is Outcome.PASS
    assert metrics(evidence)["fuzzingTimeLength"] == pytest.approx(evidence.trace.end_time_ns / 1e9)


def test_a_robot_driven_backwards_hits_the_wall_behind_it() -> None:
    back = StuckAt(name="back", topics=(COMMAND_2,), path="linear.x", value=-1.0, when=Window(start_s=0.0, end_s=15.0))
    _, evidence = ran(SHORT, operations=[back])
    verdicts = {verdict.property: verdict for verdict in study.oracle.judge(evidence, include=["V1"])}
    assert verdicts["C2"].outcome is Outcome.FAIL
    assert verdicts["C2"].subcase == "1"
    assert verdicts["V1"].subcase == "1"
    assert COMMAND_2 + FORWARDED in evidence.trace.topics


def test_the_example_test_of_the_source_runs() -> None:
    test = example_test()
    done, evidence = ran(PLAIN.descriptor, operations=test.operations)
    found = metrics(evidence)
    assert done.status.judged
    assert found["fuzzingTimeLength"] == pytest.approx(53.3, abs=0.3)
    assert found["wallContacts"] >= 1.0
    x = evidence.trace.topic(COMMAND_2 + FORWARDED).column("linear.x")
    assert ((x > 0.904) & (x < 0.946)).all()


def test_conditions_speak_of_robots_and_walls() -> None:
    when = Conditional(start="distance(robot0, robot1) < 1.0 and nearest(robot1) < 2.0 and battery(robot1) > 0.1")
    push = RandomValue(
        name="attackVel_robot1", topics=("/tb3_1/cmd_vel",), when=when,
        fields=(FieldValues(path="linear.x", range=Range(0.5, 1.0)),),
    )  # fmt: skip
    _, evidence = ran(SHORT, operations=[push], variables=space().variables)
    assert 0.0 < metrics(evidence)["fuzzingTimeLength"] < evidence.trace.end_time_ns / 1e9


def test_the_space_has_the_published_experiment() -> None:
    made = space()
    campaign = made.search("firstExperiment")
    assert [(one.metric) for one in campaign.objectives] == ["completedRooms", "distanceAtEnd", "fuzzingTimeLength"]
    assert len(made.templates(campaign)) == 6
    assert campaign.tests[0].results == {"completedRooms": 5}
    directions = {one.name: one.direction for one in made.metrics}
    assert directions["completedRooms"] == directions["fuzzingTimeLength"] == "lowest"
    assert directions["distanceAtEnd"] == "highest"


@pytest.mark.skipif(not SESAME.exists(), reason="the authors' model files are not here")
def test_a_test_of_the_authors_runs_as_imported() -> None:
    imported = read_sesame(SESAME).space
    tests = [test for test in imported.searches[0].tests if "totalDistanceAtEnd" in repr(test.operations)]
    done, evidence = ran(SHORT, operations=tests[0].operations, variables=imported.variables)
    assert done.status.judged, done.trouble
    assert {one.name for one in imported.metrics} <= set(metrics(evidence))


# --- facts -------------------------------------------------------------------------------------------------------


def truth_at(x: float, y: float, yaw: float, contact: float = -1.0) -> Truth:
    half = yaw / 2.0
    return Truth(np.array([0]), np.array([[x, y, 0.0, 0.0, 0.0, np.sin(half), np.cos(half), 0.0, 0.0, 1.0, contact]]))


def test_gaps_between_robots() -> None:
    one = truth_at(0.0, 0.0, 0.0)
    assert gap_m(one, truth_at(1.0, 0.0, 0.0))[0] == pytest.approx(1.0 - robot.LENGTH_M)
    assert gap_m(one, truth_at(0.0, 0.5, 0.0))[0] == pytest.approx(0.5 - robot.WIDTH_M)
    turned = truth_at(1.0 + robot.CENTRE_M, robot.CENTRE_M * -1.0, np.pi / 2.0)
    assert gap_m(one, turned)[0] == pytest.approx(
        1.0 - robot.LENGTH_M / 2.0 - robot.WIDTH_M / 2.0 + robot.CENTRE_M - robot.CENTRE_M
    )
    assert gap_m(one, truth_at(0.05, 0.0, 0.0))[0] == pytest.approx(0.05 - robot.LENGTH_M)


def test_contact_that_the_simulator_reports_is_a_collision() -> None:
    _, evidence = ran(SHORT)
    assert robot_contacts(evidence) == []
    touched = replace(evidence.trace, robots={**evidence.trace.robots})
    values = evidence.trace.truth("tb3_0").values.copy()
    values[50:60, 10] = -3.0
    touched.robots["tb3_0"] = Truth(evidence.trace.truth("tb3_0").time_ns, values)  # type: ignore[index]
    contact = robot_contacts(Evidence(touched, evidence.scenario))
    assert [(one.robot, one.where) for one in contact] == [("tb3_0 and tb3_1", contact[0].where)]
    assert contact[0].start_s == pytest.approx(5.0)


@pytest.mark.parametrize(("code", "name"), [(-3.0, "C1"), (0.0, "C2")])
@pytest.mark.parametrize("gap", [0.0, 2e-16])
def test_a_touch_without_overlap_is_a_violation_with_a_margin_below_zero(code: float, name: str, gap: float) -> None:
    _, evidence = ran(SHORT)
    truth = evidence.trace.truth("tb3_0")
    values = truth.values.copy()
    values[50:60, 9:] = gap, code
    robots = {**evidence.trace.robots, "tb3_0": Truth(truth.time_ns, values)}
    judged = study.oracle.judge(Evidence(replace(evidence.trace, robots=robots), evidence.scenario))
    (verdict,) = [verdict for verdict in judged if verdict.property == name]
    assert (verdict.outcome, verdict.margin) == (Outcome.FAIL, -0.001)
