"""Constants: numbers of robots, sensors, links and nodes that a simulator uses, each under one name.

========================= ===========================================================================
``ROBOT.drive.FIELD``     a number of its drive: ``oz.drive.lag_s``
``ROBOT.TOPIC.FIELD``     a number of its sensor on that topic: ``oz./odom.distance_scale``
``link.TOPIC.FIELD``      how long messages on a topic travel: ``link./scan.base_ms``, ``jitter_ms``
``node.NAME.FIELD``       how long a node computes for a callback: ``node.planner.base_ms``
========================= ===========================================================================

A world has values for all of them; ``--option NAME=VALUE`` and a calibration give others. They are a part of the name
of every scenario that is made with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from stressfield.bus.node import Latency, Timing
from stressfield.errors import InputError, WorldError, did_you_mean
from stressfield.scenario import Scenario
from stressfield.world import PlacedRobot, Robot, World

LINK, NODE = "link.", "node."
DRIVE = "drive"
MOST_NAMED = 12
"""Names that a message lists."""


def constants_of(world: World) -> dict[str, float]:
    """All constants of the robots and sensors of a world, and what they are."""
    return {
        f"{name}.{each}": value
        for placed in world.robots
        for name, part in _parts(placed.robot)
        for each, value in _numbers(part)
    }


def with_constants(scenario: Scenario, values: Mapping[str, float], timing: Timing) -> Scenario:
    """The same scenario with other constants. InputError for a name that the world has not, or a value it refuses."""
    of_world = {name: value for name, value in values.items() if not name.startswith((LINK, NODE))}
    known = constants_of(scenario.world)
    for name in of_world:
        if name not in known:
            raise InputError(unknown_constant(name, known))
    timing_with(timing, values)  # InputError for one that is wrong
    robots = tuple(_placed(placed, of_world) for placed in scenario.world.robots)
    return replace(scenario, world=replace(scenario.world, robots=robots)) if of_world else scenario


def timing_with(timing: Timing, values: Mapping[str, float]) -> Timing:
    """The same timing with other links and nodes; what of a latency is not named stays as it was."""
    topics, nodes = dict(timing.topics), dict(timing.nodes)
    for kind, found, usual in ((LINK, topics, timing.topic_default), (NODE, nodes, timing.node_default)):
        for name, value in values.items():
            if name.startswith(kind):
                what, _, field = name.removeprefix(kind).rpartition(".")
                known = [each.name for each in fields(Latency)]
                if not what or field not in known:
                    raise InputError(
                        f"There is no constant {name!r}. Wanted {kind}NAME.{known[0]} or {kind}NAME.{known[1]}."
                    )
                found[what] = replace(found.get(what, usual), **{field: value})
    return timing if (topics, nodes) == (timing.topics, timing.nodes) else replace(timing, topics=topics, nodes=nodes)


def _parts(robot: Robot) -> Iterator[tuple[str, Any]]:
    """The drive and the sensors of a robot, each with the beginning of the names of its constants."""
    yield f"{robot.name}.{DRIVE}", robot.drive
    for sensor in robot.sensors:
        yield f"{robot.name}.{sensor.topic}", sensor


def _numbers(part: Any) -> Iterator[tuple[str, float]]:
    if is_dataclass(part):
        for each in fields(part):
            value = getattr(part, each.name)
            if isinstance(value, float):
                yield each.name, value


def _placed(placed: PlacedRobot, values: Mapping[str, float]) -> PlacedRobot:
    changed = []
    for name, part in _parts(placed.robot):
        own = {each: values[f"{name}.{each}"] for each, _ in _numbers(part) if f"{name}.{each}" in values}
        try:
            changed.append(replace(part, **own) if own else part)
        except WorldError as error:
            raise InputError(f"{', '.join(f'{name}.{each}' for each in own)}: {error}") from None
    drive, *sensors = changed
    return replace(placed, robot=replace(placed.robot, drive=drive, sensors=tuple(sensors)))


def unknown_constant(name: str, known: Mapping[str, float]) -> str:
    """What is said of a name that is none of these constants."""
    beginnings = sorted({each.rpartition(".")[0] for each in known})
    beginning = name.rpartition(".")[0]
    if beginning in beginnings:
        has = [each.rpartition(".")[2] for each in known if each.rpartition(".")[0] == beginning]
        return (
            f"There is no constant {name!r}. {beginning!r} has: {', '.join(has[:MOST_NAMED])}."
            f"{did_you_mean(name.rpartition('.')[2], has)}"
        )
    shown = ", ".join(beginnings[:MOST_NAMED])
    return (
        f"There is no constant {name!r} in this world. It has those of: {shown}.{did_you_mean(beginning, beginnings)}"
    )
