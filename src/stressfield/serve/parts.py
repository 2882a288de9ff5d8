"""What every way in speaks of: the HTTP API and the tools of an agent ask and begin the same things through it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stressfield.analysis import compare
from stressfield.analysis.comparability import refusal
from stressfield.errors import InputError, RigError, StressfieldError
from stressfield.fuzz import TestingSpace, count, explain, space_from_yaml, space_to_yaml
from stressfield.fuzz.size import written
from stressfield.plugins import find_study
from stressfield.report.comparison import comparison_text
from stressfield.serve.answers import (
    Campaign,
    CampaignSummary,
    ComparisonAnswer,
    EndpointAnswer,
    JobAnswer,
    SpaceAnswer,
    StudyAnswer,
    finite,
)
from stressfield.serve.catalogue import Catalogue
from stressfield.serve.jobs import Jobs, plain_output
from stressfield.serve.live_runs import LiveRuns
from stressfield.serve.snapshot import Snapshot, Snapshots
from stressfield.serve.watch import CampaignWatch

SPACE_MAX = 50_000
"""Characters of a testing space that somebody sends."""
CHECK_S = 120.0
"""How long a robot may take to start, to see whether it has what a testing space disturbs."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The campaigns of a folder, and what may be begun in it."""

    catalogue: Catalogue
    watch: CampaignWatch
    jobs: Jobs
    snapshots: Snapshots
    live: LiveRuns
    workers: int | None = None
    """Worker processes of each campaign that is begun; None: one per core."""

    @classmethod
    def of(
        cls, root: str | Path, *, studies: Sequence[str] = (), at_once: int = 1, workers: int | None = None
    ) -> Parts:
        """Those of a folder. ``studies`` may be begun, ``at_once`` at most at a time; without any it only reads."""
        catalogue = Catalogue(Path(root))
        jobs = Jobs(studies, most=at_once)
        watch = CampaignWatch(catalogue, ours=lambda entry: jobs.of(entry.folder) is not None, may_run=jobs.may_run)
        jobs.tell = watch.tell_job
        return cls(catalogue, watch, jobs, Snapshots(trusted=jobs.may_run), LiveRuns(jobs, catalogue), workers)

    def campaigns(self) -> list[Campaign]:
        """Every campaign below the folder, by name."""
        self.watch.look()
        return self.watch.states()

    def snapshot(self, campaign: str) -> Snapshot:
        """The campaign as it is now."""
        state = self.watch.state(campaign)
        return self.snapshots.of(self.catalogue.entry(campaign), state.version)

    def summary(self, campaign: str) -> CampaignSummary:
        """What a campaign says: counts, properties, metrics."""
        state = self.watch.state(campaign)
        return self.snapshots.of(self.catalogue.entry(campaign), state.version).summary_answer(state)

    def compared(self, baseline: str, candidate: str) -> ComparisonAnswer:
        """Is the candidate worse than the baseline, beyond noise? As ``stressfield compare``."""
        first, second = self.snapshot(baseline).summary, self.snapshot(candidate).summary
        refused = refusal(first, second)
        if refused is not None:
            return ComparisonAnswer(
                refused=refused.reason, worse=refused.exit_code == 1, text=refused.reason, endpoints=[], vanished=[],
                notes=[],
            )  # fmt: skip
        compared = compare(first, second)
        return ComparisonAnswer(
            refused="",
            worse=compared.worse,
            text=comparison_text(compared, first, second, details=True),
            endpoints=[
                EndpointAnswer(
                    name=point.name, kind=point.kind.value, unit=point.unit, worlds=point.worlds,
                    baseline=finite(point.baseline), candidate=finite(point.candidate),
                    p_adjusted=finite(point.p_adjusted), effect=finite(point.effect), verdict=point.verdict.value,
                )
                for point in compared.endpoints
            ],
            vanished=list(compared.vanished),
            notes=list(compared.notes),
        )  # fmt: skip

    def studies(self) -> list[StudyAnswer]:
        """Those that may be begun."""
        return [
            StudyAnswer(name=given, builds=[build.name for build in find_study(reference).builds])
            for reference, given in self.jobs.studies.items()
        ]

    def start(
        self,
        study: str,
        name: str,
        *,
        worlds: int,
        repeats: int = 1,
        seed: int = 0,
        build: str | None = None,
        keep: str | None = None,
    ) -> JobAnswer:
        """Begin a campaign of worlds, as ``stressfield run``, in a folder of that name below the served one."""
        reference = self.jobs.check_study(study)
        folder = self.catalogue.free(name)
        words = ["run", reference, "--worlds", str(worlds), *_shared(repeats, seed, build, keep), "--out", str(folder)]
        return self.jobs.begin("start", [*words, *self._jobs_words()], campaign=name, folder=folder).answer()

    def start_search(
        self,
        study: str,
        name: str,
        *,
        space: str,
        search: str = "",
        evaluations: int,
        repeats: int = 1,
        seed: int = 0,
        build: str | None = None,
    ) -> JobAnswer:
        """Begin a search of a testing space (YAML), as ``stressfield search``: at most ``evaluations`` tests."""
        reference = self.jobs.check_study(study)
        folder = self.catalogue.free(name)
        parsed = _parsed(space)
        if search and search not in {known.name for known in parsed.searches}:
            known = ", ".join(known.name for known in parsed.searches) or "none"
            raise InputError(f"The testing space has no search {search!r:.80}. It has: {known}.")
        # The campaign keeps a copy of its own; this one is removed with the process that reads it.
        handle = tempfile.NamedTemporaryFile("w", prefix="stressfield-", suffix=".yaml", delete=False, encoding="utf-8")  # noqa: SIM115
        with handle:
            handle.write(space_to_yaml(parsed))
        path = Path(handle.name)
        words = [
            "search",
            "--space",
            str(path),
            "--evaluations",
            str(evaluations),
            *_shared(repeats, seed, build, None),
        ]
        words += ["--out", str(folder), *self._jobs_words(), "--", reference, *([search] if search else [])]
        try:
            job = self.jobs.begin("search", words, campaign=name, folder=folder, uses=path)
        except StressfieldError:
            path.unlink(missing_ok=True)
            raise
        return job.answer()

    def begin(self, kind: str, campaign: str, *words: str) -> JobAnswer:
        """Resume, rejudge or shrink a campaign that is there, if its study may be begun."""
        entry = self.catalogue.entry(campaign)
        self.jobs.check_study(self.snapshot(campaign).results.plan.study)
        verb = "check" if kind == "rejudge" else kind
        workers = [] if kind == "rejudge" else self._jobs_words()
        return self.jobs.begin(
            kind, (verb, str(entry.folder), *words, *workers), campaign=entry.id, folder=entry.folder
        ).answer()

    def stop(self, campaign: str) -> JobAnswer:
        """Ask for a clean stop, as Ctrl-C does: runs in progress are given up, what is done is kept."""
        return self.jobs.stop(self.catalogue.entry(campaign).folder).answer()

    def check_space(self, text: str, study: str = "") -> SpaceAnswer:
        """Check a testing space (YAML): by its schema, and by a study whether its robot has what is disturbed.

        For the latter the robot is started once, in a process of its own, so its study must be one that may be begun.
        """
        try:
            space = _parsed(text)
        except InputError as error:
            return SpaceAnswer(valid=False, error=str(error))
        answer = SpaceAnswer(
            valid=True,
            explanation=explain(space),
            configurations=written(count(space).total) if space.operations else "0",
            searches=[search.name for search in space.searches],
            yaml=space_to_yaml(space),
        )
        if not study:
            return answer
        misfit = self._misfit(space, self.jobs.check_study(study))
        return SpaceAnswer(valid=False, error=misfit) if misfit else replace(answer, study=study)

    def _misfit(self, space: TestingSpace, reference: str) -> str:
        """Why a testing space does not fit a study; empty if it does."""
        with tempfile.TemporaryDirectory(prefix="stressfield-") as folder:
            path = Path(folder) / "space.yaml"
            path.write_text(space_to_yaml(space), encoding="utf-8")
            command = [sys.executable, "-m", "stressfield", "space", "check", str(path), "--study", reference]
            try:
                done = subprocess.run(  # noqa: S603  our own interpreter and verb; no shell
                    command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                    timeout=CHECK_S, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                raise RigError(f"The robot of {reference!r} did not start within {CHECK_S:g} s.") from None
        told = plain_output(done.stderr).strip()
        if done.returncode == InputError.exit_code:
            return told.replace(f"Testing space {str(path)!r}", "The testing space")
        if done.returncode != 0:
            raise RigError(f"The testing space could not be tried: {told[-500:] or 'no reason was given'}")
        return ""

    def _jobs_words(self) -> list[str]:
        return [] if self.workers is None else ["--jobs", str(self.workers)]


def _parsed(text: str) -> TestingSpace:
    if len(text) > SPACE_MAX:
        raise InputError(f"The testing space has {len(text)} characters. Wanted at most {SPACE_MAX}.")
    return space_from_yaml(text)


def _shared(repeats: int, seed: int, build: str | None, keep: str | None) -> list[str]:
    words = ["--repeats", str(repeats), "--seed", str(seed)]
    words += [] if keep is None else ["--keep", keep]
    # with "=", so that no name can be taken for an option
    return words + ([] if build is None else [f"--build={build}"])
