"""One run as a page of its own, for the ``replay`` verb."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from stressfield.errors import TraceError
from stressfield.fuzz import Metric
from stressfield.fuzz.explanation import explain_operation
from stressfield.oracle import Oracle, Signal, Verdict
from stressfield.report.disturbances import touched_table
from stressfield.report.figures.series import disturbed_figures
from stressfield.report.html import render
from stressfield.report.run_view import run_data, world_data
from stressfield.report.shown_run import verdict_lines
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
    return render(
        "replay.html.j2",
        data={"worlds": {"world": world_data(scenario.world)}, "runs": {"run": {"world": "world", **data}}},
        scripts=("replay.js", "page.js"),
        title=title or f"{scenario.study} {scenario.descriptor}".strip() or "Replay",
        study=scenario.study,
        descriptor=scenario.descriptor,
        command=command,
        said=tuple(explain_operation(one) for one in scenario.disturbances),
        figures=tuple(
            Markup(one)  # noqa: S704  figures escape every text
            for one in disturbed_figures(trace, operations=scenario.disturbances, metrics=metrics, series=series)
        ),
        touched=touched_table(trace, scenario.disturbances),
        verdicts=verdict_lines(tuple(verdicts), properties),
    )
