"""Which runs a test session makes of a study, and doing them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from stressfield._files.disk import make_folder
from stressfield.campaign.plan import Plan, PlannedRun, prepare
from stressfield.campaign.runner import make_executor
from stressfield.plugins import find_study, study_reference
from stressfield.testing.sampled_run import SampledRun
from stressfield.workers import Executor

TRACES = "traces"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How many runs of a study, and of what. None leaves it to the study."""

    study: str
    runs: int
    repeats: int
    seed: int
    build: str | None = None
    template: str | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of one study in this session: a campaign whose runs are tests."""

    plan: Plan
    runs: tuple[PlannedRun, ...]
    folder: Path


def sample(wanted: Wanted, out: Path) -> Sample:
    """The runs that are wanted: one world for each ``repeats`` of them. Always the same for the same wish."""
    study = find_study(wanted.study)
    prepared = prepare(
        Plan(
            study=study_reference(wanted.study),
            build=wanted.build or study.builds[0].name,
            seed=wanted.seed,
            worlds=-(-wanted.runs // wanted.repeats),
            repeats=wanted.repeats,
            template=study.template if wanted.template is None else wanted.template,
            keep="all",
        )
    )
    plan = prepared.plan
    runs = tuple(plan.runs_of(prepared.ask()))
    name = f"{study.name}-{plan.build}-{plan.seed}"
    if plan.template != study.template:
        name += f"-{sha256(plan.template.encode()).hexdigest()[:6]}"
    folder = out / name
    return Sample(plan, runs[: wanted.runs], folder)


def name_of(planned: PlannedRun) -> str:
    """The name of a run's test: the number of its world and of the repeat."""
    return f"world{planned.scenario.index}-run{planned.repeat}"


class Runner:
    """Does runs for tests, in a worker process of its own so that a crash costs one test and no session."""

    def __init__(self, *, in_process: bool, run_timeout_s: float) -> None:
        self._in_process = in_process
        self._run_timeout_s = run_timeout_s
        self._executors: dict[str, Executor] = {}

    def run(self, chosen: Sample, planned: PlannedRun) -> SampledRun:
        """Do one run. Its trace is kept in the sample's folder."""
        make_folder(chosen.folder)
        make_folder(chosen.folder / TRACES, below=chosen.folder)
        executor = self._executor(chosen.plan.study)
        batches = list(executor.run(replace(chosen.plan, keep="all").tasks([planned], chosen.folder / TRACES)))
        finished = batches[0][0]
        finished.check()
        return SampledRun(chosen.plan, planned, finished.judged, chosen.folder)

    def close(self) -> None:
        """End the workers."""
        for executor in self._executors.values():
            executor.close()
        self._executors.clear()

    def _executor(self, study: str) -> Executor:
        if study not in self._executors:
            self.close()  # one study at a time: workers are born with its modules
            self._executors[study] = make_executor(
                study, jobs=1, run_timeout_s=self._run_timeout_s, in_process=self._in_process
            )
        return self._executors[study]
