"""A field case: a moment of a recording as a test that runs in the simulator. Its folder is an ordinary study.

``case.toml`` says what the test is and where all of it came from; ``study.py`` is what the verbs take.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import tomli_w

from stressfield._files.disk import read_file, write_file
from stressfield._files.toml_text import parse_toml
from stressfield.bus import Link, Message, Node
from stressfield.errors import InputError
from stressfield.model import Element, real
from stressfield.plugins import find_study, is_file
from stressfield.run.recorded import MAPS
from stressfield.scenario import Scenario
from stressfield.seeds import Rng
from stressfield.study import Build, Study
from stressfield.trace import Trace, read_trace
from stressfield.trace.bags.field_knowledge import OF_STUDY
from stressfield.world import Mission, PlacedRobot, ReachMission, World

CASE, STUDY, RECORDED = "case.toml", "study.py", "recorded.mcap"
DISTURBANCES = "disturbances.yaml"
LARGEST_CASE = 1_000_000
PLAYED = "recorded"
"""The build that sends the commands of the recording, when they were sent, whatever happens."""
STEP_S = 0.005
"""How often the player looks for commands that are due."""


class FieldStart(Element):
    """The moment as it was recorded, or with the robots a little aside from where they were."""

    along_m: float = real(-0.2, 0.2, unit="m", doc="all robots start so far along x from where they were")
    across_m: float = real(-0.2, 0.2, unit="m", doc="all robots start so far along y from where they were")
    turned_rad: float = real(-0.2, 0.2, unit="rad", doc="all robots start turned by so much, to the left")


AS_RECORDED = "0.0-0.0-0.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where a robot was when the test begins. It stands still: simulators begin at rest."""

    robot: str
    x_m: float
    y_m: float
    yaw_rad: float
    speed_mps: float = 0.0
    """How fast it was then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCase:
    """What the test is, and where all of it came from."""

    name: str
    study: str
    """Whose robot software and properties it has: a name, or a path from the folder of the case."""
    descriptor: str
    seed: int
    bag: str
    began: str
    """When the recording began, by the recorder's clock."""
    from_s: float
    at_s: float
    until_s: float
    """Seconds of the recording: where the test begins, what it is about, and where the excerpt ends."""
    starts: tuple[Start, ...]
    world: str = ""
    """``study``: that of the descriptor; else the file beside this one."""
    kind: str = "seen"
    """What the things of a map are called."""
    limit_s: float
    goal_m: tuple[float, float] | None = None
    property: str = ""
    """The property that failed there, if one is known."""
    notes: tuple[str, ...] = ()
    """What was not known, and what was taken instead."""

    def placed(self, base: Sequence[PlacedRobot]) -> tuple[PlacedRobot, ...]:
        """The robots of the study where they were."""
        at = {start.robot: start for start in self.starts}
        return tuple(
            replace(each, x_m=there.x_m, y_m=there.y_m, yaw_rad=there.yaw_rad)
            if (there := at.get(each.robot.name)) is not None
            else each
            for each in base
        )


def write_case(folder: Path, case: FieldCase) -> None:
    """``case.toml`` and ``study.py``."""
    content = {key: value for key, value in msgspec.to_builtins(case).items() if value is not None}
    write_file(folder / CASE, tomli_w.dumps(content).encode())
    text = f'"""{case.name}: {case.at_s:g} s into {Path(case.bag).name}, as a test. See {CASE} and README.md."""\n'
    text += "\nfrom pathlib import Path\n\nfrom stressfield.field import field_study\n"
    write_file(folder / STUDY, (text + "\nstudy = field_study(Path(__file__).parent)\n").encode())


def read_case(folder: Path) -> FieldCase:
    """What ``case.toml`` says; InputError if it does not fit."""
    path = folder / CASE
    try:
        content = parse_toml(read_file(path, what="the field case", bytes_max=LARGEST_CASE), bytes_max=LARGEST_CASE)
        return msgspec.convert(content, FieldCase)
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(
            f"{str(path)!r} is not a field case: {error}. Make it again: stressfield scenario-from"
        ) from None


def field_study(folder: Path | str) -> Study:
    """The study of a field case: robot software and properties of the one that it names, in the recorded place."""
    folder = Path(folder)
    case = read_case(folder)
    base = find_study(str((folder / case.study).resolve()) if is_file(case.study) else case.study)

    def build(start: FieldStart, _rng: Rng) -> Scenario:
        made = base.scenario(case.descriptor, seed=case.seed)
        robots = tuple(
            replace(
                each, x_m=each.x_m + start.along_m, y_m=each.y_m + start.across_m,
                yaw_rad=each.yaw_rad + start.turned_rad,
            )
            for each in case.placed(made.world.robots)
        )  # fmt: skip
        world = replace(case_world(folder, case, made.world), robots=robots)
        return Scenario(world, case_mission(case, made.mission))

    def play(_scenario: Scenario) -> Node:
        return RecordedCommands(read_trace(folder / RECORDED))

    builds = (*base.builds, Build(PLAYED, "the commands of the recording, when they were sent", play))
    return replace(
        base, name=case.name, title=f"{base.title} ({case.at_s:g} s into {Path(case.bag).name})", model=FieldStart,
        build=build, template=AS_RECORDED, subject=builds, space=None, configure=None, published={}, experiments=(),
    )  # fmt: skip


def case_world(folder: Path, case: FieldCase, base: World) -> World:
    """The place, without robots of its own."""
    if case.world == OF_STUDY:
        return base
    path = folder / case.world
    if path.suffix in MAPS:
        return World.from_map(path, unknown="free", kind=case.kind)
    return World.from_sdf(path)


def case_mission(case: FieldCase, base: Mission) -> Mission:
    """What is asked, in the time that was left for it."""
    if isinstance(base, ReachMission) and case.goal_m is not None:
        return replace(base, goal_m=case.goal_m, limit_s=case.limit_s)
    return replace(base, limit_s=case.limit_s)


@dataclass(slots=True)
class _Due:
    time_ns: int
    topic: str
    message: Message


class RecordedCommands(Node):
    """Sends what was recorded on the topics of commands, when it was sent. It hears nothing."""

    name = "recorded_commands"

    def __init__(self, trace: Trace) -> None:
        every = [
            _Due(int(time_ns), name, message)
            for name in trace.metadata.topics
            if name in trace.topics
            for time_ns, message in zip(trace.topics[name].log_time_ns, trace.topics[name].messages, strict=True)
        ]
        self._due = sorted(every, key=lambda due: due.time_ns)
        self._next = 0

    def setup(self, link: Link) -> None:
        self._link = link
        for topic in dict.fromkeys(due.topic for due in self._due):
            link.advertise(topic)
        link.every(STEP_S, self._play)

    def _play(self) -> None:
        while self._next < len(self._due) and self._due[self._next].time_ns <= self._link.now_ns:
            due = self._due[self._next]
            self._link.publish(due.topic, due.message)
            self._next += 1
