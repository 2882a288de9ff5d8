"""Tables that others bring: published figures of the study, and the fault table of the campaign's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stressfield._files.json_text import parse_json
from stressfield.analysis import SideBySide, Summary
from stressfield.analysis.monitors import HEADINGS, rows
from stressfield.errors import MalformedError
from stressfield.report.page import Column, Table
from stressfield.report.words import figure

FAULTS_FILE = "faults.json"
BYTES_MAX = 5_000_000


def published_tables(summary: Summary) -> tuple[Table, ...]:
    """The study's published figures beside ours."""
    return tuple(_beside(table) for table in summary.published)


def monitor_table(summary: Summary) -> Table | None:
    """How runtime monitors did against what the recordings know, over all judged runs; None without monitors."""
    if not summary.monitors:
        return None
    note = "A hit is an alarm during what the monitor is there to detect; held: no harm began while the alarm was on."
    return Table("Runtime monitors", HEADINGS, tuple(rows(summary.monitors)), note)


def fault_table(folder: Path, study: str) -> Table | None:
    """``faults.json`` of the folder, or of the folder beside it that ``stressfield faults STUDY`` writes by default.

    Either a list of objects, whose keys are the columns, or ``{"title", "headers", "rows", "note"}``.
    """
    beside = folder.absolute().parent / f"{study}-faults" / FAULTS_FILE
    path = folder / FAULTS_FILE if (folder / FAULTS_FILE).is_file() else beside
    try:
        if not path.is_file() or path.stat().st_size > BYTES_MAX:
            return None
        content = parse_json(path.read_bytes(), max_bytes=BYTES_MAX)
    except (OSError, MalformedError):
        return None
    if isinstance(content, list):
        content = {"rows": content}
    if not isinstance(content, dict):
        return None
    listed = content.get("rows", content.get("faults"))
    return _generic(content, listed) if isinstance(listed, list) and listed else None


def _generic(content: Mapping[str, Any], rows: Sequence[Any]) -> Table:
    if all(isinstance(row, dict) for row in rows):
        keys = list(dict.fromkeys(key for row in rows for key in row))
        headers = [str(key).replace("_", " ") for key in keys]
        cells = [tuple(_text(row.get(key)) for key in keys) for row in rows]
    else:
        given = content.get("headers", [])
        headers = [_text(header) for header in given] if isinstance(given, list) else []
        cells = [tuple(_text(cell) for cell in (row if isinstance(row, list) else [row])) for row in rows]
    return Table(
        str(content.get("title", "Each known issue alone")), tuple(headers), tuple(cells), str(content.get("note", ""))
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return figure(value)
    if isinstance(value, list | tuple):
        return ", ".join(_text(one) for one in value)
    return str(value)


def _beside(table: SideBySide) -> Table:
    numbers = [Column(title, number=True) for title in ("published", "ours", "difference")]
    rows = [row.texts() for row in table.rows]
    return Table(table.title, ("", *numbers), rows, f"Published in: {table.source}")
