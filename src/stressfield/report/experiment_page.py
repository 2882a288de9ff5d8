"""The report of an experiment: one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from stressfield._files.disk import write_file
from stressfield.analysis import OutcomeClass, Trend
from stressfield.campaign import find_study
from stressfield.campaign.files import REPORT
from stressfield.errors import StressfieldError
from stressfield.report.calibration_figure import calibration_figure
from stressfield.report.collision_figure import collision_figure
from stressfield.report.experiment_divergence import Located
from stressfield.report.experiment_facts import ExperimentFacts, SeriesFacts
from stressfield.report.experiment_tables import (
    LEVEL_HEADERS,
    LevelRow,
    collision_table,
    level_rows,
    levels_csv,
    published_table,
)
from stressfield.report.html import render
from stressfield.report.level_figure import level_figure
from stressfield.report.shown_map import shown_map
from stressfield.report.spread_figure import spread_figure
from stressfield.report.tracks_figure import distance_figure, tracks_figure
from stressfield.report.words import command, counted, figure, p_value
from stressfield.run import Status

LEVELS = "levels.csv"


@dataclass(frozen=True, slots=True)
class SeriesSection:
    """One series as pictures and rows."""

    name: str
    title: str
    build: str
    size: str
    levels: Markup
    map: Markup | None
    distances: Markup | None
    map_words: str
    rows: tuple[LevelRow, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrendRow:
    """One trend: the word, its colour and why."""

    title: str
    word: str
    css: str
    sentence: str
    test: str


def write_experiment_report(
    facts: ExperimentFacts, folder: Path | str, *, located: Sequence[Located] = ()
) -> tuple[Path, Path]:
    """Write ``report.html`` and ``levels.csv`` into the folder, each whole or not at all; returns their paths."""
    page, table = Path(folder) / REPORT, Path(folder) / LEVELS
    write_file(table, levels_csv(facts).encode())
    write_file(page, experiment_html(facts, folder, located=located).encode())
    return page, table


def experiment_html(facts: ExperimentFacts, folder: Path | str, *, located: Sequence[Located] = ()) -> str:
    """The page as text: the same results give the same bytes."""
    done, study = facts.done, find_study(facts.done.study)
    right = [one for one in facts.series if one.series.levels_from is None]
    faulty = [one for one in facts.series if one.series.levels_from is not None]
    return render(
        "experiment.html.j2",
        data={},
        scripts=("page.js",),
        study=study.name,
        study_title=study.title,
        title=done.experiment.title,
        size=_size(facts),
        quick=done.quick,
        tiles=_tiles(facts),
        again=_again(facts, folder),
        trends=tuple(_trend_row(trend) for trend in facts.trends),
        published=published_table(facts),
        series=tuple(_section(facts, one) for one in right),
        headers=LEVEL_HEADERS,
        spreads=tuple((one.series.name, _markup(spread_figure(one))) for one in right if one.configurations),
        collisions=tuple((one.series.name, _markup(collision_figure(one))) for one in faulty if one.configurations),
        collision_table=collision_table(facts),
        faulty_notes=tuple(note for one in faulty for note in _notes(one)),
        located=tuple(located),
        items=facts.items,
        calibrations=_calibrations(facts),
        folder=str(folder),
    )


def _markup(made_of_numbers: str) -> Markup:
    return Markup(made_of_numbers)  # noqa: S704  figures escape every text they hold


def _section(facts: ExperimentFacts, one: SeriesFacts) -> SeriesSection:
    shown = shown_map(one)
    drawn = distances = None
    words = ""
    if shown is not None:
        arrived = sum(run.success for run, _ in shown.runs)
        words = (
            f"{counted(len(shown.runs), 'run')} on one map at {figure(shown.value, one.series.unit)}, {arrived} of "
            "them successful (whole lines; dashed ones end at a cross). The ring is the start."
        )
        distances = _markup(distance_figure(shown))
        try:
            scenario = find_study(facts.done.study).scenario(shown.scenario.descriptor, seed=shown.scenario.seed)
            drawn = _markup(tracks_figure(shown, scenario))
        except StressfieldError as error:
            words = f"The map cannot be drawn: {error}"
    size = (
        f"{counted(len(one.series.configurations), 'configuration')} of {one.series.maps} maps, "
        f"{counted(one.series.repeats, 'run')} each"
    )
    return SeriesSection(
        name=one.series.name,
        title=one.series.title,
        build=one.series.build,
        size=size,
        levels=_markup(level_figure(one)) if one.configurations else Markup(""),
        map=drawn,
        distances=distances,
        map_words=words,
        rows=level_rows(one),
        notes=_notes(one),
    )


def _notes(one: SeriesFacts) -> tuple[str, ...]:
    notes = []
    if one.crashed:
        why = _first_trouble(one, Status.SUBJECT_CRASH)
        notes.append(
            f"{one.series.title}: the robot software crashed in {counted(one.crashed, 'run')}; that counts as "
            f"{OutcomeClass.ERROR.value}.{why}"
        )
    if one.unjudged:
        why = _first_trouble(one, Status.INVALID)
        notes.append(
            f"{one.series.title}: {counted(one.unjudged, 'run')} without a result are left out, {one.invalid} of them "
            f"invalid.{why}"
        )
    if one.configurations and not one.reference:
        notes.append(
            f"{one.series.title}: the flat empty world has no result, so the part with more successes is called easy."
        )
    if one.empty:
        values = ", ".join(f"{value:g}" for value in one.empty)
        notes.append(f"{one.series.title}: no run at {values} {one.series.unit} has a result.")
    return tuple(notes)


def _first_trouble(one: SeriesFacts, status: Status) -> str:
    runs = (judged.run for judged in one.source.results.runs)
    told = next((run.trouble for run in runs if run.status is status and run.trouble), "")
    return f" The first says: {told}" if told else ""


def _size(facts: ExperimentFacts) -> str:
    runs = sum(len(one.source.results.runs) for one in facts.series)
    configurations = sum(len(one.series.configurations) for one in facts.series)
    series = f"{len(facts.series)} series"
    return f"{counted(runs, 'run')} in {counted(configurations, 'configuration')} of {series}"


def _tiles(facts: ExperimentFacts) -> tuple[tuple[str, str, bool], ...]:
    runs = [run for one in facts.series for c in one.configurations if one.series.levels_from is None for run in c.runs]
    wrong = sum(run.outcome is OutcomeClass.COLLISION for run in runs)
    seen = [trend.seen for trend in facts.trends if trend.seen is not None]
    driven_s = sum(one.simulated_s for one in facts.series)
    tiles = [
        (f"{sum(seen)} of {len(seen)}", "published trends seen", False),
        (f"{len(runs):,}", "runs with the right build", False),
        (f"{wrong}", "of them with a collision", wrong > 0),
        (f"{driven_s / 3600:.1f} h", "driven in simulation", False),
    ]
    return tuple(tiles)


def _again(facts: ExperimentFacts, folder: Path | str) -> str:
    words = ["stressfield", "experiment", facts.done.study, facts.done.experiment.name, "--seed", str(facts.done.seed)]
    return command(*words, *(["--quick"] if facts.done.quick else []), "--out", str(folder))


def _trend_row(trend: Trend) -> TrendRow:
    word = "not tested" if trend.seen is None else "seen" if trend.seen else "not seen"
    css = {"seen": "good", "not seen": "", "not tested": "quiet"}[word]
    p = "" if trend.p_value is None else f", p {'' if trend.p_value < 0.001 else '= '}{p_value(trend.p_value)}"
    return TrendRow(trend.title, word, css, trend.sentence, f"{trend.test}{p}")


def _calibrations(facts: ExperimentFacts) -> tuple[tuple[Markup, str], ...]:
    if facts.items is None:
        return ()
    found = []
    for one, title in (
        (facts.items.held_out_runs, "A new run in a known world"),
        (facts.items.held_out_worlds, "A run in an unknown world"),
    ):
        if one is not None:
            words = (
                f"{counted(one.runs, 'held-out run')}: Brier score {one.brier:.3f} (base rate {one.base_brier:.3f}, "
                f"skill {100 * one.skill:.0f} %), log-loss {one.log_loss:.3f} (base rate {one.base_log_loss:.3f}), "
                f"mean error of calibration {100 * one.expected_error:.1f} points."
            )
            found.append((_markup(calibration_figure(one, title)), words))
    return tuple(found)
