"""Windows over sampled time: which samples lie in a window, and the least, greatest and `until` of them.

A window of sample ``i`` is the half-open index range ``[first[i], last[i])``. Missing samples are NaN:
they count as no sample, and a window without any sample gives NaN. The functions are array code,
O(n log n) in the number of samples; the `reference_*` functions beside them say the same plainly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Flags, Floats, Indices
from stressfield.errors import OracleError

Within: TypeAlias = float | tuple[float, float] | None

#: Times are recorded in whole nanoseconds; half of one absorbs the rounding of 0.1 + 0.2.
EDGE_S = 0.5e-9


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """For each sample the index range of the samples inside its window; ``last`` is exclusive.

    ``cut`` marks the windows that reach beyond the last sample: what follows there was not recorded. ``unbounded`` are
    those from each sample to the end of the record.
    """

    first: Indices
    last: Indices
    cut: Flags
    unbounded: bool = False

    def span(self, index: int) -> slice:
        return slice(int(self.first[index]), int(self.last[index]))


def windows(times_s: Floats, within_s: Within) -> Windows:
    """The windows ``[t + a, t + b]`` of every sample time t, both edges included.

    ``within_s`` is ``(a, b)``, or ``b`` for ``(0, b)``, or None for all that follows in the record.
    """
    count = len(times_s)
    if within_s is None:
        now, end = np.arange(count, dtype=np.intp), np.full(count, count, dtype=np.intp)
        return Windows(now, end, np.zeros(count, dtype=np.bool_), unbounded=True)
    start_s, end_s = bounds(within_s)
    first = np.arange(count, dtype=np.intp)
    if start_s > 0.0:
        first = _places(times_s, times_s + (start_s - EDGE_S), side="left")
    last = _places(times_s, times_s + (end_s + EDGE_S), side="right")
    cut = times_s + end_s > (times_s[-1] if count else 0.0) + EDGE_S
    return Windows(first, last, cut)


def _places(times_s: Floats, wanted_s: Floats, side: Literal["left", "right"]) -> Indices:
    """`searchsorted`. Of evenly sampled times each place is the first one moved on: that is tried before searching."""
    count = len(times_s)
    if not count:
        return np.zeros(0, np.intp)
    ahead = int(np.searchsorted(times_s, wanted_s[0], side=side))
    inside = count - ahead
    before, behind = times_s[ahead - 1 : count - 1] if ahead else times_s[:0], times_s[ahead:]
    if ahead and inside > 1:
        asked = wanted_s[:inside]
        even = (before <= asked) & (asked < behind) if side == "right" else (before < asked) & (asked <= behind)
        past = wanted_s[inside] > times_s[-1] or (side == "right" and wanted_s[inside] == times_s[-1])
        if past and bool(even.all()):
            return np.minimum(np.arange(ahead, ahead + count, dtype=np.intp), count)
    return np.searchsorted(times_s, wanted_s, side=side)


def bounds(within_s: float | tuple[float, float]) -> tuple[float, float]:
    """``(a, b)`` of a window, checked."""
    start_s, end_s = within_s if isinstance(within_s, tuple) else (0.0, within_s)
    if not 0.0 <= start_s <= end_s:
        raise OracleError(
            f"A window cannot be within_s={within_s!r}. Wanted 0 <= a <= b, in seconds from now: "
            f"within_s=(a, b), or within_s=b for (0, b)."
        )
    return float(start_s), float(end_s)


def least(values: Floats, over: Windows) -> Floats:
    """The least value in each window: sparse table, one level of power-of-two windows at a time."""
    if over.unbounded:  # one pass is enough
        return _least_to_the_end(values)
    known = ~np.isnan(values)
    complete = bool(known.all())
    table = values if complete else np.where(known, values, np.inf)
    length = over.last - over.first
    # The largest power of two that fits: two windows of that size, from either end, cover each window.
    level = np.frexp(np.maximum(length, 0).astype(np.float64))[1] - 1  # -1 for an empty window
    result = np.full(len(over.first), np.inf)
    for step, queries in enumerate(np.bincount(level + 1)[1:]):
        if queries:
            chosen = np.nonzero(level == step)[0]
            left, right = over.first[chosen], over.last[chosen] - (1 << step)
            result[chosen] = np.minimum(table[left], table[right])
        # Only one level is kept, so that a long record needs no more memory than a few copies of itself.
        table = np.minimum(table[: -(1 << step)], table[1 << step :])
    result[over.last <= over.first if complete else _empty(known, over)] = np.nan
    return result


def _least_to_the_end(values: Floats) -> Floats:
    """The least of ``values[i:]`` for every i."""
    return np.asarray(np.fmin.accumulate(values[::-1])[::-1])


def any_in(marked: Flags, over: Windows) -> Flags:
    """Whether a sample in each window is marked."""
    total = np.concatenate(([0], np.cumsum(marked, dtype=np.intp)))
    return np.asarray(total[np.maximum(over.last, over.first)] > total[over.first])


def greatest(values: Floats, over: Windows) -> Floats:
    """The greatest value in each window."""
    return -least(-values, over)


def until_in(hold: Floats, reach: Floats, over: Windows) -> Floats:
    """Robustness of "``hold`` until ``reach``", reached inside the window, held from now until just before.

    Over a range of samples, ``until`` is a pair (reached, held); pairs of neighbouring ranges combine as
    ``reached = max(left.reached, min(left.held, right.reached))``, ``held = min(left.held, right.held)``.
    So ranges double level by level, and each window is put together from the bits of its length.
    """
    known = ~np.isnan(reach)
    reached = np.where(known, reach, -np.inf)
    held = np.where(np.isnan(hold), np.inf, hold)
    now = np.arange(len(hold), dtype=np.intp)
    before = least(held, Windows(now, over.first, over.cut))
    place, length = over.first.copy(), np.maximum(over.last - over.first, 0)
    so_far, still = np.full(len(hold), -np.inf), np.where(np.isnan(before), np.inf, before)
    for bit in range(int(length.max(initial=0)).bit_length()):
        size = 1 << bit
        here = np.nonzero(length & size)[0]
        at = place[here]
        so_far[here] = np.maximum(so_far[here], np.minimum(still[here], reached[at]))
        still[here] = np.minimum(still[here], held[at])
        place[here] += size
        reached = np.maximum(reached[:-size], np.minimum(held[:-size], reached[size:]))
        held = np.minimum(held[:-size], held[size:])
    so_far[_empty(known, over)] = np.nan
    return so_far


def _empty(known: NDArray[np.bool_], over: Windows) -> NDArray[np.bool_]:
    """The windows without a known sample."""
    return np.asarray(over.last <= over.first) if bool(known.all()) else ~any_in(known, over)


def reference_least(values: Floats, over: Windows) -> Floats:
    """`least`, said plainly."""
    result = np.full(len(over.first), np.nan)
    for index in range(len(over.first)):
        inside = [value for value in values[over.span(index)] if not np.isnan(value)]
        if inside:
            result[index] = min(inside)
    return result


def reference_until(hold: Floats, reach: Floats, over: Windows) -> Floats:
    """`until_in`, said plainly."""
    result = np.full(len(over.first), np.nan)
    for index in range(len(over.first)):
        for place in range(int(over.first[index]), int(over.last[index])):
            if np.isnan(reach[place]):
                continue
            held = [value for value in hold[index:place] if not np.isnan(value)]
            here = min([reach[place], *held])
            result[index] = here if np.isnan(result[index]) else max(result[index], here)
    return result
