"""An opened scenario in a ROS graph elsewhere: steps through its time and messages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from stressfield._crash import described, is_interrupt
from stressfield.bridge.hub import CLOCK, Clock
from stressfield.bridge.rosbridge.client import RosbridgeClient
from stressfield.bridge.rosbridge.graph import Rosapi, find_dialect, take_seat
from stressfield.bus import Message, Stamped
from stressfield.errors import PhysicsError, RigError, StressfieldError, SubjectError
from stressfield.scenario import Scenario
from stressfield.sim.external.graph_check import GraphCheck
from stressfield.sim.external.interposition import GraphLink, moves
from stressfield.sim.external.truth import observed
from stressfield.sim.external.watchdog import Watchdog
from stressfield.sim.simulator import Observation

if TYPE_CHECKING:
    from stressfield.sim.external.simulator import ExternalSimulator

WATCHDOG_S = 15.0
"""How long the watchdog, which is a program of its own, may take to start: long, as machines are busy."""

LEAVE_S = 0.6
"""How long the graph may take to read the last safe commands when the rig leaves."""


class ExternalSession:
    """Steps through the graph's time tick by tick. What came during a tick is what the step returns."""

    def __init__(self, settings: ExternalSimulator, scenario: Scenario) -> None:
        if asyncio._get_running_loop() is not None:
            raise RigError("An external simulator needs a thread without a running event loop. Use worker processes.")
        self._settings, self._scenario = settings, scenario
        self._robots = tuple(placed.robot.name for placed in scenario.world.robots)
        self._client = RosbridgeClient(
            settings.url,
            self._heard,
            token=settings.token,
            silence_s=settings.silence_s,
            max_lag_s=settings.max_lag_s,
        )
        self._loop = asyncio.new_event_loop()
        self._check: GraphCheck | None = None
        self._watchdog: Watchdog | None = None
        self._joined = False
        self._incoming = {relay.listens: relay.topic for relay in settings.interposed}
        self._outgoing = {relay.topic: relay.publishes for relay in settings.interposed}
        self._outgoing.update({topic: topic for topic in settings.commands})
        self._clock_ns: int | None = None
        self._origin_ns: int | None = None
        self._time_ns = 0
        self._arrived: deque[Stamped] = deque()
        self._latest: dict[str, Message] = {}
        self._commanded: dict[str, Stamped] = {}
        self._backwards = ""

    @property
    def time_ns(self) -> int:
        """The graph's time since the run began, in whole ticks."""
        return self._time_ns

    @property
    def tick_ns(self) -> int:
        """How far one step goes."""
        return self._settings.tick_ns

    @property
    def command_topics(self) -> tuple[str, ...]:
        """What goes to the graph: interposed topics, and commands of robot software on this side."""
        return tuple(self._outgoing)

    @property
    def notes(self) -> tuple[str, ...]:
        """How the graph's server speaks, and what was not checked."""
        unchecked = () if self._settings.checked else ("Topics and types of the graph were not checked.",)
        return (self._client.dialect.note, *unchecked)

    def begin(self) -> None:
        """Join the graph, reset it; time zero is when it has told the time and where each robot is."""
        self._loop.run_until_complete(self._join())
        if self._settings.reset is not None:
            self._reset()
        self._loop.run_until_complete(self._begin())

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        """Send what goes to the graph, wait for one tick of its time, return what came."""
        return self._loop.run_until_complete(self._step(inbox))

    def observe(self) -> Observation:
        """Where the graph last said that its robots are. What it does not say is not a number."""
        return observed(self._time_ns, [self._latest[self._settings.truth[robot]] for robot in self._robots])

    def close(self) -> None:
        """Say the last safe commands and leave the graph."""
        if not self._loop.is_closed():
            try:
                self._loop.run_until_complete(self._close())
            finally:
                self._loop.close()

    # joining --------------------------------------------------------------------------------------------------

    async def _join(self) -> None:
        settings, client = self._settings, self._client
        await client.connect()
        client.dialect = await find_dialect(client)
        await take_seat(client)
        if settings.checked:
            self._check = GraphCheck(settings, await Rosapi.found(client))
            await self._check.wait()
        self._joined = True
        for relay in settings.interposed:
            latched = relay.topic in settings.latched
            await client.advertise(relay.publishes, relay.message_type.ros_type, latch=latched)
        for topic, message_type in settings.commands.items():
            await client.advertise(topic, message_type.ros_type)
        self._start_watchdog()

    def _start_watchdog(self) -> None:
        last, after_s = self._settings.last_commands, self._settings.watchdog_s
        if not last or after_s is None:
            return
        types, say = self._settings.outgoing, self._client.dialect
        said = [say.advertise(self._outgoing[topic], types[topic].ros_type) for topic in last]
        said += [say.publish(self._outgoing[topic], message) for topic, message in last.items()]
        self._watchdog = Watchdog(self._client.url, self._settings.token, operations=said, after_s=after_s)

    def _reset(self) -> None:
        assert self._settings.reset is not None
        try:
            self._settings.reset(GraphLink(self._client, self._loop), self._scenario)
        except StressfieldError:
            raise
        except BaseException as error:
            if is_interrupt(error):
                raise
            raise RigError(f"The reset of the ROS graph crashed: {described(error)}") from error

    async def _begin(self) -> None:
        settings, client = self._settings, self._client
        if settings.clock == "graph":
            await client.subscribe(CLOCK, Clock)
        for topic, message_type in settings.observed.items():
            await client.subscribe(topic, message_type)
        for relay in settings.interposed:
            await client.subscribe(relay.listens, relay.message_type, exact=True)
        try:
            async with asyncio.timeout(settings.ready_timeout_s):
                while self._missing():
                    await self._change(0.05)
        except TimeoutError:
            raise RigError(
                f"The ROS graph did not say anything on {', '.join(self._missing())} within "
                f"{settings.ready_timeout_s:g} s. Check the topics and that its simulator runs."
            ) from None
        await self._await_watchdog()
        self._origin_ns = self._graph_ns()
        self._arrived = self._said_before()
        if self._check is not None:
            self._check.begin()

    async def _await_watchdog(self) -> None:
        until_s = self._loop.time() + WATCHDOG_S
        while self._watchdog is not None and not self._watchdog.ready:
            if self._watchdog.ended or self._loop.time() > until_s:
                raise RigError(
                    "The watchdog of the rig could not connect to the ROS graph, so nobody would stop the robot."
                )
            await self._change(0.02)

    def _missing(self) -> list[str]:
        clock = [CLOCK] if self._settings.clock == "graph" and self._clock_ns is None else []
        return clock + [topic for topic in self._settings.truth.values() if topic not in self._latest]

    def _said_before(self) -> deque[Stamped]:
        """What came before time zero and belongs to the run: all of latched topics, of others what they said last. A
        command from before is not passed on: it was for another moment.
        """
        last = {stamped.topic: place for place, stamped in enumerate(self._arrived)}
        passed_on = set(self._incoming.values())
        return deque(
            stamped._replace(time_ns=0)
            for place, stamped in enumerate(self._arrived)
            if stamped.topic in self._settings.latched
            or (stamped.topic not in passed_on and last[stamped.topic] == place)
        )

    # going on -------------------------------------------------------------------------------------------------

    async def _step(self, inbox: Sequence[Stamped]) -> list[Stamped]:
        for stamped in inbox:
            latched = stamped.topic in self._settings.latched
            await self._client.publish(self._outgoing[stamped.topic], stamped.message, latch=latched)
        begin_ns, end_ns = self._time_ns, self._time_ns + self._settings.tick_ns
        quiet_from_s = self._loop.time()
        while (now_ns := self._since()) < end_ns:
            self._client.check()
            wall = self._settings.clock == "wall"
            await self._change((end_ns - now_ns) / 1e9 if wall else self._settings.silence_s)
            if not wall and self._since() == now_ns and self._loop.time() - quiet_from_s > self._settings.silence_s:
                raise RigError(f"The ROS graph's {CLOCK} has stood still for {self._settings.silence_s:g} s.")
        if self._settings.clock == "wall" and now_ns - end_ns > self._settings.max_lag_s * 1e9:
            raise RigError(f"The rig fell {(now_ns - end_ns) / 1e9:.1f} s behind the ROS graph. Use a longer tick_ns.")
        await asyncio.sleep(0)
        self._client.check()
        if self._backwards:
            raise PhysicsError(self._backwards)
        self._time_ns = end_ns
        self._check_life()
        came = []
        while self._arrived and self._arrived[0].time_ns <= end_ns:
            stamped = self._arrived.popleft()
            came.append(stamped._replace(time_ns=max(stamped.time_ns, begin_ns)))
        return came

    def _check_life(self) -> None:
        """The watchdog is fed, and the robot's controllers are looked after."""
        if self._check is not None and self._check.gone:
            raise SubjectError(self._check.gone, kind="node gone")
        if not self._settings.may_pause:
            for topic, stamped in self._commanded.items():
                quiet_s = (self._time_ns - stamped.time_ns) / 1e9
                if quiet_s > self._settings.silence_s and moves(stamped.message):
                    raise SubjectError(
                        f"The controller fell silent: nothing on {topic} for {quiet_s:.1f} s, and its last command was "
                        "to move. The graph is alive. If it pauses on purpose, say may_pause=True.",
                        kind="silent controller",
                        topic=topic,
                    )
        if self._watchdog is not None:
            self._watchdog.beat()
            if self._watchdog.fired:
                raise RigError(
                    f"The rig stood still for more than {self._settings.watchdog_s:g} s, and the watchdog stopped the "
                    "robot. The run says nothing about it. Use a larger watchdog_s, or less work at a time."
                )
            if self._watchdog.ended:
                raise RigError("The watchdog of the rig has ended: its connection to the ROS graph was lost.")

    async def _change(self, at_most_s: float) -> None:
        self._client.changed.clear()
        self._client.check()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._client.changed.wait(), at_most_s)
        self._client.check()

    def _heard(self, topic: str, message: Message) -> None:
        if topic == CLOCK and isinstance(message, Clock):
            now_ns = message.clock.ns
            if self._clock_ns is not None and now_ns < self._clock_ns and self._origin_ns is not None:
                self._backwards = f"The ROS graph's {CLOCK} went back from {self._clock_ns} ns to {now_ns} ns."
            self._clock_ns = now_ns
            return
        self._latest[topic] = message
        stamped = Stamped(self._incoming.get(topic, topic), self._since(), message)
        self._arrived.append(stamped)
        if self._origin_ns is not None and any(topic == relay.listens for relay in self._settings.controllers):
            self._commanded[topic] = stamped

    def _graph_ns(self) -> int:
        if self._settings.clock == "wall":
            return round(self._loop.time() * 1e9)
        return self._clock_ns or 0

    def _since(self) -> int:
        return 0 if self._origin_ns is None else self._graph_ns() - self._origin_ns

    # leaving --------------------------------------------------------------------------------------------------

    async def _close(self) -> None:
        if self._check is not None:
            self._check.end()
        client = self._client
        if self._joined and client.trouble is None:
            for topic, message in self._settings.last_commands.items():
                await client.publish(self._outgoing[topic], message)
        await client.withdraw(within_s=LEAVE_S)
        if self._watchdog is not None:
            # Where the connection was lost the watchdog may still have one of its own, and stops the robot.
            self._watchdog.close(safely=client.trouble is None)
        await client.close()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
