"""Robot software beyond this process: a node on the bus that speaks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

from stressfield.bridge.hub import CLOCK, MISSION, TICK_DONE, Clock, Hub, Service
from stressfield.bus import Link, Message, Node
from stressfield.bus.messages import StringMsg, Time
from stressfield.errors import RigError, StressfieldError, SubjectError
from stressfield.scenario import Scenario
from stressfield.sim.order import accepted
from stressfield.sim.simulator import PACED
from stressfield.subject._command import RunningCommand
from stressfield.subject._wall_clock import WallClock
from stressfield.subject.pace import Pacing
from stressfield.world import mission_to_json

T = TypeVar("T")

LOST_S = 0.7
"""After a connection is lost, how long to wait for news that the process died: that explains it. The connection of a
process that ends is closed first, and its supervisor tells of the end a moment later."""

MANY = 200
"""A subject that sends more than this between two ticks is not silent, even if it acknowledges nothing."""

DEPTH = 10
"""How many messages of a topic may wait for the subject while its modelled compute time passes."""


class Server(Protocol):
    """Lets clients join a hub."""

    @property
    def url(self) -> str:
        """What clients connect to."""

    async def start(self) -> None:
        """Listen."""

    async def stop(self) -> None:
        """Close all."""


class RemoteNode(Node):
    """Speaks on the bus for all clients of a hub: what comes for them goes out at once, what they say comes in."""

    def __init__(self, name: str, remote: Remote, *, period_s: float) -> None:
        self.name = name
        self._remote = remote
        self._period_s = period_s
        self._subscribed = {CLOCK, TICK_DONE, MISSION}
        self._announced: set[str] = set()

    def setup(self, link: Link) -> None:
        """Subscribe to what clients want by now; from now on tell them the time."""
        self._link = link
        self._take()
        link.every(self._period_s, self.on_clock)

    def on_clock(self) -> None:
        """Time goes on."""
        self._remote.exchange(self._link.now_ns, "", None)
        self._take()

    def on_message(self, topic: str, message: Message) -> None:
        """Something for the clients."""
        self._remote.exchange(self._link.now_ns, topic, message)
        self._take()

    def _take(self) -> None:
        hub = self._remote.hub
        for topic in sorted(hub.wanted - self._subscribed):
            self._subscribed.add(topic)
            self._link.subscribe(topic, partial(self.on_message, topic), depth=DEPTH)
        for topic in sorted(hub.types.keys() - self._announced):
            self._announced.add(topic)
            self._link.advertise(topic)
        for topic, message in hub.take():
            self._link.publish(topic, message)


class Remote:
    """One run's server, event loop and (if it was started here) process. The loop turns only while the bus waits."""

    def __init__(
        self, scenario: Scenario, pacing: Pacing, services: Mapping[str, Service], *, reports: Collection[str] = ()
    ) -> None:
        if asyncio._get_running_loop() is not None:
            raise RigError("A bridge needs a thread without a running event loop. Use worker processes (--jobs).")
        drives = [placed.robot.drive for placed in scenario.world.robots]
        commands = {topic: accepted(drive) for drive in drives for topic in drive.command_topics}
        latched = {MISSION: StringMsg(mission_to_json(scenario.mission))}
        lockstep = pacing.time != "paced"
        self.hub = Hub(accepts=commands, services=services, latched=latched, reports=reports, lockstep=lockstep)
        self.loop = asyncio.new_event_loop()
        self.command: RunningCommand | None = None
        self.server: Server | None = None
        self._pacing = pacing
        self._wall = WallClock(self.hub, pacing, self._check)

    @property
    def notes(self) -> tuple[str, ...]:
        """How late ticks were, if the wall clock paced them."""
        lateness = self._wall.deadlines.lateness
        if lateness is None:
            return ()
        return (f"{PACED}{self._pacing.rate:g} simulated seconds a second; {lateness}",)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Turn the loop until the work is done."""
        return self.loop.run_until_complete(work)

    # joining --------------------------------------------------------------------------------------------------

    def await_ready(self) -> None:
        """Until clients have joined and said what they want."""
        self.run(self._ready())

    async def _ready(self) -> None:
        try:
            async with asyncio.timeout(self._pacing.ready_timeout_s):
                while not self._in_lockstep():
                    await self._check()
                    self.hub.changed.clear()
                    try:
                        await asyncio.wait_for(self.hub.changed.wait(), self._patience_s())
                    except TimeoutError:
                        return
        except TimeoutError:
            raise SubjectError(self._why_not_ready(), kind="did not join") from None

    def _in_lockstep(self) -> bool:
        clients = self.hub.clients
        return len(clients) >= self._pacing.clients and all(client.in_lockstep for client in clients)

    def _patience_s(self) -> float | None:
        """After how long a silence clients that do not acknowledge ticks are taken to be ready; None: never."""
        joined = [client for client in self.hub.clients if client.subscriptions or client.advertised]
        if self._pacing.time == "lockstep" or len(joined) < self._pacing.clients:
            return None
        return self._pacing.quiet_s

    def _why_not_ready(self) -> str:
        limit_s = self._pacing.ready_timeout_s
        url = "" if self.server is None else self.server.url.partition("?")[0]
        if self.hub.refused:
            why = f"a connection was refused: {self.hub.refused}"
        elif not self.hub.clients:
            known = "" if self.command is None else " (in its environment as STRESSFIELD_URL)"
            why = f"nothing connected to {url}{known}."
        elif self._pacing.time == "lockstep":
            why = f"it did not subscribe to {CLOCK} and advertise {TICK_DONE}."
        else:
            why = "it subscribed to nothing and advertised nothing."
        told = "" if self.command is None else self.command.told
        return f"The subject did not join within {limit_s:g} s: {why}{told}"

    # going on -------------------------------------------------------------------------------------------------

    def exchange(self, now_ns: int, topic: str, message: Message | None) -> None:
        """Tell clients a message (or only the time), and hear what they have to say."""
        self.run(self._exchange(now_ns, topic, message))

    async def _exchange(self, now_ns: int, topic: str, message: Message | None) -> None:
        hub = self.hub
        if hub.reported and not hub.clients:
            await self._check()
            return
        lockstep = hub.in_lockstep
        if not lockstep:
            await self._wall.until(now_ns)
        before = hub.frames
        try:
            async with asyncio.timeout(self._pacing.silence_s):
                if message is not None:
                    await hub.deliver(topic, message, now_ns)
                if lockstep or message is None:
                    await hub.tick(now_ns, Clock(Time.from_ns(now_ns)))
                while self._unsettled:
                    await self._check()
                    if self._unsettled:
                        hub.changed.clear()
                        await hub.changed.wait()
        except TimeoutError:
            hub.check()
            raise self._silence(now_ns, hub.frames - before) from None

    @property
    def _unsettled(self) -> bool:
        """Whether a client has yet to acknowledge the tick, or something went wrong."""
        return any(client.waits for client in self.hub.clients) or self.hub.error is not None or bool(self.hub.lost)

    def _silence(self, now_ns: int, said: int) -> StressfieldError:
        """No answer in time. A subject that talks all the while is not silent: it floods, or forgot to acknowledge."""
        limit = f"within {self._pacing.silence_s:g} s of wall time"
        if said > MANY:
            return SubjectError(
                f"The subject did not acknowledge the tick at {now_ns / 1e9:.3f} s {limit}, but sent {said} messages.",
                kind="flood",
            )
        frozen = " Its process is frozen (stopped by a signal)." if self.command and self.command.is_stopped else ""
        at_s = now_ns / 1e9
        return RigError(
            f"The subject fell silent at {at_s:.3f} s: no answer {limit}.{frozen} The run says nothing about the robot."
        )

    async def _check(self) -> None:
        """Raise what went wrong. A process that died explains a connection that was lost."""
        if self.hub.error is not None:
            raise self.hub.error
        command = self.command
        if command is not None and self.hub.lost and not command.ended.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(command.ended.wait(), LOST_S)
        if command is not None and command.ended.is_set():
            if command.succeeded:
                await self._hear_out()
            if not (command.succeeded and self.hub.reported):
                raise SubjectError(
                    f"The subject ended before the run did ({command.how}).{command.told}", kind=command.how
                )
            self.hub.lost = ""
        self.hub.check()

    async def _hear_out(self) -> None:
        """Read what the process said before it ended: its last word may be its report."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOST_S):
                while self.hub.clients:
                    self.hub.changed.clear()
                    await self.hub.changed.wait()

    # the end --------------------------------------------------------------------------------------------------

    def close(self, grace_s: float) -> None:
        """End the process, close all connections, let go of everything."""
        if self.loop.is_closed():
            return
        try:
            self.loop.run_until_complete(self._close(grace_s))
        finally:
            self.loop.close()

    async def _close(self, grace_s: float) -> None:
        if self.command is not None:
            await self.command.stop(grace_s)
        if self.server is not None:
            await self.server.stop()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
