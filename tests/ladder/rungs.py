"""A study with two rungs whose truth is known: what each simulator does wrong is written here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stressfield.bus import Link, Node, Stamped
from stressfield.bus.messages import DiagnosticStatus
from stressfield.bus.messages import Float64Msg as Number
from stressfield.model import Element, integer
from stressfield.oracle import Evidence, Judgement, Oracle, PropertyClass, Violation
from stressfield.scenario import Scenario
from stressfield.seeds import Rng, generator
from stressfield.sim import Observation
from stressfield.study import Ending, Study
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Robot, Terrain, World

REAL, ARTEFACT, MISSED, FLICKER, HALF = "real", "artefact", "missed", "flicker", "half"
CHANCES = {
    # what goes wrong: with which chance in a run of the lower rung, and of the upper, by the kind of world
    "fast": ({}, {REAL: 1.0}, {ARTEFACT: 1.0}, {}, {FLICKER: 0.5}, {HALF: 0.5}),
    "true": ({}, {REAL: 1.0}, {}, {MISSED: 1.0}, {FLICKER: 0.5}, {}),
}
LATE_S = 0.2
NAMES = (REAL, ARTEFACT, MISSED, FLICKER, HALF)


class Place(Element):
    """A place of one of six kinds."""

    kind: int = integer(0, 5)
    number: int = integer(0, 1000)


def build(place: Place, rng: Rng) -> Scenario:
    drive = DifferentialDrive("/cmd", 0.1, 0.3, 1.0, 1.0, 1.0)
    robot = Robot("cart", 0.2, 0.2, 0.2, 1.0, drive, ())
    terrain = Terrain.flat(x0_m=-5.0, y0_m=-5.0, size_m=10.0)
    world = World(f"kind {place.kind}", terrain, Bodies.none(), (PlacedRobot(robot, 0.0, 0.0, 0.0),))
    return Scenario(world, Mission(limit_s=2.0))


class Session:
    """Says once what goes wrong in this run."""

    tick_ns = 100_000_000
    command_topics = ("/cmd",)

    def __init__(self, name: str, scenario: Scenario, seed: int) -> None:
        self.time_ns = 0
        chances = CHANCES[name][int(scenario.world.name.rpartition(" ")[2])]
        # A robot that is late misses what only the upper rung can tell: what a calibration of it brings to light.
        if name == "true" and scenario.world.robots[0].robot.drive.dead_time_s >= LATE_S:  # type: ignore[attr-defined]
            chances = {**chances, MISSED: 1.0}
        draws = generator(seed, "wrong", name)
        self._wrong = [what for what in NAMES if draws.random() < chances.get(what, 0.0)]

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        self.time_ns += self.tick_ns
        first = self.time_ns == self.tick_ns
        codes = [Stamped("/wrong", self.time_ns, Number(float(NAMES.index(what)))) for what in self._wrong if first]
        return [*codes, Stamped("/tick", self.time_ns, Number(0.0))]

    def observe(self) -> Observation:
        rows = np.zeros((1, 11))
        rows[0, 6], rows[0, 9:] = 1.0, -1.0
        return Observation(self.time_ns, rows)

    def close(self) -> None:
        pass


class Simulator:
    def __init__(self, name: str) -> None:
        self.name = name

    def open(self, scenario: Scenario, *, seed: int) -> Session:
        return Session(self.name, scenario, seed)


class Waiter(Node):
    """Waits half a second and reports."""

    name = "waiter"

    def setup(self, link: Link) -> None:
        link.every(0.5, lambda: link.publish("/report", DiagnosticStatus.done("waited")))


oracle = Oracle("rungs")


@oracle.property("right", PropertyClass.CRITICAL_EVENT, "Nothing goes wrong", subcases=dict.fromkeys(NAMES, "it does"))
def right(evidence: Evidence) -> Judgement:
    topics = evidence.trace.topics
    wrong = [NAMES[int(code)] for code in topics["/wrong"].column("data")] if "/wrong" in topics else []
    return Judgement(-1.0 if wrong else 1.0, "", 0.1, tuple(Violation(0.1, 0.1, what) for what in wrong))


study = Study(
    name="rungs",
    model=Place,
    build=build,
    subject=lambda _: Waiter(),
    oracle=oracle,
    ending=Ending(settle_s=0.1),
    simulator={"fast": lambda: Simulator("fast"), "true": lambda: Simulator("true")},
)
