"""Evidence: what a property may look at, the recording of a run and the scenario it was made in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Counts, Floats
from stressfield.bus import FORWARDED
from stressfield.errors import OracleError, did_you_mean
from stressfield.oracle._clearance import actor_clearance, footprint_clearance, robot_clearance
from stressfield.oracle._kinematics import along_heading, changes, in_its_frame
from stressfield.oracle._solids import solid_actor_clearance, solid_clearance, solids_clearance
from stressfield.oracle.margin import mixed_times, time_base_equal
from stressfield.oracle.signal import Signal
from stressfield.scenario import Scenario
from stressfield.trace import ActorTruth, Trace, Truth
from stressfield.trace.bags.unrecorded import Unrecorded
from stressfield.world import Mission, PlacedActor, ReachMission, Region, Robot
from stressfield.world.drives import WheeledDrive

GOAL = "goal"
FARTHEST_M = 10.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A trace and its scenario. No simulator and no subject: recordings can be judged anywhere.

    The methods give signals for ``always``, ``eventually`` and ``until``; all are about what really happened (the
    observer's view) except :meth:`signal` and :meth:`count`, which read what was said on a topic. A name that neither
    the world nor the trace can have is an OracleError: a property that looks at nothing must not pass.
    """

    trace: Trace
    scenario: Scenario

    def distance(self, robot: str, to: str | tuple[float, float]) -> Signal:
        """Metres from the robot's axle to a point, to the mission's ``"goal"``, to another robot's axle, to the middle
        of an actor, or to the nearest middle of a kind of bodies and actors.

        If the world has nothing of a kind although it might have, it reads 10 m and a property of it is vacuous.
        """
        truth = self._truth(robot)
        away = self._away(robot, to)
        vacuous = away is None
        away = np.full(len(truth), FARTHEST_M) if away is None else away
        name = f"distance from {robot} to {to if isinstance(to, str) else f'({to[0]:g}, {to[1]:g})'}"
        return Signal(truth.time_s, away, name, "m", vacuous=vacuous)

    def clearance(self, robot: str, *to: str, at_most_m: float = FARTHEST_M) -> Signal:
        """Metres between the robot's outline and the nearest of these; negative is depth of overlap.

        ``to`` are kinds of bodies or actors, or names of actors or other robots; without any, the nearest solid body,
        actor or other robot. Where nothing is nearer than ``at_most_m``, it reads ``at_most_m``. If the world has
        nothing of these although it might have (see ``World.with_kinds``), a property of it is vacuous.

        It is seen from above. Of a model of your own (see ``model_robot``) it is that in space, of the boxes around its
        bodies, each of which can also be asked for: ``clearance("arm/hand", "person")``.
        """
        truth, world = self._truth(robot), self.scenario.world
        kinds, others, actors = self._things(robot, to)
        nobody = bool(to) and not kinds  # then nothing needs to be known of bodies
        which = (
            np.zeros(0, np.int64)
            if nobody
            else world.bodies.of_kind(*kinds)
            if to
            else np.flatnonzero(world.bodies.solid)
        )
        gap = np.full(len(truth), at_most_m) if nobody else self._to_bodies(robot, which)
        for other in others:
            seen = self._truth(other)
            if not time_base_equal(truth.time_ns, seen.time_ns):
                raise OracleError(mixed_times(robot, truth.time_s, other, seen.time_s))
            gap = np.minimum(gap, self._to_robot(robot, other))
        for i in actors:
            gap = np.minimum(gap, self._to_actor(robot, world.actors[i]))
        gap = np.where(np.isnan(truth.x_m), np.nan, gap)  # a recording may not tell where it was
        name = f"clearance from {robot} to {', '.join(to) or 'everything'}"
        nothing = not len(which) and not others and not actors
        return Signal(truth.time_s, np.minimum(gap, at_most_m), name, "m", vacuous=nothing)

    def _to_bodies(self, robot: str, which: Counts) -> Floats:
        bodies, members = self.scenario.world.bodies, self._members(robot)
        if all(isinstance(member.drive, WheeledDrive) for member in members):
            return footprint_clearance(self._truth(robot), members[0], bodies, which)
        gaps = [solid_clearance(self._truth(member.name), member, bodies, which) for member in members]
        return np.asarray(np.minimum.reduce(gaps))

    def _to_robot(self, robot: str, other: str) -> Floats:
        mine, theirs = self._members(robot), self._members(other)
        if all(isinstance(member.drive, WheeledDrive) for member in (*mine, *theirs)):
            return robot_clearance(self._truth(robot), mine[0], self._truth(other), theirs[0])
        gaps = [
            solids_clearance(self._truth(member.name), member, self._truth(stranger.name), stranger)
            for member in mine
            for stranger in theirs
        ]
        return np.asarray(np.minimum.reduce(gaps))

    def _to_actor(self, robot: str, placed: PlacedActor) -> Floats:
        seen, members = self._actor(robot, placed.name), self._members(robot)
        if all(isinstance(member.drive, WheeledDrive) for member in members):
            return actor_clearance(self._truth(robot), members[0], seen, placed.actor)
        gaps = [solid_actor_clearance(self._truth(member.name), member, seen, placed.actor) for member in members]
        return np.asarray(np.minimum.reduce(gaps))

    def _members(self, name: str) -> list[Robot]:
        """The robot; of a model, it and all of its parts that the trace knows."""
        robots = [placed.robot for placed in self.scenario.world.robots]
        known = [robot for robot in robots if robot.family == name and robot.name in self.trace.robots]
        return known or [self._robot(name)]

    def contact(self, robot: str, *to: str) -> Signal:
        """1 where the robot touches one of these, otherwise 0: ``always(run.contact("mower", "person") <= 0)``.

        ``to`` as in :meth:`clearance`. A robot that is pressed against something has a clearance of zero, which holds.
        Where the simulator does not observe contacts, all samples are missing.
        """
        truth, world = self._truth(robot), self.scenario.world
        kinds, others, actors = self._things(robot, to)
        which = world.bodies.of_kind(*kinds) if to else np.arange(len(world.bodies))
        which = np.concatenate([which, len(world.bodies) + np.array(actors, dtype=np.int64)])
        order = [placed.robot.name for placed in world.robots]
        touches = np.isin(truth.touched_body, which)
        touches |= np.isin(truth.touched_robot, [order.index(other) for other in others])
        values = touches.astype(np.float64) if truth.knows_contacts else np.full(len(truth), np.nan)
        nothing = not len(which) and not others
        name = f"contact of {robot} with {', '.join(to) or 'anything'}"
        return Signal(truth.time_s, values, name, vacuous=nothing)

    def room(self, robot: str, region: str = "limits") -> Signal:
        """Metres from the robot's axle to the border of a region, from inside; negative is outside."""
        truth, box = self._truth(robot), self._region(region)
        x = np.minimum(truth.x_m - box.x_min_m, box.x_max_m - truth.x_m)
        y = np.minimum(truth.y_m - box.y_min_m, box.y_max_m - truth.y_m)
        return Signal(truth.time_s, np.minimum(x, y), f"room of {robot} in {region}", "m")

    def speed(self, robot: str) -> Signal:
        """Metres per second over ground; negative is backwards (never, for a robot that also moves sideways)."""
        truth = self._truth(robot)
        return Signal(truth.time_s, truth.speed_mps, f"speed of {robot}", "m/s")

    def acceleration(self, robot: str, *, sideways: bool = False) -> Signal:
        """By how much its speed changes a second, in m/s², since the observation before; negative is braking ahead.

        ``sideways`` is to its left, for a robot that can move so. Curves are not in it: that a robot is pushed aside by
        its speed times its turn rate.
        """
        times_s, values = changes(*self._speeds(robot, sideways))
        return Signal(times_s, values, f"acceleration of {robot}{' sideways' if sideways else ''}", "m/s²")

    def jerk(self, robot: str, *, sideways: bool = False) -> Signal:
        """By how much its acceleration changes a second, in m/s³: ``always(abs(run.jerk("mower")) <= 2)``.

        Bounded where the drive has a ``jerk_max_mps3`` and nothing else stops the robot: a contact does, and so do
        slip that changes and steep ground. In a simulator with contact physics it shows every rattle, too.
        """
        times_s, values = changes(*changes(*self._speeds(robot, sideways)))
        return Signal(times_s, values, f"jerk of {robot}{' sideways' if sideways else ''}", "m/s³")

    def _speeds(self, robot: str, sideways: bool) -> tuple[Floats, Floats]:
        truth, drive = self._truth(robot), self._robot(robot).drive
        if drive.is_omnidirectional:
            return in_its_frame(truth, sideways=sideways)
        if sideways:
            raise OracleError(
                f"The robot {robot!r} has a {type(drive).__name__}, which does not move sideways: it has no "
                "acceleration or jerk that way. Leave out sideways=True."
            )
        return along_heading(truth)

    def signal(self, topic: str, path: str, *, unit: str = "") -> Signal:
        """One number of every message of a topic, at its arrival: ``signal("/cmd_vel", "linear.x", unit="m/s")``.

        A topic on which nothing was said gives no samples; of messages that arrive together the last counts.
        """
        name = f"{topic} {path}"
        if not self._said(topic):
            return Signal(np.zeros(0), np.zeros(0), name, unit)
        times_s, values = self.trace.column(topic, path)
        last = np.append(np.diff(times_s) > 0.0, True)
        return Signal(times_s[last], values[last], name, unit)

    def count(self, topic: str) -> Signal:
        """How many messages have arrived on a topic, at every observation of the run; a silent topic counts zero."""
        arrived_s = self.trace.topics[topic].time_s if self._said(topic) else np.zeros(0)
        observed = next(iter(self.trace.robots.values()), None)
        times_s = np.unique(arrived_s) if observed is None else observed.time_s
        values = np.searchsorted(arrived_s, times_s, side="right").astype(np.float64)
        return Signal(times_s, values, f"messages on {topic}", "messages")

    def _things(self, robot: str, names: tuple[str, ...]) -> tuple[list[str], list[str], list[int]]:
        """Which of the names are kinds of bodies, which other robots, and which actors they mean, by their index.

        Without names: all other robots and all actors.
        """
        world = self.scenario.world
        everyone = [placed.robot for placed in world.robots]
        family = next((each.family for each in everyone if each.name == robot), robot)
        strangers = [each for each in everyone if each.family != family]
        robots = [each.name for each in strangers]
        if not names:
            whole = [each.name for each in strangers if each.name == each.family and each.name in self.trace.robots]
            return [], whole, list(range(len(world.actors)))
        if all(name in robots for name in names):
            return [], list(names), []
        kinds, moving = world.bodies.kinds, [placed.actor.kind for placed in world.actors]
        actors = [placed.name for placed in world.actors]
        for name in names:
            if name not in kinds and name not in robots and name not in moving and name not in actors:
                known = list(dict.fromkeys([*kinds, *moving, *robots, *actors]))
                raise OracleError(
                    f"Cannot measure the clearance to {name!r}: this world has no such kind, and no such other robot "
                    f"or actor. It has: {', '.join(known) or 'nothing'}.{did_you_mean(name, known)} If only some "
                    f"worlds have it, build all with it in mind: world.with_kinds({name!r}), or world.with_bodies("
                    "body, at=[...]), which remembers the kind even if there is no place."
                )
        meant = [i for i, (kind, name) in enumerate(zip(moving, actors, strict=True)) if kind in names or name in names]
        return [name for name in names if name in kinds], [name for name in names if name in robots], meant

    def _truth(self, robot: str) -> Truth:
        if robot not in self.trace.robots:
            raise OracleError(_unknown("robot", robot, self.trace.robots, "the trace"))
        return self.trace.robots[robot]

    def _robot(self, name: str) -> Robot:
        known = {placed.robot.name: placed.robot for placed in self.scenario.world.robots}
        if name not in known:
            raise OracleError(_unknown("robot", name, known, "the world"))
        return known[name]

    def _actor(self, robot: str, name: str) -> ActorTruth:
        """The truth of an actor, observed when the robot was."""
        if name not in self.trace.actors:
            raise OracleError(_unknown("actor", name, self.trace.actors, "the trace"))
        truth, seen = self._truth(robot), self.trace.actors[name]
        if not time_base_equal(truth.time_ns, seen.time_ns):
            raise OracleError(mixed_times(robot, truth.time_s, name, seen.time_s))
        return seen

    def _region(self, name: str) -> Region:
        known = {region.name: region for region in self.scenario.world.regions}
        if name not in known:
            raise OracleError(_unknown("region", name, known, "the world"))
        return known[name]

    def _said(self, topic: str) -> bool:
        """Whether there are messages on a topic; an OracleError if nobody sends, hears or announces it."""
        if topic in self.trace.topics:
            return len(self.trace.topics[topic]) > 0
        robots = [placed.robot for placed in self.scenario.world.robots]
        known = {*self.trace.topics, *self.trace.metadata.topics}
        known |= {sensor.topic for robot in robots for sensor in robot.sensors}
        known |= {topic for robot in robots for topic in (*robot.drive.command_topics, *robot.drive.switch_topics)}
        if topic.removesuffix(FORWARDED) not in known:
            raise OracleError(
                _unknown("topic", topic, sorted(known), "the trace")
                + " A topic that the robot uses only at times is known if it says so: link.advertise(topic)."
            )
        return False

    def _away(self, robot: str, to: str | tuple[float, float]) -> Floats | None:
        """How far the axle is from a place or the nearest of a kind, at every sample; None if there is none of it."""
        truth, world = self._truth(robot), self.scenario.world
        place = self._place(robot, to)
        if place is not None:
            return np.asarray(np.hypot(truth.x_m - place[0], truth.y_m - place[1]))
        actors = [placed.name for placed in world.actors if to in (placed.name, placed.actor.kind)]
        if not actors and to not in world.bodies.kinds:
            raise self._no_place(to)
        moving, bodies = [self._actor(robot, name) for name in actors], world.bodies
        away = [np.hypot(truth.x_m - seen.x_m, truth.y_m - seen.y_m) for seen in moving]
        standing = bodies.of_kind(to) if isinstance(to, str) and to in bodies.kinds else ()
        for i in standing:
            away.append(np.hypot(truth.x_m - bodies.x_m[i], truth.y_m - bodies.y_m[i]))
        return np.asarray(np.minimum.reduce(away)) if away else None

    def _place(self, robot: str, to: str | tuple[float, float]) -> tuple[float | Floats, float | Floats] | None:
        """Where a point, the goal or another robot is; None for anything else, which is a part of the world.

        In this order: a recording may tell the mission and the robots, and nothing of the world.
        """
        if not isinstance(to, str):
            return to
        mission: Mission | Unrecorded = self.scenario.mission
        if to == GOAL and isinstance(mission, Unrecorded):
            mission.refuse()
        if to == GOAL and isinstance(mission, ReachMission):
            return mission.goal_m
        if to not in [placed.robot.name for placed in self.scenario.world.robots]:
            return None
        truth, other = self._truth(robot), self._truth(to)
        if not time_base_equal(truth.time_ns, other.time_ns):
            raise OracleError(mixed_times(robot, truth.time_s, to, other.time_s))
        return other.x_m, other.y_m

    def _no_place(self, to: str | tuple[float, float]) -> OracleError:
        actors = [name for placed in self.scenario.world.actors for name in (placed.name, placed.actor.kind)]
        kinds = dict.fromkeys([*self.scenario.world.bodies.kinds, *actors])
        known = [*self.trace.robots, *kinds, *([GOAL] if isinstance(self.scenario.mission, ReachMission) else [])]
        return OracleError(
            f"Cannot measure the distance to {to!r}. Wanted a point or one of: {', '.join(known)}."
            f"{did_you_mean(str(to), known)}"
        )


def _unknown(noun: str, name: str, known: Iterable[str], where: str) -> str:
    names = list(known)
    return f"No {noun} {name!r} in {where}. It has: {', '.join(names) or 'none'}.{did_you_mean(name, names)}"
