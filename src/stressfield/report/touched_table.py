"""What each operation did to the messages it was there for, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.fuzz import Operation, Window
from stressfield.oracle.touched import Touched, touched
from stressfield.report.page import Table
from stressfield.report.words import DASH, counted
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
