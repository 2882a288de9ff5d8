"""The servers of the bridge, over real sockets: strangers at the door, and clients inside that talk nonsense."""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, cycle, islice, product
from random import Random

from row import Figure, Size

from mutation import bad_inputs
from stressfield.bridge import Clock, Hub, RosbridgeServer
from stressfield.bridge.grpc_server import JOIN, GrpcServer, message_class
from stressfield.bus.messages import Time
from stressfield.errors import RigError

TOKEN = "the-right-token"
PATIENCE_S = 5.0
BATCH = 32
UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
VERSION = "Sec-WebSocket-Version: 13\r\n"
HOSTS = ("{here}", "evil.example", "evil.example:{port}", "{here}.evil.example", "[::1", "", "0.0.0.0:{port}", "\xff")
ORIGINS = (None, "null", "http://evil.example", "http://{here}", "http://localhost:{port}", "file://", "")
TOKENS = (None, TOKEN, TOKEN[:-1], TOKEN + "x", "", "\xff" * 16, TOKEN.upper())
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "CONNECT", "get", "PRI")
ODD = ([], {}, None, True, -1, 0.5, 1e300, 2**70, "", "none", "x" * 1000, [[[]]], {"a": {"b": []}})
DONE = b'{"op": "call_service", "service": "/none", "id": "done"}'
PADDING = bytes(66_000)
"""No frame, so that the server hangs up; and as long as any frame whose length was damaged."""

_HELLO = f"GET /?token={TOKEN} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n{UPGRADE}{VERSION}\r\n".encode()
BEGUN = (
    (b"", b""),
    (_HELLO.replace(TOKEN.encode(), b"wrong"), b""),
    (b"GET / HTTP/1.1\r\n", b""),
    (_HELLO, b""),
    (_HELLO + bytes([0x01, 0x81]) + bytes(4) + b"x", bytes([0x00, 0x81]) + bytes(4) + b"x"),
)
"""How a connection begins, and what it goes on to say: nothing, the wrong token, half a handshake, a message that does
not end."""

GOOD = [
    b'{"op": "subscribe", "topic": "/odom", "type": "nav_msgs/Odometry", "throttle_rate": 10, "compression": "none"}',
    b'{"op": "advertise", "topic": "/cmd_vel", "type": "geometry_msgs/Twist", "id": "a"}',
    b'{"op": "publish", "topic": "/cmd_vel", "msg": {"linear": {"x": 1.5}, "angular": {"z": 0}}}',
    b'{"op": "fragment", "id": "1", "data": "{}", "num": 0, "total": 2}',
    b'{"op": "call_service", "service": "/none", "args": {"a": [1, 2]}, "id": "b"}',
    b'{"op": "service_response", "service": "/s", "id": "1", "values": {}, "result": true}',
    b'{"op": "set_level", "level": "error"}',
]


@dataclass(slots=True)
class Tally:
    """What happened; each but ``tried`` should stay 0."""

    tried: int = 0
    let_in: int = 0
    unanswered: int = 0
    uncaught: int = 0
    example: str = ""

    def note(self, example: object) -> None:
        self.example = self.example or f"; {example!r:.200}"

    def look(self, hub: Hub, sent: bytes) -> None:
        """What the hub makes of it. An error that nobody expected is the server's own."""
        if isinstance(hub.error, RigError) and "broke down" in str(hub.error):
            self.uncaught += 1
            self.note((sent, str(hub.error)))
        hub.error, hub.lost = None, ""


def strangers(size: Size) -> Figure:
    """Nobody without the token comes in, whatever they say; and whoever did cannot hurt the server."""
    return asyncio.run(_strangers(size))


async def _strangers(size: Size) -> Figure:
    door = await _at_the_door(size.pick(1_000, 50_000))
    talk = await _talking(size.pick(300, 50_000))
    grpc_door, grpc_talk = await _over_grpc(size.pick(60, 5_000))
    served = await _served()
    tallies = (door, talk, grpc_door, grpc_talk)
    let_in, unanswered = door.let_in + grpc_door.let_in, sum(one.unanswered for one in tallies)
    uncaught = sum(one.uncaught for one in tallies)
    text = (
        f"{door.tried:,} bad handshakes and {talk.tried:,} bad frames over WebSockets, {grpc_door.tried:,} and "
        f"{grpc_talk.tried:,} over gRPC: {let_in} let in, {unanswered} left waiting, {uncaught} uncaught; afterwards "
        f"a good client was {'served' if served else 'NOT served'}"
    )
    return Figure(
        not (let_in or unanswered or uncaught) and served, text + "".join(one.example for one in tallies if one.example)
    )


def good_bye(size: Size) -> Figure:
    """A server is stopped while strangers hold connections: silent, without the token, in the middle of something."""
    return asyncio.run(_good_bye(size))


async def _good_bye(size: Size) -> Figure:
    took_s: list[float] = []
    for _, kind in product(range(size.pick(1, 20)), (RosbridgeServer, GrpcServer)):
        for begun in BEGUN:
            server = kind(Hub(), token=TOKEN)
            await server.start()
            port = int(server.url.partition("/?")[0].rpartition(":")[2])
            strangers = [asyncio.ensure_future(_hold(port, begun)) for _ in range(8)]
            await asyncio.sleep(0.1)
            begin_s = asyncio.get_running_loop().time()
            await server.stop()
            took_s.append(asyncio.get_running_loop().time() - begin_s)
            for stranger in strangers:
                stranger.cancel()
            await asyncio.gather(*strangers, return_exceptions=True)
    text = f"{len(took_s)} servers with 8 such connections each: stopped after at most {max(took_s):.2f} s"
    return Figure(size.within(max(took_s), 1.1) and max(took_s) < 5.0, text)


async def _hold(port: int, begun: tuple[bytes, bytes]) -> None:
    """Say how it begins, then go on and on, whatever the server says."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(begun[0].replace(b"PORT", str(port).encode()))
        while not writer.is_closing():
            writer.write(begun[1])
            await asyncio.sleep(0.002)
    finally:
        writer.close()


# WebSockets ---------------------------------------------------------------------------------------------------------


async def _at_the_door(number: int) -> Tally:
    hub, tally = Hub(), Tally()
    server = RosbridgeServer(hub, token=TOKEN)
    await server.start()
    requests = islice(_handshakes(server.port), number)
    while batch := list(islice(requests, BATCH)):
        await asyncio.gather(*(_knock(server.port, request, tally) for request in batch))
        tally.let_in += len(hub.clients)
    await server.stop()
    return tally


async def _knock(port: int, request: bytes, tally: Tally) -> None:
    tally.tried += 1
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        if b"\r\n\r\n" not in request:
            writer.write_eof()  # else the server would wait for the rest
        async with asyncio.timeout(PATIENCE_S):
            answer = await reader.read(4096)
        if b" 101 " in answer.split(b"\r\n")[0]:
            tally.let_in += 1
            tally.note(request)
    except TimeoutError:
        tally.unanswered += 1
        tally.note(request)
    except ConnectionError:
        pass  # a way to refuse
    finally:
        writer.close()


def _handshakes(port: int) -> Iterator[bytes]:
    """All that are wrong in one way or several, then without end damaged ones without the token."""
    here = f"127.0.0.1:{port}"
    ways = list(product(METHODS, HOSTS, ORIGINS, TOKENS, ("?token=", "Bearer "), (UPGRADE, "")))
    Random(7).shuffle(ways)
    for method, host, origin, token, how, upgrade in ways:
        if (method, host, origin, token, upgrade) == ("GET", "{here}", None, TOKEN, UPGRADE):
            continue
        path = f"/?token={token}" if token is not None and how == "?token=" else "/"
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
        lines += [f"Origin: {origin}"] if origin is not None else []
        lines += [f"Authorization: Bearer {token}"] if token is not None and how != "?token=" else []
        text = "\r\n".join(lines).replace("{here}", here).replace("{port}", str(port))
        yield f"{text}\r\n{upgrade}{VERSION}\r\n".encode("latin-1")
    good = f"GET / HTTP/1.1\r\nHost: {here}\r\nAuthorization: Bearer x\r\n{UPGRADE}{VERSION}\r\n".encode()
    yield from bad_inputs("handshakes", [good])


async def _talking(number: int) -> Tally:
    hub, tally, seconds = Hub(), Tally(), count(1)
    server = RosbridgeServer(hub, token=TOKEN)
    await server.start()
    frames = islice(_frames(), number)
    while batch := list(islice(frames, BATCH)):
        await hub.tick(next(seconds) * 1_000_000_000, Clock(Time(0, 0)))  # a new second: talking much is no flood
        for frame in batch:
            await _say(server.port, frame, tally)
            tally.look(hub, frame)
            hub.types.clear()
    await server.stop()
    return tally


async def _say(port: int, frame: bytes, tally: Tally) -> None:
    """As a client with the token, until the server hangs up."""
    tally.tried += 1
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /?token={TOKEN} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{UPGRADE}{VERSION}\r\n"
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write(head.encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            assert b" 101 " in answer, answer
            writer.write(frame + _frame(0x81, DONE) + PADDING)
            while await reader.read(65536):
                pass
    except TimeoutError:
        tally.unanswered += 1
        tally.note(frame)
    except ConnectionError:
        pass
    finally:
        writer.close()


def _frames() -> Iterator[bytes]:
    """In turn: an operation with an odd word, a damaged one, and a damaged frame around a good one."""
    whole = [_frame(0x81, text) for text in GOOD]
    damaged = zip(cycle(_odd_words()), bad_inputs("operations", GOOD), bad_inputs("frames", whole), strict=False)
    for odd, operation, raw in damaged:
        yield _frame(0x81, odd)
        yield _frame(0x81, operation)
        yield raw


def _odd_words() -> list[bytes]:
    """Good operations in which one word is something else."""
    found = [
        json.dumps({**operation, word: odd}).encode()
        for operation in map(json.loads, GOOD)
        for word in operation
        for odd in ODD
    ]
    Random(7).shuffle(found)
    return found


def _frame(first: int, body: bytes) -> bytes:
    """A frame of a client; with a mask of zeros, which is as good as any."""
    size = len(body)
    length = struct.pack("!B", 0x80 | size) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
    return bytes([first]) + length + bytes(4) + body


# gRPC ---------------------------------------------------------------------------------------------------------------


async def _over_grpc(number: int) -> tuple[Tally, Tally]:
    import grpc.aio  # noqa: PLC0415

    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    hub, door, talk, seconds = Hub(), Tally(), Tally(), count(1)
    server = GrpcServer(hub, token=TOKEN)
    await server.start()
    said = message_class("FromSubject")(advertise={"topic": "/cmd_vel", "type": "geometry_msgs/Twist"})
    messages = bad_inputs("grpc", [said.SerializeToString(), *GOOD])
    right = ("authorization", f"Bearer {TOKEN}")
    wrong = [(), (("authorization", TOKEN),), (right, ("origin", "http://evil.example")), (("authorization", ""),)]
    async with grpc.aio.insecure_channel(server.url) as channel:
        join = channel.stream_stream(JOIN)
        for turn, message in enumerate(islice(messages, number)):
            await hub.tick(next(seconds) * 1_000_000_000, Clock(Time(0, 0)))
            await _join(join, wrong[turn % len(wrong)], message, door)
            door.let_in += hub.published or bool(hub.types)
            await _join(join, (right,), message, talk)
            talk.look(hub, message)
            hub.types.clear()
    port = int(server.url.rpartition(":")[2])
    for request in islice(_handshakes(port), number):
        await _knock(port, request, door)
    door.let_in += len(hub.clients)
    await server.stop()
    return door, talk


async def _join(join: object, metadata: tuple[tuple[str, str], ...], message: bytes, tally: Tally) -> None:
    import grpc.aio  # noqa: PLC0415

    tally.tried += 1
    call = join(metadata=metadata)  # type: ignore[operator]
    try:
        async with asyncio.timeout(PATIENCE_S):
            await call.write(message)
            await call.done_writing()
            async for _ in call:
                pass
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        pass  # refused
    except TimeoutError:
        tally.unanswered += 1
        tally.note((metadata, message))
        call.cancel()


async def _served() -> bool:
    """A server that has met all this still lets a good client in, and hears it."""
    from websockets.asyncio.client import connect  # noqa: PLC0415

    hub = Hub()
    server = RosbridgeServer(hub, token=TOKEN)
    await server.start()
    for request in islice(_handshakes(server.port), 0, 10_000, 500):
        await _knock(server.port, request, Tally())
    async with connect(server.url) as client:
        for frame in (*GOOD[1:3], DONE):
            await client.send(frame.decode())
        async with asyncio.timeout(PATIENCE_S):
            answer = await client.recv()
    await server.stop()
    return "done" in str(answer) and len(hub.take()) == 1
