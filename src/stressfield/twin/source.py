"""Where messages come from: a recording that is played, a rosbridge server, a ROS 2 graph over zenoh."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine
from math import inf
from pathlib import Path
from typing import Any, Protocol

from stressfield.bridge import Role, Ros2Graph, Ros2Traffic, Ros2Types, RosbridgeClient
from stressfield.bridge.rosbridge.graph import Rosapi, find_dialect
from stressfield.bus.message import Message, find_type
from stressfield.errors import InputError, RigError
from stressfield.trace.bags.bag import Bag
from stressfield.trace.bags.clock import refuse_set_clocks
from stressfield.twin.twin import Twin

Came = tuple[str, int, Message]
"""A topic, when its message came in nanoseconds since 1970, and the message."""
PAUSE_S = 0.02
BATCH = 500
"""Messages of a recording that are given at once, where it is played as fast as it goes."""
OPEN_S = 10.0


class Listener(Protocol):
    """Whoever listens: what it knows is of the study; what it wants is more, for properties ask for what they like."""

    def knows(self, topic: str) -> bool:
        """Whether a topic is of the study."""

    def wants(self, topic: str, kind: str) -> bool:
        """Whether to listen to a topic of this type."""


class StreamSource(Protocol):
    """Gives messages as they come, and takes what the twin says."""

    name: str

    def open(self, listener: Listener) -> None:
        """Begin to listen to topics that are wanted."""

    def take(self, wait_s: float) -> list[Came] | None:
        """What has come since the last time, waiting for it a little; None when there is no more."""

    def say(self, topic: str, message: Message) -> None:
        """Publish a message, where that is possible."""

    def close(self) -> None:
        """Let go."""


def open_source(name: str, *, rate: float = 1.0, domain: int = 0) -> StreamSource:
    """``ws://HOST:9090`` is a rosbridge server, ``tcp/HOST:7447`` a router of zenoh, anything else a recording."""
    if name.startswith(("ws://", "wss://")):
        return RosbridgeSource(name)
    if name.startswith(("tcp/", "tls/", "udp/", "quic/", "unixsock-stream/")):
        return Ros2Source(name, domain=domain)
    if "://" in name:
        kind = name.partition("://")[0]
        raise InputError(
            f"The source is {name!r}, of the unknown kind {kind!r}. Wanted a recording, ws://HOST:9090 for rosbridge, "
            "or tcp/HOST:7447 for ROS 2 over zenoh."
        )
    return Playback(Path(name), rate=rate)


def accompany(
    twin: Twin,
    source: StreamSource,
    *,
    for_s: float = inf,
    stop: Callable[[], bool] = lambda: False,
    watch: Callable[[Twin], None] | None = None,
) -> None:
    """Listen until the source ends, the time is over, or somebody says stop."""
    begin_s = time.monotonic()
    try:
        source.open(twin)
        if isinstance(source, Playback):
            twin.check(source.topics, source.total_s)
        while not stop() and time.monotonic() - begin_s < for_s:
            came = source.take(0.1)
            if came is None:
                break
            for topic, time_ns, message in came:
                for said in twin.hear(topic, time_ns, message):
                    source.say(*said)
            if watch is not None:
                watch(twin)
        for said in twin.look():
            source.say(*said)
    finally:
        source.close()


class Playback:
    """A recording, played at a rate: 1 as it was recorded, 2 twice as fast, ``inf`` as fast as it goes."""

    def __init__(self, path: Path, *, rate: float = 1.0) -> None:
        if not rate > 0.0:
            raise InputError(f"A recording cannot be played at a rate of {rate!r}. Wanted more than 0.")
        self.name, self._path, self._rate = str(path), path, rate
        self._messages: deque[Came] = deque()
        self._begin_s: float | None = None
        self.total_s = 0.0
        self.topics: tuple[str, ...] = ()
        self.said: list[tuple[str, Message]] = []
        """What the twin has said: a recording cannot hear it."""

    def open(self, listener: Listener) -> None:
        """Read what is wanted of it. TraceError for what is no recording."""
        with Bag.open(self._path) as bag:
            first_ns, last_ns = bag.span_ns
            self.total_s = (last_ns - first_ns) / 1e9
            names = [
                name for name, topic in bag.topics.items()
                if listener.wants(name, topic.ros_type) and not bag.trouble(name)
            ]  # fmt: skip
            if not any(map(listener.knows, names)):
                known = ", ".join(list(bag.topics)[:20])
                raise InputError(f"The recording {self.name!r} has no topic of the study. It has: {known or 'none'}.")
            topics = bag.read(names)
            self.topics = tuple(names)
        refuse_set_clocks(self.name, topics)
        every = [
            (name, int(time_ns), message)
            for name, topic in topics.items()
            for time_ns, message in zip(topic.log_time_ns.tolist(), topic.messages, strict=True)
        ]
        self._messages = deque(sorted(every, key=lambda came: came[1]))
        self._first_ns = self._messages[0][1] if self._messages else 0

    def take(self, wait_s: float) -> list[Came] | None:
        """What is due by now."""
        if not self._messages:
            return None
        if self._rate == inf:
            return [self._messages.popleft() for _ in range(min(BATCH, len(self._messages)))]
        now_s = time.monotonic()
        if self._begin_s is None:
            self._begin_s = now_s
        due_s = (self._messages[0][1] - self._first_ns) / 1e9 / self._rate + self._begin_s
        if due_s > now_s:
            time.sleep(min(wait_s, due_s - now_s))
            now_s = time.monotonic()
        until_ns = self._first_ns + (now_s - self._begin_s) * self._rate * 1e9
        taken: list[Came] = []
        while self._messages and self._messages[0][1] <= until_ns:
            taken.append(self._messages.popleft())
        return taken

    def say(self, topic: str, message: Message) -> None:
        """Nobody listens."""
        self.said.append((topic, message))

    def close(self) -> None:
        """Forget the rest."""
        self._messages.clear()


class RosbridgeSource:
    """A rosbridge server: its loop runs in a thread of its own."""

    def __init__(self, url: str, *, token: str | None = None) -> None:
        self.name = url.partition("?")[0]
        self._url, self._token = url, token
        self._waiting: deque[Came] = deque()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._client: RosbridgeClient | None = None
        self._advertised: set[str] = set()

    def open(self, listener: Listener) -> None:
        """Connect, and subscribe to what is wanted."""
        self._thread.start()
        self._do(self._open(listener))

    async def _open(self, listener: Listener) -> None:
        client = RosbridgeClient(self._url, self._came, token=self._token)
        await client.connect()
        self._client = client
        client.dialect = await find_dialect(client)
        topics = await (await Rosapi.found(client)).topics()
        found = {topic: kind for topic, kind in topics.items() if listener.wants(topic, kind)}
        if not any(map(listener.knows, found)):
            known = ", ".join(sorted(topics)) or "none"
            raise InputError(f"The ROS graph at {self.name} has no topic of the study. It has: {known}.")
        for topic, kind in found.items():
            message_type = find_type(kind)
            if message_type is not None:
                await client.subscribe(topic, message_type)

    def _came(self, topic: str, message: Message) -> None:
        self._waiting.append((topic, time.time_ns(), message))

    def take(self, wait_s: float) -> list[Came] | None:
        """What has come; RigError if the connection is lost."""
        end_s = time.monotonic() + wait_s
        while not self._waiting and time.monotonic() < end_s:
            time.sleep(PAUSE_S)
        if self._client is not None:
            self._client.check()
        return _all_of(self._waiting)

    def say(self, topic: str, message: Message) -> None:
        """Publish it on the graph."""
        self._do(self._say(topic, message))

    async def _say(self, topic: str, message: Message) -> None:
        assert self._client is not None
        if topic not in self._advertised:
            await self._client.advertise(topic, message.ros_type)
            self._advertised.add(topic)
        await self._client.publish(topic, message)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(OPEN_S + 5.0)

    def close(self) -> None:
        """Say good-bye."""
        if self._client is not None:
            self._do(self._client.close())
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread.is_alive():
            self._thread.join(2.0)
        if not self._loop.is_running():
            self._loop.close()


class Ros2Source:
    """A ROS 2 graph over zenoh."""

    def __init__(self, endpoint: str, *, domain: int = 0) -> None:
        self.name, self._endpoint, self._domain = endpoint, endpoint, domain
        self._graph: Ros2Graph | None = None
        self._traffic: Ros2Traffic | None = None
        self._listener: Listener | None = None
        self._offset_ns = 0

    def open(self, listener: Listener) -> None:
        """Join the graph; RigError if nothing of use is published there in time."""
        self._listener = listener
        self._graph = Ros2Graph.joined(self._endpoint, domain=self._domain, node="stressfield_twin")
        self._traffic = Ros2Traffic(self._graph, Ros2Types(), hears_clock=True)
        self._offset_ns = time.time_ns() - time.monotonic_ns()
        end_s = time.monotonic() + OPEN_S
        while not any(listener.knows(found.name) for found in self._graph.endpoints(Role.PUBLISHER)):
            if time.monotonic() > end_s:
                names = sorted({found.name for found in self._graph.endpoints(Role.PUBLISHER)})
                raise RigError(
                    f"Nobody publishes a topic of the study on the ROS 2 graph at {self._endpoint}, domain "
                    f"{self._domain}, within {OPEN_S:g} s. There are: {', '.join(names) or 'none'}."
                )
            self._traffic.wait(PAUSE_S)
        self._traffic.refresh()

    def take(self, wait_s: float) -> list[Came] | None:
        """What has come; RigError for bytes that are no message."""
        assert self._traffic is not None
        assert self._listener is not None
        self._traffic.wait(wait_s)
        self._traffic.refresh()
        if self._traffic.bad is not None:
            topic, why = self._traffic.bad
            raise RigError(f"{topic} of the ROS 2 graph cannot be understood: {why}.")
        return [
            (topic, self._offset_ns + round(came_s * 1e9), message)
            for topic, message, came_s in self._traffic.take()
            if self._listener.wants(topic, message.ros_type)
        ]

    def say(self, topic: str, message: Message) -> None:
        """Publish it to those who listen."""
        assert self._traffic is not None
        self._traffic.send(topic, message)

    def close(self) -> None:
        """Leave the graph."""
        if self._graph is not None:
            self._graph.close()


def _all_of(waiting: deque[Came]) -> list[Came]:
    taken: list[Came] = []
    while waiting:
        taken.append(waiting.popleft())
    return taken
