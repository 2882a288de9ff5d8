"""What every way in speaks of: the HTTP API and the tools of an agent ask and begin the same things through it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stressfield.errors import InputError, RigError
from stressfield.fuzz import space_from_yaml
from stressfield.plugins import find_study
from stressfield.serve.answers import Campaign, CampaignSummary, FindingAnswer, JobAnswer, StudyAnswer
from stressfield.serve.catalogue import Catalogue
from stressfield.serve.editors import SpaceAnswer, check_space, keep_space
from stressfield.serve.histories import ComparisonAnswer, Histories
from stressfield.serve.jobs import Jobs, plain_output
from stressfield.serve.live_runs import LiveRuns
from stressfield.serve.snapshot import Snapshot, Snapshots
from stressfield.serve.triage import Decisions
from stressfield.serve.watch import CampaignWatch

STEPS = 10
"""Steps that ranges and windows are cut into to count configurations."""
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
    histories: Histories
    decisions: Decisions
    workers: int | None = None
    """Worker processes of each campaign that is begun; None: one per core."""

    @classmethod
    def of(
        cls,
        root: str | Path,
        *,
        studies: Sequence[str] = (),
        at_once: int = 1,
        workers: int | None = None,
        known_issues: Path | None = None,
    ) -> Parts:
        """Those of a folder. ``studies`` may be begun, ``at_once`` at most at a time; without any it only reads.

        Decisions about findings are kept in the file ``known_issues``; without one there are none.
        """
        catalogue = Catalogue(Path(root))
        jobs = Jobs(studies, most=at_once)
        watch = CampaignWatch(
            catalogue,
            job=lambda entry: jobs.of(entry.folder),
            may_run=jobs.may_run,
            may_decide=known_issues is not None,
        )
        jobs.tell = watch.tell_job
        snapshots = Snapshots(trusted=jobs.may_run)
        return cls(
            catalogue=catalogue,
            watch=watch,
            jobs=jobs,
            snapshots=snapshots,
            live=LiveRuns(jobs, catalogue),
            histories=Histories(catalogue, snapshots),
            decisions=Decisions(known_issues),
            workers=workers,
        )

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

    def findings(self, campaign: str) -> list[FindingAnswer]:
        """Distinct failures, the gravest first, with what was decided about them."""
        snapshot = self.snapshot(campaign)
        return snapshot.findings(self.decisions.of(snapshot.summary))

    def finding(self, campaign: str, finding: str) -> FindingAnswer:
        """One of them."""
        snapshot = self.snapshot(campaign)
        return snapshot.finding(finding, self.decisions.of(snapshot.summary))

    def compared(self, baseline: str, candidate: str) -> ComparisonAnswer:
        """Is the candidate worse than the baseline, beyond noise? As ``stressfield compare``."""
        return self.histories.comparison(*(self.watch.state(name) for name in (baseline, candidate)))

    def studies(self) -> list[StudyAnswer]:
        """Those that may be begun."""
        found = [(given, find_study(reference)) for reference, given in self.jobs.studies.items()]
        return [
            StudyAnswer(name=given, builds=[build.name for build in study.builds], has_space=study.space is not None)
            for given, study in found
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
        template: str | None = None,
    ) -> JobAnswer:
        """Begin a campaign of worlds, as ``stressfield run``, in a folder of that name below the served one."""
        reference = self.jobs.check_study(study)
        folder = self.catalogue.free(name)
        words = ["run", reference, "--worlds", str(worlds), *_shared(repeats, seed, build, keep), "--out", str(folder)]
        if template is not None:
            words.append(f"--template={template}")
        words += [*self._jobs_words(), *self._known_words()]
        return self.jobs.begin("start", words, campaign=name, folder=folder).answer()

    def start_search(
        self,
        study: str,
        name: str,
        *,
        space: str | None,
        search: str | None,
        evaluations: int,
        repeats: int = 1,
        seed: int = 0,
        build: str | None = None,
    ) -> JobAnswer:
        """Begin a search of a testing space, as ``stressfield search``: at most ``evaluations`` tests.

        A space that was given (YAML) is kept in the folder ``spaces`` beside the campaigns; None: the study's own.
        """
        reference = self.jobs.check_study(study)
        folder = self.catalogue.free(name)
        words = ["search", f"--evaluations={evaluations}", *_shared(repeats, seed, build, None), "--out", str(folder)]
        if space is not None:
            known = [known.name for known in space_from_yaml(space).searches]
            if search and search not in known:
                raise InputError(
                    f"The testing space has no search {search!r:.80}. It has: {', '.join(known) or 'none'}."
                )
            words += ["--space", str(keep_space(self.catalogue.root, name, space))]
        # whatever it is called, it is no option
        words += [*self._jobs_words(), *self._known_words(), "--", reference, *([search] if search else [])]
        return self.jobs.begin("search", words, campaign=name, folder=folder).answer()

    def begin(self, kind: str, campaign: str, *words: str) -> JobAnswer:
        """Resume, rejudge or shrink a campaign that is there, if its study may be begun."""
        entry = self.catalogue.entry(campaign)
        self.jobs.check_study(self.snapshot(campaign).results.plan.study)
        verb = "check" if kind == "rejudge" else kind
        workers = [] if kind in {"rejudge", "replay"} else self._jobs_words()
        known = self._known_words() if kind == "resume" else []
        return self.jobs.begin(
            kind, (verb, str(entry.folder), *words, *workers, *known), campaign=entry.id, folder=entry.folder
        ).answer()

    def stop(self, campaign: str) -> JobAnswer:
        """Ask for a clean stop, as Ctrl-C does: runs in progress are given up, what is done is kept."""
        return self.jobs.stop(self.catalogue.entry(campaign).folder).answer()

    def check_space(self, text: str, study: str = "") -> SpaceAnswer:
        """Check a testing space (YAML): by its schema, and by a study whether its robot has what is disturbed.

        For the latter the robot is started once, in a process of its own, so its study must be one that may be begun.
        """
        answer = check_space(yaml=text, values=None, steps=STEPS)
        if not answer.valid or not study:
            return answer
        misfit = self._misfit(answer.yaml, self.jobs.check_study(study))
        return replace(answer, study=study) if not misfit else replace(answer, valid=False, problem=misfit)

    def _misfit(self, space: str, reference: str) -> str:
        """Why a testing space does not fit a study; empty if it does."""
        with tempfile.TemporaryDirectory(prefix="stressfield-") as folder:
            path = Path(folder) / "space.yaml"
            path.write_text(space, encoding="utf-8")
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

    def _known_words(self) -> list[str]:
        """What was decided before counts in campaigns that are begun from here, and stands in their reports."""
        file = self.decisions.made()
        return [] if file is None else ["--known-issues", str(file)]


def _shared(repeats: int, seed: int, build: str | None, keep: str | None) -> list[str]:
    words = ["--repeats", str(repeats), "--seed", str(seed)]
    words += [] if keep is None else ["--keep", keep]
    # with "=", so that no name can be taken for an option
    return words + ([] if build is None else [f"--build={build}"])
