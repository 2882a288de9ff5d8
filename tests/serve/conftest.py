"""A folder with campaigns of the toy study, and a server for it on a free port."""

from __future__ import annotations

import http.client
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stressfield.campaign import Plan, run_campaign
from stressfield.serve.app import CampaignServer, Served, bind, make_app

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


@dataclass
class Client:
    """A program that knows the token; ``headers`` say otherwise."""

    served: Served
    root: Path

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        *,
        token: bool = True,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=30)
        sent = {"Authorization": f"Bearer {self.served.token}"} if token else {}
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        if body is not None:
            sent["Content-Type"] = "application/json"
        try:
            connection.request(method, path, data, {**sent, **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, body: object = None) -> Answer:
        return self.ask("POST", path, body, {"X-Stressfield": "1"})

    def campaign(self, name: str) -> Any:
        return next(found for found in self.get("/api/campaigns").json if found["id"] == name)

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Wait for something that another process does."""
        end_s = time.monotonic() + 90.0
        while time.monotonic() < end_s:
            if found := holds():
                return found
            time.sleep(0.05)
        raise AssertionError(f"this never came: {what}")

    @contextmanager
    def events(self, path: str = "/api/events") -> Iterator[Iterator[tuple[str, Any]]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=60)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.served.token}"})
        stream = connection.getresponse()
        assert stream.status == 200

        def told() -> Iterator[tuple[str, Any]]:
            name = ""
            for line in iter(stream.readline, b""):
                key, _, value = line.decode().strip().partition(": ")
                if key == "event":
                    name = value
                elif key == "data":
                    yield name, json.loads(value)

        try:
            yield told()
        finally:
            connection.close()


@contextmanager
def serving(root: Path, **options: Any) -> Iterator[Client]:
    with bind(0) as listening:
        served = make_app(root, port=listening.getsockname()[1], **options)
        server = CampaignServer(served)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        client = Client(served, root)
        try:
            client.until(lambda: server.started or not thread.is_alive(), "the server starts")
            yield client
        finally:
            server.should_exit = True
            thread.join(60)
            assert not thread.is_alive()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two campaigns of the same worlds: a build that brakes late, and one that raises at times."""
    root = tmp_path_factory.mktemp("made")
    for build in ("late", "raises"):
        plan = Plan(study=TOY, build=build, seed=3, worlds=6, repeats=2, template="r", keep="all")
        run_campaign(plan, root / build, in_process=True)
    return root


@pytest.fixture(scope="module")
def served(made: Path) -> Iterator[Client]:
    """Only shows."""
    with serving(made) as client:
        yield client


@pytest.fixture
def active(made: Path, tmp_path: Path) -> Iterator[Client]:
    """May begin the toy study, on a copy of the folder."""
    root = tmp_path / "runs"
    shutil.copytree(made, root)
    with serving(root, studies=[TOY], workers=1) as client:
        yield client
