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
import math
import struct
import threading
import time
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache, partial
from http import HTTPStatus
from typing import Any

import cbor2
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

SERVER = "/rosbridge_websocket"
EXTRA = {
    "tf2_msgs/msg/TFMessage": "geometry_msgs/TransformStamped[] transforms",
    "move_base_msgs/msg/MoveBaseGoal": "geometry_msgs/PoseStamped target_pose",
    "move_base_msgs/msg/MoveBaseActionGoal": "std_msgs/Header header\nactionlib_msgs/GoalID goal_id\nMoveBaseGoal goal",
    "move_base_msgs/msg/MoveBaseResult": "",
    "move_base_msgs/msg/MoveBaseActionResult": (
        "std_msgs/Header header\nactionlib_msgs/GoalStatus status\nMoveBaseResult result"
    ),
}
TAGS = {
    "uint16": (69, "H"), "uint32": (70, "I"), "uint64": (71, "Q"), "byte": (72, "b"), "int8": (72, "b"),
    "int16": (77, "h"), "int32": (78, "i"), "int64": (79, "q"), "float32": (85, "f"), "float64": (86, "d"),
}  # fmt: skip


class RefusedError(Exception):
    """What the real server's conversion raises, and logs."""


@cache
def types(ros: int) -> dict[str, Any]:
    store = get_typestore(Stores.ROS1_NOETIC if ros == 1 else Stores.ROS2_JAZZY)
    for name, text in EXTRA.items():
        if name not in store.fielddefs:
            store.register(get_types_from_msg(text, name))
    return store.fielddefs


def full(name: str) -> str:
    package, _, short = name.partition("/")
    return f"{package}/msg/{short.removeprefix('msg/')}"


class Conversion:
    """Between JSON or CBOR and instances, which are plain objects with all fields here."""

    def __init__(self, ros: int) -> None:
        self.ros = ros

    def zero(self, name: str) -> dict[str, Any]:
        return {field: self._zero(kind) for field, kind in types(self.ros)[name][1]}

    def _zero(self, kind: Any) -> Any:
        node, inner = kind
        if node is Nodetype.NAME:
            return self.zero(inner)
        if node is Nodetype.BASE:
            return {"string": "", "bool": False}.get(inner[0], 0.0 if inner[0].startswith("float") else 0)
        return [] if node is Nodetype.SEQUENCE else [self._zero(inner[0])] * inner[1]

    def instance(self, name: str, said: Any) -> dict[str, Any]:
        if not isinstance(said, dict):
            raise RefusedError(f"Expected a JSON object for type {name} but received a {type(said)}")
        made = self.zero(name)
        if name == "std_msgs/msg/Header":
            made["stamp"] = stamp_of(time.time_ns())
        fields = dict(types(self.ros)[name][1])
        for field, value in said.items():
            if field not in fields:
                raise RefusedError(f"Message type {name} does not have a field {field}")
            made[field] = self._value(fields[field], value, made[field], f"{name}.{field}")
        return made

    def _value(self, kind: Any, said: Any, zero: Any, path: str) -> Any:
        node, inner = kind
        if node is Nodetype.NAME and inner in {"builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration"}:
            return self._time(said, zero)
        if node is Nodetype.NAME:
            return self.instance(inner, said)
        if node is Nodetype.BASE:
            return self._single(inner[0], said, path)
        item = inner[0]
        if item[0] is Nodetype.BASE and item[1][0] in {"uint8", "char"}:
            return list(b64decode(said)) if isinstance(said, str) else list(said)
        if not isinstance(said, list):
            raise RefusedError(f"{path} requires a list")
        return [self._value(item, one, self._zero(item), path) for one in said]

    def _time(self, said: Any, zero: dict[str, int]) -> dict[str, int]:
        made = dict(zero)
        words = (("secs",), ("nsecs",)) if self.ros == 1 else (("sec", "secs"), ("nanosec", "nsecs"))
        for name, known in zip(("sec", "nanosec"), words, strict=True):
            made[name] = next((said[word] for word in known if word in said), made[name])
        return made

    def _single(self, base: str, said: Any, path: str) -> Any:
        if base.startswith("float") and isinstance(said, int) and not isinstance(said, bool):
            return float(said)
        wanted = {"string": str, "bool": bool}.get(base, float if base.startswith("float") else int)
        if type(said) is not wanted:
            raise RefusedError(f"message requires a {base} for field {path}, but got a {type(said)}")
        return said

    def json(self, name: str, made: dict[str, Any]) -> dict[str, Any]:
        return {field: self._json(kind, made[field]) for field, kind in types(self.ros)[name][1]}

    def _json(self, kind: Any, value: Any) -> Any:
        node, inner = kind
        if node is Nodetype.NAME:
            return self._clock(value) if inner.endswith("/Time") else self.json(inner, value)
        if node is Nodetype.BASE:
            odd = inner[0].startswith("float") and not math.isfinite(value)
            return None if odd else value
        if inner[0][0] is Nodetype.BASE and inner[0][1][0] in {"uint8", "char"}:
            return b64encode(bytes(value)).decode()
        if node is Nodetype.ARRAY and self.ros == 2:
            return list(value)  # numpy's tolist: NaN stays, and Python writes it as such
        return [self._json(inner[0], one) for one in value]

    def _clock(self, value: dict[str, int]) -> dict[str, int]:
        return {"secs": value["sec"], "nsecs": value["nanosec"]} if self.ros == 1 else value

    def cbor(self, name: str, made: dict[str, Any]) -> dict[str, Any]:
        return {field: self._cbor(kind, made[field]) for field, kind in types(self.ros)[name][1]}

    def _cbor(self, kind: Any, value: Any) -> Any:
        node, inner = kind
        if node is Nodetype.NAME:
            return self._clock(value) if inner.endswith("/Time") else self.cbor(inner, value)
        if node is Nodetype.BASE:
            if inner[0] == "byte" and self.ros == 2:
                raise RefusedError("'bytes' object has no attribute 'get_fields_and_field_types'")
            return value
        base = inner[0][1][0] if inner[0][0] is Nodetype.BASE else ""
        if base in {"uint8", "char"} and node is Nodetype.SEQUENCE:
            return bytes(value)
        if node is Nodetype.SEQUENCE and base in TAGS:
            tag, code = TAGS[base]
            return cbor2.CBORTag(tag, struct.pack(f"<{len(value)}{code}", *value))
        if base == "bool" or (base == "string" and self.ros == 2):
            return list(value)
        if base:
            raise RefusedError(f"'{base}' object has no attribute '__slots__'")
        return [self.cbor(inner[0][1], one) for one in value]


def stamp_of(time_ns: int) -> dict[str, int]:
    return {"sec": time_ns // 10**9, "nanosec": time_ns % 10**9}


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
        if self._thread.is_alive():
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


class Node:
    """A node of the graph, beside the server."""

    def __init__(self, graph: StandIn, name: str, publishes: dict[str, str]) -> None:
        self.graph, self.name, self._tasks = graph, name, []
        self._do(lambda: self._join(publishes))

    def _join(self, publishes: dict[str, str]) -> None:
        self.graph.nodes.add(self.name)
        for topic, kind in publishes.items():
            self.graph._topic(topic, kind.replace("/msg/", "/") if self.graph.ros == 1 else kind).publishers.add(
                self.name
            )

    def _do(self, work: Callable[[], Any]) -> None:
        if threading.current_thread() is self.graph._thread:
            work()
            return
        done = threading.Event()
        self.graph.loop.call_soon_threadsafe(lambda: (work(), done.set()))
        assert done.wait(10.0)

    def publish(self, topic: str, said: dict[str, Any], *, latch: bool = False) -> None:
        kind = self.graph.topics[topic].kind
        made = merged(self.graph.conversion.zero(kind), said)
        self._do(lambda: self.graph.deliver(topic, made, latched_by=self.name if latch else ""))

    def subscribe(self, topic: str, kind: str, hear: Callable[[dict[str, Any]], None]) -> None:
        name = kind.replace("/msg/", "/") if self.graph.ros == 1 else kind
        self._do(lambda: self.graph._topic(topic, name).hearers.append((self.name, hear)))

    def every(self, period_s: float, work: Callable[[], None]) -> None:
        async def tick() -> None:
            due_s = self.graph.loop.time()
            while True:
                due_s += period_s
                await asyncio.sleep(max(0.0, due_s - self.graph.loop.time()))
                work()

        self._do(lambda: self._tasks.append(self.graph.begin(tick())))

    def kill(self, *, deregister: bool = True) -> None:
        """It dies. A node of ROS 1 that is killed stays in the master's lists (``deregister=False``)."""

        def die() -> None:
            for task in self._tasks:
                task.cancel()
            if deregister:
                self.graph.nodes.discard(self.name)
                for topic in self.graph.topics.values():
                    topic.publishers.discard(self.name)
                    topic.hearers = [(name, hear) for name, hear in topic.hearers if name != self.name]

        self._do(die)


class Yard:
    """Time, a robot that obeys /cmd_vel, and a controller that counts its commands in ``linear.z``."""

    def __init__(self, graph: StandIn, *, rate: float, remapped: bool) -> None:
        self.x_m, self.speed_mps, self.sent = 1.0, 0.0, 0
        kinds = {"/clock": "rosgraph_msgs/msg/Clock", "/pose": "geometry_msgs/msg/PoseStamped"}
        self.simulator = graph.node("/gazebo", publishes=kinds)
        self.commands = "/cmd_vel_IN" if remapped else "/cmd_vel"
        self.controller = graph.node("/controller", publishes={self.commands: "geometry_msgs/msg/Twist"})
        self.simulator.subscribe("/cmd_vel", "geometry_msgs/msg/Twist", self._obey)
        self.graph, self.step_ns = graph, round(0.01 * rate * 1e9)
        self.simulator.every(0.01, self._step)
        self.controller.every(0.05, self._drive)

    def _obey(self, made: dict[str, Any]) -> None:
        self.speed_mps = made["linear"]["x"]

    def _step(self) -> None:
        self.graph.now_ns += self.step_ns
        self.x_m += self.speed_mps * self.step_ns / 1e9
        now = stamp_of(self.graph.now_ns)
        self.simulator.publish("/clock", {"clock": now})
        self.simulator.publish("/pose", {"header": {"stamp": now}, "pose": {"position": {"x": self.x_m, "y": 6.0}}})

    def _drive(self) -> None:
        self.sent += 1
        self.controller.publish(self.commands, {"linear": {"x": 0.5, "z": float(self.sent)}})


def merged(zero: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    return {
        name: merged(value, said[name]) if isinstance(value, dict) and name in said else said.get(name, value)
        for name, value in zero.items()
    }


class MoveBase:
    """The robot's side of ROS 1's ``move_base`` or (ROS 2) of Nav2, and a controller that drives straight to the goal.

    It commands once for each scan, if ``answers``, and takes its goal when it knows where it is.
    """

    def __init__(
        self, graph: StandIn, *, arrives_m: float = 0.3, status: int | None = None, kind: str = "Twist"
    ) -> None:
        self.graph, self.arrives_m, self.status, self.answers = graph, arrives_m, status, True
        self.goal: dict[str, Any] | None = None
        self.driving = threading.Event()
        self.x_m: float | None = None
        self.heard: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.cancelled: list[dict[str, Any]] = []
        publishes = {"/cmd_vel": f"geometry_msgs/msg/{kind}"}
        if graph.ros == 1:
            publishes["/move_base/result"] = "move_base_msgs/msg/MoveBaseActionResult"
        self.node = graph.node("/move_base", publishes=publishes)
        hears = {
            "/clock": "rosgraph_msgs/msg/Clock",
            "/scan": "sensor_msgs/msg/LaserScan",
            "/tf": "tf2_msgs/msg/TFMessage",
        }
        for topic, name in {**hears, "/odom": "nav_msgs/msg/Odometry"}.items():
            self.node.subscribe(topic, name, partial(self._hear, topic))

    def _hear(self, topic: str, made: dict[str, Any]) -> None:
        self.heard[topic].append(made)
        if topic == "/tf":
            if self.x_m is None:
                self._serve()
            self.x_m = sum(one["transform"]["translation"]["x"] for one in made["transforms"])
        elif topic == "/scan" and self.goal is not None and self.answers:
            self._drive()

    def _serve(self) -> None:
        if self.graph.ros == 1:
            goals = "move_base_msgs/msg/MoveBaseActionGoal"
            self.node.subscribe("/move_base/goal", goals, lambda made: self._take(made, made["goal"]["target_pose"]))
            self.node.subscribe("/move_base/cancel", "actionlib_msgs/msg/GoalID", self.cancelled.append)
        else:
            self.graph.actions.append("/navigate_to_pose")
            self.graph.action = self._act

    def _act(self, said: dict[str, Any], answer: Callable[[dict[str, Any]], None]) -> None:
        if said["op"] == "cancel_action_goal":
            self.cancelled.append(said)
        else:
            self._take({**said, "answer": answer}, said["args"]["pose"])

    def _take(self, goal: dict[str, Any], pose: dict[str, Any]) -> None:
        self.goal, self.goal_x_m = goal, pose["pose"]["position"]["x"]

    def _drive(self) -> None:
        assert self.goal is not None
        assert self.x_m is not None
        left_m = self.goal_x_m - self.x_m
        there = abs(left_m) < self.arrives_m
        self.driving.set()
        self.node.publish("/cmd_vel", {"linear": {"x": 0.0 if there else 0.5}})
        if there or self.status is not None:
            self._end(self.status)
            self.goal = None

    def _end(self, status: int | None) -> None:
        assert self.goal is not None
        if self.graph.ros == 1:
            said = {"goal_id": self.goal["goal_id"], "status": status or 3, "text": "no way" if status else ""}
            self.node.publish("/move_base/result", {"status": said})
            return
        words = {"op": "action_result", "action": self.goal["action"], "id": self.goal["id"]}
        values = {"error_code": 0, "error_msg": "no way" if status else ""}
        self.goal["answer"]({**words, "values": values, "status": status or 4, "result": True})
