"""A page as plain text for a terminal, as Markdown, and as JSON data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from markupsafe import Markup

from stressfield._files.plain_text import columns
from stressfield.report.page import (
    BREAK,
    Block,
    Cards,
    Cell,
    Entry,
    Figure,
    Fold,
    Heading,
    Meters,
    Page,
    Pairs,
    Paragraph,
    Points,
    Replay,
    Rich,
    Section,
    Shares,
    Side,
    Stack,
    Table,
    Tiles,
    Words,
    plain_words,
)
from stressfield.report.words import plain

ROWS_MAX = 30
"""Of longer tables a terminal and Markdown show the beginning, and how many rows are left out."""
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~$@])")

_Simple = Heading | Paragraph | Points | Table


def page_terminal(page: Page, *, rows_max: int = ROWS_MAX) -> str:
    """The page for a terminal: words and tables, no figures."""
    head = [page.title, *([page.headline] if page.headline else [])]
    parts = ["\n".join(f" {plain(line)}" for line in head)]
    parts += [section_terminal(section, rows_max=rows_max) for section in page.sections]
    if page.command:
        parts.append(f" again:  {page.command}")
    return "\n\n".join(parts) + "\n"


def section_terminal(section: Section, *, rows_max: int = ROWS_MAX) -> str:
    """One section for a terminal."""
    parts = [f" {section.title}\n {'-' * len(section.title)}"]
    if section.lead:
        parts.append(f" {plain(plain_words(section.lead))}")
    parts += [_terminal(block, rows_max) for block in _simple(section.blocks)]
    return "\n".join(part for part in parts if part)


def table_terminal(table: Table, *, rows_max: int = ROWS_MAX) -> str:
    """One table for a terminal, numbers to the right."""
    heads = table.columns
    rows = [[column.title for column in heads]]
    rows += [[plain(cell_words(cell)) for cell in row] for row in table.rows[:rows_max]]
    shown = columns(rows, right=[place for place, column in enumerate(heads) if column.number])
    more = len(table.rows) - rows_max
    return "\n".join([shown, *([f" and {more} more"] if more > 0 else []), *([f" {table.note}"] if table.note else [])])


def _terminal(block: _Simple, rows_max: int) -> str:
    if isinstance(block, Heading):
        return f"\n {plain(plain_words(block.words))}"
    if isinstance(block, Paragraph):
        return f" {plain(plain_words(block.words))}"
    if isinstance(block, Points):
        return "\n".join(f"   {plain(plain_words(item))}" for item in block.items)
    return "\n".join([*([f"\n {plain(block.title)}"] if block.title else []), table_terminal(block, rows_max=rows_max)])


def page_markdown(page: Page, *, rows_max: int = ROWS_MAX) -> str:
    """The page as GitHub and GitLab show it beside a build. No text can become markup."""
    parts = [f"## {markdown_text(page.title)}"]
    parts += [f"**{markdown_text(page.headline)}**"] if page.headline else []
    parts += [section_markdown(section, rows_max=rows_max) for section in page.sections]
    parts += [f"Again: {markdown_code(page.command)}"] if page.command else []
    return "\n\n".join(parts) + "\n"


def section_markdown(section: Section, *, rows_max: int = ROWS_MAX) -> str:
    """One section as Markdown."""
    parts = [f"### {markdown_text(section.title)}"]
    parts += [_markdown_words(section.lead)] if section.lead else []
    for block in _simple(section.blocks):
        if isinstance(block, Heading):
            parts.append(f"#### {_markdown_words(block.words)}")
        elif isinstance(block, Paragraph):
            parts.append(_markdown_words(block.words))
        elif isinstance(block, Points):
            parts.append("\n".join(f"- {_markdown_words(item)}" for item in block.items))
        else:
            parts.append(table_markdown(block, rows_max=rows_max))
    return "\n\n".join(parts)


def table_markdown(table: Table, *, rows_max: int = ROWS_MAX) -> str:
    """One table as Markdown."""
    heads = table.columns
    lines = [
        "| " + " | ".join(markdown_text(column.title) for column in heads) + " |",
        "| " + " | ".join("--:" if column.number else "---" for column in heads) + " |",
    ]
    lines += ["| " + " | ".join(_markdown_cell(cell) for cell in row) + " |" for row in table.rows[:rows_max]]
    more = len(table.rows) - rows_max
    parts = [f"**{markdown_text(table.title)}**"] if table.title else []
    parts += ["\n".join(lines), *([f"and {more} more"] if more > 0 else [])]
    return "\n\n".join([*parts, *([markdown_text(table.note)] if table.note else [])])


def _line(text: str) -> str:
    """On one line, without what cannot be printed: robots may write anything."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def markdown_text(text: str) -> str:
    """The text with every sign of Markdown escaped, on one line."""
    return _MARKUP.sub(r"\\\1", _line(text))


def markdown_code(text: str) -> str:
    """The text as code: fenced by more backticks than it holds."""
    flat = _line(text).replace("|", "\\|")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}" if flat else ""


def _markdown_words(words: Rich) -> str:
    if isinstance(words, str):
        return markdown_text(words) + (" " if words.endswith(" ") else "")
    if isinstance(words, Words):
        if words.look in {"code", "command", "pre", "mono"}:
            return markdown_code(words.text)
        return f"**{markdown_text(words.text)}**" if words.look == "strong" else markdown_text(words.text)
    return "".join(" " if piece == BREAK else _spaced(piece) for piece in words).strip()


def _spaced(piece: str | Words) -> str:
    """A piece keeps the spaces at its ends: they part it from its neighbours."""
    text = piece if isinstance(piece, str) else ""
    shown = _markdown_words(piece).strip()
    return (" " if text[:1].isspace() else "") + shown + (" " if text[-1:].isspace() and shown else "")


def _markdown_cell(cell: Cell) -> str:
    content = cell.words if isinstance(cell, Entry) else cell
    return markdown_text(cell_words(cell)) if isinstance(content, Figure | Meters) else _markdown_words(content)


def cell_words(cell: Cell) -> str:
    """A cell without its looks; a figure in a cell has none."""
    content = cell.words if isinstance(cell, Entry) else cell
    if isinstance(content, Figure):
        return content.caption
    if isinstance(content, Meters):
        return "; ".join(f"{meter.name} {plain_words(meter.words)}".strip() for meter in content.items)
    return plain_words(content)


def _simple(blocks: Sequence[Block]) -> Iterator[_Simple]:
    """What can be told without a picture, in order. A page that is read as text has nothing to open or to play."""
    for block in blocks:
        match block:
            case Heading() | Paragraph() | Points() | Table():
                yield block
            case Figure():
                if block.caption:
                    yield Paragraph(block.caption)
            case Pairs():
                yield Points(
                    [
                        (f"{name}: ", "; ".join(map(plain_words, value.items)))
                        if isinstance(value, Points)
                        else (f"{name}: ", plain_words(value))
                        for name, value in block.items
                    ]
                )
            case Tiles():
                yield Points([(Words(tile.number, "strong"), f" {tile.words}") for tile in block.tiles])
            case Shares():
                told = [part for part in block.parts if part.count or part.kind in block.always]
                yield Paragraph(", ".join(f"{part.count:,} {part.words}" for part in told))
            case Cards():
                yield Points([(plain_words(card.title), *_lines(card.lines)) for card in block.cards])
            case Fold():
                yield Heading(block.title)
                yield from _simple(block.blocks)
            case Side() | Stack():
                yield from _simple(block.blocks)
            case Replay():
                continue
            case _:
                yield Paragraph(block)


def _lines(lines: Sequence[Rich]) -> Iterator[str]:
    for line in lines:
        yield f" {plain_words(line)}"


def page_data(page: Page) -> dict[str, Any]:
    """The page as JSON data: each block says its type; what is drawn is left out, captions stay."""
    return {
        "title": page.title,
        "headline": page.headline,
        "facts": {name: plain_words(value) for name, value in page.facts},
        "command": page.command,
        "sections": [section_data(section) for section in page.sections],
    }


def section_data(section: Section) -> dict[str, Any]:
    """One section as JSON data."""
    return {
        "name": section.name,
        "title": section.title,
        "lead": plain_words(section.lead),
        "blocks": [_data(block) for block in section.blocks],
    }


def table_data(table: Table) -> dict[str, Any]:
    """One table as JSON data. A cell that is sorted by a number also tells it."""
    return {
        "type": "table",
        "title": table.title,
        "columns": [column.title for column in table.columns],
        "rows": [[_cell_data(cell) for cell in row] for row in table.rows],
        "note": table.note,
    }


def _cell_data(cell: Cell) -> Any:
    if isinstance(cell, Entry) and cell.sort is not None:
        return {"text": cell_words(cell), "value": cell.sort}
    return cell_words(cell)


def _data(value: Any) -> Any:
    """A block by its fields; words lose their looks, drawings go."""
    if isinstance(value, Table):
        return table_data(value)
    if isinstance(value, Figure):
        return {"type": "figure", "caption": value.caption}
    if isinstance(value, Pairs):
        return {"type": "pairs", "items": {name: _data(content) for name, content in value.items}}
    if isinstance(value, Words | str) or _is_line(value):
        return plain_words(value)
    if is_dataclass(value):
        told = {part.name: getattr(value, part.name) for part in fields(value) if part.name != "look"}
        kept = {name: _data(content) for name, content in told.items() if not isinstance(content, Markup)}
        return {"type": type(value).__name__.lower(), **kept}
    return [_data(item) for item in value] if isinstance(value, Sequence) else value


def _is_line(value: object) -> bool:
    return isinstance(value, tuple | list) and bool(value) and all(isinstance(piece, str | Words) for piece in value)
