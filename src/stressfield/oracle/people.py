"""Ready-made properties of robots among people, and of whoever else is named: kinds, actors, other robots.

=================== ==========================================================================================
personal_space      a moving robot keeps a distance that grows with its speed
time_to_collision   a moving robot is never closer than so many seconds to touching somebody
protective_stop     whoever is in its way long enough to be seen finds it slow enough to stop in time
no_freezing         it does not stand about while nobody is near and its mission is not over
no_blocking         it does not stand in a doorway
encounters          who came near, when, and how near
=================== ==========================================================================================

Each takes the evidence of a run and gives a `Margin` in one unit, to be returned by a property::

    @oracle.property("space", sf.CRITICAL_EVENT, "Keeps its distance from people", when_vacuous="pass")
    def space(run: sf.Evidence) -> sf.Margin:
        return sf.people.personal_space(run, "robot", still_m=0.3, headway_s=0.5)

``to`` are kinds of bodies or actors, names of actors or of other robots; without any, the kind ``person``. A name that
the world cannot have is an OracleError. A run without an encounter is vacuous, and ``Margin.encounters`` counts them:
two stretches of nearness to the same person are one encounter unless more than two seconds lie between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from stressfield.arrays import Floats, cosines, sines
from stressfield.errors import OracleError
from stressfield.oracle._encounters import Scene, counted, stretches
from stressfield.oracle._window import EDGE_S
from stressfield.oracle.evidence import FARTHEST_M, Evidence
from stressfield.oracle.margin import Margin, intervals
from stressfield.oracle.signal import Signal
from stressfield.oracle.stl import always, duration
from stressfield.world import ReachMission

__all__ = [
    "Encounter",
    "encounters",
    "no_blocking",
    "no_freezing",
    "personal_space",
    "protective_stop",
    "time_to_collision",
]

PERSON = "person"
STANDING_MPS = 0.05
"""A robot that is no faster than this stands: simulated and real ones creep and sway a little."""
WITHIN_M = 2.0
"""Whoever comes so near to the robot's outline is met."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """Somebody near the robot: who, from when to when, and how near at the nearest moment ``at_s``."""

    who: str
    start_s: float
    end_s: float
    nearest_m: float
    at_s: float


def encounters(run: Evidence, robot: str, *to: str, within_m: float = WITHIN_M) -> tuple[Encounter, ...]:
    """Who came within ``within_m`` of the robot's outline, in order of time."""
    _check(within_m=within_m)
    found = []
    scene = Scene.of(run, robot, to or (PERSON,))
    for approach in scene.approaches():
        gap = approach.gap_m()
        for span in stretches(scene.times_s, gap <= within_m):
            during = np.flatnonzero((scene.times_s >= span.start_s) & (scene.times_s <= span.end_s))
            nearest = int(during[np.nanargmin(gap[during])])
            at_s, gap_m = float(scene.times_s[nearest]), float(gap[nearest])
            found.append(Encounter(approach.other.name, span.start_s, span.end_s, gap_m, at_s))
    return tuple(sorted(found, key=lambda met: (met.start_s, met.who)))


def personal_space(
    run: Evidence,
    robot: str,
    *to: str,
    still_m: float = 0.3,
    headway_s: float = 0.5,
    standing_mps: float = STANDING_MPS,
    within_m: float = WITHIN_M,
) -> Margin:
    """A moving robot stays ``still_m + headway_s * speed`` away from everybody. Metres.

    At each moment the margin is the gap between the outlines less that distance. Of a robot that stands nothing is
    asked, because people may walk up to it: there the margin is the gap, zero if it is touched.
    """
    _check(still_m=still_m, headway_s=headway_s, standing_mps=standing_mps, within_m=within_m)
    scene = Scene.of(run, robot, to or (PERSON,))
    wanted = still_m + headway_s * scene.speed_mps
    gap, met = np.full(len(scene.times_s), FARTHEST_M), 0
    for approach in scene.approaches():
        this = approach.gap_m()
        gap = np.minimum(gap, this)
        met += len(stretches(scene.times_s, this <= np.maximum(within_m, wanted)))
    left = np.where(scene.speed_mps > standing_mps, gap - wanted, np.maximum(gap, 0.0))
    return counted(always(scene.signal(left, "personal space", "m") >= 0.0), met)


def time_to_collision(
    run: Evidence,
    robot: str,
    *to: str,
    at_least_s: float = 1.5,
    horizon_s: float = 5.0,
    standing_mps: float = STANDING_MPS,
) -> Margin:
    """A moving robot is never closer than ``at_least_s`` to touching somebody, if both went straight on. Seconds.

    The time to collision is that until the outlines meet if both kept the velocity and the heading of the moment; zero
    while they overlap, ``horizon_s`` if it is longer, if they miss each other, or if the robot stands. The margin is
    that less ``at_least_s``. An encounter is a course on which somebody would be met within ``horizon_s``.
    """
    _check(at_least_s=at_least_s, horizon_s=horizon_s, standing_mps=standing_mps)
    if at_least_s >= horizon_s:
        raise OracleError(
            f"A time to collision of at least {at_least_s:g} s cannot be kept with a horizon of {horizon_s:g} s, which "
            "is the longest that is measured. Wanted a longer horizon_s."
        )
    scene = Scene.of(run, robot, to or (PERSON,))
    soonest, met = np.full(len(scene.times_s), horizon_s), 0
    for approach in scene.approaches():
        time = np.where(np.isnan(approach.gap_m() + scene.speed_mps), np.nan, approach.touch_s())
        soonest = np.minimum(soonest, time)
        met += len(stretches(scene.times_s, time < horizon_s))
    left = np.where(scene.speed_mps <= standing_mps, horizon_s, soonest) - at_least_s
    return counted(always(scene.signal(left, "time to collision", "s") >= 0.0), met)


def protective_stop(
    run: Evidence,
    robot: str,
    *to: str,
    reaction_s: float = 0.4,
    deceleration_mps2: float = 0.8,
    distance_m: float = 0.1,
    side_m: float = 0.1,
    standing_mps: float = STANDING_MPS,
    within_m: float = WITHIN_M,
) -> Margin:
    """A robot slows down for whoever is in its way, in time to stand before it touches them. Metres per second.

    In the style of ISO 3691-4, with the protective distance ``speed * reaction_s + speed² / (2 * deceleration_mps2) +
    distance_m``. The way to somebody is how far the robot can go straight on until the side that leads, ``side_m``
    longer at either end, meets their outline as it is at that moment. Whoever is in the protective distance may be a
    surprise for ``reaction_s``: that is not judged. From then on the robot may be as fast as it can brake from before
    it is ``distance_m`` away; or as fast as it is after braking with ``deceleration_mps2`` ever since, if somebody came
    too late for that; or as fast as a robot that stands. The margin is what is left up to the greatest of these.
    """
    _check(distance_m=distance_m, side_m=side_m, standing_mps=standing_mps, within_m=within_m)
    _check(zero=False, reaction_s=reaction_s, deceleration_mps2=deceleration_mps2)
    brakes = _Brakes(reaction_s, deceleration_mps2, distance_m)
    scene = Scene.of(run, robot, to or (PERSON,))
    speed, field_m = scene.speed_mps, brakes.field_m(scene.speed_mps)
    # In which direction it goes; where it stands, where it would go.
    moving = speed > standing_mps
    with np.errstate(invalid="ignore", divide="ignore"):
        ahead_x = np.where(moving, scene.mine.vx_mps / speed, cosines(scene.mine.yaw_rad))
        ahead_y = np.where(moving, scene.mine.vy_mps / speed, sines(scene.mine.yaw_rad))
    left, met = brakes.may_go_mps(np.full(len(speed), FARTHEST_M)) - speed, 0
    for approach in scene.approaches():
        way = np.minimum(approach.way_m(ahead_x, ahead_y, side_m=side_m), FARTHEST_M)
        way = np.where(np.isnan(approach.gap_m()), np.nan, way)
        inside = way <= field_m
        allowed = brakes.may_go_mps(way)
        for span in intervals(scene.times_s, inside):
            during = np.flatnonzero((scene.times_s >= span.start_s) & (scene.times_s <= span.end_s))
            allowed[during] = brakes.must_slow_mps(scene.times_s[during], speed[during], way[during])
        allowed = np.where(inside & ~moving, standing_mps, np.maximum(allowed, standing_mps))
        left = np.where(left < 0.0, np.fmin(left, allowed - speed), np.minimum(left, allowed - speed))
        met += len(stretches(scene.times_s, way <= np.maximum(field_m, within_m)))
    left = np.where(np.isnan(speed), np.nan, left)
    return counted(always(scene.signal(left, "protective stop", "m/s") >= 0.0), met)


@dataclass(frozen=True, slots=True)
class _Brakes:
    """How a robot stops: what it needs to react, how hard it brakes, and how far away it shall stand."""

    reaction_s: float
    deceleration_mps2: float
    distance_m: float

    def field_m(self, speed_mps: Floats) -> Floats:
        """The protective distance."""
        return speed_mps * self.reaction_s + speed_mps * speed_mps / (2.0 * self.deceleration_mps2) + self.distance_m

    def may_go_mps(self, way_m: Floats) -> Floats:
        """The speed whose protective distance is that way."""
        room = np.maximum(way_m - self.distance_m, 0.0)
        slow = np.sqrt(self.reaction_s * self.reaction_s + 2.0 * room / self.deceleration_mps2) - self.reaction_s
        return np.asarray(self.deceleration_mps2 * slow)

    def must_slow_mps(self, times_s: Floats, speed_mps: Floats, way_m: Floats) -> Floats:
        """The speeds allowed while somebody is in the protective distance; NaN until the robot can react."""
        allowed = np.full(len(times_s), np.nan)
        late = np.flatnonzero(times_s >= times_s[0] + self.reaction_s - EDGE_S)
        if len(late):
            from_here = np.sqrt(2.0 * self.deceleration_mps2 * np.maximum(way_m[late] - self.distance_m, 0.0))
            since = speed_mps[late[0]] - self.deceleration_mps2 * (times_s[late] - times_s[late[0]])
            allowed[late] = np.maximum(from_here, since)
        return allowed


def no_freezing(
    run: Evidence,
    robot: str,
    *to: str,
    at_most_s: float = 10.0,
    free_m: float = 1.5,
    report: str | None = "/report",
    goal_m: float = 0.3,
    standing_mps: float = STANDING_MPS,
    turning_radps: float = 0.05,
    within_m: float = WITHIN_M,
) -> Margin:
    """It does not stand still for longer than ``at_most_s`` without a reason. Seconds.

    Reasons: somebody is within ``free_m`` of its outline; or the mission is over: something was said on the topic
    ``report`` (None: it never says anything), or it has been within ``goal_m`` of the goal. It stands if it is neither
    faster than ``standing_mps`` nor turns faster than ``turning_radps``. An encounter is somebody within ``within_m``.
    """
    _check(free_m=free_m, goal_m=goal_m, standing_mps=standing_mps, turning_radps=turning_radps, within_m=within_m)
    _check(zero=False, at_most_s=at_most_s)
    scene = Scene.of(run, robot, to or (PERSON,))
    gap, met = np.full(len(scene.times_s), FARTHEST_M), 0
    for approach in scene.approaches():
        this = approach.gap_m()
        gap = np.minimum(gap, this)
        met += len(stretches(scene.times_s, this <= within_m))
    turn = np.abs(run.trace.robots[robot].turn_rate_radps)
    stands = (
        (scene.speed_mps <= standing_mps)
        & (turn <= turning_radps)
        & (scene.times_s < _over_s(run, robot, report, goal_m))
    )
    idle = np.where(np.isnan(scene.speed_mps + turn + gap), np.nan, stands & (gap > free_m))
    return _not_longer(scene.signal(idle, "standing about", ""), at_most_s, met)


def _over_s(run: Evidence, robot: str, report: str | None, goal_m: float) -> float:
    """When the mission was over: it was reported, or the goal was reached; infinity if neither."""
    ends = [np.inf]
    if report is not None:
        said = run.count(report)
        ends += said.times_s[said.values > 0.0][:1].tolist()
    if isinstance(run.scenario.mission, ReachMission):
        away = run.distance(robot, "goal")
        ends += away.times_s[away.values <= goal_m][:1].tolist()
    return float(min(ends))


def no_blocking(
    run: Evidence,
    robot: str,
    kind: str = "doorway",
    *,
    at_most_s: float = 5.0,
    standing_mps: float = STANDING_MPS,
) -> Margin:
    """It does not stand in a region of a kind, with any part of its outline, for longer than ``at_most_s``. Seconds.

    An encounter is a passage: a stretch of time in which the outline overlaps one of the regions.
    """
    _check(standing_mps=standing_mps)
    _check(zero=False, at_most_s=at_most_s)
    scene = Scene.of_regions(run, robot, kind)
    inside, met = np.zeros(len(scene.times_s), dtype=np.bool_), 0
    for approach in scene.approaches():
        this = approach.gap_m() < 0.0
        inside |= this
        met += len(stretches(scene.times_s, this))
    blocks = np.where(np.isnan(scene.speed_mps), np.nan, inside & (scene.speed_mps <= standing_mps))
    return _not_longer(scene.signal(blocks, f"standing in a {kind}", ""), at_most_s, met)


def _not_longer(state: Signal, at_most_s: float, met: int) -> Margin:
    """A state (1 or 0) never lasts longer. A recording that ends in it, and that it fills, does not settle that."""
    lasts = duration(state >= 0.5)
    margin = always(lasts <= at_most_s)
    if margin.holds and bool((state.values == 1.0).all()):
        return Margin(None, "s", unsettled=True, encounters=met)
    return counted(margin, met)


def _check(*, zero: bool = True, **given: float) -> None:
    """Refuse measures that are not finite or negative; some must not be zero either."""
    for name, value in given.items():
        if not (isfinite(value) and (value >= 0.0 if zero else value > 0.0)):
            raise OracleError(
                f"{name} cannot be {value!r}. Wanted a finite number {'of zero or more' if zero else 'above zero'}."
            )
