"""Residuals of a long time: a window a second for a day are many, so they are kept as columns of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from math import isnan, nan
from typing import overload

from stressfield.twin.shadow import Motion, Residual


class Residuals(Sequence[Residual]):
    """Windows in their order. Each is made from its numbers when it is asked for."""

    def __init__(self) -> None:
        self._times = array("d")
        self._columns: dict[str, array[float]] = {}
        self._motions = array("d")
        """Six numbers of each window: how far it moved, measured and simulated."""
        self._why = array("H")
        self._reasons: dict[str, int] = {"": 0}

    def append(self, residual: Residual) -> None:
        """One more."""
        before = len(self._times)
        self._times.append(residual.time_s)
        for name in residual.values:
            if name not in self._columns:
                self._columns[name] = array("d", [nan]) * before
        for name, column in self._columns.items():
            column.append(residual.values.get(name, nan))
        for motion in (residual.measured, residual.simulated):
            self._motions.extend((nan, nan, nan) if motion is None else motion)
        self._why.append(self._reasons.setdefault(residual.why, len(self._reasons)))

    def __len__(self) -> int:
        return len(self._times)

    @overload
    def __getitem__(self, place: int) -> Residual: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Residual]: ...
    def __getitem__(self, place: int | slice) -> Residual | Sequence[Residual]:
        if isinstance(place, slice):
            return [self._made(each) for each in range(*place.indices(len(self)))]
        return self._made(range(len(self))[place])

    def __iter__(self) -> Iterator[Residual]:
        return map(self._made, range(len(self)))

    def _made(self, place: int) -> Residual:
        values = {name: column[place] for name, column in self._columns.items() if not isnan(column[place])}
        measured, simulated = (self._motion(6 * place + begin) for begin in (0, 3))
        why = next(words for words, number in self._reasons.items() if number == self._why[place])
        return Residual(self._times[place], values, measured, simulated, why)

    def _motion(self, begin: int) -> Motion | None:
        x, y, turn = self._motions[begin : begin + 3]
        return None if isnan(x) else (x, y, turn)

    @property
    def unknown(self) -> dict[str, int]:
        """Windows of which nothing is known, by the reason."""
        counts = {words: self._why.count(number) for words, number in self._reasons.items() if words}
        return {words: count for words, count in counts.items() if count}

    def in_motion(self, *, since_s: float) -> int:
        """Windows that ended after then in which there was motion, and of which something is known."""
        rows = zip(*self._columns.values(), strict=True)
        return sum(t > since_s and not all(map(isnan, row)) for t, row in zip(self._times, rows, strict=False))

    def last(self, count: int) -> tuple[list[float], dict[str, list[float | None]]]:
        """When the last windows ended, and what is known of each signal in them."""
        known = {
            name: [None if isnan(value) else round(value, 4) for value in column[-count:]]
            for name, column in self._columns.items()
        }
        return [round(time_s, 3) for time_s in self._times[-count:]], known

    def columns(self, *, until_s: float) -> dict[str, list[float]]:
        """What is known of each signal, in windows that ended until then."""
        return {
            name: [v for t, v in zip(self._times, column, strict=True) if t <= until_s and not isnan(v)]
            for name, column in self._columns.items()
        }
