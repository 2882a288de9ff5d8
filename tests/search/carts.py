"""A small search problem: two carts whose commands can be changed or lost, and a formula in place of a simulator."""

from __future__ import annotations

from stressfield.fuzz import (
    FieldValues,
    Loss,
    Metric,
    Nsga2,
    Objective,
    RandomValue,
    Range,
    Search,
    TestingSpace,
    Window,
)
from stressfield.model import Element, choice, element, integer, real
from stressfield.search import Candidate, Evaluated

TOPICS = ("/cart0/cmd_vel", "/cart1/cmd_vel")
WHEN = Window(start_s=0.0, end_s=300.0)


class Floor(Element):
    wet_share: float = real(0.0, 1.0)
    kind: str = choice("stone", "wood")


class Hall(Element):
    floor: Floor = element(Floor)
    doors: int = integer(1, 9)


ONE_HALL = "(0.5-wood)-3"


def space(**campaign: object) -> TestingSpace:
    """The space and its campaign ``worst``."""
    operations = (
        RandomValue(
            name="velocity", topics=TOPICS, fields=(FieldValues(path="linear.x", range=Range(-1.0, 1.0)),), when=WHEN
        ),
        Loss(name="lost", topics=TOPICS, probability=Range(0.0, 1.0), when=WHEN),
    )
    metrics = (Metric(name="rooms", direction="lowest"), Metric(name="away_m"), Metric(name="fuzzed_s"))
    given = {
        "objectives": (
            Objective(metric="rooms"),
            Objective(metric="away_m"),
            Objective(metric="fuzzed_s", direction="lowest"),
        ),
        "approach": Nsga2(population=8, iterations=20),
        **campaign,
    }
    return TestingSpace(
        name="carts",
        operations=operations,
        metrics=metrics,
        searches=(Search(name="worst", **given),),  # type: ignore[arg-type]
    ).check()


def metrics(candidate: Candidate) -> dict[str, tuple[float, ...]]:
    """Few rooms and carts far away, if commands are strong or lost for long; more so the nearer it is to 100 s."""
    harm = fuzzed_s = 0.0
    for one in candidate.operations:
        assert isinstance(one.when, Window)
        long_s = one.when.until_s - one.when.start_s
        strength = one.probability if isinstance(one, Loss) else one.fields[0].range.high  # type: ignore[union-attr, attr-defined]
        near = 1.0 / (1.0 + abs(one.when.start_s - 100.0) / 20.0)
        harm += max(0.0, strength) * len(one.targets) * near * min(1.0, long_s / 60.0)
        fuzzed_s += long_s
    return {"rooms": (max(0.0, 9.0 - round(6 * harm)),), "away_m": (harm * 10.0,), "fuzzed_s": (fuzzed_s,)}


def evaluated(candidate: Candidate) -> Evaluated:
    return Evaluated(candidate, (), {}, metrics(candidate))
