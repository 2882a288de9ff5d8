"""One run as a page of its own, for the ``replay`` verb."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import TraceError
from stressfield.oracle import Oracle, Verdict
from stressfield.report.page import render
from stressfield.report.run_data import run_data
from stressfield.report.shown_run import verdict_lines
from stressfield.report.world_data import world_data
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
) -> str:
    """The page as text. ``oracle`` explains properties and sub-cases in words."""
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
        verdicts=verdict_lines(tuple(verdicts), properties),
    )
