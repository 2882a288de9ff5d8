"""The page of an experiment: scores, bars by property, fault x property, Table IV, pictures of failures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from stressfield.campaign import Results
from stressfield.oracle import Outcome
from stressfield.report import Figure, Page, Section, Side, embedded
from stressfield.report.figures import Bar, stacked_bars
from stressfield_studies.tabletop.experiment import published
from stressfield_studies.tabletop.experiment.tables import (
    SeriesScores,
    confusion,
    summary_table,
    table_iv,
    told_apart,
)
from stressfield_studies.tabletop.scores import suite_score

SHOWN = ("fixed", "release")
WORDS = ("satisfied", "violated", "not executed")
PICTURES_EACH = 2


def page(
    series: Sequence[SeriesScores],
    campaigns: Sequence[Results],
    *,
    title: str,
    command: str,
    name: str,
    published_runs: int,
) -> Page:
    """The page of the experiment."""
    whole = name == "pick-and-place"
    sections = [
        Section(
            name="scores",
            title="Scores",
            lead="A is the share of satisfied properties of an action, S the mean of A over a run, T the mean of S.",
            blocks=[summary_table(series, runs=published_runs, published_t=published.PUBLISHED_T if whole else None)],
        ),
        Section(
            name="properties",
            title="Properties",
            lead="As in Figures 7 and 8: of all runs, how many satisfied each property. Properties of one action stand "
            "together.",
            blocks=[Side([_bars(result) for result in series if result.build in SHOWN])],
        ),
        Section(
            name="faults",
            title="Faults",
            lead="Each fault of the release, switched on alone, beside the build without faults and the release.",
            blocks=[*told_apart(series), confusion(series)],
        ),
        Section(
            name="runs",
            title="Table IV",
            blocks=[table_iv(result, runs=published_runs, compare=whole) for result in series if result.build in SHOWN],
        ),
    ]
    pictures = _pictures(campaigns)
    if pictures:
        sections.append(Section(name="pictures", title="Failures", blocks=[Side(pictures)]))
    return Page(
        title=title,
        kicker=f"Study tabletop, experiment {name}",
        headline=_headline(series),
        command=command,
        sections=sections,
    )


def _headline(series: Sequence[SeriesScores]) -> str:
    parts = []
    for result in series:
        total = suite_score(result.scores)
        if result.build in SHOWN and total is not None:
            parts.append(f"{result.build}: T = {total:.2f} in {len(result.scores)} runs")
    return "; ".join(parts) or "No run could be judged."


def _bars(series: SeriesScores) -> Figure:
    bars = [
        Bar(f"{count.action}.{count.name}", (count.satisfied, count.violated, count.not_executed), count.action)
        for count in series.counts
    ]
    svg = stacked_bars(bars, words=WORDS, title=f"Properties, build {series.build}")
    return Figure(Markup(svg), f"Build {series.build}, {len(series.scores)} runs.")  # noqa: S704  escapes its texts


def _pictures(campaigns: Sequence[Results]) -> list[Figure]:
    found: list[Figure] = []
    for results in campaigns:
        shown = 0
        for judged in results.runs:
            picture = embedded(Path(results.folder), judged.run.id)
            if picture is None or shown == PICTURES_EACH:
                continue
            failing = [verdict for verdict in judged.verdicts if verdict.outcome is Outcome.FAIL]
            why = "; ".join(f"{verdict.property}: {verdict.subcase}" for verdict in failing[:3] if verdict.subcase)
            found.append(Figure(picture, f"Build {results.plan.build}, run {judged.run.id}. {why}"))
            shown += 1
    return found
