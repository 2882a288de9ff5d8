"""The server of campaigns, over real sockets: strangers at its API, without the token and with it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from contextlib import suppress
from pathlib import Path
from random import Random

from row import Figure, Size

from stressfield.campaign import Plan, load, run_campaign
from stressfield.serve.app import CampaignServer, Served, bind, make_app

YARD = str(Path(__file__).parents[2] / "examples" / "yard.py")
KNOWN = (
    "campaigns", "campaigns/yard", "campaigns/yard/runs", "campaigns/yard/findings", "compare", "jobs", "studies",
    "campaigns/yard/values", "campaigns/yard/progress", "campaigns/yard/mechanisms", "history", "model", "space",
    "space/schema", "live", "live/1", "live/1/trace", "live/1/events",
)  # fmt: skip
FIELDS = (
    "where", "sort", "offset", "limit", "category", "finding", "text", "baseline", "candidate", "descending", "name",
    "study",
)  # fmt: skip
DOING = (
    "campaigns", "campaigns/yard/shrink", "campaigns/yard/rejudge", "campaigns/yard/resume", "campaigns/yard/stop",
    "campaigns/yard/decisions", "campaigns/yard/runs/x/again", "searches", "worlds", "space", "live",
    "live/1/do",
)  # fmt: skip
BODIES = (
    b"", b"{", b"[]", b"null", b'{"study": 3}', b'{"study": "yard", "name": "x"}', b"\xff\xfe", b"[" * 5_000,
    b'{"yaml": "' + b"[" * 2_000 + b'"}', b'{"yaml": "a: &a [*a]"}', b'{"values": ' + b'{"a":' * 150 + b"}" * 150,
    b'{"values": {"name": "x", "operations": [{"do": "loss", "name": "a", "topics": ["/a"], "probability": [1e999]}]}}',
    b'{"property": "clear", "subcase": null, "decision": "bug", "reason": "x", "expires": "9999-12-31"}',
    b'{"property": "clear", "decision": "bug", "reason": "x", "expires": "10000-12-31"}',
    b'{"do": "inject", "operation": {"do": "loss"}}', b'{"do": "change", "node": "__class__", "parameter": "__dict__"}',
    b'{"study": "yard", "template": "--out=/tmp/x", "rate": 1e999}',
)  # fmt: skip
METHODS = ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE")
STRANGE = (
    {"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
    {"Authorization": "Bearer wrong"}, {"Authorization": ""}, {"Authorization": "Basic eDp4"},
)  # fmt: skip
"""What makes a stranger of whoever knows everything else."""


def strangers(size: Size) -> Figure:
    """Nobody without the token, or from another site, is told anything; no request makes the server fail."""
    root = size.folder / "served"
    run_campaign(
        Plan(study=YARD, build="default", seed=1, worlds=2, repeats=1, template="r"), root / "yard", in_process=True
    )
    before = len(load(root / "yard").runs)
    with bind(0) as listening:
        served = make_app(root, port=listening.getsockname()[1])
        server = CampaignServer(served)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                thread.join(0.01)
            return _tried(served, size.pick(600, 50_000), before, root)
        finally:
            server.should_exit = True
            thread.join()


def _tried(served: Served, count: int, before: int, root: Path) -> Figure:
    rng, let_in, failed, example = Random(19), 0, 0, ""
    for number in range(count):
        knows = number % 2 == 0
        status = _visit(served, rng, knows=knows)
        wrong = (not knows and 200 <= status < 400) or status >= 500
        let_in += not knows and 200 <= status < 400
        failed += status >= 500
        example = example or (f"; request {number} was answered {status}" if wrong else "")
    begun = len(served.parts.jobs.all())
    good = _ask(served, "GET", "/api/campaigns/yard", {"Authorization": f"Bearer {served.token}"})
    same = good == 200 and len(load(root / "yard").runs) == before
    text = (
        f"{count:,} bad requests over HTTP: {let_in} let in, {failed} failures of the server, {begun} processes begun; "
        f"afterwards a good client was {'served' if same else 'NOT served'}{example}"
    )
    return Figure(not (let_in or failed or begun) and same, text)


def _visit(served: Served, rng: Random, *, knows: bool) -> int:
    """One bad request; the status of the answer, 0 if there was none."""
    characters = (
        chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x80, 0x10FF)))) for _ in range(rng.randrange(30))
    )
    junk = "".join(characters)
    quoted = "".join(f"%{byte:02x}" for byte in junk.encode())
    kind, path = rng.randrange(5), f"/api/{rng.choice(KNOWN)}"
    headers = {"Authorization": f"Bearer {served.token}", "X-Stressfield": "1"}
    if not knows:
        headers |= rng.choice(STRANGE)
    if kind == 0:
        return _raw(served, rng.randbytes(rng.randrange(1, 400)))
    if kind == 1:
        return _ask(served, rng.choice(METHODS), f"{path}/{quoted}", headers)
    if kind == 2:
        asked = "&".join(f"{rng.choice(FIELDS)}={quoted[: 3 * rng.randrange(30)]}" for _ in range(rng.randrange(1, 5)))
        return _ask(served, "GET", f"{path}?{asked}", headers)
    if kind == 3:
        body = rng.choice((*BODIES, junk.encode(), _body(rng, junk)))
        return _ask(served, "POST", f"/api/{rng.choice(DOING)}", headers, body)
    headers["Range"] = f"bytes={junk.encode('ascii', 'ignore').decode()}"
    return _ask(served, rng.choice(METHODS), path, headers)


def _body(rng: Random, junk: str) -> bytes:
    """Fields that some question has, each with something odd in it."""
    names = ("finding", "name", "study", "descriptor", "yaml", "property", "decision", "reason", "expires", "space")
    odd = (junk, None, -1, 1e308, [junk], {junk: junk}, True)
    return json.dumps({name: rng.choice(odd) for name in rng.sample(names, rng.randrange(1, 5))}).encode()


def _ask(served: Served, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except (http.client.HTTPException, ConnectionError):
        return 0
    finally:
        connection.close()


def _raw(served: Served, data: bytes) -> int:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as raw, suppress(ConnectionError):
        raw.sendall(data + b"\r\n\r\n")
        answer = raw.recv(64)
        if answer.startswith(b"HTTP/1"):
            return int(answer.split()[1])
    return 0
