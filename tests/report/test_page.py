"""The page model and its four renderers."""

from __future__ import annotations

import json
from pathlib import Path

from markupsafe import Markup

from stressfield.report.html import page_html, write_page
from stressfield.report.page import (
    BREAK,
    Card,
    Cards,
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
    Section,
    Shares,
    Side,
    Stack,
    Table,
    Tile,
    Tiles,
    Words,
)
from stressfield.report.text import page_data, page_markdown, page_terminal

EVIL = "<script>alert(1)</script>"
SVG = Markup('<svg class="figure"></svg>')


def every_block(text: str) -> Page:
    """All kinds of blocks, each with the same text."""
    words = Words(text, "strong", note=text)
    table = Table(
        text,
        (text, Column(text, number=True)),
        [
            (words, Entry((text, BREAK, Words(text, "command")), sort=2.5, look="soft")),
            (Figure(SVG), Meters((Meter(text, 0.5, text),))),
        ],
        note=text,
        row_looks=("off", ""),
    )  # fmt: skip
    blocks = [
        text, words, Paragraph((text, Words(text, "code")), "lead"), Heading(words, "here"), Points((text, words)),
        Pairs(((text, words), (text, Points((text,)))), "detail"), table, Figure(SVG, text),
        Side((Stack((text,)), text)),
        Tiles((Tile(text, text, bad=True),)), Shares((Part("pass", text, 1, 1.0),)),
        Cards((Card(text, (text,), SVG, Words(text, href="#here")),)), Fold(text, (text,), name="fold"),
    ]  # fmt: skip
    return Page(
        title=text,
        kicker=words,
        headline=text,
        facts=((text, text),),
        command=text,
        folder=text,
        sections=(Section(name="all", title=text, lead=text, blocks=blocks),),
    )


def test_no_text_of_any_block_becomes_markup() -> None:
    page = page_html(every_block(EVIL))
    assert EVIL not in page
    assert page.count("<script") == 2
    assert page.count("&lt;script&gt;") > 30
    assert "<script>" not in page_markdown(every_block(EVIL)).replace("`<script>", "")


def test_cells_keep_their_sorting_and_looks() -> None:
    page = page_html(every_block("word"))
    assert '<td class="num soft" data-sort="2.5">word<br><span class="cmd"><code>word</code>' in page
    assert '<tr class="off"><td><span class="strong" title="word">word</span></td>' in page
    assert '<i style="width:50.0%"></i>' in page


def test_a_terminal_shows_words_and_aligned_tables() -> None:
    table = Table("Runs", ("name", Column("count", number=True)), (("a", "5"), ("long name", "12")), note="of all")
    page = Page(
        title="Campaign",
        headline="All well.",
        sections=[Section(name="s", title="Numbers", blocks=["So it was.", table])],
    )
    assert page_terminal(page) == (
        " Campaign\n All well.\n\n Numbers\n -------\n So it was.\n\n Runs\n"
        " name        count\n a               5\n long name      12\n of all\n"
    )


def test_long_tables_are_cut_where_they_are_read() -> None:
    table = Table("", ("n",), [(str(n),) for n in range(40)])
    page = Page(title="t", sections=[Section(name="s", title="S", blocks=[table])])
    assert "and 10 more" in page_terminal(page)
    assert "and 10 more" in page_markdown(page)
    assert "<td>39</td>" in page_html(page)
    assert len(page_data(page)["sections"][0]["blocks"][0]["rows"]) == 40


def test_markdown_escapes_and_keeps_code() -> None:
    page = Page(title="a|b", sections=[Section(name="s", title="S", blocks=[("see ", Words("x|`y", "code"), " now")])])
    assert "## a\\|b" in page_markdown(page)
    assert "see ``x\\|`y`` now" in page_markdown(page)


def test_data_is_json_and_tells_every_block() -> None:
    data = json.loads(json.dumps(page_data(every_block("word"))))
    kinds = [block["type"] for block in data["sections"][0]["blocks"] if isinstance(block, dict)]
    assert kinds == [
        "paragraph", "heading", "points", "pairs", "table", "figure", "side", "tiles", "shares", "cards", "fold",
    ]  # fmt: skip
    assert {"text": "word word", "value": 2.5} in data["sections"][0]["blocks"][6]["rows"][0]


def test_is_written_whole(tmp_path: Path) -> None:
    page = every_block("word")
    assert write_page(page, tmp_path / "page.html").read_text(encoding="utf-8") == page_html(page)
