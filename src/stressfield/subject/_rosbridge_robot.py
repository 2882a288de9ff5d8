"""Robot software behind a rosbridge server during one run: its process, its graph, and a node that speaks for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial

from stressfield.bridge.hub import CLOCK, LATCHED, Clock
from stressfield.bridge.rosbridge.client import RosbridgeClient
from stressfield.bridge.rosbridge.graph import Rosapi, find_dialect, take_seat
from stressfield.bridge.translation import Translation
from stressfield.bus import Link, Message, Node
from stressfield.bus.message import BAD_MESSAGE, short_name
from stressfield.bus.messages import Odometry
from stressfield.errors import InputError, RigError, SubjectError
from stressfield.scenario import Scenario
from stressfield.sim import Session
from stressfield.sim.order import accepted
from stressfield.subject._command import RunningCommand
from stressfield.subject._graph_pace import GraphClock
from stressfield.subject._remote import LOST_S
from stressfield.subject._rosbridge_traffic import TF, RosbridgeTraffic, frame_of, plain_frames
from stressfield.subject.goal import INITIAL_POSE, start_pose
from stressfield.subject.pace import Pacing
from stressfield.subject.rosbridge_goal import RosbridgeErrand, RosbridgeGoal
from stressfield.world import Odometer, VisualOdometer

AGAIN_S = 0.2
"""How often the graph is asked again for what is not there yet."""

LEAVE_S = 0.6
"""How long the graph may take to read what is said to it when the rig leaves."""

UNHEARD_S = 1.0
"""How often it is asked whether somebody hears a topic by now. A picture that nobody wants is not sent."""

DEPTH = 1000
"""Messages of a topic that may wait for the robot: all there can be, for what is sent is to be what arrives."""


class RosbridgeRobot:
    """One run's connection and (if it was started here) process."""

    def __init__(
        self,
        scenario: Scenario,
        url: str,
        token: str | None,
        *,
        pacing: Pacing,
        frames: Mapping[str, str] | None,
        observed: Mapping[str, type[Message]],
        latched: Collection[str],
    ) -> None:
        if asyncio._get_running_loop() is not None:
            raise RigError("A bridge needs a thread without a running event loop. Use worker processes (--jobs).")
        self._scenario, self._pacing = scenario, pacing
        self._frames = plain_frames(scenario) if frames is None else dict(frames)
        self.observed, self._latched = dict(observed), frozenset(LATCHED) | frozenset(latched)
        self.loop = asyncio.new_event_loop()
        client = RosbridgeClient(url, self._heard, token=token, silence_s=pacing.silence_s, max_lag_s=pacing.max_lag_s)
        self.traffic = RosbridgeTraffic(client, self.loop)
        self.clock = GraphClock(self.traffic, partial(self._say, CLOCK), pacing, self.check)
        self.out, self.back = Translation(frames=self._frames), Translation(frames=self._frames).back()
        self.command: RunningCommand | None = None
        self.errand: RosbridgeErrand | None = None
        self.reported = False
        self._api: Rosapi | None = None
        self._types: dict[str, str] = {}
        self._advertised: set[str] = set()
        self._unheard: dict[str, float] = {}
        self._commands: dict[str, type[Message]] = {}
        self._frameless = {
            sensor.topic
            for placed in scenario.world.robots
            for sensor in placed.robot.sensors
            if isinstance(sensor, Odometer | VisualOdometer) and not sensor.tf_topic
        }
        """Odometers that do not say their frame themselves: it is said for them, as robot software relies on it."""
        self._heard_s = self._checked_s = time.monotonic()
        self._count = 0
        self._told_start = False

    @property
    def sensors(self) -> tuple[str, ...]:
        """What the simulator says, topic by topic."""
        topics: dict[str, None] = {}
        for placed in self._scenario.world.robots:
            for sensor in placed.robot.sensors:
                topics[sensor.topic] = None
                if isinstance(sensor, Odometer | VisualOdometer) and sensor.tf_topic:
                    topics[sensor.tf_topic] = None
        return tuple(topics)

    @property
    def api(self) -> Rosapi:
        """What the graph tells of itself, once it is joined."""
        assert self._api is not None
        return self._api

    # before the run -------------------------------------------------------------------------------------------

    @contextmanager
    def explained(self) -> Iterator[None]:
        """A process that died explains a connection that was lost: then that is what is raised."""
        try:
            yield
        except RigError:
            if self.command is not None:
                with suppress(TimeoutError):
                    self.traffic.run(asyncio.wait_for(self.command.ended.wait(), LOST_S))
            self._check_command()
            raise

    def join(self) -> None:
        """Until the server answers and somebody commands each robot; SubjectError if nobody does."""
        until_s = time.monotonic() + self._pacing.ready_timeout_s
        self._connect(until_s)
        self.traffic.run(self._found())
        while missing := self.traffic.run(self._unjoined()):
            self.check()
            if time.monotonic() + AGAIN_S > until_s:
                told = "" if self.command is None else self.command.told
                limit_s = self._pacing.ready_timeout_s
                raise SubjectError(f"The robot did not join within {limit_s:g} s: {missing}{told}", kind="did not join")
            self.traffic.run(asyncio.sleep(AGAIN_S))
        self.traffic.run(self._subscribe())

    def _connect(self, until_s: float) -> None:
        """A graph that was just launched takes a while until its server answers; one that runs already does not."""
        while True:
            try:
                self.traffic.run(self.traffic.client.connect())
            except RigError:
                self._check_command()
                if self.command is None or time.monotonic() + AGAIN_S > until_s:
                    raise
                self.traffic.run(asyncio.sleep(AGAIN_S))
            else:
                return

    async def _found(self) -> None:
        client = self.traffic.client
        client.dialect = await find_dialect(client)
        await take_seat(client)
        self._api = await Rosapi.found(client)
        others = await self.api.speakers(CLOCK)
        if others:
            raise InputError(
                f"{others[0]} tells the time on the ROS graph at {client.address} already. Stop that simulator, or "
                "attach to it with an ExternalSimulator."
            )
        await client.advertise(CLOCK, Clock.ros_type)

    async def _unjoined(self) -> str:
        """What is missing; empty if nothing is."""
        self._types = await self.api.topics()
        for placed in self._scenario.world.robots:
            drive = placed.robot.drive
            spoken = [topic for topic in drive.command_topics if await self.api.speakers(topic)]
            if not spoken:
                nodes = [node for node in await self.api.nodes() if node not in self.api.own]
                return f"nobody publishes {' or '.join(drive.command_topics)}. Nodes: {', '.join(nodes) or 'none'}."
            for topic in spoken:
                kinds = {short_name(kind.ros_type): kind for kind in accepted(drive)}
                got = self._types[topic]
                if got not in kinds:
                    who = (await self.api.speakers(topic))[0]
                    raise SubjectError(
                        f"{who} publishes {got} on {topic}; wanted {' or '.join(kinds)}.", kind=BAD_MESSAGE
                    )
                self._commands[topic] = kinds[got]
        return ""

    async def _subscribe(self) -> None:
        for topic, message_type in {**self._commands, **self.observed}.items():
            if topic in self._types:
                await self.api.check_type(topic, message_type, self._types)
            await self.traffic.client.subscribe(topic, message_type)

    def warm_up(self, session: Session, goal: RosbridgeGoal) -> None:
        """Let the robot see its world, and time go on with the wall clock, until it can take its goal. It stands."""
        begin_s = asked_s = time.monotonic()
        while True:
            now_s = time.monotonic()
            if now_s - asked_s >= AGAIN_S:
                asked_s = now_s
                self._send_start(session.time_ns)
                if self.traffic.run(goal.ready(self.api)):
                    break
                if now_s - begin_s > self._pacing.ready_timeout_s:
                    raise SubjectError(
                        f"The robot was not ready for its mission within {self._pacing.ready_timeout_s:g} s: "
                        f"{goal.missing}.{'' if self.command is None else self.command.told}",
                        kind="never active",
                    )
            for topic, _, message in session.step(()):
                self._say(topic, self.out(message))
            self.clock.tell(session.time_ns)
            self.check()
            left_s = begin_s + session.time_ns / 1e9 - time.monotonic()
            self.traffic.run(asyncio.sleep(max(left_s, 0.0)))
        self.clock.epoch_ns = session.time_ns
        self.out = Translation(shift_ns=session.time_ns, frames=self._frames)
        self.back = self.out.back()
        self.traffic.take()  # what it said while it got ready belongs to no run

    def _send_start(self, now_ns: int) -> None:
        """Where the robot begins, once, as soon as somebody wants to know."""
        if not self._told_start and self.traffic.run(self.api.hearers(INITIAL_POSE)):
            self._told_start = True
            self._say(INITIAL_POSE, self.out(start_pose(self._scenario, "map", now_ns)))

    def begin(self, goal: RosbridgeGoal | None) -> None:
        """Tell the robot its mission."""
        self._heard_s = time.monotonic()
        if goal is not None:
            self.clock.tell(0)
            self.errand = self.traffic.run(goal.send(self.api, self._scenario, self.clock.epoch_ns))

    # in the run -----------------------------------------------------------------------------------------------

    def exchange(self, now_ns: int, topic: str, message: Message | None) -> list[tuple[str, Message]]:
        """Tell the graph a message, or only the time, and hear what it has to say."""
        with self.explained():
            return self._exchange(now_ns, topic, message)

    def _exchange(self, now_ns: int, topic: str, message: Message | None) -> list[tuple[str, Message]]:
        self.clock.sends()
        self.clock.tell(now_ns)  # before the message, whose stamp is never ahead of the clock
        if message is not None:
            self._say(topic, self.out(message))
        self.clock.over = self.reported
        said = self.clock.wait(now_ns, topic)
        self.check()
        return [(name, self.back(heard)) for name, heard, _ in said]

    def _say(self, topic: str, message: Message) -> None:
        self.traffic.run(self._said(topic, message))
        if isinstance(message, Odometry) and topic in self._frameless:
            self.traffic.run(self._said(TF, frame_of(message)))

    async def _said(self, topic: str, message: Message) -> None:
        client, latch = self.traffic.client, topic in self._latched
        if topic not in self._advertised and topic != CLOCK:
            self._advertised.add(topic)
            if topic in self._types:
                await self.api.check_type(topic, type(message), self._types)
            await self.api.check_fields(type(message))
            await client.advertise(topic, message.ros_type, latch=latch)
            self._unheard[topic] = 0.0
        if topic in self._unheard and time.monotonic() > self._unheard[topic]:
            if await self.api.hearers(topic):
                del self._unheard[topic]
            else:
                self._unheard[topic] = time.monotonic() + UNHEARD_S
        if latch or topic not in self._unheard:
            await client.publish(topic, message, latch=latch)

    def _heard(self, topic: str, message: Message) -> None:
        self.traffic.heard(topic, message)

    def check(self) -> None:
        """Raise what went wrong: a process that ended, a connection that was lost."""
        if self.traffic.count != self._count:
            self._count, self._heard_s = self.traffic.count, time.monotonic()
        self.traffic.client.check()
        now_s = time.monotonic()
        if now_s - self._checked_s > 0.02:
            self._checked_s = now_s
            self._check_command()

    def _check_command(self) -> None:
        if self.command is None:
            return
        self.traffic.run(asyncio.sleep(0))
        if self.command.ended.is_set() and not (self.command.succeeded and self.reported):
            raise SubjectError(
                f"The robot's command ended before the run did ({self.command.how}).{self.command.told}",
                kind=self.command.how,
            )

    def check_silence(self) -> None:
        """After a long silence of a robot that spoke before: has its controller left, or does it hang?"""
        pause_s = time.monotonic() - self._heard_s
        if pause_s <= self._pacing.silence_s or not self._count or self.reported:
            return
        self._heard_s = time.monotonic()
        for topic in self._commands:
            if not self.traffic.run(self.api.speakers(topic)):
                raise SubjectError(
                    f"Nobody publishes {topic} any more: the controller has left the graph.", kind="left the graph"
                )
        if not self._pacing.may_pause:
            raise RigError(
                f"The robot has said nothing for {pause_s:.1f} s, though its nodes are there: it hangs. If it pauses "
                "on purpose, say Pacing(may_pause=True). The run says nothing about the robot."
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """How the run was paced, and what did not meet."""
        said = (f"Nobody on the graph hears {topic}." for topic in sorted(self._unheard))
        joined = (self.traffic.client.dialect.note,) if self._api is not None else ()
        return (self.clock.note, *joined, *said)

    # the end --------------------------------------------------------------------------------------------------

    def close(self, grace_s: float) -> None:
        """Give up what is under way, leave the graph, end the process."""
        if not self.loop.is_closed():
            try:
                self.traffic.run(self._close(grace_s))
            finally:
                self.loop.close()

    async def _close(self, grace_s: float) -> None:
        client = self.traffic.client
        try:
            if self.errand is not None:
                await self.errand.close()
            await client.withdraw(within_s=LEAVE_S)
            await client.close()
        finally:
            if self.command is not None:
                await self.command.stop(grace_s)
            left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)


class RosbridgeSpeaker(Node):
    """Speaks on the bus for the robot: what comes for it goes out at once, what it says comes in."""

    def __init__(self, name: str, robot: RosbridgeRobot, *, period_s: float, report: str) -> None:
        self.name = name
        self._robot, self._period_s, self._report = robot, period_s, report

    def setup(self, link: Link) -> None:
        """Subscribe to all that the simulator says; from now on tell the robot the time."""
        self._link = link
        for topic in self._robot.sensors:
            link.subscribe(topic, partial(self.on_message, topic), depth=DEPTH, own=False)
        for topic in self._robot.observed:
            link.advertise(topic)
        link.every(self._period_s, self.on_clock)

    def on_clock(self) -> None:
        """Time goes on."""
        robot = self._robot
        self._publish(robot.exchange(self._link.now_ns, "", None))
        robot.check_silence()
        if robot.errand is not None and not robot.reported and (report := robot.errand.report) is not None:
            robot.reported = True
            self._link.publish(self._report, report)

    def on_message(self, topic: str, message: Message) -> None:
        """Something for the robot."""
        try:
            said = self._robot.exchange(self._link.now_ns, topic, message)
        except InputError as error:  # of a callback it would be taken for the robot's own
            raise RigError(str(error)) from None
        self._publish(said)

    def _publish(self, said: Sequence[tuple[str, Message]]) -> None:
        for topic, message in said:
            if topic == self._report:
                self._robot.reported = True
            self._link.publish(topic, message)
