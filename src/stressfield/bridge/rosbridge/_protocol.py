"""The rosbridge v2 protocol: the words of its operations, and long messages in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stressfield._files.json_text import MAX_BYTES, parse_json
from stressfield.bridge._json_message import to_json
from stressfield.bridge.hub import Wish
from stressfield.errors import MalformedError

OPERATIONS = (
    "advertise", "unadvertise", "publish", "subscribe", "unsubscribe", "call_service", "service_response",
    "advertise_service", "unadvertise_service", "fragment", "set_level", "status",
)  # fmt: skip
"""What is understood."""

UNSUPPORTED = (
    "png", "auth", "advertise_action", "unadvertise_action", "send_action_goal", "cancel_action_goal",
    "action_feedback", "action_result",
)  # fmt: skip
"""Words of the protocol that this bridge does not speak."""

LEVELS = ("none", "error", "warning", "info")

Operation = Mapping[str, Any]


class UnsupportedError(MalformedError):
    """Good rosbridge, but not of the kind that this bridge speaks."""


def parse_operation(frame: str | bytes) -> tuple[str, Operation]:
    """The operation's name and its words."""
    value = parse_json(frame)
    if not isinstance(value, dict):
        raise MalformedError(f"An operation is {value!r:.60}; wanted an object with 'op'.")
    op = value.get("op")
    if op in UNSUPPORTED:
        raise UnsupportedError(f"The operation {op!r} is not supported here. Supported: {', '.join(OPERATIONS)}.")
    if not isinstance(op, str) or op not in OPERATIONS:
        raise MalformedError(
            f"Unknown operation {op!r:.60}: this is not a client of rosbridge version 2. Known: "
            f"{', '.join(OPERATIONS)}."
        )
    return op, value


def text_of(operation: Operation, word: str) -> str:
    """A word that must be a text."""
    value = operation.get(word)
    if not isinstance(value, str) or not 0 < len(value) <= 500:
        raise MalformedError(f"{operation['op']}: {word!r} is {value!r:.80}; wanted a text of 1 to 500 characters.")
    return value


def topic_of(operation: Operation, word: str = "topic") -> str:
    """A topic or service; a leading slash is added if it has none."""
    name = text_of(operation, word)
    return name if name.startswith("/") else f"/{name}"


def id_of(operation: Operation) -> str | None:
    """The id, if there is one."""
    value = operation.get("id")
    return None if value is None else str(value)[:500]


def wish_of(operation: Operation) -> Wish:
    """What a subscription asks for."""
    compression = operation.get("compression", "none")
    if compression is not None and not isinstance(compression, str):
        raise MalformedError(f"subscribe: compression is {compression!r:.40}; wanted 'none' or 'cbor'.")
    if compression not in {"none", "cbor", None}:
        raise UnsupportedError(f"subscribe: compression {compression!r:.40} is not supported; wanted 'none' or 'cbor'.")
    fragment_size = _number(operation, "fragment_size")
    if fragment_size is not None and fragment_size < 100:
        raise MalformedError(f"subscribe: fragment_size is {fragment_size}; wanted at least 100.")
    return Wish(
        throttle_ns=(_number(operation, "throttle_rate") or 0) * 1_000_000,
        queue_length=_number(operation, "queue_length") or 0,
        fragment_size=fragment_size,
        cbor=compression == "cbor",
    )


def _number(operation: Operation, word: str) -> int | None:
    value = operation.get(word)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 2**31:
        raise MalformedError(f"{operation['op']}: {word!r} is {value!r:.60}; wanted a number from 0 on.")
    return int(value)


MAX_PIECES = 10_000
MAX_OPEN = 8
"""How many messages may be incomplete at once; the oldest is given up for a new one."""


class Fragments:
    """The pieces of one client's messages that have come so far."""

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._open: dict[str, dict[int, str]] = {}
        self._sizes: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    def add(self, id_: object, number: object, total: object, data: object) -> str | None:
        """One piece came; the whole text if it was the last one missing."""
        count, place = _whole(total, "total"), _whole(number, "num")
        if not isinstance(data, str) or not isinstance(id_, str | int) or not 0 <= place < count <= MAX_PIECES:
            raise MalformedError(
                f"A fragment is number {number!r:.40} of {total!r:.40} with id {id_!r:.80}; wanted an id, a text, and "
                f"num from 0 to total - 1 with a total of at most {MAX_PIECES}."
            )
        key = str(id_)
        if key not in self._open and len(self._open) >= MAX_OPEN:
            self._forget(next(iter(self._open)))
        pieces = self._open.setdefault(key, {})
        if self._counts.setdefault(key, count) != count:
            raise MalformedError(
                f"Fragments of message {key!r:.80} say that there are {self._counts[key]} of them, and {count}."
            )
        if place in pieces:
            raise MalformedError(f"Fragment {place} of message {key!r:.80} came twice.")
        pieces[place] = data
        self._sizes[key] = self._sizes.get(key, 0) + len(data)
        if self._sizes[key] > self._max_bytes:
            self._forget(key)
            raise MalformedError(f"The fragments of a message are longer than {self._max_bytes} characters.")
        if len(pieces) < count:
            return None
        self._forget(key)
        return "".join(pieces[i] for i in range(count))

    def _forget(self, key: str) -> None:
        del self._open[key]
        del self._counts[key]
        self._sizes.pop(key, None)


def cut(text: str, *, size: int, name: str) -> Iterator[bytes]:
    """The text itself if it is short enough, otherwise its fragments as JSON."""
    if len(text) <= size:
        yield text.encode()
        return
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    for number, piece in enumerate(pieces):
        yield to_json({"op": "fragment", "id": name, "data": piece, "num": number, "total": len(pieces)})


def _whole(value: object, what: str) -> int:
    fraction = isinstance(value, float) and not value.is_integer()
    if isinstance(value, bool) or not isinstance(value, int | float) or fraction:
        raise MalformedError(f"The {what} of a fragment is {value!r:.40}; wanted a whole number.")
    return int(value)
