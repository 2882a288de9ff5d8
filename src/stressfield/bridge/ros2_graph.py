"""A ROS 2 graph over zenoh, without ROS: a node of ours that publishes, listens, serves and calls.

Robots join with ``RMW_IMPLEMENTATION=rmw_zenoh_cpp``. The graph is its own router on a port of loopback
(:meth:`routed`), so that runs side by side do not hear each other, or it joins a router that is there (:meth:`joined`).
"""

from __future__ import annotations

import json
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from stressfield.bridge._ros2_wire import (
    DOMAIN_MAX,
    NO_HASH,
    SPACE,
    Attachment,
    Identity,
    Qos,
    Role,
    Ros2Endpoint,
    dds_type,
    described,
    gid_of,
    key_of,
    read_token,
    zenoh,
)
from stressfield.bus import Message, Service, decode, encode
from stressfield.errors import InputError, MalformedError, RigError, TraceError, did_you_mean

LOOPBACK = "127.0.0.1"
ROUTER_PORT = 7447
"""Where ROS 2 looks for the router, if nobody says otherwise."""

JOIN_S = 5.0
"""How long a router may take to answer before it counts as absent."""

CALL_S = 5.0
TIMED_OUT = b"Timeout"
"""What zenoh itself says in place of an answer that did not come in time."""

FREE_PORTS = 5
"""How many free ports are tried: between finding one and taking it, somebody else may."""


_COUNTERPART = {
    Role.PUBLISHER: Role.SUBSCRIBER,
    Role.SUBSCRIBER: Role.PUBLISHER,
    Role.SERVER: Role.CLIENT,
    Role.CLIENT: Role.SERVER,
}
_ALWAYS: dict[str, object] = {
    # Nobody is found but through the router: a run hears its own robot alone.
    "scouting/multicast/enabled": False,
    "scouting/gossip/enabled": False,
    # What is kept for those who join later is told apart by its time.
    "timestamping/enabled": True,
}


@dataclass(frozen=True, slots=True)
class Received:
    """A message that arrived: on which topic, from whom, and what its sender wrote beside it."""

    topic: str
    message: Message
    sequence: int
    sent_ns: int
    gid: bytes


class Publisher:
    """Sends messages of one type on one topic."""

    def __init__(self, publisher: Any, token: Any, gid: bytes) -> None:
        self._publisher, self._token, self._gid = publisher, token, gid
        self._sequence = 0
        self._lock = threading.Lock()

    def publish(self, message: Message, *, time_ns: int | None = None) -> None:
        """Send it. ``time_ns`` is when it was made; by default now, on the wall clock."""
        self.send(encode(message), time_ns=time_ns)

    def send(self, data: bytes, *, time_ns: int | None = None) -> None:
        """Send a message that is CDR already."""
        with self._lock:
            self._sequence += 1
            said = Attachment(self._sequence, time.time_ns() if time_ns is None else time_ns, self._gid)
            self._publisher.put(data, attachment=said.pack())

    def close(self) -> None:
        """Send no more; the graph is told."""
        self._token.undeclare()
        self._publisher.undeclare()


class Ros2Graph:
    """One node on a graph. Callbacks come from zenoh's threads; :attr:`troubles` says what went wrong there."""

    def __init__(self, session: Any, *, domain: int, node: str, namespace: str, endpoint: str) -> None:
        self._session = session
        self._identity = Identity(domain, str(session.info.zid()), 0, namespace, node)
        self._lock = threading.Lock()
        self._numbers = 0
        self._tokens: dict[str, Ros2Endpoint] = {}
        self._changed = threading.Condition(self._lock)
        self._own: dict[str, Ros2Endpoint] = {}
        self._closing: list[Any] = []
        self._troubles: dict[str, None] = {}
        self.domain, self.endpoint = domain, endpoint
        """``endpoint`` is where robots connect to, e.g. ``tcp/127.0.0.1:7447``."""
        self.changes = 0
        """How often somebody came, went, or offered and wanted something else."""
        self.changed: Callable[[], None] = _nothing
        """Called then, in a thread of zenoh's."""
        self.departed: dict[str, None] = {}
        """Nodes that have left the graph, in order."""
        watched = f"{SPACE}/{domain}/**"
        liveliness = session.liveliness()
        # First the question, then the subscription: with one a session answers the question itself, before it knows.
        for reply in liveliness.get(watched, timeout=JOIN_S):
            if reply.ok is not None:
                self._token_changed(reply.ok)
        self._closing.append(liveliness.declare_subscriber(watched, self._token_changed, history=True))
        try:
            self.refuse_twin()
        except InputError:
            self.close()
            raise
        self._declare(self._identity.token)

    @classmethod
    def routed(cls, *, domain: int | None = 0, port: int = 0, node: str = "stressfield", namespace: str = "") -> Self:
        """A graph of our own: this process is its router. Port 0 takes one that is free.

        With ``domain=None`` its domain follows from its port: runs side by side differ in both.
        """
        for attempt in reversed(range(1 if port else FREE_PORTS)):
            taken = port or _free_port()
            endpoint = f"tcp/{LOOPBACK}:{taken}"
            try:
                session = zenoh.open(_config({"mode": "router", "listen/endpoints": [endpoint]}))
            except zenoh.ZError as error:
                if attempt:  # another worker was quicker
                    continue
                raise InputError(
                    f"Cannot be the router on {endpoint}: {error}. Is another one there? Join it, or take another port."
                ) from error
            break
        number = 1 + taken % (DOMAIN_MAX - 1) if domain is None else domain
        return cls(session, domain=number, node=node, namespace=namespace, endpoint=endpoint)

    @classmethod
    def joined(cls, endpoint: str, *, domain: int = 0, node: str = "stressfield", namespace: str = "") -> Self:
        """A node on a graph that has a router: ``tcp/127.0.0.1:7447`` is where ROS 2 has it."""
        config = {
            "mode": "client",
            "connect/endpoints": [endpoint],
            "connect/timeout_ms": round(JOIN_S * 1000),
            "connect/exit_on_failure": True,
        }
        try:
            session = zenoh.open(_config(config))
        except zenoh.ZError as error:
            raise InputError(
                f"No zenoh router answers at {endpoint} ({error}). Start it (ros2 run rmw_zenoh_cpp rmw_zenohd), or "
                "let stressfield be the router."
            ) from error
        return cls(session, domain=domain, node=node, namespace=namespace, endpoint=endpoint)

    @classmethod
    def from_environment(cls, *, node: str, namespace: str = "") -> Self:
        """A node on the graph that the environment names, as it does for every node of ROS 2: for stand-ins of robots.

        ``ZENOH_CONFIG_OVERRIDE`` says where the router is (7447 of this machine if it does not), ``ROS_DOMAIN_ID`` the
        domain.
        """
        found = re.search(r"connect/endpoints=\[\s*\"([^\"]+)\"", os.environ.get("ZENOH_CONFIG_OVERRIDE", ""))
        text = os.environ.get("ROS_DOMAIN_ID", "") or "0"
        if not text.isdecimal():
            raise InputError(f"ROS_DOMAIN_ID is {text!r}; wanted a number from 0 to {DOMAIN_MAX}.")
        endpoint = f"tcp/{LOOPBACK}:{ROUTER_PORT}" if found is None else found[1]
        return cls.joined(endpoint, domain=int(text), node=node, namespace=namespace)

    @property
    def node(self) -> str:
        """Our own name on the graph."""
        return "/".join(["", *([inner] if (inner := self._identity.namespace.strip("/")) else []), self._identity.name])

    def refuse_twin(self) -> None:
        """InputError if somebody else is called as we are. One who came just before us may be seen a moment later."""
        if any(found.node == self.node for found in self.endpoints(Role.NODE)):
            raise InputError(
                f"Another {self.node} is on domain {self.domain} of {self.endpoint} already: two rigs on one graph "
                "disturb each other. Stop it, or give this one another domain or port."
            )

    @property
    def environment(self) -> dict[str, str]:
        """What a robot's process needs in its environment to join this graph."""
        override = f'mode="client";connect/endpoints=["{self.endpoint}"]'
        return {
            "RMW_IMPLEMENTATION": "rmw_zenoh_cpp",
            "ROS_DOMAIN_ID": str(self.domain),
            "ZENOH_CONFIG_OVERRIDE": override,
        }

    @property
    def troubles(self) -> tuple[str, ...]:
        """What could not be understood or delivered, each once."""
        with self._lock:
            return tuple(self._troubles)

    # --- who is there ---------------------------------------------------------------------------------------------

    def endpoints(self, *kinds: Role, name: str = "") -> tuple[Ros2Endpoint, ...]:
        """What others offer and want now; of some kinds, or of one topic or service, if asked for."""
        with self._lock:
            found = [self._tokens[token] for token in sorted(self._tokens) if token not in self._own]
        return tuple(e for e in found if (not kinds or e.kind in kinds) and (not name or e.name == name))

    def wait_for(self, kind: Role, name: str, *, within_s: float) -> Ros2Endpoint:
        """Somebody who offers or wants a topic or service; InputError with what there is instead if nobody comes."""
        end = time.monotonic() + within_s
        while True:
            found = self.endpoints(kind, name=name)
            if found:
                return found[0]
            with self._changed:
                left = end - time.monotonic()
                if left <= 0.0 or not self._changed.wait(left):
                    break
        known = sorted({e.name for e in self.endpoints(kind)})
        noun = {
            Role.PUBLISHER: "publishes",
            Role.SUBSCRIBER: "listens to",
            Role.SERVER: "offers",
            Role.CLIENT: "calls",
        }
        raise InputError(
            f"Nobody {noun[kind]} {name} on domain {self.domain} after {within_s:g} s. Others: "
            f"{', '.join(known) or 'none'}.{did_you_mean(name, known)}"
        )

    def _token_changed(self, sample: Any) -> None:
        token = str(sample.key_expr)
        try:
            endpoint = read_token(token)
        except MalformedError as error:
            self._trouble(str(error))
            return
        with self._changed:
            if sample.kind == zenoh.SampleKind.PUT:
                self._tokens[token] = endpoint
                for mine in self._own.values() if token not in self._own else ():
                    self._compare(mine, endpoint)
            else:
                self._tokens.pop(token, None)
                if endpoint.kind is Role.NODE:
                    self.departed[endpoint.node] = None
            self.changes += 1
            self._changed.notify_all()
        self.changed()

    # --- topics ---------------------------------------------------------------------------------------------------

    def publisher(self, topic: str, message_type: type[Message], qos: Qos | None = None) -> Publisher:
        """A publisher of messages of a type."""
        name, own = described(message_type)
        return self.publisher_of(topic, name, self._hash_there(topic, name, own, Role.SUBSCRIBER), qos)

    def publisher_of(self, topic: str, type_name: str, hash_text: str, qos: Qos | None = None) -> Publisher:
        """A publisher of a type that need not be known here."""
        qos = qos or Qos()
        token = self._identity.endpoint_token(self._number(), Role.PUBLISHER, topic, (type_name, hash_text), qos)
        key = key_of(self.domain, topic, type_name, hash_text)
        drop = zenoh.CongestionControl.BLOCK if qos.reliable else zenoh.CongestionControl.DROP
        if qos.transient_local:
            cache = zenoh.ext.CacheConfig(max_samples=qos.depth)
            made = zenoh.ext.declare_advanced_publisher(
                self._session, key, congestion_control=drop, cache=cache, publisher_detection=True
            )
        else:
            made = self._session.declare_publisher(key, congestion_control=drop)
        publisher = Publisher(made, self._declare(token), gid_of(token))
        self._closing.append(made)
        return publisher

    def subscribe(
        self, topic: str, message_type: type[Message], hear: Callable[[Received], None], qos: Qos | None = None
    ) -> None:
        """Call ``hear`` with every message. Whatever else is sent on the topic is told in :attr:`troubles`."""
        name, own = described(message_type)

        def heard(data: bytes, said: Attachment) -> None:
            message = decode(message_type, data)
            hear(Received(topic, message, said.sequence, said.time_ns, said.gid))

        self.subscribe_to(topic, name, self._hash_there(topic, name, own, Role.PUBLISHER), heard, qos)

    def subscribe_to(
        self,
        topic: str,
        type_name: str,
        hash_text: str,
        hear: Callable[[bytes, Attachment], None],
        qos: Qos | None = None,
    ) -> None:
        """Call ``hear`` with the bytes (CDR) of every message of a type that need not be known here."""
        qos = qos or Qos()
        token = self._identity.endpoint_token(self._number(), Role.SUBSCRIBER, topic, (type_name, hash_text), qos)
        # All types and hashes: a publisher that means something else by the topic is heard, and said.
        key = f"{self.domain}/{topic.strip('/')}/*/*"
        heard = partial(self._sample, topic, type_name, hash_text, hear)
        # What this very session publishes there is not for it: a rig does not hear itself.
        others = zenoh.Locality.REMOTE
        if qos.transient_local:
            history = zenoh.ext.HistoryConfig(detect_late_publishers=True, max_samples=qos.depth)
            made = zenoh.ext.declare_advanced_subscriber(
                self._session, key, heard, history=history, allowed_origin=others
            )
        else:
            made = self._session.declare_subscriber(key, heard, allowed_origin=others)
        self._closing.append(made)
        self._declare(token)

    def _sample(
        self, topic: str, type_name: str, hash_text: str, hear: Callable[[bytes, Attachment], None], sample: Any
    ) -> None:
        came, came_hash = str(sample.key_expr).rsplit("/", 2)[1:]
        if came != dds_type(type_name):
            self._trouble(f"Somebody publishes {came} on {topic}; wanted {dds_type(type_name)}.")
            return
        if came_hash != hash_text and NO_HASH not in (came_hash, hash_text):
            return  # its token was compared, and said: bytes of another definition are not read
        try:
            if sample.attachment is None:
                raise MalformedError("it has no attachment, so that no node of ROS 2 would take it")
            hear(sample.payload.to_bytes(), Attachment.unpack(sample.attachment.to_bytes()))
        except (MalformedError, TraceError) as error:
            self._trouble(f"A message on {topic} was not understood: {error}")

    def _hash_there(self, topic: str, name: str, own: str, kind: Role) -> str:
        """Our own hash of a type; that of Humble, which has none, if all others on the topic are of Humble."""
        hashes = {found.hash for found in self.endpoints(kind, name=topic) if found.type_name == name}
        return NO_HASH if hashes == {NO_HASH} else own

    def _compare(self, mine: Ros2Endpoint, other: Ros2Endpoint) -> None:
        """Say so if two ends of a topic or service mean different things by it: in ROS they just never meet."""
        if mine.name != other.name or other.kind is not _COUNTERPART.get(mine.kind):
            return
        if mine.type_name != other.type_name:
            self._troubles[
                f"{mine.name} is {other.type_name} to {other.node} and {mine.type_name} here: they do not meet."
            ] = None
        elif NO_HASH not in (mine.hash, other.hash) and mine.hash != other.hash:
            self._troubles[
                f"{other.node} defines {mine.type_name} of {mine.name} otherwise ({other.hash[:15]}..., here "
                f"{mine.hash[:15]}...): they do not meet."
            ] = None

    # --- services -------------------------------------------------------------------------------------------------

    def serve(self, name: str, service: Service, answer: Callable[[Any], Message]) -> None:
        """Answer calls of a service. An exception of ``answer`` is the caller's error, and told in :attr:`troubles`."""

        def asked(query: Any, key: str) -> None:
            try:
                said = Attachment.unpack(b"" if query.attachment is None else query.attachment.to_bytes())
                response = answer(decode(service.request, query.payload.to_bytes()))
                back = Attachment(said.sequence, time.time_ns(), said.gid)
                query.reply(key, encode(response), attachment=back.pack())
            except Exception as error:
                self._trouble(f"A call of {name} failed: {type(error).__name__}: {error}")
                query.reply_err(str(error).encode())

        self.serve_bytes(name, described(service), asked)

    def serve_bytes(self, name: str, what: tuple[str, str], asked: Callable[[Any, str], None]) -> Callable[[], None]:
        """Answer calls of a service whose type (name and hash) need not be known: ``asked(query, key)`` replies.

        What is returned takes the service back.
        """
        key = key_of(self.domain, name, *what)
        queryable = self._session.declare_queryable(key, lambda query: asked(query, key), complete=True)
        token = self._declare(self._identity.endpoint_token(self._number(), Role.SERVER, name, what, Qos()))
        self._closing.append(queryable)

        def withdraw() -> None:
            for declared in (token, queryable):
                self._closing.remove(declared)
                declared.undeclare()

        return withdraw

    def ask_bytes(
        self,
        name: str,
        what: tuple[str, str],
        request: bytes,
        answered: Callable[..., None],
        *,
        within_s: float,
    ) -> None:
        """Call a service without waiting: ``answered(data, failed=...)`` is called from a thread of zenoh's, once."""
        number = self._number()
        said = Attachment(number, time.time_ns(), gid_of(f"{self._identity.token}/{number}"))
        heard: list[None] = []

        def reply(found: Any) -> None:
            if heard:
                return
            heard.append(None)
            failed = found.ok is None
            answered((found.err if failed else found.ok).payload.to_bytes(), failed=failed)

        self._session.get(
            key_of(self.domain, name, *what),
            reply,
            target=zenoh.QueryTarget.ALL_COMPLETE,
            consolidation=zenoh.ConsolidationMode.NONE,
            payload=request,
            attachment=said.pack(),
            timeout=within_s,
        )

    def call(self, name: str, service: Service, request: Message, *, within_s: float = CALL_S) -> Any:
        """The answer of a service. RigError if none comes in time; InputError if nobody offers it as this type."""
        offered = self.wait_for(Role.SERVER, name, within_s=within_s)
        if offered.type_name != service.name:
            raise InputError(f"{offered.node} offers {name} as {offered.type_name}; wanted {service.name}.")
        key = key_of(self.domain, name, service.name, offered.hash)
        number = self._number()
        asked = Attachment(number, time.time_ns(), gid_of(f"{self._identity.token}/{number}"))
        replies = self._session.get(
            key,
            target=zenoh.QueryTarget.ALL_COMPLETE,
            consolidation=zenoh.ConsolidationMode.NONE,
            payload=encode(request),
            attachment=asked.pack(),
            timeout=within_s,
        )
        for reply in replies:
            if reply.ok is None:
                said = reply.err.payload.to_bytes()
                if said == TIMED_OUT:
                    break
                raise RigError(f"{offered.node} could not answer {name}: {said[:200]!r}.")
            try:
                return decode(service.response, reply.ok.payload.to_bytes())
            except TraceError as error:
                raise RigError(f"The answer of {name} was not understood: {error}") from error
        if not self.endpoints(Role.SERVER, name=name):
            raise RigError(f"{offered.node} left the graph without an answer to {name}.")
        raise RigError(f"{offered.node} did not answer {name} within {within_s:g} s.")

    # --- the end --------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Leave the graph: all that was declared is taken back, then the connection ends."""
        for declared in reversed(self._closing):
            try:
                declared.undeclare()
            except zenoh.ZError:  # undeclared already, with its publisher
                continue
        self._closing.clear()
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _declare(self, token: str) -> Any:
        with self._lock:
            mine = self._own[token] = read_token(token)
            for other in self._tokens.values():
                self._compare(mine, other)
        declared = self._session.liveliness().declare_token(token)
        self._closing.append(declared)
        return declared

    def _number(self) -> int:
        with self._lock:
            self._numbers += 1
            return self._numbers

    def _trouble(self, text: str) -> None:
        with self._lock:
            self._troubles[text] = None


def _nothing() -> None:
    """What is done when the graph changes and nobody asked."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _config(values: Mapping[str, object]) -> Any:
    config = zenoh.Config()
    for path, value in {**values, **_ALWAYS}.items():
        config.insert_json5(path, json.dumps(value))
    return config
