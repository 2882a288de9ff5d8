"""Long messages in pieces: put together what comes, cut up what goes."""

from __future__ import annotations

from collections.abc import Iterator

from stressfield._files.json_text import MAX_BYTES
from stressfield.bridge.json_message import to_json
from stressfield.errors import MalformedError

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
