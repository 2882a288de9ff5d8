"""A campaign as read at one moment: its Summary, its table of runs, its pictures. Rendered, never computed here."""

from __future__ import annotations

import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path
from typing import Any

import numpy as np

from stressfield.analysis import Finding, Summary, settlement, summarise
from stressfield.analysis.findings import name_of
from stressfield.campaign import Results, category, find_study, load
from stressfield.campaign.command import begin_command
from stressfield.campaign.folder import trace_path
from stressfield.campaign.replay import REPLAYS
from stressfield.campaign.tables import ResultTable, table_of
from stressfield.errors import InputError, StressfieldError, TraceError, did_you_mean
from stressfield.machine import read_machines
from stressfield.oracle import Verdict
from stressfield.plugins import is_file
from stressfield.report.figures.tracks import explanation_of
from stressfield.report.gallery import Recordings, case_of, finding_picture, headline_of
from stressfield.report.mechanisms import campaign_mechanisms
from stressfield.report.run.timeline import timeline_text
from stressfield.report.words import brief, command
from stressfield.run import JudgedRun, RunRecord
from stressfield.serve.answers import (
    Campaign,
    CampaignSummary,
    ColumnAnswer,
    DecisionAnswer,
    FindingAnswer,
    FrontAnswer,
    MachineAnswer,
    MechanismAnswer,
    MetricAnswer,
    ParameterAnswer,
    ProgressAnswer,
    PropertyAnswer,
    RunAnswer,
    RunsPage,
    RunView,
    SettlementAnswer,
    SettlementPoint,
    TestAnswer,
    Value,
    ValuesAnswer,
    VerdictAnswer,
    finite,
)
from stressfield.serve.catalogue import CampaignEntry, UnknownError, refuse_elsewhere
from stressfield.serve.triage import mechanism_answer
from stressfield.study import Study
from stressfield.trace import Trace, read_trace

KEPT_MAX = 6
"""Campaigns that are kept in memory as they were last read."""
CONDITIONS_MAX = 20
PARTS_MAX = 60
"""Parts that the verdicts of a campaign are told in."""
TESTS_MAX = 1_000
"""Tests of a search that are told: all of its front first."""
VALUES_MAX = 100_000
"""Runs of which whole columns are told at once."""
_CONDITION = re.compile(r"\s*([^<>=!~\s]+)\s*(<=|>=|!=|=|<|>|~)\s*(.*?)\s*")
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "!=": ne}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which runs: all that are given must hold. ``where`` are conditions on columns: ``parameter.trees >= 12``."""

    category: str = ""
    property: str = ""
    finding: str = ""
    text: str = ""
    where: tuple[str, ...] = ()
    sort: str = ""
    descending: bool = False


class Snapshot:
    """One campaign at one moment."""

    def __init__(self, results: Results, *, trusted: Callable[[str], bool]) -> None:
        self.results = results
        self._trusted = trusted
        self._drawing = threading.Lock()
        self._making = threading.Lock()

    # A page asks for several things at once, each in a thread: whoever comes second waits for what the first one makes.
    # ``cached_property`` alone locks in Python 3.11 only.

    @property
    def summary(self) -> Summary:
        """What it says."""
        with self._making:
            return self._summary

    @property
    def table(self) -> ResultTable:
        """Its runs with parameters, margins and metrics as columns."""
        with self._making:
            return self._table

    @cached_property
    def _summary(self) -> Summary:
        return summarise(self.results)

    @cached_property
    def _table(self) -> ResultTable:
        return table_of(self.results, "runs")

    @cached_property
    def recordings(self) -> Recordings:
        """What draws runs. Worlds are built by the study, if its code may run here; else they are read from files."""
        return Recordings(self.summary, self._study())

    def _study(self) -> Study | None:
        plan = self.results.plan
        if is_file(plan.study) and not self._trusted(plan.study):
            return None
        try:
            found = find_study(plan.study)
        except StressfieldError:
            return None
        return found if found.name == self.results.study.name else None

    def summary_answer(self, campaign: Campaign) -> CampaignSummary:
        """Everything but findings and runs, which are asked for by themselves."""
        summary, rate = self.summary, self.summary.rate
        return CampaignSummary(
            campaign=campaign,
            failing_share=rate.share,
            failing_low=rate.low,
            failing_high=rate.high,
            sampled=summary.sampled,
            nothing_judged=summary.nothing_judged,
            command=begin_command(self.results.plan, self.results.folder, out=self.results.folder) or "",
            properties=[
                PropertyAnswer(
                    name=prop.name, title=prop.title, kind=prop.kind, on=prop.on, passed=prop.passed,
                    failed=prop.failed, inconclusive=prop.inconclusive,
                )
                for prop in summary.properties
            ],
            metrics=[
                MetricAnswer(
                    name=metric.name, runs=metric.runs, lowest=finite(metric.lowest), median=finite(metric.median),
                    highest=finite(metric.highest),
                )
                for metric in summary.metrics
            ],
            versions=self.results.versions,
            digest=summary.digest,
        )  # fmt: skip

    def findings(self, decided: Mapping[str, DecisionAnswer]) -> list[FindingAnswer]:
        """The gravest first, each with what was decided about it."""
        return [self._finding(found, decided.get(found.id)) for found in self.summary.findings]

    def finding(self, finding: str, decided: Mapping[str, DecisionAnswer]) -> FindingAnswer:
        """One of them; UnknownError if there is none of that number."""
        found = self._found(finding)
        return self._finding(found, decided.get(found.id))

    def _finding(self, found: Finding, decided: DecisionAnswer | None) -> FindingAnswer:
        runs = self.summary.runs
        properties = {prop.name: prop for prop in self.results.study.properties}
        return FindingAnswer(
            id=found.id,
            case=case_of(found),
            headline=headline_of(found, properties),
            property=found.property,
            subcase=found.subcase,
            runs=found.runs,
            worlds=found.worlds,
            worst=finite(found.worst),
            unit=found.unit,
            at_s=finite(found.at_s),
            condition=found.condition,
            example_run=found.example_run_id,
            example_descriptor=found.example_descriptor,
            pictured=any(runs[run_id].run.trace_file is not None for run_id in found.run_ids),
            told=found.told,
            decided=decided,
        )

    def picture(self, finding: str, *, of: tuple[str, str] | None = None) -> str:
        """The picture of a finding, as SVG: the one with that number, or ``of`` that property and example run."""
        found = self._found(finding) if of is None else self._meant(*of)
        with self._drawing:  # one at a time: the worlds that were made are kept, and study code is not for threads
            return str(finding_picture(self.recordings, found))

    def _meant(self, prop: str, run: str) -> Finding:
        for found in self.summary.findings:
            if (found.property, found.example_run_id) == (prop, run):
                return found
        raise UnknownError(
            f"No finding of {prop!r:.80} has the example run {run!r:.80} any more. Ask for findings again."
        )

    def finding_of(self, prop: str, subcase: str | None) -> Finding:
        """The finding of a property and a sub-case; UnknownError if there is none."""
        for found in self.summary.findings:
            if (found.property, found.subcase) == (prop, subcase):
                return found
        raise UnknownError(f"The campaign has no finding of {name_of(prop, subcase)!r:.200}.")

    def _found(self, finding: str) -> Finding:
        try:
            return self.summary.finding(finding)
        except InputError as error:
            raise UnknownError(str(error)) from None

    def run(self, run_id: str) -> JudgedRun:
        """The run with that id; UnknownError if there is none."""
        found = self.summary.runs.get(run_id)
        if found is None:
            raise UnknownError(f"The campaign has no run {run_id!r:.80}.")
        return found

    def run_answer(self, run_id: str) -> RunAnswer:
        """Everything about a run but its recording."""
        judged = self.run(run_id)
        run, scenario = judged.run, self.results.scenario_of(judged.run)
        order = list(self.summary.runs)
        place = order.index(run_id)
        docs = {record.path: record for record in self.results.study.parameters}
        return RunAnswer(
            id=run.id,
            world=scenario.index,
            repeat=run.repeat,
            seed=str(run.seed),
            build=run.build,
            status=run.status.value,
            outcome=None if run.outcome is None else run.outcome.value,
            category=category(run),
            simulated_s=run.simulated_s,
            wall_s=run.wall_s,
            descriptor=scenario.descriptor,
            parameters=[
                ParameterAnswer(
                    name=name, value=_plain(value), unit=docs[name].unit if name in docs else "",
                    doc=docs[name].doc if name in docs else "",
                )
                for name, value in scenario.parameters.items()
            ],
            disturbances=[brief(operation) for operation in scenario.disturbances],
            verdicts=[
                *(self._verdict(verdict, counts=True) for verdict in judged.verdicts),
                *(self._verdict(verdict, counts=False) for verdict in judged.others),
            ],
            metrics={name: finite(value) for name, value in judged.metrics.items()},
            unmeasured=dict(judged.unmeasured),
            findings=[found.id for found in self.summary.findings if run_id in found.run_ids],
            trouble=run.told,
            ended_by=run.ended_by,
            recorded=self._is_recorded(run),
            made_again=run.trace_file is None and self._is_recorded(run),
            command=command("stressfield", "replay", self.results.folder, run.id),
            before=order[place - 1] if place else None,
            after=order[place + 1] if place + 1 < len(order) else None,
        )  # fmt: skip

    def _verdict(self, verdict: Verdict, *, counts: bool) -> VerdictAnswer:
        prop = next((prop for prop in self.results.study.properties if prop.name == verdict.property), None)
        return VerdictAnswer(
            property=verdict.property,
            title="" if prop is None else prop.title,
            outcome=verdict.outcome.value,
            counts=counts,
            margin=finite(verdict.margin),
            unit=verdict.unit,
            at_s=finite(verdict.at_s),
            subcase=verdict.subcase,
            words=explanation_of(prop, verdict.subcase),
            note=verdict.note,
            violations=[(violation.start_s, violation.end_s) for violation in verdict.violations],
        )

    def view(self, run_id: str) -> RunView:
        """What the player shows of a run. TraceError says why it cannot."""
        judged = self.run(run_id)
        with self._drawing:
            recordings = self.recordings
            blank = recordings.play(judged, recordings.scenario(judged.run.scenario_id), self.trace(judged))
            if blank:
                raise UnknownError(blank)
            return RunView(
                world=recordings.worlds[judged.run.scenario_id], run=dict(recordings.played.pop(judged.run.id))
            )

    def recording_of(self, run: RunRecord) -> Path | None:
        """The recording of a run: kept by the campaign, or made again since by ``stressfield replay``.

        None if there is none; TraceError if it cannot be used.
        """
        folder = Path(self.results.folder)
        if run.trace_file is not None:
            return trace_path(folder, run.trace_file)
        return (
            trace_path(folder, f"{REPLAYS}/{run.id}.mcap") if (folder / REPLAYS / f"{run.id}.mcap").exists() else None
        )

    def _is_recorded(self, run: RunRecord) -> bool:
        """Whether there is one to look at; one that was kept and is damaged says so when it is looked at."""
        if run.trace_file is not None:
            return True
        try:
            return self.recording_of(run) is not None
        except TraceError:
            return False

    def _trace_made_again(self, judged: JudgedRun) -> Trace:
        """What was made again is shown only if it is what the campaign saw, bit for bit."""
        path = self.recording_of(judged.run)
        if path is None:
            raise TraceError("No recording of this run was kept. It can be simulated again, exactly.")
        trace = read_trace(path)
        if trace.digest() != judged.run.digest:
            raise TraceError(
                "The run was simulated again and came out otherwise: the study or the rig has changed since. "
                f"{command('stressfield', 'replay', self.results.folder, judged.run.id)} says what differs."
            )
        return trace

    def progress(self) -> ProgressAnswer:
        """How far its answer is settled, how runs ended over time, which machines did them."""
        found = settlement(self.summary)
        columns = self.summary.columns
        endings = columns.endings(np.arange(len(columns)))
        size = max(1, -(-len(endings) // PARTS_MAX))
        return ProgressAnswer(
            settlement=None
            if found is None
            else SettlementAnswer(
                points=[
                    SettlementPoint(worlds=rate.total, share=rate.share or 0.0, low=rate.low, high=rate.high)
                    for rate in found.points
                ],
                settled_after=found.settled_after,
                waiting=found.waiting,
            ),
            verdicts=[dict(Counter(endings[start : start + size])) for start in range(0, len(endings), size)],
            front=self._front(),
            machines=[
                MachineAnswer(name=each.name, processor=each.processor, cores=each.cores, runs=each.runs)
                for each in read_machines(Path(self.results.folder))
            ],
        )

    def _front(self) -> FrontAnswer | None:
        found = self.summary.search
        if found is None:
            return None
        worlds = {world.scenario_id: world.run_ids for world in self.summary.worlds}
        best = {scored.test.scenario_id for scored in found.front}
        others = [scored for scored in found.scored if scored.test.scenario_id not in best]
        return FrontAnswer(
            objectives=list(found.objectives.names),
            highest=list(found.objectives.highest),
            tests=[
                TestAnswer(
                    test=scored.test.index,
                    values=[finite(value) for value in scored.values],
                    on_front=scored.test.scenario_id in best,
                    run=next(iter(worlds.get(scored.test.scenario_id, ())), ""),
                    disturbances=[
                        brief(operation) for operation in self.summary.scenarios[scored.test.scenario_id].disturbances
                    ],
                )
                for scored in (*found.front, *others)[:TESTS_MAX]
            ],
            unscored=len(found.unscored),
        )

    def mechanisms(self) -> list[MechanismAnswer]:
        """What was hit, with what, doing what: read from the recordings of the clearest runs."""
        found = campaign_mechanisms(self.recordings, guard=self._drawing)
        return [mechanism_answer(each) for each in found]

    def values(self, names: Sequence[str], filters: Filters) -> ValuesAnswer:
        """Whole columns of the table of runs."""
        columns = self.table.columns
        for name in names:
            if name not in columns:
                raise InputError(f"Runs have no column {name!r:.80}.{did_you_mean(name[:80], columns)}")
        places = self._sorted(self._chosen(filters), filters)
        shown = places[:VALUES_MAX]
        runs = [self.results.runs[place].run for place in shown]
        return ValuesAnswer(
            runs=[run.id for run in runs],
            categories=[category(run) for run in runs],
            worlds=[self.results.scenario_of(run).index for run in runs],
            values={name: [_plain(columns[name].values[place]) for place in shown] for name in names},
            total=len(places),
        )

    def trace(self, judged: JudgedRun) -> Trace:
        """The recording of a run, kept or made again. TraceError says why there is none."""
        return self.recordings.trace(judged) if judged.run.trace_file is not None else self._trace_made_again(judged)

    def timeline(self, run_id: str, *, start_s: float, end_s: float | None, steps: int) -> str:
        """What happened in a run, as text. TraceError says why it cannot be told."""
        judged = self.run(run_id)
        with self._drawing:
            return timeline_text(
                self.trace(judged),
                judged.verdicts,
                self.recordings.properties,
                start_s=start_s,
                end_s=end_s,
                steps=steps,
            )

    def runs_page(self, filters: Filters, *, offset: int, limit: int) -> RunsPage:
        """A page of the table of runs."""
        columns = self.table.columns
        places = self._sorted(self._chosen(filters), filters)
        shown = places[offset : offset + limit]
        docs = {f"parameter.{record.path}": record for record in self.results.study.parameters}
        return RunsPage(
            columns=[
                ColumnAnswer(
                    name=name, kind=column.kind.__name__, doc=docs[name].doc if name in docs else "",
                    unit=docs[name].unit if name in docs else "",
                )
                for name, column in columns.items()
            ],
            rows=[[_plain(column.values[place]) for column in columns.values()] for place in shown],
            total=len(places),
            offset=offset,
        )  # fmt: skip

    def _chosen(self, filters: Filters) -> list[int]:
        runs = self.results.runs
        places: Sequence[int] = range(len(runs))
        if filters.category:
            places = [place for place in places if category(runs[place].run) == filters.category]
        if filters.property:
            places = [p for p in places if any(v.property == filters.property for v in runs[p].failures)]
        if filters.finding:
            wanted = set(self._found(filters.finding).run_ids)
            places = [place for place in places if runs[place].run.id in wanted]
        for condition in filters.where:
            holds = self._condition(condition)
            places = [place for place in places if holds(place)]
        if filters.text:
            text = filters.text.lower()
            words = [self.table.columns[name].values for name in ("run", "descriptor", "crash", "trouble")]
            places = [p for p in places if any(text in str(values[p] or "").lower() for values in words)]
        return list(places)

    def _condition(self, text: str) -> Callable[[int], bool]:
        """A condition on a column; a run that has no such value does not meet it."""
        match = _CONDITION.fullmatch(text[:200])
        if match is None:
            raise InputError(f"Cannot read the condition {text!r:.80}. Wanted such as: parameter.trees >= 12")
        name, sign, wanted = match.groups()
        column = self.table.columns.get(name)
        if column is None:
            raise InputError(f"Runs have no column {name!r:.80}.{did_you_mean(name[:80], self.table.columns)}")
        values = column.values
        if sign == "~":
            return lambda place: wanted.lower() in str(values[place] if values[place] is not None else "").lower()
        against: Value = wanted
        if column.kind in (int, float):
            try:
                against = float(wanted)
            except ValueError:
                raise InputError(f"The column {name} holds numbers, got {wanted!r:.80}.") from None
        elif column.kind is bool:
            if wanted not in ("true", "false"):
                raise InputError(f"The column {name} is true or false, got {wanted!r:.80}.")
            against = wanted == "true"
        compared = _COMPARED[sign]
        return lambda place: values[place] is not None and compared(values[place], against)

    def _sorted(self, places: list[int], filters: Filters) -> list[int]:
        if not filters.sort:
            return places
        column = self.table.columns.get(filters.sort)
        if column is None:
            raise InputError(
                f"Cannot sort by {filters.sort!r:.80}: runs have no such column."
                f"{did_you_mean(filters.sort[:80], self.table.columns)}"
            )
        known: list[int] = [place for place in places if column.values[place] is not None]
        known.sort(key=lambda place: column.values[place], reverse=filters.descending)  # type: ignore[arg-type,return-value]
        return known + [place for place in places if column.values[place] is None]  # what is missing comes last


def _plain(value: Value) -> Value:
    return finite(value) if isinstance(value, float) else value


class Snapshots:
    """Campaigns as they were last read, a few of them. Each is read by one thread, whoever else asks meanwhile."""

    def __init__(self, *, trusted: Callable[[str], bool]) -> None:
        self._trusted = trusted
        self._kept: OrderedDict[str, tuple[int, Snapshot]] = OrderedDict()
        self._lock = threading.Lock()
        self._reading: dict[str, threading.Lock] = {}

    def of(self, entry: CampaignEntry, version: int) -> Snapshot:
        """The campaign in at least that version."""
        with self._lock:
            reading = self._reading.setdefault(entry.id, threading.Lock())
        with reading:
            with self._lock:
                kept = self._kept.get(entry.id)
            if kept is not None and kept[0] >= version:
                return kept[1]
            refuse_elsewhere(entry.folder)
            made = Snapshot(load(entry.folder, whole=True), trusted=self._trusted)
            with self._lock:
                self._kept[entry.id] = (version, made)
                self._kept.move_to_end(entry.id)
                while len(self._kept) > KEPT_MAX:
                    del self._reading[self._kept.popitem(last=False)[0]]
            return made
