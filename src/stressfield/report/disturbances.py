"""Disturbances in a few words, and what became of the messages that they were there for."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.fuzz import FieldValues, Operation, Window
from stressfield.fuzz.bound import Setting, ends
from stressfield.oracle.metric import Touched, touched
from stressfield.report.page import Table
from stressfield.report.words import DASH, counted, figure
from stressfield.trace import Trace

TITLE = "What became of the messages"
HEADERS = ("operation", "topic", "sent while it acted", "lost", "changed", "late", "extra")


def touched_table(trace: Trace, operations: Sequence[Operation]) -> Table | None:
    """Counted in a recording; None if no operation acts on messages."""
    found = touched(trace, operations)
    if not found:
        return None
    return Table(TITLE, HEADERS, tuple(map(_row, found)), " ".join(_notes(found, operations)))


def _row(one: Touched) -> tuple[str, ...]:
    counts = (one.lost, one.changed, one.late, one.extra)
    return one.operation, one.topic, f"{one.sent:,}", *(_share(count, one.sent) for count in counts)


def _share(count: int, of: int) -> str:
    if not of:
        return DASH
    return f"{count:,} ({100 * count / of:.1f} %)" if count else "0"


def _notes(found: Sequence[Touched], operations: Sequence[Operation]) -> list[str]:
    notes = []
    idle = [one for one in found if not one.sent]
    if idle:
        names = ", ".join(f"{one.operation} on {one.topic}" for one in idle)
        notes.append(f"Nothing was sent while it acted, or it never did: {names}.")
    for one in found:
        if one.shared:
            notes.append(
                f"{counted(one.shared, 'message')} under {one.operation} on {one.topic} met another operation, too: "
                "the counts are of both."
            )
    if any(not isinstance(one.when, Window) for one in operations):
        notes.append("Where conditions switch an operation, a message more or less at each switch.")
    return notes


def brief(operation: Operation) -> str:
    """An operation in a few words: ``lost (probability 0.74) on /gap, 1 s to 1.7 s``."""
    parts = [f"{name.rpartition('/')[2]} {value_words(setting)}" for name, setting in operation.parameters.items()]
    when = operation.when
    if isinstance(when, Window):
        end = "the end" if when.end_s is None else f"{when.end_s:.3g} s"
        told = f"{when.start_s:.3g} s to {end}"
    else:
        told = str(when)
    with_ = f" ({', '.join(parts)})" if parts else ""
    return f"{operation.name}{with_} on {', '.join(operation.targets)}, {told}"


def value_words(setting: Setting) -> str:
    """``0.74``, ``0.9 to 0.95`` or ``one of 0.5, 2``."""
    if isinstance(setting, FieldValues):
        values = f"one of {', '.join(map(figure, setting.values))}"
        return values if setting.range is None else value_words(setting.range)
    low, high = ends(setting)
    return figure(low) if low == high else f"{figure(low)} to {figure(high)}"
