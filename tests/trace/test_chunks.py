"""Records lie in the order of time, whoever puts them there."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.trace._chunks import compiled, interleaved, interleaved_plainly
from stressfield.trace.topic import Topic, encoded

pytestmark = pytest.mark.skipif(
    compiled is None and os.environ.get("CI") != "true", reason="it is not compiled: there is no C compiler"
)

MESSAGES = st.lists(st.tuples(st.integers(0, 5), st.binary(max_size=40)), max_size=9)


def topic_of(name: str, messages: list[tuple[int, bytes]]) -> Topic:
    from stressfield.bus.messages import BoolMsg

    times = np.array(sorted(time for time, _ in messages), np.int64)
    return encoded(name, BoolMsg, times, [payload for _, payload in messages])


@given(st.lists(MESSAGES, max_size=6), st.binary(max_size=9))
def test_the_compiled_order_is_the_plain_one(topics: list[list[tuple[int, bytes]]], preamble: bytes) -> None:
    told = [topic_of(f"/{place}", messages) for place, messages in enumerate(topics)]
    found, plain = interleaved(told, preamble), interleaved_plainly(told, preamble)
    assert found.data.tobytes() == plain.data.tobytes()
    assert found.preamble == plain.preamble == len(preamble)
    for name in ("channel", "time_ns", "start"):
        left, right = getattr(found, name), getattr(plain, name)
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


def test_what_comes_at_once_is_in_the_order_of_topics() -> None:
    told = [topic_of(name, [(1, b"a"), (1, b"b")]) for name in ("/one", "/two")]
    assert interleaved(told, b"").channel.tolist() == [1, 1, 2, 2]


def good() -> list[Any]:
    return [1, np.arange(2), np.arange(2), np.array([1, 2]), np.zeros(3, np.uint8)]


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (0, "x"),
        (1, np.arange(2.0)),
        (1, np.arange(3)),
        (1, np.arange(4)[::2]),
        (1, np.zeros((2, 1), np.int64)),
        (1, [0, 1]),
        (2, np.arange(1)),
        (3, np.array([1, 3])),
        (3, np.array([1, 1])),
        (3, np.array([-1, 4])),
        (3, np.array([2**62, 2**62])),
        (4, np.zeros(3, np.int8)),
        (4, b"abc"),
    ],
    ids=str,
)
def test_arrays_that_do_not_agree_are_refused(place: int, wrong: Any) -> None:
    topic = good()
    assert compiled.interleave(b"", (tuple(topic),))[0].size == 2 * 31 + 3
    topic[place] = wrong
    with pytest.raises((TypeError, ValueError)):
        compiled.interleave(b"", (tuple(topic),))


def test_what_is_no_topic_is_refused() -> None:
    for topics in [(), (1,), ((1, 2),), [tuple(good())]]:
        if topics == ():
            assert compiled.interleave(b"ab", topics)[0].tobytes() == b"ab"
        else:
            with pytest.raises(TypeError):
                compiled.interleave(b"ab", topics)  # type: ignore[arg-type]
