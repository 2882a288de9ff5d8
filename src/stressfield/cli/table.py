"""Plain columns: readable on a terminal, in a log and in a mail."""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 1) -> str:
    """Rows of texts, aligned; the columns numbered in ``right`` are aligned to the right."""
    if not rows:
        return ""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((" " * indent + "   ".join(cells)).rstrip())
    return "\n".join(lines)
