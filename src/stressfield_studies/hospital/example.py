"""The experiment `example`: the example test of the text beside undisturbed runs, and its published plots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from markupsafe import Markup

from stressfield.campaign import Fuzzing, Plan, Results, continue_campaign, evidence_of
from stressfield.experiment import ExperimentContext
from stressfield.report.figures.series import disturbed_figures
from stressfield.report.html import write_page
from stressfield.report.page import Figure, Page, Section, Side, Table
from stressfield_studies.hospital.measures import series
from stressfield_studies.hospital.model import PLAIN
from stressfield_studies.hospital.space import EXAMPLE, PUBLISHED_ROOMS, example_test, space

RUNS, QUICK_RUNS = 20, 3
SHOWN = ("completedRooms", "distanceAtEnd", "totalEnergyAtEnd", "robotCollisions", "wallContacts", "missionTime")


def example(context: ExperimentContext) -> tuple[Path, ...]:
    """The example test and undisturbed runs of the same world, each with several run seeds."""
    runs = QUICK_RUNS if context.quick else RUNS
    plain = Plan(
        study=context.study, build="fixed", seed=context.seed, worlds=1, repeats=runs, keep="all",
        template=PLAIN.descriptor,
    )  # fmt: skip
    fuzzing = Fuzzing(campaign="firstExperiment", tests=(EXAMPLE,))
    plans = {"undisturbed": plain, EXAMPLE: replace(plain, worlds=0, fuzzing=fuzzing)}
    found: dict[str, Results] = {}
    for name, plan in plans.items():
        done = continue_campaign(
            plan, context.folder / name, jobs=context.jobs, run_timeout_s=context.run_timeout_s, export_worlds=False,
            progress=context.progress, space=None if plan.fuzzing is None else space(),
        )  # fmt: skip
        if done.interrupted:
            raise KeyboardInterrupt
        found[name] = done.results
        rooms = sorted(one.metrics["completedRooms"] for one in done.results.runs if "completedRooms" in one.metrics)
        context.say(f"{name}: {len(rooms)} runs, rooms done {rooms[0]:g} to {rooms[-1]:g}, median {np.median(rooms):g}")
    page = Page(
        title="The example test of the hospital",
        kicker="hospital",
        headline=f"Published: {PUBLISHED_ROOMS} of 9 rooms done",
        command=f"stressfield experiment hospital example {context.options}",
        sections=[_numbers(found), _course(found[EXAMPLE])],
    )
    return (write_page(page, context.folder / "report.html"),)


def _numbers(found: dict[str, Results]) -> Section:
    rows = []
    for name in SHOWN:
        cells = [
            _spread([one.metrics[name] for one in results.runs if name in one.metrics]) for results in found.values()
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
    figures = [Figure(Markup(one), "") for one in drawn]  # noqa: S704 (SVG of our own making)
    return Section(name="course", title="One of the runs", blocks=[Side(figures)])
