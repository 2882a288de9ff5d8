"""The whole programme: find the robot's code, plant faults, run every mutant in the same worlds, and count."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, fields, replace
from pathlib import Path

import msgspec

from stressfield._files.disk import make_folder, write_file
from stressfield.analysis import Summary, summarise
from stressfield.campaign import (
    Display,
    Plan,
    Progress,
    Results,
    Silence,
    load,
    make_executor,
    prepare,
    resume,
    run_campaign,
)
from stressfield.campaign.folder import PLAN
from stressfield.campaign.ledger import LEDGER
from stressfield.campaign.loop import nothing_missing
from stressfield.campaign.plan import RUN_TIMEOUT_S
from stressfield.campaign.results import Watch
from stressfield.errors import InputError
from stressfield.mutation.mutant import Mutant, choose, write_mutant
from stressfield.mutation.robot_lines import RobotFile, robot_files
from stressfield.mutation.score import (
    MutantResult,
    Score,
    Usual,
    alarms,
    failing_runs,
    refused,
    repeats_of,
    result_of,
    usual_changes,
    without_repeats,
)
from stressfield.provenance import difference, source_files

MANIFEST = "mutants.json"
BASELINE = "unmutated"
SLOWER, HANGS_AFTER_S = 10.0, 30.0
"""A mutant's run does not hang as long as it takes at most so many times what the slowest unmutated one took: a mission
that is not completed is simulated to its limit. It has that many seconds at least, or the time given if that is less:
a mutant that hangs does so in every run, and the usual limit of a run would cost half an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for. ``plan`` is of one campaign of the unmutated build."""

    plan: Plan
    mutants: int = 20
    seed: int = 0
    """Of the faults; that of the worlds and runs is the plan's."""
    controls: int = 5
    """Campaigns of the unmutated build with other run seeds."""

    def __post_init__(self) -> None:
        if self.mutants < 1:
            raise InputError(f"Wanted at least one mutant, got {self.mutants}.")
        if self.controls < 0:
            raise InputError(f"The number of controls must be 0 or more, got {self.controls}.")

    @property
    def runs(self) -> int:
        """Of one campaign."""
        return self.plan.worlds * self.plan.repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manifest:
    """What a folder of mutants is of. How many there are is left open: more can be asked for later."""

    plan: Plan
    seed: int
    controls: int
    versions: dict[str, str]
    files: tuple[RobotFile, ...]


def hangs_after_s(slowest_s: float, run_timeout_s: float) -> float:
    """The wall time after which a mutant's run hangs, where the slowest one of the unmutated build took ``slowest_s``.

    ``run_timeout_s`` is the limit that was given for runs of the latter.
    """
    return max(min(run_timeout_s, HANGS_AFTER_S), SLOWER * slowest_s)


class Programme:
    """Mutants of one build in one folder. Stopped at any moment, the same call goes on where it was.

    The folder holds the campaign of the unmutated build (``unmutated``), one campaign a mutant (``001``, ...), the
    mutants themselves (``mutants/001.py``, studies that every verb accepts), and ``mutants.json``.
    """

    def __init__(
        self,
        asked: Asked,
        folder: str | Path,
        *,
        jobs: int | None = None,
        run_timeout_s: float = RUN_TIMEOUT_S,
        display: Display | None = None,
    ) -> None:
        self._ready = prepare(replace(asked.plan, keep="none"))
        if self._ready.plan.disturbed:
            raise InputError("Mutants run in worlds, not in the tests of a testing space.")
        self._asked = replace(asked, plan=self._ready.plan)
        self.folder = Path(folder)
        # what is wrong with it is said now, not blamed on a mutant later
        make_executor(self.plan.study, jobs=jobs, run_timeout_s=run_timeout_s).close()
        self._jobs, self._run_timeout_s = jobs, run_timeout_s
        self._display: Display = Silence() if display is None else display
        self._files: tuple[RobotFile, ...] | None = None
        self._executed = 0
        self.places = 0
        """Where a fault could be planted; known once mutants were chosen."""

    @property
    def plan(self) -> Plan:
        """Of the unmutated build, complete."""
        return self._asked.plan

    def mutants(self) -> tuple[Mutant, ...]:
        """The faults that are planted. Which lines are the robot's is found once, and kept in the folder."""
        found, self.places = choose(
            self._robot_files(), source_files(self.plan.study), count=self._asked.mutants, seed=self._asked.seed
        )
        if not found:
            raise InputError(
                f"No code of the robot of study {self._ready.study.name!r} runs in the study's own files: there is "
                "nothing to plant a fault in. Wanted a robot made of Python nodes."
            )
        return found

    def run(self, *, only: int | None = None) -> Score:
        """Run what is missing, and say what came of all mutants, or of ``only`` one of them, by its number.

        Ctrl-C keeps what is done and raises KeyboardInterrupt.
        """
        mutants = self.mutants()
        if only is not None:
            if not 1 <= only <= len(mutants):
                raise InputError(f"There is no mutant {only}. Wanted 1 to {len(mutants)}, or more with --mutants.")
            mutants = (mutants[only - 1],)
        asked, title = self._asked, f"{self._ready.study.name} mutants"
        total = asked.runs * (1 + asked.controls + len(mutants))
        with self._display.campaigns(title) as watch:
            unmutated = self._unmutated(self._shown(watch, BASELINE, 0, total))
            baseline, *controls = self._parts(unmutated)
            whole = self._summary(unmutated)
            usual = usual_changes(baseline, controls)
            slowest_s = max((judged.run.wall_s for judged in baseline.results.runs), default=0.0)
            limit_s = hangs_after_s(slowest_s, self._run_timeout_s)
            results = [
                self._mutant(
                    mutant,
                    baseline,
                    whole,
                    usual,
                    limit_s,
                    self._shown(watch, mutant.name, asked.runs * (1 + asked.controls + place), total),
                )
                for place, mutant in enumerate(mutants)
            ]
        return Score(
            study=self._ready.study.name,
            plan=self.plan,
            seed=asked.seed,
            folder=str(self.folder),
            places=self.places,
            left_out=failing_runs(baseline),
            results=tuple(results),
            alarms=alarms(baseline, controls, self._rests(unmutated)),
        )

    def _unmutated(self, progress: Watch | None) -> Results:
        """The unmutated build: the runs that mutants do as well, then the controls: other repeats, so other seeds."""
        plan = replace(self.plan, repeats=self.plan.repeats * (1 + self._asked.controls))
        return self._campaign(BASELINE, plan, progress, run_timeout_s=self._run_timeout_s)

    def _parts(self, unmutated: Results) -> list[Summary]:
        """The baseline, then each control."""
        count = self.plan.repeats
        return [self._summary(repeats_of(unmutated, count * part, count)) for part in range(1 + self._asked.controls)]

    def _rests(self, unmutated: Results) -> list[Summary]:
        """Of each control, all others and the baseline."""
        count = self.plan.repeats
        return [
            self._summary(without_repeats(unmutated, count * part, count))
            for part in range(1, 1 + self._asked.controls)
        ]

    def _mutant(
        self, mutant: Mutant, baseline: Summary, whole: Summary, usual: Usual, timeout_s: float, progress: Watch | None
    ) -> MutantResult:
        file = write_mutant(mutant, self.plan.study, self.folder)
        try:
            found = self._campaign(
                mutant.name, replace(self.plan, study=str(file.resolve())), progress, run_timeout_s=timeout_s
            )
        except InputError as error:  # of its runs: whatever else could be wrong was checked with the unmutated build
            return refused(mutant, str(error), self._asked.runs)
        return result_of(mutant, baseline, self._summary(found), usual, whole=whole)

    def _summary(self, results: Results) -> Summary:
        return summarise(results, self._ready.study)

    def _campaign(self, name: str, plan: Plan, progress: Watch | None, *, run_timeout_s: float) -> Results:
        """The campaign of that name, run or continued if need be."""
        place = self.folder / name
        if (place / LEDGER).exists():
            results = load(place)
            if results.runs and nothing_missing(results):
                return results
        # quiet: compiled code with a fault may write where it must not, and then the C library complains
        workers = make_executor(plan.study, jobs=self._jobs, run_timeout_s=run_timeout_s, quiet=True)
        with closing(workers):
            if (place / PLAN).exists():
                done = resume(
                    place, run_timeout_s=run_timeout_s, progress=progress, export_worlds=False, executor=workers
                )
            else:
                done = run_campaign(
                    prepare(plan),
                    place,
                    run_timeout_s=run_timeout_s,
                    progress=progress,
                    export_worlds=False,
                    executor=workers,
                )
        self._executed += done.executed
        if done.interrupted:
            raise KeyboardInterrupt
        return done.results

    def _shown(self, watch: Watch | None, name: str, before: int, total: int) -> Watch | None:
        """The progress of one campaign as that of the whole programme."""
        if watch is None:
            return None
        show = watch

        def shifted(now: Progress) -> None:
            already = max(0, before - self._executed) + now.before  # in earlier sessions
            show(replace(now, done=before + now.done, total=total, before=already, note=name))

        return shifted

    def _robot_files(self) -> tuple[RobotFile, ...]:
        """The robot's own lines: those that the folder knows, or found now."""
        if self._files is None:
            path, now = self.folder / MANIFEST, self.plan.versions()
            self._files = self._known(path, now) if path.exists() else self._found(path, now)
        return self._files

    def _known(self, path: Path, now: dict[str, str]) -> tuple[RobotFile, ...]:
        try:
            known = msgspec.json.decode(path.read_bytes(), type=_Manifest)
        except msgspec.MsgspecError as error:
            raise InputError(f"{str(path)!r} is damaged: {error}. Choose another folder with --out.") from None
        other = [part.name for part in fields(Plan) if getattr(known.plan, part.name) != getattr(self.plan, part.name)]
        other += [name for name in ("seed", "controls") if getattr(known, name) != getattr(self._asked, name)]
        if other:
            names = ", ".join(dict.fromkeys(other))
            raise InputError(
                f"The folder {str(self.folder)!r} holds other mutants (different: {names}). "
                "Choose another folder with --out."
            )
        changed = difference(known.versions, now)
        if changed:
            raise InputError(
                f"Since the mutants in {str(self.folder)!r} were begun, this has changed: {changed}. Old and new "
                "results must not be mixed. Choose another folder with --out."
            )
        return known.files

    def _found(self, path: Path, now: dict[str, str]) -> tuple[RobotFile, ...]:
        if self.folder.is_dir() and any(self.folder.iterdir()):
            raise InputError(
                f"The folder {str(self.folder)!r} is neither empty nor one of mutants. Choose another with --out."
            )
        self._display.say(f" Finding the robot's own code in {self.plan.worlds} worlds ...", warning=True)
        files = robot_files(self.plan)
        make_folder(self.folder)
        asked = self._asked
        content = _Manifest(plan=self.plan, seed=asked.seed, controls=asked.controls, versions=now, files=files)
        write_file(path, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")
        return files
