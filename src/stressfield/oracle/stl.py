"""Signal temporal logic: what must hold always, eventually, until.

::

    always(distance >= 0.30)                                   never closer than 0.30 m
    eventually(to_goal <= 0.20)                                arrives before the recording ends
    eventually(to_goal <= 0.20, within_s=120.0)                arrives within 120 s
    always(duration(speed <= 0.01) <= 30.0)                    never stands still for more than 30 s
    always(eventually(speed >= 0.05, within_s=10.0))           in any ten seconds, moves at least once
    always(implies(error >= 0.5, eventually((speed <= 0.01).scaled(by=0.1), within_s=2.0)))

Semantics: discrete, over the sample instants. A formula at time t looks at the samples in ``[t + a, t + b]``, both
edges included (to half a nanosecond), whatever their spacing; nothing is assumed between samples. A missing sample
(NaN), and a window without any sample, are left out by the operator around them.

**The end of the recording.** A window ``within_s`` that reaches beyond the last sample is *cut off*: it is settled if
what was seen settles it (a violation of ``always``, a fulfilment of ``eventually``), and unknown otherwise. Unknown
goes through ``~``, ``&``, ``|`` and windows as in Kleene's three-valued logic: false and unknown is false, true or
unknown is true, anything else with unknown is unknown. Operators *without* ``within_s`` speak of the recording: they
end where it ends, and ask for their operand at those instants that the recording settles. So
``always(eventually(moves, within_s=10))`` is not violated by the last ten seconds, nor left open by them. One thing
more is asked of a violation: it must be one however the recording might have gone on. ``eventually(always(still,
within_s=10))`` in a recording that ends five seconds into standing still is inconclusive, neither a pass nor a fail.
A formula that nothing settles is inconclusive.

In numbers: a formula has at each instant an interval ``[low, high]`` of the margins it could have. A cut window has
an unseen instant that may have any margin; everything else is interval arithmetic (the robust satisfaction interval
of Deshmukh et al., *Robust online monitoring of signal temporal logic*, 2017). ``low >= 0`` holds, ``high < 0`` is
violated. Operators without ``within_s`` leave open instants out, and remember that they did: with that, a formula
that holds *presumably* passes, and one that is violated *presumably* is inconclusive (the four values of Bauer,
Leucker and Schallhart, *Comparing LTL semantics for runtime verification*, 2010). Where no window is cut off, values
are those of Donzé and Maler (2010) and of rtamt.

The margin of ``always`` is the least in its window, of ``eventually`` the greatest, of ``phi until psi`` the greatest
over the instants in the window of the lesser of psi there and phi at all samples from now until just before. Zero
holds, and its negation fails. All are O(n log n) in the number of samples. The parts of a formula have one unit; see
`Robustness.scaled`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.oracle._bounds import Bounds, greatest_in, held_to_the_end, least_in, until_within
from stressfield.oracle._window import Windows, Within, any_in, windows
from stressfield.oracle.margin import Curve, Interval, Margin, Robustness, check_together, robustness
from stressfield.oracle.signal import Signal

__all__ = [
    "Interval",
    "Margin",
    "Robustness",
    "Signal",
    "always",
    "count",
    "duration",
    "eventually",
    "implies",
    "negation",
    "until",
]


def always(phi: Robustness, *, within_s: Within = None) -> Robustness:
    """``phi`` holds at every sample of the window; violations are the stretches where it does not."""
    over = windows(phi.times_s, within_s)
    strict, record = _both(lambda part: least_in(part, over), (phi.strict,), (_asked(phi, within_s),))
    values = record.settled()

    def why(index: int) -> float:
        deciding = _asked(phi, within_s).deciding(float(values[index]))[over.span(index)]
        return phi.why(int(over.first[index]) + int(np.nanargmin(deciding)))

    return robustness(
        phi.times_s,
        strict,
        why,
        record=record,
        unit=phi.unit,
        text=f"always{_bound(within_s)} ({phi.text})",
        breach=(phi.values < 0.0) & _first_window(over),
        idle=_idle(phi.idle, phi.strict, over),
        values=values,
        over_time=True,
        curve=Curve(phi.times_s, _asked_for(phi, over, within_s)),
    )


def eventually(phi: Robustness, *, within_s: Within = None) -> Robustness:
    """``phi`` holds at some sample of the window; when it does not, the whole window is the violation."""
    over = windows(phi.times_s, within_s)
    strict, record = _both(lambda part: greatest_in(part, over), (phi.strict,), (_asked(phi, within_s),))
    values = record.settled()

    def why(index: int) -> float:
        deciding = _asked(phi, within_s).deciding(float(values[index]))[over.span(index)]
        return phi.why(int(over.first[index]) + int(np.nanargmax(deciding)))

    return robustness(
        phi.times_s,
        strict,
        why,
        record=record,
        unit=phi.unit,
        text=f"eventually{_bound(within_s)} ({phi.text})",
        breach=_first_window(over) & bool(len(values) and values[0] < 0.0),
        idle=_idle(phi.idle, phi.strict, over),
        values=values,
        over_time=True,
        curve=Curve(phi.times_s, _asked_for(phi, over, within_s), least=False),
    )


def until(phi: Robustness, psi: Robustness, *, within_s: Within = None) -> Robustness:
    """``psi`` comes to hold inside the window, and ``phi`` holds at every sample before that.

    Violations are the stretches where ``phi`` is violated up to the end of the window, or the whole
    window when only ``psi`` is to blame.
    """
    check_together(phi, psi)
    over = windows(phi.times_s, within_s)
    asked = (_asked(phi, within_s), _asked(psi, within_s))
    strict, record = _both(lambda hold, reach: until_within(hold, reach, over), (phi.strict, psi.strict), asked)
    values = record.settled()

    def why(index: int) -> float:
        hold, reach = (part.deciding(float(values[index])) for part in asked)
        return _why_until(phi, psi, hold, reach, over, index)

    idle = None if phi.idle is None or psi.idle is None else phi.idle & psi.idle
    return robustness(
        phi.times_s,
        strict,
        why,
        record=record,
        unit=phi.unit,
        text=f"({phi.text}) until{_bound(within_s)} ({psi.text})",
        breach=_breach_of_until(phi, over, values),
        idle=_idle(idle, psi.strict, over),
        values=values,
        over_time=True,
        curve=Curve(phi.times_s, _reached(phi, _asked_for(psi, over, within_s)), least=False),
    )


def negation(phi: Robustness) -> Robustness:
    """``phi`` does not hold; the same as ``~phi``."""
    return ~phi


def implies(phi: Robustness, psi: Robustness) -> Robustness:
    """Where ``phi`` holds, ``psi`` holds. A property that says so is vacuous in a run in which ``phi`` never holds."""
    return phi.implies(psi)


def duration(phi: Robustness) -> Signal:
    """Seconds for which ``phi`` has held without a break, up to each sample.

    ``always(duration(speed <= 0.01) <= 30.0)`` has its margin in seconds.

    Zero where it does not hold and at the first sample at which it does; missing where ``phi`` is unknown.
    """
    held, known = phi.values >= 0.0, ~np.isnan(phi.values)
    begins = held & ~np.concatenate(([False], held[:-1]))
    since = np.maximum.accumulate(np.where(begins, np.arange(len(held)), 0)) if len(held) else np.zeros(0, np.intp)
    seconds = np.where(held, phi.times_s - phi.times_s[since], 0.0)
    return Signal(phi.times_s, np.where(known, seconds, np.nan), f"duration of ({phi.text})", "s", vacuous=_never(phi))


def count(phi: Robustness) -> Signal:
    """How often ``phi`` has come to hold so far, counting the start: ``always(count(gap <= 0.1) <= 3)``.

    An unknown sample changes nothing; before the first one that is known, the number is missing.
    """
    known = ~np.isnan(phi.values)
    held = phi.values[known] >= 0.0
    begins = held & ~np.concatenate(([False], held[:-1]))
    times = np.zeros(len(phi.values))
    times[known] = begins
    total = np.where(np.cumsum(known) > 0, np.cumsum(times), np.nan)
    return Signal(phi.times_s, total, f"count of ({phi.text})", "times", vacuous=_never(phi))


def _never(phi: Robustness) -> bool:
    """Whether what the formula speaks of does not occur at any sample."""
    return phi.idle is not None and len(phi.idle) > 0 and bool(phi.idle.all())


def _asked(phi: Robustness, within_s: Within) -> Bounds:
    """What an operator is told of its operand: without a window, only what the record settles."""
    return phi.record.without_open() if within_s is None else phi.record


def _both(
    operator: Callable[..., Bounds], strict: tuple[Bounds, ...], record: tuple[Bounds, ...]
) -> tuple[Bounds, Bounds]:
    """The operator on both kinds of bounds; once, where they are the same."""
    judged = operator(*strict)
    if all(mine is other for mine, other in zip(strict, record, strict=True)):
        return judged, judged
    return judged, operator(*record).open_where_missing(judged)


def _idle(idle: Flags | None, operand: Bounds, over: Windows) -> Flags | None:
    """The windows in which what the operand speaks of never occurs; one that is cut off might still show it."""
    if idle is None:
        return None
    there = ~operand.missing
    some, active = any_in(there & idle, over), any_in(there & ~idle, over)
    return np.asarray(some & ~active & ~over.cut)


def _why_until(phi: Robustness, psi: Robustness, hold: Floats, reach: Floats, over: Windows, index: int) -> float:
    """The cause is psi where it was reached best, or phi where it held worst before that."""
    span = over.span(index)
    held = np.fmin.accumulate(np.concatenate(([np.inf], hold[index : max(span.stop, index + 1) - 1])))
    reached = np.fmin(reach[span], held[span.start - index :]) if span.stop > span.start else np.zeros(0)
    reached[np.isnan(reach[span])] = np.nan
    best_value = np.nanmax(reached) if bool((~np.isnan(reached)).any()) else -np.inf
    if bool(over.cut[index]) and best_value < held_to_the_end(hold)[index] < 0.0:  # not reached, and never to be
        return phi.why(index + int(np.nanargmin(hold[index:])))
    best = span.start + int(np.nanargmax(reached))
    if reach[best] <= held[best - index]:
        return psi.why(best)
    return phi.why(index + int(np.nanargmin(hold[index:best])))


def _breach_of_until(phi: Robustness, over: Windows, values: Floats) -> Flags:
    window = np.zeros(len(values), dtype=np.bool_)
    if not len(values) or not values[0] < 0.0:
        return window
    window[: over.last[0]] = True
    violated = window & (phi.values < 0.0)
    return violated if bool(violated.any()) else window


def _asked_for(phi: Robustness, over: Windows, within_s: Within) -> Floats:
    """Its values in the window of the run as a whole; missing elsewhere, where nothing is asked."""
    return phi.values if within_s is None else np.where(_first_window(over), phi.values, np.nan)


def _reached(phi: Robustness, psi: Floats) -> Floats:
    """The lesser of ``psi`` now and ``phi`` ever before: what ``until`` takes the greatest of."""
    before = np.fmin.accumulate(np.concatenate(([np.inf], phi.values[:-1]))) if len(psi) else psi
    return np.where(np.isnan(psi), np.nan, np.fmin(psi, before))


def _first_window(over: Windows) -> Flags:
    marked = np.zeros(len(over.first), dtype=np.bool_)
    if len(marked):
        marked[over.span(0)] = True
    return marked


def _bound(within_s: Within) -> str:
    if within_s is None:
        return ""
    start_s, end_s = within_s if isinstance(within_s, tuple) else (0.0, within_s)
    return f"[{start_s:g} s, {end_s:g} s]"
