"""The whole programme: find the robot's code, plant faults, run every mutant in the same worlds, and count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from stressfield._files.disk import make_folder, write_file
from stressfield.analysis import Summary, summarise
from stressfield.campaign import Display, Plan, Prepared, Results, Silence, load, prepare, resume, run_campaign
from stressfield.campaign.folder import PLAN
from stressfield.campaign.ledger import LEDGER
from stressfield.campaign.loop import nothing_missing
from stressfield.campaign.results import Watch
from stressfield.errors import InputError
from stressfield.mutation.mutant import Mutant, choose, write_mutant
from stressfield.mutation.robot_lines import RobotFile, robot_files
from stressfield.mutation.score import MutantResult, Score, alarms, refused, repeats_of, result_of
from stressfield.provenance import SOURCE, difference

MANIFEST = "mutants.json"
BASELINE = "unmutated"
LEAST_TIMEOUT_S = 30.0
SLOWER = 10.0
"""A mutant's run is hung when it takes so many times what the slowest unmutated one took, and at least half a minute:
a mission that is not completed is simulated to its limit, and compiled code is compiled anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for. ``plan`` is of the unmutated build, one campaign of it."""

    plan: Plan
    mutants: int = 20
    seed: int = 0
    """Of the faults; that of the worlds and runs is the plan's."""
    controls: int = 5
    """Campaigns of the unmutated build with other run seeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manifest:
    """What a folder of mutants is of."""

    plan: Plan
    seed: int
    versions: dict[str, str]
    files: tuple[RobotFile, ...]


class Programme:
    """Mutants of one build in one folder. Stopped at any moment, the same call goes on where it was."""

    def __init__(
        self,
        asked: Asked,
        folder: str | Path,
        *,
        jobs: int | None = None,
        display: Display | None = None,
    ) -> None:
        self._ready = prepare(replace(asked.plan, keep="none"))
        self._asked = replace(asked, plan=self._ready.plan)
        self.folder = Path(folder)
        self._jobs = jobs
        self._display: Display = Silence() if display is None else display
        self._files: tuple[RobotFile, ...] | None = None
        self.sites = 0
        """Places where a fault could have been planted."""

    @property
    def plan(self) -> Plan:
        """Of the unmutated build, complete."""
        return self._asked.plan

    def mutants(self) -> tuple[Mutant, ...]:
        """The faults that are planted, found once and kept in the folder."""
        found, self.sites = choose(self._robot_files(), count=self._asked.mutants, seed=self._asked.seed)
        return found

    def run(self) -> Score:
        """Run what is missing, and say what came of all. Ctrl-C keeps what is done and raises KeyboardInterrupt."""
        mutants = self.mutants()
        plan = self.plan
        whole = replace(plan, repeats=plan.repeats * (1 + self._asked.controls))
        runs = plan.worlds * plan.repeats
        total = runs * (1 + self._asked.controls + len(mutants))
        with self._display.campaigns(f"{self._ready.study.name} mutants") as watch:
            found = self._campaign(BASELINE, prepare(whole), _shown(watch, BASELINE, 0, total))
            parts = [repeats_of(found, plan.repeats * at, plan.repeats) for at in range(1 + self._asked.controls)]
            baseline, *controls = map(self._summary, parts)
            slowest_s = max((judged.run.wall_s for judged in found.runs), default=0.0)
            timeout_s = LEAST_TIMEOUT_S + SLOWER * slowest_s
            results = []
            for at, mutant in enumerate(mutants):
                done = runs * (1 + self._asked.controls + at)
                progress = _shown(watch, mutant.name, done, total)
                results.append(self._mutant(mutant, baseline, timeout_s, progress))
        return Score(results=tuple(results), alarms=alarms(baseline, controls))

    def _mutant(self, mutant: Mutant, baseline: Summary, timeout_s: float, progress: Watch | None) -> MutantResult:
        file = write_mutant(mutant, self.plan.study, self.folder)
        plan = replace(self.plan, study=str(file.resolve()))
        try:
            found = self._campaign(mutant.name, prepare(plan), progress, run_timeout_s=timeout_s)
        except InputError as error:
            return refused(mutant, str(error), self.plan.worlds * self.plan.repeats)
        return result_of(mutant, baseline, self._summary(found))

    def _summary(self, results: Results) -> Summary:
        return summarise(results, self._ready.study)

    def _campaign(self, name: str, ready: Prepared, progress: Watch | None, *, run_timeout_s: float = 120.0) -> Results:
        place = self.folder / name
        if (place / LEDGER).exists():
            results = load(place)
            if nothing_missing(results):
                return results
        if (place / PLAN).exists():
            done = resume(place, jobs=self._jobs, run_timeout_s=run_timeout_s, progress=progress, export_worlds=False)
        else:
            done = run_campaign(
                ready, place, jobs=self._jobs, run_timeout_s=run_timeout_s, progress=progress, export_worlds=False
            )
        if done.interrupted:
            raise KeyboardInterrupt
        return done.results

    def _robot_files(self) -> tuple[RobotFile, ...]:
        """The robot's own lines: those that the folder knows, or found now."""
        if self._files is not None:
            return self._files
        path = self.folder / MANIFEST
        now = self.plan.versions()
        if path.exists():
            known = self._read(path)
            if (known.plan, known.seed) != (self.plan, self._asked.seed):
                raise InputError(
                    f"The folder {str(self.folder)!r} holds other mutants (another study, build, seed or size). "
                    "Choose another folder with --out."
                )
            changed = difference(known.versions, now)
            if changed:
                raise InputError(
                    f"Since the mutants in {str(self.folder)!r} were begun, this has changed: {changed}. Old and new "
                    "results must not be mixed. Choose another folder with --out."
                )
            self._files = known.files
            return known.files
        if self.folder.is_dir() and any(self.folder.iterdir()):
            raise InputError(f"The folder {str(self.folder)!r} is neither empty nor one of mutants. Choose another.")
        with self._display.steps(f"{self._ready.study.name}: finding the robot's own code") as step:
            step(0, 1)
            files = robot_files(self.plan)
            step(1, 1)
        make_folder(self.folder)
        content = _Manifest(plan=self.plan, seed=self._asked.seed, versions=now, files=files)
        write_file(path, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")
        self._files = files
        return files

    def _read(self, path: Path) -> _Manifest:
        try:
            return msgspec.json.decode(path.read_bytes(), type=_Manifest)
        except (ValueError, msgspec.ValidationError) as error:
            raise InputError(f"{str(path)!r} is damaged: {error}. Delete the folder, or choose another.") from None


def _shown(watch: Watch | None, name: str, before: int, total: int) -> Watch | None:
    """The progress of one campaign as that of the whole programme."""
    if watch is None:
        return None
    show = watch

    def shifted(now: object) -> None:
        progress = now
        show(replace(progress, done=before + progress.done, total=total, before=before + progress.before, note=name))  # type: ignore

    return shifted


__all__ = ["Asked", "Programme"]
_ = (Callable, SOURCE)
