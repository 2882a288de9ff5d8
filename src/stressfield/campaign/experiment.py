"""Running an experiment: one campaign for each series, one set of workers and one progress for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from stressfield.campaign.files import LEDGER, PLAN, read_plan
from stressfield.campaign.plan import LISTED, checked
from stressfield.campaign.progress import Progress, Watch, category
from stressfield.campaign.records import Plan, Results
from stressfield.campaign.runner import (
    RUN_TIMEOUT_S,
    Campaigned,
    make_executor,
    resume,
    run_campaign,
)
from stressfield.campaign.store import load
from stressfield.errors import InputError
from stressfield.experiment import Experiment, Series
from stressfield.plugins import find_study, study_reference
from stressfield.run import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesResults:
    """A series and all that came of its runs."""

    series: Series
    results: Results

    def configuration_of(self, index: int) -> int:
        """Which configuration the world at that place in the plan was drawn for."""
        return index % len(self.series.configurations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Experimented:
    """What came of running an experiment, or going on with it."""

    study: str
    experiment: Experiment
    seed: int
    quick: bool
    series: tuple[SeriesResults, ...]
    executed: int
    """Runs of this call. Those that were there before do not count, neither here nor in ``simulated_s``."""
    simulated_s: float
    wall_s: float
    interrupted: bool


def series_plan(study: str, series: Series, *, seed: int, keep: str = "none") -> Plan:
    """The campaign of a series: its templates in turn, so that configurations advance together.

    Worlds depend on the seed, the template and the place in the list alone, so that series with the same
    configurations and maps share their worlds.
    """
    return Plan(
        study=study_reference(study),
        build=series.build,
        seed=seed,
        worlds=len(series.configurations) * series.maps,
        repeats=series.repeats,
        strategy=LISTED,
        templates=tuple(configuration.template for configuration in series.configurations),
        keep=keep,
    )


def run_experiment(
    study: str,
    name: str,
    folder: str | Path,
    *,
    seed: int = 0,
    quick: bool = False,
    keep: str = "none",
    jobs: int | None = None,
    run_timeout_s: float = RUN_TIMEOUT_S,
    in_process: bool = False,
    progress: Watch | None = None,
) -> Experimented:
    """Run every series in a folder of its own inside ``folder``. What is already there is gone on with.

    Recordings are not kept unless ``keep`` says so: metrics, tracks and verdicts of all runs are, and any run can be
    replayed.
    """
    begin, folder = perf_counter(), Path(folder)
    found = find_study(study)
    experiment = found.find_experiment(name)
    if not isinstance(experiment, Experiment):
        raise InputError(
            f"The experiment {name!r} of study {found.name!r} has no series. Wanted run_search_experiment."
        )
    listed = tuple(experiment.series(quick))
    _check_names(experiment, listed)
    plans = [checked(series_plan(study, series, seed=seed, keep=keep), found) for series in listed]
    _refuse_others(folder, listed, plans)
    finished = _finished(folder, listed, plans)
    if finished is not None:
        return Experimented(
            study=study, experiment=experiment, seed=seed, quick=quick, series=finished, executed=0,
            simulated_s=0.0, wall_s=perf_counter() - begin, interrupted=False,
        )  # fmt: skip
    total, before, counts = sum(series.runs for series in listed), 0, Counter[str]()
    done: list[SeriesResults] = []
    executed, simulated_s, interrupted = 0, 0.0, False
    executor = make_executor(study_reference(study), jobs=jobs, run_timeout_s=run_timeout_s, in_process=in_process)
    try:
        for series, plan in zip(listed, plans, strict=True):
            watch = _shifted(progress, before, total, counts, executed)
            place = folder / series.name
            if (place / PLAN).exists():
                one: Campaigned = resume(place, executor=executor, progress=watch)
            else:
                one = run_campaign(plan, place, executor=executor, progress=watch, export_worlds=False)
            executed += one.executed
            simulated_s += one.simulated_s
            before += series.runs
            counts = counts + Counter(category(judged.run) for judged in one.results.runs)
            done.append(SeriesResults(series=series, results=one.results))
            if one.interrupted:
                interrupted = True
                break
    finally:
        executor.close()
    return Experimented(
        study=study,
        experiment=experiment,
        seed=seed,
        quick=quick,
        series=tuple(done),
        executed=executed,
        simulated_s=simulated_s,
        wall_s=perf_counter() - begin,
        interrupted=interrupted,
    )


def _finished(folder: Path, listed: Sequence[Series], plans: Sequence[Plan]) -> tuple[SeriesResults, ...] | None:
    """All series, if nothing is left to run: they can be looked at whatever has become of the study's source."""
    found = []
    for series, plan in zip(listed, plans, strict=True):
        if not (folder / series.name / LEDGER).exists():
            return None
        results = load(folder / series.name)
        settled = sum(judged.run.status is not Status.INVALID for judged in results.runs)
        if settled < plan.worlds * plan.repeats:
            return None
        found.append(SeriesResults(series=series, results=results))
    return tuple(found)


def _check_names(experiment: Experiment, listed: Sequence[Series]) -> None:
    names = [series.name for series in listed]
    if not names or len(set(names)) < len(names):
        raise InputError(
            f"The experiment {experiment.name!r} lists the series {names}. Wanted some, named differently."
        )
    for series in listed:
        if series.levels_from is not None and series.levels_from not in names:
            raise InputError(
                f"The series {series.name!r} takes its levels from {series.levels_from!r}, which is not in the "
                f"experiment {experiment.name!r}. It has: {', '.join(names)}."
            )


def _refuse_others(folder: Path, listed: Sequence[Series], plans: Sequence[Plan]) -> None:
    """Before anything runs: what is in the folder must be of this experiment."""
    if (folder / PLAN).exists():
        raise InputError(f"The folder {str(folder)!r} holds a campaign, not an experiment. Choose another folder.")
    for series, plan in zip(listed, plans, strict=True):
        if (folder / series.name / PLAN).exists():
            before, _ = read_plan(folder / series.name)
            if before != plan:
                raise InputError(
                    f"The folder {str(folder)!r} holds the series {series.name!r} of another experiment (other seed, "
                    "size or configurations). Choose another folder."
                )


def _shifted(progress: Watch | None, before: int, total: int, counts: Counter[str], executed: int) -> Watch | None:
    """The progress of one series as that of the whole experiment."""
    if progress is None:
        return None
    watch = progress

    def show(one: Progress) -> None:
        already = before - executed + one.before
        watch(Progress(before + one.done, total, max(0, already), counts + one.counts))

    return show
