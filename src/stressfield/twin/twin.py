"""The twin: messages of a robot in, residuals, drift and verdicts out, while they come."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from stressfield.bus.message import Message
from stressfield.errors import InputError, StoreError, TraceError
from stressfield.run.recorded import field_robots, field_topics_of, knowledge, recorded_scenario
from stressfield.scenario import Options
from stressfield.study import Study
from stressfield.subject import MONITORS
from stressfield.trace import Metadata
from stressfield.trace.bags.bag import OpenBag
from stressfield.trace.bags.field_knowledge import UNKNOWN
from stressfield.trace.bags.field_topics import FieldTopics
from stressfield.trace.bags.field_trace import HEAVY, FieldTrace, field_trace
from stressfield.trace.stream_file import StreamRecording
from stressfield.twin.announcements import PREFIX, Told, suggestions, verdict_told
from stressfield.twin.live_verdicts import Judged, LiveJudge
from stressfield.twin.motion import WAIT_S, MotionWatch
from stressfield.twin.result import TwinResult
from stressfield.twin.shadow import Shadow
from stressfield.twin.stream import Stream
from stressfield.twin.watch import TwinWatch

UNHEARD = frozenset({"/rosout", "/parameter_events", "/diagnostics"})
"""What every graph says, and no property is about."""


class Twin:
    """Give it messages with ``hear``; it answers with what is to be published.

    Everything that comes, and everything that it says, is written to ``recording`` as it comes; ``finish`` completes
    the file. Without one it is kept in a file that is gone with the program.
    """

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
        recording: Path | None = None,
    ) -> None:
        self.study, self.watch = study, TwinWatch() if watch is None else watch
        self._known = knowledge(study, topics=topics or study.field_topics, world=world, seed=seed)
        options = study.check_options(options or {})
        self.scenario = recorded_scenario(self._known, study, options, {})
        """What is known of the place and the mission."""
        self._robots = field_robots(self.scenario)
        self.shadow = Shadow(
            self.scenario,
            study.find_simulator(simulator)(),
            window_s=self.watch.window_s,
            known_place=self._known.world != UNKNOWN,
        )
        self.judge = LiveJudge(study, self._known, options, self.watch, lambda: self._read(self.stream.bag()))
        self._names = {*self.wanted, *(f"/observer/{robot.name}/pose" for robot in self._robots)}
        # a window, one more for what is out of order, and what they wait for
        keep_s = self.shadow.needs_s + 2.0 * self.watch.window_s + WAIT_S
        self.stream = Stream(source, recording=StreamRecording(recording, Metadata(study=study.name)), keep_s=keep_s)
        self.motion = MotionWatch(self.stream, self.shadow, self.watch, self._last)

    @property
    def wanted(self) -> tuple[str, ...]:
        """Topics to listen to, as the source calls them."""
        mapping = self._known.topics
        ours = (*field_topics_of(self.study, self.scenario), *mapping.topics)
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
        orders, robot = [mapping.named(name) for name in self.shadow.commands], self.shadow.robot.name
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
        if seconds < self.shadow.needs_s + WAIT_S:
            raise InputError(
                f"{self.stream.name!r} lasts {seconds:.1f} s; wanted at least {self.shadow.needs_s + WAIT_S:g} s: the "
                "first window takes that."
            )

    @property
    def expected(self) -> tuple[str, ...]:
        """Topics of the study, as the source calls them."""
        return tuple(dict.fromkeys(map(self._known.topics.named, field_topics_of(self.study, self.scenario))))

    @property
    def silent(self) -> tuple[str, ...]:
        """Topics of the study on which nothing came."""
        return tuple(name for name in self.expected if name not in self.stream.names)

    def hear(self, topic: str, time_ns: int, message: Message) -> list[Told]:
        """A message of the robot's that came at that time; what the twin has to say now."""
        if not self.stream.hear(topic, time_ns, message):
            return []
        now_ns = self.stream.last_ns
        told = self.motion.hear(now_ns)
        if self.judge.is_due(now_ns):
            told += self._verdicts()
        return self._noted(told)

    def look(self) -> list[Told]:
        """Judge the properties now, whether it is time or not: what is to be published of that."""
        return [] if self.stream.first_ns is None else self._noted(self._verdicts())

    def _verdicts(self) -> list[Told]:
        return [verdict_told(live) for live in self.judge.look(self.stream.last_ns, self.stream.seconds)]

    def _noted(self, told: list[Told]) -> list[Told]:
        for each in told:
            self.stream.say(*each)
        return told

    def _read(self, bag: OpenBag, mapping: FieldTopics | None = None) -> FieldTrace:
        wanted = field_topics_of(self.study, self.scenario)
        return field_trace(bag, self._robots, wanted, mapping or self._known.topics, Metadata())

    def _last(self, last_s: float) -> FieldTrace:
        """The last seconds, for motion alone: what the goal is, or a topic that has not come yet, changes nothing."""
        mapping, there = self._known.topics, self.stream.names
        topics = {ours: theirs for ours, theirs in mapping.topics.items() if theirs in there}
        return self._read(self.stream.recent(last_s), replace(mapping, goal="", topics=topics))

    def finish(self) -> TwinResult:
        """The last verdicts, which are those of the whole stream as a recording; and all that was said.

        The recording is complete with that. StoreError if the disk does not take its end.
        """
        try:
            return self._finished()
        finally:
            self.end_recording()

    def end_recording(self) -> None:
        """Complete the recording, whatever became of the rest. Once is enough."""
        try:
            self.stream.recording.finish()
        except StoreError:
            self.stream.recording.give_up()
            raise

    def _finished(self) -> TwinResult:
        judged, notes = Judged(), []
        self.motion.refuse_lost()
        if self.stream.first_ns is not None:
            try:
                judged = self.judge.judged()
            except TraceError as error:
                notes.append(f"nothing could be judged: {error}")
        alarms = self.motion.alarms
        return TwinResult(
            study=self.study.name,
            source=self.stream.name,
            seconds=self.stream.seconds,
            verdicts=self.judge.final(judged.verdicts, self.stream.seconds),
            others=judged.others,
            residuals=self.motion.residuals,
            alarms=alarms,
            learned=self.motion.learned,
            watched=self.motion.watched,
            unknown=self.motion.residuals.unknown,
            health=self.stream.health,
            silent=self.silent,
            monitors=judged.monitors,
            notes=tuple(dict.fromkeys([*notes, *judged.notes])),
            suggestions=suggestions(self.study.name, alarms),
        )
