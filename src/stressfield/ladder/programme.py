"""A climb: worlds of a campaign run again on both rungs until chance is told from simulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from stressfield.analysis import Summary, summarise
from stressfield.calibration import calibrated_options
from stressfield.campaign import (
    Display,
    Plan,
    Prepared,
    Results,
    Silence,
    load,
    prepare,
    resume,
    run_campaign,
    study_of,
)
from stressfield.campaign.destination import occupied
from stressfield.campaign.loop import nothing_missing
from stressfield.campaign.runner import unchanged
from stressfield.errors import InputError, did_you_mean
from stressfield.ladder.confirmation import Confirmation, confirmation_of
from stressfield.ladder.sample import Drawn, chosen, draw_worlds
from stressfield.scenario import Options
from stressfield.search import ChosenWorlds
from stressfield.search.recordings import refuse_again
from stressfield.search.sequential_test import SURE_OF_FINDINGS
from stressfield.seeds import seed_of
from stressfield.study import Study
from stressfield.trace import Keep

CONFIRM = "confirm"
"""The folder in that of a campaign: in it one for each upper simulator."""
BELOW, ABOVE = "below", "above"
PASSING, REPEATS, CONFIDENCE = 10, 10, 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """What to take up."""

    simulator: str
    """The upper rung, one of the study's simulators."""
    failing: int | None = None
    """At most so many failing worlds, drawn at random; None takes all."""
    passing: int = PASSING
    """So many passing ones, drawn at random."""
    seed: int = 0
    """Of these draws, and of the runs."""
    repeats: int = REPEATS
    """Runs of each world on each rung, at most."""
    confidence: float = CONFIDENCE
    """How sure each answer must be before a world is not repeated any more."""
    calibration: Path | None = None
    """Constants of the robot in the field, for the upper rung: the lower one is as the campaign was."""


class Ladder:
    """A climb in one folder. Stopped at any moment, the same call goes on where it was.

    The folder, by default ``DIR/confirm/SIMULATOR``, holds two campaigns as any other: ``below`` and ``above``.
    """

    def __init__(
        self,
        campaign: str | Path,
        asked: Climb,
        *,
        study: str | None = None,
        out: str | Path | None = None,
        jobs: int | None = None,
        run_timeout_s: float | None = None,
        overwrite: bool = False,
        display: Display | None = None,
    ) -> None:
        self.results = load(campaign, study=study)
        if self.results.plan.recorded is not None:
            refuse_again()
        self.study = study_of(self.results)
        self.rungs = _rungs(self.study, self.results.plan, asked.simulator)
        unchanged(Path(campaign), self.results.plan, self.results.versions)
        self.drawn: Drawn = draw_worlds(self.results, failing=asked.failing, passing=asked.passing, seed=asked.seed)
        self.asked = asked
        options = self.results.plan.options
        self._options = calibrated_options(asked.calibration, self.study, options, instead=True)
        own = self.rungs[1] if self._options == options else f"{self.rungs[1]}-calibrated"
        self.folder = Path(campaign) / CONFIRM / own if out is None else Path(out)
        self._jobs, self._run_timeout_s, self._overwrite = jobs, run_timeout_s, overwrite
        self._display: Display = Silence() if display is None else display
        # whatever is wrong with either is said before anything is run
        self._below = self._prepared(self.rungs[0], {}, options)
        self._check_constants(self._prepared(self.rungs[1], {}, self._options))
        self._check_place(self.folder / BELOW, self._below)

    def run(self) -> Confirmation:
        """Run what is missing on both rungs, and make the calls. Ctrl-C keeps what is done: KeyboardInterrupt."""
        summary: Summary = summarise(self.results, self.study)
        lower, upper = self.rungs
        below = self._campaign(self.folder / BELOW, self._below, f"{self.study.name} below, {lower}")
        # What shows now and then below can be told from what never shows above only by as many runs there.
        open_ = {name: stands.wanted for name, stands in below.standings.items() if not stands.sure}
        ready = self._prepared(upper, open_, self._options)
        above = self._campaign(self.folder / ABOVE, ready, f"{self.study.name} above, {upper}")
        return confirmation_of(
            summary, self.drawn, below, above, rungs=self.rungs, seed=self.asked.seed,
            calibration="" if self.asked.calibration is None else str(self.asked.calibration),
        )  # fmt: skip

    def _check_constants(self, ready: Prepared) -> None:
        """InputError now, before the lower rung is run, for constants that the robots of a world do not have."""
        if self.asked.calibration is None:
            return
        first = self.drawn.up[0]
        try:
            self.study.scenario(first.descriptor, seed=first.seed, options=ready.plan.options)
        except InputError as error:
            raise InputError(
                f"The calibration {str(self.asked.calibration)!r} is not of these robots: {error}"
            ) from None

    def _prepared(self, simulator: str, least: Mapping[str, int], options: Options) -> Prepared:
        """The plan of one rung. Both have the same worlds and run seeds that the campaign did not use.

        Their run seeds are the same, too, unless a calibration makes other worlds of them.
        """
        plan = self.results.plan
        variables = {each.name: each for world in self.drawn.up for each in world.variables}
        again = replace(
            plan,
            strategy=ChosenWorlds(worlds=chosen(self.drawn.up, shared=len(plan.disturbances), least=least)),
            seed=seed_of(plan.seed, CONFIRM, self.asked.seed),
            worlds=len(self.drawn.up),
            template="r",
            repeats=self.asked.repeats,
            until_sure=self.asked.confidence,
            sure_of=SURE_OF_FINDINGS,
            variables=tuple(variables.values()) or plan.variables,
            simulator=simulator,
            options=options,
            keep=Keep.FAILING.value if plan.keep == Keep.FRONT else plan.keep,
            storage="",
            ledger="",
            share=None,
        )
        if self._run_timeout_s is not None:
            again = replace(again, run_timeout_s=self._run_timeout_s)
        return prepare(again)

    def _check_place(self, place: Path, ready: Prepared) -> None:
        there = occupied(place, ready.plan)
        if there is not None and not there.same and not (self._overwrite and there.campaign):
            there.refuse()

    def _campaign(self, place: Path, ready: Prepared, title: str) -> Results:
        """One rung, run or continued if need be."""
        self._check_place(place, ready)
        there = occupied(place, ready.plan)
        goes_on = there is not None and there.same and not self._overwrite
        if goes_on and (found := _finished(place)) is not None:
            return found
        with self._display.campaigns(title) as watch:
            if goes_on:
                done = resume(
                    place, study=ready.plan.study, jobs=self._jobs, run_timeout_s=self._run_timeout_s, progress=watch
                )
            else:
                done = run_campaign(ready, place, jobs=self._jobs, overwrite=self._overwrite, progress=watch)
        if done.interrupted:
            raise KeyboardInterrupt
        return done.results


def _finished(place: Path) -> Results | None:
    try:
        results = load(place)
    except InputError:  # begun, and nothing run yet
        return None
    return results if results.runs and nothing_missing(results) else None


def _rungs(study: Study, plan: Plan, upper: str) -> tuple[str, str]:
    """The names of the lower and of the upper simulator. InputError if these are not two of the study's."""
    known = list(study.simulators)
    lower = plan.simulator or known[0]
    if len(known) == 1:
        raise InputError(
            f"The study {study.name!r} has one simulator, so there is no rung above it. Give it another: "
            'simulator={"kinematic": kinematic_simulator(), "mujoco": mujoco_simulator()}.'
        )
    if upper not in known:
        raise InputError(
            f"Unknown simulator {upper!r} of study {study.name!r}. It has: {', '.join(known)}."
            + did_you_mean(upper, known)
        )
    if upper == lower:
        others = ", ".join(name for name in known if name != lower)
        raise InputError(f"The campaign was run in {lower!r} itself. Wanted another simulator of the study: {others}.")
    return lower, upper
