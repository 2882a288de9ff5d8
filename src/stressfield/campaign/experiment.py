"""Running an experiment: named campaigns in one folder, one set of workers and one progress for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Protocol, Self

from stressfield._files.disk import make_folder, write_file
from stressfield.campaign.destination import numbered, occupied, source_changes
from stressfield.campaign.folder import PLAN, read_plan
from stressfield.campaign.ledger import LEDGER
from stressfield.campaign.loop import nothing_missing
from stressfield.campaign.plan import RUN_TIMEOUT_S, Plan, Prepared, prepare
from stressfield.campaign.results import Progress, Results, Watch, category, load
from stressfield.campaign.runner import make_executor, resume, run_campaign
from stressfield.errors import InputError
from stressfield.fuzz.space import TestingSpace
from stressfield.oracle import Profile
from stressfield.plugins import find_study, study_reference
from stressfield.provenance import difference
from stressfield.workers import Executor


@dataclass(frozen=True, slots=True)
class NamedCampaign:
    """One campaign of an experiment. Its name is that of its folder; ``space`` is what a search is done on."""

    name: str
    plan: Plan
    space: TestingSpace | None = None


class Display(Protocol):
    """What the person who asked for an experiment sees while it runs."""

    def say(self, line: str, *, warning: bool = False) -> None: ...
    def campaigns(self, title: str) -> AbstractContextManager[Watch | None]: ...
    def steps(self, title: str) -> AbstractContextManager[Callable[[int, int], None]]: ...


class Silence:
    """Shows nothing."""

    def say(self, line: str, *, warning: bool = False) -> None:
        del line, warning

    @contextmanager
    def campaigns(self, title: str) -> Iterator[Watch | None]:
        del title
        yield None

    @contextmanager
    def steps(self, title: str) -> Iterator[Callable[[int, int], None]]:
        del title
        yield lambda *_: None


class ExperimentContext:
    """What an experiment is given: how much to do, where, and the means to do it.

    It is a context manager: its workers, begun when first needed, end with it.
    """

    def __init__(
        self,
        study: str,
        folder: str | Path,
        *,
        name: str = "",
        seed: int = 0,
        quick: bool = False,
        report: bool = True,
        keep: str | None = None,
        sim: str = "",
        evaluations: int | None = None,
        seeds: int | None = None,
        only: Sequence[str] = (),
        jobs: int | None = None,
        profile: str = Profile.STRICT.value,
        run_timeout_s: float = RUN_TIMEOUT_S,
        in_process: bool = False,
        overwrite: bool = False,
        display: Display | None = None,
    ) -> None:
        self.study = study_reference(study)
        """The study as ``find_study`` and plans know it."""
        self.folder = Path(folder)
        """Where its results belong."""
        self.name = name
        self.seed = seed
        self.quick = quick
        """Whether to do little, to see that it works."""
        self.report = report
        """Whether a page is wanted."""
        self.keep = keep
        """Which recordings to keep; None leaves that to the experiment."""
        self.sim = sim
        self.evaluations = evaluations
        self.seeds = seeds
        self.only = tuple(only)
        """Names of the parts to do; empty for all."""
        self.profile = profile
        """Which properties make the verdicts of all its campaigns."""
        self.written: list[Path] = []
        """The files that a person should look at."""
        self.data: object = None
        """What ``--json`` prints."""
        self.executed = 0
        """Runs done here. Those that were there before do not count, neither here nor in ``simulated_s``."""
        self.simulated_s = 0.0
        self.display: Display = Silence() if display is None else display
        self.in_process = in_process
        self.overwrite = overwrite
        """Whether campaigns that are there, and would not come out the same now, are replaced."""
        self._jobs, self._run_timeout_s = jobs, run_timeout_s
        self._executor: Executor | None = None
        self._begin_s = perf_counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._executor is not None:
            self._executor.close()
            self._executor = None

    @property
    def command(self) -> str:
        """What does the same again."""
        words = [f"stressfield experiment {find_study(self.study).name} {self.name} --seed {self.seed}"]
        words += ["--quick"] if self.quick else []
        if self.profile != find_study(self.study).find_experiment(self.name).profile:
            words.append(f"--profile {self.profile}")
        words += [] if self.evaluations is None else [f"--evaluations {self.evaluations}"]
        words += [] if self.seeds is None else [f"--seeds {self.seeds}"]
        return " ".join(words)

    def say(self, line: str) -> None:
        """Print a line for the person who asked."""
        self.display.say(line)

    def write(self, name: str, content: str) -> Path:
        """Write a file into the folder, whole or not at all."""
        make_folder(self.folder)
        path = self.folder / name
        write_file(path, content.encode())
        self.written.append(path)
        return path

    def write_files(self, contents: Mapping[str, str]) -> None:
        """Write several files: a page, for instance, with :func:`stressfield.report.page_files`."""
        for name, content in contents.items():
            self.write(name, content)

    def run(self, campaigns: Sequence[NamedCampaign]) -> tuple[Results, ...]:
        """Run these campaigns, each in the folder of its name, and give their results in the same order.

        What is there already is continued; what is complete is taken as it is. Everything is checked before anything
        runs. Ctrl-C keeps what is done and raises KeyboardInterrupt.
        """
        named = self._checked(campaigns)
        total = sum(prepared.plan.worlds * prepared.plan.repeats for _, prepared in named)
        before, counts = 0, Counter[str]()
        found: list[Results] = []
        with self.display.campaigns(f"{find_study(self.study).name} {self.name}".strip()) as watch:
            for name, prepared in named:
                progress = _shifted(watch, name, before, total, counts, self.executed)
                results = self._continued(name, prepared, progress)
                before += prepared.plan.worlds * prepared.plan.repeats
                counts = counts + Counter(category(judged.run) for judged in results.runs)
                found.append(results)
        return tuple(found)

    def say_speed(self) -> None:
        """Say how many runs were done and how fast, if any were."""
        if self.executed:
            wall_s = perf_counter() - self._begin_s
            speed = self.simulated_s / max(1e-9, wall_s)
            self.say(f" {self.executed} runs in {wall_s:.0f} s, {speed:.0f} simulated seconds a second")

    def _checked(self, campaigns: Sequence[NamedCampaign]) -> list[tuple[str, Prepared]]:
        """The campaigns, checked, by name; what is in the folder must be of this experiment."""
        names = [campaign.name for campaign in campaigns]
        if not names or len(set(names)) < len(names):
            raise InputError(f"The experiment {self.name!r} has the campaigns {names}. Wanted some, named differently.")
        if (self.folder / PLAN).exists():
            raise InputError(
                f"The folder {str(self.folder)!r} holds a campaign, not an experiment. Choose another folder."
            )
        named = [
            (campaign.name, prepare(replace(campaign.plan, profile=self.profile), space=campaign.space))
            for campaign in campaigns
        ]
        for name, prepared in named:
            place = self.folder / name
            if not self.overwrite and (place / PLAN).exists() and read_plan(place)[0] != prepared.plan:
                raise InputError(
                    f"The folder {str(self.folder)!r} holds the campaign {name!r} of another experiment "
                    "(other seed, size, configurations, profile or space). Replace it with --overwrite, or choose "
                    f"another folder, such as --out {numbered(self.folder)}"
                )
        return named

    def _continued(self, name: str, prepared: Prepared, progress: Watch | None) -> Results:
        place = self.folder / name
        there = occupied(place, prepared.plan)
        replaced = self.overwrite and there is not None and not there.same
        if (place / LEDGER).exists() and not replaced:
            results = load(place)
            if nothing_missing(results):
                # Nothing is run, so results of another version are not mixed with new ones: they can be looked at.
                self._tell_outdated(name)
                return results
        if self._executor is None:
            self._executor = make_executor(
                self.study, jobs=self._jobs, run_timeout_s=self._run_timeout_s, in_process=self.in_process
            )
        if there is not None and there.campaign and not replaced:
            self._refuse_changed(name)
            done = resume(place, executor=self._executor, progress=progress, export_worlds=False)
        else:
            done = run_campaign(
                prepared, place, run_timeout_s=self._run_timeout_s, executor=self._executor, progress=progress,
                export_worlds=False, overwrite=self.overwrite,
            )  # fmt: skip
        self.executed += done.executed
        self.simulated_s += done.simulated_s
        if done.interrupted:
            raise KeyboardInterrupt
        return done.results

    def _changed(self, name: str) -> str:
        place = self.folder / name
        plan, began_with = read_plan(place)
        return difference(began_with, plan.versions(), files=source_changes(place, plan))

    def _refuse_changed(self, name: str) -> None:
        if changed := self._changed(name):
            raise InputError(
                f"Since the campaign {name!r} of the experiment was begun, this has changed: {changed}. Old and new "
                "results must not be mixed. Go back to what it was, run the experiment again with --overwrite, or in "
                f"another folder, such as --out {numbered(self.folder)}"
            )

    def _tell_outdated(self, name: str) -> None:
        if changed := self._changed(name):
            self.display.say(
                f" {name} was finished before this changed: {changed}. To run it again, say --overwrite, or choose "
                "another folder.",
                warning=True,
            )


def _shifted(
    progress: Watch | None, name: str, before: int, total: int, counts: Counter[str], executed: int
) -> Watch | None:
    """The progress of one campaign as that of the whole experiment."""
    if progress is None:
        return None
    watch = progress

    def show(now: Progress) -> None:
        already = max(0, before - executed + now.before)
        watch(Progress(before + now.done, total, already, counts + now.counts, f"{name} {now.note}".strip()))

    return show
