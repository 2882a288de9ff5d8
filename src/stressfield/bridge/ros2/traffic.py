"""All topics of a ROS 2 graph at once: what others publish there comes in, and what they want goes out.

Types are those of stressfield and of the interface files that were given. A topic of any other type passes as
:class:`Opaque`: its bytes are not understood, but they are counted, delayed, lost and recorded as any others.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Collection, Mapping
from functools import partial
from typing import ClassVar

import numpy as np

from stressfield.bridge.hub import CLOCK, LATCHED
from stressfield.bridge.ros2.graph import Publisher, Ros2Graph
from stressfield.bridge.ros2.wire import NO_HASH, Attachment, Qos, Role, Ros2Endpoint
from stressfield.bus import Interfaces, Message, String, UInt8Array, decode, encode, no_values, type_hash
from stressfield.errors import InputError, TraceError

UNHEARD = frozenset({"/rosout", "/parameter_events"})
"""Topics that every node of ROS 2 publishes, and that say nothing of what a robot does."""

MOST_WAITING = 100_000
"""Messages that may wait to be taken: more is a flood."""


class Opaque(Message, frozen=True, eq=False):
    """A message of a type that is not known here, as CDR."""

    ros_type: ClassVar[str] = "stressfield_msgs/msg/Opaque"
    type_name: String = ""
    type_hash: String = ""
    data: UInt8Array = no_values("uint8")


class Ros2Types:
    """The message types that are known. Of several definitions of one type that is taken which has the hash wanted.

    Those of interface files given come first, then stressfield's own.
    """

    def __init__(self, *interfaces: Interfaces | None) -> None:
        self._interfaces = [*(found for found in interfaces if found is not None), Interfaces()]
        self._found: dict[str, dict[str, type[Message]]] = {}

    def _known(self, name: str) -> dict[str, type[Message]]:
        """The classes of a type, by hash."""
        if name not in self._found:
            known = self._found[name] = {}
            for interfaces in self._interfaces:
                try:
                    made = interfaces.message(name)
                except InputError:
                    continue
                known.setdefault(type_hash(made), made)
        return self._found[name]

    def find(self, endpoint: Ros2Endpoint) -> type[Message] | None:
        """The class of what somebody offers or wants; None if it is not known, or defined otherwise."""
        known = self._known(endpoint.type_name)
        return next(iter(known.values()), None) if endpoint.hash == NO_HASH else known.get(endpoint.hash)

    def conflict(self, endpoint: Ros2Endpoint) -> str:
        """How somebody's definition of a type differs from all that are known here; empty if it does not."""
        known = self._known(endpoint.type_name)
        if not known or endpoint.hash == NO_HASH or endpoint.hash in known:
            return ""
        return (
            f"{endpoint.node} has another definition of {endpoint.type_name} on {endpoint.name}: its hash is "
            f"{endpoint.hash[:19]}..., here it is {next(iter(known))[:19]}.... Give the robot's own interface files: "
            "interfaces.add_folder(...)."
        )


class Ros2Traffic:
    """What goes in and out of a graph. Messages come in by threads of zenoh's, and wait until they are taken."""

    def __init__(
        self,
        graph: Ros2Graph,
        types: Ros2Types,
        *,
        latched: Collection[str] = (),
        hears_clock: bool = False,
    ) -> None:
        self.graph, self.types = graph, types
        self._latched, self._unheard = frozenset({*LATCHED, *latched}), UNHEARD if hears_clock else UNHEARD | {CLOCK}
        self._waiting: deque[tuple[str, Message, float]] = deque()
        self._condition = threading.Condition()
        self._seen_changes = -1
        self._publishers: dict[str, tuple[Publisher, str, Qos]] = {}
        self._kept: dict[str, Message] = {}
        self._notes: dict[str, None] = {}
        self.heard: dict[str, type[Message]] = {}
        """Topics that come in, with what they come as."""
        self.wanted: dict[str, tuple[Ros2Endpoint, ...]] = {}
        """Topics that others listen to, and who."""
        self.count = 0
        """How many messages have come."""
        self.bad: tuple[str, str] | None = None
        """The first topic on which bytes came that are no message of its type, or far too many, and what is wrong."""
        self.sent: dict[str, int] = {}
        graph.census.changed = self.wake

    @property
    def notes(self) -> tuple[str, ...]:
        """What did not meet or was not understood, each once."""
        return (*self._notes, *self.graph.troubles)

    def is_latched(self, topic: str) -> bool:
        """Whether the last message of a topic is kept for those who join later."""
        qos = [found.qos for found in self.graph.endpoints(Role.PUBLISHER, name=topic)]
        return topic in self._latched or any(each.transient_local for each in qos)

    def note(self, text: str) -> None:
        """Say something of the traffic."""
        self._notes[text] = None

    # --- in -------------------------------------------------------------------------------------------------------

    def refresh(self) -> bool:
        """Look who is there; False if nothing has changed since the last time."""
        if self._seen_changes == self.graph.census.changes:
            return False
        self._seen_changes = self.graph.census.changes
        for found in self.graph.endpoints(Role.PUBLISHER):
            if found.name not in self.heard and found.name not in self._unheard:
                self._hear(found)
        wanted: dict[str, tuple[Ros2Endpoint, ...]] = {}
        for found in self.graph.endpoints(Role.SUBSCRIBER):
            if found.name not in UNHEARD:
                wanted[found.name] = (*wanted.get(found.name, ()), found)
        self.wanted = wanted
        for topic in wanted:
            if topic in self._kept:
                self._publisher(topic, type(self._kept[topic]))
        return True

    def _hear(self, found: Ros2Endpoint) -> None:
        known = self.types.find(found)
        if known is None:
            self.note(
                self.types.conflict(found)
                or f"{found.name} of {found.node} is a {found.type_name}, which is not known here: it passes, and its "
                "fields cannot be read. Give its interface files: interfaces.add_folder(...)."
            )
        self.heard[found.name] = known or Opaque
        heard = partial(self._came, found, known)
        self.graph.subscribe_to(found.name, found.type_name, found.hash, heard, found.qos)

    def _came(self, found: Ros2Endpoint, known: type[Message] | None, data: bytes, said: Attachment) -> None:
        del said
        message: Message
        if known is None:
            message = Opaque(found.type_name, found.hash, np.frombuffer(data, np.uint8))
        else:
            try:
                message = decode(known, data)
            except TraceError as error:
                self.bad = self.bad or (found.name, str(error))
                self.wake()
                return
        with self._condition:
            self.count += 1
            if len(self._waiting) >= MOST_WAITING:
                self.bad = self.bad or (found.name, f"{MOST_WAITING} messages wait to be taken: this is a flood")
            else:
                self._waiting.append((found.name, message, time.monotonic()))
            self._condition.notify_all()

    def take(self) -> list[tuple[str, Message, float]]:
        """What has come since the last time, in the order in which it came, with when that was on the wall clock."""
        with self._condition:
            taken = list(self._waiting)
            self._waiting.clear()
        return taken

    def wait(self, seconds: float, *, count: int | None = None) -> bool:
        """Until more than ``count`` messages have come in all (by default, than now) or the graph has changed."""
        with self._condition:
            known = self.count if count is None else count
            if self.count > known or self._seen_changes != self.graph.census.changes:
                return True
            return self._condition.wait(seconds)

    def wake(self) -> None:
        """End a :meth:`wait`."""
        with self._condition:
            self._condition.notify_all()

    def published(self) -> dict[str, Ros2Endpoint]:
        """The topics that come in, with one who publishes each."""
        found = self.graph.endpoints(Role.PUBLISHER)
        return {each.name: each for each in reversed(found) if each.name not in self._unheard}

    # --- out ------------------------------------------------------------------------------------------------------

    def mirror(self, topics: Mapping[str, Ros2Endpoint]) -> None:
        """Be the publisher here of what others publish elsewhere: as they do, before anything is said there."""
        for topic, found in topics.items():
            if topic not in self._publishers:
                made = self.graph.publisher_of(topic, found.type_name, found.hash, found.qos)
                self._publishers[topic] = made, found.type_name, found.qos

    def send(self, topic: str, message: Message) -> bool:
        """Send a message to those who want it; False if nobody does. What is latched is kept for those who join."""
        latched = topic in self._latched
        if latched:
            self._kept[topic] = message
        had = self._publishers.get(topic)
        if topic not in self.wanted and not latched and not (had is not None and had[2].transient_local):
            return False
        publisher, type_name, _ = had or self._publisher(topic, type(message), message)
        own = message.type_name if isinstance(message, Opaque) else message.ros_type
        if own != type_name:
            self.note(f"{topic} is a {type_name} here, and a {own} came for it: it was not sent.")
            return False
        publisher.send(message.data.tobytes() if isinstance(message, Opaque) else encode(message))
        self.sent[topic] = self.sent.get(topic, 0) + 1
        return True

    def _publisher(self, topic: str, kind: type[Message], message: Message | None = None) -> tuple[Publisher, str, Qos]:
        """The publisher of a topic, made or made anew as those who listen need it."""
        wanting = self.wanted.get(topic, ())
        kept = topic in self._latched or any(found.qos.transient_local for found in wanting)
        qos = Qos(transient_local=kept, depth=1 if kept else 10)
        had = self._publishers.get(topic)
        if had is not None and (had[2] == qos or not kept):
            return had
        if isinstance(message, Opaque):
            name, hash_text = message.type_name, message.type_hash
        else:
            name = kind.ros_type
            hashes = {found.hash for found in wanting if found.type_name == name}
            hash_text = NO_HASH if hashes == {NO_HASH} else type_hash(kind)
        for found in wanting:
            if found.type_name != name:
                self.note(f"{topic} is {found.type_name} to {found.node} and {name} here: they do not meet.")
        made = self.graph.publisher_of(topic, name, hash_text, qos), name, qos
        if had is not None:
            had[0].close()
        self._publishers[topic] = made
        if topic in self._kept and message is None:
            made[0].send(encode(self._kept[topic]))
        return made
