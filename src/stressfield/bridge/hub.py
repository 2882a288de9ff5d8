"""The meeting place of a bridge: who is connected, what they want, what they said. Whatever they speak."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from stressfield.bus import Message
from stressfield.bus.bus import RESERVED
from stressfield.bus.messages import Time
from stressfield.errors import MalformedError, RigError, StressfieldError, SubjectError

CLOCK = "/clock"
"""Simulated time, as ``rosgraph_msgs/Clock``: sent after everything that happened up to then."""

TICK_DONE = "/stressfield/tick_done"
"""Where a client in lock-step sends each clock message back, when it is done with all that came before it."""

MISSION = "/stressfield/mission"
"""The mission as JSON in a ``std_msgs/String``, sent to whoever subscribes."""

LATCHED = ("/map", "/robot_description", "/tf_static")
"""Topics on which ROS keeps the last message for those who join later (latched, transient local)."""


class Clock(Message, frozen=True, eq=False):
    """What time it is."""

    ros_type: ClassVar[str] = "rosgraph_msgs/msg/Clock"
    clock: Time


MAX_QUEUE = 1000


@dataclass(frozen=True, slots=True)
class Wish:
    """One subscription: at most one message in ``throttle_ns``, those too early wait in a queue of this length."""

    throttle_ns: int = 0
    queue_length: int = 0
    fragment_size: int | None = None
    cbor: bool = False
    """Whether its messages come as CBOR, with exact numbers, instead of JSON."""


class Subscription:
    """All wishes of one client for one topic. As in rosbridge the client gets each message once, by the widest wish.

    Time is simulated time: a robot that wants ten scans a second gets ten per simulated second.
    """

    def __init__(self) -> None:
        self.wishes: dict[str, Wish] = {}
        self._throttle_ns = 0
        self._last_ns: int | None = None
        self._queue: deque[Message] = deque(maxlen=0)
        self.fragment_size: int | None = None
        self.cbor = False

    def wish(self, name: str, wish: Wish | None) -> None:
        """Add, replace or (None) take back a wish."""
        if wish is None:
            self.wishes.pop(name, None)
        else:
            self.wishes[name] = wish
        wishes = self.wishes.values()
        self._throttle_ns = min((wish.throttle_ns for wish in wishes), default=0)
        length = min((wish.queue_length for wish in wishes), default=0)
        self._queue = deque(self._queue, maxlen=min(length, MAX_QUEUE))
        self.fragment_size = min((wish.fragment_size for wish in wishes if wish.fragment_size), default=None)
        self.cbor = any(wish.cbor for wish in wishes)

    def offer(self, message: Message, now_ns: int) -> Collection[Message]:
        """A message came: what to send at once. One that is too early waits, or is lost if there is no queue."""
        if self._throttle_ns == 0:
            return (message,)
        if self._queue or not self._free(now_ns):
            self._queue.append(message)
            return self.due(now_ns)
        self._last_ns = now_ns
        return (message,)

    def due(self, now_ns: int) -> Collection[Message]:
        """What waited and may be sent now."""
        if not self._queue or not self._free(now_ns):
            return ()
        self._last_ns = now_ns
        return (self._queue.popleft(),)

    def _free(self, now_ns: int) -> bool:
        return self._last_ns is None or now_ns - self._last_ns >= self._throttle_ns


Service = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Answers a call: the request's values to the response's values, both as parsed JSON."""

# a client that floods or leaks must end its own run, not the machine: all that a client can make grow has a limit
MAX_FRAMES = 5_000
MAX_FRAME_BYTES = 64 * 1024 * 1024
"""How much all clients together may say in one simulated second."""

MAX_CLIENTS = 32
MAX_TOPICS = 1_000
MAX_WISHES = 100
"""How often one client may subscribe to one topic, under different names."""


class Client:
    """One connected client. What it speaks is up to the class derived from this one."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub = hub
        self.name = name
        self.advertised: dict[str, type[Message] | None] = {}
        self.subscriptions: dict[str, Subscription] = {}
        self.heard = True
        """Whether anything came from it since this was last set to False."""
        self._awaited: list[int] = []

    @property
    def in_lockstep(self) -> bool:
        """Whether it acknowledges ticks."""
        return self.hub.lockstep and TICK_DONE in self.advertised and CLOCK in self.subscriptions

    @property
    def waits(self) -> bool:
        """Whether it has yet to acknowledge a tick."""
        return bool(self._awaited)

    async def tick(self, time_ns: int, message: Clock) -> None:
        """Tell it the time, if it wants to know."""
        if CLOCK in self.subscriptions:
            if self.in_lockstep:
                self._awaited.append(time_ns)
            await self.deliver(CLOCK, message)

    def acknowledged(self, time_ns: int) -> None:
        """It is done with a tick."""
        if not self._awaited or self._awaited[0] != time_ns:
            wanted = f"{self._awaited[0]} ns" if self._awaited else "none: every tick so far is acknowledged"
            raise MalformedError(f"{TICK_DONE} says {time_ns} ns; wanted {wanted}. Send each {CLOCK} back once.")
        del self._awaited[0]

    async def deliver(self, topic: str, message: Message) -> None:
        """Send it a message."""
        raise NotImplementedError

    async def probe(self) -> None:
        """Ask for a sign of life; ``heard`` becomes true when it comes."""

    async def close(self) -> None:
        """Say good-bye."""


class Hub:
    """Clients, their subscriptions and what they published, until the rig takes it.

    ``accepts`` are topics that take certain message types only; a topic that has a type keeps it. On ``reports`` a
    client says that its mission ended: then it may leave. Without ``lockstep`` acknowledgements of ticks are passed
    over. Only used in the thread of its event loop.
    """

    def __init__(
        self,
        *,
        accepts: Mapping[str, tuple[type[Message], ...]] | None = None,
        services: Mapping[str, Service] | None = None,
        latched: Mapping[str, Message] | None = None,
        reports: Collection[str] = (),
        lockstep: bool = True,
    ) -> None:
        self.types: dict[str, type[Message]] = {}
        self._accepts: dict[str, tuple[type[Message], ...]] = {TICK_DONE: (Clock,), **(accepts or {})}
        self.services = dict(services or {})
        self.latched = dict(latched or {})
        self.lockstep = lockstep
        self._reports = frozenset(reports)
        self.reported = False
        """Whether a client said that its mission ended."""
        self.published = False
        """Whether a client has published anything yet."""
        self.clients: list[Client] = []
        self.providers: dict[str, Client] = {}
        self.now_ns = 0
        self.changed = asyncio.Event()
        self.error: StressfieldError | None = None
        self.lost: str = ""
        self.refused: str = ""
        self.ignored = 0
        """Messages on topics of unknown types, or that nobody knows what to do with."""
        self._said: list[tuple[str, Message]] = []
        self.frames = 0
        """How many messages clients sent in all."""
        self._frames = self._bytes = 0

    # what clients do ------------------------------------------------------------------------------------------

    def join(self, client: Client) -> None:
        """A client connected."""
        if len(self.clients) >= MAX_CLIENTS:
            raise MalformedError(f"There are {MAX_CLIENTS} clients already.")
        self.clients.append(client)
        self.changed.set()

    def leave(self, client: Client, why: str, *, good_bye: bool = False) -> None:
        """A client's connection is gone, and why. One that says good-bye after its report is not missed."""
        if client in self.clients:
            self.clients.remove(client)
            self.providers = {name: provider for name, provider in self.providers.items() if provider is not client}
            if not (good_bye and self.reported):
                self.lost = self.lost or why or "closed without a reason"
            self.changed.set()

    def count(self, size: int) -> None:
        """A client said something of this size. Too much in one simulated second is a flood."""
        self.frames += 1
        self._frames += 1
        self._bytes += size
        if self._frames > MAX_FRAMES or self._bytes > MAX_FRAME_BYTES:
            self.fail(
                SubjectError(
                    f"The subject floods the bridge: {self._frames} messages, {self._bytes} bytes within one simulated "
                    f"second; wanted at most {MAX_FRAMES} messages and {MAX_FRAME_BYTES} bytes.",
                    kind="flood",
                )
            )

    def fail(self, error: StressfieldError) -> None:
        """Something is wrong beyond repair; the first such error counts."""
        if self.error is None:
            self.error = error
        self.changed.set()

    def advertise(self, client: Client, topic: str, message_type: type[Message] | None) -> None:
        """A client will publish on a topic; None is a type that is not known here."""
        if topic.startswith(RESERVED) or topic == CLOCK:
            raise MalformedError(f"{topic!r} belongs to the rig; no robot may publish there.")
        known: tuple[type[Message], ...] = (self.types[topic],) if topic in self.types else self._accepts.get(topic, ())
        if known and message_type not in known:
            got = "an unknown type" if message_type is None else message_type.ros_type
            wanted = " or ".join(kind.ros_type for kind in known)
            raise MalformedError(f"{topic!r} is advertised as {got}; wanted {wanted}.")
        if topic not in client.advertised and len(client.advertised) >= MAX_TOPICS:
            raise MalformedError(f"More than {MAX_TOPICS} topics are advertised.")
        if message_type is not None:
            self.types[topic] = message_type
        client.advertised[topic] = message_type
        self.changed.set()

    def publish(self, client: Client, topic: str, message: Message) -> None:
        """A client published a message."""
        if topic == TICK_DONE:
            assert isinstance(message, Clock)
            if client.in_lockstep:
                client.acknowledged(message.clock.ns)
                self.changed.set()
        else:
            self.published = True
            self.reported = self.reported or topic in self._reports
            self._said.append((topic, message))

    def subscribe(self, client: Client, topic: str, name: str, wish: Wish) -> None:
        """A client wants a topic."""
        if topic.startswith(RESERVED):
            raise MalformedError(f"{topic!r} belongs to the rig; no robot may listen there.")
        if topic not in client.subscriptions and len(client.subscriptions) >= MAX_TOPICS:
            raise MalformedError(f"More than {MAX_TOPICS} topics are subscribed to.")
        subscription = client.subscriptions.setdefault(topic, Subscription())
        if name not in subscription.wishes and len(subscription.wishes) >= MAX_WISHES:
            raise MalformedError(f"More than {MAX_WISHES} subscriptions to {topic!r:.100} by one client.")
        subscription.wish(name, wish)
        self.changed.set()

    def unsubscribe(self, client: Client, topic: str, name: str | None) -> None:
        """A client no longer wants a topic: one subscription of that name, or (None) none at all."""
        subscription = client.subscriptions.get(topic)
        if subscription is not None:
            subscription.wish(name or "", None)
            if name is None or not subscription.wishes:
                del client.subscriptions[topic]

    # what the rig does ----------------------------------------------------------------------------------------

    def take(self) -> list[tuple[str, Message]]:
        """What clients published since the last call, in order."""
        said, self._said = self._said, []
        return said

    @property
    def wanted(self) -> set[str]:
        """The topics that some client subscribes to."""
        return {topic for client in self.clients for topic in client.subscriptions}

    @property
    def in_lockstep(self) -> bool:
        """Whether some client acknowledges ticks: then time waits for it."""
        return any(client.in_lockstep for client in self.clients)

    async def deliver(self, topic: str, message: Message, now_ns: int) -> None:
        """Send a message to all who want it."""
        for client in self.clients[:]:
            subscription = client.subscriptions.get(topic)
            if subscription is not None:
                for wanted in subscription.offer(message, now_ns):
                    await client.deliver(topic, wanted)

    async def tick(self, time_ns: int, message: Clock) -> None:
        """It is now this time: send what waited for it, then the time itself."""
        if time_ns // 1_000_000_000 != self.now_ns // 1_000_000_000:
            self._frames = self._bytes = 0
        self.now_ns = time_ns
        for client in self.clients[:]:
            for topic, subscription in list(client.subscriptions.items()):
                for wanted in subscription.due(time_ns):
                    await client.deliver(topic, wanted)
            await client.tick(time_ns, message)

    def check(self) -> None:
        """Raise what went wrong."""
        if self.error is not None:
            raise self.error
        if self.lost:
            raise RigError(
                f"The connection to the subject was lost: {self.lost}. The run says nothing about the robot."
            )
