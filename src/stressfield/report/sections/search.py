"""What a search found: its front as table and plot, how front and coverage grew, and the tests on the front.

Also the tests that a testing space lists: how they ended, and what the space tells of earlier runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from stressfield.analysis import Box, CoverageHistory, coverage_history, hypervolume_history
from stressfield.campaign import Searched
from stressfield.campaign.front import Scored, samples
from stressfield.campaign.results import Results
from stressfield.errors import StressfieldError
from stressfield.fuzz import Operation, Search, TestingSpace
from stressfield.fuzz.size import written
from stressfield.oracle import Evidence
from stressfield.report.figures.search import Curves, FrontPoint, coverage_figure, front_figure, hypervolume_figure
from stressfield.report.figures.series import disturbed_figures
from stressfield.report.page import (
    BREAK,
    Block,
    Cell,
    Column,
    Entry,
    Figure,
    Fold,
    Heading,
    Pairs,
    Paragraph,
    Points,
    Replay,
    Section,
    Side,
    Table,
    Words,
)
from stressfield.report.run.page import run_series, series_blocks, touched_table
from stressfield.report.sections._material import PageMaterial
from stressfield.report.tables import listed_tests
from stressfield.report.words import brief, counted, figure, percent
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.search import ListedTests, OfSpace, search_of
from stressfield.search.front import LARGE, enough_repeats

FOUND, HARDEST = "What the search found", "The hardest of these tests"
FRONT_MAX = 40
DRAWN_MAX = 12
"""Of so many tests of the front the recording is read; the others can be replayed with their command."""
NOT_DRAWN = "Shown are the first tests of the front. The command below plays this one."


def listed_section(material: PageMaterial) -> Section | None:
    """The tests that the space lists; None if the campaign runs others."""
    table = listed_tests(material.summary.results)
    if table is None:
        return None
    lead = "One row per test: how its runs ended, what was measured, and how it disturbed the robot."
    return Section(
        name="listed",
        title=table.title,
        menu="Tests",
        lead=f"{lead} {table.note}".rstrip(),
        blocks=[Table(table.title, table.headers, table.rows, tall=True)],
    )


def search_section(material: PageMaterial) -> Section | None:
    """The front and its tests; None if the campaign looked for nothing."""
    results, found = material.summary.results, material.summary.search
    kind, space = results.plan.strategy, results.space
    if found is None or not results.tests or space is None or not isinstance(kind, OfSpace):
        return None
    listed = isinstance(kind, ListedTests)
    if not found.scored:
        return None if listed else _nothing_measured(found, len(results.tests))
    search = search_of(space, kind.search)
    best = sorted(found.front, key=lambda scored: scored.vector)
    covered = None if listed else _coverage(material, space, search)
    tests = _FrontTests(material, space, found)
    folds = [tests.fold(scored, draw=place < DRAWN_MAX) for place, scored in enumerate(best[:FRONT_MAX])]
    blocks: list[Block] = [Figure(_front(found, best))]
    if not listed:
        blocks.append(Side([Figure(grown) for grown in _grown(results, found, covered)]))
    blocks += [Paragraph(note, "soft small") for note in _notes(results, len(found.unscored), covered)]
    blocks.append(_front_table(material, found, best[:FRONT_MAX]))
    if len(best) > FRONT_MAX:
        where = Words(f"stressfield results {material.folder}", "code")
        more = (f"{len(best) - FRONT_MAX} more tests of the front are in the ledger: ", where, ".")
        blocks.append(Paragraph(more, "soft small"))
    return Section(
        name="search",
        title=HARDEST if listed else FOUND,
        menu="Hardest" if listed else "Search",
        lead=f"{counted(len(best), 'test')} of {len(results.tests):,} on the front: no other is as bad for the robot "
        "in every objective and worse in one. Points of the plot open their test.",
        blocks=[*blocks, Heading("Tests on the front"), *folds],
    )


def _nothing_measured(found: Searched, tests: int) -> Section:
    names = ", ".join(found.objectives.names)
    lead = f"None of the {tests:,} tests could be measured in every objective ({names}): no front."
    return Section(name="search", title=FOUND, menu="Search", lead=lead)


def _front(found: Searched, best: Sequence[Scored]) -> Markup:
    names = found.objectives.names
    # Of the same test proposed twice only the first is a point.
    first = {scored.test.scenario_id: scored for scored in reversed(found.scored)}
    shown = {scored.test.index for scored in best[:FRONT_MAX]}
    on_front = {scored.test.index for scored in best}
    points = [
        FrontPoint(
            values=scored.values,
            title=f"test {scored.test.index}: "
            + ", ".join(f"{name} {figure(value)}" for name, value in zip(names, scored.values, strict=True)),
            href=f"#test-{scored.test.index}" if scored.test.index in shown else "",
            on_front=scored.test.index in on_front,
        )
        for scored in sorted(first.values(), key=lambda scored: scored.test.index)
    ]
    return front_figure(points, names, highest=found.objectives.highest)


def _grown(results: Results, found: Searched, covered: CoverageHistory | None) -> list[Markup]:
    vectors = {scored.test.index: scored.vector for scored in found.scored}
    ordered = [vectors.get(test.index) for test in results.tests]
    history = hypervolume_history(ordered, Box.of(ordered))
    figures = [hypervolume_figure([Curves(results.plan.strategy_name, (tuple(history),))])]
    if covered:
        figures.append(coverage_figure([Curves(results.plan.strategy_name, (covered.shares,))]))
    return figures


def _coverage(material: PageMaterial, space: TestingSpace, search: Search) -> CoverageHistory | None:
    scenarios = material.recordings.scenarios
    tests: list[Sequence[Operation]] = [
        scenarios[test.scenario_id].disturbances
        for test in material.summary.results.tests
        if test.scenario_id in scenarios
    ]
    if not space.templates(search) or not tests:
        return None
    return coverage_history(space, search, tests, steps=search.termination.steps)


def _front_table(material: PageMaterial, found: Searched, best: Sequence[Scored]) -> Table:
    objectives = zip(found.objectives.names, found.objectives.highest, strict=True)
    rows: list[tuple[Cell, ...]] = []
    for scored in best:
        told = [brief(operation) for operation in material.recordings.scenarios[scored.test.scenario_id].disturbances]
        pieces = [piece for words in told for piece in (words, ";", BREAK)][:-2]
        rows.append(
            (
                Words(str(scored.test.index), href=f"#test-{scored.test.index}"),
                str(scored.test.generation + 1),
                *(figure(value) for value in scored.values),
                Entry(tuple(pieces), look="small words"),
            )
        )
    headers = (
        Column("Test", number=True),
        Column("Generation", number=True),
        *(Column(f"{name}, {'high' if high else 'low'}", number=True) for name, high in objectives),
        Column("Disturbances", fixed=True),
    )
    return Table("", headers, rows, look="tests")


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


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What a recording shows of a test; ``why_blank`` says why it cannot be played."""

    figures: Sequence[Markup] = ()
    touched: Table | None = None
    why_blank: str = NOT_DRAWN


class _FrontTests:
    """The tests of a front as they are shown."""

    def __init__(self, material: PageMaterial, space: TestingSpace, found: Searched) -> None:
        self._material, self._space, self._names = material, space, found.objectives.names
        self._runs = _by_scenario(material.recordings.runs.values())

    def fold(self, scored: Scored, *, draw: bool) -> Fold:
        """A test with its replay, its series, and what was measured."""
        test, material = scored.test, self._material
        record = material.recordings.scenarios[test.scenario_id]
        measured = samples(self._runs[test.scenario_id])
        judged = min(
            self._runs[test.scenario_id], key=lambda judged: (judged.run.trace_file is None, judged.run.repeat)
        )
        drawn = self._draw(judged, record) if draw else _Drawn()
        blocks: list[Block] = [Paragraph(drawn.why_blank, "note") if drawn.why_blank else Replay(judged.run.id)]
        blocks += series_blocks(drawn.figures, disturbed=bool(record.disturbances))
        blocks += [drawn.touched] if drawn.touched else []
        told = " · ".join(f"{name}: {', '.join(figure(value) for value in measured[name])}" for name in self._names)
        said = Points([operation.words for operation in record.disturbances])
        items = [
            ("Disturbances", said if record.disturbances else "none"),
            ("Measured", told),
            ("Replay", Words(material.replay(judged.run.id), "command")),
            ("Descriptor", Words(record.descriptor, "command")),
        ]
        values = " · ".join(f"{name} {figure(value)}" for name, value in zip(self._names, scored.values, strict=True))
        title = (Words(f"Test {test.index}", "strong"), " ", Words(values, "small"))
        return Fold(title, [*blocks, Pairs(items, "detail")], name=f"test-{test.index}")

    def _draw(self, judged: JudgedRun, record: ScenarioRecord) -> _Drawn:
        recordings, plan = self._material.recordings, self._material.summary.results.plan
        try:
            scenario, trace = recordings.scenario(judged.run.scenario_id), recordings.trace(judged)
            scenario = scenario.limited(plan.limit_s).disturbed(record.disturbances, record.variables)
            study = self._material.study
            series = {} if study is None else run_series(study, Evidence(trace, scenario))
            why = recordings.play(judged, scenario, trace)
        except StressfieldError as error:
            return _Drawn(why_blank=str(error))
        figures = disturbed_figures(trace, operations=record.disturbances, metrics=self._space.metrics, series=series)
        return _Drawn(figures, touched_table(trace, record.disturbances), why)


def _by_scenario(runs: Iterable[JudgedRun]) -> dict[str, list[JudgedRun]]:
    found: dict[str, list[JudgedRun]] = {}
    for judged in runs:
        found.setdefault(judged.run.scenario_id, []).append(judged)
    return found
