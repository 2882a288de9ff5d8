"""Studies as pytest sees them: a file of runs, each a test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from stressfield.campaign.plan import PlannedRun
from stressfield.errors import InputError, StressfieldError, did_you_mean
from stressfield.run import Status
from stressfield.testing._stash import JUDGED, RUNS, keep_run, runner_of
from stressfield.testing.sampled_run import RunFailedError, RunInconclusiveError, RunInvalidError, SampledRun
from stressfield.testing.selection import Runner, Sample, Wanted, name_of, sample

_SETTINGS = ("runs", "repeats", "seed", "build", "template")


class StudyFile(pytest.File):
    """A Python file with a study: each of its runs is a test."""

    def collect(self) -> Iterable[pytest.Item]:
        """The runs."""
        try:
            chosen = sample(_wanted(str(self.path), {}, self.config), _out(self.config))
        except InputError as error:
            raise self.CollectError(str(error)) from None
        for planned in chosen.runs:
            yield RunItem.from_parent(self, name=name_of(planned), sample=chosen, planned=planned)


class RunItem(pytest.Item):
    """One run. It fails where a property is violated; trouble of the rig is an error, not a failure.

    One that is inconclusive is skipped. Where all of a study are, the session fails: see ``pytest_plugin``.
    """

    def __init__(self, *, sample: Sample, planned: PlannedRun, **rest: Any) -> None:
        super().__init__(**rest)
        self._sample = sample
        self._planned = planned
        self._run: SampledRun | None = None

    def setup(self) -> None:
        """Do the run."""
        self._run = do_run(runner_of(self.config), self._sample, self._planned)
        keep_run(self, self._run)

    def runtest(self) -> None:
        """See what the oracle says."""
        assert self._run is not None
        self.stash[JUDGED] = str(self.path), True
        try:
            self._run.check()
        except RunInconclusiveError as error:
            self.stash[JUDGED] = str(self.path), False
            pytest.skip(str(error))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What failed, in which world, and how to see it again; no traceback."""
        if isinstance(excinfo.value, RunFailedError | RunInvalidError | StressfieldError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test is."""
        return self.path, None, f"{self.path.stem}[{self.name}]"


def do_run(runner: Runner, chosen: Sample, planned: PlannedRun) -> SampledRun:
    """Do it; an invalid run raises."""
    run = runner.run(chosen, planned)
    if run.status is Status.INVALID:
        run.check()
    return run


def marked_sample(mark: pytest.Mark, folder: Path, config: pytest.Config) -> Sample:
    """The runs that a marked test asks for. A file is looked for beside the test."""
    if len(mark.args) != 1 or not isinstance(mark.args[0], str):
        raise pytest.Collector.CollectError(
            f"@pytest.mark.stressfield wants one study, a name or a file; got {mark.args!r}."
        )
    for name in mark.kwargs:
        if name not in _SETTINGS:
            raise pytest.Collector.CollectError(
                f"@pytest.mark.stressfield has no setting {name!r}. It has: {', '.join(_SETTINGS)}."
                + did_you_mean(name, _SETTINGS)
            )
    study = mark.args[0]
    if study.endswith(".py") or "/" in study:
        study = str(folder / study)
    try:
        return sample(_wanted(study, mark.kwargs, config), _out(config))
    except InputError as error:
        raise pytest.Collector.CollectError(str(error)) from None


def names(chosen: Sample) -> list[str]:
    """The names of a sample's tests."""
    return [name_of(planned) for planned in chosen.runs]


def _wanted(study: str, settings: Mapping[str, Any], config: pytest.Config) -> Wanted:
    """What the command line says goes first, then the mark, then the defaults."""

    def setting(name: str, otherwise: Any) -> Any:
        asked = config.getoption(f"--stressfield-{name}")
        return settings.get(name, otherwise) if asked is None else asked

    runs, repeats = setting("runs", RUNS), setting("repeats", 1)
    for name, number in (("runs", runs), ("repeats", repeats)):
        if not isinstance(number, int) or number < 1:
            raise InputError(f"stressfield: {name} is {number!r}. Wanted a whole number from 1 on.")
    return Wanted(
        study=study,
        runs=runs,
        repeats=repeats,
        seed=setting("seed", 0),
        build=setting("build", None),
        template=settings.get("template"),
    )


def _out(config: pytest.Config) -> Path:
    """Relative to where pytest was called, so that the replay command can be pasted there."""
    return Path(config.getoption("--stressfield-out"))
