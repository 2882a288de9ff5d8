"""Shrinking a finding of a campaign: its runs are done by the campaign's workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from stressfield._files.disk import make_folder
from stressfield.campaign.case import Case, Shrunk, shrink
from stressfield.campaign.destination import Occupied, clear_campaign, occupied
from stressfield.campaign.folder import TRACES, locked, write_plan
from stressfield.campaign.ledger import Ledger
from stressfield.campaign.plan import Plan, PlannedRun, plain_values
from stressfield.campaign.results import Results, changed_since, load, study_of
from stressfield.campaign.runner import make_executor
from stressfield.errors import InputError
from stressfield.run import JudgedRun, ScenarioRecord, Status
from stressfield.scenario import scenario_id
from stressfield.search import ListedWorlds
from stressfield.search.recordings import refuse_again
from stressfield.seeds import generator
from stressfield.study import Study
from stressfield.workers import Executor

FRESH = 100_000
"""Repeats from here on were not used while shrinking."""

MOST_NAMED = 20
"""Worlds that an error lists."""


class Failure(Protocol):
    """What is to be made small: a finding of the analysis, or anything that says as much."""

    @property
    def id(self) -> str:
        """What people call it."""

    @property
    def subcase(self) -> str | None:
        """In which of its ways the property fails."""

    @property
    def run_ids(self) -> tuple[str, ...]:
        """The runs that show it."""

    @property
    def property(self) -> str:
        """The property that fails, or ``crash`` or ``hang``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShrunkFinding:
    """A finding, made as small as it gets. ``confirmed`` of ``confirmations`` runs with other seeds show it, too."""

    finding: Failure
    shrunk: Shrunk
    runs: int
    confirmed: int
    confirmations: int
    results: Results
    """The campaign of the smallest case alone, ready to be replayed and reported."""


def shrink_finding(
    results: Results,
    finding: Failure,
    out: Path,
    *,
    world: int | None = None,
    repeats: int = 3,
    needed: int = 2,
    confirmations: int = 5,
    most_tests: int = 200,
    jobs: int | None = None,
    run_timeout_s: float | None = None,
    in_process: bool = False,
    overwrite: bool = False,
    watch: Callable[[int, Case], None] | None = None,
) -> ShrunkFinding:
    """The smallest world and disturbances in which the same property fails with the same sub-case.

    It begins with the world of that number, or with the one that shows the finding most. A case counts as failing if it
    does in ``needed`` of ``repeats`` runs, twice. The smallest becomes a campaign in ``out``; ``overwrite`` replaces
    one that is there.
    """
    _check_counts(repeats, needed, confirmations)
    if results.plan.recorded is not None:
        refuse_again()
    study = study_of(results)
    record = _scenario_of(results, finding, world)
    genotype = study.model.create_from_descriptor(record.descriptor, generator(record.seed, "genotype"))
    start = Case(genotype, record.disturbances)
    small = replace(
        results.plan, strategy=ListedWorlds(templates=(record.descriptor,)), template="r", worlds=1,
        repeats=confirmations, keep="all",
    )  # fmt: skip
    if run_timeout_s is not None:
        small = replace(small, run_timeout_s=run_timeout_s)
    if (there := occupied(out, small)) is not None and not (overwrite and there.campaign):
        what = f"The folder {str(out)!r} already holds a campaign." if there.campaign else there.what
        Occupied(out, what, campaign=there.campaign).refuse()
    executor = make_executor(results.plan.study, jobs=jobs, run_timeout_s=small.run_timeout_s, in_process=in_process)
    try:
        where = "the world that shows it most" if world is None else f"world {world}"
        trial = _Trial(results.plan, study, record, finding, executor, repeats, needed, where)
        trial.check_start(start, changed_since(results))
        shrunk = shrink(start, trial.fails, most_tests=most_tests, run_s=trial.longest_s, watch=watch)
        smallest = trial.record(shrunk.smallest)
        plan = replace(
            small, strategy=ListedWorlds(templates=(smallest.descriptor,)),
            disturbances=smallest.disturbances, variables=smallest.variables,
        )  # fmt: skip
        smallest = replace(smallest, parameters=plain_values(shrunk.smallest.genotype))
        judged = _write_campaign(plan, smallest, out, executor, overwrite=overwrite)
    finally:
        executor.close()
    return ShrunkFinding(
        finding=finding,
        shrunk=shrunk,
        runs=trial.runs,
        confirmed=sum(shows(run, finding) for run in judged),
        confirmations=confirmations,
        results=load(out),
    )


def _check_counts(repeats: int, needed: int, confirmations: int) -> None:
    if not 1 <= needed <= repeats:
        raise InputError(f"A case counts if {needed} of {repeats} repeats fail. Wanted 1 <= needed <= repeats.")
    if confirmations < 1:
        raise InputError(f"At least one run must confirm the result, got {confirmations}.")


def shows(judged: JudgedRun, finding: Failure) -> bool:
    """Whether a run fails the finding's property with its sub-case, or crashes or hangs as the finding does."""
    return any(
        failure.property == finding.property and failure.subcase == finding.subcase for failure in judged.failures
    )


@dataclass(slots=True)
class _Trial:
    """Runs cases and counts in how many repeats the finding shows."""

    plan: Plan
    study: Study
    original: ScenarioRecord
    finding: Failure
    executor: Executor
    repeats: int
    needed: int
    where: str
    runs: int = 0
    longest_s: float = 0.0

    def check_start(self, start: Case, changed: str) -> None:
        """InputError if the finding does not show often enough in the case to begin with."""
        shown = self.counts([start])[0]
        if shown < self.needed and changed:
            raise InputError(
                f"{self.finding.id} shows in {shown} of {self.repeats} repeats of {self.where}, wanted "
                f"{self.needed}. The study has changed since the campaign was run ({changed}): it may be mended. "
                "Go back to what it was, or run a new campaign and shrink a finding of that."
            )
        if shown < self.needed:
            raise InputError(
                f"{self.finding.id} shows in {shown} of {self.repeats} repeats of {self.where}, wanted "
                f"{self.needed}. Ask for less with --needed 1, or give it more chances with --repeats."
            )

    def fails(self, cases: Sequence[Case]) -> list[bool]:
        """The first of them that counts as failing, twice: a small case that fails by luck would be a poor answer."""
        answers = [False] * len(cases)
        for place, count in enumerate(self.counts(cases)):
            if count >= self.needed and self.counts([cases[place]], first=self.repeats)[0] >= self.needed:
                answers[place] = True
                break
        return answers

    def counts(self, cases: Sequence[Case], *, first: int = 0) -> list[int]:
        """In how many repeats, beginning with number ``first``, each of them shows the finding."""
        planned: list[PlannedRun] = []
        for case in cases:
            record = self.record(case)
            planned += [self.plan.run_of(record, first + repeat) for repeat in range(self.repeats)]
        plan = replace(self.plan, keep="none")
        shown: dict[str, int] = {}
        with TemporaryDirectory(prefix="stressfield-shrink-") as folder:
            for batch in self.executor.run(plan.tasks(planned, Path(folder))):
                for finished in batch:
                    run = finished.judged.run
                    self.longest_s = max(self.longest_s, run.simulated_s)
                    shown[run.scenario_id] = shown.get(run.scenario_id, 0) + shows(finished.judged, self.finding)
        self.runs += len(planned)
        return [shown.get(self.record(case).id, 0) for case in cases]

    def record(self, case: Case) -> ScenarioRecord:
        """The case as a scenario: the seed of the original, so that only what is changed changes."""
        variables = self.original.variables if case.disturbances else ()
        name = scenario_id(
            self.study.name, case.descriptor, self.original.seed, self.plan.options, case.disturbances, variables,
            limit_s=self.plan.limit_s,
        )  # fmt: skip
        return ScenarioRecord(
            id=name, index=0, descriptor=case.descriptor, seed=self.original.seed, disturbances=case.disturbances,
            variables=variables,
        )  # fmt: skip


def _scenario_of(results: Results, finding: Failure, world: int | None) -> ScenarioRecord:
    """Where to begin: the world that shows the finding in the largest share of its repeats, the shortest of these."""
    runs: dict[str, list[bool]] = {}
    for judged in results.runs:
        runs.setdefault(judged.run.scenario_id, []).append(judged.run.id in finding.run_ids)
    showing = [scenario for scenario in results.scenarios if any(runs.get(scenario.id, ()))]
    if world is not None:
        chosen = [scenario for scenario in showing if scenario.index == world]
        if not chosen:
            numbers = ", ".join(str(scenario.index) for scenario in showing[:MOST_NAMED])
            more = f" and {len(showing) - MOST_NAMED} more" if len(showing) > MOST_NAMED else ""
            raise InputError(f"{finding.id} does not show in world {world}. It does in {numbers}{more}.")
        return chosen[0]
    return min(
        showing,
        key=lambda found: (-sum(runs[found.id]) / len(runs[found.id]), len(found.descriptor), found.index),
    )


def _write_campaign(
    plan: Plan, scenario: ScenarioRecord, out: Path, executor: Executor, *, overwrite: bool
) -> list[JudgedRun]:
    """A campaign of one scenario, run with seeds that were not used before."""
    make_folder(out)
    judged: list[JudgedRun] = []
    with locked(out):
        if overwrite:
            clear_campaign(out)
        make_folder(out / TRACES, below=out)
        write_plan(out, plan, plan.versions(), plan.study_record())
        planned = [plan.run_of(scenario, FRESH + repeat) for repeat in range(plan.repeats)]
        with Ledger(out) as ledger:
            ledger.add(scenarios=[scenario])
            for batch in executor.run(plan.tasks(planned, out / TRACES)):
                for finished in batch:
                    finished.check()
                ledger.add(runs=[finished.judged for finished in batch])
                judged += [finished.judged for finished in batch]
    return [run for run in judged if run.run.status is not Status.INVALID]
