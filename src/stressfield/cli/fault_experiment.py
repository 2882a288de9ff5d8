"""The fault experiment: each known issue alone against the baseline, in the same worlds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from stressfield.analysis import ExitCode, Summary, compare_properties, summarise
from stressfield.campaign import Plan, Results, find_study, resume, run_campaign, study_reference
from stressfield.campaign.files import PLAN, read_plan
from stressfield.campaign.plan import checked
from stressfield.cli.echo import echo
from stressfield.cli.progress import campaign_progress
from stressfield.errors import InputError, did_you_mean
from stressfield.study import Fault, Study

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultResult:
    """One issue: what was published, what is expected and what was found here."""

    name: str
    title: str
    nature: str
    field_tests: str
    published: str
    expected: str
    note: str
    revealed: bool
    properties: tuple[str, ...]
    """All properties that fail significantly more often with the issue."""
    best_property: str
    baseline_share: float | None
    fault_share: float | None
    p_value: float
    method: str
    folder: str
    baseline_folder: str

    @property
    def as_expected(self) -> bool:
        """Whether "yes" or "no" at the start of ``expected`` came true; True if it starts otherwise."""
        word = self.expected.strip().lower()
        return not (word.startswith("no") and self.revealed) and not (word.startswith("yes") and not self.revealed)


def find_faults(study: Study, names: Sequence[str]) -> tuple[Fault, ...]:
    """The faults of those names, or all."""
    known = {fault.name: fault for fault in study.faults}
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            raise InputError(f"Unknown issue {name!r} of study {study.name!r}. It has: {', '.join(known)}.{near}")
    return tuple(known[name] for name in names) if names else tuple(study.faults)


def run_faults(
    reference: str,
    faults: Sequence[Fault],
    folder: Path,
    *,
    baseline: str | None,
    worlds: int,
    repeats: int,
    seed: int,
    keep: str,
    jobs: int | None,
) -> tuple[FaultResult, ...]:
    """Run or go on with two campaigns per fault; baselines are shared where the circumstances are the same."""
    study = find_study(reference)
    known = [build.name for build in study.builds]
    clean = "fixed" if "fixed" in known else known[0]
    done: list[FaultResult] = []
    for fault in faults:
        before = study.find_build(baseline or fault.baseline or clean).name
        template = fault.template or "r"
        common = {"study": study_reference(reference), "seed": seed, "worlds": worlds, "repeats": repeats, "keep": keep}
        common |= {"template": template, "include": fault.include}
        plan = Plan(build=fault.build, options=fault.options, **common)  # type: ignore[arg-type]
        base = Plan(build=before, options=fault.baseline_options, **common)  # type: ignore[arg-type]
        key = hashlib.sha256(repr((before, fault.baseline_options, template, fault.include)).encode()).hexdigest()[:6]
        base_folder = folder / f"baseline-{key}"
        base_results = _campaign(base, base_folder, study, jobs, f"baseline of {fault.name}")
        results = _campaign(plan, folder / fault.name, study, jobs, fault.name)
        done.append(_judge(fault, summarise(base_results, study), summarise(results, study)))
    return tuple(done)


def _campaign(plan: Plan, folder: Path, study: Study, jobs: int | None, title: str) -> Results:
    plan = checked(plan, study)
    with campaign_progress(title) as progress:
        if (folder / PLAN).exists() and read_plan(folder)[0] == plan:
            done = resume(folder, jobs=jobs, progress=progress)
        else:
            done = run_campaign(plan, folder, jobs=jobs, progress=progress, export_worlds=False)
    if done.interrupted:
        echo("Stopped. What is done is kept: the same command goes on.", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED)
    return done.results


def _judge(fault: Fault, baseline: Summary, candidate: Summary) -> FaultResult:
    compared = compare_properties(baseline, candidate)
    if not compared:
        raise InputError(f"Issue {fault.name!r} cannot be judged: no run of both builds has a verdict.")
    best = min(compared, key=lambda one: (one.comparison.p_greater, -(one.comparison.difference or 0.0)))
    return FaultResult(
        name=fault.name,
        title=fault.title,
        nature=fault.nature,
        field_tests=fault.field_tests,
        published=fault.published,
        expected=fault.expected,
        note=fault.note,
        revealed=best.p_greater_adjusted < SIGNIFICANT,
        properties=tuple(one.property for one in compared if one.p_greater_adjusted < SIGNIFICANT),
        best_property=best.property,
        baseline_share=best.comparison.baseline.share,
        fault_share=best.comparison.candidate.share,
        p_value=best.p_greater_adjusted,
        method=best.comparison.method,
        folder=candidate.results.folder,
        baseline_folder=baseline.results.folder,
    )
