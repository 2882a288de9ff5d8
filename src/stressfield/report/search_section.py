"""What a search found: its front as table and plot, how the front and the coverage grew, and the tests on the front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from stressfield.analysis import Box, CoverageHistory, coverage_history, hypervolume_history
from stressfield.campaign.front import samples, searched
from stressfield.campaign.fuzzing import campaign_of, read_own_space
from stressfield.campaign.records import Results, TestRecord
from stressfield.errors import RigError, StressfieldError
from stressfield.fuzz import Operation, Search, TestingSpace
from stressfield.fuzz.explanation import explain_operation
from stressfield.fuzz.size import written
from stressfield.oracle import Evidence, Signal
from stressfield.report.disturbances import brief, touched_table
from stressfield.report.facts import Facts
from stressfield.report.figures.search import Curves, FrontPoint, coverage_figure, front_figure, hypervolume_figure
from stressfield.report.figures.series import disturbed_figures
from stressfield.report.gallery import Drawn, OpenTrace
from stressfield.report.page import Table
from stressfield.report.run_view import run_data, world_data
from stressfield.report.words import command, counted, figure, percent
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.search import Objectives
from stressfield.search.front import LARGE, enough_repeats
from stressfield.study import Study
from stressfield.trace import read_trace

FOUND, HARDEST = "What the search found", "The hardest of these tests"
FRONT_MAX = 40
DRAWN_MAX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRow:
    """One test of the front. ``stage`` is the run that the page plays; without one ``why_blank`` says why."""

    index: int
    generation: int
    """From 1."""
    values: tuple[str, ...]
    repeats: tuple[str, ...]
    brief: tuple[str, ...]
    said: tuple[str, ...]
    descriptor: str
    command: str
    stage: str
    why_blank: str
    figures: tuple[Markup, ...]
    touched: Table | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SearchSection:
    """The section as the template reads it: of a search, or which of listed tests are the hardest.

    ``worlds`` and ``runs`` are data for the renderer.
    """

    title: str
    objectives: tuple[str, ...]
    lead: str
    notes: tuple[str, ...]
    rows: tuple[TestRow, ...]
    left_out: int
    front: Markup
    history: Markup
    coverage: Markup
    worlds: Mapping[str, Any]
    runs: Mapping[str, Any]


def search_section(facts: Facts, folder: Path, *, open_trace: OpenTrace | None = None) -> SearchSection | None:
    """Collect it; None if the campaign looked for nothing."""
    results = facts.results
    found = searched(results)
    if found is None or not results.tests or results.plan.fuzzing is None:
        return None
    listed = bool(results.plan.fuzzing.tests)
    if not found.scored:
        return None if listed else _nothing_measured(found.objectives, len(results.tests))
    space = read_own_space(Path(results.folder), results.plan)
    campaign = campaign_of(space, results.plan.fuzzing.campaign)
    runs: dict[str, list[JudgedRun]] = {}
    for judged in facts.runs.values():
        runs.setdefault(judged.run.scenario_id, []).append(judged)
    measured = {one.test.scenario_id: samples(runs[one.test.scenario_id]) for one in found.scored}
    first = {one.test.scenario_id: one for one in reversed(found.scored)}
    tests = sorted(first.values(), key=lambda one: one.test.index)
    best = sorted(found.front, key=lambda one: one.vector)
    shown = {one.test.index for one in best[:FRONT_MAX]}
    names, highest = found.objectives.names, found.objectives.highest
    on_front = {one.test.index for one in best}
    points = [
        FrontPoint(
            values=one.values,
            title=f"test {one.test.index}: " + ", ".join(map(_said, names, one.values)),
            href=f"#test-{one.test.index}" if one.test.index in shown else "",
            on_front=one.test.index in on_front,
        )
        for one in tests
    ]
    vectors = {one.test.index: one.vector for one in found.scored}
    ordered = [vectors.get(test.index) for test in results.tests]
    history = hypervolume_history(ordered, Box.of(ordered))
    covered = None if listed else _coverage(facts, space, campaign)
    drawing = _Drawing(facts, folder, open_trace or read_trace, space, runs)
    rows = tuple(
        drawing.row(one.test, found.objectives, one.values, measured[one.test.scenario_id], draw=at < DRAWN_MAX)
        for at, one in enumerate(best[:FRONT_MAX])
    )
    return SearchSection(
        title=HARDEST if listed else FOUND,
        objectives=tuple(f"{name}, {'high' if high else 'low'}" for name, high in zip(names, highest, strict=True)),
        lead=f"{counted(len(best), 'test')} of {len(results.tests):,} on the front: no other is as bad for the robot "
        "in every objective and worse in one. Points of the plot open their test.",
        notes=tuple(_notes(results, len(found.unscored), covered)),
        rows=rows,
        left_out=len(best) - len(rows),
        front=_markup(front_figure(points, names, highest=highest)),
        history=Markup() if listed else _markup(hypervolume_figure([Curves(results.plan.strategy, (tuple(history),))])),
        coverage=_markup(coverage_figure([Curves(results.plan.strategy, (covered.shares,))]) if covered else ""),
        worlds=drawing.worlds,
        runs=drawing.runs,
    )


def _nothing_measured(objectives: Objectives, tests: int) -> SearchSection:
    lead = (
        f"None of the {tests:,} tests could be measured in every objective ({', '.join(objectives.names)}): no front."
    )
    blank = Markup()
    return SearchSection(
        title=FOUND, objectives=objectives.names, lead=lead, notes=(), rows=(), left_out=0, front=blank, history=blank,
        coverage=blank, worlds={}, runs={},
    )  # fmt: skip


def _said(name: str, value: float) -> str:
    return f"{name} {figure(value)}"


def _markup(svg: str) -> Markup:
    return Markup(svg)  # noqa: S704  figures escape every text


def _coverage(facts: Facts, space: TestingSpace, campaign: Search) -> CoverageHistory | None:
    tests: list[Sequence[Operation]] = [
        facts.scenarios[test.scenario_id].disturbances
        for test in facts.results.tests
        if test.scenario_id in facts.scenarios
    ]
    if not space.templates(campaign) or not tests:
        return None
    return coverage_history(space, campaign, tests, steps=campaign.termination.steps)


def _notes(results: Results, unscored: int, covered: CoverageHistory | None) -> list[str]:
    notes = []
    if results.plan.repeats > 1:
        notes.append(
            f"Values are medians of repeats. A test on the front was measured at least "
            f"{enough_repeats(results.plan.repeats)} times, and one beats another only if the difference is larger "
            f"than noise (Vargha and Delaney's A of {LARGE:g})."
        )
    if unscored:
        notes.append(
            f"{counted(unscored, 'test')} could not be measured (often enough) in every objective and cannot be on the "
            "front."
        )
    if covered:
        notes.append(
            f"A cell is an operation on a target with parameters and a time of one step; ranges and windows have "
            f"{covered.steps} steps. {covered.cells[-1]:,} of {covered.total:,} cells were entered "
            f"({percent(covered.shares[-1])}). Of all {written(covered.configurations)} configurations, (O P T)^V with "
            f"ten steps, the tests are C = {covered.formula[-1]:.2g}."
        )
    return notes


class _Drawing:
    """Reads the recordings of tests on the front, one at a time, and keeps what the page shows of them."""

    def __init__(
        self,
        facts: Facts,
        folder: Path,
        open_trace: OpenTrace,
        space: TestingSpace,
        runs: Mapping[str, Sequence[JudgedRun]],
    ) -> None:
        self._facts, self._folder, self._space, self._runs = facts, folder, space, runs
        self._drawn = Drawn(facts, folder, open_trace)
        self.worlds: dict[str, Any] = {}
        self.runs: dict[str, Any] = {}

    def row(
        self,
        test: TestRecord,
        objectives: Objectives,
        values: Sequence[float],
        measured: Mapping[str, Sequence[float]],
        *,
        draw: bool,
    ) -> TestRow:
        record = self._facts.scenarios[test.scenario_id]
        runs = sorted(self._runs[test.scenario_id], key=lambda one: (one.run.trace_file is None, one.run.repeat))
        judged, why = runs[0], "Shown are the first tests of the front. The command below plays this one."
        figures: tuple[Markup, ...] = ()
        touched: Table | None = None
        if draw:
            figures, touched, why = self._draw(judged, record)
        return TestRow(
            index=test.index,
            generation=test.generation + 1,
            values=tuple(figure(value) for value in values),
            repeats=tuple(
                f"{name}: {', '.join(figure(value) for value in measured[name])}" for name in objectives.names
            ),
            brief=tuple(brief(one) for one in record.disturbances),
            said=tuple(explain_operation(one) for one in record.disturbances),
            descriptor=record.descriptor,
            command=command("stressfield", "replay", str(self._folder), judged.run.id),
            stage="" if why else judged.run.id,
            why_blank=why,
            figures=figures,
            touched=touched,
        )

    def _draw(self, judged: JudgedRun, record: ScenarioRecord) -> tuple[tuple[Markup, ...], Table | None, str]:
        run, plan = judged.run, self._facts.results.plan
        try:
            scenario, trace = self._drawn.scenario(run.scenario_id), self._drawn.trace(judged)
            scenario = scenario.limited(plan.limit_s).disturbed(record.disturbances, record.variables)
            data = run_data(scenario, trace, judged.verdicts, self._drawn.properties)
            series = run_series(self._facts.study, Evidence(trace, scenario))
        except StressfieldError as error:
            return (), None, str(error)
        touched = touched_table(trace, record.disturbances)
        figures = disturbed_figures(trace, operations=record.disturbances, metrics=self._space.metrics, series=series)
        if data is None:
            return tuple(map(_markup, figures)), touched, "The recording holds no position of a robot."
        self.worlds.setdefault(run.scenario_id, world_data(scenario.world))
        self.runs[run.id] = {"world": run.scenario_id, **data}
        return tuple(map(_markup, figures)), touched, ""


def run_series(study: Study, evidence: Evidence) -> Mapping[str, Signal]:
    """The study's own series of a run; RigError if its function fails."""
    if study.series is None:
        return {}
    try:
        return dict(study.series(evidence))
    except Exception as error:
        raise RigError(f"The study's series could not be made: {type(error).__name__}: {error}") from error
