"""One run as it is told: its verdicts, its series, what became of its messages, and a page of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from stressfield.errors import RigError, TraceError
from stressfield.fuzz import Metric, Operation, Window
from stressfield.oracle import Evidence, Oracle, Outcome, Signal, Verdict, people
from stressfield.oracle.metric import Touched, touched
from stressfield.report.figures.series import disturbed_figures
from stressfield.report.figures.tracks import Explained, explanation_of
from stressfield.report.html import page_html
from stressfield.report.page import (
    BREAK,
    Block,
    Cell,
    Entry,
    Figure,
    Fold,
    Page,
    Pairs,
    Paragraph,
    Points,
    Replay,
    Rich,
    Section,
    Side,
    Table,
    Words,
)
from stressfield.report.run.view import run_data, world_data
from stressfield.report.words import DASH, case_name, counted, figure, seconds, sentence
from stressfield.scenario import Scenario
from stressfield.study import Study
from stressfield.trace import Trace

SHADED = "Shaded: an operation acts. Sent: what was published; received: what arrived instead while an operation acted."
TIMES_MAX = 4
"""Violations of one property that are told with their times."""
MET_MAX = 8
"""Actors that are named, those that came nearest."""
TOUCHED = "What became of the messages"
TOUCHED_HEADERS = ("operation", "topic", "sent while it acted", "lost", "changed", "late", "extra")
_ORDER = {Outcome.FAIL: 0, Outcome.INCONCLUSIVE: 1, Outcome.PASS: 2}


def replay_html(
    scenario: Scenario,
    trace: Trace,
    verdicts: Sequence[Verdict],
    *,
    oracle: Oracle | None = None,
    title: str = "",
    command: str = "",
    metrics: Sequence[Metric] = (),
    series: Mapping[str, Signal] | None = None,
) -> str:
    """The page as text. ``oracle`` explains properties and sub-cases in words.

    ``series`` and those ``metrics`` that are read from topics are drawn over time; of a disturbed run also what was
    sent against what arrived.
    """
    properties = {prop.name: prop for prop in oracle.properties} if oracle else {}
    data = run_data(
        scenario, trace, verdicts, properties, oracle=oracle, series=None if series is None else lambda _: series
    )
    if data is None:
        raise TraceError("Cannot replay: the recording holds no position of a robot. Wanted the truth of at least one.")
    items: list[tuple[str, Rich | Points]] = []
    if scenario.disturbances:
        items.append(("Disturbances", Points([operation.words for operation in scenario.disturbances])))
    items.append(("Descriptor", Words(scenario.descriptor, "command")))
    if met := met_words(Evidence(trace, scenario)):
        items.append(("Met", Points(met)))
    if command:
        items.append(("Replay", Words(command, "command")))
    figures = disturbed_figures(trace, operations=scenario.disturbances, metrics=metrics, series=series)
    touched = touched_table(trace, scenario.disturbances)
    blocks: list[Block] = [
        Replay("run"),
        *series_blocks(figures, disturbed=bool(scenario.disturbances)),
        *([touched] if touched else []),
        Pairs(items, "detail"),
        verdict_table(verdicts, properties),
    ]
    page = Page(
        title=title or f"{scenario.study} {scenario.descriptor}".strip() or "Replay",
        kicker="stressfield replay" + (f" · {scenario.study}" if scenario.study else ""),
        sections=[
            Section(
                name="replay",
                title="The run",
                blocks=[Fold(Words("From above", "strong"), blocks, name="run-run", open=True)],
            )
        ],
        worlds={"world": world_data(scenario.world)},
        runs={"run": {"world": "world", **data}},
    )
    return page_html(page)


def met_words(run: Evidence) -> list[str]:
    """Which actors a robot met, the nearest first: ``ann (person): 0.42 m at 12.3 s``."""
    kinds = {placed.name: placed.actor.kind for placed in run.scenario.world.actors if placed.name in run.trace.actors}
    robots = [placed.robot.name for placed in run.scenario.world.robots if placed.robot.name in run.trace.robots]
    nearest: dict[tuple[str, str], people.Encounter] = {}
    for robot in robots if kinds else ():
        for met in people.encounters(run, robot, *kinds):
            before = nearest.get((robot, met.who))
            nearest[robot, met.who] = met if before is None or met.nearest_m < before.nearest_m else before
    ranked = sorted(nearest.items(), key=lambda item: (item[1].nearest_m, item[0]))
    words = []
    for (robot, who), met in ranked[:MET_MAX]:
        gap = f"{met.nearest_m:.2f} m" if met.nearest_m > 0.0 else "contact"
        words.append(f"{f'{robot} met ' if len(robots) > 1 else ''}{who} ({kinds[who]}): {gap} at {met.at_s:.1f} s")
    return [*words, f"and {len(ranked) - MET_MAX} more"] if len(ranked) > MET_MAX else words


def verdict_table(verdicts: Sequence[Verdict], properties: Mapping[str, Explained]) -> Table:
    """The verdicts of one run, failing ones first."""
    ranked = sorted(verdicts, key=lambda verdict: _ORDER[verdict.outcome])
    headers = ("Property", "Verdict", "Sub-case", "Worst margin", "Violated")
    return Table("", headers, [_verdict(verdict, properties.get(verdict.property)) for verdict in ranked])


def _verdict(verdict: Verdict, prop: Explained | None) -> tuple[Cell, ...]:
    spans = [f"{v.start_s:.1f}{DASH}{v.end_s:.1f} s" for v in verdict.violations[:TIMES_MAX]]
    if len(verdict.violations) > TIMES_MAX:
        spans.append(f"and {counted(len(verdict.violations) - TIMES_MAX, 'more interval')}")
    case = case_name(verdict.property, verdict.subcase) if verdict.subcase else ""
    at = f" at {seconds(verdict.at_s)}" if verdict.at_s is not None else ""
    note = ((BREAK,) if spans else ()) + (Words(verdict.note, "soft"),) if verdict.note else ()
    met = (
        (BREAK, Words(counted(verdict.encounters, "encounter"), "soft small")) if verdict.encounters is not None else ()
    )
    return (
        (Words(verdict.property, "strong"), f" {sentence(prop.title) if prop else ''}"),
        Entry((verdict.outcome.value, *met), look=f"o-{verdict.outcome.value}"),
        f"{case} {explanation_of(prop, verdict.subcase)}".strip(),
        Entry(figure(verdict.margin, verdict.unit) + at, look="nowrap"),
        (", ".join(spans), *note),
    )


def series_blocks(figures: Sequence[Markup], *, disturbed: bool) -> list[Block]:
    """Series of a run side by side, and what their shades mean if it was disturbed."""
    if not figures:
        return []
    blocks: list[Block] = [Side([Figure(drawn) for drawn in figures], "series")]
    return [*blocks, Paragraph(SHADED, "legend")] if disturbed else blocks


def run_series(study: Study, evidence: Evidence) -> Mapping[str, Signal]:
    """The study's own series of a run; RigError if its function fails."""
    if study.series is None:
        return {}
    try:
        return dict(study.series(evidence))
    except Exception as error:
        raise RigError(f"The study's series could not be made: {type(error).__name__}: {error}") from error


def touched_table(trace: Trace, operations: Sequence[Operation]) -> Table | None:
    """Counted in a recording; None if no operation acts on messages."""
    found = touched(trace, operations)
    if not found:
        return None
    return Table(TOUCHED, TOUCHED_HEADERS, tuple(map(_touched, found)), " ".join(_notes(found, operations)))


def _touched(effect: Touched) -> tuple[str, ...]:
    counts = (effect.lost, effect.changed, effect.late, effect.extra)
    return effect.operation, effect.topic, f"{effect.sent:,}", *(_share(count, effect.sent) for count in counts)


def _share(count: int, of: int) -> str:
    if not of:
        return DASH
    return f"{count:,} ({100 * count / of:.1f} %)" if count else "0"


def _notes(found: Sequence[Touched], operations: Sequence[Operation]) -> list[str]:
    notes = []
    idle = [effect for effect in found if not effect.sent]
    if idle:
        names = ", ".join(f"{effect.operation} on {effect.topic}" for effect in idle)
        notes.append(f"Nothing was sent while it acted, or it never did: {names}.")
    for effect in found:
        if effect.shared:
            where = f"under {effect.operation} on {effect.topic}"
            notes.append(
                f"{counted(effect.shared, 'message')} {where} met another operation, too: the counts are of both."
            )
    if any(not isinstance(operation.when, Window) for operation in operations):
        notes.append("Where conditions switch an operation, a message more or less at each switch.")
    return notes
