"""Findings grouped into mechanisms: what was hit, with which side of the robot, doing what, under which disturbance.

A finding is a property and a sub-case; behind one there may be several ways to fail. What a run did at the moment of
its violation is read from its recording (:func:`circumstance`), and runs that did the same are one :class:`Mechanism`.
Nothing is guessed: what a recording does not tell, or a run without one, is told as not known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.analysis.findings import Finding
from stressfield.fuzz import Window
from stressfield.oracle import Evidence
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.trace import Truth
from stressfield.world.bodies import Body, Shape

NEAR_S = 0.5
"""A contact counts for a violation that it is at most so far from."""
TOUCH_M = 0.02
"""An actor that is nearer is touched: simulators tell contacts with bodies and robots only."""
STANDING_MPS, TURNING_RADPS = 0.02, 0.15
UNKNOWN = "not known"
NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstance:
    """What a run did at the moment of its violation."""

    run_id: str
    scenario_id: str
    hit: str
    """A kind of body or actor, ``another robot``, ``nothing``; ``not known`` without a recording."""
    side: str
    """Of the robot: front, left, right, rear; empty if nothing was hit."""
    doing: str
    """standing, driving, reversing, turning left, turning right; ``not known`` without a recording."""
    disturbances: tuple[str, ...]
    """Names of the operations that acted at that moment, or whose condition may have held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """Runs of a finding that failed alike."""

    finding: str
    hit: str
    side: str
    doing: str
    disturbances: tuple[str, ...]
    run_ids: tuple[str, ...]
    """The clearest first."""
    worlds: int

    @property
    def recorded(self) -> bool:
        """Whether a recording told of it."""
        return self.hit != UNKNOWN

    @property
    def words(self) -> str:
        """``hit a stake with its left while turning left, under lost``."""
        if not self.recorded:
            did = "not recorded"
        else:
            hit = f"hit {self.hit} with its {self.side}" if self.hit != NOTHING else "hit nothing"
            did = f"{hit}, {self.doing}" if self.doing != UNKNOWN else hit
        return f"{did}, under {' and '.join(self.disturbances)}" if self.disturbances else did


def circumstance(
    judged: JudgedRun, scenario: ScenarioRecord, finding: Finding, evidence: Evidence | None
) -> Circumstance:
    """What a run did when it failed as the finding says. ``evidence`` is its recording; None if there is none."""
    at_s = moment_of(judged, finding)
    hit, side, doing = UNKNOWN, "", UNKNOWN
    if evidence is not None and evidence.trace.robots:
        hit, side, doing = _recorded(evidence, at_s if at_s is not None else judged.run.simulated_s)
    return Circumstance(
        run_id=judged.run.id,
        scenario_id=judged.run.scenario_id,
        hit=hit,
        side=side,
        doing=doing,
        disturbances=tuple(
            operation.name
            for operation in scenario.disturbances
            if at_s is None or not isinstance(operation.when, Window) or _acts(operation.when, at_s)
        ),
    )


def moment_of(judged: JudgedRun, finding: Finding) -> float | None:
    """When the run failed so: at its worst, else when its first violation began; a crash, at the end."""
    for verdict in judged.verdicts:
        if verdict.property == finding.property:
            if verdict.at_s is not None and math.isfinite(verdict.at_s):
                return verdict.at_s
            return min((violation.start_s for violation in verdict.violations), default=None)
    return judged.run.simulated_s


def mechanisms(finding: Finding, seen: Iterable[Circumstance]) -> tuple[Mechanism, ...]:
    """Runs that did the same, the most frequent first; those of which nothing is known last."""
    groups: dict[tuple[str, str, str, tuple[str, ...]], list[Circumstance]] = {}
    for each in seen:
        groups.setdefault((each.hit, each.side, each.doing, each.disturbances), []).append(each)
    made = [
        Mechanism(
            finding=finding.id,
            hit=hit,
            side=side,
            doing=doing,
            disturbances=disturbances,
            run_ids=tuple(each.run_id for each in runs),
            worlds=len({each.scenario_id for each in runs}),
        )
        for (hit, side, doing, disturbances), runs in groups.items()
    ]
    return tuple(sorted(made, key=lambda each: (each.hit == UNKNOWN, -len(each.run_ids), each.words)))


def _acts(window: Window, at_s: float) -> bool:
    return window.start_s <= at_s < window.until_s


def _recorded(evidence: Evidence, at_s: float) -> tuple[str, str, str]:
    """Of the robot that touches something then; if none does, of the first."""
    found = [(name, _touch(evidence, name, at_s)) for name in evidence.trace.robots]
    name, touch = next(((name, touch) for name, touch in found if touch[0] != NOTHING), found[0])
    return *touch, _doing(evidence.trace.robots[name], at_s)


def _touch(evidence: Evidence, robot: str, at_s: float) -> tuple[str, str]:
    """Whom the robot touched nearest to that moment, and with which side."""
    truth, world = evidence.trace.robots[robot], evidence.scenario.world
    times = truth.time_s
    near = np.flatnonzero(np.abs(times - at_s) <= NEAR_S)
    for place in sorted(near.tolist(), key=lambda row: abs(times[row] - at_s)):
        body, other = int(truth.touched_body[place]), int(truth.touched_robot[place])
        if 0 <= body < len(world.bodies):
            met = world.bodies[body]
            return f"a {met.kind}", _side(truth, place, _nearest(met, truth.x_m[place], truth.y_m[place]))
        if other >= 0:
            return "another robot", _side_of_robot(evidence, truth, place, other)
    for placed in world.actors:
        if placed.name not in evidence.trace.actors:
            continue
        gap = evidence.clearance(robot, placed.name)
        rows = np.flatnonzero((np.abs(gap.times_s - at_s) <= NEAR_S) & (gap.values <= TOUCH_M))
        if len(rows):
            seen = evidence.trace.actors[placed.name]
            moment = gap.times_s[rows[int(np.argmin(np.abs(gap.times_s[rows] - at_s)))]]
            there = seen.values[min(int(np.searchsorted(seen.time_ns, moment * 1e9)), len(seen.time_ns) - 1)]
            return f"a {placed.actor.kind}", _side(truth, _row(times, moment), (float(there[0]), float(there[1])))
    return NOTHING, ""


def _nearest(body: Body, x_m: float, y_m: float) -> tuple[float, float]:
    """The point of a body's outline on the ground that is nearest to a point: of a wall, not its middle."""
    if body.shape is not Shape.BOX:
        return body.x_m, body.y_m
    c, s = math.cos(body.yaw_rad), math.sin(body.yaw_rad)
    dx, dy = x_m - body.x_m, y_m - body.y_m
    along = max(-body.size_x_m / 2, min(body.size_x_m / 2, dx * c + dy * s))
    across = max(-body.size_y_m / 2, min(body.size_y_m / 2, dy * c - dx * s))
    return body.x_m + along * c - across * s, body.y_m + along * s + across * c


def _side_of_robot(evidence: Evidence, truth: Truth, place: int, other: int) -> str:
    robots = evidence.scenario.world.robots
    met = evidence.trace.robots.get(robots[other].robot.name) if other < len(robots) else None
    if met is None or not len(met):
        return "outside"
    row = _row(met.time_s, float(truth.time_s[place]))
    return _side(truth, place, (float(met.x_m[row]), float(met.y_m[row])))


def _side(truth: Truth, place: int, towards: tuple[float, float]) -> str:
    """Quarters of the robot's own view."""
    bearing = math.atan2(towards[1] - truth.y_m[place], towards[0] - truth.x_m[place]) - truth.yaw_rad[place]
    turned = math.atan2(math.sin(bearing), math.cos(bearing))
    if abs(turned) <= math.pi / 4:
        return "front"
    if abs(turned) >= 3 * math.pi / 4:
        return "rear"
    return "left" if turned > 0.0 else "right"


def _doing(truth: Truth, at_s: float) -> str:
    """What it was doing shortly before: at the moment of a hit it may already stand."""
    if not len(truth):
        return UNKNOWN
    row = _row(truth.time_s, at_s - NEAR_S)
    speed, turn = float(truth.speed_mps[row]), float(truth.turn_rate_radps[row])
    if abs(turn) >= TURNING_RADPS:
        return "turning left" if turn > 0.0 else "turning right"
    if abs(speed) < STANDING_MPS:
        return "standing"
    return "driving" if speed > 0.0 else "reversing"


def _row(times_s: Sequence[float] | np.ndarray[tuple[int], np.dtype[np.float64]], at_s: float) -> int:
    """The last observation up to that moment."""
    return max(0, min(int(np.searchsorted(times_s, at_s, side="right")) - 1, len(times_s) - 1))
