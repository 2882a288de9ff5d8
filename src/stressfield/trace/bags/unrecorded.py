"""What a recording from the field does not have. Whoever asks for it is told so: nothing is made up in its place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from stressfield.errors import NotRecordedError, did_you_mean

T = TypeVar("T")


class Unrecorded:
    """Stands for a part of a scenario that nobody knows. Any use of it is a NotRecordedError with the reason."""

    __slots__ = ("_why",)

    def __init__(self, why: str) -> None:
        self._why = why

    def refuse(self) -> NoReturn:
        """Say why it is not there."""
        raise NotRecordedError(self._why)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # what Python itself looks for, to copy it or show it
            raise AttributeError(name)
        self.refuse()

    def __len__(self) -> int:
        raise NotRecordedError(self._why)

    def __bool__(self) -> bool:
        raise NotRecordedError(self._why)

    def __iter__(self) -> Iterator[Any]:
        raise NotRecordedError(self._why)

    def __getitem__(self, key: object) -> NoReturn:
        self.refuse()

    def __contains__(self, item: object) -> bool:
        self.refuse()

    def _refuse_sum(self, _other: object) -> NoReturn:
        self.refuse()

    # also where it stands for a number
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = _refuse_sum
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse_sum

    def __float__(self) -> float:
        raise NotRecordedError(self._why)


class Recorded(Mapping[str, T]):
    """What was recorded, by name. To ask for anything else is a NotRecordedError, also with ``in`` and ``get``.

    A property that finds no error on a topic that nobody recorded must not pass. ``silent`` are names of which it is
    known that there was nothing. ``more`` gives what was recorded but not read, or None.
    """

    def __init__(
        self,
        found: Mapping[str, T],
        *,
        noun: str,
        silent: Collection[str] = (),
        more: Callable[[str], T | None] | None = None,
    ) -> None:
        self._found = dict(found)
        self._noun = noun
        self._silent = frozenset(silent)
        self._more = more

    def __getitem__(self, name: str) -> T:
        if name in self._found:
            return self._found[name]
        if name in self._silent:
            raise KeyError(name)
        late = self._more(name) if self._more is not None else None
        if late is None:
            known = sorted(self._found)
            raise NotRecordedError(
                f"The recording has no {self._noun} {name!r}. It has: {', '.join(known) or 'none'}."
                f"{did_you_mean(name, known)}"
            )
        self._found[name] = late
        return late

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
