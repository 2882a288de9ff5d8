"""The rig study with scripts in every string that a study, a subject or a trace can give to a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from campaigns import RIG
from payloads import text

from stressfield.bus import Link, Node
from stressfield.bus.messages import Float64Msg as Number
from stressfield.bus.messages import StringMsg as Text
from stressfield.campaign import find_study
from stressfield.model import Element
from stressfield.oracle import Evidence, Judgement, Oracle, PropertyClass, Violation
from stressfield.scenario import Scenario
from stressfield.seeds import Rng
from stressfield.study import Build, Recording
from stressfield.subject import NodesSubject
from stressfield.world import Bodies, Region

_rig = find_study(RIG)


def build(spot: Element, rng: Rng) -> Scenario:
    made = _rig.build(spot, rng)
    bodies = Bodies.cylinders(text(1, many=3), np.array([1.0]), np.array([1.0]), radius_m=0.1, height_m=0.3)
    regions = (Region(text(2, many=3), text(3, many=3), -1.0, -1.0, 1.0, 1.0),)
    return replace(made, world=replace(made.world, name=text(4, many=3), bodies=bodies, regions=regions))


class Loud(Node):
    """Says a script on every topic, and crashes with one in a third of its runs."""

    name = "loud"

    def setup(self, link: Link) -> None:
        self._link = link
        link.subscribe("/gap", self.on_gap)

    def on_gap(self, gap: Number) -> None:
        number = int(abs(gap.data) * 1e9)
        self._link.publish("/cmd", Number(data=0.0))
        self._link.publish("/says", Text(data=text(number)))
        if number % 3 == 0:
            raise ValueError(text(number))
        self._link.publish("/done", Text(data=text(number)))


oracle = Oracle(text(5))


def _judge(number: int) -> Callable[[Evidence], Judgement]:
    def judge(evidence: Evidence) -> Judgement:
        salt = int(abs(evidence.trace.truth("point").values[0, 0]) * 1000) + number
        found = (Violation(0.0, 0.01, text(salt)),) if salt % 2 else ()
        return Judgement(-1.0 if found else 1.0, text(number, many=2), 0.01, found, note=text(salt))

    return judge


for _number in range(20):
    oracle.property(
        f"P{_number} {text(_number)}",
        PropertyClass.CRITICAL_EVENT,
        text(_number),
        subcases={text(_number): text(_number + 1)},
        on=_number < 15,
        why_off="" if _number < 15 else text(_number),
    )(_judge(_number))

study = replace(
    _rig,
    name=text(6, many=2),
    title=text(7),
    build=build,
    subject=(Build(text(8, many=2), text(9), lambda _: NodesSubject(lambda _: [Loud()])),),
    oracle=oracle,
    metrics=lambda _: {text(14, many=2): 1.0},
    recording=Recording(track_step_s=0.02),
)
