"""Strangers at the API: what they may not, they cannot; and whatever they send, the server goes on."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from stressfield.serve.guard import BODY_MAX

from .conftest import Client


def test_who_has_no_token_gets_nothing_but_the_files_of_the_page(served: Client) -> None:
    for path in ("/", "/api/campaigns", "/api/openapi.json", "/api/events", "/api/campaigns/late/runs", "/nowhere"):
        answer = served.ask("GET", path, token=False)
        assert (answer.status, "Open the link" in answer.error) == (401, True), path
        wrong = served.ask("GET", path, headers={"Authorization": "Bearer wrong"}, token=False)
        assert wrong.status == 401
    assert served.ask("GET", f"/api/campaigns?token={served.served.token}", token=False).status == 401
    assert served.ask("GET", "/?token=wrong", token=False).status == 401
    for name in ("app.js", "app.css", "report.css"):
        assert served.ask("GET", f"/static/{name}", token=False).status == 200


def test_the_link_gives_a_cookie_that_only_this_site_sends(served: Client) -> None:
    page = served.ask("GET", f"/?token={served.served.token}", token=False)
    assert page.status == 200
    name, *rest = page.headers["set-cookie"].split("; ")
    assert rest == ["HttpOnly", "SameSite=Strict", "Path=/"]
    assert served.ask("GET", "/api/campaigns", headers={"Cookie": name}, token=False).status == 200
    assert "set-cookie" not in served.get("/").headers
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Cookie": "a" * 20_000}, 431),
    ],
)
def test_a_page_of_another_site_is_refused_whatever_it_knows(
    served: Client, headers: Mapping[str, str], status: int
) -> None:
    answer = served.get("/api/campaigns", headers)
    assert answer.status == status


def test_what_changes_something_needs_more(served: Client) -> None:
    plain = served.ask("POST", "/api/campaigns/late/resume")
    assert (plain.status, "X-Stressfield" in plain.error) == (403, True)
    large = served.post("/api/campaigns", b"x" * (BODY_MAX + 1))
    assert (large.status, "too large" in large.error) == (413, True)
    assert served.get("/api/campaigns?x=" + "a" * 5_000).status == 414
    assert served.ask("DELETE", "/api/campaigns/late", headers={"X-Stressfield": "1"}).status == 405


def test_no_web_sockets(served: Client) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "eHg=",
    }
    assert served.get("/api/events2", upgrade).status == 404
