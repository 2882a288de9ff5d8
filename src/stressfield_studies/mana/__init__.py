"""Study `mana`: navigation in generated terrain, and how difficult a world is.

After T. Sotiropoulos, J. Guiochet, F. Ingrand and H. Waeselynck, "Virtual worlds for testing robot navigation: a study
on the difficulty level". The navigation is our own, made of the same three modules as that of the rover.
"""

from __future__ import annotations

from stressfield.bus import Latency, Node, Timing
from stressfield.scenario import Scenario
from stressfield.sim import kinematic_simulator, mujoco_simulator
from stressfield.study import Build, Ending, Recording, Study
from stressfield_studies.mana import robot
from stressfield_studies.mana.experiment import EXPERIMENTS
from stressfield_studies.mana.measures import facts_of, metrics
from stressfield_studies.mana.mission import ManaMission
from stressfield_studies.mana.model import ManaWorld
from stressfield_studies.mana.oracle import oracle
from stressfield_studies.mana.site import build, scenario_in

TICK_NS = 100_000_000
SUBSTEP_NS = 20_000_000
FAULTY_SIZE_M = (0.84, 0.45)
MODERATE = "(r-0.5)-(3-r-0.0)"
"""Worlds that the build ``fixed`` masters: gentle ground of any grain, 3 % obstructed, by trees or buildings.

Most worlds of the whole domain (``--template r``) are beyond any local method, as the experiments show.
"""

TIMING = Timing(
    topics={
        robot.POINTS: Latency(base_ms=40.0, jitter_ms=15.0),
        robot.POSITION: Latency(base_ms=5.0, jitter_ms=3.0),
        robot.MAP: Latency(base_ms=5.0, jitter_ms=5.0),
    },
    nodes={
        "pom": Latency(base_ms=1.0, jitter_ms=0.5),
        "dtm": Latency(base_ms=15.0, jitter_ms=8.0),
        "p3d": Latency(base_ms=15.0, jitter_ms=8.0),
    },
)


def _build(name: str, title: str, length_m: float, width_m: float) -> Build:
    def nodes(scenario: Scenario) -> list[Node]:
        from stressfield_studies.mana.subject import Dtm, P3d, Pom, RobotSize  # noqa: PLC0415 (loads the compiler)

        mission = scenario.mission
        if not isinstance(mission, ManaMission):
            raise TypeError(f"The mana navigation needs a ManaMission, got {type(mission).__name__}.")
        start = scenario.world.robots[0]
        x, y = sorted((start.x_m, mission.goal_x_m)), sorted((start.y_m, mission.goal_y_m))
        return [Pom(), Dtm((x[0], y[0], x[1], y[1])), P3d(mission, RobotSize(length_m, width_m))]

    return Build(name, title, nodes)


study = Study(
    name="mana",
    title="Navigation of a rover in generated terrain",
    model=ManaWorld,
    build=build,
    subject=(
        _build("fixed", "P3D knows how large the rover is", robot.LENGTH_M, robot.WIDTH_M),
        _build("faulty", "P3D believes that the rover is 0.84 x 0.45 m", *FAULTY_SIZE_M),
    ),
    oracle=oracle,
    ending=Ending(robot.REPORT, settle_s=2.0),
    template=MODERATE,
    expected_hz={robot.PERCEIVED: 10.0, robot.COMMAND: 10.0, robot.MAP: 2.0},
    simulator={
        "kinematic": kinematic_simulator(tick_ns=TICK_NS, substep_ns=SUBSTEP_NS),
        "mujoco": mujoco_simulator(tick_ns=TICK_NS),
    },
    timing=TIMING,
    experiments=EXPERIMENTS,
    metrics=metrics,
    recording=Recording(track_step_s=1.0, fingerprinted=(robot.POINTS, robot.MAP)),
)

__all__ = ["facts_of", "scenario_in", "study"]
