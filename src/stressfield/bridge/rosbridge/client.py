"""A client of a rosbridge server: joins a ROS graph that is already there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from stressfield.bridge._json_message import from_json, to_json
from stressfield.bridge.rosbridge._dialect import Dialect, parse_frame
from stressfield.bridge.rosbridge._protocol import Fragments
from stressfield.bus import Message
from stressfield.bus.message import not_finite
from stressfield.errors import InputError, MalformedError, NotInstalledError, RigError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

CONNECT_S = 4.0
PROBE_S = 0.5
BEAT_S = 0.05
CALL_S = 4.0
CLOSE_S = 0.5
MAX_BYTES = 64 * 1024 * 1024
"""The longest message of a server: a cloud or a picture. Who runs the server is trusted more than a stranger."""

REFUSED = (401, 403)
"""What a server answers to a wrong token."""

Heard = Callable[[str, Message], None]
Operation = Mapping[str, Any]


class RosbridgeClient:
    """One connection. ``heard(topic, message)`` is called for every message of the topics subscribed to.

    What is sent is written in ``dialect``, which has to be found out (``find_dialect``) before anything odd is sent.
    """

    def __init__(
        self, url: str, heard: Heard, *, token: str | None = None, silence_s: float = 3.0, max_lag_s: float = 1.0
    ) -> None:
        if not url.startswith(("ws://", "wss://")):
            raise InputError(f"The address of the rosbridge server is {url!r}; wanted one such as ws://localhost:9090.")
        self.url, self.token = url, token
        self._heard, self._silence_s, self._max_lag_s = heard, silence_s, max_lag_s
        self.dialect = Dialect()
        self._types: dict[str, type[Message]] = {}
        self._exact: set[str] = set()
        self._raw: dict[str, Callable[[Operation, bool], None]] = {}
        self._calls: dict[str, asyncio.Future[Operation]] = {}
        self._services: dict[str, Callable[[], Mapping[str, Any]]] = {}
        self.actions: dict[str, Callable[[Operation], None]] = {}
        """Who is told of ``action_feedback`` and ``action_result``, by the id of the goal."""
        self.echo = ""
        """A service that answers at once, if there is one. Servers answer a ping at once, but let all else wait in a
        queue: only the answer to a call tells how far behind they are."""
        self._ids = count(1)
        self._fragments = Fragments(max_bytes=MAX_BYTES)
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.changed = asyncio.Event()
        """Set when a message came or the connection is lost."""
        self.trouble: RigError | None = None
        self.said: list[str] = []
        """What the server said of errors: the last few."""

    @property
    def address(self) -> str:
        """The address without a token in it."""
        return self.url.partition("?")[0]

    async def connect(self) -> None:
        """Connect. RigError if nobody answers, InputError if the token is wrong."""
        self._socket = await open_socket(self.url, self.token)
        self._tasks = [asyncio.ensure_future(self._listen()), asyncio.ensure_future(self._watch())]

    # topics ---------------------------------------------------------------------------------------------------

    async def subscribe(self, topic: str, message_type: type[Message], *, exact: bool = False) -> None:
        """Hear a topic. ``exact`` is for what will be passed on: a ``null`` in it, of which nobody knows whether it was
        NaN or infinite, is then trouble.
        """
        self._types[topic] = message_type
        if exact:
            self._exact.add(topic)
        await self._subscribe(topic, message_type.ros_type, self.dialect.wants_cbor(message_type))

    async def subscribe_raw(
        self, topic: str, ros_type: str, heard: Callable[[Operation, bool], None], *, compression: str = "none"
    ) -> None:
        """Hear a topic as parsed values; the second argument says whether it came as CBOR."""
        self._raw[topic] = heard
        await self._subscribe(topic, ros_type, compression)

    async def _subscribe(self, topic: str, ros_type: str, compression: str) -> None:
        words = {"op": "subscribe", "topic": topic, "type": self.dialect.type_name(ros_type), "queue_length": 0}
        await self.send({**words, "compression": compression} if compression != "none" else words)

    async def unsubscribe(self, topic: str) -> None:
        """Hear a topic no more."""
        self._types.pop(topic, None)
        self._raw.pop(topic, None)
        await self.send({"op": "unsubscribe", "topic": topic})

    async def advertise(self, topic: str, ros_type: str, *, latch: bool = False) -> None:
        """Announce what will be published."""
        await self.send_text(self.dialect.advertise(topic, ros_type, latch=latch))

    async def publish(self, topic: str, message: Message, *, latch: bool = False) -> None:
        """Publish a message. RigError if the server cannot be told it."""
        await self.send_text(self.dialect.publish(topic, message, latch=latch))

    # services -------------------------------------------------------------------------------------------------

    async def call(self, service: str, arguments: Operation | None = None, *, within_s: float = CALL_S) -> Operation:
        """Call a service of the graph; RigError if it fails or does not answer."""
        name = f"stressfield call {next(self._ids)}"
        answer = self._calls[name] = asyncio.get_running_loop().create_future()
        await self.send({"op": "call_service", "id": name, "service": service, "args": dict(arguments or {})})
        try:
            said = await asyncio.wait_for(answer, within_s)
        except TimeoutError:
            self.check()
            raise RigError(f"The service {service} of the ROS graph did not answer within {within_s:g} s.") from None
        finally:
            self._calls.pop(name, None)
        values = said.get("values")
        if said.get("result") is False:
            raise RigError(f"The service {service} of the ROS graph failed: {values!r:.300}")
        return values if isinstance(values, dict) else {"values": values}

    async def serve(self, service: str, ros_type: str, answer: Callable[[], Mapping[str, Any]]) -> None:
        """Offer a service without arguments to the graph."""
        self._services[service] = answer
        await self.send({"op": "advertise_service", "service": service, "type": self.dialect.type_name(ros_type)})

    async def withdraw(self, *, within_s: float) -> None:
        """Offer no service any more, and wait until all that was sent is done: servers keep the services of clients
        that have left, and drop what they have not read yet when a client leaves.
        """
        if self._socket is None or self.trouble is not None:
            return
        for service in self._services:
            await self.send({"op": "unadvertise_service", "service": service})
        self._services.clear()
        await self.flush(within_s)

    # the connection -------------------------------------------------------------------------------------------

    async def send(self, words: Operation) -> None:
        """Send an operation of plain values."""
        await self.send_text(to_json(words))

    async def send_text(self, text: bytes) -> None:
        """Send an operation that is JSON already."""
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        assert self._socket is not None
        try:
            async with asyncio.timeout(self._silence_s):
                await self._socket.send(text, text=True)
        except (ConnectionClosed, TimeoutError) as error:
            self._fail(f"The connection to the ROS graph was lost: {type(error).__name__} while sending.")

    async def flush(self, within_s: float) -> bool:
        """Until the server has done all that was sent; whether it has in time."""
        if self.echo:
            with suppress(RigError):
                await self.call(self.echo, within_s=within_s)
                return True
            return False
        await asyncio.sleep(min(within_s, 0.2))  # nothing tells: a ping is answered before the queue is read
        return False

    async def close(self) -> None:
        """Say good-bye and let go."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    def check(self) -> None:
        """Raise what went wrong."""
        if self.trouble is not None:
            raise self.trouble

    async def _listen(self) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        assert self._socket is not None
        with suppress(ConnectionClosed):
            async for frame in self._socket:
                try:
                    await self._handle(frame)
                except MalformedError as error:
                    self._fail(f"The ROS graph sent what cannot be understood: {error}")
                    return
                except Exception as error:  # a listener that ended unnoticed would leave the run deaf
                    self._fail(f"The bridge broke down: {type(error).__name__}: {error}")
                    return
        code = self._socket.close_code
        self._fail(f"The connection to the ROS graph was lost (WebSocket code {code}).")

    async def _handle(self, frame: str | bytes) -> None:
        said = parse_frame(frame, max_bytes=MAX_BYTES)
        if not isinstance(said, dict):
            raise MalformedError(f"An operation is {said!r:.60}; wanted an object with 'op'.")
        op, topic, name = said.get("op"), said.get("topic"), str(said.get("id"))
        if op == "fragment":
            whole = self._fragments.add(said.get("id"), said.get("num"), said.get("total"), said.get("data"))
            if whole is not None:
                await self._handle(whole)
        elif op == "publish" and isinstance(topic, str):
            self._published(topic, said.get("msg"), frame)
        elif op == "service_response" and name in self._calls:
            if not self._calls[name].done():
                self._calls[name].set_result(said)
        elif op == "call_service" and said.get("service") in self._services:
            service = said["service"]
            words = {"op": "service_response", "service": service, "values": self._services[service](), "result": True}
            await self.send({**words, "id": said["id"]} if "id" in said else words)
        elif op in {"action_result", "action_feedback"} and name in self.actions:
            self.actions[name](said)
            self.changed.set()
        elif op == "status":
            self.said = [*self.said[-9:], f"{said.get('level')}: {said.get('msg')}"[:500]]

    def _published(self, topic: str, said: Any, frame: str | bytes) -> None:
        if topic in self._raw and isinstance(said, dict):
            self._raw[topic](said, isinstance(frame, bytes))
        elif topic in self._types:
            try:
                message = from_json(self._types[topic], said)
            except MalformedError as error:
                raise MalformedError(f"{topic}: {error}") from error
            if topic in self._exact and isinstance(frame, str) and "null" in frame and (odd := not_finite(message)):
                raise MalformedError(
                    f"{topic} has null in {sorted(odd)[0]!r}: this server says so of NaN and of the infinities alike, "
                    "so the message cannot be passed on as it was."
                )
            self._heard(topic, message)
        else:
            return
        self.changed.set()

    async def _watch(self) -> None:
        """Ask for a sign of life again and again, and for one that tells how far behind the server is. Only beats of
        this loop count: while it stands still nobody listens.
        """
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        assert self._socket is not None
        with suppress(ConnectionClosed, RigError):
            while True:
                await asyncio.sleep(PROBE_S)
                pong, beats = asyncio.ensure_future(await self._socket.ping()), 0
                while not pong.done():
                    await asyncio.wait([pong], timeout=BEAT_S)
                    beats += 1
                    if beats * BEAT_S > self._silence_s - PROBE_S:
                        self._fail(f"The ROS graph has given no sign of life for {self._silence_s:g} s.")
                        return
                if self.echo and await self._is_late():
                    return

    async def _is_late(self) -> bool:
        called, beats = asyncio.ensure_future(self.call(self.echo, within_s=60.0)), 0
        try:
            while not called.done():
                await asyncio.wait([called], timeout=BEAT_S)
                beats += 1
                if beats * BEAT_S > self._max_lag_s:
                    self._fail(
                        f"The ROS graph's rosbridge server is more than {self._max_lag_s:g} s behind with what is sent "
                        "to it: nothing arrived when the record says so. Send less, or use a larger max_lag_s."
                    )
                    return True
        finally:
            called.cancel()
            await asyncio.gather(called, return_exceptions=True)
        return False

    def _fail(self, text: str) -> None:
        said = f" The server said: {'; '.join(self.said)}" if self.said else ""
        self.trouble = self.trouble or RigError(text + said)
        for waiting in self._calls.values():
            if not waiting.done():
                waiting.set_exception(self.trouble)
        self.changed.set()


async def open_socket(url: str, token: str | None) -> ClientConnection:
    """A connection to a rosbridge server."""
    try:
        from websockets.asyncio.client import connect  # noqa: PLC0415
        from websockets.exceptions import InvalidStatus, WebSocketException  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalledError(
            "rosbridge needs the package websockets: pip install 'stressfield[rosbridge]'."
        ) from error
    opening = connect(
        url,
        additional_headers={"Authorization": f"Bearer {token}"} if token else None,
        compression=None,
        max_size=MAX_BYTES,
        ping_interval=None,
        open_timeout=CONNECT_S,
        close_timeout=CLOSE_S,
        proxy=None,
    )
    address = url.partition("?")[0]
    try:
        return await opening.__aenter__()
    except InvalidStatus as error:
        code = error.response.status_code
        if code in REFUSED:
            given = "the token that it was given" if token or "token=" in url else "a client without a token"
            raise InputError(
                f"The rosbridge server at {address} refuses {given} (HTTP {code}). Give the right one as token=..."
            ) from error
        raise RigError(f"No rosbridge server answers at {address}: {error}.") from error
    except (OSError, TimeoutError, WebSocketException) as error:
        why = str(error) or f"no answer within {CONNECT_S:g} s"
        raise RigError(f"No rosbridge server answers at {address}: {why}.") from error
