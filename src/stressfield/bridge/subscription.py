"""What a client asked of a topic, and what it therefore gets."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from stressfield.bus import Message

MAX_QUEUE = 1000


@dataclass(frozen=True, slots=True)
class Wish:
    """One subscription: at most one message in ``throttle_ns``, those too early wait in a queue of this length."""

    throttle_ns: int = 0
    queue_length: int = 0
    fragment_size: int | None = None


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

    def wish(self, name: str, wish: Wish | None) -> None:
        """Add, replace or (None) take back a wish."""
        if wish is None:
            self.wishes.pop(name, None)
        else:
            self.wishes[name] = wish
        wishes = self.wishes.values()
        self._throttle_ns = min((one.throttle_ns for one in wishes), default=0)
        length = min((one.queue_length for one in wishes), default=0)
        self._queue = deque(self._queue, maxlen=min(length, MAX_QUEUE))
        self.fragment_size = min((one.fragment_size for one in wishes if one.fragment_size), default=None)

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
