"""A gRPC server that lets clients join a hub; the protocol is in ``stressfield.proto``.

Messages are made from its compiled descriptor (``stressfield.binpb``) instead of generated code: that works with any
version of the protobuf package. After a change of the ``.proto``, in its folder:
``python -m grpc_tools.protoc -I . --descriptor_set_out=stressfield.binpb stressfield.proto``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import cache
from hmac import compare_digest
from itertools import count
from pathlib import Path
from typing import Any

from stressfield._files.json_text import MAX_BYTES, parse_json
from stressfield.bridge._handshake import check_address, in_address
from stressfield.bridge._json_message import from_json, to_json
from stressfield.bridge.hub import CLOCK, TICK_DONE, Client, Clock, Hub, Wish
from stressfield.bus import Message, find_type
from stressfield.bus.cdr import decode, encode
from stressfield.bus.message import BAD_MESSAGE
from stressfield.errors import MalformedError, NotInstalledError, RigError, SubjectError, TraceError

JOIN = "/stressfield.v1.Bridge/Join"
SERVICE = "stressfield.v1.Bridge"
PROTO = Path(__file__).with_name("stressfield.proto")
DESCRIPTOR = Path(__file__).with_name("stressfield.binpb")


@cache
def message_class(name: str) -> Any:
    """A message class by its name in the ``.proto``: ``message_class("Publish")``."""
    try:
        from google.protobuf import message_factory  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalledError(
            "gRPC needs the packages grpcio and protobuf: pip install 'stressfield[grpc]'."
        ) from error
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"stressfield.v1.{name}"))


@cache
def _pool() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool  # noqa: PLC0415

    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(DESCRIPTOR.read_bytes()).file:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


_OPTIONS = (("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", MAX_BYTES))


class GrpcPeer(Client):
    """One client, as the server sees it."""

    def __init__(self, hub: Hub, name: str, context: Any) -> None:
        super().__init__(hub, name)
        self._context = context
        self._in_cdr = False
        self._writing = asyncio.Lock()

    async def deliver(self, topic: str, message: Message) -> None:
        """Send it a message; the clock as a tick."""
        if isinstance(message, Clock) and topic == CLOCK:
            await self._send(tick=message_class("Tick")(time_ns=message.clock.ns))
        elif self._in_cdr:
            await self._send(publish=message_class("Publish")(topic=topic, cdr=encode(message)))
        else:
            await self._send(publish=message_class("Publish")(topic=topic, json=to_json(message).decode()))

    async def tell(self, text: str) -> None:
        """Say what was wrong."""
        await self._send(status=message_class("Status")(level="error", text=text))

    async def handle(self, said: Any) -> None:
        """One message of the client."""
        kind = said.WhichOneof("said")
        if kind is None:
            raise MalformedError("A message says nothing that is known: a client of another version of the protocol?")
        part = getattr(said, kind)
        if kind == "advertise":
            message_type = find_type(part.type)
            if message_type is None:
                await self.tell(f"{part.type!r:.100} is not a known message type: {part.topic!r:.100} is ignored.")
            self.hub.advertise(self, _topic(part.topic), message_type)
        elif kind == "subscribe":
            await self._subscribe(part)
        elif kind == "unsubscribe":
            self.hub.unsubscribe(self, _topic(part.topic), None)
        elif kind == "publish":
            self._publish(part)
        elif kind == "ready":
            self._in_cdr = part.encoding == 1
            self.hub.subscribe(self, CLOCK, "", Wish())
            if part.lockstep:
                self.hub.advertise(self, TICK_DONE, Clock)
        elif self.in_lockstep:
            self.acknowledged(part.time_ns)
            self.hub.changed.set()

    async def _subscribe(self, part: Any) -> None:
        topic = _topic(part.topic)
        wish = Wish(throttle_ns=part.throttle_ms * 1_000_000, queue_length=part.queue_length)
        self.hub.subscribe(self, topic, "", wish)
        if topic in self.hub.latched:
            await self.deliver(topic, self.hub.latched[topic])

    def _publish(self, part: Any) -> None:
        topic = _topic(part.topic)
        message_type = self.advertised.get(topic)
        if message_type is None:
            if topic not in self.advertised:
                raise MalformedError(f"{topic!r} was never advertised, so its type is unknown. Advertise it first.")
            self.hub.ignored += 1
        elif part.WhichOneof("body") == "cdr":
            try:
                self.hub.publish(self, topic, decode(message_type, part.cdr))
            except TraceError as error:
                raise MalformedError(str(error)) from error
        else:
            self.hub.publish(self, topic, from_json(message_type, parse_json(part.json)))

    async def _send(self, **said: Any) -> None:
        """One at a time, as gRPC wants it. A stream that takes nothing any more is noticed by its reader."""
        from grpc.aio import BaseError  # noqa: PLC0415

        async with self._writing:
            with suppress(BaseError, asyncio.InvalidStateError):
                await self._context.write(message_class("ToSubject")(**said))


class GrpcServer:
    """Lets gRPC clients join a hub. Start and stop it in the hub's event loop."""

    def __init__(
        self, hub: Hub, *, host: str = "127.0.0.1", port: int = 0, token: str | None = None, public: bool = False
    ) -> None:
        check_address(host, public=public, token=token)
        self._hub, self._host, self._port, self._token = hub, host, port, token
        self._server: Any = None
        self._names = count(1)

    @property
    def url(self) -> str:
        """What a client connects to."""
        return f"{in_address(self._host)}:{self._port}"

    async def start(self) -> None:
        """Begin to listen."""
        try:
            import grpc  # noqa: PLC0415
        except ImportError as error:
            raise NotInstalledError(
                "gRPC needs the packages grpcio and protobuf: pip install 'stressfield[grpc]'."
            ) from error
        handler = grpc.stream_stream_rpc_method_handler(
            self._join,
            request_deserializer=_parsed,
            response_serializer=message_class("ToSubject").SerializeToString,
        )
        self._server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, {"Join": handler})])
        try:
            self._port = self._server.add_insecure_port(self.url)
        except RuntimeError as error:
            raise RigError(
                f"Port {self._port} of {self._host} is in use. Stop what listens there, or take another port (0 finds "
                "a free one)."
            ) from error
        await self._server.start()

    async def stop(self) -> None:
        """Break off every stream and close the door."""
        if self._server is not None:
            await self._server.stop(grace=None)
            self._server = None

    async def _join(self, requests: AsyncIterator[Any], context: Any) -> None:
        import grpc  # noqa: PLC0415

        metadata = dict(context.invocation_metadata() or ())
        if "origin" in metadata:  # only browsers send it, and no robot lives in one
            self._hub.refused = f"Origin is {metadata['origin']!r:.100}; wanted a client that is not a browser."
            await context.abort(grpc.StatusCode.PERMISSION_DENIED, self._hub.refused)
        got = metadata.get("authorization", "")
        if self._token is not None and not compare_digest(str(got).encode(), f"Bearer {self._token}".encode()):
            self._hub.refused = "The token is missing or wrong: it belongs into the metadata 'authorization'."
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, self._hub.refused)
        peer = GrpcPeer(self._hub, f"client {next(self._names)}", context)
        try:
            self._hub.join(peer)
        except MalformedError as error:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        why, good_bye = "the subject ended its stream", True
        try:
            await self._listen(peer, requests)
        except (grpc.RpcError, asyncio.CancelledError) as error:
            why, good_bye = f"its stream broke off ({type(error).__name__})", False
            raise
        except Exception as error:
            self._hub.fail(RigError(f"The bridge broke down: {type(error).__name__}: {error}"))
        finally:
            self._hub.leave(peer, why, good_bye=good_bye)

    async def _listen(self, peer: GrpcPeer, requests: AsyncIterator[Any]) -> None:
        async for said in requests:
            peer.heard = True
            broken = isinstance(said, MalformedError)
            self._hub.count(0 if broken else said.ByteSize())
            if self._hub.error is not None:
                return
            try:
                if broken:
                    raise said
                await peer.handle(said)
            except MalformedError as error:
                publishes = not broken and said.WhichOneof("said") == "publish"
                where = f" on {said.publish.topic:.200}" if publishes else ""
                self._hub.fail(SubjectError(f"The subject sent a malformed message{where}: {error}", kind=BAD_MESSAGE))
                await peer.tell(str(error))
                return


def _parsed(data: bytes) -> Any:
    """A message of a client; bytes that are none are its fault, so they are passed on as an error to be told."""
    from google.protobuf.message import DecodeError  # noqa: PLC0415

    try:
        return message_class("FromSubject").FromString(data)
    except DecodeError as error:
        return MalformedError(f"{len(data)} bytes are not a message of the protocol: {error}.")


def _topic(name: str) -> str:
    if not 0 < len(name) <= 500:
        raise MalformedError(f"A topic is called {name!r:.80}; wanted a name of 1 to 500 characters.")
    return name if name.startswith("/") else f"/{name}"
