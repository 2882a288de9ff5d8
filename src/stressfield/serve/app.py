"""The whole server: the API, the pages, and the guard before both."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.responses import Response

from stressfield.errors import InputError, RigError
from stressfield.report.html import packed
from stressfield.serve.api import add_api
from stressfield.serve.catalogue import UnknownError
from stressfield.serve.guard import HEADERS_MAX, App, Guard
from stressfield.serve.live_runs import LiveRun
from stressfield.serve.parts import Parts

LOOPBACK = "127.0.0.1"
CONNECTIONS_MAX = 128
LAST_WORD_S = 2.0
"""How long the end of a twin waits for pages to take what came of it."""
TAGS = {
    "campaigns": "What campaigns say, and how they change.",
    "runs": "Single runs of a campaign, their recordings and views.",
    "jobs": "What was begun: campaigns started, resumed, judged again, made small.",
    "editors": "Testing spaces and worlds: their forms, what is wrong with them, what they mean.",
    "live": "One run while it goes on: held, stepped, watched, disturbed.",
}
PAGES = {
    "index.html": "text/html; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "app.css": "text/css; charset=utf-8",
    "report.css": "text/css; charset=utf-8",
    "space.js": "text/javascript; charset=utf-8",
    "recording.js": "text/javascript; charset=utf-8",
}
"""Files of the pages, by name. There are no others: nothing in an address is taken for a path."""

PACKED = ("space.js", "recording.js")
"""Parts of the viewer that are kept compressed, and sent so: every browser unpacks them."""


@dataclass(frozen=True, slots=True)
class Served:
    """An application, and how to get in."""

    app: App
    api: FastAPI
    """Without the guard: ``api.openapi()`` is the published document."""
    parts: Parts
    token: str
    port: int

    @property
    def link(self) -> str:
        """What to open in a browser: it holds the token."""
        return f"http://{LOOPBACK}:{self.port}/?token={self.token}"


def make_app(
    root: str | Path,
    *,
    port: int,
    studies: Sequence[str] = (),
    at_once: int = 1,
    workers: int | None = None,
    known_issues: Path | None = None,
    token: str | None = None,
) -> Served:
    """The application for a folder, on a port of this machine. ``studies`` may be begun; without any it only reads.

    ``at_once`` jobs at most run at a time, each with so many ``workers``. Decisions about
    findings are kept in the file ``known_issues``; without one there are none.
    """
    token = token or secrets.token_urlsafe(24)
    parts = Parts.of(root, studies=studies, at_once=at_once, workers=workers, known_issues=known_issues)
    watch, jobs = parts.watch, parts.jobs

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        watch.start()
        try:
            yield
        finally:
            watch.close()
            await asyncio.to_thread(parts.live.close)
            await asyncio.to_thread(jobs.close)

    app = _pages(parts, life)
    hosts = [f"{name}:{port}" for name in (LOOPBACK, "localhost", "[::1]")]
    guarded = Guard(app, token=token, hosts=hosts, cookie=f"stressfield_{port}")
    return Served(guarded, app, parts, token, port)


def _pages(parts: Parts, life: Callable[[FastAPI], AbstractAsyncContextManager[None]]) -> FastAPI:
    """The pages and the API, without the guard."""
    app = FastAPI(
        title="stressfield",
        version=version("stressfield"),
        summary="Campaigns of simulated robot tests: watch them, ask about them, begin them.",
        openapi_url="/api/openapi.json",
        # The usual pages about an API load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=life,
        openapi_tags=[{"name": name, "description": words} for name, words in TAGS.items()],
    )
    add_api(app, parts)
    _tell_security(app)

    @app.get("/", include_in_schema=False)
    def page() -> Response:
        return _file("index.html")

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        return Response(status_code=204)

    @app.get("/static/{name}", include_in_schema=False)
    def static(name: str) -> Response:
        return _file(name)

    return app


def _tell_security(app: FastAPI) -> None:
    """How the guard lets in, in the document: it stands before the application, which knows nothing of it."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        words = "The token of the link that 'stressfield serve' prints. To change something: X-Stressfield: 1, too."
        scheme = {"type": "http", "scheme": "bearer", "description": words}
        document["components"]["securitySchemes"] = {"token": scheme}
        document["security"] = [{"token": []}]
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _file(name: str) -> Response:
    if name not in PAGES:
        raise UnknownError(f"There is no file {name!r:.80}.")
    headers = {"cache-control": "no-cache"}
    if name in PACKED:
        return Response(
            packed(name.removesuffix(".js")), media_type=PAGES[name], headers={**headers, "content-encoding": "gzip"}
        )
    folder = files("stressfield.report" if name == "report.css" else "stressfield.serve") / "static"
    return Response((folder / name).read_bytes(), media_type=PAGES[name], headers=headers)


class CampaignServer(uvicorn.Server):
    """Ends streams first: they have no end of their own, and the server waits for what is open."""

    def __init__(self, served: Served) -> None:
        self._watch, self._live = served.parts.watch, served.parts.live
        config = uvicorn.Config(
            served.app,
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=CONNECTIONS_MAX,
            h11_max_incomplete_event_size=HEADERS_MAX,
            http="h11",
            ws="none",
            timeout_keep_alive=10,
            timeout_graceful_shutdown=3,
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """After Ctrl-C, SIGTERM or ``should_exit``."""
        self._live.end_streams()
        await asyncio.to_thread(self._watch.close)
        await super().shutdown(sockets)


def bind(port: int) -> socket.socket:
    """The port of this machine alone, taken; 0: one that is free. InputError if somebody else has it."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((LOOPBACK, port))
        # From now on the system keeps whoever comes until the server is there: the link is good once it is printed.
        taken.listen(CONNECTIONS_MAX)
    except (OSError, OverflowError) as error:
        taken.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"Cannot listen on port {port}: {reason}. Choose another: --port 0 takes a free one."
        ) from None
    return taken


def serve(served: Served, listening: socket.socket) -> None:
    """Serve until Ctrl-C. Jobs that were begun are then stopped, and can be resumed."""
    server = CampaignServer(served)
    with suppress(KeyboardInterrupt):  # raised once more when all is done
        server.run(sockets=[listening])
    if not server.started:
        raise RigError("The server could not start. See above.")


@contextmanager
def serving_twin(
    folder: Path, *, port: int, study: str, recording: str, stop: Callable[[], None]
) -> Iterator[tuple[LiveRun, str]]:
    """The page of a twin that runs in this process, and the link to it, until that has ended.

    Whoever looks at the page when it ends is told what came of it. InputError if somebody else has the port.
    """
    with closing(bind(port)) as listening:
        served = make_app(folder, port=listening.getsockname()[1])
        run = served.parts.live.add_twin(study, folder, recording, stop)
        server = CampaignServer(served)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="stressfield-page")
        thread.start()
        try:
            yield run, f"{served.link}#/live/{run.id}"
        finally:
            run.end()
            until_s = time.monotonic() + LAST_WORD_S
            while run.listeners and time.monotonic() < until_s:
                time.sleep(0.02)
            server.should_exit = True
            thread.join()
