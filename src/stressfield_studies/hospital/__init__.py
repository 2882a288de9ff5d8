"""Study `hospital`: three robots visit patients' rooms on one floor, and somebody disturbs their messages.

After SESAME D6.2 (University of York), "Simulation-based testing of multi-robot systems": its world, tasks, metrics and
fuzzing space. The robot software is our own navigation stack with the same parts and topics.
"""

from __future__ import annotations

from functools import partial

from stressfield.bus import Latency, Node, Timing
from stressfield.scenario import Scenario
from stressfield.sim import kinematic_simulator
from stressfield.study import Build, Ending, Study
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.experiment import EXPERIMENTS
from stressfield_studies.hospital.floor import build
from stressfield_studies.hospital.measures import MONITORED, metrics, series
from stressfield_studies.hospital.mission import HospitalMission
from stressfield_studies.hospital.model import Hospital
from stressfield_studies.hospital.oracle import oracle
from stressfield_studies.hospital.space import space

TIMING = Timing(
    topics={robot.topic(name, robot.SCAN): Latency(base_ms=5.0, jitter_ms=3.0) for name in robot.NAMES},
    nodes={
        **{f"{name}/amcl": Latency(base_ms=8.0, jitter_ms=4.0) for name in robot.NAMES},
        **{f"{name}/move_base": Latency(base_ms=10.0, jitter_ms=5.0) for name in robot.NAMES},
    },
)


def _nodes(scenario: Scenario, *, guarded: bool) -> list[Node]:
    from stressfield_studies.hospital.subject import fleet  # noqa: PLC0415 (numba)

    mission = scenario.mission
    if not isinstance(mission, HospitalMission):
        raise TypeError(f"The hospital's robots need a HospitalMission, got {type(mission).__name__}.")
    return fleet(mission, guarded=guarded)


study = Study(
    name="hospital",
    title="Three robots visit the rooms of a hospital floor",
    model=Hospital,
    build=build,
    subject=(
        Build("fixed", "the fleet", partial(_nodes, guarded=False)),
        Build(
            MONITORED,
            "the fleet; a monitor stops a robot on implausible or lost commands",
            partial(_nodes, guarded=True),
        ),
    ),
    oracle=oracle,
    ending=Ending(robot.REPORT, settle_s=3.0),
    expected_hz={
        **{robot.topic(name, robot.POSE): robot.SCAN_HZ for name in robot.NAMES},
        **{robot.topic(name, robot.BATTERY): 1.0 for name in robot.NAMES},
    },
    simulator=kinematic_simulator(tick_ns=100_000_000, substep_ns=20_000_000),
    timing=TIMING,
    metrics=metrics,
    series=series,
    space=space,
    experiments=EXPERIMENTS,
)

__all__ = ["study"]
