"""One rosbridge client, as the server sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from stressfield._files.json_text import parse_json
from stressfield.bridge._json_message import from_json, to_json
from stressfield.bridge.hub import MAX_TOPICS, Client, Hub
from stressfield.bridge.rosbridge._dialect import to_cbor
from stressfield.bridge.rosbridge._protocol import (
    LEVELS,
    Fragments,
    Operation,
    UnsupportedError,
    cut,
    id_of,
    parse_operation,
    text_of,
    topic_of,
    wish_of,
)
from stressfield.bus import Message, find_type
from stressfield.bus.message import BAD_MESSAGE
from stressfield.errors import MalformedError, RigError, SubjectError

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

MAX_CALLS = 1000


class RosbridgePeer(Client):
    """Does what a client's operations ask, and sends it operations."""

    def __init__(self, hub: Hub, name: str, socket: ServerConnection) -> None:
        super().__init__(hub, name)
        self._socket = socket
        self._fragments = Fragments()
        self._level = "error"
        self._sent = count(1)
        self._calls: dict[str, tuple[RosbridgePeer, str | None]] = {}
        self._handlers: dict[str, Callable[[Operation], Awaitable[None]]] = {
            "advertise": self._advertise,
            "unadvertise": self._unadvertise,
            "publish": self._publish,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "call_service": self._call_service,
            "service_response": self._service_response,
            "advertise_service": self._advertise_service,
            "unadvertise_service": self._unadvertise_service,
            "fragment": self._fragment,
            "set_level": self._set_level,
            "status": self._status,
        }

    async def listen(self) -> None:
        """Handle all that comes until the connection ends or something is wrong."""
        async for frame in self._socket:
            self.heard = True
            self.hub.count(len(frame))
            if self.hub.error is not None:
                return
            await self.handle(frame)

    async def handle(self, frame: str | bytes) -> None:
        """One operation. What cannot be understood is told to the client, and ends the run."""
        said: Operation = {}
        try:
            if isinstance(frame, bytes):
                raise UnsupportedError("A binary message came (CBOR or BSON); wanted JSON as text.")
            op, said = parse_operation(frame)
            await self._handlers[op](said)
        except MalformedError as error:
            self._fail(error, said)
            await self._tell("error", str(error), id_of(said))

    def _fail(self, error: MalformedError, said: Operation) -> None:
        if isinstance(error, UnsupportedError):
            self.hub.fail(RigError(f"The subject asks for more of rosbridge than there is here. {error}"))
            return
        topic = said.get("topic")
        where = f" on {topic}" if said.get("op") == "publish" and isinstance(topic, str) else ""
        self.hub.fail(SubjectError(f"The subject sent a malformed message{where:.200}: {error}", kind=BAD_MESSAGE))

    # to the client --------------------------------------------------------------------------------------------

    async def deliver(self, topic: str, message: Message) -> None:
        """Send it a message, as CBOR or in fragments if it asked for that."""
        subscription = self.subscriptions.get(topic)
        if subscription is not None and subscription.cbor:
            await self._send(to_cbor(topic, message), text=False)
            return
        data = to_json({"op": "publish", "topic": topic, "msg": message})
        size = None if subscription is None else subscription.fragment_size
        if size is None or len(data) <= size:
            await self._send(data)
            return
        for piece in cut(data.decode(), size=size, name=f"{topic} {next(self._sent)}"):
            await self._send(piece)

    async def probe(self) -> None:
        """A ping; any WebSocket answers it, even one whose robot is busy in another thread."""
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        try:
            waiter = await self._socket.ping()
        except ConnectionClosed:
            return
        asyncio.ensure_future(waiter).add_done_callback(self._ponged)

    async def close(self) -> None:
        """A closing handshake, if it answers soon."""
        await self._socket.close(1001, "the run is over")

    def _ponged(self, waiter: asyncio.Future[float]) -> None:
        if not waiter.cancelled() and waiter.exception() is None:
            self.heard = True

    async def _send(self, data: bytes, *, text: bool = True) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        with suppress(ConnectionClosed):  # the listener notices too, and says why
            await self._socket.send(data, text=text)

    async def _tell(self, level: str, text: str, id_: str | None = None) -> None:
        if LEVELS.index(level) <= LEVELS.index(self._level):
            words = {"op": "status", "level": level, "msg": text}
            await self._send(to_json(words if id_ is None else {**words, "id": id_}))

    # from the client ------------------------------------------------------------------------------------------

    async def _advertise(self, said: Operation) -> None:
        topic, name = topic_of(said), text_of(said, "type")
        message_type = find_type(name)
        self.hub.advertise(self, topic, message_type)
        if message_type is None:
            await self._tell("error", f"{name!r:.100} is not a known message type: {topic!r} is ignored.", id_of(said))

    async def _unadvertise(self, said: Operation) -> None:
        self.advertised.pop(topic_of(said), None)

    async def _publish(self, said: Operation) -> None:
        topic = topic_of(said)
        message_type = self.advertised.get(topic) or self.hub.types.get(topic)
        if message_type is not None:
            self.hub.publish(self, topic, from_json(message_type, said.get("msg", {})))
        elif topic in self.advertised:
            self.hub.ignored += 1
        else:
            raise MalformedError(f"{topic!r} was never advertised, so its type is unknown. Advertise it first.")

    async def _subscribe(self, said: Operation) -> None:
        topic = topic_of(said)
        self.hub.subscribe(self, topic, id_of(said) or "", wish_of(said))
        latched = self.hub.latched.get(topic)
        if latched is not None:
            await self.deliver(topic, latched)

    async def _unsubscribe(self, said: Operation) -> None:
        self.hub.unsubscribe(self, topic_of(said), id_of(said))

    async def _fragment(self, said: Operation) -> None:
        whole = self._fragments.add(said.get("id"), said.get("num"), said.get("total"), said.get("data"))
        if whole is not None:
            op, inner = parse_operation(whole)
            if op == "fragment":
                raise MalformedError("A fragment of a fragment came.")
            await self._handlers[op](inner)

    async def _set_level(self, said: Operation) -> None:
        level = said.get("level")
        if level not in LEVELS:
            raise MalformedError(f"set_level: level is {level!r:.40}; wanted one of {', '.join(LEVELS)}.")
        self._level = level

    async def _status(self, said: Operation) -> None:
        """What a client says about itself is its own business."""

    # services -------------------------------------------------------------------------------------------------

    async def _call_service(self, said: Operation) -> None:
        service = topic_of(said, "service")
        arguments = said.get("args", {})
        function = self.hub.services.get(service)
        provider = self.hub.providers.get(service)
        if function is not None:
            values: Mapping[str, Any] = arguments if isinstance(arguments, Mapping) else {"args": arguments}
            try:
                answer, good = parse_json(to_json(function(values))), True
            except Exception as error:
                answer, good = {"message": f"{type(error).__name__}: {error}"}, False
            await self._answer(service, id_of(said), answer, good)
        elif isinstance(provider, RosbridgePeer):
            await provider._ask(service, arguments, self, id_of(said))
        else:
            known = sorted({*self.hub.services, *self.hub.providers})
            text = f"There is no service {service!r:.100}. There are: {', '.join(known) or 'none'}."
            await self._answer(service, id_of(said), {"message": text}, False)

    async def _ask(self, service: str, arguments: Any, caller: RosbridgePeer, id_: str | None) -> None:
        if len(self._calls) >= MAX_CALLS:
            raise MalformedError(f"More than {MAX_CALLS} calls of {service!r:.100} wait for an answer.")
        name = f"call {next(self._sent)}"
        self._calls[name] = (caller, id_)
        await self._send(to_json({"op": "call_service", "id": name, "service": service, "args": arguments}))

    async def _service_response(self, said: Operation) -> None:
        call = self._calls.pop(id_of(said) or "", None)
        if call is None:
            raise MalformedError(f"service_response: nobody waits for id {said.get('id')!r:.80}.")
        caller, id_ = call
        await caller._answer(topic_of(said, "service"), id_, said.get("values", {}), said.get("result") is not False)

    async def _answer(self, service: str, id_: str | None, values: Any, result: bool) -> None:
        words = {"op": "service_response", "service": service, "values": values, "result": result}
        await self._send(to_json(words if id_ is None else {**words, "id": id_}))

    async def _advertise_service(self, said: Operation) -> None:
        service = topic_of(said, "service")
        if service in self.hub.services:
            raise MalformedError(f"The service {service!r:.100} belongs to the rig.")
        if service not in self.hub.providers and len(self.hub.providers) >= MAX_TOPICS:
            raise MalformedError(f"More than {MAX_TOPICS} services are advertised.")
        self.hub.providers[service] = self

    async def _unadvertise_service(self, said: Operation) -> None:
        service = topic_of(said, "service")
        if self.hub.providers.get(service) is self:
            del self.hub.providers[service]
