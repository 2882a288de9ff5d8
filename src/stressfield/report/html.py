"""A page as one self-contained HTML file that needs no network and trusts no text."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import sys
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from stressfield._files.disk import write_file
from stressfield.report.page import BREAK, Cell, Entry, Figure, Meter, Meters, Page, Rich, Table, Words
from stressfield.report.text import page_markdown

if TYPE_CHECKING:
    from jinja2 import Environment

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_COPY = '<button type="button" class="copy" aria-label="Copy the text before this button">Copy</button>'
_WRAPPED = {
    "": ("", ""),
    "strong": ("<strong>", "</strong>"),
    "code": ("<code>", "</code>"),
    "command": ('<span class="cmd"><code>', f"</code>{_COPY}</span>"),
    "pre": ('<pre class="trouble">', "</pre>"),
}


def page_html(page: Page) -> str:
    """The page as text: the same page gives the same bytes."""
    data = {"worlds": page.worlds, "runs": page.runs}
    if not page.runs:
        return render("page.html.j2", data=data, scripts=("page.js",), page=page)
    return render("page.html.j2", data=data, scripts=("replay.js", "page.js"), parts=("space",), page=page)


def viewer_html() -> str:
    """A page on which one drops any recording: one file, which needs no network."""
    return render("viewer.html.j2", data={}, scripts=("drop.js",), parts=("space", "recording"))


def page_files(page: Page) -> dict[str, str]:
    """The page as the files that an experiment leaves: ``report.html`` to look at, ``report.md`` to quote from."""
    return {"report.html": page_html(page), "report.md": page_markdown(page, rows_max=sys.maxsize)}


def write_page(page: Page, path: Path | str) -> Path:
    """Write the page, whole or not at all, and return its path."""
    path = Path(path)
    write_file(path, page_html(page).encode())
    return path


def render(
    template: str, *, data: Mapping[str, Any], scripts: tuple[str, ...], parts: tuple[str, ...] = (), **context: Any
) -> str:
    """A template with its data. Everything in ``context`` is escaped unless it is Markup.

    ``parts`` are scripts that few readers need: the page holds them compressed, and runs one when it is asked for.
    """
    script = "\n".join(static(name) for name in scripts)
    return (
        _environment()
        .get_template(template)
        .render(
            policy=content_policy(script, *(gzip.decompress(packed(name)).decode() for name in parts)),
            parts={name: base64.b64encode(packed(name)).decode() for name in parts},
            style=Markup(static("report.css")),  # noqa: S704  files of this package
            script=Markup(script),  # noqa: S704
            data=Markup(embedded_json(data)),  # noqa: S704  embedded_json leaves no character that HTML would read
            **context,
        )
    )


def inline(words: Rich) -> Markup:
    """A line of words as HTML: every text is escaped."""
    return Markup(_line(words))  # noqa: S704  _line escapes every text


# Below, texts are escaped one by one and put together as plain strings: formats of Markup, which escape by themselves,
# take four times as long, and the table of a large campaign has tens of thousands of pieces.


def _line(words: Rich) -> str:
    if isinstance(words, str):
        return str(escape(words))
    if isinstance(words, Words):
        return _piece(words)
    return "".join("<br>" if piece == BREAK else _line(piece) for piece in words)


def _piece(words: Words) -> str:
    text = escape(words.text)
    if words.look in _WRAPPED and not words.href and not words.note:
        before, after = _WRAPPED[words.look]
        return f"{before}{text}{after}"
    look = f' class="{escape(words.look)}"' if words.look else ""
    note = f' title="{escape(words.note)}"' if words.note else ""
    if words.href:
        label = f' aria-label="{escape(words.note)}"' if words.note else ""
        return f'<a{look} href="{escape(words.href)}"{note}{label}>{text}</a>'
    return f"<span{look}{note}>{text}</span>"


def table_rows(table: Table) -> Markup:
    """The rows of a table. Not in the template, because a campaign may have tens of thousands of cells."""
    numbers = [column.number for column in table.columns]
    looks = table.row_looks or [""] * len(table.rows)
    parts = []
    for row, look in zip(table.rows, looks, strict=True):
        parts.append(f'<tr class="{escape(look)}">' if look else "<tr>")
        parts += [_cell(cell, number=number) for cell, number in zip(row, numbers, strict=False)]
        parts.append("</tr>\n")
    return Markup("".join(parts))  # noqa: S704  _cell escapes every text


def _cell(cell: Cell, *, number: bool) -> str:
    attributes = ' class="num"' if number else ""
    content: Rich | Figure | Meters
    if isinstance(cell, Entry):
        content = cell.words
        if look := f"num {cell.look}".rstrip() if number else cell.look:
            attributes = f' class="{escape(look)}"'
        if cell.sort is not None:
            attributes += f' data-sort="{escape(cell.sort)}"'
    else:
        content = cell
    if isinstance(content, Figure):
        shown: str = content.content
    elif isinstance(content, Meters):
        shown = "".join(_meter(meter) for meter in content.items)
    else:
        shown = _line(content)
    return f"<td{attributes}>{shown}</td>"


def _meter(meter: Meter) -> str:
    bar = f'<span class="meter"><i style="width:{100 * meter.share:.1f}%"></i></span>'
    name = f'<span class="nowrap">{escape(meter.name)}</span>'
    return f'<div class="sub">{name}{bar}<span>{_line(meter.words)}</span></div>'


def content_policy(*scripts: str) -> str:
    """Only the page's own scripts run, known by their hashes; nothing is loaded from anywhere."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def embedded_json(data: Mapping[str, Any]) -> str:
    """JSON that can stand inside a script element."""
    text = json.dumps(data, separators=(",", ":"), sort_keys=True, ensure_ascii=False, allow_nan=False)
    for character, escaped in _ESCAPES.items():
        text = text.replace(character, escaped)
    return text


@cache
def static(name: str) -> str:
    """A file of the folder ``static``."""
    return (files("stressfield.report") / "static" / name).read_text(encoding="utf-8")


@cache
def packed(part: str) -> bytes:
    """A part of the viewer as it was built: a script, compressed. The bytes of a page must not depend on a library."""
    return (files("stressfield.report") / "static" / f"{part}.js.gz").read_bytes()


def _kind(block: object) -> str:
    """Which macro of the template shows a block; a plain line of words has none of its own."""
    return type(block).__name__.lower() if not isinstance(block, str | tuple | list) else "line"


@cache
def _environment() -> Environment:
    # slow to import, and who shows results on the terminal makes no page
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    made = Environment(
        loader=PackageLoader("stressfield.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["inline"] = inline
    made.filters["kind"] = _kind
    made.filters["table_rows"] = table_rows
    return made
