"""A page as one self-contained HTML file that needs no network and trusts no text."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from stressfield._files.disk import write_file
from stressfield.report.page import BREAK, Cell, Entry, Figure, Meters, Page, Rich, Table, Words

if TYPE_CHECKING:
    from jinja2 import Environment

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_COMMAND = Markup(
    '<span class="cmd"><code>{}</code><button type="button" class="copy" '
    'aria-label="Copy the text before this button">Copy</button></span>'
)
_WRAPPED = {
    "": Markup("{}"),
    "strong": Markup("<strong>{}</strong>"),
    "code": Markup("<code>{}</code>"),
    "command": _COMMAND,
    "pre": Markup('<pre class="trouble">{}</pre>'),
}
_METER = Markup(
    '<div class="sub"><span class="nowrap">{}</span><span class="meter"><i style="width:{}%"></i></span>'
    "<span>{}</span></div>"
)


def page_html(page: Page) -> str:
    """The page as text: the same page gives the same bytes."""
    scripts = ("replay.js", "page.js") if page.runs else ("page.js",)
    return render("page.html.j2", data={"worlds": page.worlds, "runs": page.runs}, scripts=scripts, page=page)


def write_page(page: Page, path: Path | str) -> Path:
    """Write the page, whole or not at all, and return its path."""
    path = Path(path)
    write_file(path, page_html(page).encode())
    return path


def render(template: str, *, data: Mapping[str, Any], scripts: tuple[str, ...], **context: Any) -> str:
    """A template with its data. Everything in ``context`` is escaped unless it is Markup."""
    script = "\n".join(static(name) for name in scripts)
    return (
        _environment()
        .get_template(template)
        .render(
            policy=content_policy(script),
            style=Markup(static("report.css")),  # noqa: S704  files of this package
            script=Markup(script),  # noqa: S704
            data=Markup(embedded_json(data)),  # noqa: S704  embedded_json leaves no character that HTML would read
            **context,
        )
    )


def inline(words: Rich) -> Markup:
    """A line of words as HTML: every text is escaped."""
    if isinstance(words, str):
        return escape(words)
    if isinstance(words, Words):
        return _piece(words)
    return Markup().join(Markup("<br>") if piece == BREAK else inline(piece) for piece in words)


def _piece(words: Words) -> Markup:
    # Formats of Markup escape what is put into them.
    if words.look in _WRAPPED and not words.href and not words.note:
        return _WRAPPED[words.look].format(words.text)
    look = Markup(' class="{}"').format(words.look) if words.look else Markup()
    note = Markup(' title="{}"').format(words.note) if words.note else Markup()
    if words.href:
        label = Markup(' aria-label="{}"').format(words.note) if words.note else Markup()
        return Markup('<a{} href="{}"{}{}>{}</a>').format(look, words.href, note, label, words.text)
    return Markup("<span{}{}>{}</span>").format(look, note, words.text)


def table_rows(table: Table) -> Markup:
    """The rows of a table. Not in the template, because a campaign may have tens of thousands of cells."""
    numbers = [column.number for column in table.columns]
    looks = table.row_looks or [""] * len(table.rows)
    parts = []
    for row, look in zip(table.rows, looks, strict=True):
        parts.append(Markup('<tr class="{}">').format(look) if look else Markup("<tr>"))
        parts += [_cell(cell, number=number) for cell, number in zip(row, numbers, strict=False)]
        parts.append(Markup("</tr>\n"))
    return Markup().join(parts)


def _cell(cell: Cell, *, number: bool) -> Markup:
    attributes = Markup(' class="num"') if number else Markup()
    content: Rich | Figure | Meters
    if isinstance(cell, Entry):
        content = cell.words
        if look := f"num {cell.look}".rstrip() if number else cell.look:
            attributes = Markup(' class="{}"').format(look)
        if cell.sort is not None:
            attributes += Markup(' data-sort="{}"').format(cell.sort)
    else:
        content = cell
    if isinstance(content, Figure):
        shown = content.content
    elif isinstance(content, Meters):
        shown = Markup().join(
            _METER.format(meter.name, f"{100 * meter.share:.1f}", inline(meter.words)) for meter in content.items
        )
    else:
        shown = inline(content)
    return Markup("<td{}>{}</td>").format(attributes, shown)


def content_policy(script: str) -> str:
    """Only the page's own script runs, known by its hash; nothing is loaded from anywhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
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
