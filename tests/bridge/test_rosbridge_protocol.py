"""Fragments, throttle and queue, and who may connect."""

from __future__ import annotations

import json
from random import Random

import pytest

from stressfield.bridge import Hub, RosbridgeServer
from stressfield.bridge._handshake import check_address, refusal
from stressfield.bridge.hub import Subscription, Wish
from stressfield.bridge.rosbridge._protocol import Fragments, cut
from stressfield.bus.messages import Float64Msg
from stressfield.errors import InputError, MalformedError

MS = 1_000_000


@pytest.mark.parametrize("size", [100, 333, 5000])
def test_what_is_cut_comes_together_in_any_order(size: int) -> None:
    text = json.dumps({"op": "publish", "msg": {"data": "å" * 1000}})
    pieces = [json.loads(piece) for piece in cut(text, size=size, name="m")]
    if size == 5000 and len(pieces) == 1:
        assert pieces[0]["op"] == "publish"
        return
    Random(1).shuffle(pieces)
    fragments = Fragments()
    whole = [fragments.add(p["id"], float(p["num"]), float(p["total"]), p["data"]) for p in pieces]
    assert whole[:-1] == [None] * (len(pieces) - 1)
    assert whole[-1] == text


@pytest.mark.parametrize(
    ("number", "total", "data"),
    [
        (3, 3, "x"),
        (float("nan"), 3, "x"),
        (0, float("inf"), "x"),
        (-1, 3, "x"),
        (0, 10_001, "x"),
        (0.5, 2, "x"),
        (0, "2", "x"),
        (0, 2, 7),
        (True, 2, "x"),
    ],
)
def test_a_fragment_that_cannot_be_is_malformed(number: object, total: object, data: object) -> None:
    with pytest.raises(MalformedError):
        Fragments().add("m", number, total, data)


def test_a_fragment_that_comes_twice_or_makes_too_long_a_message_is_malformed() -> None:
    fragments = Fragments(max_bytes=10)
    fragments.add("m", 0, 3, "12345")
    with pytest.raises(MalformedError, match="came twice"):
        fragments.add("m", 0, 3, "12345")
    with pytest.raises(MalformedError, match="longer than 10 characters"):
        fragments.add("m", 1, 3, "1234567")


def test_fragments_that_disagree_make_no_message() -> None:
    fragments = Fragments()
    fragments.add("m", 5, 10, "five")
    with pytest.raises(MalformedError, match="say that there are 10 of them, and 2"):
        fragments.add("m", 1, 2, "one")


def test_incomplete_messages_do_not_pile_up() -> None:
    fragments = Fragments()
    for name in range(100):
        fragments.add(name, 0, 2, "x")
    assert fragments.add(99, 1, 2, "y") == "xy"
    assert fragments.add(0, 1, 2, "y") is None


def sent(subscription: Subscription, times_ms: range) -> list[tuple[int, float]]:
    got = []
    for now in times_ms:
        message = Float64Msg(float(now))
        got += [(now, one.data) for one in subscription.offer(message, now * MS)]  # type: ignore[attr-defined]
    return got


def test_without_throttle_everything_is_sent() -> None:
    subscription = Subscription()
    subscription.wish("", Wish())
    assert len(sent(subscription, range(0, 100, 10))) == 10


def test_throttle_without_queue_loses_what_is_too_early() -> None:
    subscription = Subscription()
    subscription.wish("", Wish(throttle_ns=25 * MS))
    assert sent(subscription, range(0, 100, 10)) == [(0, 0.0), (30, 30.0), (60, 60.0), (90, 90.0)]


def test_throttle_with_a_queue_keeps_the_newest_in_order() -> None:
    subscription = Subscription()
    subscription.wish("", Wish(throttle_ns=25 * MS, queue_length=2))
    assert sent(subscription, range(0, 100, 10)) == [(0, 0.0), (30, 20.0), (60, 50.0), (90, 80.0)]
    assert subscription.due(91 * MS) == ()
    assert [one.data for one in subscription.due(115 * MS)] == [90.0]  # type: ignore[attr-defined]


def test_of_several_wishes_the_widest_counts_until_it_is_taken_back() -> None:
    subscription = Subscription()
    subscription.wish("slow", Wish(throttle_ns=50 * MS, fragment_size=500))
    subscription.wish("fast", Wish())
    assert len(sent(subscription, range(0, 100, 10))) == 10
    assert subscription.fragment_size == 500
    subscription.wish("fast", None)
    assert len(sent(subscription, range(100, 200, 10))) == 2


GOOD = {"Host": "127.0.0.1:9090"}


@pytest.mark.parametrize(
    ("headers", "path", "told"),
    [
        (GOOD, "/?token=secret", ""),
        ({"Host": "localhost:9090"}, "/?token=secret", ""),
        ({**GOOD, "Authorization": "Bearer secret"}, "/", ""),
        ({**GOOD, "Origin": "http://localhost:3000"}, "/?token=secret", ""),
        (GOOD, "/", "The token is missing or wrong"),
        (GOOD, "/?token=secre", "The token is missing or wrong"),
        ({"Host": "evil.example:9090"}, "/?token=secret", "Host is 'evil.example:9090'; wanted one of"),
        ({}, "/?token=secret", "Host is ''; wanted one of"),
        ({**GOOD, "Origin": "http://evil.example"}, "/?token=secret", "Origin is 'http://evil.example', which is not"),
        ({**GOOD, "Origin": "null"}, "/?token=secret", "Origin is 'null', which is not"),
    ],
)
def test_who_may_connect(headers: dict[str, str], path: str, told: str) -> None:
    origins = ["http://localhost:3000"]
    why = refusal(headers, path, host="127.0.0.1", port=9090, token="secret", origins=origins)
    assert why.startswith(told)
    assert bool(why) == bool(told)


@pytest.mark.parametrize(
    ("host", "public", "token", "told"),
    [
        ("0.0.0.0", False, "t", "where others can reach it; wanted 127.0.0.1"),
        ("192.168.1.4", True, None, "needs a token"),
        ("robot.local", True, "", "needs a token"),
    ],
)
def test_another_address_needs_a_flag_and_a_token(host: str, public: bool, token: str | None, told: str) -> None:
    with pytest.raises(InputError, match=told):
        check_address(host, public=public, token=token)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.1.2.3"])
def test_this_machine_needs_neither(host: str) -> None:
    check_address(host, public=False, token=None)
    check_address("0.0.0.0", public=True, token="t")


@pytest.mark.parametrize(("host", "got"), [("::1", "[::1]:9090"), ("[::1]", "[::1]:9090"), ("[::]", "rig.lab:9090")])
def test_addresses_of_ipv6(host: str, got: str) -> None:
    assert refusal({"Host": got}, "/?token=t", host=host, port=9090, token="t") == ""
    assert RosbridgeServer(Hub(), host=host, port=9090, token="t", public=True).url.startswith("ws://[::")
