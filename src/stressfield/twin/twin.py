"""The twin: messages of a robot in, residuals, drift and verdicts out, while they come."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from time import perf_counter

import numpy as np

from stressfield.analysis.monitors import MonitorScore, from_metrics
from stressfield.bus.message import Message
from stressfield.bus.messages import DiagnosticStatus, Float64Msg
from stressfield.bus.messages.std import KeyValue
from stressfield.calibration.estimate import LOST_SHARE
from stressfield.calibration.recordings import FASTEST
from stressfield.errors import InputError, TraceError
from stressfield.oracle import Outcome, Profile, Verdict
from stressfield.run.judgement import measure, split
from stressfield.run.recorded import (
    field_robots,
    field_topics_of,
    judge_recorded,
    knowledge,
    recorded_evidence,
    recorded_goal,
    recorded_scenario,
)
from stressfield.scenario import Options
from stressfield.study import Study
from stressfield.subject import MONITORS
from stressfield.trace import Metadata
from stressfield.trace.bags.field_knowledge import UNKNOWN
from stressfield.trace.bags.field_topics import FieldTopics
from stressfield.trace.bags.field_trace import HEAVY, FieldTrace, field_trace
from stressfield.trace.topic import Topic, recorded
from stressfield.twin.drift import LEAST_BASELINE, Alarm, DriftDetector
from stressfield.twin.shadow import TOO_FAST, Residual, Shadow
from stressfield.twin.stream import Stream, TopicHealth

PREFIX = "/stressfield/twin"
RESIDUAL, DRIFT, VERDICT = f"{PREFIX}/residual", f"{PREFIX}/drift", f"{PREFIX}/verdict"
"""Topics on which the twin speaks: Float64 a signal, DiagnosticStatus of all drift, DiagnosticStatus a property."""
UNHEARD = frozenset({"/rosout", "/parameter_events", "/diagnostics"})
"""What every graph says, and no property is about."""
OK, WARN, ERROR = 0, 1, 2
WAIT_S = 0.3
"""After the end of a window: what is a little late still counts."""
FEW = 5
"""Windows that tell whether this is the robot at all."""
JUDGING_SHARE = 0.2
"""Of the time: judging a long stream anew takes ever longer, so it is done ever less often."""


class Settled(StrEnum):
    """What is known of a property: it holds, it is violated, or that is not decided yet."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LiveVerdict:
    """What a property says of what has come so far. ``verdict`` is that of the same recording, ended now."""

    verdict: Verdict
    settled: Settled
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinWatch:
    """What to watch, and how."""

    window_s: float = 1.0
    learn_s: float = 60.0
    """How long the robot is taken to be well at first, if there is no baseline."""
    baseline: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Residuals of earlier windows, by signal."""
    false_alarm_every_s: float = 3600.0
    """Driving time between false alarms of drift, on average, at least."""
    look_s: float = 1.0
    """How often properties are judged; 0 judges them at the end alone."""
    profile: str = Profile.STRICT.value
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("learn_s", "look_s"):
            if not getattr(self, name) >= 0.0:
                raise InputError(f"{name} is {getattr(self, name)!r}; wanted 0 or more.")
        if not self.false_alarm_every_s >= self.window_s:
            raise InputError(
                f"False alarms cannot come every {self.false_alarm_every_s!r} s; wanted at least a window "
                f"({self.window_s:g} s)."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinResult:
    """What came of it."""

    study: str
    source: str
    seconds: float
    verdicts: tuple[LiveVerdict, ...]
    others: tuple[Verdict, ...]
    """Of properties that are switched off."""
    residuals: tuple[Residual, ...]
    alarms: tuple[Alarm, ...]
    learned: int
    """Windows of the baseline."""
    watched: int
    """Windows in motion that were watched for drift."""
    unknown: Mapping[str, int]
    """Windows of which nothing is known, by the reason."""
    health: Mapping[str, TopicHealth]
    silent: tuple[str, ...]
    """Topics of the study on which nothing came."""
    monitors: tuple[MonitorScore, ...]
    notes: tuple[str, ...]
    suggestions: tuple[str, ...]

    @property
    def failed(self) -> bool:
        """A property is violated, or the robot has drifted."""
        return bool(self.alarms) or any(live.verdict.outcome is Outcome.FAIL for live in self.verdicts)

    @property
    def nothing_judged(self) -> bool:
        """No property came to a verdict, and no window was compared: nothing was said about the robot."""
        told = any(live.verdict.outcome is not Outcome.INCONCLUSIVE for live in self.verdicts)
        return not told and not any(residual.values for residual in self.residuals)


class Twin:
    """Give it messages with ``hear``; it answers with what is to be published."""

    def __init__(
        self,
        study: Study,
        *,
        source: str = "stream",
        topics: FieldTopics | None = None,
        world: str = "",
        seed: int = 0,
        options: Options | None = None,
        simulator: str = "",
        watch: TwinWatch | None = None,
    ) -> None:
        self._study, self.watch = study, TwinWatch() if watch is None else watch
        self._known = knowledge(study, topics=topics or study.field_topics, world=world, seed=seed)
        self._options = study.check_options(options or {})
        self._base = recorded_scenario(self._known, study, self._options, {})
        self._robots = field_robots(self._base)
        self._shadow = Shadow(
            self._base,
            study.find_simulator(simulator)(),
            window_s=self.watch.window_s,
            known_place=self._known.world != UNKNOWN,
        )
        study.oracle.select(profile=self.watch.profile, include=self.watch.include, exclude=self.watch.exclude)
        self.stream = Stream(source)
        self._names = {*self.wanted, *(f"/observer/{robot.name}/pose" for robot in self._robots)}
        self._said: dict[str, list[tuple[int, Message]]] = {}
        self._next_ns: int | None = None
        self._residuals: list[Residual] = []
        self._detector: DriftDetector | None = None
        if self.watch.baseline:
            self._detector = self._made(self.watch.baseline)
        self._learned_s = 0.0
        self._looked_ns = 0
        self._judging_s = 0.0
        self._began_s = perf_counter()
        self.live: dict[str, LiveVerdict] = {}
        self._settled_at: dict[str, float] = {}
        self.trouble = ""
        """Why properties cannot be judged at the moment; empty if they can."""

    @property
    def wanted(self) -> tuple[str, ...]:
        """Topics to listen to, as the source calls them."""
        mapping = self._known.topics
        ours = (*field_topics_of(self._study, self._base), *mapping.topics)
        poses = [name for each in mapping.poses.values() for name in ((each,) if isinstance(each, str) else ())]
        frames = ("/tf", "/tf_static") if any(not isinstance(each, str) for each in mapping.poses.values()) else ()
        extra = (*poses, *frames, *(name for name in (mapping.goal,) if name))
        clock = (mapping.clock,) if mapping.clock.startswith("/") else ()
        return tuple(dict.fromkeys((*map(mapping.named, ours), *extra, *clock)))

    def knows(self, topic: str) -> bool:
        """Whether a topic of the source is of the study: one of its own, a true pose, or a monitor's."""
        return topic in self._names or topic.startswith(MONITORS)

    def wants(self, topic: str, kind: str) -> bool:
        """Whether to listen to a topic of this type: a property may ask for any, as in a recording.

        Pictures and clouds that are not of the study, and what the twin says itself, are left out.
        """
        return self.knows(topic) or (kind not in HEAVY and topic not in UNHEARD and not topic.startswith(PREFIX))

    def check(self, topics: Collection[str], seconds: float) -> None:
        """InputError if a recording with these topics, so long, cannot be accompanied at all."""
        mapping = self._known.topics
        orders, robot = [mapping.named(name) for name in self._shadow.commands], self._shadow.robot.name
        there = ", ".join(sorted(topics)) or "none of the study"
        if not any(name in topics for name in orders):
            raise InputError(
                f"{self.stream.name!r} has no commands of {robot}: wanted {' or '.join(orders)}, it has {there}. "
                "Say what they are called with --map-topics."
            )
        if not mapping.poses and not any(
            name in topics
            for robot in self._robots
            for name in (f"/observer/{robot.name}/pose", *map(mapping.named, robot.pose_topics))
        ):
            raise InputError(
                f"Nothing in {self.stream.name!r} tells where {robot} is: it has {there}. Say which "
                "topic does with --map-topics: poses."
            )
        if seconds < self._shadow.needs_s + WAIT_S:
            raise InputError(
                f"{self.stream.name!r} lasts {seconds:.1f} s; wanted at least {self._shadow.needs_s + WAIT_S:g} s: the "
                "first window takes that."
            )

    def hear(self, topic: str, time_ns: int, message: Message) -> list[tuple[str, Message]]:
        """A message of the robot's that came at that time; what the twin has to say now."""
        if not self.stream.hear(topic, time_ns, message):
            return []
        return self._tell(self.stream.last_ns)

    def _tell(self, now_ns: int) -> list[tuple[str, Message]]:
        told: list[tuple[str, Message]] = []
        step_ns = round(self.watch.window_s * 1e9)
        if self._next_ns is None:
            self._next_ns = now_ns + round((self._shadow.needs_s + WAIT_S) * 1e9)
        while now_ns >= self._next_ns:
            told += self._window(self._next_ns - round(WAIT_S * 1e9))
            self._next_ns += step_ns
        if self._is_due(now_ns):
            told += self._judge(now_ns)
        return self._noted(told, now_ns)

    def look(self) -> list[tuple[str, Message]]:
        """Judge the properties now, whether it is time or not: what is to be published of that."""
        if self.stream.first_ns is None:
            return []
        return self._noted(self._judge(self.stream.last_ns), self.stream.last_ns)

    def _noted(self, told: list[tuple[str, Message]], now_ns: int) -> list[tuple[str, Message]]:
        for topic, message in told:
            self._said.setdefault(topic, []).append((now_ns, message))
        return told

    # --- motion ---------------------------------------------------------------------------------------------------

    def _read(self, *, last_s: float | None = None) -> FieldTrace:
        wanted = field_topics_of(self._study, self._base)
        return field_trace(self.stream.bag(last_s=last_s), self._robots, wanted, self._known.topics, Metadata())

    def _window(self, end_ns: int) -> list[tuple[str, Message]]:
        """Compare the window that ended then."""
        assert self.stream.first_ns is not None
        end_s = (end_ns - self.stream.first_ns) / 1e9
        try:
            # one window more than it takes, for messages that came out of order
            read = self._read(last_s=(self.stream.last_ns - end_ns) / 1e9 + self._shadow.needs_s + self.watch.window_s)
            found = self._shadow.look(read.trace, (end_ns - read.start_ns) / 1e9 - self.watch.window_s)
        except TraceError as error:
            found = Residual(0.0, {}, why=str(error))
        found = replace(found, time_s=end_s)
        self._residuals.append(found)
        if found.why == TOO_FAST:
            self._refuse_another_robot()
        told: list[tuple[str, Message]] = [
            (f"{RESIDUAL}/{_topic_name(name)}", Float64Msg(value)) for name, value in found.values.items()
        ]
        return [*told, (DRIFT, self._drift(found))]

    def _refuse_another_robot(self) -> None:
        """InputError if it moves as this robot cannot, in most windows in which it moves."""
        fast = sum(residual.why == TOO_FAST for residual in self._residuals)
        moving = fast + sum(bool(residual.values) for residual in self._residuals)
        if fast >= FEW and 2 * fast > moving:
            raise InputError(
                f"{self.stream.name!r} is not of {self._shadow.robot.name}: it went faster than "
                f"{self._shadow.fastest_mps:.3g} m/s in {fast} of {moving} windows, {FASTEST:g} times what its drive "
                "does. Give this robot's stream, or map another pose."
            )

    def _refuse_lost(self) -> None:
        """InputError if the motion from which is to be learned has nothing to do with the commands."""
        missed = [share for residual in self._residuals if (share := residual.missed_share) is not None]
        if len(missed) >= FEW and np.median(missed) > LOST_SHARE:
            raise InputError(
                f"The motion in {self.stream.name!r} does not follow the commands: the windows to learn from are off "
                f"by {100 * np.median(missed):.0f} % of the motion. Another robot, another topic of commands, or "
                "clocks that do not agree?"
            )

    def _drift(self, found: Residual) -> DiagnosticStatus:
        if self._detector is None:
            if found.time_s < self.watch.learn_s:
                return _status(WARN, "drift", f"learning until {self.watch.learn_s:g} s")
            known = _columns(self._residuals)
            if min((len(values) for values in known.values()), default=0) < LEAST_BASELINE:
                return _status(WARN, "drift", f"learning until there are {LEAST_BASELINE} windows in motion")
            self._refuse_lost()
            self._detector = self._made(known)
            self._learned_s = found.time_s
            return _status(OK, "drift", "learned")
        raised = self._detector.add(found.time_s, found.values)
        on = self._detector.on
        levels = {name: f"{self._detector.level(name):.3g}" for name in self._detector.signals}
        if on:
            words = "; ".join(alarm_words(alarm) for alarm in raised) or f"still: {', '.join(on)}"
            return _status(ERROR, "drift", words, levels)
        return _status(OK, "drift", found.why or "none", levels)

    def _made(self, baseline: Mapping[str, Sequence[float]]) -> DriftDetector:
        return DriftDetector(baseline, windows_between=self.watch.false_alarm_every_s / self.watch.window_s)

    # --- properties -----------------------------------------------------------------------------------------------

    def _is_due(self, now_ns: int) -> bool:
        if not self.watch.look_s or now_ns - self._looked_ns < self.watch.look_s * 1e9:
            return False
        return self._judging_s <= JUDGING_SHARE * max(1.0, perf_counter() - self._began_s)

    def _judge(self, now_ns: int) -> list[tuple[str, Message]]:
        begin_s, self._looked_ns = perf_counter(), now_ns
        assert self.stream.first_ns is not None
        at_s = (now_ns - self.stream.first_ns) / 1e9
        try:
            verdicts, _, _ = self._verdicts()
            self.trouble = ""
        except TraceError as error:
            self.trouble = str(error)
            return []
        finally:
            self._judging_s += perf_counter() - begin_s
        told: list[tuple[str, Message]] = []
        for verdict in verdicts:
            live = LiveVerdict(verdict, _settled(verdict, over=False), at_s)
            self.live[verdict.property] = live
            if live.settled is Settled.VIOLATED:
                self._settled_at.setdefault(verdict.property, at_s)
            told.append((f"{VERDICT}/{_topic_name(verdict.property)}", verdict_status(live)))
        return told

    def _verdicts(self) -> tuple[tuple[Verdict, ...], tuple[Verdict, ...], tuple[MonitorScore, ...]]:
        """Exactly what ``judge`` says of a recording that ends now."""
        read = self._read()
        scenario = recorded_scenario(
            self._known, self._study, self._options, recorded_goal(read.trace, self._known.topics)
        )
        evidence = recorded_evidence(self._known, self._study, scenario, read.trace, read.late)
        verdicts = judge_recorded(self._known, self._study, scenario, evidence)
        on, off = split(
            self._study.oracle, verdicts,
            profile=self.watch.profile, include=self.watch.include, exclude=self.watch.exclude,
        )  # fmt: skip
        return on, off, from_metrics(measure(self._study, evidence).values)

    # --- the end --------------------------------------------------------------------------------------------------

    def finish(self) -> TwinResult:
        """The last verdicts, which are those of the whole stream as a recording; and all that was said."""
        verdicts: tuple[Verdict, ...] = ()
        others: tuple[Verdict, ...] = ()
        monitors: tuple[MonitorScore, ...] = ()
        notes: list[str] = []
        seconds = 0.0
        if self._detector is None:
            self._refuse_lost()
        if self.stream.first_ns is not None:
            seconds = (self.stream.last_ns - self.stream.first_ns) / 1e9
            try:
                verdicts, others, monitors = self._verdicts()
                notes += self._read().notes
            except TraceError as error:
                notes.append(f"nothing could be judged: {error}")
        mapping = self._known.topics
        expected = dict.fromkeys(map(mapping.named, field_topics_of(self._study, self._base)))
        reasons: dict[str, int] = {}
        for residual in self._residuals:
            if residual.why:
                reasons[residual.why] = reasons.get(residual.why, 0) + 1
        learned = len(next(iter(self._baseline().values()), ()))
        alarms = () if self._detector is None else tuple(self._detector.alarms)
        return TwinResult(
            study=self._study.name,
            source=self.stream.name,
            seconds=seconds,
            verdicts=tuple(
                LiveVerdict(verdict, _settled(verdict, over=True), self._settled_at.get(verdict.property, seconds))
                for verdict in verdicts
            ),
            others=others,
            residuals=tuple(self._residuals),
            alarms=alarms,
            learned=learned,
            watched=self._watched(),
            unknown=reasons,
            health=self.stream.health,
            silent=tuple(name for name in expected if name not in self.stream.names),
            monitors=monitors,
            notes=tuple(dict.fromkeys(notes)),
            suggestions=suggestions(self._study.name, alarms),
        )

    def _baseline(self) -> Mapping[str, Sequence[float]]:
        if self._detector is None:
            return {}
        if self.watch.baseline:
            return self.watch.baseline
        return _columns([residual for residual in self._residuals if residual.time_s <= self._learned_s])

    def _watched(self) -> int:
        if self._detector is None:
            return 0
        begin_s = 0.0 if self.watch.baseline else self._learned_s
        return sum(bool(residual.values) and residual.time_s > begin_s for residual in self._residuals)

    def topics(self) -> list[Topic]:
        """Everything that came, and everything that the twin said, to be kept as a recording."""
        came = [self.stream.topic(name) for name in self.stream.names]
        own = [_spoken(name, said) for name, said in self._said.items()]
        return sorted((*came, *own), key=lambda topic: topic.name)


def _settled(verdict: Verdict, *, over: bool) -> Settled:
    """What is decided: a violation stays one; whether it holds is known when it is over."""
    if verdict.outcome is Outcome.FAIL:
        return Settled.VIOLATED
    return Settled.HOLDS if over and verdict.outcome is Outcome.PASS else Settled.UNKNOWN


def _columns(residuals: Sequence[Residual]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for residual in residuals:
        for name, value in residual.values.items():
            found.setdefault(name, []).append(value)
    return found


def _spoken(name: str, said: Sequence[tuple[int, Message]]) -> Topic:
    times = np.maximum.accumulate(np.array([time_ns for time_ns, _ in said], np.int64))
    messages = [message for _, message in said]
    return recorded(name, type(messages[0]), times, times, messages)


def _topic_name(words: str) -> str:
    """A name that ROS takes for a topic: letters, digits and underscores."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in words).strip("_")
    return plain if plain and plain[0].isalpha() else f"x{plain}"


def _status(level: int, name: str, words: str, values: Mapping[str, str] | None = None) -> DiagnosticStatus:
    pairs = tuple(KeyValue(key, value) for key, value in (values or {}).items())
    return DiagnosticStatus(level, name, words, "stressfield twin", pairs)


def verdict_status(live: LiveVerdict) -> DiagnosticStatus:
    """A verdict as others on the graph read it: 0 holds, 1 unknown, 2 violated."""
    level = {Settled.HOLDS: OK, Settled.UNKNOWN: WARN, Settled.VIOLATED: ERROR}[live.settled]
    verdict = live.verdict
    values = {"so_far": verdict.outcome.value, "settled": live.settled.value, "at_s": f"{live.at_s:.3f}"}
    if verdict.margin is not None:
        values |= {"margin": f"{verdict.margin:.6g}", "unit": verdict.unit}
    return _status(level, verdict.property, verdict.note or live.settled.value, values)


def alarm_words(alarm: Alarm) -> str:
    """An alarm as people say it."""
    return (
        f"{alarm.signal} is {100 * (alarm.typical - alarm.usual):+.0f} % of the motion off its usual, since about "
        f"{alarm.since_s:.0f} s"
    )


def suggestions(study: str, alarms: Sequence[Alarm]) -> tuple[str, ...]:
    """What to do about drift. Nothing is changed by itself: the engineer decides."""
    if not alarms:
        return ()
    first = alarms[0]
    what = {
        "ahead": "it moves farther or less far than its commands say: wheel scale, slip, delays, or the load",
        "left": "it moves sideways: track width, one wheel, or the pose itself",
        "turn": "it turns more or less than its commands say: track width, slip, or delays",
    }[first.signal.rpartition(" ")[2]]
    return (
        f"From {first.since_s:.0f} s on, {first.signal}: {what}.",
        f"If the robot is as it should be, calibrate anew with this stream: stressfield calibrate {study} stream.mcap",
    )
