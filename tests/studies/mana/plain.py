"""A navigation study small enough for tests: a point that crosses a plain full of bogs, and may sink or hit a post."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.analysis import ComparedSignal, MissionFacts, navigation_metrics
from stressfield.bus import Link, Node, Stamped, Timing
from stressfield.bus.messages import Float64Msg, StringMsg
from stressfield.errors import WorldError
from stressfield.model import Element, real, template
from stressfield.oracle import Evidence, Judgement, Oracle, PropertyClass
from stressfield.scenario import Scenario
from stressfield.seeds import Rng, generator
from stressfield.sim import Observation
from stressfield.study import Build, Ending, Recording, Study
from stressfield.subject import NodesSubject
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Robot, Terrain, World
from stressfield_studies.mana.experiment import experiment_of
from stressfield_studies.mana.series import Configuration, Expectation, Programme, Published, Series, TrendKind

GOAL_M = 12.0


class Plain(Element):
    """A plain with bogs."""

    bogs: float = real(0.0, 10.0, step=0.5)
    posts: float = real(0.0, 10.0, step=0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cross(Mission):
    """Cross it."""

    bogs: float
    posts: float
    luck: float


def build(plain: Plain, rng: Rng) -> Scenario:
    if plain.bogs > 9.0:
        raise WorldError(f"{plain.bogs:g} bogs do not fit. Wanted at most 9.")
    robot = Robot("dot", 0.2, 0.2, 0.2, 1.0, DifferentialDrive("/cmd", 0.1, 0.3, 1.0, 1.0, 1.0), ())
    posts = np.arange(round(plain.posts))
    bodies = Bodies.cylinders("tree", 2.0 + posts, rng.uniform(-4.0, 4.0, len(posts)), radius_m=0.3, height_m=1.0)
    terrain = Terrain.flat(x0_m=-1.0, y0_m=-7.0, size_m=14.0)
    world = World("plain", terrain, bodies, (PlacedRobot(robot, 0.0, 0.0, 0.0),))
    luck = float(rng.uniform(0.0, 1.0))
    return Scenario(world, Cross(limit_s=40.0, bogs=plain.bogs, posts=plain.posts, luck=luck))


class Session:
    """Drives on by itself once told to; bogs make it slow, weave, and now and then sink for good."""

    tick_ns = 500_000_000
    command_topics = ("/cmd",)

    def __init__(self, scenario: Scenario, seed: int) -> None:
        assert isinstance(scenario.mission, Cross)
        self.time_ns, self._mission, self._rng = 0, scenario.mission, generator(seed, "plain")
        self._x = self._y = 0.0
        self._go = self._hit = 0.0
        bogs = scenario.mission.bogs * (0.5 + scenario.mission.luck)
        self._sink_at = self._rng.exponential(1.0 + 90.0 / bogs**1.5) if bogs else 1e9
        self._post_at = self._rng.exponential(60.0 / scenario.mission.posts) if scenario.mission.posts else 1e9

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        for stamped in inbox:
            self._go = stamped.message.data
        self.time_ns += self.tick_ns
        if self._x > self._post_at and self._go > 1.0:
            self._hit = 1.0
        if self._go and self._x < min(GOAL_M, self._sink_at):
            self._x += 0.5 / (1.0 + 0.1 * self._mission.bogs)
            self._y += float(self._rng.normal(0.0, 0.02 + 0.03 * self._mission.bogs))
        return [Stamped("/at", self.time_ns, Float64Msg(data=self._x))]

    def observe(self) -> Observation:
        rows = np.zeros((1, 11))
        rows[0, :2], rows[0, 6], rows[0, 9], rows[0, 10] = (self._x, self._y), 1.0, 1.0 - 2 * self._hit, self._hit - 1.0
        return Observation(self.time_ns, rows)

    def close(self) -> None:
        pass


class Simulator:
    def open(self, scenario: Scenario, *, seed: int) -> Session:
        return Session(scenario, seed)


class Driver(Node):
    """``care`` 1 avoids posts, 2 does not."""

    name = "driver"

    def __init__(self, care: float) -> None:
        self._care, self._seen, self._still, self._said = care, -1.0, 0, False

    def setup(self, link: Link) -> None:
        self._link = link
        link.subscribe("/at", self.on_place)

    def on_place(self, place: Float64Msg) -> None:
        self._link.publish("/cmd", Float64Msg(data=self._care))
        self._still = self._still + 1 if place.data == self._seen else 0
        self._seen = place.data
        if not self._said and (place.data >= GOAL_M or self._still > 6):
            self._said = True
            self._link.publish("/report", StringMsg(data="arrived" if place.data >= GOAL_M else "error"))


oracle = Oracle("plain")


@oracle.property("arrives", PropertyClass.MISSION_PHASE, "Arrives")
def arrives(evidence: Evidence) -> Judgement:
    return Judgement(float(evidence.trace.truth("dot").values[-1, 0]) - GOAL_M + 1.0, "m", None, ())


def metrics(evidence: Evidence) -> dict[str, float]:
    truth, trace = evidence.trace.truth("dot"), evidence.trace
    said = trace.topics["/report"].messages[0].data if "/report" in trace.topics else ""
    facts = MissionFacts(
        collided=bool((truth.contact_body >= 0.0).any()),
        timed_out=trace.metadata.ending == "timeout",
        error_reported=said == "error",
        distance_to_goal_m=abs(GOAL_M - float(truth.values[-1, 0])),
        tolerance_m=1.0,
    )
    time_s = truth.time_ns / 1e9
    return navigation_metrics(time_s, truth.values[:, 0], truth.values[:, 1], facts, duration_s=float(time_s[-1]))


def series(name: str, path: str, *, quick: bool, build: str = "careful", levels_from: str | None = None) -> Series:
    values = (0.0, 2.0, 4.0, 6.0, 9.0) if quick else tuple(float(n) for n in range(10))
    if name == "deep":
        values = (0.0, 9.5)
    other = {"bogs": 0.0, "posts": 0.0}
    return Series(
        name=name,
        title=name.capitalize(),
        control=f"number of {path}",
        unit="",
        build=build,
        configurations=tuple(Configuration(v, template(Plain, {**other, path: v})) for v in values),
        maps=2 if quick else 4,
        repeats=2 if quick else 3,
        levels_from=levels_from,
        published=Published(runs=99, hours=1.5, easy_until=2.0, very_difficult_from=6.0, mean_collisions={"easy": 1.5}),
    )


def _both(quick: bool) -> tuple[Series, ...]:
    return (
        series("bogs", "bogs", quick=quick),
        series("posts", "posts", quick=quick),
        series("bogs-careless", "bogs", quick=quick, build="careless", levels_from="bogs"),
    )


PROGRAMMES = (
    Programme(
        name="both",
        title="Which is worse, <bogs> or posts?",
        series=_both,
        expectations=(
            Expectation(TrendKind.RISES, "Bogs make it difficult", ("bogs",)),
            Expectation(TrendKind.HARDER, "Bogs are worse than posts", ("bogs", "posts")),
            Expectation(TrendKind.UNRELATED, "Spread is unrelated", ("bogs",)),
            Expectation(TrendKind.LEAST_WHEN_EASY, "Easy hides carelessness", ("bogs-careless",)),
            Expectation(TrendKind.RISES, "Something else", ("unknown",)),
        ),
        signals=(ComparedSignal(name="place", topic="/at"), ComparedSignal(name="command", topic="/cmd")),
        source="Made up",
    ),
    Programme(name="deep", title="Too deep", series=lambda quick: (series("deep", "bogs", quick=quick),)),
    Programme(
        name="orphan",
        title="Levels from nowhere",
        series=lambda quick: (series("posts", "posts", quick=quick, levels_from="nothing"),),
    ),
)

study = Study(
    name="plain",
    title="Does the dot cross the plain?",
    model=Plain,
    build=build,
    subject=(
        Build("careful", "avoids posts", lambda _: NodesSubject(lambda _: [Driver(1.0)])),
        Build("careless", "does not", lambda _: NodesSubject(lambda _: [Driver(2.0)])),
    ),
    oracle=oracle,
    ending=Ending("/report", 0.5, report=StringMsg),
    simulator=Simulator,
    timing=Timing(),
    metrics=metrics,
    recording=Recording(track_step_s=1.0),
    experiments=tuple(experiment_of(programme) for programme in PROGRAMMES),
)
