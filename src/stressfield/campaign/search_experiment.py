"""Running a search experiment: one campaign for each strategy and seed, one set of workers for all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from stressfield.campaign.files import PLAN, read_plan
from stressfield.campaign.fuzzing import with_budget
from stressfield.campaign.plan import checked
from stressfield.campaign.progress import Progress, Watch, category
from stressfield.campaign.records import Fuzzing, Plan, Results
from stressfield.campaign.runner import RUN_TIMEOUT_S, Campaigned, make_executor, resume, run_campaign
from stressfield.errors import InputError
from stressfield.experiment import SearchExperiment
from stressfield.fuzz.space import TestingSpace
from stressfield.plugins import find_study, study_reference
from stressfield.study import Study
from stressfield.workers import Executor


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyResults:
    """One campaign of a search experiment."""

    strategy: str
    seed: int
    results: Results


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchesExperimented:
    """What came of running a search experiment, or going on with it."""

    study: str
    experiment: SearchExperiment
    seed: int
    quick: bool
    campaigns: tuple[StrategyResults, ...]
    executed: int
    """Runs of this call. Those that were there before do not count, neither here nor in ``simulated_s``."""
    simulated_s: float
    wall_s: float
    interrupted: bool
    outdated: tuple[str, ...] = ()
    """Folders of campaigns that were finished before the study or stressfield changed."""


@dataclass(frozen=True, slots=True)
class _Part:
    strategy: str
    seed: int
    plan: Plan
    space: TestingSpace

    @property
    def folder(self) -> str:
        return f"{self.strategy}-{self.seed}"


def continue_campaign(
    plan: Plan,
    folder: str | Path,
    *,
    jobs: int | None = None,
    run_timeout_s: float = RUN_TIMEOUT_S,
    in_process: bool = False,
    export_worlds: bool | None = None,
    progress: Watch | None = None,
    executor: Executor | None = None,
    space: TestingSpace | None = None,
    reopen: bool = False,
) -> Campaigned:
    """Run a campaign, or go on with it if the folder has it already. Another campaign there is an InputError.

    ``reopen`` is that of :func:`resume`.
    """
    folder = Path(folder)
    study = find_study(plan.study)
    wanted = checked(replace(plan, study=study_reference(plan.study)), study, space)
    if not (folder / PLAN).exists():
        return run_campaign(
            plan, folder, jobs=jobs, run_timeout_s=run_timeout_s, in_process=in_process, export_worlds=export_worlds,
            progress=progress, executor=executor, space=space,
        )  # fmt: skip
    if read_plan(folder)[0] != wanted:
        raise InputError(
            f"The folder {str(folder)!r} holds another campaign (other seed, size or space). Choose another folder."
        )
    return resume(
        folder, jobs=jobs, run_timeout_s=run_timeout_s, in_process=in_process, export_worlds=export_worlds,
        progress=progress, executor=executor, reopen=reopen,
    )  # fmt: skip


def run_search_experiment(
    study: str,
    name: str,
    folder: str | Path,
    *,
    seed: int = 0,
    quick: bool = False,
    evaluations: int | None = None,
    seeds: int | None = None,
    keep: str = "front",
    sim: str = "",
    jobs: int | None = None,
    run_timeout_s: float = RUN_TIMEOUT_S,
    in_process: bool = False,
    progress: Watch | None = None,
) -> SearchesExperimented:
    """Every strategy with every seed, each in a folder of its own inside ``folder``. What is there is gone on with.

    ``evaluations`` and ``seeds`` ask for another number of tests in each campaign, and for the first so many seeds.
    """
    begin, folder = perf_counter(), Path(folder)
    found = find_study(study)
    experiment = found.find_experiment(name)
    if not isinstance(experiment, SearchExperiment):
        raise InputError(f"The experiment {name!r} of study {found.name!r} is no search. Wanted a SearchExperiment.")
    experiment = _resized(experiment, evaluations=evaluations, seeds=seeds, quick=quick)
    if (folder / PLAN).exists():
        raise InputError(f"The folder {str(folder)!r} holds a campaign, not an experiment. Choose another folder.")
    parts = _parts(study, found, experiment, seed=seed, quick=quick, keep=keep, sim=sim)
    total = sum(part.plan.worlds * part.plan.repeats for part in parts)
    before, counts = 0, Counter[str]()
    done: list[StrategyResults] = []
    outdated: list[str] = []
    executed, simulated_s, interrupted = 0, 0.0, False
    executor = make_executor(study_reference(study), jobs=jobs, run_timeout_s=run_timeout_s, in_process=in_process)
    try:
        for part in parts:
            one = continue_campaign(
                part.plan, folder / part.folder, space=part.space, executor=executor, export_worlds=False, reopen=True,
                progress=_shifted(progress, part.folder, before, total, counts, executed),
            )  # fmt: skip
            executed, simulated_s = executed + one.executed, simulated_s + one.simulated_s
            before += part.plan.worlds * part.plan.repeats
            counts = counts + Counter(category(judged.run) for judged in one.results.runs)
            done.append(StrategyResults(strategy=part.strategy, seed=part.seed, results=one.results))
            outdated += [part.folder] if one.outdated else []
            if one.interrupted:
                interrupted = True
                break
    finally:
        executor.close()
    return SearchesExperimented(
        study=study,
        experiment=experiment,
        seed=seed,
        quick=quick,
        campaigns=tuple(done),
        executed=executed,
        simulated_s=simulated_s,
        wall_s=perf_counter() - begin,
        interrupted=interrupted,
        outdated=tuple(outdated),
    )


def _resized(
    experiment: SearchExperiment, *, evaluations: int | None, seeds: int | None, quick: bool
) -> SearchExperiment:
    if quick and (evaluations is not None or seeds is not None):
        raise InputError("A quick experiment has its own size. Wanted either --quick, or --evaluations and --seeds.")
    if seeds is not None and not 1 <= seeds <= len(experiment.seeds):
        raise InputError(f"The experiment {experiment.name!r} has {len(experiment.seeds)} seeds, got {seeds}.")
    return replace(
        experiment,
        evaluations=experiment.evaluations if evaluations is None else evaluations,
        seeds=experiment.seeds[:seeds],
    )


def _parts(
    study: str, found: Study, experiment: SearchExperiment, *, seed: int, quick: bool, keep: str, sim: str
) -> list[_Part]:
    """Seeds in turn, so that strategies advance together; everything is checked before anything runs."""
    own = found.testing_space() if experiment.space is None else experiment.space()
    seeds = experiment.seeds[: experiment.quick_seeds] if quick else experiment.seeds
    parts = []
    for one in seeds:
        for strategy in experiment.strategies:
            space = with_budget(
                own,
                experiment.campaign,
                strategy=strategy,
                evaluations=experiment.quick_evaluations if quick else experiment.evaluations,
                population=experiment.population if strategy == "nsga2" else None,
            )
            plan = Plan(
                study=study_reference(study),
                build=experiment.build or found.builds[0].name,
                seed=seed + one,
                worlds=0,
                repeats=experiment.repeats,
                template=found.template if experiment.template is None else experiment.template,
                keep=keep,
                simulator=sim,
                fuzzing=Fuzzing(campaign=experiment.campaign, world_seed=seed),
            )
            parts.append(_Part(strategy, seed + one, checked(plan, found, space), space))
    return parts


def _shifted(
    progress: Watch | None, name: str, before: int, total: int, counts: Counter[str], executed: int
) -> Watch | None:
    """The progress of one campaign as that of the whole experiment."""
    if progress is None:
        return None
    watch = progress

    def show(one: Progress) -> None:
        already = max(0, before - executed + one.before)
        watch(Progress(before + one.done, total, already, counts + one.counts, f"{name} {one.note}"))

    return show
