"""The rosbridge server, word by word, with a plain WebSocket as its client."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from stressfield.bridge import Clock, Hub, RosbridgeServer
from stressfield.bridge._json_message import from_json
from stressfield.bridge.grpc_server import GrpcServer
from stressfield.bridge.rosbridge._dialect import parse_frame
from stressfield.bus import Message, encode
from stressfield.bus.messages import (
    Float64Msg,
    Header,
    LaserScan,
    Odometry,
    PointCloud2,
    PointField,
    StringMsg,
    Time,
    Twist,
)
from stressfield.errors import RigError, SubjectError

Talk = Callable[[Hub, ClientConnection], Awaitable[None]]


def talk(work: Talk, hub: Hub | None = None) -> Hub:
    """Let one client talk to a server; the hub afterwards."""
    hub = hub or Hub()

    async def all_of_it() -> None:
        server = RosbridgeServer(hub)
        await server.start()
        try:
            async with connect(server.url) as client:
                await work(hub, client)
        finally:
            await server.stop()

    asyncio.run(all_of_it())
    return hub


async def say(client: ClientConnection, **words: Any) -> None:
    await client.send(json.dumps(words))


async def hear(client: ClientConnection) -> Any:
    async with asyncio.timeout(5.0):
        return json.loads(await client.recv())


async def settle(client: ClientConnection) -> None:
    """Until the server has handled all that was said: it answers calls in order."""
    await say(client, op="call_service", service="/none", id="settle")
    while (await hear(client)).get("id") != "settle":
        pass


def test_what_a_client_publishes_arrives_typed_and_in_order() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="advertise", topic="/cmd_vel", type="geometry_msgs/Twist")
        for speed in (1.0, 2.0, 3.0):
            await say(client, op="publish", topic="/cmd_vel", msg={"linear": {"x": speed}})
        await settle(client)

    hub = talk(work)
    assert [(topic, type(m), m.linear.x) for topic, m in hub.take() if isinstance(m, Twist)] == [
        ("/cmd_vel", Twist, 1.0),
        ("/cmd_vel", Twist, 2.0),
        ("/cmd_vel", Twist, 3.0),
    ]
    assert hub.take() == []


def test_who_asks_for_cbor_gets_exact_numbers() -> None:
    scan = LaserScan(Header(Time(3, 4), "map"), ranges=np.array([1.5, inf, nan], np.float32))
    odometry = Odometry(Header(Time(5, 6), "odom"))
    cloud = PointCloud2(fields=(PointField("x", 0, 7, 1),), data=np.arange(4, dtype=np.uint8))

    async def work(hub: Hub, client: ClientConnection) -> None:
        for topic in ("/scan", "/odom", "/points"):
            await say(client, op="subscribe", topic=topic, compression="cbor")
        await settle(client)
        for topic, message in (("/scan", scan), ("/odom", odometry), ("/points", cloud)):
            await hub.deliver(topic, message, 0)
            said = parse_frame(await client.recv(), max_bytes=10**6)
            assert (said["op"], said["topic"]) == ("publish", topic)
            assert encode(from_json(type(message), said["msg"])) == encode(message)

    talk(work)


def test_a_subscriber_gets_each_message_once_however_often_it_subscribed() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="subscribe", topic="/x", id="a")
        await say(client, op="subscribe", topic="x", id="b")
        await settle(client)
        assert hub.wanted == {"/x"}
        await hub.deliver("/x", Float64Msg(1.0), 0)
        await hub.deliver("/y", Float64Msg(2.0), 0)
        await say(client, op="unsubscribe", topic="/x", id="a")
        await settle_after(client, {"op": "publish", "topic": "/x", "msg": {"data": 1.0}})
        assert hub.wanted == {"/x"}
        await say(client, op="unsubscribe", topic="/x", id="b")
        await settle(client)
        assert hub.wanted == set()

    async def settle_after(client: ClientConnection, wanted: object) -> None:
        assert await hear(client) == wanted
        await settle(client)

    talk(work)


def test_long_messages_come_in_fragments_if_asked_for() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="subscribe", topic="/x", fragment_size=100)
        await settle(client)
        await hub.deliver("/x", StringMsg("a" * 250), 0)
        pieces = [await hear(client) for _ in range(3)]
        assert [(p["op"], p["num"], p["total"]) for p in pieces] == [("fragment", i, 3) for i in range(3)]
        assert json.loads("".join(p["data"] for p in pieces))["msg"] == {"data": "a" * 250}

    talk(work)


def test_fragments_of_a_client_are_put_together() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="advertise", topic="/x", type="std_msgs/String")
        text = json.dumps({"op": "publish", "topic": "/x", "msg": {"data": "hello"}})
        await say(client, op="fragment", id="1", data=text[20:], num=1, total=2.0)
        await say(client, op="fragment", id="1", data=text[:20], num=0, total=2.0)
        await settle(client)

    (said,) = talk(work).take()
    assert isinstance(said[1], StringMsg)
    assert said[1].data == "hello"


def test_latched_topics_are_told_to_whoever_subscribes() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="subscribe", topic="/stressfield/mission")
        assert (await hear(client))["msg"] == {"data": "go"}

    talk(work, Hub(latched={"/stressfield/mission": StringMsg("go")}))


def test_services_of_the_rig_answer() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="call_service", service="/add", args={"a": 1, "b": 2}, id="7")
        assert await hear(client) == {
            "op": "service_response", "service": "/add", "values": {"sum": 3}, "result": True, "id": "7",
        }  # fmt: skip
        await say(client, op="call_service", service="/add", args={"a": 1})
        assert await hear(client) == {
            "op": "service_response", "service": "/add", "values": {"message": "KeyError: 'b'"}, "result": False,
        }  # fmt: skip
        await say(client, op="call_service", service="/subtract")
        answer = await hear(client)
        assert answer["result"] is False
        assert answer["values"]["message"] == "There is no service '/subtract'. There are: /add."

    assert talk(work, Hub(services={"/add": lambda args: {"sum": args["a"] + args["b"]}})).error is None


def test_a_client_can_answer_calls_of_another() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="advertise_service", service="/twice", type="x/Twice")
        await settle(client)
        await say(client, op="call_service", service="/twice", args={"n": 4}, id="mine")
        call = await hear(client)
        assert (call["op"], call["args"]) == ("call_service", {"n": 4})
        await say(client, op="service_response", service="/twice", id=call["id"], values={"n": 8}, result=True)
        answer = await hear(client)
        assert (answer["id"], answer["values"], answer["result"]) == ("mine", {"n": 8}, True)

    talk(work)


def test_ticks_are_acknowledged_in_order() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="subscribe", topic="/clock")
        await settle(client)
        assert not hub.in_lockstep
        await say(client, op="advertise", topic="/stressfield/tick_done", type="rosgraph_msgs/Clock")
        await settle(client)
        assert hub.in_lockstep
        await hub.tick(50_000_000, Clock(Time.from_ns(50_000_000)))
        assert hub.clients[0].waits
        clock = await hear(client)
        assert clock["msg"] == {"clock": {"sec": 0, "nanosec": 50_000_000}}
        await say(client, op="publish", topic="/stressfield/tick_done", msg=clock["msg"])
        await settle(client)
        assert not hub.clients[0].waits

    assert talk(work).error is None


def test_a_topic_of_an_unknown_type_is_ignored_and_the_client_is_told() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="advertise", topic="/markers", type="visualization_msgs/MarkerArray", id="3")
        told = await hear(client)
        assert (told["op"], told["level"], told["id"]) == ("status", "error", "3")
        assert told["msg"] == "'visualization_msgs/MarkerArray' is not a known message type: '/markers' is ignored."
        await say(client, op="publish", topic="/markers", msg={"anything": 1})
        await settle(client)

    hub = talk(work)
    assert (hub.error, hub.ignored, hub.take()) == (None, 1, [])


def test_status_messages_can_be_switched_off() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="set_level", level="none")
        await say(client, op="advertise", topic="/markers", type="visualization_msgs/MarkerArray")
        await say(client, op="call_service", service="/none", id="next")
        assert (await hear(client))["id"] == "next"

    talk(work)


@pytest.mark.parametrize(
    ("frame", "kind", "told"),
    [
        ("{", SubjectError, "The subject sent a malformed message: Not JSON"),
        ("[]", SubjectError, "The subject sent a malformed message: An operation is []; wanted an object with 'op'."),
        (
            '{"op": "levitate"}',
            SubjectError,
            "Unknown operation 'levitate': this is not a client of rosbridge version 2.",
        ),
        ('{"op": ["x"]}', SubjectError, "Unknown operation"),
        ('{"op": "png", "data": ""}', RigError, "The operation 'png' is not supported here."),
        (b"\x00", RigError, "A binary message came (CBOR or BSON); wanted JSON as text."),
        ('{"op": "subscribe", "topic": "/x", "compression": "png"}', RigError, "compression 'png' is not supported"),
        (
            '{"op": "subscribe", "topic": "/x", "compression": []}',
            SubjectError,
            "compression is []; wanted 'none' or 'cbor'.",
        ),
        ('{"op": "subscribe", "topic": "/x", "throttle_rate": -1}', SubjectError, "'throttle_rate' is -1; wanted a"),
        ('{"op": "subscribe", "topic": "/x", "fragment_size": 3}', SubjectError, "fragment_size is 3; wanted at"),
        ('{"op": "subscribe"}', SubjectError, "subscribe: 'topic' is None; wanted a text of 1 to 500 characters."),
        ('{"op": "subscribe", "topic": "/observer/mobility"}', SubjectError, "belongs to the rig; no robot may listen"),
        ('{"op": "advertise", "topic": "/clock", "type": "rosgraph_msgs/Clock"}', SubjectError, "no robot may publish"),
        ('{"op": "advertise", "topic": "/x"}', SubjectError, "advertise: 'type' is None"),
        ('{"op": "publish", "topic": "/x", "msg": {}}', SubjectError, "on /x: '/x' was never advertised"),
        ('{"op": "service_response", "service": "/x", "id": "1"}', SubjectError, "nobody waits for id '1'"),
        ('{"op": "set_level", "level": "loud"}', SubjectError, "level is 'loud'; wanted one of none, error"),
        (
            '{"op": "advertise", "topic": "/stressfield/tick_done", "type": "std_msgs/String"}',
            SubjectError,
            "wanted ros",
        ),
    ],
)
def test_what_cannot_be_understood_is_told_to_the_client_and_ends_the_run(
    frame: str | bytes, kind: type[Exception], told: str
) -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await client.send(frame)
        status = await hear(client)
        assert (status["op"], status["level"]) == ("status", "error")

    hub = talk(work)
    assert type(hub.error) is kind
    assert told in str(hub.error)


def test_one_topic_has_one_type() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await say(client, op="advertise", topic="/x", type="std_msgs/String")
        await say(client, op="advertise", topic="/x", type="std_msgs/Float64")
        assert (await hear(client))["msg"].startswith(
            "'/x' is advertised as std_msgs/msg/Float64; wanted std_msgs/msg/S"
        )

    talk(work)


def test_a_client_that_leaves_is_noticed() -> None:
    async def work(hub: Hub, client: ClientConnection) -> None:
        await client.close(1000, "bye")
        while hub.clients:
            await asyncio.sleep(0.001)

    hub = talk(work)
    with pytest.raises(RigError, match=r"was lost: the subject closed it \(WebSocket code 1000: bye\)"):
        hub.check()


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_a_page_of_another_site_cannot_connect(origin: str) -> None:
    hub = Hub()

    async def work() -> None:
        server = RosbridgeServer(hub, token="secret")
        await server.start()
        with pytest.raises(InvalidStatus, match="HTTP 403"):
            async with connect(server.url, origin=origin):  # type: ignore[arg-type]
                pass
        with pytest.raises(InvalidStatus, match="HTTP 403"):
            async with connect(server.url.replace("secret", "guess")):
                pass
        await server.stop()

    asyncio.run(work())
    assert hub.clients == []
    assert hub.refused == "The token is missing or wrong: it belongs into the address as ?token=..."


def test_a_port_in_use_is_one_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(RigError, match=f"Port {port} of 127.0.0.1 is in use. Stop what listens there, or take"):
            asyncio.run(RosbridgeServer(Hub(), port=port).start())


@pytest.mark.parametrize(
    "head",
    [
        "Host: {here}\r\nHost: {here}\r\nAuthorization: Bearer secret",
        "Host: {here}\r\nAuthorization: Bearer secret\r\nOrigin: http://{here}\r\nOrigin: http://evil.example",
        "Host: evil.example:80\r\nAuthorization: Bearer secret",
        "Host: {here}\r\nAuthorization: Bearer secret\r\nAuthorization: Bearer secret",
        "Host: {here}\r\nAuthorization: Bearer \xff",
        "Authorization: Bearer secret",
    ],
)
def test_whoever_says_strange_things_at_the_door_stays_outside(head: str) -> None:
    hub = Hub()

    async def work() -> bytes:
        server = RosbridgeServer(hub, token="secret")
        await server.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        lines = f"GET //[?token=a HTTP/1.1\r\n{head.format(here=f'127.0.0.1:{server.port}')}\r\n"
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        writer.write(f"{lines}Connection: Upgrade\r\nUpgrade: websocket\r\n{key}".encode("latin-1"))
        answer = await reader.readline()
        writer.close()
        await server.stop()
        return answer

    assert asyncio.run(work()).startswith(b"HTTP/1.1 403")
    assert hub.clients == []
    assert hub.refused != ""


def test_one_client_cannot_subscribe_or_serve_without_end() -> None:
    async def subscribes(hub: Hub, client: ClientConnection) -> None:
        for number in range(101):
            await say(client, op="subscribe", topic="/x", id=str(number))
        assert (await hear(client))["msg"] == "More than 100 subscriptions to '/x' by one client."

    async def serves(hub: Hub, client: ClientConnection) -> None:
        for number in range(1001):
            await say(client, op="advertise_service", service=f"/{number}", type="x")
        assert (await hear(client))["msg"] == "More than 1000 services are advertised."

    talk(subscribes)
    talk(serves)


def test_a_flood_is_counted_per_simulated_second() -> None:
    hub = Hub()
    for second in range(3):
        asyncio.run(hub.tick(second * 1_000_000_000, Clock(Time(second, 0))))
        for _ in range(4_000):
            hub.count(100)
    assert hub.error is None
    for _ in range(1_001):
        hub.count(100)
    assert isinstance(hub.error, SubjectError)


def test_messages_are_data() -> None:
    assert issubclass(Clock, Message)


HELLO = (
    "GET /?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PIECE = bytes([0x00, 0x81]) + bytes(4) + b"x"  # one more letter of a message that does not end


async def says_nothing(writer: asyncio.StreamWriter, port: int) -> None:
    await asyncio.sleep(60.0)


async def has_no_token(writer: asyncio.StreamWriter, port: int) -> None:
    writer.write(HELLO.format(token="", port=port).encode())
    await asyncio.sleep(60.0)


async def never_ends_its_hello(writer: asyncio.StreamWriter, port: int) -> None:
    writer.write(b"GET / HTTP/1.1\r\n")
    for number in range(6000):
        writer.write(f"X-{number}: y\r\n".encode() if number < 50 else b"")
        await asyncio.sleep(0.01)


async def never_ends_its_message(writer: asyncio.StreamWriter, port: int) -> None:
    writer.write(HELLO.format(token="right", port=port).encode() + bytes([0x01]) + PIECE[1:])
    while True:
        writer.write(PIECE)
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("rude", [says_nothing, has_no_token, never_ends_its_hello, never_ends_its_message])
@pytest.mark.parametrize("kind", [RosbridgeServer, GrpcServer])
def test_nobody_can_delay_the_end(
    kind: type[RosbridgeServer | GrpcServer], rude: Callable[[asyncio.StreamWriter, int], Awaitable[None]]
) -> None:
    """It took 10 s. The promise is one; a busy machine may take some more."""

    async def all_of_it() -> float:
        server = kind(Hub(), token="right")
        await server.start()
        port = int(server.url.partition("/?")[0].rpartition(":")[2])
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        client = asyncio.ensure_future(rude(writer, port))
        await asyncio.sleep(0.2)
        begin_s = asyncio.get_running_loop().time()
        await server.stop()
        took_s = asyncio.get_running_loop().time() - begin_s
        client.cancel()
        writer.close()
        return took_s

    assert asyncio.run(all_of_it()) < 4.0
