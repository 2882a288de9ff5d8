"""The agenda in C does what the plain one does: the same events, in the same order, at the same times."""

from __future__ import annotations

import gc
import os
import sys
import traceback
import weakref
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield import _compiled
from stressfield.bus import _plain_agenda as plain
from stressfield.bus.bus import Agenda

compiled = _compiled.part("stressfield.bus._agenda")
BOTH = [plain, *([] if compiled is None else [compiled])]

pytestmark = pytest.mark.skipif(
    compiled is None and os.environ.get("CI") != "true", reason="it is not compiled: there is no C compiler"
)

TIMES = st.integers(0, 40)
SPANS = st.lists(st.integers(0, 12), min_size=1, max_size=4)
NODES = st.lists(SPANS, min_size=1, max_size=3)
"""How long each node computes, again and again."""
TOPICS = st.lists(SPANS, min_size=1, max_size=3)
"""How long messages of each topic travel."""
LISTENERS = st.lists(
    st.tuples(st.integers(-1, 2), st.integers(0, 2), st.integers(1, 3), st.sampled_from([None, "", "node 0"])),
    max_size=6,
)
"""Node (none is the rig), topic, depth, and whom it is deaf to."""
TIMERS = st.lists(st.tuples(st.integers(0, 2), st.integers(1, 15)), max_size=3)
SENT = st.lists(st.tuples(TIMES, st.integers(0, 2), st.sampled_from(["", "node 0", "elsewhere"])), max_size=12)
ANSWERS = st.lists(st.integers(-1, 2), min_size=1, max_size=5)
"""On which topic callbacks send something themselves, one after another; -1: they do not."""
REMOVED = st.none() | st.tuples(st.integers(1, 6), st.integers(0, 2))
"""After which call of run_until a node is removed, and which."""
SCRIPTS = st.tuples(NODES, TOPICS, LISTENERS, TIMERS, SENT, ANSWERS, REMOVED)


def test_the_bus_uses_the_compiled_one() -> None:
    assert compiled.Agenda is Agenda


def played(parts: Any, script: Any) -> Any:
    """All that happens, as a list."""
    nodes, topics, listeners, timers, sent, answers, removed = script
    log: list[Any] = []
    agenda = parts.Agenda(lambda row: ("stamped", *row), lambda *_: None, None)
    states = [parts.NodeState(None, f"node {i}", cycle(spans).__next__) for i, spans in enumerate(nodes)]
    known = [parts.TopicState(f"/{i}", cycle(spans).__next__) for i, spans in enumerate(topics)]
    for topic in known:
        topic.sink = lambda row, name=topic.name: log.append(("recorded", name, row))
    known[0].watch = lambda time_ns: log.append(("watched", time_ns))
    next_answer, left = cycle(answers), [30]

    def called(index: int, name: str, message: object = None) -> None:
        log.append((agenda.now_ns, agenda.leaves_ns, index, name, message))
        answer = next(next_answer)
        if answer >= 0 and left[0]:
            left[0] -= 1
            agenda.send(known[answer % len(known)], f"answer {left[0]}", agenda.leaves_ns, states[index].name)

    for place, (node, topic, depth, deaf_to) in enumerate(listeners):
        state = known[topic % len(known)]
        if node < 0:
            made = parts.Receiver(None, state.name, log.append, 0, 0, deaf_to)
        else:
            index, name = node % len(states), f"{state.name} by {place}"
            made = parts.Receiver(
                states[index], state.name, lambda message, i=index, n=name: called(i, n, message), depth, 0, deaf_to
            )
        state.receivers.append(made)
    for node, period in timers:
        index = node % len(states)
        timer = parts.Receiver(states[index], "", lambda i=index, p=period: called(i, f"every {p}"), 1, period)
        agenda.add_timer(period, timer)
    at = parts.Receiver(None, "at", log.append, 0, 0)
    agenda.add(17, at, None)
    for now, limit in enumerate(range(5, 60, 9)):
        for time, topic, sender in sent:
            if limit - 9 <= time < limit:
                agenda.send(known[topic % len(known)], f"sent {time}", time, sender)
        agenda.run_until(limit)
        log.append((agenda.now_ns, agenda.dropped, agenda.delivered, [state.free_ns for state in states]))
        if removed is not None and removed[0] == now:
            agenda.remove(states[removed[1] % len(states)])
    agenda.clear()
    agenda.run_until(1000)
    return log, agenda.delivered, [dict(topic.last_ns) for topic in known]


@settings(max_examples=400)
@given(SCRIPTS)
def test_the_compiled_agenda_is_the_plain_one(script: Any) -> None:
    assert played(compiled, script) == played(plain, script)


def node_of(parts: Any, compute_ns: int = 0) -> Any:
    return parts.NodeState(None, "node", lambda: compute_ns)


@pytest.mark.parametrize("parts", BOTH, ids=["plain", "compiled"][: len(BOTH)])
def test_what_a_callback_raises_is_told_and_nothing_is_lost(parts: Any) -> None:
    told: list[Any] = []

    def failed(listener: Any, time_ns: int, error: BaseException) -> None:
        told.append((listener, time_ns, error))
        if str(error) != "unsaid":
            raise RuntimeError("told") from error

    def raising(message: str) -> None:
        if message != "good":
            raise ValueError(message)
        told.append(message)

    agenda = parts.Agenda(tuple, failed, None)
    listener = parts.Receiver(node_of(parts), "/t", raising, 5, 0)
    for time_ns, message in enumerate(["bad", "unsaid", "good"]):
        agenda.add(time_ns, listener, message)
    with pytest.raises(RuntimeError, match="told") as caught:
        agenda.run_until(9)
    cause = caught.value.__cause__
    assert told == [(listener, 0, cause)]
    assert traceback.extract_tb(cause.__traceback__)[-1].name == "raising"
    with pytest.raises(ValueError, match="unsaid"):  # though nobody raised it
        agenda.run_until(9)
    agenda.run_until(9)
    assert told[-1] == "good"
    assert (agenda.now_ns, agenda.delivered) == (9, 3)


@pytest.mark.parametrize("parts", BOTH, ids=["plain", "compiled"][: len(BOTH)])
@pytest.mark.parametrize("where", ["latency", "compute", "sink", "watch", "clock", "stamp", "rig"])
def test_what_others_raise_comes_out_as_it_is(parts: Any, where: str) -> None:
    def wrong(*_: object) -> Any:
        raise KeyError(where)

    agenda = parts.Agenda(wrong if where == "stamp" else tuple, lambda *_: None, wrong if where == "clock" else None)
    topic = parts.TopicState("/t", wrong if where == "latency" else lambda: 1)
    node = parts.NodeState(None, "node", wrong if where == "compute" else lambda: 1)
    rig = where in {"stamp", "rig"}
    callback = wrong if where == "rig" else lambda _: None
    topic.receivers.append(parts.Receiver(None if rig else node, "/t", callback, 1, 0))
    if where in {"sink", "watch"}:
        setattr(topic, where, wrong)

    def use() -> None:
        agenda.send(topic, "message", 0, "")
        agenda.run_until(5)

    with pytest.raises(KeyError, match=where):
        use()


@pytest.mark.parametrize("parts", BOTH, ids=["plain", "compiled"][: len(BOTH)])
def test_the_clock_is_read_around_callbacks(parts: Any) -> None:
    seconds = iter([1.0, 1.5, 3.0, 3.25])
    agenda = parts.Agenda(tuple, lambda *_: None, seconds.__next__)
    listener = parts.Receiver(node_of(parts), "/t", lambda _: None, 5, 0)
    agenda.add(0, listener, "one")
    agenda.add(1, listener, "two")
    agenda.run_until(1)
    assert agenda.callback_s == 0.75


def test_the_compiled_agenda_refuses_what_it_cannot_use() -> None:
    agenda = compiled.Agenda(tuple, print, None)
    topic = compiled.TopicState("/t", lambda: 1)
    listener = compiled.Receiver(None, "/t", print, 1, 0)
    for wrong in [(), (topic, "m", "0", ""), (topic, "m", 0), ("/t", "m", 0, ""), (None, "m", 0, "")]:
        with pytest.raises(TypeError):
            agenda.send(*wrong)
    for wrong in [(0, "s", None), (0, listener), ("0", listener, None), (0, None, None)]:
        with pytest.raises(TypeError):
            agenda.add(*wrong)
    for wrong in [(0, "s"), (0,), ("0", listener)]:
        with pytest.raises(TypeError):
            agenda.add_timer(*wrong)
    with pytest.raises(TypeError):
        agenda.run_until("soon")
    with pytest.raises(OverflowError):
        agenda.run_until(1 << 63)
    with pytest.raises(TypeError, match="NodeState"):
        compiled.Receiver("node", "/t", print, 1, 0)
    with pytest.raises(AttributeError):
        listener.node = None
    topic.receivers.append("nobody")
    with pytest.raises(TypeError, match="receivers"):
        agenda.send(topic, "m", 0, "")
    topic.receivers[:] = [compiled.Receiver(node_of(compiled), "/t", print, 1, 0)]
    topic.latency = lambda: "long"
    with pytest.raises(TypeError):
        agenda.send(topic, "m", 0, "")
    del topic.latency, topic.sink, topic.watch
    with pytest.raises(AttributeError):
        agenda.send(topic, "m", 0, "")
    agenda.run_until(10)
    assert agenda.delivered == 0


def test_an_agenda_may_be_emptied_by_what_it_calls() -> None:
    agenda = compiled.Agenda(tuple, print, None)
    node = node_of(compiled)
    seen: list[object] = []

    def called(message: object = None) -> None:
        seen.append(message)
        agenda.clear()
        agenda.remove(node)

    agenda.add_timer(1, compiled.Receiver(node, "", called, 1, 1))
    for time_ns in range(200):  # more than there is room for at first
        agenda.add(time_ns, compiled.Receiver(node, "/t", called, 1, 0), object())
    agenda.run_until(500)
    assert len(seen) == 1


def test_agendas_give_back_all_they_had() -> None:
    class Thing:
        pass

    def once() -> weakref.ref[Thing]:
        thing, agenda = Thing(), compiled.Agenda(tuple, print, None)
        node, topic = compiled.NodeState(thing, "node", lambda: 1), compiled.TopicState("/t", lambda: 1)
        made = compiled.Receiver(node, "/t", lambda message: (agenda, topic, thing), 2, 0)
        topic.receivers.append(made)
        agenda.add_timer(3, compiled.Receiver(node, "", lambda: (agenda, thing), 1, 3))
        for time_ns in range(20):
            agenda.send(topic, thing, time_ns, "sender")
        agenda.run_until(10)
        before = sys.getrefcount(thing)
        agenda.run_until(100)
        assert sys.getrefcount(thing) < before
        return weakref.ref(thing)

    gone = once()
    gc.collect()
    assert gone() is None
