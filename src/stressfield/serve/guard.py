"""Who may ask: checked before anything else sees a request.

* **Host** must be an address of this server: a page elsewhere whose name was made to point here has another (DNS
  rebinding).
* **Origin**, where a browser sends one, must be this server's own; ``Sec-Fetch-Site`` must not say that another asks.
* **Token**: drawn when the server starts. A browser has it from the first link and keeps it as a cookie that scripts
  cannot read and that no other site can make it send; scripts send ``Authorization: Bearer TOKEN``.
* **What changes something** needs a header that no form of another site can send, besides.
* **Size**: addresses, headers and bodies have limits.

The page itself may load nothing from elsewhere, and nobody may frame it.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

import msgspec

ADDRESS_MAX = 4_096
HEADERS_MAX = 16_384
BODY_MAX = 65_536
TOKEN = "token"
ASKED = b"x-stressfield"
"""The header of requests that change something. Its value does not matter: other sites cannot send it at all."""
OPEN = ("/static/", "/favicon.ico")
"""Files that are the same for everybody, and say nothing of any campaign."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
_SAFE = ("GET", "HEAD")

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """Wraps an application. ``hosts`` are the values of ``Host`` that mean this server."""

    def __init__(self, app: App, *, token: str, hosts: Iterable[str], cookie: str) -> None:
        self._app = app
        self._token, self._cookie = token, cookie
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the life of the server."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = dict(scope["headers"])
        if refused := self._refusal(scope, headers):
            await _refuse(send, *refused)
            return
        gave = self._given(scope)
        left = BODY_MAX

        async def limited() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            # The rest is not read: the application sees a body that ends here, and its answer to that is not sent.
            return {"type": "http.request", "body": b"", "more_body": False} if left < 0 else message

        async def protected(message: Message) -> None:
            if left < 0:
                return
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS, *gave]
            await send(message)

        await self._app(scope, limited, protected)
        if left < 0:
            await _refuse(send, 413, f"The body of the request is too large. Wanted at most {BODY_MAX} bytes.")

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        """Why a request goes no further, with its status; None if it may."""
        return _oversize(scope) or self._stranger(scope, headers)

    def _stranger(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self._hosts:
            return 421, f"This server is not {host!r:.80}. Wanted: {', '.join(sorted(self._hosts))}."
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").lower() != f"http://{host}":
            return 403, "Another site asks. Wanted a page of this server, or a program without an Origin."
        return None if scope["path"].startswith(OPEN) else self._unknown(scope, headers)

    def _unknown(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        if not self._knows(headers) and not self._given(scope):
            return 401, (
                "The token is missing or wrong. Open the link that 'stressfield serve' printed; a program sends it as "
                "'Authorization: Bearer TOKEN'."
            )
        if headers.get(b"sec-fetch-site", b"none") not in (b"none", b"same-origin") and not self._is_page(scope):
            return 403, "Another site asks. Wanted a page of this server."
        if scope["method"] not in _SAFE and ASKED not in headers:
            return 403, "What changes something needs the header 'X-Stressfield: 1', which other sites cannot send."
        return None

    def _knows(self, headers: dict[bytes, bytes]) -> bool:
        kind, _, given = headers.get(b"authorization", b"").partition(b" ")
        if kind.lower() == b"bearer" and self._is_token(given.strip()):
            return True
        try:
            jar = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            return False
        return self._cookie in jar and self._is_token(jar[self._cookie].value.encode("latin-1", "replace"))

    def _is_token(self, given: bytes) -> bool:
        return secrets.compare_digest(given, self._token.encode())

    @staticmethod
    def _is_page(scope: Scope) -> bool:
        """The page itself may be opened from elsewhere, a mail or a chat: it says nothing by itself."""
        return scope["method"] in _SAFE and scope["path"] == "/"

    def _given(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """The cookie for who comes with the link; the page takes the token out of its address at once."""
        if not self._is_page(scope) or b"token=" not in scope["query_string"]:
            return []
        given = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=8).get(TOKEN, [""])[0]
        if not self._is_token(given.encode("latin-1", "replace")):
            return []
        cookie = f"{self._cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        return [(b"set-cookie", cookie.encode())]


def _oversize(scope: Scope) -> tuple[int, str] | None:
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > ADDRESS_MAX:
        return 414, f"The address is too long. Wanted at most {ADDRESS_MAX} characters."
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADERS_MAX:
        return 431, f"The headers are too long. Wanted at most {HEADERS_MAX} bytes."
    return None


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = msgspec.json.encode({"error": reason})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
