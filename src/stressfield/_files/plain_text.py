"""Texts that robots and strangers wrote, made fit to be kept in a file and to be shown on a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 10_000
"""Characters of an error message that are kept: the beginning of it."""

_HALVES = re.compile("[\ud800-\udfff]")
ACTED_ON = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

CUT_LEAST = 12
"""Letters that are always left of a column that is cut to fit a screen."""


def keepable(text: str, *, most: int = LONGEST) -> str:
    """The text as any file can hold it: half characters (of undecodable file names) as escapes, and not too long."""
    left = len(text) - most
    kept = f"{text[:most]} ... and {left} more characters" if left > 0 else text
    return _HALVES.sub(_escape, kept)


def visible(text: str) -> str:
    """The text with all that a terminal would act on (colours, titles, cursor, direction of writing) as escapes."""
    return ACTED_ON.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"


def columns(
    rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: int = 1, width: int | None = None
) -> str:
    """Rows of texts, aligned; the columns numbered in ``right`` are aligned to the right.

    With a ``width``, the widest column is cut until the lines fit.
    """
    if not rows:
        return ""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    if width is not None:
        widest, gaps = widths.index(max(widths)), indent + 3 * (len(widths) - 1)
        room = width - gaps - sum(widths) + widths[widest]
        widths[widest] = max(CUT_LEAST, min(widths[widest], room))
    lines = []
    for row in rows:
        shown = [_cut(cell, limit) for cell, limit in zip(row, widths, strict=True)]
        cells = [
            cell.rjust(limit) if place in right else cell.ljust(limit)
            for place, (cell, limit) in enumerate(zip(shown, widths, strict=True))
        ]
        lines.append((" " * indent + "   ".join(cells)).rstrip())
    return "\n".join(lines)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3].rstrip() + "..."
