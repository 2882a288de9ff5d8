"""A study small enough for tests: a cart on a line that should stop at a wall, and builds that misbehave on purpose."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.bus import Link, Node, Stamped, Timing
from stressfield.bus.messages import Float64Msg as Number
from stressfield.bus.messages import StringMsg as Text
from stressfield.errors import PhysicsError
from stressfield.model import Element, choice, integer, real
from stressfield.oracle import Evidence, Judgement, Oracle, PropertyClass, Violation
from stressfield.scenario import Scenario
from stressfield.seeds import Rng, generator
from stressfield.sim import Observation
from stressfield.study import Build, Ending, Study
from stressfield.subject import NodesSubject
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Robot, Terrain, World
from stressfield_studies.faults import Fault, faults_experiment


class Lane(Element):
    """A lane that ends at a wall."""

    wall_m: float = real(2.0, 4.0, unit="m", step=0.01)
    pushes: int = integer(0, 5)
    floor: str = choice("dry", "wet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(Mission):
    """Stop before the wall."""

    wall_m: float
    pushes: int


def build(lane: Lane, rng: Rng) -> Scenario:
    drive = DifferentialDrive("/cmd", 0.1, 0.3, 1.0, 1.0, 1.0)
    robot = Robot("cart", 0.2, 0.2, 0.2, 1.0, drive, ())
    terrain = Terrain.flat(x0_m=-5.0, y0_m=-5.0, size_m=10.0)
    world = World("lane", terrain, Bodies.none(), (PlacedRobot(robot, 0.0, 0.0, 0.0),))
    return Scenario(world, Stop(limit_s=4.0, wall_m=lane.wall_m, pushes=lane.pushes))


class CartSession:
    """A point on a line, pushed now and then."""

    tick_ns = 20_000_000
    command_topics = ("/cmd",)

    def __init__(self, scenario: Scenario, seed: int) -> None:
        assert isinstance(scenario.mission, Stop)
        self.time_ns = 0
        self._rng = generator(seed, "push")
        self._push = 0.02 * scenario.mission.pushes
        self._wall_m = scenario.mission.wall_m
        self._x_m = self._speed_mps = 0.0

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        for stamped in inbox:
            self._speed_mps = stamped.message.data
        if self._speed_mps > 90.0:
            raise PhysicsError("The cart is faster than light. Lower the speed.")
        self._x_m += self._speed_mps * 0.02 + self._push * float(self._rng.uniform(0.0, 0.1))
        self.time_ns += self.tick_ns
        gap_m = self._wall_m - self._x_m + float(self._rng.normal(0.0, 0.005))
        return [Stamped("/gap", self.time_ns, Number(data=gap_m))]

    def observe(self) -> Observation:
        rows = np.zeros((1, 11))
        rows[0, 0], rows[0, 6], rows[0, 7] = self._x_m, 1.0, self._speed_mps
        rows[0, 9], rows[0, 10] = self._wall_m - self._x_m, -1.0
        return Observation(self.time_ns, rows)

    def close(self) -> None:
        pass


class CartSimulator:
    def open(self, scenario: Scenario, *, seed: int) -> CartSession:
        return CartSession(scenario, seed)


class Brake(Node):
    """Drives until the wall is ``brake_at_m`` away; ``quirk`` is called with the gap before that."""

    name = "brake"

    def __init__(self, brake_at_m: float, quirk: object = None) -> None:
        self._brake_at_m = brake_at_m
        self._quirk = quirk
        self._done = False

    def setup(self, link: Link) -> None:
        self._link = link
        link.subscribe("/gap", self.on_gap)

    def on_gap(self, gap: Number) -> None:
        if callable(self._quirk):
            self._quirk(gap.data)
        stop = gap.data < self._brake_at_m
        self._link.publish("/cmd", Number(data=0.0 if stop else 2.0))
        if stop and not self._done:
            self._done = True
            self._link.publish("/done", Text(data="stopped"))


def unlucky(gap_m: float) -> bool:
    """Some runs, by their noise."""
    return int(gap_m * 1e6) % 997 == 0


def raises(gap_m: float) -> None:
    if unlucky(gap_m):
        raise ValueError(f"unlucky gap {gap_m}")


def dies(gap_m: float) -> None:
    if unlucky(gap_m):
        os.kill(os.getpid(), signal.SIGSEGV)


def exits(gap_m: float) -> None:
    if unlucky(gap_m):
        os._exit(7)


def hangs(gap_m: float) -> None:
    if unlucky(gap_m):
        while True:
            time.sleep(60.0)


def spins(gap_m: float) -> None:
    if unlucky(gap_m):
        sum(iter(int, 1))  # endless, and not in Python


def aborts(gap_m: float) -> None:
    if unlucky(gap_m):
        os.write(2, b"double free or corruption (out)\n")
        os.abort()


def slow(_gap_m: float) -> None:
    time.sleep(0.0005)


def node(brake_at_m: float, quirk: object = None):
    return lambda scenario: NodesSubject(lambda _: [Brake(brake_at_m, quirk)])


def absurd(scenario: Scenario):
    class Absurd(Brake):
        def on_gap(self, gap: Number) -> None:
            self._link.publish("/cmd", Number(data=99.0 if unlucky(gap.data) else 2.0))

    return NodesSubject(lambda _: [Absurd(0.2)])


oracle = Oracle("toy")


@oracle.property("gap", PropertyClass.CRITICAL_EVENT, "Keeps 2 cm from the wall", subcases={"hit": "touches it"})
def keeps_gap(evidence: Evidence) -> Judgement:
    truth = evidence.trace.truth("cart")
    gap = evidence.scenario.mission.wall_m - truth.values[:, 0]
    worst = int(gap.argmin())
    at_s = float(truth.time_ns[worst] / 1e9)
    margin = float(gap[worst]) - 0.02
    hit = (Violation(at_s, at_s, "hit" if gap[worst] < 0.0 else "near"),) if margin < 0.0 else ()
    return Judgement(margin, "m", at_s, hit)


@oracle.property("strict", PropertyClass.CRITICAL_EVENT, "Keeps 5 cm", on=False, why_off="stricter than agreed")
def keeps_more(evidence: Evidence) -> Judgement:
    judged = keeps_gap(evidence)
    margin = judged.margin - 0.03
    return Judgement(margin, "m", judged.at_s, (Violation(judged.at_s, judged.at_s),) if margin < 0.0 else ())


@oracle.property("stops", PropertyClass.MISSION_PHASE, "Reports that it stopped")
def reports(evidence: Evidence) -> Judgement:
    done = "/done" in evidence.trace.topics
    return Judgement(1.0 if done else -1.0, "", None, () if done else (Violation(4.0, 4.0, "silent"),))


study = Study(
    name="toy",
    title="Does the cart stop before the wall?",
    model=Lane,
    build=build,
    subject=(
        Build("good", "brakes in time", node(0.3)),
        Build("late", "brakes late", node(0.09)),
        Build("raises", "raises now and then", node(0.3, raises)),
        Build("dies", "segmentation faults now and then", node(0.3, dies)),
        Build("exits", "leaves the process now and then", node(0.3, exits)),
        Build("hangs", "hangs now and then", node(0.3, hangs)),
        Build("spins", "hangs in compiled code now and then", node(0.3, spins)),
        Build("aborts", "the C library ends it now and then", node(0.3, aborts)),
        Build("slow", "takes its time", node(0.09, slow)),
        Build("absurd", "breaks the physics now and then", absurd),
    ),
    oracle=oracle,
    ending=Ending("/done", 0.2, report=Text),
    simulator=CartSimulator,
    timing=Timing(),
    experiments=(
        faults_experiment(
            (
                Fault("T1", "brakes late", "software", "late", baseline="good", expected=True, published="yes"),
                Fault("T2", "no fault at all", "software", "good", baseline="good", expected=False, published="no"),
            ),
            worlds=40,
        ),
    ),
)
