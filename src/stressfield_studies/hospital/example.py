"""The experiment `example`: the example test of the text beside undisturbed runs, and its published plots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from markupsafe import Markup

from stressfield.campaign import ExperimentContext, NamedCampaign, Plan, Results, evidence_of
from stressfield.report import Figure, Page, Section, Side, Table, page_files
from stressfield.report.figures import disturbed_figures
from stressfield.search import ListedTests
from stressfield_studies.hospital.measures import series
from stressfield_studies.hospital.model import PLAIN
from stressfield_studies.hospital.space import EXAMPLE, PUBLISHED_ROOMS, example_test, space

RUNS, QUICK_RUNS = 20, 3
SHOWN = ("completedRooms", "distanceAtEnd", "totalEnergyAtEnd", "robotCollisions", "wallContacts", "missionTime")


def run_example(context: ExperimentContext) -> None:
    """The example test and undisturbed runs of the same world, each with several run seeds."""
    runs = QUICK_RUNS if context.quick else RUNS
    plain = Plan(
        study=context.study, build="fixed", seed=context.seed, worlds=1, repeats=runs, keep="all",
        template=PLAIN.descriptor,
    )  # fmt: skip
    tests = ListedTests(search="firstExperiment", tests=(EXAMPLE,))
    disturbed = replace(plain, worlds=0, strategy=tests)
    campaigns = [NamedCampaign("undisturbed", plain), NamedCampaign(EXAMPLE, disturbed, space())]
    found = {campaign.name: results for campaign, results in zip(campaigns, context.run(campaigns), strict=True)}
    for name, results in found.items():
        rooms = sorted(
            judged.metrics["completedRooms"] for judged in results.runs if "completedRooms" in judged.metrics
        )
        context.say(f"{name}: {len(rooms)} runs, rooms done {rooms[0]:g} to {rooms[-1]:g}, median {np.median(rooms):g}")
    if context.report:
        page = Page(
            title="The example test of the hospital",
            kicker="hospital",
            headline=f"Published: {PUBLISHED_ROOMS} of 9 rooms done",
            command=context.command,
            sections=[_numbers(found), _course(found[EXAMPLE])],
        )
        context.write_files(page_files(page))


def _numbers(found: dict[str, Results]) -> Section:
    rows = []
    for name in SHOWN:
        cells = [
            _spread([judged.metrics[name] for judged in results.runs if name in judged.metrics])
            for results in found.values()
        ]
        rows.append((name, str(PUBLISHED_ROOMS) if name == "completedRooms" else "-", *cells))
    table = Table("Metrics", ("metric", "published", *found), tuple(rows), "median (least to greatest) of the runs")
    return Section(
        name="numbers",
        title="What came of it",
        lead="Robot 2, 0.904 < x < 0.946 and -0.648 < y < -0.012 m/s, from 1.6 s to 54.9 s; undisturbed runs beside.",
        blocks=[table],
    )


def _spread(values: list[float]) -> str:
    if not values:
        return "-"
    return f"{np.median(values):.3g} ({min(values):.3g} to {max(values):.3g})"


def _course(results: Results) -> Section:
    """The published plots of the first run: completed rooms, and commanded against fuzzed velocity."""
    evidence = evidence_of(results, results.runs[0])
    drawn = disturbed_figures(evidence.trace, operations=example_test().operations, series=series(evidence))
    figures = [Figure(Markup(drawing), "") for drawing in drawn]  # noqa: S704 (SVG of our own making)
    return Section(name="course", title="One of the runs", blocks=[Side(figures)])
