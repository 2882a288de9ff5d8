"""What is known beside a recording from the field: the place, the mission, the robots; and evidence that knows no more.

A property that asks for anything else is inconclusive, with the reason: it never looks at a world that was made up.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TypeVar

from stressfield.errors import InputError
from stressfield.fuzz.disturber import LOG
from stressfield.oracle import Evidence, Outcome, Verdict
from stressfield.oracle.mission_end import ENDED
from stressfield.run._unseen import continued, filled, gaps_of, places_of
from stressfield.run.judgement import judge_all
from stressfield.scenario import Options, Scenario
from stressfield.seeds import generator
from stressfield.study import Study
from stressfield.trace import Topic, Trace, Truth
from stressfield.trace.bags.field_knowledge import OF_STUDY, UNKNOWN, FieldKnowledge
from stressfield.trace.bags.field_topics import FieldTopics
from stressfield.trace.bags.field_trace import FieldRobot
from stressfield.trace.bags.unrecorded import Recorded, Unrecorded
from stressfield.world import Bodies, Mission, ReachMission, World
from stressfield.world.sensors import Odometer, PoseSensor

T = TypeVar("T")

POSE_OF = "pose of robot"
GOAL = ("goal_x_m", "goal_y_m")
"""Parameters of a recording that say which goal it was driven to."""
MAPS = {".yaml", ".yml"}
PLACES = {".sdf", ".world", *MAPS}
NO_WORLD = (
    "What stood around the robot is not in the recording. Say where it was with --world: a descriptor, an SDF file "
    "or a map."
)
NO_MISSION = (
    "What the robot was asked to do is not in the recording. Say it in the mapping: goal or goal_m, and limit_s."
)
ENDS_EARLY = "The recording ends before the mission is over: it may still have come true."
NO_LIMIT = "How long the mission may take is not in the recording. Say it in the mapping: limit_s."


def recorded_scenario(known: FieldKnowledge, study: Study, options: Options, told: Mapping[str, object]) -> Scenario:
    """The scenario as far as it is known, for pictures; ``told`` are parameters of a recording."""
    base = study.scenario(known.descriptor, seed=known.seed, options=options)
    return replace(base, world=_place(known, base.world), mission=_mission(known, base.mission, told))


def _place(known: FieldKnowledge, base: World) -> World:
    if known.world == OF_STUDY:
        return base
    if known.world == UNKNOWN:
        return replace(base, bodies=Bodies.none(), actors=(), regions=())
    return replace(world_file(Path(known.world)), robots=base.robots)


def world_file(path: Path) -> World:
    """The place in an SDF file or a map."""
    return World.from_map(path) if path.suffix in MAPS else World.from_sdf(path)


def _mission(known: FieldKnowledge, base: Mission, told: Mapping[str, object]) -> Mission:
    goal, limit_s = known.topics.goal_m, known.topics.limit_s
    if all(name in told for name in GOAL):
        goal = (float(str(told[GOAL[0]])), float(str(told[GOAL[1]])))
    if known.world == OF_STUDY:
        base = replace(base, goal_m=goal) if isinstance(base, ReachMission) and goal is not None else base
        return base if limit_s is None else replace(base, limit_s=limit_s)
    limit_s = inf if limit_s is None else limit_s
    return Mission(limit_s=limit_s) if goal is None else ReachMission(goal_m=goal, limit_s=limit_s)


def recorded_goal(trace: Trace, topics: FieldTopics) -> dict[str, float]:
    """The last goal that was given on the topic of goals, in the world, as parameters of a recording; none if none."""
    if not topics.goal or not len(trace.topics[topics.goal]):
        return {}
    goals = trace.topics[topics.goal]
    x, y = (float(goals.column(f"pose.position.{axis}")[-1]) for axis in "xy")
    return dict(zip(GOAL, topics.in_world(x, y), strict=True))


def recorded_evidence(
    known: FieldKnowledge,
    study: Study,
    scenario: Scenario,
    trace: Trace,
    late: Callable[[str], Topic | None] | None = None,
) -> Evidence:
    """What properties may look at. ``late`` reads a topic that was recorded and is not in the trace yet."""
    # Whether the mission ended on the truth nobody has watched: contacts, for one, are not in recordings.
    silent = {LOG, *known.topics.silent, *(() if study.ending.conditions else (ENDED,))}
    seen = replace(
        trace,
        topics=Recorded(trace.topics, noun="topic", silent=silent, more=late),
        robots=Recorded(trace.robots, noun=POSE_OF),
        actors=Recorded(trace.actors, noun="actor"),
    )
    world, mission = scenario.world, scenario.mission
    if known.world == UNKNOWN:
        nothing = Unrecorded(NO_WORLD)
        world = _with(world, bodies=nothing, actors=nothing, regions=nothing, terrain=nothing)
    if mission.limit_s == inf:
        known_goal = isinstance(mission, ReachMission)
        mission = _with(mission, limit_s=Unrecorded(NO_LIMIT)) if known_goal else Unrecorded(NO_MISSION)  # type: ignore[assignment]
    return Evidence(seen, _with(scenario, world=world, mission=mission))


def judge_recorded(known: FieldKnowledge, study: Study, scenario: Scenario, evidence: Evidence) -> tuple[Verdict, ...]:
    """A verdict of every property, as far as the recording settles it.

    Where nobody knows what a robot did, it may have done anything: a verdict that would change with that is
    inconclusive. If somebody stopped the recorder before the mission was over, what failed may still have come true
    after the end; what held is taken to have held for as long as was recorded.
    """
    verdicts = judge_all(study.oracle, evidence, of_recording=True)
    robots, places = evidence.trace.robots, places_of(scenario)
    if gaps := gaps_of(robots):
        spans = ", ".join(f"{first / 1e9:.1f} to {last / 1e9:.1f} s" for first, last in gaps[:3])
        why = f"Where the robot was is not known from {spans}{' ...' if len(gaps) > 3 else ''}."
        other = _moved(evidence, filled(robots, places))
        verdicts = tuple(_settled(study, verdict, other, why) for verdict in verdicts)
    if _is_over(known, study, scenario, evidence):
        return verdicts
    later = _moved(evidence, continued(robots, places))
    return tuple(
        _settled(study, verdict, later, ENDS_EARLY) if verdict.outcome is Outcome.FAIL else verdict
        for verdict in verdicts
    )


def _is_over(known: FieldKnowledge, study: Study, scenario: Scenario, evidence: Evidence) -> bool:
    """Whether the recording shows the mission to its end: a report, or all of its time."""
    trace = evidence.trace
    if study.ending.topic in set(trace.topics) and len(trace.topics[study.ending.topic]):
        return True
    return trace.end_time_ns / 1e9 + known.topics.gap_s >= scenario.mission.limit_s


def _moved(evidence: Evidence, robots: Mapping[str, Truth]) -> Evidence:
    return replace(evidence, trace=replace(evidence.trace, robots=Recorded(robots, noun=POSE_OF)))


def _settled(study: Study, verdict: Verdict, other: Evidence, why: str) -> Verdict:
    """The verdict, unless it would be another with what may have been."""
    if verdict.outcome is Outcome.INCONCLUSIVE:
        return verdict
    try:
        again = study.oracle.verdict(study.oracle[verdict.property], other)
        same = again is not None and again.outcome is verdict.outcome
    except Exception:  # the study's own code may not stand a robot that leaps about
        same = False
    return verdict if same else Verdict(verdict.property, Outcome.INCONCLUSIVE, None, verdict.unit, note=why)


def _with(whole: T, **parts: object) -> T:
    """A copy with other parts, which nobody checks: a part that is not known refuses to be looked at."""
    changed = copy.copy(whole)
    for name, part in parts.items():
        object.__setattr__(changed, name, part)
    return changed


def knowledge(
    study: Study, *, topics: FieldTopics, world: str = "", template: str = "", seed: int = 0
) -> FieldKnowledge:
    """What is known of recordings. ``world`` is a descriptor of the study, an SDF file, a map, or nothing.

    What a descriptor leaves open is drawn with ``seed``. InputError if the file is not there.
    """
    place = Path(world)
    is_file = place.suffix in PLACES
    if is_file and not place.is_file():
        raise InputError(f"There is no file {world!r}. Wanted an SDF file, a map (.yaml), or a descriptor.")
    descriptor = world if world and not is_file else template or study.template
    complete = study.model.create_from_descriptor(descriptor, generator(seed, "genotype")).descriptor
    kind = str(place.resolve()) if is_file else OF_STUDY if world else UNKNOWN
    return FieldKnowledge(topics=topics, descriptor=complete, seed=seed, world=kind)


def field_robots(scenario: Scenario) -> list[FieldRobot]:
    """The robots of a scenario, and the topics of theirs that say where they are."""
    found = []
    for placed in scenario.world.robots:
        sensors = placed.robot.sensors
        best = [sensor.topic for kind in (PoseSensor, Odometer) for sensor in sensors if isinstance(sensor, kind)]
        found.append(FieldRobot(name=placed.robot.name, pose_topics=tuple(best)))
    return found


def field_topics_of(study: Study, scenario: Scenario) -> tuple[str, ...]:
    """The topics that the study knows: of its robots' sensors and drives, of reports, and those that are watched."""
    robots = [placed.robot for placed in scenario.world.robots]
    sensed = [sensor.topic for robot in robots for sensor in robot.sensors]
    heard = [topic for robot in robots for topic in (*robot.drive.command_topics, *robot.drive.switch_topics)]
    return tuple(dict.fromkeys([*sensed, *heard, study.ending.topic, *study.expected_hz]))
