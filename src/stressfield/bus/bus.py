"""The bus: one queue of events in simulated nanoseconds, and nothing else that could change their order.

A relay may stand between the publishers and the subscribers of a topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, TypeVar

from stressfield import _compiled
from stressfield._crash import described, is_interrupt, place_of, place_of_caller, said
from stressfield.bus import _plain_agenda
from stressfield.bus.cdr import check_values
from stressfield.bus.message import BAD_MESSAGE, Message, Stamped, stamp
from stressfield.bus.node import Node, Timing
from stressfield.errors import (
    InputError,
    NotInstalledError,
    RigError,
    StressfieldError,
    SubjectError,
    TraceError,
)

if TYPE_CHECKING:
    from stressfield.bus._plain_agenda import Agenda, NodeState, Receiver, TopicState
else:
    # The same in C, where it could be compiled.
    _parts = _compiled.part("stressfield.bus._agenda") or _plain_agenda
    Agenda, Receiver = _parts.Agenda, _parts.Receiver
    NodeState, TopicState = _parts.NodeState, _parts.TopicState

T = TypeVar("T")

FORWARDED = "/fuzzed"
"""Added to a topic's name for the record of what a relay delivered in place of what was sent."""

RESERVED = ("/observer/", "/fuzz/", "/truth/")
"""Beginnings of topics that are for the rig alone: what the robot cannot know."""


class Forward(NamedTuple):
    """A message to deliver ``delay_ns`` after the time at which the original would have left.

    Out of order it neither waits for earlier messages of its sender nor holds up later ones.
    """

    message: Message
    delay_ns: int = 0
    in_order: bool = True


Relay: TypeAlias = Callable[[Message, int], Sequence[Forward] | None]
"""Called as ``relay(message, sent_ns)``: what to deliver instead, nothing at all (empty), or None: leave it alone."""


def _name_of(callback: Callable[..., None]) -> str:
    """What a callback is called in messages."""
    return getattr(callback, "__name__", "a callback")


Sink: TypeAlias = Callable[[tuple[int, int, Message]], None]
"""Called for every message of a topic as ``sink((sent_ns, arrived_ns, message))``."""

Tap: TypeAlias = Callable[[str], Sink]
"""Called as ``tap(topic)`` when something is first said there: gives the sink of the topic."""


class Bus:
    """Deterministic discrete events: deliveries and timers in one order, by time and then by age.

    A node handles one callback at a time. While it computes (a time drawn per callback) its messages wait, at most
    ``depth`` for each callback: older ones are dropped and counted. What a callback publishes leaves when its compute
    time has passed. Messages of one topic reach a subscriber in the order in which they were sent.
    """

    def __init__(
        self, *, seed: int, timing: Timing, tap: Tap | None = None, clock: Callable[[], float] | None = None
    ) -> None:
        self._seed = seed
        self._timing = timing
        self._tap = tap
        self._agenda = Agenda(stamp, self._failed, clock)
        self._topics: dict[str, TopicState] = {}
        self._nodes: dict[str, NodeState] = {}
        self._inbox: list[Stamped] = []
        self._spares: dict[str, Node | None] = {}
        self._trouble: BaseException | None = None
        """What a disturbance raised while somebody published."""
        self.offers: dict[str, object] = {}
        """What graphs elsewhere offer, by the name of the node that speaks for one; "" is the simulator's."""

    @property
    def now_ns(self) -> int:
        """Simulated time at which the running callback began, or up to which all has happened."""
        return self._agenda.now_ns

    @property
    def dropped(self) -> int:
        """Messages that waited for a busy node until newer ones pushed them out."""
        return self._agenda.dropped

    @property
    def delivered(self) -> int:
        """Callbacks of nodes that were called."""
        return self._agenda.delivered

    @property
    def callback_s(self) -> float:
        """Wall time spent in callbacks, if a ``clock`` was given to measure it."""
        return self._agenda.callback_s

    def attach(self, node: Node) -> None:
        """Bring a node to life on this bus."""
        if node.name in self._nodes:
            raise SubjectError(
                f"Two nodes are called {node.name!r}; node names on a bus must differ.", kind="two nodes of one name"
            )
        if node.name in self._spares:
            self._spares[node.name] = _copy(node)
        state = NodeState(node, node.name, self._timing.of_node(node.name, self._seed))
        self._nodes[node.name] = state
        try:
            node.setup(_NodeLink(self, state))
        except BaseException as error:
            if self._is_of_rig(error):
                raise
            raise SubjectError(f"Node {node.name!r} crashed in setup: {said(error)}") from error

    def listen(self, topics: Sequence[str], *, own: bool = True) -> None:
        """Collect what arrives on these topics for :meth:`collect` (the simulator's side).

        With ``own=False`` only what robots say there, not what the simulator does.
        """
        inbox = self._inbox
        for name in topics:
            self._topic(name).receivers.append(Receiver(None, name, inbox.append, 0, 0, None if own else ""))

    def advertise(self, topic: str) -> None:
        """Announce a topic: it is known from now on, even if nothing is ever said on it."""
        self._topic(topic)

    def watch(self, topic: str, callback: Callable[[int], None], *, accepts: type[Message] | None = None) -> None:
        """Call ``callback(sent_ns)`` at once for each message on a topic: for the rig, not for the robot.

        A message there that is not what it ``accepts`` is the sender's crash; None accepts any.
        """
        state = self._topic(topic)
        state.watch, state.accepts = callback, accepts

    def place_of(self, topic: str) -> str:
        """The line of the robot's that published on a topic first; empty if there is none."""
        return self._topics[topic].place if topic in self._topics else ""

    def sent_as(self, topic: str, delivered: Message) -> Message:
        """What the robot sent where the simulator got ``delivered``: another message if a relay replaced it."""
        found = self._topics[topic].replaced.get(id(delivered)) if topic in self._topics else None
        return delivered if found is None else found[1]

    @property
    def watched(self) -> tuple[str, ...]:
        """The topics that the rig watches: a message there ends the mission."""
        return tuple(name for name, topic in self._topics.items() if topic.watch is not None)

    @property
    def node_names(self) -> tuple[str, ...]:
        """The nodes that are alive."""
        return tuple(self._nodes)

    def node(self, name: str) -> Node | None:
        """The node of that name; None if none is alive."""
        state = self._nodes.get(name)
        return None if state is None else state.node

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that somebody sent on, listens to, watches or announced."""
        return tuple(self._topics)

    @property
    def subscribed(self) -> tuple[str, ...]:
        """The topics that somebody listens to."""
        return tuple(name for name, topic in self._topics.items() if topic.receivers)

    def interpose(self, topic: str, relay: Relay) -> None:
        """Put a relay between the publishers and the subscribers of a topic.

        The trace has what was sent on the topic itself, and what the relay delivered instead on ``topic + "/fuzzed"``.
        A relay that always answers None changes nothing, not even the trace.
        """
        state = self._topic(topic)
        if state.relay is not None:
            raise InputError(f"Topic {topic!r} has a relay already; wanted one that does all there is to do.")
        state.relay = relay

    def at(self, time_ns: int, callback: Callable[[int], None]) -> None:
        """Call ``callback(time_ns)`` at a simulated time: for the rig, not for the robot."""
        event = Receiver(None, "", lambda due: self._disturb("a node", callback, due.time_ns), 0, 0)
        self._agenda.add(time_ns, event, None)

    def keep_spares(self, nodes: Iterable[str]) -> None:
        """Copy these nodes as they are attached, so that :meth:`restart` can bring them back fresh."""
        self._spares.update(dict.fromkeys(nodes))

    def kill(self, name: str) -> None:
        """A node dies: it gets nothing any more, and what waited for it is lost. Nothing happens to a dead one."""
        state = self._nodes.pop(name, None)
        if state is None:
            return
        for topic in self._topics.values():
            topic.receivers[:] = [waiting for waiting in topic.receivers if waiting.node is not state]
        self._agenda.remove(state)

    def restart(self, name: str, time_ns: int) -> None:
        """A node begins again at a time, as it was before its setup; see :meth:`keep_spares`."""
        spare = self._spares.get(name)
        if spare is None:
            raise RigError(f"Node {name!r} cannot be restarted: no spare of it was kept.")
        self.kill(name)
        self._agenda.now_ns = self._agenda.leaves_ns = time_ns
        self.attach(spare)

    def slow_down(self, name: str, factor: float) -> None:
        """From now on a node's compute times are those drawn times ``factor``; 1 makes it as fast as it was."""
        state = self._nodes.get(name)
        if state is not None:
            drawn = state.drawn
            state.compute = drawn if factor == 1.0 else lambda: round(drawn() * factor)

    def collect(self) -> list[Stamped]:
        """What has arrived for the simulator since the last call, in order of arrival."""
        arrived = self._inbox[:]
        self._inbox.clear()
        return arrived

    def publish(self, topic: str, message: Message, sent_ns: int, sender: str = "") -> None:
        """Send a message at a given time; subscribers get it after the topic's latency, in order for each sender."""
        state = self._topics.get(topic) or self._topic(topic)
        if type(message) is not state.kind:
            self._take_type(state, message, sender)
        if state.relay is not None:
            forwards = self._disturb(topic, state.relay, message, sent_ns)
            if forwards is not None:
                self._forward(state, message, sent_ns, sender, forwards)
                return
        self._agenda.send(state, message, sent_ns, sender)

    def run_until(self, limit_ns: int) -> None:
        """Handle every event up to and including ``limit_ns``."""
        self._agenda.run_until(limit_ns)

    def close(self) -> None:
        """Let go of nodes, messages and the tap: bus and nodes hold each other, and a run's memory with them."""
        self._agenda.clear()
        self._topics.clear()
        self._nodes.clear()
        self._inbox.clear()
        self._spares.clear()
        self._tap = None

    def _forward(
        self, state: TopicState, message: Message, sent_ns: int, sender: str, forwards: Sequence[Forward]
    ) -> None:
        """Deliver what a relay gave. The original takes its latency as usual, so that nothing else is drawn again."""
        leaves_ns = sent_ns + (state.latency() if state.receivers else 0)
        rigs = any(receiver.node is None for receiver in state.receivers)
        if state.sink is not None:
            state.sink((sent_ns, leaves_ns, message))
        if state.watch is not None:
            state.watch(sent_ns)
        for forward in forwards:
            if rigs and forward.message is not message:
                state.replaced[id(forward.message)] = forward.message, message
            arrival_ns = leaves_ns + forward.delay_ns
            if forward.in_order:
                arrival_ns = max(arrival_ns, state.last_ns.get(sender, 0))
                state.last_ns[sender] = arrival_ns
            for receiver in state.receivers:
                if receiver.deaf_to == sender:
                    continue
                self._agenda.add(arrival_ns, receiver, forward.message)
            if self._tap is not None:
                self._tap(state.name + FORWARDED)((sent_ns, arrival_ns, forward.message))

    def _take_type(self, state: TopicState, message: object, sender: str) -> None:
        """A message of another type than before, or the first. A topic has one type: who breaks that has crashed."""
        kind = type(message)
        who = f"Node {sender!r}" if sender else "The simulator"
        wanted = state.kind or state.accepts
        if not isinstance(message, Message):
            trouble = f"{who} published on {state.name} what is no message: got {message!r:.80}, a {kind.__name__}"
            trouble += f"; wanted a {wanted.__name__}." if wanted else "; wanted an object of a message class."
        elif state.kind is not None:
            first = f"node {state.first!r}" if state.first else "the simulator"
            trouble = f"{who} published a {kind.__name__} on {state.name}, where {first} published a "
            trouble += f"{state.kind.__name__}; wanted one type of messages on a topic."
        elif sender and state.accepts is not None and kind is not state.accepts:
            trouble = f"{who} published a {kind.__name__} on {state.name}; wanted a {state.accepts.__name__} "
            trouble += "(another type is told in the study: Ending(report=...))."
        elif sender and state.name.startswith(RESERVED):
            trouble = f"{who} published on {state.name}, which belongs to the rig; wanted a topic of the robot's own."
        else:
            state.kind, state.first = kind, sender
            state.sink = None if self._tap is None else self._tap(state.name)
            state.place = place_of_caller() if sender else ""
            return
        if sender or state.first:
            raise SubjectError(trouble, kind=BAD_MESSAGE, topic=state.name)
        raise RigError(trouble)

    def _disturb(self, target: str, act: Callable[..., T], *given: Any) -> T:
        """What a disturbance raises is trouble of the rig, though a node's callback may be on the way."""
        try:
            return act(*given)
        except StressfieldError as error:
            self._trouble = error
            raise
        except Exception as error:
            self._trouble = RigError(f"The disturbance of {target} crashed: {described(error)}")
            raise self._trouble from error

    def _failed(self, receiver: Receiver, time_ns: int, error: BaseException) -> NoReturn:
        """A callback of a node raised an error."""
        if self._is_of_rig(error) or receiver.node is None:
            raise error
        where = f"Node {receiver.node.name!r} crashed at {time_ns / 1e9:.3f} s in {_name_of(receiver.callback)}"
        raise SubjectError(f"{where}: {said(error)}") from error

    def _is_of_rig(self, error: BaseException) -> bool:
        """Whether what came out of a callback is not the robot's doing.

        Trouble of the rig is not blamed on the robot, unless a line of the robot's own led to it: then it called
        something of ours wrongly.
        """
        return (
            is_interrupt(error)
            or error is self._trouble
            or (isinstance(error, RigError | NotInstalledError) and not place_of(error))
        )

    def _topic(self, name: str) -> TopicState:
        if name not in self._topics:
            self._topics[name] = TopicState(name, self._timing.of_topic(name, self._seed))
        return self._topics[name]

    def _subscribe(
        self, node: NodeState, topic: str, callback: Callable[[Any], None], depth: int, *, own: bool
    ) -> None:
        if depth < 1:
            raise InputError(f"Node {node.name!r} subscribes to {topic} with depth {depth}; wanted at least 1.")
        made = Receiver(node, topic, callback, depth, 0, None if own else node.name)
        self._topic(topic).receivers.append(made)

    def _every(self, node: NodeState, period_s: float, callback: Callable[[], None]) -> None:
        period_ns = round(period_s * 1e9)
        if period_ns < 1:
            raise InputError(f"Node {node.name!r} wants a timer of {period_s!r} s; wanted more than zero.")
        self._agenda.add_timer(self.now_ns + period_ns, Receiver(node, "", callback, 1, period_ns))


def _copy(node: Node) -> Node:
    try:
        return deepcopy(node)
    except Exception as error:
        raise RigError(
            f"Node {node.name!r} cannot be copied, so it cannot be restarted: {type(error).__name__}: {error}."
        ) from error


class _NodeLink:
    __slots__ = ("_bus", "_state")

    def __init__(self, bus: Bus, state: NodeState) -> None:
        self._bus = bus
        self._state = state

    @property
    def now_ns(self) -> int:
        return self._bus.now_ns

    def subscribe(self, topic: str, callback: Callable[[Any], None], *, depth: int = 5, own: bool = True) -> None:
        self._check_topic(topic)
        self._check_callback(callback)
        self._bus._subscribe(self._state, topic, callback, depth, own=own)

    def every(self, period_s: float, callback: Callable[[], None]) -> None:
        self._check_callback(callback)
        self._bus._every(self._state, period_s, callback)

    def advertise(self, topic: str) -> None:
        self._bus.advertise(topic)

    def publish(self, topic: str, message: Message) -> None:
        self._check_message(topic, message)
        self._bus.publish(topic, message, self._bus._agenda.leaves_ns, self._state.name)

    # What cannot be a topic, a message or a callback is told here, where the robot's own line is still known.

    def _check_message(self, topic: object, message: object) -> None:
        if not isinstance(message, Message) or not isinstance(topic, str):
            self._bus._take_type(self._bus._topic(self._check_topic(topic)), message, self._state.name)
            return
        try:
            check_values(message)
        except TraceError as error:
            name = type(message).__name__
            raise SubjectError(
                f"Node {self._state.name!r} published a {name} on {topic} that cannot be sent: {error}",
                kind=BAD_MESSAGE,
            ) from None

    def _check_topic(self, topic: object) -> str:
        if not isinstance(topic, str):
            raise InputError(f"Node {self._state.name!r} names the topic {topic!r:.80}; wanted a text.")
        return topic

    def _check_callback(self, callback: object) -> None:
        if not callable(callback):
            raise InputError(f"Node {self._state.name!r} gives {callback!r:.80} to be called; wanted a function.")
