"""The three-valued logic of :mod:`stressfield.oracle.stl` said plainly, straight from its definition; and random cases.

Formulas are nested tuples, records are lists: `evaluate` and `verdict` use nothing of the product. A sample is
None (missing) or a pair (least, greatest) of the margins that it can have.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import inf, nextafter
from typing import Any, TypeAlias

import numpy as np

from stressfield.oracle import Robustness, Signal, always, eventually, implies, until

Formula: TypeAlias = tuple[Any, ...]
Value: TypeAlias = tuple[float, float] | None
ANYTHING = (-inf, inf)
TICKS = 4
"""Ticks in a second: a power of two, so that times in seconds are exact."""


@dataclass(frozen=True, slots=True)
class Record:
    """Samples of two signals at whole ticks; None is missing."""

    ticks: tuple[int, ...]
    signals: dict[str, tuple[float | None, ...]]


def evaluate(formula: Formula, record: Record, *, strict: bool) -> list[Value]:
    """The value of a formula at every sample. ``strict``: whatever follows; else as far as the record settles it."""
    kind = formula[0]
    if kind == "at least":
        _, name, bound = formula
        return [None if value is None else (value - bound, value - bound) for value in record.signals[name]]
    if kind == "not":
        return [
            None if value is None else (_not(value[1]), _not(value[0]))
            for value in evaluate(formula[1], record, strict=strict)
        ]
    if kind in {"and", "or", "implies"}:
        left, right = (evaluate(part, record, strict=strict) for part in formula[1:])
        if kind == "implies":
            left = [None if value is None else (_not(value[1]), _not(value[0])) for value in left]
        choose = min if kind == "and" else max
        return [_either(choose, a, b) for a, b in zip(left, right, strict=True)]
    *parts, within = formula[1:]
    operands = [evaluate(part, record, strict=strict) for part in parts]
    return [_temporal(kind, operands, record.ticks, now, within, strict=strict) for now in range(len(record.ticks))]


def _temporal(
    kind: str,
    operands: list[list[Value]],
    ticks: tuple[int, ...],
    now: int,
    within: tuple[int, int] | None,
    *,
    strict: bool,
) -> Value:
    start, end = within if within is not None else (0, ticks[-1] - ticks[now])
    inside = [place for place in range(now, len(ticks)) if start <= ticks[place] - ticks[now] <= end]
    cut = ticks[now] + end > ticks[-1]
    leave_out_open = within is None and not strict

    def asked(value: Value) -> Value:
        return None if value is None or (leave_out_open and value[0] < 0.0 <= value[1]) else value

    told = operands[-1]
    judged = [told[place] for place in inside if told[place] is not None] + ([ANYTHING] if cut else [])
    if not judged:
        return None
    if kind == "until":
        ways = _ways(operands[0], operands[1], now, inside, asked, cut=cut)
    else:
        ways = [value for value in map(asked, (told[place] for place in inside)) if value is not None]
        ways += [ANYTHING] if cut else []
    if not ways:
        return ANYTHING
    choose = min if kind == "always" else max
    return choose(low for low, _ in ways), choose(high for _, high in ways)


def _ways(
    hold: list[Value], reach: list[Value], now: int, inside: list[int], asked: Any, *, cut: bool
) -> list[tuple[float, float]]:
    """Every way in which ``until`` can be fulfilled: reached here, held before; or reached where nobody looked."""
    places: list[tuple[int, Value]] = [(place, asked(reach[place])) for place in inside]
    if cut:
        places.append((len(hold), ANYTHING))
    ways = []
    for place, reached in places:
        if reached is not None:
            needed = [reached] + [value for value in map(asked, hold[now:place]) if value is not None]
            ways.append((min(low for low, _ in needed), min(high for _, high in needed)))
    return ways


def _either(choose: Any, a: Value, b: Value) -> Value:
    if a is None and b is None:
        return None
    a, b = a or ANYTHING, b or ANYTHING
    return choose(a[0], b[0]), choose(a[1], b[1])


def _not(margin: float) -> float:
    if margin == 0.0:
        return -nextafter(0.0, 1.0)
    return 0.0 if margin == -nextafter(0.0, 1.0) else -margin


def verdict(formula: Formula, record: Record) -> tuple[bool | None, float | None]:
    """What the formula says at the first sample, True, False or None, and the margin that says so."""
    if not record.ticks:
        return None, None
    settled, strict = (evaluate(formula, record, strict=strict)[0] for strict in (False, True))
    if settled is None or strict is None:
        return None, None
    if settled[0] >= 0.0:
        return True, settled[0]
    if settled[1] < 0.0 and strict[1] < 0.0:
        return False, settled[1]
    return None, None


def random_formula(rng: random.Random, depth: int) -> Formula:
    """A formula with at most ``depth`` operators on top of one another."""
    if depth == 0 or rng.random() < 0.1:
        return ("at least", rng.choice("xy"), float(rng.randint(-2, 2)))
    kind = rng.choice(("not", "and", "or", "implies", "always", "eventually", "until", "always", "eventually", "until"))
    parts = [random_formula(rng, depth - 1) for _ in range(1 if kind in {"not", "always", "eventually"} else 2)]
    if kind not in {"always", "eventually", "until"}:
        return (kind, *parts)
    start = rng.choice((0, 0, rng.randint(0, 12)))
    return (kind, *parts, rng.choice((None, (start, start + rng.randint(0, 24)))))


def random_record(rng: random.Random, most: int = 12) -> Record:
    """A record with uneven steps, few different values (so that zero is among them) and some missing samples."""
    length, tick, ticks = rng.randint(1, most), 0, []
    for _ in range(length):
        tick += rng.randint(1, 6)
        ticks.append(tick)
    missing = rng.choice((0.0, 0.0, 0.2))
    return Record(
        tuple(ticks),
        {name: tuple(None if rng.random() < missing else float(rng.randint(-3, 3)) for _ in ticks) for name in "xy"},
    )


def built(formula: Formula, record: Record) -> Robustness:
    """The same formula, made of the product's own signals and operators."""
    kind, *parts = formula
    if kind == "at least":
        values = [np.nan if value is None else value for value in record.signals[parts[0]]]
        return Signal(np.array(record.ticks) / TICKS, values, parts[0], "m") >= parts[1]
    if kind == "not":
        return ~built(parts[0], record)
    if kind in {"and", "or", "implies"}:
        left, right = (built(part, record) for part in parts)
        return implies(left, right) if kind == "implies" else left & right if kind == "and" else left | right
    *operands, within = parts
    within_s = None if within is None else (within[0] / TICKS, within[1] / TICKS)
    operator = {"always": always, "eventually": eventually, "until": until}[kind]
    return operator(*(built(part, record) for part in operands), within_s=within_s)  # type: ignore[operator]


def differences(formula: Formula, record: Record) -> list[str]:
    """Where the two disagree: bounds at every sample, and the verdict with its margin."""
    ours = built(formula, record)
    found = []
    for strict, bounds in ((True, ours.strict), (False, ours.record)):
        for place, wanted in enumerate(evaluate(formula, record, strict=strict)):
            got = (float(bounds.low[place]), float(bounds.high[place]))
            if (wanted is None) != bool(np.isnan(got).all()) or (wanted is not None and got != wanted):
                found.append(f"sample {place}, strict {strict}: got {got}, wanted {wanted}")
    if (ours.holds, ours.value) != verdict(formula, record):
        found.append(f"verdict: got {ours.holds, ours.value}, wanted {verdict(formula, record)}")
    return found
