"""The failing runs that the page shows: for each finding the clearest ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from stressfield.analysis import Finding
from stressfield.errors import StressfieldError, TraceError
from stressfield.oracle import Outcome
from stressfield.report.facts import Facts
from stressfield.report.figures.run_picture import run_svg
from stressfield.report.run_view import run_data, world_data
from stressfield.report.shown_run import ShownRun, shown_run
from stressfield.run import JudgedRun
from stressfield.scenario import Scenario
from stressfield.trace import Trace, read_trace

OpenTrace = Callable[[Path], Trace]
CARD_WIDTH = 440


@dataclass(frozen=True, slots=True)
class Group:
    """The shown runs of one finding; ``elsewhere`` are shown under another, ``hidden`` not at all."""

    finding: str
    runs: tuple[ShownRun, ...]
    elsewhere: tuple[str, ...]
    hidden: int


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """Runs by finding, the data that draws them, and a picture of each of the first findings."""

    groups: tuple[Group, ...]
    shown: frozenset[str]
    failing: int
    data: Mapping[str, Any]
    pictures: Mapping[str, Markup]
    pictured: Mapping[str, str]
    """The run of each of these pictures: the clearest that has a recording."""


class Drawn:
    """Reads each recording once and keeps only what the page needs of it."""

    def __init__(self, facts: Facts, folder: Path, open_trace: OpenTrace) -> None:
        self._facts, self._folder, self._open = facts, folder, open_trace
        self.properties = {one.name: one for one in facts.study.oracle.properties}
        self._scenarios: dict[str, Scenario] = {}
        self.worlds: dict[str, Any] = {}
        self.runs: dict[str, Any] = {}
        self.pictures: dict[str, Markup] = {}

    def add(self, judged: JudgedRun, cards: list[Finding]) -> str:
        """Take in a run. Returns why it cannot be drawn, or an empty text."""
        run = judged.run
        try:
            scenario = self.scenario(run.scenario_id)
            trace = self.trace(judged)
            data = run_data(scenario, trace, judged.verdicts, self.properties)
        except StressfieldError as error:
            return str(error)
        if data is None:
            return "The recording holds no position of a robot."
        self.worlds.setdefault(run.scenario_id, world_data(scenario.world))
        self.runs[run.id] = {"world": run.scenario_id, **data}
        for finding in cards:
            self.pictures[finding.id] = self._card(finding, judged, scenario, trace)
        return ""

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario of a run, made once."""
        if scenario_id not in self._scenarios:
            record = self._facts.scenarios.get(scenario_id)
            if record is None:
                raise TraceError(f"Scenario {scenario_id!r} of the run is not among the results.")
            options = self._facts.results.plan.options
            self._scenarios[scenario_id] = self._facts.study.scenario(
                record.descriptor, seed=record.seed, options=options
            )
        return self._scenarios[scenario_id]

    def trace(self, judged: JudgedRun) -> Trace:
        """Its recording; TraceError says why there is none."""
        if judged.run.trace_file is None:
            raise TraceError("No recording of this run was kept. The command below makes it again.")
        path = (self._folder / judged.run.trace_file).resolve()
        if not path.is_relative_to(self._folder.resolve()):
            raise TraceError("The recording of this run lies outside the campaign's folder, so it was not read.")
        if not path.is_file():
            raise TraceError("The recording of this run is missing. The command below makes it again.")
        return self._open(path)

    def _card(self, finding: Finding, judged: JudgedRun, scenario: Scenario, trace: Trace) -> Markup:
        verdicts = [verdict for verdict in judged.verdicts if verdict.property == finding.property]
        starts = [v.start_s for verdict in verdicts for v in verdict.violations]
        known = finding.at_s is not None and judged.run.id == finding.example_run_id
        at_s = finding.at_s if known else min(starts, default=None)
        svg = run_svg(
            scenario, trace, verdicts, properties=self.properties, width=CARD_WIDTH, near_s=at_s, labels=False
        )
        return Markup(svg)  # noqa: S704  run_svg escapes every text


def gallery(facts: Facts, folder: Path, *, most: int, cards: int, open_trace: OpenTrace | None = None) -> Gallery:
    """Pick the runs, read and thin their recordings."""
    picked = pick(facts.findings, facts.runs, most)
    wanted = {run_id for ids in picked.values() for run_id in ids}
    pictured = {one.id: clearest for one in facts.findings[:cards] if (clearest := _recorded(one, facts.runs, wanted))}
    drawn = Drawn(facts, folder, open_trace or read_trace)
    shown: dict[str, ShownRun] = {}
    for run_id, judged in facts.runs.items():
        if run_id in wanted:
            why = drawn.add(judged, [one for one in facts.findings[:cards] if pictured.get(one.id) == run_id])
            shown[run_id] = shown_run(facts, judged, folder=str(folder), why_blank=why)
    groups = tuple(
        Group(
            finding=finding.id,
            runs=tuple(shown[run_id] for run_id in picked[finding.id]),
            elsewhere=tuple(one for one in finding.run_ids if one in shown and one not in picked[finding.id]),
            hidden=sum(one not in shown for one in finding.run_ids),
        )
        for finding in facts.findings
    )
    failing = sum(judged.run.outcome is Outcome.FAIL for judged in facts.runs.values())
    data = {"worlds": drawn.worlds, "runs": drawn.runs}
    pictured = {name: pictured[name] for name in drawn.pictures}
    return Gallery(groups, frozenset(shown), failing, data, drawn.pictures, pictured)


def pick(findings: tuple[Finding, ...], runs: Mapping[str, JudgedRun], most: int) -> dict[str, list[str]]:
    """Run ids by finding, at most ``most`` in all: turn by turn, each finding takes its clearest run not yet taken."""
    queues = {finding.id: _by_clarity(finding, runs) for finding in findings}
    picked: dict[str, list[str]] = {finding.id: [] for finding in findings}
    taken: set[str] = set()
    while len(taken) < most and any(queues.values()):
        for name, queue in queues.items():
            while queue and queue[0] in taken:
                queue.pop(0)
            if queue and len(taken) < most:
                taken.add(queue[0])
                picked[name].append(queue.pop(0))
    return picked


def _recorded(finding: Finding, runs: Mapping[str, JudgedRun], shown: set[str]) -> str | None:
    """The clearest run on the page with a recording: a search keeps few."""
    ranked = [one for one in _by_clarity(finding, runs) if one in shown]
    return next((one for one in ranked if runs[one].run.trace_file is not None), None)


def _by_clarity(finding: Finding, runs: Mapping[str, JudgedRun]) -> list[str]:
    """The example first, then by margin, the worst first, and another world before the same world again."""

    def key(run_id: str) -> tuple[bool, bool, float, str]:
        margins = [
            verdict.margin
            for verdict in runs[run_id].verdicts
            if verdict.property == finding.property and verdict.margin is not None
        ]
        return run_id != finding.example_run_id, not margins, min(margins, default=0.0), run_id

    ranked = sorted(finding.run_ids, key=key)
    seen: Counter[str] = Counter()
    turn: dict[str, int] = {}
    for run_id in ranked:
        turn[run_id] = seen[runs[run_id].run.scenario_id]
        seen[runs[run_id].run.scenario_id] += 1
    return sorted(ranked, key=turn.__getitem__)
