"""The summary in ``docs/reliability.md``, between two marks; rows that were not tried keep what stood there.

The table of a row that has one stands between two marks with its name.
"""

from __future__ import annotations

import re
from pathlib import Path

from row import Figure, Row

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- torture: begin -->", "<!-- torture: end -->"
HEAD = "| fault | figure to reach | figure reached | size | |\n| --- | --- | --- | --- | --- |\n"


def write_document(row: Row, figure: Figure, *, quick: bool) -> None:
    """With this row as it is now."""
    text = PAGE.read_text(encoding="utf-8")
    before = text.partition(BEGIN)[2].partition(END)[0]
    lines = {line.split(" | ")[0]: line for line in before.splitlines() if line.startswith("| ")}
    reached = figure.text + (f" (not tried: {figure.untested})" if figure.untested else "")
    cells = (row.fault, row.wanted, reached, "quick" if quick else "full", "pass" if figure.passed else "**FAIL**")
    lines[f"| {row.fault}"] = "| " + " | ".join(re.sub(r"\s+", " ", cell).replace("|", "/") for cell in cells) + " |"
    body = [line for key, line in lines.items() if key not in ("| fault", "| ---")]
    start, _, _ = text.partition(BEGIN)
    _, _, rest = text.partition(END)
    text = f"{start}{BEGIN}\n{HEAD}" + "\n".join(body) + f"\n{END}{rest}"
    PAGE.write_text(_with_table(text, row, figure) if figure.table else text, encoding="utf-8")


def _with_table(text: str, row: Row, figure: Figure) -> str:
    begin, end = (f"<!-- torture {row.name}: {word} -->" for word in ("begin", "end"))
    heads, *rows = (f"| {' | '.join(cells)} |" for cells in figure.table)
    table = "\n".join((heads, "| --- |" + " --- |" * (len(figure.table[0]) - 1), *rows))
    start, _, rest = text.partition(begin)
    return f"{start}{begin}\n{table}\n{end}{rest.partition(end)[2]}"
