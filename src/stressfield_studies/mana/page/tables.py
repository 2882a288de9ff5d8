"""The tables of an experiment's report: published beside ours, levels per configuration, collisions by level."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass

from stressfield.analysis import OutcomeClass
from stressfield.report import DASH, Table, figure, percent
from stressfield_studies.mana.difficulty import Level
from stressfield_studies.mana.page.facts import ConfigurationFacts, ProgrammeFacts, SeriesFacts
from stressfield_studies.mana.series import Published

LEVEL_HEADERS = (
    "control", "level", "sure", "runs", "success", "95 % CI", "median duration (s)", "median tortuousness (deg)",
    *(kind.value for kind in OutcomeClass if kind is not OutcomeClass.SUCCESS), "mean distance to goal (m)",
    "apart, successful (m)", "apart, unsuccessful (m)",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One configuration as texts."""

    level: str
    css: str
    cells: tuple[str, ...]


def published_table(facts: ProgrammeFacts) -> Table:
    """Thresholds, runs and hours, published and ours."""
    rows = []
    for measured in (measured for measured in facts.series if measured.series.levels_from is None):
        said, series = measured.series.published, measured.series
        unit = series.unit
        ours_very = _figure(measured.very_difficult_from, unit) if measured.very_difficult_from is not None else "never"
        ours_easy = _figure(measured.easy_until, unit) if measured.easy_until is not None else "never"
        rows.append(
            (
                series.title,
                _pair(_figure(said.runs), f"{len(measured.source.results.runs)}"),
                _pair(_figure(said.hours, "h"), f"{measured.simulated_s / 3600:.1f} h"),
                _pair(_figure(said.easy_until, unit), ours_easy),
                _pair(_very(said, unit), ours_very),
                said.note,
            )
        )
    headers = ("published / ours", "runs", "driven", "easy until", "very difficult from", "published note")
    return Table("Published thresholds beside ours", headers, tuple(rows), facts.done.programme.source)


def collision_table(facts: ProgrammeFacts) -> Table | None:
    """Colliding runs a configuration, averaged by level; None without a faulty build."""
    faulty = [measured for measured in facts.series if measured.series.levels_from is not None]
    rows = []
    for measured in faulty:
        said = measured.series.published.mean_collisions
        for level in Level:
            count = sum(configuration.level is level for configuration in measured.configurations)
            rows.append(
                (measured.series.title, level.value, f"{count}", f"{measured.series.maps * measured.series.repeats}",
                 _figure(said.get(level.value)), figure(measured.mean_collisions(level)))
            )  # fmt: skip
    headers = ("series", "level", "configurations", "runs in each", "published", "ours")
    said_of = {measured.series.title: measured.series.published.note for measured in faulty}
    note = " ".join(f"{title}, as published: {words}." for title, words in said_of.items() if words)
    return Table("Colliding runs per configuration, on average", headers, tuple(rows), note) if rows else None


def level_rows(facts: SeriesFacts) -> tuple[LevelRow, ...]:
    """One row a configuration."""
    return tuple(_row(configuration) for configuration in facts.configurations)


def levels_csv(facts: ProgrammeFacts) -> str:
    """The same for all series, for other programs; an empty cell is a missing value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["series", "build", *LEVEL_HEADERS])
    for measured in facts.series:
        for row in level_rows(measured):
            cells = ("" if cell == DASH else cell.replace(DASH, "-") for cell in row.cells)
            writer.writerow([measured.series.name, measured.series.build, *cells])
    return text.getvalue()


def _row(configuration: ConfigurationFacts) -> LevelRow:
    found = configuration.difficulty
    winding = found.median_tortuousness_rad
    css = {Level.EASY: "easy", Level.CHALLENGING: "challenging", Level.VERY_DIFFICULT: "very"}[configuration.level]
    away = [run.distance_to_goal_m for run in configuration.runs if run.distance_to_goal_m is not None]
    cells = (
        f"{configuration.value:g}",
        configuration.level.value,
        percent(found.shares.get(configuration.level, 0.0)),
        f"{len(configuration.runs)}",
        percent(found.success.share),
        f"{100 * found.success.low:.0f}{DASH}{100 * found.success.high:.0f} %",
        figure(found.median_duration_s),
        figure(None if winding is None else math.degrees(winding)),
        *(f"{configuration.outcomes[kind]}" for kind in OutcomeClass if kind is not OutcomeClass.SUCCESS),
        figure(sum(away) / len(away) if away else None),
        figure(configuration.spread.successful_m),
        figure(configuration.spread.unsuccessful_m),
    )
    return LevelRow(configuration.level.value, css, cells)


def _figure(value: float | None, unit: str = "") -> str:
    return DASH if value is None else figure(value, unit)


def _pair(published: str, ours: str) -> str:
    """On one line."""
    return f"{published} / {ours}".replace(" ", "\N{NO-BREAK SPACE}")


def _very(said: Published, unit: str) -> str:
    return "never" if said.never_very_difficult else _figure(said.very_difficult_from, unit)
