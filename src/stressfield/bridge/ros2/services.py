"""Services between two ROS 2 graphs that do not hear each other: calls go over the bus, where they may be disturbed.

A call is a message on ``SERVICE/request``, its answer one on ``SERVICE/reply``. Their bytes are passed as they are, so
nothing need be known of their types; actions are services and topics, and pass likewise.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from stressfield.bridge.ros2.graph import Ros2Graph
from stressfield.bridge.ros2.wire import Attachment, Role, Ros2Endpoint
from stressfield.bus import Bool, Int64, Message, String, UInt8Array, no_values
from stressfield.errors import MalformedError

REQUEST, REPLY = "/request", "/reply"
LONGEST_S = 24 * 3600.0
"""How long an answer is waited for: the result of an action comes when it is done."""

Services = Mapping[str, tuple[str, str]]
"""Services by name, with the name and the hash of their type."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What a graph offers to another: services, and topics with who publishes them there."""

    services: Services
    topics: Mapping[str, Ros2Endpoint]


class ServiceCall(Message, frozen=True, eq=False):
    """A request or its answer, as CDR. The number says which belong together."""

    ros_type: ClassVar[str] = "stressfield_msgs/msg/ServiceCall"
    service: String = ""
    type_name: String = ""
    type_hash: String = ""
    number: Int64 = 0
    failed: Bool = False
    data: UInt8Array = no_values("uint8")


class Ros2Services:
    """One graph's side: offers there what others have, and asks there for them."""

    def __init__(self, graph: Ros2Graph, wake: Callable[[], None]) -> None:
        self._graph, self._wake = graph, wake
        self._numbers = itertools.count(1)
        self._waiting: deque[tuple[str, ServiceCall]] = deque()
        self._queries: dict[int, tuple[Any, Attachment, str]] = {}
        self._offered: dict[str, Callable[[], None]] = {}
        self._lock = threading.Lock()

    def offers(self) -> dict[str, tuple[str, str]]:
        """What others offer on this graph."""
        return {found.name: (found.type_name, found.hash) for found in self._graph.endpoints(Role.SERVER)}

    def mirror(self, offers: Services) -> None:
        """Offer on this graph what somebody elsewhere does, and nothing else."""
        for name in self._offered.keys() - offers.keys():
            self._offered.pop(name)()
        for name in offers.keys() - self._offered.keys():
            type_name, hash_text = offers[name]
            asked = partial(self._asked, name, type_name, hash_text)
            self._offered[name] = self._graph.serve_bytes(name, (type_name, hash_text), asked)

    def take(self) -> list[tuple[str, ServiceCall]]:
        """Requests and answers that have come, for the bus."""
        with self._lock:
            taken = list(self._waiting)
            self._waiting.clear()
        return taken

    def pass_on(self, topic: str, call: ServiceCall) -> None:
        """What came over the bus: a request that is to be made here, or the answer to one that was made here."""
        if topic.endswith(REQUEST):
            self._graph.ask_bytes(
                call.service,
                (call.type_name, call.type_hash),
                call.data.tobytes(),
                partial(self._answered, call),
                within_s=LONGEST_S,
            )
            return
        held = self._queries.pop(call.number, None)
        if held is None:
            return  # answered already: the answer was doubled on its way
        query, said, key = held
        if call.failed:
            query.reply_err(call.data.tobytes())
        else:
            query.reply(key, call.data.tobytes(), attachment=Attachment(said.sequence, time.time_ns(), said.gid).pack())
        query.drop()

    def _asked(self, name: str, type_name: str, hash_text: str, query: Any, key: str) -> None:
        try:
            said = Attachment.unpack(b"" if query.attachment is None else query.attachment.to_bytes())
        except MalformedError as error:
            query.reply_err(str(error).encode())
            return
        number = next(self._numbers)
        self._queries[number] = query, said, key
        self._put(
            name + REQUEST,
            ServiceCall(name, type_name, hash_text, number, data=np.frombuffer(query.payload.to_bytes(), np.uint8)),
        )

    def _answered(self, call: ServiceCall, data: bytes, *, failed: bool) -> None:
        answer = ServiceCall(
            call.service, call.type_name, call.type_hash, call.number, failed, np.frombuffer(data, np.uint8)
        )
        self._put(call.service + REPLY, answer)

    def _put(self, topic: str, call: ServiceCall) -> None:
        with self._lock:
            self._waiting.append((topic, call))
        self._wake()

    def close(self) -> None:
        """Leave nobody waiting."""
        for query, _, _ in self._queries.values():
            query.drop()
        self._queries.clear()
