"""The report of a search experiment: hypervolumes of all strategies and seeds, effect sizes, fronts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup

from stressfield._files.disk import write_file
from stressfield.analysis.searches import ENOUGH, TOO_FEW, ComparedSearches
from stressfield.campaign import Results, SearchesExperimented, find_study, searched
from stressfield.campaign.files import REPORT
from stressfield.experiment import SearchExperiment
from stressfield.report.figures.search import Curves, FrontPoint, front_figure, hypervolume_figure
from stressfield.report.html import render
from stressfield.report.words import command, counted, figure

FRONTS = "fronts.csv"


def write_search_experiment(
    done: SearchesExperimented, compared: ComparedSearches, folder: Path | str
) -> tuple[Path, Path]:
    """Write ``report.html`` and ``fronts.csv`` into the folder, each whole or not at all; returns their paths."""
    page, table = Path(folder) / REPORT, Path(folder) / FRONTS
    write_file(table, fronts_csv(compared).encode())
    write_file(page, search_experiment_html(done, compared, folder).encode())
    return page, table


def fronts_csv(compared: ComparedSearches) -> str:
    """Every test on the front of every campaign."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["strategy", "seed", "hypervolume", *compared.objectives.names])
    for group in compared.groups:
        for one in group.campaigns:
            rows.writerows([group.name, one.seed, repr(one.hypervolume), *map(repr, values)] for values in one.front)
    return text.getvalue()


def search_experiment_html(done: SearchesExperimented, compared: ComparedSearches, folder: Path | str) -> str:
    """The page as text: the same results give the same bytes."""
    study, experiment = find_study(done.study), done.experiment
    again = ["stressfield", "experiment", done.study, experiment.name, "--seed", str(done.seed)]
    names, highest = compared.objectives.names, compared.objectives.highest
    pairs = zip(names, highest, strict=True)
    fronts = [
        (name, _front(compared, [one.results for one in done.campaigns if one.strategy == name]))
        for name in (group.name for group in compared.groups)
    ]
    rows = [
        (group.name, one.seed, one.tests, len(one.front), f"{one.hypervolume:.4f}", one.unscored, one.folder)
        for group in compared.groups
        for one in group.campaigns
    ]
    curves = [Curves(group.name, tuple(one.history for one in group.campaigns)) for group in compared.groups]
    return render(
        "search_experiment.html.j2",
        data={},
        scripts=("page.js",),
        study=study.name,
        study_title=study.title,
        title=experiment.title,
        size=f"{' and '.join(group.name for group in compared.groups)}, {counted(len(rows), 'campaign')}",
        again=command(*again, *_size(done), "--out", str(folder)),
        published=experiment.published,
        source=experiment.source,
        quick=done.quick,
        looked=", ".join(f"{'highest' if high else 'lowest'} {name}" for name, high in pairs),
        effects=tuple(_effects(compared)),
        history=Markup(hypervolume_figure(curves)),  # noqa: S704  figures escape every text
        rows=rows,
        fronts=fronts,
        folder=str(folder),
    )


def _effects(compared: ComparedSearches) -> Iterator[str]:
    first = compared.groups[0]
    for other, effect in zip(compared.groups[1:], compared.effects, strict=True):
        yield (
            f"Of all pairs, the campaign of {first.name} has a larger hypervolume than that of {other.name} in "
            f"{100 * effect.a12:.0f} % (Vargha and Delaney's A12 = {effect.a12:.2f}, {effect.magnitude}; Mann-Whitney "
            f"p = {effect.p:.2g}; {effect.count} and {effect.other_count} campaigns)."
        )
        if min(effect.count, effect.other_count) < ENOUGH:
            yield TOO_FEW


def _front(compared: ComparedSearches, campaigns: list[Results]) -> Markup:
    points = []
    names = compared.objectives.names
    for results in campaigns:
        found = searched(results)
        best = set() if found is None else {one.test.index for one in found.front}
        points += [
            FrontPoint(
                values=one.values,
                title=f"seed {results.plan.seed}, test {one.test.index}: "
                + ", ".join(f"{name} {figure(value)}" for name, value in zip(names, one.values, strict=True)),
                on_front=one.test.index in best,
            )
            for one in (() if found is None else found.scored)
        ]
    return Markup(front_figure(points, names, highest=compared.objectives.highest))  # noqa: S704


def _size(done: SearchesExperimented) -> list[str]:
    """The options that ask for this size, where it is not the study's own."""
    if done.quick:
        return ["--quick"]
    own, options = find_study(done.study).find_experiment(done.experiment.name), []
    assert isinstance(own, SearchExperiment)
    if done.experiment.evaluations != own.evaluations:
        options += ["--evaluations", str(done.experiment.evaluations)]
    if done.experiment.seeds != own.seeds:
        options += ["--seeds", str(len(done.experiment.seeds))]
    return options
