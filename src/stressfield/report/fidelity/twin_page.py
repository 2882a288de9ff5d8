"""What a twin says: lines for the terminal, a page with residuals, and data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from stressfield.analysis.monitors import HEADINGS, rows
from stressfield.report.figures.series import Line, series_figure
from stressfield.report.page import Block, Cell, Column, Figure, Heading, Page, Paragraph, Points, Section, Table, Words
from stressfield.report.text import table_terminal
from stressfield.report.words import DASH, counted, figure
from stressfield.twin import TwinResult
from stressfield.twin.announcements import alarm_words


def twin_screen(result: TwinResult) -> str:
    """One screen: what holds, what has drifted, what came late or not at all."""
    parts = [f" {twin_headline(result)}"]
    if result.verdicts:
        parts.append(table_terminal(_verdicts(result)))
    parts.append("\n".join(f" {line}" for line in _drift(result)))
    if result.monitors:
        parts.append(table_terminal(_monitors(result)))
    if _health(result).rows:
        parts.append(table_terminal(_health(result)))
    if lines := [*_missing(result), *result.notes, *result.suggestions]:
        parts.append("\n".join(f" {line}" for line in lines))
    return "\n\n".join(part for part in parts if part)


def twin_page(result: TwinResult, *, command: str, folder: str) -> Page:
    """The same as a page, with the residuals over time."""
    return Page(
        title=f"The twin of {result.study}",
        kicker=("Study ", Words(result.study, "strong"), " · source ", Words(result.source, "strong")),
        headline=twin_headline(result),
        command=command,
        folder=folder,
        sections=(
            Section(name="verdicts", title="Properties", blocks=[_verdicts(result)] if result.verdicts else ["None."]),
            Section(
                name="drift",
                title="Drift",
                lead=" ".join(_drift(result)),
                blocks=[*_figures(result), *([Points(result.suggestions)] if result.suggestions else [])],
            ),
            *(
                [Section(name="monitors", title="Runtime monitors", blocks=[_monitors(result)])]
                if result.monitors
                else []
            ),
            Section(name="stream", title="What came", blocks=_stream(result)),
        ),
    )


def twin_data(result: TwinResult) -> dict[str, Any]:
    """Everything as plain data. Scripts read it, and ``--baseline`` does: keys stay as they are."""
    return {
        "study": result.study,
        "source": result.source,
        "seconds": result.seconds,
        "verdicts": [
            {
                "property": live.verdict.property,
                "outcome": live.verdict.outcome.value,
                "settled": live.settled.value,
                "margin": live.verdict.margin,
                "unit": live.verdict.unit,
                "settled_s": live.at_s,
                "note": live.verdict.note,
            }
            for live in result.verdicts
        ],
        "alarms": [asdict(alarm) for alarm in result.alarms],
        "windows": {"learned": result.learned, "watched": result.watched, "unknown": dict(result.unknown)},
        "residuals": [{"time_s": each.time_s, **each.values} for each in result.residuals if each.values],
        "topics": {name: asdict(health) for name, health in result.health.items()},
        "silent": list(result.silent),
        "monitors": [asdict(score) for score in result.monitors],
        "notes": list(result.notes),
        "suggestions": list(result.suggestions),
    }


def twin_headline(result: TwinResult) -> str:
    """What came of it, in a sentence."""
    if result.nothing_judged:
        return f"Nothing could be said about the robot in {result.seconds:.0f} s."
    settled = [live.settled.value for live in result.verdicts]
    counts = ", ".join(f"{settled.count(word)} {word}" for word in dict.fromkeys(settled))
    drift = "no alarm" if result.watched else "not watched for"
    drift = counted(len(result.alarms), "alarm") if result.alarms else drift
    return f"{result.seconds:.0f} s: properties {counts or DASH}; drift: {drift}."


def _verdicts(result: TwinResult) -> Table:
    found: list[list[Cell]] = [
        [
            live.verdict.property,
            live.settled.value,
            figure(live.verdict.margin, live.verdict.unit),
            f"{live.at_s:.1f} s" if live.settled.value == "violated" else DASH,
            live.verdict.note,
        ]
        for live in result.verdicts
    ]
    heads = ("property", "it", Column("margin", number=True), Column("known since", number=True), "")
    return Table("", heads, found)


def _drift(result: TwinResult) -> list[str]:
    unknown = sum(result.unknown.values())
    told = [
        f"{result.watched} windows watched, {result.learned} learned from, {unknown} not known"
        + (f" ({'; '.join(f'{why}: {n}' for why, n in result.unknown.items())})." if unknown else ".")
    ]
    if not result.learned:
        told.append("Drift was not watched for: there was no baseline, and the robot did not drive long enough.")
    return [*told, *(f"Alarm at {alarm.at_s:.1f} s: {alarm_words(alarm)}." for alarm in result.alarms)]


def _figures(result: TwinResult) -> list[Block]:
    names = sorted({name for residual in result.residuals for name in residual.values})
    blocks: list[Block] = []
    for name in names:
        told = [(each.time_s, each.values[name]) for each in result.residuals if name in each.values]
        line = Line(name, np.array([t for t, _ in told]), np.array([value for _, value in told]))
        caption = f"Residual of {name}, as a share of the motion in a window: measured less simulated."
        blocks.append(Figure(series_figure(name, [line], end_s=max(1.0, result.seconds)), caption))
    return blocks or [Paragraph("No window could be compared.")]


def _monitors(result: TwinResult) -> Table:
    heads: list[str | Column] = [HEADINGS[0], *(Column(name, number=True) for name in HEADINGS[1:])]
    return Table("", heads, rows(result.monitors))


def _health(result: TwinResult) -> Table:
    odd: list[list[Cell]] = [
        [name, str(health.messages), health.words] for name, health in sorted(result.health.items()) if health.words
    ]
    return Table("", ("topic", Column("messages", number=True), "what was odd"), odd)


def _missing(result: TwinResult) -> list[str]:
    return [f"Nothing came on {', '.join(result.silent)}."] if result.silent else []


def _stream(result: TwinResult) -> list[Block]:
    every: list[list[Cell]] = [
        [name, str(health.messages), health.words or DASH] for name, health in sorted(result.health.items())
    ]
    table = Table("", ("topic", Column("messages", number=True), "what was odd"), every)
    notes = [*_missing(result), *result.notes]
    more: list[Block] = [Heading("Notes"), Points(notes)] if notes else []
    return [table, *more]
