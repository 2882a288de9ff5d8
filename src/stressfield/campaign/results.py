"""What came of a campaign: everything in its folder, read at once, and one hash for all of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stressfield.campaign.folder import read_plan, read_space_copy
from stressfield.campaign.ledger import TestRecord
from stressfield.campaign.ledgers.place import count_runs, read_rows
from stressfield.campaign.ledgers.rows import by_id, in_id_order
from stressfield.campaign.plan import Plan, PlannedRun
from stressfield.campaign.study_record import STUDY, StudyRecord, read_study
from stressfield.campaign.tables import table_of
from stressfield.errors import InputError
from stressfield.fuzz import TestingSpace
from stressfield.oracle import Outcome, Verdict
from stressfield.oracle.oracle import HANG
from stressfield.plugins import find_study, study_reference
from stressfield.provenance import SOURCE, changed_files, source_digest, source_digests
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status
from stressfield.run.record import broke
from stressfield.search.sequential_test import Standing, needed_lead, standings

if TYPE_CHECKING:
    from stressfield.study import Study


@dataclass(frozen=True, kw_only=True, repr=False)
class Results:
    """Everything in a campaign's folder, read at once."""

    folder: str
    plan: Plan
    versions: dict[str, str]
    study: StudyRecord
    """What is kept of its study: reading a campaign takes nothing of the study itself."""
    scenarios: Sequence[ScenarioRecord]
    runs: Sequence[JudgedRun]
    """In the order of the plan. Very many are not in memory: they are read from the ledger as they are gone through."""
    tests: tuple[TestRecord, ...] = ()
    """Of a testing space: every test that was evaluated or is being."""

    def scenario_of(self, run: RunRecord) -> ScenarioRecord:
        """The scenario that a run was made in."""
        return self._scenarios[run.scenario_id]

    def planned_of(self, run: RunRecord) -> PlannedRun:
        """The run as it was planned, to do it again: under its own id, whatever has changed since."""
        return PlannedRun(id=run.id, scenario=self.scenario_of(run), repeat=run.repeat, seed=run.seed)

    @cached_property
    def space(self) -> TestingSpace | None:
        """The testing space that its tests are of, if still the one it was begun with; None if it has none."""
        return read_space_copy(Path(self.folder), self.plan)

    @property
    def wanted_runs(self) -> int:
        """How many runs there are to be.

        A strategy may end early, and a test that it proposed twice is run once: what it proposed so far is the plan.
        """
        proposed = self.plan.disturbed or self.plan.own_strategy is not None
        worlds = len(self.scenarios) if proposed else self.plan.own_worlds
        if self.plan.until_sure is None:
            if not proposed:
                return self.plan.own_runs
            return sum(len(self.plan.repeats_of(scenario.index)) for scenario in self.scenarios)
        begun = self.standings
        lead = needed_lead(self.plan.until_sure)
        return sum(stands.wanted for stands in begun.values()) + (worlds - len(begun)) * lead

    @cached_property
    def standings(self) -> dict[str, Standing]:
        """Where each world is that is repeated until its verdict is sure; empty if the plan does not ask for that."""
        plan = self.plan
        if plan.until_sure is None:
            return {}
        names = {scenario.id: plan.least_repeats(scenario.index) for scenario in self.scenarios}
        return standings(names, self.runs, confidence=plan.until_sure, repeats=plan.repeats, of=plan.sure_of)

    def __repr__(self) -> str:
        return f"<Results of {self.study.name}: {len(self.runs):,} runs in {len(self.scenarios):,} worlds>"

    def to_arrow(self, table: str = "runs") -> Any:
        """A table of the campaign as a ``pyarrow.Table``: runs (parameters, margins and metrics are columns), verdicts,
        violations or metrics. Needs the extra ``tables``.
        """
        return table_of(self, table).to_arrow()

    def to_pandas(self, table: str = "runs") -> Any:
        """The same as a ``pandas.DataFrame``."""
        return table_of(self, table).to_pandas()

    def _repr_html_(self) -> str:
        """What a notebook shows: how many runs ended how, and how each property fared."""
        counts = Counter(category(judged.run) for judged in self.runs)
        ended = " · ".join(f"{number:,} {escape(word)}" for word, number in counts.most_common()) or "no runs yet"
        heading = f"{self.study.name}, build {self.plan.build}, seed {self.plan.seed}"
        titles = {record.name: record.title for record in self.study.properties}
        fates = _fates(self.runs).items()
        rows = "".join(
            f"<tr><td>{escape(n)}</td><td>{escape(titles.get(n, ''))}</td>{cells}</tr>" for n, cells in fates
        )
        head = "<tr><th>property</th><th></th><th>pass</th><th>fail</th><th>inconclusive</th><th>least margin</th></tr>"
        return f"<b>{escape(heading)}</b>: {ended}<table>{head}{rows}</table>"

    @cached_property
    def _scenarios(self) -> Mapping[str, ScenarioRecord]:
        return by_id(self.scenarios)


def _fates(runs: Sequence[JudgedRun]) -> dict[str, str]:
    """The cells of each property that counts: how many runs pass, fail, are left open, and the least margin."""
    by_name: dict[str, list[Verdict]] = {}
    for judged in runs:
        for verdict in judged.verdicts:
            by_name.setdefault(verdict.property, []).append(verdict)
    cells = {}
    for name, verdicts in by_name.items():
        counts = Counter(verdict.outcome for verdict in verdicts)
        least = min((v for v in verdicts if v.margin is not None), key=lambda v: v.margin or 0.0, default=None)
        margin = "" if least is None else f"{least.margin:.3g} {least.unit}".rstrip()
        numbers = [f"{counts[outcome]:,}" for outcome in (Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE)]
        cells[name] = "".join(f"<td>{escape(text)}</td>" for text in (*numbers, margin))
    return cells


def load(folder: str | Path, *, study: str | None = None, whole: bool = False) -> Results:
    """Everything in a campaign's folder. It may still be running: what is committed so far is read, consistently.

    Nothing outside of the folder is needed for it. ``study`` says where the study is now, for what does need it: doing
    runs again, judging them again. By default it is looked for where it was.

    Of a very large campaign, runs and scenarios are read as they are gone through, at one moment of the ledger; with
    ``whole`` all are taken into memory.
    """
    folder = Path(folder)
    plan, versions = read_plan(folder)
    if study is not None:
        plan = replace(plan, study=study_reference(study))
    rows = read_rows(folder, plan.ledger, whole=whole)
    if rows is None:
        raise InputError(f"The campaign {str(folder)!r} has no results yet. Go on with: stressfield resume {folder}")
    return Results(
        folder=str(folder),
        plan=plan,
        versions=versions,
        study=read_study(folder),
        scenarios=rows.scenarios,
        runs=rows.runs,
        tests=rows.tests,
    )


def study_of(results: Results) -> Study:
    """The study itself, to do runs again or to judge them again. InputError if it cannot be had, or is another one."""
    return present_study(results.plan, results.folder, name=results.study.name)


def present_study(plan: Plan, folder: str | Path, *, name: str | None) -> Study:
    """The study that the plan of a campaign names. InputError if it cannot be had, or is called otherwise."""
    try:
        study = find_study(plan.study)
    except InputError as error:
        raise InputError(f"{error} If the study is elsewhere now, say where with --study FILE.") from error
    if name is not None and study.name != name:
        raise InputError(
            f"The campaign {str(folder)!r} is of the study {name!r}, but {plan.study!r} is {study.name!r}. "
            "Wanted the study that it was run with: --study FILE."
        )
    return study


def changed_since(results: Results) -> str:
    """Which files of the study have changed since the campaign was begun, in words; empty if none."""
    if results.versions.get(SOURCE) == source_digest(results.plan.study):
        return ""
    return changed_files(results.study.sources, source_digests(results.plan.study)) or "its source"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a campaign is. ``counts`` holds pass, fail, inconclusive, subject_crash, hang and invalid."""

    done: int
    total: int
    before: int
    """Runs that were done before this session."""
    counts: Counter[str]
    note: str = ""
    """For searches: the generation and what is on the front."""


Watch = Callable[[Progress], None]


def category(run: RunRecord) -> str:
    """The one word for a run in counts: its outcome, or why it has none."""
    return _category(run.status, run.outcome, crashed=run.crash is not None)


def _category(status: Status, outcome: Outcome | None, *, crashed: bool) -> str:
    if broke(status, crashed=crashed) == HANG:
        return HANG
    if status in {Status.INVALID, Status.SUBJECT_CRASH} or outcome is None:
        return status.value
    return outcome.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """How far a campaign is, without reading its runs one by one."""

    plan: Plan
    study: str
    title: str
    planned: int
    counts: Mapping[str, int]
    """As in a Summary: pass, fail, inconclusive, subject_crash, hang, invalid."""

    @property
    def done(self) -> int:
        """Runs in the ledger."""
        return sum(self.counts.values())


def glance(folder: str | Path) -> Glance:
    """How far a campaign is, running or not. InputError or StoreError if the folder cannot be read."""
    folder = Path(folder)
    plan, _ = read_plan(folder)
    kept = read_study(folder) if (folder / STUDY).exists() else StudyRecord(name=plan.study, title="")
    proposed = plan.disturbed or plan.own_strategy is not None
    rows = count_runs(folder, plan.ledger)
    counts: Counter[str] = Counter()
    if rows is None:
        planned = 0 if proposed else plan.own_runs
    else:
        for status, outcome, crashed, number in rows.runs:
            counts[_category(status, outcome, crashed=crashed)] += number
        # Which worlds are sure, and which tests a strategy proposed, only the rows themselves tell.
        planned = load(folder).wanted_runs if proposed or plan.until_sure is not None else plan.own_runs
    return Glance(plan=plan, study=kept.name, title=kept.title, planned=planned, counts=counts)


def digest(results: Results) -> str:
    """SHA-256 over every run: its id, how it ended, its outcome, the digest of its trace and all verdicts."""
    total = hashlib.sha256()
    for judged in in_id_order(results.runs):
        total.update(digested(judged))
    return total.hexdigest()


def digested(judged: JudgedRun) -> bytes:
    """What the digest of a campaign takes in of a run; runs come by rising id."""
    return ("\x1f".join(texts_of(judged)) + "\x1e").encode()


def texts_of(judged: JudgedRun) -> Iterator[str]:
    """What of a run does not depend on where and when it was done."""
    run = judged.run
    yield from (run.id, run.status.value, "" if run.outcome is None else run.outcome.value, run.digest)
    both = [(v, "on") for v in judged.verdicts] + [(v, "off") for v in judged.others]
    for verdict, state in sorted(both, key=lambda pair: pair[0].property):
        yield state
        yield from _verdict_texts(verdict)


def _verdict_texts(verdict: Verdict) -> Iterator[str]:
    yield from (verdict.property, verdict.outcome.value, repr(verdict.margin), verdict.unit, repr(verdict.at_s))
    yield from (verdict.subcase or "", verdict.note)
    for violation in verdict.violations:
        yield f"{violation.start_s!r}:{violation.end_s!r}:{violation.subcase or ''}"
