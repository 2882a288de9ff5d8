"""Numbers, names and disturbances as people say them."""

from __future__ import annotations

import shlex

from stressfield.analysis import Rate
from stressfield.fuzz import FieldValues, Operation, Window
from stressfield.fuzz.bound import Scope, ends

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
TIMES = "\N{MULTIPLICATION SIGN}"
ENDINGS = {
    "pass": "passed",
    "fail": "failed",
    "inconclusive": "inconclusive",
    "subject_crash": "robot software crashed",
    "hang": "robot software hung",
    "invalid": "invalid (trouble of the rig)",
}
"""How a run counts (:func:`stressfield.campaign.category`) in plain words, in the order shown."""


def counted(count: int, noun: str) -> str:
    """``1 run``, ``2 runs``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def percent(share: float | None) -> str:
    """``48 %``; shares that are not quite nothing or everything never read 0 % or 100 %."""
    if share is None:
        return DASH
    if 0.0 < share < 0.005:
        return "< 1 %"
    if 0.995 < share < 1.0:
        return "> 99 %"
    return f"{100 * share:.0f} %"


def exact_percent(share: float | None) -> str:
    """``48.3 %``, where two shares are compared."""
    return "-" if share is None else f"{100 * share:.1f} %"


def interval(rate: Rate) -> str:
    """``95 % CI 43-53 %``."""
    if rate.share is None:
        return "no runs"
    return f"{100 * rate.confidence:.0f} % CI {100 * rate.low:.0f}{DASH}{100 * rate.high:.0f} %"


def figure(value: float | None, unit: str = "", *, digits: int = 3) -> str:
    """A number with its unit, three significant digits, a true minus; a dash where there is none.

    What has a unit and is below a billionth of it is nothing but rounding.
    """
    if value is None:
        return DASH
    if unit and abs(value) < 1e-9:
        value = 0.0
    if value == int(value) and abs(value) < 1e6:
        text = f"{int(value)}"
    elif abs(value) >= 10 ** (digits - 1):
        text = f"{value:.{1 if abs(value) < 1e4 else 0}f}"
    else:
        text = f"{value:.{digits}g}"
    return f"{text.replace('-', MINUS)} {unit}".rstrip()


def plain(text: str) -> str:
    """The text for a terminal, where numbers are copied and searched: a hyphen for each dash and minus."""
    return text.replace(MINUS, "-").replace(DASH, "-")


def seconds(value: float | None) -> str:
    """``41.2 s``."""
    return DASH if value is None else f"{value:.1f} s"


def p_value(value: float) -> str:
    """``0.003`` or ``< 0.001``."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def case_name(prop: str, subcase: str | None) -> str:
    """``P5_1`` for sub-case 1 of P5, however the judge spells it; ``Pick.Held: gave up`` for one in words."""
    if not subcase:
        return prop
    if " " in subcase:
        return f"{prop}: {subcase}"
    return subcase if subcase.startswith(prop) else f"{prop}_{subcase}"


def sentence(text: str) -> str:
    """The text with a capital and without a full stop."""
    text = text.strip().rstrip(".")
    return text[:1].upper() + text[1:]


def command(*words: str) -> str:
    """A shell command line in which no word can be mistaken for two."""
    return " ".join(shlex.quote(word) for word in words)


def brief(operation: Operation) -> str:
    """An operation in a few words: ``lost (probability 0.74) on /gap, 1 s to 1.7 s``."""
    parts = [f"{name.rpartition('/')[2]} {value_words(scope)}" for name, scope in operation.parameters.items()]
    when = operation.when
    if isinstance(when, Window):
        end = "the end" if when.end_s is None else f"{when.end_s:.3g} s"
        told = f"{when.start_s:.3g} s to {end}"
    else:
        told = str(when)
    with_ = f" ({', '.join(parts)})" if parts else ""
    return f"{operation.name}{with_} on {', '.join(operation.targets)}, {told}"


def value_words(scope: Scope) -> str:
    """``0.74``, ``0.9 to 0.95`` or ``one of 0.5, 2``."""
    if isinstance(scope, FieldValues):
        values = f"one of {', '.join(map(figure, scope.values))}"
        return values if scope.range is None else value_words(scope.range)
    low, high = ends(scope)
    return figure(low) if low == high else f"{figure(low)} to {figure(high)}"
