"""Tell people: pages of sections of words, tables and figures, and the formats of other tools.

======================== ==========================================================================
write_report             the Summary of a campaign -> report.html, whole or not at all
report_html              the same, as text; campaign_page, as a Page
replay_html              one run as a page that plays it
run_series               the study's quantities of a run over time
Page, Section, ...       a page of your own, as plain data: words, tables, figures
write_page, page_html    such a page as one HTML file; page_terminal, page_markdown, page_data for other readers;
                         page_files, the files that an experiment leaves of it
columns                  rows of texts, aligned for a terminal
counted, percent, ...     numbers and names as people say them; brief, a disturbance in a few words
write_pictures, embedded pictures of runs by the study's simulator
figures                  the kit of figures: plots, fronts, series, scenes from above
======================== ==========================================================================

A page needs no network, runs only its own script, and is the same bytes for the same results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield._files.plain_text import columns
    from stressfield.report import figures
    from stressfield.report.campaign_page import campaign_page, report_html, write_report
    from stressfield.report.html import page_files, page_html, write_page
    from stressfield.report.page import (
        BREAK,
        Block,
        Card,
        Cards,
        Cell,
        Column,
        Entry,
        Figure,
        Fold,
        Heading,
        Meter,
        Meters,
        Page,
        Pairs,
        Paragraph,
        Part,
        Points,
        Replay,
        Rich,
        Section,
        Shares,
        Side,
        Stack,
        Table,
        Tile,
        Tiles,
        Words,
    )
    from stressfield.report.pictures import embedded, write_pictures
    from stressfield.report.run.page import replay_html, run_series
    from stressfield.report.text import page_data, page_markdown, page_terminal, table_terminal
    from stressfield.report.words import DASH, brief, command, counted, figure, p_value, percent

__all__ = [
    "BREAK",
    "DASH",
    "Block",
    "Card",
    "Cards",
    "Cell",
    "Column",
    "Entry",
    "Figure",
    "Fold",
    "Heading",
    "Meter",
    "Meters",
    "Page",
    "Pairs",
    "Paragraph",
    "Part",
    "Points",
    "Replay",
    "Rich",
    "Section",
    "Shares",
    "Side",
    "Stack",
    "Table",
    "Tile",
    "Tiles",
    "Words",
    "brief",
    "campaign_page",
    "columns",
    "command",
    "counted",
    "embedded",
    "figure",
    "figures",
    "p_value",
    "page_data",
    "page_files",
    "page_html",
    "page_markdown",
    "page_terminal",
    "percent",
    "replay_html",
    "report_html",
    "run_series",
    "table_terminal",
    "write_page",
    "write_pictures",
    "write_report",
]

lazy_names(__name__)
