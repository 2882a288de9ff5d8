"""Who was tested, with what, and how to do it again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stressfield.campaign.digest import digest
from stressfield.campaign.files import SPACE
from stressfield.campaign.fuzzing import listed_names
from stressfield.campaign.records import Fuzzing, Plan
from stressfield.fuzz import read_space
from stressfield.report.facts import Facts
from stressfield.report.words import TIMES, command, counted
from stressfield.scenario import Options


@dataclass(frozen=True, slots=True)
class Header:
    """The top of the report."""

    title: str
    study: str
    build: str
    size: str
    facts: tuple[tuple[str, str], ...]
    command: str


def header(facts: Facts, *, folder: str) -> Header:
    """Facts free of the clock: the same results give the same page."""
    results, plan = facts.results, facts.results.plan
    titles = {build.name: build.title for build in facts.study.builds}
    simulated_s = sum(judged.run.simulated_s for judged in results.runs)
    versions = ", ".join(f"{name} {version}" for name, version in sorted(results.versions.items()))
    listed = [
        ("Strategy", plan.strategy),
        ("Seed", str(plan.seed)),
        ("Simulated", f"{simulated_s / 3600:.1f} h" if simulated_s >= 3600 else f"{simulated_s / 60:.1f} min"),
        ("Versions", versions),
        ("Digest of all results", digest(results)),
    ]
    title = titles.get(plan.build, "")
    return Header(
        title=facts.study.title,
        study=facts.study.name,
        build=f"{plan.build}: {title}" if title and title != plan.build else plan.build,
        size=f"{counted(len(results.scenarios), plan.noun)} {TIMES} {counted(plan.repeats, 'repeat')}",
        facts=tuple((name, value) for name, value in listed if value),
        command=reproduce(plan, folder),
    )


def reproduce(plan: Plan, folder: str) -> str:
    """The command that runs the campaign again; worlds from a list of templates can only be gone on with."""
    if plan.templates:
        return command("stressfield", "resume", folder)
    words = ["stressfield", "run", plan.study]
    if plan.fuzzing is not None:
        words += ["--space", f"{folder}/space.yaml"]
        words += ["--campaign", plan.fuzzing.campaign] if plan.fuzzing.campaign else []
        words += ["--tests", _tests(plan.fuzzing, Path(folder))] if plan.fuzzing.tests else []
        words += ["--vary-world"] if plan.fuzzing.vary_world else []
        if plan.fuzzing.world_seed is not None:
            words += ["--world-seed", str(plan.fuzzing.world_seed)]
        folder = f"{folder}-again"
    elif plan.worlds > 0:
        words += ["--worlds", str(plan.worlds)]
    words += ["--repeats", str(plan.repeats), "--seed", str(plan.seed), "--build", plan.build]
    if plan.simulator:
        words += ["--sim", plan.simulator]
    if plan.strategy != "random" and plan.fuzzing is None:
        words += ["--strategy", plan.strategy]
    if plan.template != "r":
        words += ["--template", plan.template]
    for flag, values in (
        ("--vary", plan.sweep),
        ("--with", plan.include),
        ("--without", plan.exclude),
        ("--option", _options(plan.options)),
    ):
        for value in values:
            words += [flag, value]
    return command(*words, "--out", folder)


def _tests(fuzzing: Fuzzing, folder: Path) -> str:
    """``all`` if it is all that the space lists."""
    path = folder / SPACE
    every = listed_names(read_space(path), fuzzing.campaign) if path.exists() else ()
    return "all" if fuzzing.tests == every else ",".join(fuzzing.tests)


def _options(options: Options) -> tuple[str, ...]:
    """As ``name=value``; a plan has only those that differ from their default."""
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()}
    return tuple(f"{name}={text}" for name, text in texts.items())
