"""Running robots as sources: a rosbridge server, a ROS 2 graph over zenoh."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Coroutine
from typing import Any

from stressfield.bridge import Role, Ros2Graph, Ros2Traffic, Ros2Types, RosbridgeClient
from stressfield.bridge.rosbridge.graph import Rosapi, find_dialect
from stressfield.bus.message import Message, find_type
from stressfield.errors import InputError, RigError
from stressfield.twin.source import Came, Listener

PAUSE_S = 0.02
OPEN_S = 10.0


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
        # whoever sets the clock of this machine meanwhile sets not that of the stream
        self._offset_ns = time.time_ns() - time.monotonic_ns()

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
        self._waiting.append((topic, self._offset_ns + time.monotonic_ns(), message))

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
