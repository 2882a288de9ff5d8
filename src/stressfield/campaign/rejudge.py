"""Judging a campaign again, with other properties or a revised oracle, without simulating."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from stressfield.campaign.folder import locked, open_trace, read_plan, write_plan
from stressfield.campaign.ledgers.place import open_ledger
from stressfield.campaign.plan import Plan, check_active
from stressfield.campaign.results import Results, load, study_of
from stressfield.campaign.scenario_files import judge_again
from stressfield.campaign.study_record import StudyRecord
from stressfield.errors import TraceError
from stressfield.oracle import Oracle, Outcome, Verdict, overall
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.run.judgement import split


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """The campaign as it is judged now, and where the verdicts came from."""

    before: Results
    after: Results
    from_recordings: int
    from_ledger: int
    """Runs whose trace was not kept: the verdicts given when they ran, of all properties, are used."""
    unreadable: tuple[str, ...]
    """Why recordings could not be read; the verdicts in the ledger are used for these runs."""
    missing: tuple[str, ...]
    """Properties on which runs without a trace have no verdict: not asked of them when they ran, or added later."""

    @property
    def changed(self) -> int:
        """Runs with another outcome than before."""
        pairs = zip(self.before.runs, self.after.runs, strict=True)
        return sum(old.run.outcome is not new.run.outcome for old, new in pairs)


def rejudge(
    folder: str | Path,
    *,
    profile: str | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    study: str | None = None,
    save: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Rejudged:
    """Judge every run again with the properties that are on in the profile, plus ``include``, less ``exclude``.

    Without ``profile`` it is that of the campaign. ``study`` says where the study is now, if not where it was. Nothing
    is written unless ``save``.
    """
    before = load(folder, study=study)
    judging = study_of(before)
    oracle = judging.oracle
    plan = replace(before.plan, profile=profile or before.plan.profile, include=tuple(include), exclude=tuple(exclude))
    active = oracle.select(profile=plan.profile, include=include, exclude=exclude)
    check_active(judging, active)
    wanted = {prop.name for prop in active}
    runs, unreadable, recorded, stored = [], [], 0, 0
    missing: set[str] = set()
    for number, judged in enumerate(before.runs):
        verdicts = judged.verdicts + judged.others
        if judged.run.status.judged:
            try:
                fresh = _from_recording(before, before.scenario_of(judged.run), judged)
            except TraceError as error:
                fresh = None
                unreadable.append(str(error))
            recorded, stored = recorded + (fresh is not None), stored + (fresh is None)
            verdicts = verdicts if fresh is None else fresh
            if verdicts and fresh is None:
                unasked = wanted - {verdict.property for verdict in verdicts}
                verdicts += tuple(_unasked(name) for name in sorted(unasked))
                missing |= unasked
        runs.append(_judged(judged, oracle, verdicts, plan))
        if progress is not None:
            progress(number + 1, len(before.runs))
    # The oracle may have been revised: titles and sub-cases are its own. The sources that made the runs stay.
    record = StudyRecord.of(judging, before.study.sources)
    after = replace(before, plan=plan, study=record, runs=tuple(runs))
    if save:
        _save(Path(folder), after)
    return Rejudged(
        before=before,
        after=after,
        from_recordings=recorded,
        from_ledger=stored,
        unreadable=tuple(unreadable),
        missing=tuple(sorted(missing)),
    )


def _unasked(name: str) -> Verdict:
    return Verdict(name, Outcome.INCONCLUSIVE, None, "", note="no recording was kept, and it was not asked then")


def _from_recording(results: Results, scenario: ScenarioRecord, judged: JudgedRun) -> tuple[Verdict, ...] | None:
    if judged.run.trace_file is None:
        return None
    trace = open_trace(Path(results.folder), judged)
    return judge_again(results.plan, scenario, trace)


def _judged(judged: JudgedRun, oracle: Oracle, verdicts: tuple[Verdict, ...], plan: Plan) -> JudgedRun:
    if not verdicts:
        return judged
    on, off = split(oracle, verdicts, profile=plan.profile, include=plan.include, exclude=plan.exclude)
    return replace(judged, run=replace(judged.run, outcome=overall(on)), verdicts=on, others=off)


def _save(folder: Path, after: Results) -> None:
    with locked(folder), open_ledger(folder, after.plan.ledger) as ledger:
        ledger.add(runs=after.runs)
        # Where the study was stays: it says what was asked, wherever it was judged again.
        write_plan(folder, replace(after.plan, study=read_plan(folder)[0].study), after.versions, after.study)
