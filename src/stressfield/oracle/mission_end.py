"""Endings on the truth: conditions on what the observer sees, which end a mission well or badly.

They are written in the language of the disturbances' conditions, over these words:

===================== ================================================================================================
time                  simulated seconds since the start
x, y, z, yaw          where the robot's axle is (m), and its heading (rad, from -pi to pi)
speed, turn_rate      over ground (m/s, negative is backwards) and about the vertical (rad/s)
clearance             metres from the robot's outline to the nearest solid body or other robot; negative is overlap
contact               1 while the robot touches anything, otherwise 0
distance_to_goal      metres from the axle to the goal of a mission that has one
room_NAME             metres from the axle to the border of the region NAME, from inside; negative is outside
goal, ROBOT           places for ``distance``: the mission's goal, and each robot by its name
===================== ================================================================================================

All but ``time`` and places can be said of a robot by its name, ``contact(mower)``; where there are several robots, they
have to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import atan2, hypot, isnan
from typing import TYPE_CHECKING

from stressfield.arrays import Floats
from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import ConditionError, InputError
from stressfield.fuzz.condition import Condition, Point, Variable, Vocabulary, parse_condition, parse_expression
from stressfield.fuzz.condition.expression import Call, Name, walk
from stressfield.scenario import Scenario
from stressfield.trace import COLUMNS, Trace
from stressfield.trace.truth import NOBODY
from stressfield.world import ReachMission

if TYPE_CHECKING:
    from stressfield.world import Region

ENDED = "/observer/ended"
"""Topic on which the rig records which condition ended the mission: its name, its text, level 0 (reached) or 2."""
REACHED, FAILED = "reached", "failed"
ERROR = 2
"""From this level on a DiagnosticStatus says that something went wrong."""

Value = Callable[[Floats, float], float | Point]
"""What a word stands for, given an observation (a row for each robot) and the time (s)."""


def _yaw(row: Floats) -> float:
    x, y, z, w = (float(part) for part in row[3:7])
    return atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def _contact(code: float) -> float:
    """NaN stays: a simulator that does not know contacts has not seen that there was none."""
    return code if isnan(code) else float(code != NOBODY)


_WORDS: Mapping[str, Callable[[Floats], float]] = {
    "x": lambda row: float(row[0]),
    "y": lambda row: float(row[1]),
    "z": lambda row: float(row[2]),
    "yaw": _yaw,
    "speed": lambda row: float(row[COLUMNS.index("speed_mps")]),
    "turn_rate": lambda row: float(row[COLUMNS.index("turn_rate_radps")]),
    "clearance": lambda row: float(row[COLUMNS.index("clearance_m")]),
    "contact": lambda row: _contact(float(row[COLUMNS.index("contact_body")])),
}
TIME, GOAL, TO_GOAL, ROOM = "time", "goal", "distance_to_goal", "room_"


def check_conditions(conditions: Mapping[str, str], *, what: str) -> None:
    """ConditionError for what no world could make sense of: syntax, types, and words that are none of the above.

    Which robots, regions and goals there are is known only when a world is built.
    """
    for name, text in conditions.items():
        told = f"{what}, {name!r}"
        _parsed(text, _any_world(text), told)


def _parsed(text: str, vocabulary: Vocabulary, told: str) -> Condition:
    """The condition; a ConditionError says which one it is about."""
    try:
        return parse_condition(text, vocabulary)
    except ConditionError as error:
        raise ConditionError(
            f"{told}: {error.reason}", condition=error.condition, position=error.position, length=error.length
        ) from None


def _any_world(text: str) -> Vocabulary:
    """The words that some world could have: those of the table, and every robot and region that the text names."""
    of_robots = {TO_GOAL, *_WORDS}
    numbers, called, places = {TIME, *of_robots}, {(word, "robot") for word in of_robots}, {GOAL}
    try:
        tree = parse_expression(text)
    except ConditionError:
        return Vocabulary.of([])  # the text is read once more, by who can tell what it is about
    for node in walk(tree):
        if isinstance(node, Name) and node.name.startswith(ROOM):
            numbers.add(node.name)
        elif isinstance(node, Call):
            names = [argument.name for argument in node.arguments if isinstance(argument, Name)]
            if node.function == "distance":
                places.update(names)
            elif len(names) == 1 and (node.function in of_robots or node.function.startswith(ROOM)):
                called.add((node.function, names[0]))
    return Vocabulary.of(
        [
            *(Variable(name=name) for name in sorted(numbers)),
            *(Variable(name=name, of=of) for name, of in sorted(called)),
            *(Variable(name=name, kind="place") for name in sorted(places - numbers)),
        ]
    )


def truth_words(scenario: Scenario) -> dict[str, tuple[Variable, Value]]:
    """What conditions may speak of in this scenario, by how it is written, and how it is observed."""
    found: dict[str, tuple[Variable, Value]] = {TIME: (Variable(name=TIME), lambda _rows, time_s: time_s)}
    robots = [placed.robot.name for placed in scenario.world.robots]
    mission = scenario.mission
    goal = mission.goal_m if isinstance(mission, ReachMission) else None
    regions = {ROOM + re.sub(r"\W", "_", region.name): region for region in reversed(scenario.world.regions)}
    for place, robot in enumerate(robots):
        of_one = [*_WORDS.items(), *((name, _room(region)) for name, region in regions.items())]
        if goal is not None:
            of_one.append((TO_GOAL, _distance(goal)))
        for name, value in of_one:
            variables = [Variable(name=name, of=robot), *([Variable(name=name)] if len(robots) == 1 else [])]
            for variable in variables:
                found[variable.key] = (variable, _of_robot(place, value))
    points: dict[str, Value] = {robot: _place_of(place) for place, robot in enumerate(robots)}
    if goal is not None:
        points[GOAL] = lambda _rows, _time_s, at=(*goal, 0.0): at  # type: ignore[misc]
    for name, value_of in points.items():
        # a robot that is called as one of the words keeps its numbers, and loses its place
        found.setdefault(name, (Variable(name=name, kind="place"), value_of))
    return found


def _of_robot(place: int, value: Callable[[Floats], float]) -> Value:
    return lambda rows, _time_s: value(rows[place])


def _place_of(place: int) -> Value:
    # flat: distances to the goal and between robots are those of a map, as distance_to_goal is
    return lambda rows, _time_s: (float(rows[place, 0]), float(rows[place, 1]), 0.0)


def _distance(goal_m: tuple[float, float]) -> Callable[[Floats], float]:
    return lambda row: hypot(float(row[0]) - goal_m[0], float(row[1]) - goal_m[1])


def _room(region: Region) -> Callable[[Floats], float]:
    def room_m(row: Floats) -> float:
        x, y = float(row[0]), float(row[1])
        return min(x - region.x_min_m, region.x_max_m - x, y - region.y_min_m, region.y_max_m - y)

    return room_m


@dataclass(frozen=True, slots=True)
class MissionEnd:
    """That a condition held: when, which one, and whether the mission is done (``reached``) or lost."""

    at_s: float
    name: str
    condition: str
    reached: bool

    @property
    def words(self) -> str:
        """In one line, for people."""
        return f"{self.name} ({self.condition}) at {self.at_s:.2f} s"


class TruthWatch:
    """Asks the conditions at every observation of a run. The first that holds is the end; of several a failure."""

    def __init__(self, scenario: Scenario, *, reached: str, failed: Mapping[str, str], what: str) -> None:
        words = truth_words(scenario)
        vocabulary = Vocabulary.of(variable for variable, _ in words.values())
        asked = {**failed, **({REACHED: reached} if reached else {})}
        parsed = {name: _parsed(text, vocabulary, f"{what}, {name!r}") for name, text in asked.items()}
        self._what, self._texts = what, asked
        self._conditions = [(name, condition.compile()) for name, condition in parsed.items()]
        used = sorted(frozenset[str]().union(*(condition.variables for condition in parsed.values())))
        self._values = [(key, words[key][1]) for key in used]
        self._asked_before = False

    def observe(self, time_ns: int, rows: Floats) -> MissionEnd | None:
        """What has ended the mission by now; None while nothing has."""
        time_s = time_ns / 1e9
        observed = {key: value(rows, time_s) for key, value in self._values}
        if not self._asked_before:
            self._check_known(observed)
        for name, holds in self._conditions:
            if holds(observed) is True:
                return MissionEnd(time_s, name, self._texts[name], name == REACHED)
        return None

    def _check_known(self, observed: Mapping[str, float | Point]) -> None:
        """InputError for what the simulator does not observe: a condition on it would never hold, nor ever fail."""
        self._asked_before = True
        for key, value in observed.items():
            if isinstance(value, float) and isnan(value):
                raise InputError(
                    f"{self._what} speaks of {key!r}, which this simulator does not observe. Wanted conditions on what "
                    "it does, or another simulator."
                )


def end_message(end: MissionEnd) -> DiagnosticStatus:
    """As the trace holds it."""
    return DiagnosticStatus(0 if end.reached else ERROR, end.name, end.condition)


def ends_of(trace: Trace) -> Iterator[MissionEnd]:
    """The conditions that held in a recorded run, in order: none or one."""
    if ENDED not in trace.topics:
        return
    topic = trace.topics[ENDED]
    for time_ns, said in zip(topic.publish_time_ns.tolist(), topic.messages, strict=True):
        assert isinstance(said, DiagnosticStatus)
        yield MissionEnd(time_ns / 1e9, said.name, said.message, said.level < ERROR)
