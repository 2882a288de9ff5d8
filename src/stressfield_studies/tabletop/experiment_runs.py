"""Running the published experiments: all builds, fifteen runs as published and more.

Each build runs the scenarios of the same configuration file; the first fifteen of them are the published number.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from stressfield.campaign import Plan, Results, continue_campaign, find_study
from stressfield.experiment import ExperimentContext
from stressfield.report.pictures import write_pictures
from stressfield_studies.tabletop.builds import BUILDS
from stressfield_studies.tabletop.configuration import Configuration, configuration_from_toml
from stressfield_studies.tabletop.configuration_scenarios import descriptors
from stressfield_studies.tabletop.experiment_page import write_page
from stressfield_studies.tabletop.experiment_tables import SeriesScores, said, series_scores
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
        strategy="listed",
        templates=listed(configuration(name), runs, seed=seed),
        keep="failing",
    )


def listed(given: Configuration, runs: int, *, seed: int) -> tuple[str, ...]:
    """The first ``runs`` scenarios of a configuration, however many it asks for itself."""
    content = {name: getattr(given, name) for name in given.__struct_fields__}
    return descriptors(Configuration(**{**content, "test_count": runs}), seed=seed)


def run_builds(name: str, context: ExperimentContext) -> tuple[Sequence[SeriesScores], Sequence[Results]]:
    """Run all builds, each in a folder of its own, or go on with them."""
    found, campaigns = [], []
    for build in BUILDS:
        runs = QUICK_RUNS if context.quick else RUNS if build in {"fixed", "release"} else FAULT_RUNS
        done = continue_campaign(
            plan_of(name, build, study=context.study, runs=runs, seed=context.seed),
            context.folder / build,
            jobs=context.jobs,
            run_timeout_s=context.run_timeout_s,
            export_worlds=False,
            progress=context.progress,
        )
        if done.interrupted:
            raise KeyboardInterrupt
        scores = series_scores(build, done.results)
        found.append(scores)
        campaigns.append(done.results)
        for line in said(scores, published_runs=PUBLISHED_RUNS):
            context.say(line)
    return found, campaigns


def run(name: str, title: str, context: ExperimentContext) -> tuple[Path, ...]:
    series, campaigns = run_builds(name, context)
    study = find_study(context.study)
    for results in campaigns:
        failing = [one.run.id for one in results.runs if one.run.outcome == "fail"]
        write_pictures(results, study, failing[:PICTURES], draw=picture)
    command = f"stressfield experiment {study.name} {name} --seed {context.seed}"
    return (
        write_page(
            context.folder / "report.html", series, campaigns, title=title, command=command, name=name,
            published_runs=PUBLISHED_RUNS,
        ),
    )  # fmt: skip
