"""Signal temporal logic: what must hold always, eventually, until.

::

    always(distance >= 0.30)                                   never closer than 0.30 m
    eventually(to_goal <= 0.20, within_s=120.0)                arrives within 120 s
    always(implies(error >= 0.5, eventually(speed <= 0.01, within_s=2.0)))   stops 2 s after an error
    until(tool_up >= 0.5, at_row <= 0.1, within_s=(0.0, 60.0))

Semantics: discrete, over the sample instants. A formula at time t looks at the samples in
``[t + a, t + b]``, both edges included (to half a nanosecond), whatever their spacing; nothing is assumed
between samples. A window that reaches beyond the end of the record is cut there. A window with no sample,
or with only missing (NaN) ones, is unknown, and an unknown instant is skipped by the operator around it;
a formula unknown at the first sample is inconclusive. ``~``, ``&``, ``|`` follow three-valued logic: false
and unknown is false, true or unknown is true, anything else with unknown is unknown.

The margin of ``always`` is the least in its window, of ``eventually`` the greatest, of ``phi until psi``
the greatest over the instants in the window of the lesser of psi there and phi at all samples from now
until just before. All are O(n log n) in the number of samples.
"""

from __future__ import annotations

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.oracle._window import Windows, Within, greatest, least, until_in, windows
from stressfield.oracle.margin import Cause, Interval, Margin, Robustness, robustness, same_times
from stressfield.oracle.signal import Signal

__all__ = [
    "Interval",
    "Margin",
    "Robustness",
    "Signal",
    "always",
    "eventually",
    "implies",
    "negation",
    "until",
]


def always(phi: Robustness, *, within_s: Within = None) -> Robustness:
    """``phi`` holds at every sample of the window; violations are the stretches where it does not."""
    over = windows(phi.times_s, within_s)

    def why(index: int) -> Cause:
        return phi.why(_place_of_least(phi.values, over, index))

    breach = (phi.values < 0.0) & _first_window(over)
    text = f"always{_bound(within_s)} ({phi.text})"
    return robustness(phi.times_s, least(phi.values, over), why, text=text, breach=breach)


def eventually(phi: Robustness, *, within_s: Within = None) -> Robustness:
    """``phi`` holds at some sample of the window; when it does not, the whole window is the violation."""
    over = windows(phi.times_s, within_s)

    def why(index: int) -> Cause:
        return phi.why(_place_of_least(-phi.values, over, index))

    values = greatest(phi.values, over)
    breach = _first_window(over) & bool(len(values) and values[0] < 0.0)
    text = f"eventually{_bound(within_s)} ({phi.text})"
    return robustness(phi.times_s, values, why, text=text, breach=breach)


def until(phi: Robustness, psi: Robustness, *, within_s: Within = None) -> Robustness:
    """``psi`` comes to hold inside the window, and ``phi`` holds at every sample before that.

    Violations are the stretches where ``phi`` is violated up to the end of the window, or the whole
    window when only ``psi`` is to blame.
    """
    same_times(phi, psi)
    over = windows(phi.times_s, within_s)

    def why(index: int) -> Cause:
        return _why_until(phi, psi, over, index)

    values = until_in(phi.values, psi.values, over)
    text = f"({phi.text}) until{_bound(within_s)} ({psi.text})"
    breach = _breach_of_until(phi, over, values)
    return robustness(phi.times_s, values, why, text=text, breach=breach)


def negation(phi: Robustness) -> Robustness:
    """``phi`` does not hold; the same as ``~phi``."""
    return ~phi


def implies(phi: Robustness, psi: Robustness) -> Robustness:
    """Where ``phi`` holds, ``psi`` holds."""
    return phi.implies(psi)


def _place_of_least(values: Floats, over: Windows, index: int) -> int:
    span = over.span(index)
    return int(over.first[index]) + int(np.nanargmin(values[span]))


def _why_until(phi: Robustness, psi: Robustness, over: Windows, index: int) -> Cause:
    """The cause is psi where it was reached best, or phi where it held worst before that."""
    span = over.span(index)
    held = np.fmin.accumulate(np.concatenate(([np.inf], phi.values[index : span.stop - 1])))
    reached = np.fmin(psi.values[span], held[span.start - index :])
    reached[np.isnan(psi.values[span])] = np.nan
    best = span.start + int(np.nanargmax(reached))
    if psi.values[best] <= held[best - index]:
        return psi.why(best)
    return phi.why(index + int(np.nanargmin(phi.values[index:best])))


def _breach_of_until(phi: Robustness, over: Windows, values: Floats) -> Flags:
    window = np.zeros(len(values), dtype=np.bool_)
    if not len(values) or not values[0] < 0.0:
        return window
    window[: over.last[0]] = True
    violated = window & (phi.values < 0.0)
    return violated if bool(violated.any()) else window


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
