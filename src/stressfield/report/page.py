"""A page of a report as plain data: sections of words, tables and figures.

Whoever has something to tell makes a :class:`Page`; HTML, the terminal, Markdown and JSON are renderers of it
(:mod:`stressfield.report.html`, :mod:`stressfield.report.text`). No block knows how it will be shown.

=============== ==================================================================================
Words           a piece of a line that looks different, or leads to another place of the page
Paragraph       a line of words of its own; a plain text is one, too
Heading         a title inside a section
Points          a list
Pairs           names and values
Table           rows of cells; a cell is words, a figure, :class:`Meters` or an :class:`Entry`
Figure          a drawing and its caption
Side            blocks beside each other
Tiles, Shares   big numbers; parts of a whole
Cards           a few things with a picture each
Fold            blocks that are opened by a click
Replay          the place of a run that the page plays
=============== ==================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from markupsafe import Markup

BREAK = "\n"
"""Between pieces of a line: the next one begins a new line."""


@dataclass(frozen=True, slots=True)
class Words:
    """A piece of a line.

    ``look`` is ``strong``, ``code``, ``command`` (with a button that copies it), ``pre``, or classes of the style
    sheet (``soft``, ``small``, ``tag``, ...). ``href`` is an anchor of the same page, ``note`` is read when the
    pointer rests on it.
    """

    text: str
    look: str = ""
    href: str = ""
    note: str = ""


Rich: TypeAlias = str | Words | Sequence[str | Words]
"""A line of words: its pieces are put together without a space between them."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of words; ``look`` is ``lead``, ``note``, ``legend``, ``verdict`` or ``soft small``."""

    words: Rich
    look: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A title inside a section; ``name`` is its anchor."""

    words: Rich
    name: str = ""


@dataclass(frozen=True, slots=True)
class Points:
    """A list of lines."""

    items: Sequence[Rich]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names and values. A value may be a list. ``look`` is ``facts``, ``detail`` or ``glossary``."""

    items: Sequence[tuple[str, Rich | Points]]
    look: str = "facts"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure made by this package (SVG, or an ``img`` with its data), and what it shows."""

    content: Markup
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Meter:
    """A share as a small bar, between a name and what it means."""

    name: str
    share: float
    words: Rich


@dataclass(frozen=True, slots=True)
class Meters:
    """Shares under each other."""

    items: Sequence[Meter]


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell that is sorted by something else than its words, or looks different."""

    words: Rich | Figure | Meters
    sort: float | str | None = None
    look: str = ""


Cell: TypeAlias = Rich | Figure | Meters | Entry


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column of numbers (``number``), or of one that cannot be sorted (``fixed``)."""

    title: str
    number: bool = False
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. ``look`` may name classes of the style sheet; a ``tall`` table scrolls in a box of its own."""

    title: str
    headers: Sequence[str | Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    look: str = ""
    tall: bool = False
    row_looks: Sequence[str] = field(default=())
    """A class of the style sheet for each row; none if empty."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All heads as columns."""
        return tuple(Column(head) if isinstance(head, str) else head for head in self.headers)


@dataclass(frozen=True, slots=True)
class Side:
    """Blocks beside each other; ``look`` is ``two``, ``wide-narrow`` or ``series``."""

    blocks: Sequence[Block]
    look: str = "two"


@dataclass(frozen=True, slots=True)
class Stack:
    """Blocks under each other, as one of those that stand beside each other."""

    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Tile:
    """One big number."""

    number: str
    words: str
    bad: bool = False


@dataclass(frozen=True, slots=True)
class Tiles:
    """A row of big numbers."""

    tiles: Sequence[Tile]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a whole: how many, and the share of all. ``kind`` picks its colour."""

    kind: str
    words: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Shares:
    """Parts of a whole, as one bar and its key. Parts of nothing are told if they are ``always`` told."""

    parts: Sequence[Part]
    always: Sequence[str] = field(default=())


@dataclass(frozen=True, slots=True)
class Card:
    """One of a few things: a picture if there is one, a title, lines, and where to see more."""

    title: Rich
    lines: Sequence[Rich]
    picture: Markup | None = None
    more: Words | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """A few things beside each other."""

    cards: Sequence[Card]


@dataclass(frozen=True, slots=True)
class Replay:
    """The place where the page plays a run, known by its key in the page's ``runs``."""

    run: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks under a title that opens them; ``name`` is its anchor."""

    title: Rich
    blocks: Sequence[Block]
    name: str = ""
    open: bool = False


Block: TypeAlias = (
    Rich | Paragraph | Heading | Points | Pairs | Table | Figure | Side | Stack | Tiles | Shares | Cards | Fold | Replay
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page."""

    name: str
    """Its anchor."""
    title: str
    lead: Rich = ""
    blocks: Sequence[Block] = field(default=())
    menu: str = ""
    """Its name in the navigation bar, if not the title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole: who was tested, what came of it, and how to do it again."""

    title: str
    sections: Sequence[Section]
    kicker: Rich = ""
    """The line above the title."""
    headline: str = ""
    """The line under the title: what a reader with ten seconds should know."""
    facts: Sequence[tuple[str, Rich]] = field(default=())
    command: str = ""
    """How to do it again."""
    folder: str = ""
    """What the page was made from."""
    window: str = ""
    """The title of the window, if not that of the page."""
    worlds: Mapping[str, Any] = field(default_factory=dict)
    """What runs are played over (:func:`stressfield.report.run.view.world_data`), by name."""
    runs: Mapping[str, Any] = field(default_factory=dict)
    """What :class:`Replay` plays, by run."""


def plain_words(words: Rich) -> str:
    """A line without its looks."""
    if isinstance(words, str):
        return words
    if isinstance(words, Words):
        return words.text
    return "".join(" " if piece == BREAK else plain_words(piece) for piece in words)
