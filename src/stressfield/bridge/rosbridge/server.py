"""A server of the rosbridge v2 protocol: JSON over WebSocket."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from contextlib import suppress
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from stressfield._files.json_text import MAX_BYTES
from stressfield.bridge._handshake import check_address, in_address, refusal
from stressfield.bridge.hub import Hub
from stressfield.bridge.rosbridge._peer import RosbridgePeer
from stressfield.errors import MalformedError, NotInstalledError, RigError

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

CLOSE_TIMEOUT_S = 0.5
STOP_TIMEOUT_S = 0.8
"""How long clients may take over their good-byes, all together; then their connections are cut."""

CUT_TIMEOUT_S = 0.2
"""How long it may take until everybody has noticed that."""

GOOD_BYES = (1000, 1001, 1005)  # WebSocket: closed normally, going away, no reason given
"""How a WebSocket is closed on purpose: normally, by somebody who goes away, without a code."""

_log = logging.getLogger("stressfield.bridge")
_log.addHandler(logging.NullHandler())
_log.propagate = False


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. RigError if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise RigError(
                f"Port {port} of {host} is in use. Stop what listens there, or take another port (0 finds a free one)."
            ) from error
        raise RigError(f"The bridge cannot listen on {host}, port {port}: {error.strerror}.") from error


class RosbridgeServer:
    """Lets rosbridge clients join a hub. Start and stop it in the hub's event loop."""

    def __init__(
        self,
        hub: Hub,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        public: bool = False,
        origins: tuple[str, ...] = (),
    ) -> None:
        check_address(host, public=public, token=token)
        self._hub = hub
        self._host, self._port, self._token, self._origins = host, port, token, origins
        self._server: Server | None = None
        self._accepted: WeakSet[ServerConnection] = WeakSet()
        self._names = count(1)

    @property
    def port(self) -> int:
        """Where it listens, once it does."""
        return self._port

    @property
    def url(self) -> str:
        """What a client connects to, with the token if there is one."""
        return f"ws://{in_address(self._host)}:{self._port}/" + (f"?token={self._token}" if self._token else "")

    async def start(self) -> None:
        """Begin to listen."""
        try:
            from websockets.asyncio.server import ServerConnection, serve  # noqa: PLC0415
        except ImportError as error:
            raise NotInstalledError(
                "rosbridge needs the package websockets: pip install 'stressfield[rosbridge]'."
            ) from error

        accepted = self._accepted

        class Accepted(ServerConnection):
            """The library lists only connections whose handshake is done; those before it must end too."""

            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(*arguments, **options)
                accepted.add(self)

        listener = listening_socket(self._host, self._port)
        self._port = listener.getsockname()[1]
        self._server = await serve(
            self._serve,
            sock=listener,
            process_request=self._check,
            compression=None,
            max_size=MAX_BYTES,
            ping_interval=None,
            close_timeout=CLOSE_TIMEOUT_S,
            logger=_log,
            create_connection=Accepted,
        )

    async def stop(self) -> None:
        """Close every connection, then the door. Who says no good-bye soon, or never said hello, is cut off."""
        if self._server is None:
            return
        server, self._server = self._server, None
        server.close(code=1001, reason="the run is over")
        # Not asyncio.timeout: that would cancel the closing itself, which has to go on after the connections are cut.
        closing = asyncio.ensure_future(server.wait_closed())
        done, _ = await asyncio.wait([closing], timeout=STOP_TIMEOUT_S)
        if not done:
            for connection in list(self._accepted):
                if hasattr(connection, "transport"):  # else it was accepted this very moment, and finds the door closed
                    connection.transport.abort()
            await asyncio.wait([closing], timeout=CUT_TIMEOUT_S)
        closing.cancel()

    def _check(self, connection: ServerConnection, request: Request) -> Response | None:
        why = refusal(
            request.headers,
            request.path,
            host=self._host,
            port=self._port,
            token=self._token,
            origins=self._origins,
        )
        if not why:
            return None
        self._hub.refused = why
        return connection.respond(HTTPStatus.FORBIDDEN, why + "\n")

    async def _serve(self, connection: ServerConnection) -> None:
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415

        connection.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = RosbridgePeer(self._hub, f"client {next(self._names)}", connection)
        try:
            self._hub.join(peer)
        except MalformedError as error:
            await connection.close(1013, str(error))
            return
        try:
            with suppress(ConnectionClosed):
                await peer.listen()
        except Exception as error:
            self._hub.fail(RigError(f"The bridge broke down: {type(error).__name__}: {error}"))
        finally:
            self._hub.leave(peer, _reason(connection), good_bye=connection.close_code in GOOD_BYES)


def _reason(connection: ServerConnection) -> str:
    if connection.close_code is None:
        return "the bridge closed it"
    if connection.close_code == 1006:
        return "it broke off without a good-bye (WebSocket code 1006)"
    said = f": {connection.close_reason}" if connection.close_reason else ""
    return f"the subject closed it (WebSocket code {connection.close_code}{said:.200})"
