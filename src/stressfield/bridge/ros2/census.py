"""Who is on a ROS 2 graph, what they offer and want, and where two of them mean different things by one name."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from stressfield.bridge.ros2.session import JOIN_S
from stressfield.bridge.ros2.wire import NO_HASH, SPACE, Role, Ros2Endpoint, read_token, zenoh
from stressfield.errors import InputError, MalformedError, did_you_mean

_COUNTERPART = {
    Role.PUBLISHER: Role.SUBSCRIBER,
    Role.SUBSCRIBER: Role.PUBLISHER,
    Role.SERVER: Role.CLIENT,
    Role.CLIENT: Role.SERVER,
}
_DOES = {
    Role.PUBLISHER: "publishes",
    Role.SUBSCRIBER: "listens to",
    Role.SERVER: "offers",
    Role.CLIENT: "calls",
}


class Census:
    """Keeps the liveliness tokens of a domain, as zenoh's threads tell of them."""

    def __init__(self, session: Any, domain: int) -> None:
        self._domain = domain
        self._changed = threading.Condition()
        self._tokens: dict[str, Ros2Endpoint] = {}
        self._own: dict[str, Ros2Endpoint] = {}
        self._troubles: dict[str, None] = {}
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
        self.subscription = liveliness.declare_subscriber(watched, self._token_changed, history=True)
        """For the one who undeclares it."""

    @property
    def troubles(self) -> tuple[str, ...]:
        """What could not be understood or will never meet, each once."""
        with self._changed:
            return tuple(self._troubles)

    def trouble(self, text: str) -> None:
        """Note that something went wrong, from whichever thread."""
        with self._changed:
            self._troubles[text] = None

    def endpoints(self, *kinds: Role, name: str = "") -> tuple[Ros2Endpoint, ...]:
        """What others offer and want now; of some kinds, or of one topic or service, if asked for."""
        with self._changed:
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
        raise InputError(
            f"Nobody {_DOES[kind]} {name} on domain {self._domain} after {within_s:g} s. Others: "
            f"{', '.join(known) or 'none'}.{did_you_mean(name, known)}"
        )

    def hash_there(self, topic: str, name: str, own: str, kind: Role) -> str:
        """Our own hash of a type; that of Humble, which has none, if all others on the topic are of Humble."""
        hashes = {found.hash for found in self.endpoints(kind, name=topic) if found.type_name == name}
        return NO_HASH if hashes == {NO_HASH} else own

    def add_own(self, token: str) -> None:
        """Something that we offer or want ourselves: compared with what others mean by the same name."""
        with self._changed:
            mine = self._own[token] = read_token(token)
            for other in self._tokens.values():
                self._compare(mine, other)

    def _token_changed(self, sample: Any) -> None:
        token = str(sample.key_expr)
        try:
            endpoint = read_token(token)
        except MalformedError as error:
            self.trouble(str(error))
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


def _nothing() -> None:
    """What is done when the graph changes and nobody asked."""
