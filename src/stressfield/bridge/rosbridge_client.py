"""A client of a rosbridge server: joins a ROS graph that is already there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from stressfield._files.json_text import MAX_BYTES, parse_json
from stressfield.bridge._json_message import from_json, to_json
from stressfield.bridge._rosbridge_protocol import Fragments
from stressfield.bus import Message
from stressfield.bus.message import short_name
from stressfield.errors import InputError, MalformedError, NotInstalledError, RigError

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

CONNECT_S = 5.0
PROBE_S = 0.5

Heard = Callable[[str, Message], None]


class RosbridgeClient:
    """One connection. ``heard(topic, message)`` is called for every message of the topics subscribed to."""

    def __init__(self, url: str, heard: Heard, *, token: str | None = None, silence_s: float = 3.0) -> None:
        if not url.startswith(("ws://", "wss://")):
            raise InputError(f"The address of the rosbridge server is {url!r}; wanted one such as ws://localhost:9090.")
        self._url, self._heard, self._token, self._silence_s = url, heard, token, silence_s
        self._types: dict[str, type[Message]] = {}
        self._fragments = Fragments()
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.changed = asyncio.Event()
        """Set when a message came or the connection is lost."""
        self.trouble: RigError | None = None
        self.said: list[str] = []
        """What the server said of errors: the last few."""

    async def connect(self) -> None:
        """Connect. RigError if nobody answers."""
        try:
            from websockets.asyncio.client import connect  # noqa: PLC0415
            from websockets.exceptions import WebSocketException  # noqa: PLC0415
        except ImportError as error:
            raise NotInstalledError(
                "rosbridge needs the package websockets: pip install 'stressfield[rosbridge]'."
            ) from error
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else None
        opening = connect(
            self._url,
            additional_headers=headers,
            compression=None,
            max_size=MAX_BYTES,
            ping_interval=None,
            open_timeout=CONNECT_S,
            close_timeout=0.5,
            proxy=None,
        )
        try:
            self._socket = await opening.__aenter__()
        except (OSError, TimeoutError, WebSocketException) as error:
            raise RigError(f"No rosbridge server answers at {self._url.partition('?')[0]}: {error}.") from error
        self._tasks = [asyncio.ensure_future(self._listen()), asyncio.ensure_future(self._watch())]

    async def subscribe(self, topic: str, message_type: type[Message], *, queue_length: int = 0) -> None:
        """Hear a topic."""
        self._types[topic] = message_type
        name = short_name(message_type.ros_type)
        await self._send({"op": "subscribe", "topic": topic, "type": name, "queue_length": queue_length})

    async def advertise(self, topic: str, message_type: type[Message]) -> None:
        """Announce what will be published."""
        await self._send({"op": "advertise", "topic": topic, "type": short_name(message_type.ros_type)})

    async def publish(self, topic: str, message: Message) -> None:
        """Publish a message."""
        await self._send({"op": "publish", "topic": topic, "msg": message})

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

    async def _send(self, words: dict[str, Any]) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        assert self._socket is not None
        try:
            async with asyncio.timeout(self._silence_s):
                await self._socket.send(to_json(words), text=True)
        except (ConnectionClosed, TimeoutError) as error:
            self._fail(f"The connection to the ROS graph was lost: {type(error).__name__} while sending.")

    async def _listen(self) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        assert self._socket is not None
        with suppress(ConnectionClosed):
            async for frame in self._socket:
                try:
                    self._handle(frame)
                except MalformedError as error:
                    self._fail(f"The ROS graph sent what cannot be understood: {error}")
                    return
                except Exception as error:  # a listener that ended unnoticed would leave the run deaf
                    self._fail(f"The bridge broke down: {type(error).__name__}: {error}")
                    return
        code = self._socket.close_code
        self._fail(f"The connection to the ROS graph was lost (WebSocket code {code}).")

    def _handle(self, frame: str | bytes) -> None:
        said = parse_json(frame)
        if not isinstance(said, dict):
            raise MalformedError(f"An operation is {said!r:.60}; wanted an object with 'op'.")
        op, topic = said.get("op"), said.get("topic")
        if op == "fragment":
            whole = self._fragments.add(said.get("id"), said.get("num"), said.get("total"), said.get("data"))
            if whole is not None:
                self._handle(whole)
        elif op == "publish" and isinstance(topic, str) and topic in self._types:
            try:
                message = from_json(self._types[topic], said.get("msg"))
            except MalformedError as error:
                raise MalformedError(f"{topic}: {error}") from error
            self._heard(topic, message)
            self.changed.set()
        elif op == "status":
            self.said = [*self.said[-9:], f"{said.get('level')}: {said.get('msg')}"[:500]]

    async def _watch(self) -> None:
        """Ask for a sign of life again and again; a connection that gives none is lost."""
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        assert self._socket is not None
        with suppress(ConnectionClosed):
            while True:
                await asyncio.sleep(PROBE_S)
                pong = await self._socket.ping()
                try:
                    await asyncio.wait_for(asyncio.shield(pong), self._silence_s - PROBE_S)
                except TimeoutError:
                    self._fail(f"The ROS graph has given no sign of life for {self._silence_s:g} s.")
                    return

    def _fail(self, text: str) -> None:
        said = f" The server said: {'; '.join(self.said)}" if self.said else ""
        self.trouble = self.trouble or RigError(text + said)
        self.changed.set()
