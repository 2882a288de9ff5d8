"""The page of an experiment that is a function: sections of sentences, tables, figures and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from stressfield.campaign.files import write_whole
from stressfield.report.extra_tables import PlainTable
from stressfield.report.page import render


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure made by this package (SVG, or an ``img`` with its data), and what it shows."""

    content: Markup
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the page."""

    name: str
    """Its anchor."""
    title: str
    lead: str = ""
    lines: Sequence[str] = field(default=())
    tables: Sequence[PlainTable] = field(default=())
    figures: Sequence[Figure] = field(default=())


def custom_page(*, title: str, kicker: str, headline: str, command: str, sections: Sequence[Section]) -> str:
    """The page as text: one file that needs no network."""
    return render(
        "custom.html.j2",
        data={},
        scripts=("page.js",),
        page_title=title,
        kicker=kicker,
        headline=headline,
        command=command,
        sections=sections,
    )


def write_custom_page(path: Path, page: str) -> Path:
    """Whole or not at all."""
    write_whole(path, page.encode())
    return path
