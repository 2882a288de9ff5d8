"""A stand-in for a ROS graph behind a rosbridge server, in a thread of the test.

It behaves as the sources of rosbridge_suite (branches ros1 and ros2) say that theirs do, above all in their silence:

- a ``publish`` that the conversion refuses (``null`` for a float, a field that the type does not have, a topic that has
  another type) is only logged; here in ``log``;
- a frame that the JSON parser refuses stays in the buffer of its connection, which is deaf from then on;
- stamps are ``secs``/``nsecs`` in ROS 1, where ``sec``/``nanosec`` are ignored and the server stamps "now";
- JSON says ``null`` for NaN and the infinities; CBOR is exact, but cannot say arrays of fixed size, arrays of texts
  (ROS 1) or a ``byte`` (ROS 2): such a message never comes;
- frames wait in a queue behind a reader of its own, so a ping is answered long before they are read, and what is still
  in the queue when a client leaves is dropped;
- a latched message goes to whoever subscribes; a client's publisher stays known for ten seconds after it left, and its
  services stay for good: nobody answers who calls them.

Types are those of the package ``rosbags``, so nothing here is shared with what is tested but the wire.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import cbor2
from rosbags.interfaces import Nodetype
from tests.bridge.stand_in_messages import Conversion, RefusedError, full, stamp_of, types
from tests.bridge.stand_in_nodes import Node, Yard
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

SERVER = "/rosbridge_websocket"


class Topic:
    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.publishers: set[str] = set()
        self.latched: dict[str, dict[str, Any]] = {}
        self.hearers: list[tuple[str, Callable[[dict[str, Any]], None]]] = []


class Connection:
    """One client of the server: its subscriptions, its services, its queue."""

    def __init__(self, server: StandIn, socket: ServerConnection) -> None:
        self.server, self.socket = server, socket
        self.queue: asyncio.Queue[str] = asyncio.Queue()
        self.compression: dict[str, str] = {}
        self.calls: dict[str, tuple[Connection, str | None]] = {}
        self.deaf = False

    async def work(self) -> None:
        while True:
            frame = await self.queue.get()
            if self.server.read_delay_s:
                await asyncio.sleep(self.server.read_delay_s)
            if self.deaf:
                continue
            try:
                said = self.server.parse(frame)
            except ValueError:
                self.deaf = True
                continue
            try:
                await self.server.operate(self, said)
            except RefusedError as error:
                self.server.log.append(f"{said['op']}: {error}")

    def hear(self, topic: str, made: dict[str, Any]) -> None:
        kind, how = self.server.topics[topic].kind, self.compression[topic]
        try:
            if how == "cbor" and self.server.cbor:
                words = {"op": "publish", "topic": topic, "msg": self.server.conversion.cbor(kind, made)}
                self.send(cbor2.dumps(words))
            else:
                words = {"op": "publish", "topic": topic, "msg": self.server.conversion.json(kind, made)}
                self.send(json.dumps(words))
        except RefusedError as error:
            self.server.log.append(f"subscribe: {error}")

    def send(self, frame: str | bytes) -> None:
        self.server.begin(self._send(frame))

    async def _send(self, frame: str | bytes) -> None:
        with suppress(ConnectionClosed):
            await self.socket.send(frame)


class StandIn:
    """The graph. ``parser="strict"`` is one that takes neither ``Infinity`` nor ``NaN``, nor ``1e999``."""

    def __init__(
        self,
        *,
        ros: int = 2,
        parser: str = "python",
        cbor: bool = True,
        rosapi: bool = True,
        token: str = "",
        read_delay_s: float = 0.0,
        port: int = 0,
    ) -> None:
        self.ros, self.parser, self.cbor, self.rosapi, self.token = ros, parser, cbor, rosapi, token
        self.read_delay_s, self.port = read_delay_s, port
        self.conversion = Conversion(ros)
        self.topics: dict[str, Topic] = {}
        self.nodes: set[str] = {SERVER, *({"/rosapi"} if rosapi else ())}
        self.services: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {}
        self.offered: dict[str, Connection] = {}
        self.received: dict[str, list[dict[str, Any]]] = defaultdict(list)
        """What clients published and the graph got, by topic."""
        self.log: list[str] = []
        """What only the log of the server tells."""
        self.connections: list[Connection] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.action: Callable[[dict[str, Any], Callable[[dict[str, Any]], None]], None] | None = None
        """Takes the goals of a ROS 2 action: the operation, and how to answer it."""
        self.actions: list[str] = []
        self._ready = threading.Event()
        self._tasks: set[asyncio.Future[Any]] = set()
        self.now_ns = 0

    # the thread -----------------------------------------------------------------------------------------------

    def __enter__(self) -> StandIn:
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(10.0)
        return self

    def __exit__(self, *_: object) -> None:
        self.die()

    def die(self) -> None:
        """The server ends, as a killed one does: without a good-bye."""
        with suppress(RuntimeError):  # its loop is closed: it has just ended by itself, or was ended before
            self.loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(10.0)

    def freeze(self, for_s: float) -> None:
        """Nothing moves in it for a while."""
        self.loop.call_soon_threadsafe(time.sleep, for_s)

    async def _run(self) -> None:
        self.loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        async with serve(
            self._serve, "127.0.0.1", self.port, process_request=self._check, max_size=None, close_timeout=0.1
        ) as server:
            self.port = server.sockets[0].getsockname()[1]
            self.url = f"ws://127.0.0.1:{self.port}"
            self._ready.set()
            await self._ended.wait()
            for connection in self.connections:
                connection.socket.transport.abort()
        for task in list(self._tasks):
            task.cancel()

    def _check(self, socket: ServerConnection, request: Any) -> Any:
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            return socket.respond(HTTPStatus.UNAUTHORIZED, "no\n")
        return None

    async def _serve(self, socket: ServerConnection) -> None:
        connection = Connection(self, socket)
        self.connections.append(connection)
        worker = asyncio.ensure_future(connection.work())
        try:
            async for frame in socket:
                assert isinstance(frame, str)
                connection.queue.put_nowait(frame)
        except ConnectionClosed:
            pass
        finally:
            worker.cancel()
            self.connections.remove(connection)
            connection.compression.clear()

    def parse(self, frame: str) -> Any:
        def refuse(word: str) -> float:
            raise ValueError(word)

        if self.parser == "strict":
            if "1e999" in frame:
                raise ValueError("1e999")
            return json.loads(frame, parse_constant=refuse)
        return json.loads(frame)

    # operations -----------------------------------------------------------------------------------------------

    async def operate(self, who: Connection, said: dict[str, Any]) -> None:
        op = said["op"]
        if op == "advertise":
            self._topic(said["topic"], said["type"]).publishers.add(SERVER)
        elif op == "publish":
            topic = self._topic(said["topic"], None)
            made = self.conversion.instance(topic.kind, said["msg"])
            self.received[said["topic"]].append(made)
            self.deliver(said["topic"], made, latched_by=SERVER if said.get("latch") else "")
        elif op == "subscribe":
            self._subscribe(who, said)
        elif op == "unsubscribe" and said["topic"] in who.compression:
            del who.compression[said["topic"]]
        elif op == "call_service":
            self._call(who, said)
        elif op == "advertise_service":
            self.offered[said["service"]] = who
        elif op == "unadvertise_service":
            self.offered.pop(said["service"], None)
        elif op == "service_response" and said["id"] in who.calls:
            caller, name = who.calls.pop(said["id"])
            caller.send(json.dumps({**said, "id": name}))
        elif op in {"send_action_goal", "cancel_action_goal"} and self.action is not None:
            self.action(said, lambda words: who.send(json.dumps(words)))

    def _subscribe(self, who: Connection, said: dict[str, Any]) -> None:
        name = said["topic"]
        topic = self._topic(name, said.get("type"))
        who.compression[name] = said.get("compression", "none")
        topic.hearers.append((SERVER, lambda made: who.hear(name, made) if name in who.compression else None))
        for made in topic.latched.values():
            who.hear(name, made)

    def _call(self, who: Connection, said: dict[str, Any]) -> None:
        service, arguments, name = said["service"], said.get("args") or {}, said.get("id")
        words = {"op": "service_response", "service": service, "id": name}
        if service in self.offered:
            provider = self.offered[service]
            number = f"service_request:{len(self.calls)}:{time.monotonic_ns()}"
            provider.calls[number] = (who, name)
            provider.send(json.dumps({"op": "call_service", "id": number, "service": service, "args": arguments}))
            return
        answer: Any = None
        if service in self.services:
            self.calls.append((service, arguments))
            answer = self.services[service](arguments)
        elif self.rosapi and service.startswith("/rosapi/"):
            answer = self._rosapi(service.removeprefix("/rosapi/"), arguments)
        if answer is None:
            who.send(json.dumps({**words, "values": f"Service {service} does not exist", "result": False}))
        else:
            who.send(json.dumps({**words, "values": answer, "result": True}))

    def _rosapi(self, what: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        named = self.topics.get(arguments.get("topic", ""), Topic(""))
        answers: dict[str, Callable[[], Any]] = {
            "topics": lambda: {
                "topics": list(self.topics),
                "types": [self._name(topic.kind) for topic in self.topics.values()],
            },
            "publishers": lambda: {"publishers": sorted(named.publishers)},
            "subscribers": lambda: {"subscribers": sorted({name for name, _ in named.hearers})},
            "nodes": lambda: {"nodes": sorted(self.nodes)},
            "action_servers": lambda: {"action_servers": self.actions},
            "get_time": lambda: {"time": stamp_of(self.now_ns)},
            "message_details": lambda: (
                {"typedefs": list(self._details(full(arguments["type"])).values())}
                if full(arguments["type"]) in types(self.ros)
                else None
            ),
        }
        return answers.get(what, lambda: None)()

    def _details(self, kind: str) -> dict[str, dict[str, Any]]:
        under = "_" if self.ros == 2 else ""  # the slots of a Python class
        names = [under + name for name, _ in types(self.ros)[kind][1]]
        found = {kind: {"type": self._name(kind), "fieldnames": names}}
        for _, (node, inner) in types(self.ros)[kind][1]:
            inside = inner if node is Nodetype.NAME else inner[0][1] if node is not Nodetype.BASE else ""
            if isinstance(inside, str) and inside in types(self.ros):
                found |= self._details(inside)
        return found

    def _name(self, kind: str) -> str:
        return kind.replace("/msg/", "/") if self.ros == 1 else kind

    def _topic(self, name: str, kind: str | None) -> Topic:
        known = self.topics.get(name)
        if kind is None:
            if known is None:
                raise RefusedError(f"Cannot infer topic type for topic {name} as it is not yet advertised")
            return known
        if full(kind) not in types(self.ros) or (self.ros == 1 and "/msg/" in kind):
            raise RefusedError(f"Unable to load {kind}")
        if known is not None and known.kind != full(kind):
            raise RefusedError(f"Tried to register topic {name} with type {kind} but it is {known.kind}")
        return self.topics.setdefault(name, Topic(full(kind)))

    def deliver(self, name: str, made: dict[str, Any], *, latched_by: str = "") -> None:
        topic = self.topics[name]
        if latched_by:
            topic.latched[latched_by] = made
        for _, hear in list(topic.hearers):
            hear(made)

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Future[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # other nodes of the graph ---------------------------------------------------------------------------------

    def node(self, name: str, *, publishes: dict[str, str] | None = None) -> Node:
        return Node(self, name, publishes or {})

    def sim(self, *, rate: float = 1.0, remapped: bool = True) -> Yard:
        """A simulator with a robot that drives, and its controller."""
        return Yard(self, rate=rate, remapped=remapped)
