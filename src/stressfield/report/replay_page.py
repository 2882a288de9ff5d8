"""One run as a page of its own, for the ``replay`` verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stressfield.errors import TraceError
from stressfield.fuzz import Metric
from stressfield.oracle import Oracle, Signal, Verdict
from stressfield.report.disturbances import touched_table
from stressfield.report.figures.series import disturbed_figures
from stressfield.report.html import page_html
from stressfield.report.page import Block, Fold, Page, Pairs, Points, Replay, Rich, Section, Words
from stressfield.report.run_view import run_data, world_data
from stressfield.report.sections.runs import verdict_table
from stressfield.report.sections.search import series_blocks
from stressfield.scenario import Scenario
from stressfield.trace import Trace


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
    properties = {one.name: one for one in oracle.properties} if oracle else {}
    data = run_data(scenario, trace, verdicts, properties)
    if data is None:
        raise TraceError("Cannot replay: the recording holds no position of a robot. Wanted the truth of one at least.")
    items: list[tuple[str, Rich | Points]] = []
    if scenario.disturbances:
        items.append(("Disturbances", Points([one.words for one in scenario.disturbances])))
    items.append(("Descriptor", Words(scenario.descriptor, "command")))
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
