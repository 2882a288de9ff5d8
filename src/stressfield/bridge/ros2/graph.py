"""A ROS 2 graph over zenoh, without ROS: a node of ours that publishes, listens, serves and calls.

Robots join with ``RMW_IMPLEMENTATION=rmw_zenoh_cpp``. The graph is its own router on a port of loopback
(:meth:`routed`), so that runs side by side do not hear each other, or it joins a router that is there (:meth:`joined`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from stressfield.bridge.ros2.census import Census
from stressfield.bridge.ros2.session import (
    client_session,
    from_environment,
    loopback,
    router_session,
    to_environment,
)
from stressfield.bridge.ros2.wire import (
    DOMAIN_MAX,
    NO_HASH,
    Attachment,
    Identity,
    Qos,
    Role,
    Ros2Endpoint,
    dds_type,
    described,
    gid_of,
    key_of,
    zenoh,
)
from stressfield.bus import Message, Service, decode, encode
from stressfield.errors import InputError, MalformedError, RigError, TraceError

CALL_S = 5.0
TIMED_OUT = b"Timeout"
"""What zenoh itself says in place of an answer that did not come in time."""


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
        self.domain, self.endpoint = domain, endpoint
        """``endpoint`` is where robots connect to, e.g. ``tcp/127.0.0.1:7447``."""
        self.census = Census(session, domain)
        """Who is there, and who has left."""
        self._closing: list[Any] = [self.census.subscription]
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
        session, taken = router_session(port)
        number = 1 + taken % (DOMAIN_MAX - 1) if domain is None else domain
        return cls(session, domain=number, node=node, namespace=namespace, endpoint=loopback(taken))

    @classmethod
    def joined(cls, endpoint: str, *, domain: int = 0, node: str = "stressfield", namespace: str = "") -> Self:
        """A node on a graph that has a router: ``tcp/127.0.0.1:7447`` is where ROS 2 has it."""
        return cls(client_session(endpoint), domain=domain, node=node, namespace=namespace, endpoint=endpoint)

    @classmethod
    def from_environment(cls, *, node: str, namespace: str = "") -> Self:
        """A node on the graph that the environment names, as it does for every node of ROS 2: for stand-ins of robots.

        ``ZENOH_CONFIG_OVERRIDE`` says where the router is (7447 of this machine if it does not), ``ROS_DOMAIN_ID`` the
        domain.
        """
        endpoint, domain = from_environment()
        return cls.joined(endpoint, domain=domain, node=node, namespace=namespace)

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
        return to_environment(self.endpoint, self.domain)

    @property
    def troubles(self) -> tuple[str, ...]:
        """What could not be understood or delivered, each once."""
        return self.census.troubles

    def endpoints(self, *kinds: Role, name: str = "") -> tuple[Ros2Endpoint, ...]:
        """What others offer and want now; of some kinds, or of one topic or service, if asked for."""
        return self.census.endpoints(*kinds, name=name)

    def wait_for(self, kind: Role, name: str, *, within_s: float) -> Ros2Endpoint:
        """Somebody who offers or wants a topic or service; InputError with what there is instead if nobody comes."""
        return self.census.wait_for(kind, name, within_s=within_s)

    # --- topics ---------------------------------------------------------------------------------------------------

    def publisher(self, topic: str, message_type: type[Message], qos: Qos | None = None) -> Publisher:
        """A publisher of messages of a type."""
        name, own = described(message_type)
        return self.publisher_of(topic, name, self.census.hash_there(topic, name, own, Role.SUBSCRIBER), qos)

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

        self.subscribe_to(topic, name, self.census.hash_there(topic, name, own, Role.PUBLISHER), heard, qos)

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
            self.census.trouble(f"Somebody publishes {came} on {topic}; wanted {dds_type(type_name)}.")
            return
        if came_hash != hash_text and NO_HASH not in (came_hash, hash_text):
            return  # its token was compared, and said: bytes of another definition are not read
        try:
            if sample.attachment is None:
                raise MalformedError("it has no attachment, so that no node of ROS 2 would take it")
            hear(sample.payload.to_bytes(), Attachment.unpack(sample.attachment.to_bytes()))
        except (MalformedError, TraceError) as error:
            self.census.trouble(f"A message on {topic} was not understood: {error}")

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
                self.census.trouble(f"A call of {name} failed: {type(error).__name__}: {error}")
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
        self.census.add_own(token)
        declared = self._session.liveliness().declare_token(token)
        self._closing.append(declared)
        return declared

    def _number(self) -> int:
        with self._lock:
            self._numbers += 1
            return self._numbers
