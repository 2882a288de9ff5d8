"""Study `oz`: weeding missions in virtual crop fields.

After C. Robert, T. Sotiropoulos, J. Guiochet and H. Waeselynck, "The virtual lands of Oz: testing an agribot in
simulation". The robot software is our own navigator with the same parts and the same known issues.
"""

from __future__ import annotations

from stressfield.bus import Latency, Node, Timing
from stressfield.scenario import Scenario
from stressfield.sim import kinematic_simulator, mujoco_simulator
from stressfield.study import Build, Ending, Study
from stressfield_studies.faults import faults_experiment
from stressfield_studies.oz import robot
from stressfield_studies.oz.faults import FAULTS
from stressfield_studies.oz.field import build
from stressfield_studies.oz.mission import OzMission
from stressfield_studies.oz.model import OzWorld
from stressfield_studies.oz.options import OzOptions
from stressfield_studies.oz.oracle import oracle
from stressfield_studies.oz.published import tables

TIMING = Timing(
    topics={
        robot.SCAN: Latency(base_ms=3.0, jitter_ms=2.0),
        robot.STAKES_LEFT: Latency(base_ms=60.0, jitter_ms=20.0),
        robot.STAKES_RIGHT: Latency(base_ms=60.0, jitter_ms=20.0),
    },
    nodes={
        "row_tracker": Latency(base_ms=8.0, jitter_ms=4.0),
        "navigator": Latency(base_ms=1.0, jitter_ms=0.5),
    },
)


def _build(name: str, title: str) -> Build:
    def nodes(scenario: Scenario) -> list[Node]:
        from stressfield_studies.oz.subject import Navigator, RowTracker, issues_of  # noqa: PLC0415 (numba)

        mission, issues = scenario.mission, issues_of(name)
        if not isinstance(mission, OzMission):
            raise TypeError(f"The oz navigator needs an OzMission, got {type(mission).__name__}.")
        return [RowTracker(mission, issues), Navigator(mission, issues)]

    return Build(name, title, nodes)


study = Study(
    name="oz",
    title="Weeding missions in virtual crop fields",
    model=OzWorld,
    options=OzOptions,
    build=build,
    subject=(
        _build("fixed", "all the navigator can do"),
        _build("release", "with issues I1 to I7"),
        *(_build(f"I{n}", f"fixed, with issue I{n} alone") for n in range(1, 8)),
    ),
    oracle=oracle,
    ending=Ending(robot.REPORT, settle_s=3.0, may_give_up=True),
    expected_hz={robot.WHEELS: 20.0, robot.PERCEIVED: 10.0, robot.ROW: 10.0},
    simulator={"kinematic": kinematic_simulator(), "mujoco": mujoco_simulator()},
    timing=TIMING,
    experiments=(faults_experiment(FAULTS),),
    published={"tables": tables},
)

__all__ = ["study"]
