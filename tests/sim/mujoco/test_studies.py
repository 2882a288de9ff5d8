"""The robots of the navigation studies do in MuJoCo what they do in the kinematic simulator."""

from __future__ import annotations

import pytest

from stressfield.oracle import Evidence
from stressfield.oracle.oracle import Outcome
from stressfield.plugins import find_study
from stressfield.run import Status, execute
from stressfield.trace import Metadata

WORLDS = {
    "oz": "0.02-(1-r-6.0-r-(cabbage-0.5)-5.0-0.0-0.0-(0-0.0)-r-r-r)-(true-true-left)",
    "mana": "(2-0.3)-(0.0-0.5-0.0)",
}


@pytest.mark.parametrize("name", WORLDS)
def test_both_simulators_say_the_same_kinds_of_things(name: str) -> None:
    study = find_study(name)
    scenario = study.scenario(WORLDS[name], seed=1)
    said = []
    for simulator in (study.find_simulator()(), study.find_simulator("mujoco")()):
        session = simulator.open(scenario, seed=1)
        heard = [s for _ in range(20) for s in session.step(())]
        said.append([(s.topic, s.time_ns, type(s.message)) for s in heard])
        assert session.command_topics == (scenario.world.robots[0].robot.drive.command_topic,)
        session.close()
    assert said[0] == said[1]


@pytest.mark.parametrize("name", WORLDS)
def test_an_easy_mission_is_done_and_every_property_holds(name: str) -> None:
    study = find_study(name)
    scenario = study.scenario(WORLDS[name], seed=2)
    done = execute(
        scenario,
        study.find_build("fixed").subject(scenario),
        study.find_simulator("mujoco")(),
        seed=2,
        timing=study.timing,
        ending=study.ending,
        metadata=Metadata(),
        fingerprinted=study.recording.fingerprinted,
    )
    assert done.status is Status.COMPLETED, done.trouble
    verdicts = {verdict.property: verdict.outcome for verdict in study.oracle.judge(Evidence(done.trace, scenario))}
    assert set(verdicts.values()) == {Outcome.PASS}, verdicts
