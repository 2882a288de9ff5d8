"""Running the published experiments: all builds, fifteen runs as published and more.

Each build runs the scenarios of the same configuration file; the first fifteen of them are the published number.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from stressfield.campaign import ExperimentContext, NamedCampaign, Plan, Results, find_study
from stressfield.report import page_files, write_pictures
from stressfield.search import ListedWorlds
from stressfield_studies.tabletop.builds import BUILDS
from stressfield_studies.tabletop.configuration import Configuration, configuration_from_toml
from stressfield_studies.tabletop.configuration.scenarios import descriptors
from stressfield_studies.tabletop.experiment.page import page
from stressfield_studies.tabletop.experiment.tables import SeriesScores, said, series_scores
from stressfield_studies.tabletop.picture import picture

PUBLISHED_RUNS = 15
RUNS = 100
FAULT_RUNS = 30
QUICK_RUNS = 4
PICTURES = 2
"""Failures of each build that are drawn: a picture takes a second or two."""


def configuration(name: str) -> Configuration:
    """A configuration file of the study: ``grasp`` or ``pick-and-place``."""
    data = (files("stressfield_studies.tabletop") / f"{name}.toml").read_bytes()
    return configuration_from_toml(data, name=f"The configuration {name}.toml")


def plan_of(name: str, build: str, *, study: str = "tabletop", runs: int, seed: int) -> Plan:
    """A campaign of the first ``runs`` scenarios of a configuration, each run once."""
    return Plan(
        study=study,
        build=build,
        seed=seed,
        worlds=runs,
        repeats=1,
        strategy=ListedWorlds(templates=listed(configuration(name), runs, seed=seed)),
        keep="failing",
    )


def listed(given: Configuration, runs: int, *, seed: int) -> tuple[str, ...]:
    """The first ``runs`` scenarios of a configuration, however many it asks for itself."""
    content = {name: getattr(given, name) for name in given.__struct_fields__}
    return descriptors(Configuration(**{**content, "test_count": runs}), seed=seed)


def run_builds(name: str, context: ExperimentContext) -> tuple[Sequence[SeriesScores], Sequence[Results]]:
    """Run all builds, each in a folder of its own, or go on with them."""
    plans = []
    for build in BUILDS:
        runs = QUICK_RUNS if context.quick else RUNS if build in {"fixed", "release"} else FAULT_RUNS
        plans.append(plan_of(name, build, study=context.study, runs=runs, seed=context.seed))
    campaigns = context.run([NamedCampaign(plan.build, plan) for plan in plans])
    found = [series_scores(results.plan.build, results) for results in campaigns]
    for scores in found:
        for line in said(scores, published_runs=PUBLISHED_RUNS):
            context.say(line)
    return found, campaigns


def run(name: str, title: str, context: ExperimentContext) -> None:
    """Run all builds, draw some of their failures and write the page."""
    series, campaigns = run_builds(name, context)
    if not context.report:
        return
    study = find_study(context.study)
    for results in campaigns:
        failing = [judged.run.id for judged in results.runs if judged.run.outcome == "fail"]
        write_pictures(results, study, failing[:PICTURES], draw=picture)
    made = page(series, campaigns, title=title, command=context.command, name=name, published_runs=PUBLISHED_RUNS)
    context.write_files(page_files(made))
