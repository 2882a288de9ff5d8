"""Robot software on a ROS 2 graph during one run: its process, its graph, and how it gets ready."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from stressfield.bridge import Role
from stressfield.bridge.hub import CLOCK, MISSION, Clock
from stressfield.bridge.ros2.graph import Publisher, Ros2Graph
from stressfield.bridge.ros2.node import LifecycleState, Ros2Node, interfaces
from stressfield.bridge.ros2.services import Ros2Services
from stressfield.bridge.ros2.traffic import Ros2Traffic, Ros2Types
from stressfield.bridge.translation import Translation
from stressfield.bus import Message
from stressfield.bus.message import BAD_MESSAGE
from stressfield.bus.messages import StringMsg
from stressfield.errors import InputError, RigError, SubjectError
from stressfield.scenario import Scenario
from stressfield.sim import Session
from stressfield.sim.order import accepted
from stressfield.sim.simulator import Joining
from stressfield.subject._command import RunningCommand
from stressfield.subject._graph_pace import GraphClock
from stressfield.subject._remote import LOST_S
from stressfield.subject.goal import INITIAL_POSE, Errand, start_pose
from stressfield.subject.pace import Pacing
from stressfield.subject.ros2_goal import Ros2Goal
from stressfield.world import mission_to_json

CHECK_S = 0.02
"""How often, in wall time, it is looked whether the robot's process still runs."""

IS_ACTIVE = "/is_active"
"""How the service ends by which a lifecycle manager of Nav2 says that all its nodes are active."""


class Ros2Robot:
    """One run's graph and (if it was started here) process."""

    def __init__(
        self,
        scenario: Scenario,
        graph: Ros2Graph,
        *,
        types: Ros2Types,
        pacing: Pacing,
        frames: dict[str, str],
        latched: frozenset[str],
    ) -> None:
        self.graph, self._pacing, self._frames = graph, pacing, frames
        self._scenario = scenario
        self.traffic = Ros2Traffic(graph, types, latched=latched | {MISSION})
        self.loop = asyncio.new_event_loop()
        self.command: RunningCommand | None = None
        self.services = Ros2Services(graph, self.traffic.wake)
        self.clock = GraphClock(self.traffic, self._tell, pacing, self.check)
        self._time: Publisher | None = None
        self.out, self.back = Translation(frames=frames), Translation(frames=frames).back()
        self.errand: Errand | None = None
        self.reported = False
        self._checked_s = self._heard_s = time.monotonic()
        self._count = 0
        self._gone: set[str] = set()
        self._commands = {
            topic: accepted(placed.robot.drive)
            for placed in scenario.world.robots
            for topic in placed.robot.drive.command_topics
        }
        self.traffic.send(MISSION, StringMsg(mission_to_json(scenario.mission)))

    def _tell(self, now: Clock) -> None:
        """The graph's time. Where it comes from elsewhere, nobody here is said to publish it."""
        if self._time is None:
            self._time = self.graph.publisher(CLOCK, Clock)
        self._time.publish(now)

    # --- before the run -------------------------------------------------------------------------------------------

    def await_joined(self) -> None:
        """Until somebody commands each robot of the world, in a type that its drive obeys; SubjectError if not."""
        end_s = time.monotonic() + self._pacing.ready_timeout_s
        while missing := self._unjoined():
            self.check()
            left_s = end_s - time.monotonic()
            if left_s <= 0.0:
                raise self._did_not_join(missing)
            self._refuse_others()
            self.traffic.refresh()
            self.traffic.wait(min(left_s, CHECK_S))
        # A node declares one thing after another: it is there when nothing has changed for a while.
        changes, quiet_s = -1, time.monotonic()
        while time.monotonic() - quiet_s < self._pacing.quiet_s and time.monotonic() < end_s:
            self.traffic.refresh()
            if changes != self.graph.census.changes:
                changes, quiet_s = self.graph.census.changes, time.monotonic()
            self.check()
            time.sleep(CHECK_S)
        self._refuse_others()
        self._refuse_conflicts()

    def _refuse_others(self) -> None:
        """Another rig, or another simulator: neither can share a graph with this one."""
        self.graph.refuse_twin()
        others = self.graph.endpoints(Role.PUBLISHER, name=CLOCK)
        if others:
            raise InputError(
                f"{others[0].node} tells the time on domain {self.graph.domain} of {self.graph.endpoint} already: the "
                "domain is in use. Stop that simulator, or take another domain."
            )

    def _unjoined(self) -> str:
        """The command topics of a robot of which none is published; empty if there is no such robot."""
        for placed in self._scenario.world.robots:
            topics = placed.robot.drive.command_topics
            if not any(self.graph.endpoints(Role.PUBLISHER, name=topic) for topic in topics):
                return " or ".join(topics)
        return ""

    def _did_not_join(self, missing: str) -> SubjectError:
        nodes = sorted({found.node for found in self.graph.endpoints(Role.NODE)})
        offered = sorted({found.name for found in self.graph.endpoints(Role.PUBLISHER)})
        if not nodes:
            why = f"no node is on domain {self.graph.domain} of {self.graph.endpoint}."
        else:
            why = f"nobody publishes {missing}. {', '.join(nodes)} publish {', '.join(offered) or 'nothing'}."
        told = "" if self.command is None else self.command.told
        limit_s = self._pacing.ready_timeout_s
        return SubjectError(f"The robot did not join within {limit_s:g} s: {why}{told}", kind="did not join")

    def _refuse_conflicts(self) -> None:
        """What is wrong with commands and sensors is wrong in every run: told at once."""
        sensors = {sensor.topic for placed in self._scenario.world.robots for sensor in placed.robot.sensors}
        for found in self.graph.endpoints(Role.PUBLISHER, Role.SUBSCRIBER):
            if found.name not in self._commands and found.name not in sensors:
                continue
            if conflict := self.traffic.types.conflict(found):
                raise InputError(conflict)
            wanted = self._commands.get(found.name)
            if wanted and found.kind is Role.PUBLISHER and found.type_name not in {kind.ros_type for kind in wanted}:
                names = " or ".join(kind.ros_type for kind in wanted)
                raise SubjectError(
                    f"{found.node} publishes {found.type_name} on {found.name}; wanted {names}.", kind=BAD_MESSAGE
                )

    def warm_up(self, session: Session, goal: Ros2Goal | None, active: Sequence[str]) -> None:
        """Let the robot see its world, and time go on with the wall clock, until it is active. It does not move."""
        waiting = _Readiness(self.graph, goal, active)
        elsewhere = self.clock.told_elsewhere = isinstance(session, Joining)
        begin_s = time.monotonic()
        self._send_start(0)
        waiting.start()
        try:
            while not waiting.done.is_set():
                if time.monotonic() - begin_s > self._pacing.ready_timeout_s:
                    raise SubjectError(
                        f"The robot was not ready for its mission within {self._pacing.ready_timeout_s:g} s: "
                        f"{waiting.missing}.{'' if self.command is None else self.command.told}",
                        kind="never active",
                    )
                for topic, _, message in session.step(()):
                    self.traffic.send(topic, self.out(message))
                self.clock.tell(session.time_ns)
                self.traffic.refresh()
                self.check()
                left_s = begin_s + session.time_ns / 1e9 - time.monotonic()
                waiting.done.wait(max(left_s, 0.0))
        finally:
            waiting.stop.set()
        if not elsewhere:
            self.clock.epoch_ns = session.time_ns
            self.out = Translation(shift_ns=session.time_ns, frames=self._frames)
            self.back = self.out.back()
        self.traffic.take()  # what it said while it got ready belongs to no run

    def _send_start(self, now_ns: int) -> None:
        """Where the robot begins, for those who localise it themselves."""
        if INITIAL_POSE in self.traffic.wanted and self._scenario.world.robots:
            self.traffic.send(INITIAL_POSE, self.out(start_pose(self._scenario, "map", now_ns)))

    def begin(self, goal: Ros2Goal | None) -> None:
        """Tell the robot its mission."""
        self._heard_s = time.monotonic()
        if goal is not None:
            self.clock.tell(0)
            try:
                self.errand = goal.send(self.graph, self._say, self._scenario)
            except RigError as error:
                self.explain()
                raise SubjectError(f"The robot could not be told its mission: {error}", kind="no answer") from None

    def _say(self, topic: str, message: Message) -> None:
        self.traffic.send(topic, self.out(message))

    # --- in the run -----------------------------------------------------------------------------------------------

    def exchange(self, now_ns: int, topic: str, message: Message | None) -> list[tuple[str, Message]]:
        """Tell the graph a message, or only the time, and hear what it has to say."""
        if message is not None:
            # Its stamp is never ahead of the clock.
            self.clock.tell(now_ns)
            self.clock.sends()
            self.traffic.send(topic, self.out(message))
        else:
            self.clock.sends()
            self.clock.tell(now_ns)
            if self.errand is not None:
                self.errand.tick(now_ns)
        self.clock.over = self.reported
        said = self.clock.wait(now_ns, topic)
        self.check()
        self._notice_departures(now_ns)
        return [(name, self.back(heard)) for name, heard, _ in said]

    def check(self) -> None:
        """Raise what went wrong: a process that ended, bytes that are no message, a robot that hangs."""
        if self.traffic.bad is not None:
            topic, what = self.traffic.bad
            raise SubjectError(f"What the robot sent on {topic} cannot be read: {what}", kind=BAD_MESSAGE, topic=topic)
        now_s = time.monotonic()
        if self.traffic.count != self._count:
            self._count, self._heard_s = self.traffic.count, now_s
        if now_s - self._checked_s < CHECK_S:
            return
        self._checked_s = now_s
        command = self.command
        if command is not None:
            self.loop.run_until_complete(asyncio.sleep(0))
            if command.ended.is_set() and not (command.succeeded and self.reported):
                raise SubjectError(
                    f"The robot's command ended before the run did ({command.how}).{command.told}", kind=command.how
                )

    def explain(self) -> None:
        """Raise how the robot's command ended, if it did: that explains whatever else went wrong."""
        if self.command is not None:
            with suppress(TimeoutError):
                self.loop.run_until_complete(asyncio.wait_for(self.command.ended.wait(), LOST_S))
            self._checked_s = 0.0
            self.check()

    def check_silence(self) -> None:
        """RigError if nothing has come for too long from a robot that spoke before: it hangs, or is frozen."""
        pause_s = time.monotonic() - self._heard_s
        if pause_s <= self._pacing.silence_s or not self._count or self.reported:
            return
        if self.command is not None and self.command.is_stopped:
            raise RigError(
                f"The robot has said nothing for {pause_s:.1f} s: its process is frozen (stopped by a signal). The run "
                "says nothing about the robot."
            )
        if not self.graph.endpoints(Role.NODE):
            if self.command is None:  # with a router of others, it may as well be that one which is gone
                raise RigError(
                    f"Nobody is left on domain {self.graph.domain} of {self.graph.endpoint}: the robot's nodes or "
                    "their router have ended. The run says nothing about the robot."
                )
            raise SubjectError("All nodes of the robot have left the graph.", kind="left the graph")
        if not self._pacing.may_pause:
            raise RigError(
                f"The robot has said nothing for {pause_s:.1f} s, though its nodes are there: it hangs. If it pauses "
                "on purpose, say Pacing(may_pause=True). The run says nothing about the robot."
            )

    def _notice_departures(self, now_ns: int) -> None:
        if len(self.graph.census.departed) == len(self._gone):
            return
        for node in self.graph.census.departed:
            if node not in self._gone:
                self._gone.add(node)
                self.traffic.note(f"{node} left the graph {now_ns / 1e9:.1f} s into the run.")

    @property
    def notes(self) -> tuple[str, ...]:
        """How the run was paced, and what did not meet."""
        silent = [
            f"{found[0].node} listens to {topic}, on which nothing was said."
            for topic, found in self.traffic.wanted.items()
            if topic not in self.traffic.sent and topic not in self.traffic.heard and topic != CLOCK
        ]
        return (self.clock.note, *self.traffic.notes, *silent)

    # --- the end --------------------------------------------------------------------------------------------------

    def close(self, grace_s: float) -> None:
        """Give up what is under way, end the process, leave the graph."""
        try:
            if self.errand is not None:
                self.errand.close()
            if self.command is not None:
                self.loop.run_until_complete(self.command.stop(grace_s))
        finally:
            self.loop.close()
            self.services.close()
            self.graph.close()


class _Readiness(threading.Thread):
    """Asks, beside the clock that must go on, whether the robot can take its mission."""

    def __init__(self, graph: Ros2Graph, goal: Ros2Goal | None, active: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self._graph, self._goal, self._active = graph, goal, tuple(active)
        self.done, self.stop = threading.Event(), threading.Event()
        self.missing = "nothing was asked yet"

    def run(self) -> None:
        """Until it can, or until nobody wants to know any more."""
        while not self.stop.is_set():
            try:
                self.missing = self._lacks()
            except (InputError, RigError) as error:
                self.missing = str(error).rstrip(".")
            if not self.missing:
                self.done.set()
                return
            self.stop.wait(0.1)

    def _lacks(self) -> str:
        if self._goal is not None and not self._goal.ready(self._graph):
            return self._goal.missing
        for name in self._active or self._managers():
            if name.endswith(IS_ACTIVE):
                trigger = interfaces().service("std_srvs/srv/Trigger")
                if not self._graph.call(name, trigger, trigger.request(), within_s=1.0).success:
                    return f"{name} says that it is not active"
            elif (state := Ros2Node(self._graph, name).state(within_s=1.0)) is not LifecycleState.ACTIVE:
                return f"{name} is {state.name.lower()}, not active"
        return ""

    def _managers(self) -> list[str]:
        """The lifecycle managers that are there; found by their service, if nobody named what is to be active."""
        servers = self._graph.endpoints(Role.SERVER)
        return [f.name for f in servers if f.name.endswith(IS_ACTIVE) and f.type_name == "std_srvs/srv/Trigger"]
