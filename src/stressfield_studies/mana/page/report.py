"""The page of a programme: trends, levels of every series, indeterminism, the faulty build, scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stressfield.analysis import OutcomeClass, Parting
from stressfield.campaign import find_study
from stressfield.errors import StressfieldError
from stressfield.report import (
    BREAK,
    Block,
    Column,
    Entry,
    Figure,
    Fold,
    Heading,
    Page,
    Paragraph,
    Points,
    Rich,
    Section,
    Side,
    Stack,
    Table,
    Tile,
    Tiles,
    Words,
    command,
    counted,
    figure,
    p_value,
)
from stressfield.run import Status
from stressfield_studies.mana.difficulty import Trend
from stressfield_studies.mana.page.divergence import Located
from stressfield_studies.mana.page.facts import ProgrammeFacts, SeriesFacts
from stressfield_studies.mana.page.figures import calibration_figure, collision_figure, level_figure, spread_figure
from stressfield_studies.mana.page.tables import LEVEL_HEADERS, collision_table, level_rows, published_table
from stressfield_studies.mana.page.tracks import distance_figure, shown_map, tracks_figure

QUICK = "A quick run with few maps and repeats: enough to see that everything works, too few to conclude from."
HOW_LEVELS = (
    "Under 25 % success a configuration is very difficult; the others are parted in two by success, duration and "
    "tortuousness, and the part with the flat empty world is easy. Whiskers: 95 % intervals with each map as one unit, "
    "and quartiles."
)


def programme_page(facts: ProgrammeFacts, folder: Path | str, *, located: Sequence[Located] = ()) -> Page:
    """The page; the same results give the same page."""
    study, programme = find_study(facts.done.study), facts.done.programme
    right = [series for series in facts.series if series.series.levels_from is None]
    faulty = [series for series in facts.series if series.series.levels_from is not None]
    sections = [_trends(facts), *(_series(facts, series) for series in right), _indeterminism(right)]
    sections += [_faulty(facts, faulty)] if any(series.configurations for series in faulty) else []
    sections += [_divergence(located)] if located else []
    sections += [_score(facts)] if facts.items is not None else []
    return Page(
        title=programme.title,
        window=f"{study.name}: {programme.title}",
        kicker=["Study ", Words(study.name, "strong"), f" · {study.title} · {_size(facts)}"],
        command=_again(facts, folder),
        folder=str(folder),
        sections=sections,
    )


def _trends(facts: ProgrammeFacts) -> Section:
    blocks: list[Block] = [Paragraph(QUICK, "note")] if facts.done.quick else []
    blocks.append(_tiles(facts))
    blocks += [Points([_trend(trend) for trend in facts.trends])] if facts.trends else []
    blocks.append(published_table(facts))
    return Section(name="trends", title="What was expected, and what was seen", menu="Trends", blocks=blocks)


def _trend(trend: Trend) -> Rich:
    word = "not tested" if trend.seen is None else "seen" if trend.seen else "not seen"
    look = {"seen": "tag good", "not seen": "tag", "not tested": "tag quiet"}[word]
    p = "" if trend.p_value is None else f", p {'' if trend.p_value < 0.001 else '= '}{p_value(trend.p_value)}"
    said: list[str | Words] = [Words(word, look), " ", Words(f"{trend.title}.", "strong"), f" {trend.sentence}"]
    return [*said, BREAK, Words(f"Test: {trend.test}{p}.", "soft small")] if trend.test else said


def _tiles(facts: ProgrammeFacts) -> Tiles:
    runs = [
        run
        for series in facts.series
        for c in series.configurations
        if series.series.levels_from is None
        for run in c.runs
    ]
    wrong = sum(run.outcome is OutcomeClass.COLLISION for run in runs)
    seen = [trend.seen for trend in facts.trends if trend.seen is not None]
    driven_s = sum(series.simulated_s for series in facts.series)
    return Tiles(
        [
            Tile(f"{sum(seen)} of {len(seen)}", "published trends seen"),
            Tile(f"{len(runs):,}", "runs with the right build"),
            Tile(f"{wrong}", "of them with a collision", wrong > 0),
            Tile(f"{driven_s / 3600:.1f} h", "driven in simulation"),
        ]
    )


def _series(facts: ProgrammeFacts, series: SeriesFacts) -> Section:
    size = (
        f"{counted(len(series.series.configurations), 'configuration')} of {series.series.maps} maps, "
        f"{counted(series.series.repeats, 'run')} each"
    )
    drawn: list[Block] = [Figure(level_figure(series))] if series.configurations else []
    shown = _map(facts, series)
    drawn += [Stack(shown)] if shown else []
    rows = [
        [Entry(cell, look=f"l-{row.css}") if place == 1 else cell for place, cell in enumerate(row.cells)]
        for row in level_rows(series)
    ]
    note = (
        "Sure: share of resampled experiments (maps, then runs, drawn again) that give the same level. Apart: largest "
        "distance at time t between runs on one map, averaged over maps."
    )
    headers = [Column(name, number=True) for name in LEVEL_HEADERS]
    return Section(
        name=series.series.name,
        title=series.series.title,
        lead=f"{size}, build {series.series.build}. {HOW_LEVELS}",
        blocks=[
            *(Paragraph(note, "note") for note in _notes(series)),
            *([Side(drawn, "wide-narrow")] if drawn else []),
            Fold([Words("Levels per configuration", "strong")], [Table("", headers, rows, note, look="levels")]),
        ],
    )


def _map(facts: ProgrammeFacts, series: SeriesFacts) -> list[Block]:
    """The runs of one map from above, and how far apart they get."""
    shown = shown_map(series)
    if shown is None:
        return []
    arrived = sum(run.success for run, _ in shown.runs)
    words = (
        f"{counted(len(shown.runs), 'run')} on one map at {figure(shown.value, series.series.unit)}, {arrived} of "
        "them successful (whole lines; dashed ones end at a cross). The ring is the start."
    )
    try:
        scenario = find_study(facts.done.study).scenario(shown.scenario.descriptor, seed=shown.scenario.seed)
        above: Block = Figure(tracks_figure(shown, scenario), words)
    except StressfieldError as error:
        above = Paragraph(f"The map cannot be drawn: {error}", "note")
    return [above, Figure(distance_figure(shown))]


def _notes(series: SeriesFacts) -> tuple[str, ...]:
    notes = []
    if series.crashed:
        why = _first_trouble(series, Status.SUBJECT_CRASH)
        notes.append(
            f"{series.series.title}: the robot software crashed in {counted(series.crashed, 'run')}; that counts as "
            f"{OutcomeClass.ERROR.value}.{why}"
        )
    if series.unjudged:
        why = _first_trouble(series, Status.INVALID)
        notes.append(
            f"{series.series.title}: {counted(series.unjudged, 'run')} without a result are left out, "
            f"{series.invalid} of them "
            f"invalid.{why}"
        )
    if series.configurations and not series.reference:
        notes.append(
            f"{series.series.title}: the flat empty world has no result, so the part with more successes is "
            "called easy."
        )
    if series.empty:
        values = ", ".join(f"{value:g}" for value in series.empty)
        notes.append(f"{series.series.title}: no run at {values} {series.series.unit} has a result.")
    return tuple(notes)


def _first_trouble(series: SeriesFacts, status: Status) -> str:
    runs = (judged.run for judged in series.source.results.runs)
    told = next((run.trouble for run in runs if run.status is status and run.trouble), "")
    return f" The first says: {told}" if told else ""


def _size(facts: ProgrammeFacts) -> str:
    runs = sum(len(series.source.results.runs) for series in facts.series)
    configurations = sum(len(series.series.configurations) for series in facts.series)
    series = f"{len(facts.series)} series"
    return f"{counted(runs, 'run')} in {counted(configurations, 'configuration')} of {series}"


def _again(facts: ProgrammeFacts, folder: Path | str) -> str:
    words = ["stressfield", "experiment", facts.done.study, facts.done.programme.name, "--seed", str(facts.done.seed)]
    return command(*words, *(["--quick"] if facts.done.quick else []), "--out", str(folder))


def _indeterminism(right: Sequence[SeriesFacts]) -> Section:
    return Section(
        name="indeterminism",
        title="Indeterminism",
        lead="The largest distance at any time t between runs on one map, averaged over the maps of a configuration. "
        "Runs are compared as long as both last.",
        blocks=[Side([Figure(spread_figure(series)) for series in right if series.configurations])],
    )


def _faulty(facts: ProgrammeFacts, faulty: Sequence[SeriesFacts]) -> Section:
    table = collision_table(facts)
    return Section(
        name="faulty",
        title="The faulty build",
        menu="Faulty build",
        lead="The same maps with a build that has a known fault. Levels are those measured with the right build.",
        blocks=[
            *(Paragraph(note, "note") for series in faulty for note in _notes(series)),
            Side([Figure(collision_figure(series)) for series in faulty if series.configurations]),
            *([table] if table is not None else []),
        ],
    )


def _divergence(located: Sequence[Located]) -> Section:
    blocks: list[Block] = []
    for pair in located:
        blocks += [Heading([f"{pair.title} ", Words(f"at {pair.value:g}", "soft small")]), pair.sentence]
        if pair.found is not None:
            first = pair.found.first
            rows = [_parting(parting, first is parting) for parting in pair.found.partings]
            blocks.append(Table("", ("signal", "parts at", "counts as apart"), rows))
    return Section(
        name="divergence",
        title="Where repeats part",
        menu="Divergence",
        lead="For one map of each series, the two runs that get furthest apart were recorded again. Their messages are "
        "compared from the sensor to the pose: those without a tolerance byte by byte, the others by their values at "
        "the same time.",
        blocks=blocks,
    )


def _parting(parting: Parting, first: bool) -> tuple[Rich, Rich, Rich]:
    signal = parting.signal
    at = "never parts" if parting.at_s is None else f"{parting.at_s:.2f} s"
    apart = f"beyond {signal.tolerance:g} {signal.unit}" if signal.tolerance else "any difference"
    slack = f", give or take {signal.slack_s:g} s" if signal.slack_s else ""
    return Words(signal.name, "strong") if first else signal.name, at, f"{apart}{slack}"


def _score(facts: ProgrammeFacts) -> Section:
    assert facts.items is not None
    figures = []
    for calibration, title in (
        (facts.items.held_out_runs, "A new run in a known world"),
        (facts.items.held_out_worlds, "A run in an unknown world"),
    ):
        if calibration is not None:
            words = (
                f"{counted(calibration.runs, 'held-out run')}: Brier score {calibration.brier:.3f} (base "
                f"rate {calibration.base_brier:.3f}, "
                f"skill {100 * calibration.skill:.0f} %), log-loss {calibration.log_loss:.3f} (base rate "
                f"{calibration.base_log_loss:.3f}), "
                f"mean error of calibration {100 * calibration.expected_error:.1f} points. Discs on the "
                "diagonal are honest "
                "predictions; their size says how many runs."
            )
            figures.append(Figure(calibration_figure(calibration, title), words))
    return Section(
        name="score",
        title="A difficulty score for each world",
        menu="Score",
        lead="As tests score their questions (Rasch): the chance of success in a world follows from one score, which "
        "leans on the series and its control where runs are few. It is judged by runs that it has not seen. Maps of "
        f"one configuration differ by {facts.items.between_worlds:.1f} logits (standard deviation) beyond what the "
        "control says.",
        blocks=[Side(figures) if figures else "Too few runs to leave any out."],
    )
