"""The failing runs that a page shows: for each finding the clearest ones, read from their recordings."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from stressfield.analysis import Circumstance, Finding, Summary, circumstance
from stressfield.analysis.findings import name_of
from stressfield.analysis.summary import BROKE
from stressfield.campaign.folder import SCENARIOS
from stressfield.campaign.scenario_files import shown_scenario
from stressfield.errors import StressfieldError, TraceError
from stressfield.oracle import Evidence
from stressfield.report.figures.run_picture import run_svg
from stressfield.report.figures.tracks import Explained, explanation_of
from stressfield.report.run.view import run_data, world_data
from stressfield.report.words import case_name, sentence
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.scenario import Scenario
from stressfield.study import Study
from stressfield.trace import Trace, read_trace
from stressfield.world import Mission, World

OpenTrace = Callable[[Path], Trace]
CARD_WIDTH = 440
_PREPOSITIONS = {"after", "at", "before", "between", "during", "in", "near", "on", "outside", "when", "while", "with"}


class Recordings:
    """The runs of a campaign in the order of the plan, and what a page plays of them.

    Recordings are read one at a time and let go; of each only the numbers that the player needs are kept, in ``worlds``
    and ``played``.
    """

    def __init__(self, summary: Summary, study: Study | None, *, open_trace: OpenTrace | None = None) -> None:
        self.summary, self.study = summary, study
        self.folder = Path(summary.results.folder)
        self.scenarios = summary.scenarios
        self.runs = summary.runs
        self.properties: Mapping[str, Explained] = {prop.name: prop for prop in summary.results.study.properties}
        self.worlds: dict[str, Any] = {}
        self.played: dict[str, Any] = {}
        self._open = open_trace or read_trace
        self._made: dict[str, Scenario] = {}
        self.circumstances: dict[tuple[str, str], Circumstance] = {}
        """What runs did when they failed, by the name of a finding and the run: kept from what was read."""

    def in_order(self, run_ids: Iterable[str]) -> list[JudgedRun]:
        """These runs in the order of the plan."""
        found = [self.runs[run_id] for run_id in run_ids]
        places = {
            name: self.scenarios[name].index if name in self.scenarios else -1
            for name in {judged.run.scenario_id for judged in found}
        }
        return sorted(found, key=lambda judged: (places[judged.run.scenario_id], judged.run.repeat, judged.run.id))

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario of a run, made once."""
        if scenario_id not in self._made:
            record = self.scenarios.get(scenario_id)
            if record is None:
                raise TraceError(f"Scenario {scenario_id!r} of the run is not among the results.")
            self._made[scenario_id] = self._kept(record) if self.study is None else self._built(self.study, record)
        return self._made[scenario_id]

    def _built(self, study: Study, record: ScenarioRecord) -> Scenario:
        return shown_scenario(study, self.summary.results.plan, record)

    def _kept(self, record: ScenarioRecord) -> Scenario:
        """Without the study: its world from the campaign's own files. Of a mission, pictures need nothing."""
        path = self.folder / SCENARIOS / record.id / "world.sdf"
        if not path.is_file() or not path.resolve().is_relative_to(self.folder.resolve()):
            raise TraceError(
                "Its world is built by the study, which may not run here, and was not kept as a file. Let it: "
                "'stressfield serve --allow STUDY.py', 'stressfield report --study STUDY.py'. Or keep worlds: "
                "'stressfield run --export-worlds'."
            )
        limit_s = self.summary.results.plan.limit_s or 0.0
        return Scenario(
            World.from_sdf(path), Mission(limit_s=limit_s), self.summary.study, record.descriptor, record.seed
        )

    def trace(self, judged: JudgedRun) -> Trace:
        """Its recording; TraceError says why there is none."""
        if judged.run.trace_file is None:
            raise TraceError("No recording of this run was kept. The command below makes it again.")
        path = (self.folder / judged.run.trace_file).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            raise TraceError("The recording of this run lies outside the campaign's folder, so it was not read.")
        if not path.is_file():
            raise TraceError("The recording of this run is missing. The command below makes it again.")
        return self._open(path)

    def note(self, judged: JudgedRun, findings: Iterable[Finding], evidence: Evidence | None) -> None:
        """Keep what a run did when it failed as these findings say; without evidence that is not known."""
        record = self.scenarios[judged.run.scenario_id]
        for finding in findings:
            key = name_of(finding.property, finding.subcase), judged.run.id
            self.circumstances[key] = circumstance(judged, record, finding, evidence)

    def play(self, judged: JudgedRun, scenario: Scenario, trace: Trace) -> str:
        """Take in what the player needs of a run. Returns why it cannot be shown, or an empty text."""
        data = run_data(
            scenario, trace, judged.verdicts, self.properties, oracle=self.study.oracle if self.study else None,
            series=self.study.series if self.study else None,
        )  # fmt: skip
        if data is None:
            return "The recording holds no position of a robot."
        run = judged.run
        self.worlds.setdefault(run.scenario_id, world_data(scenario.world))
        self.played[run.id] = {"world": run.scenario_id, **data}
        return ""


@dataclass(frozen=True, slots=True)
class Group:
    """The shown runs of one finding; ``elsewhere`` are shown under another, ``hidden`` not at all."""

    finding: str
    runs: tuple[str, ...]
    elsewhere: int
    hidden: int


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """Runs by finding, and a picture of each of the first findings."""

    groups: tuple[Group, ...]
    why_blank: Mapping[str, str]
    """Every run that is shown, and why it cannot be played: an empty text if it can."""
    pictures: Mapping[str, Markup]
    pictured: Mapping[str, str]
    """The run of each of these pictures: the clearest that has a recording."""

    def shows(self, run_id: str) -> bool:
        """Whether the page has a place for that run."""
        return run_id in self.why_blank


def gallery(recordings: Recordings, *, most: int, cards: int) -> Gallery:
    """Pick the runs, read and thin their recordings."""
    findings = recordings.summary.findings
    picked = pick(recordings.summary, most)
    wanted = {run_id for ids in picked.values() for run_id in ids}
    chosen = {
        finding.id: clearest
        for finding in findings[:cards]
        if (clearest := _recorded(finding, recordings.summary, wanted))
    }
    shown_by = {finding.id: wanted.intersection(finding.run_ids) for finding in findings}
    why_blank: dict[str, str] = {}
    pictures: dict[str, Markup] = {}
    for judged in recordings.in_order(wanted):
        run_id = judged.run.id
        try:
            trace = recordings.trace(judged)  # first: a world is built in vain where no recording was kept
            scenario = recordings.scenario(judged.run.scenario_id)
            why_blank[run_id] = recordings.play(judged, scenario, trace)
        except StressfieldError as error:
            why_blank[run_id] = str(error)
        if not why_blank[run_id]:
            shown = [finding for finding in findings if run_id in shown_by[finding.id]]
            recordings.note(judged, shown, Evidence(trace, scenario))
            for finding in findings[:cards]:
                if chosen.get(finding.id) == run_id:
                    pictures[finding.id] = _card(recordings, finding, judged, scenario, trace)
    groups = tuple(
        Group(
            finding=finding.id,
            runs=tuple(picked[finding.id]),
            elsewhere=sum(run_id in wanted and run_id not in picked[finding.id] for run_id in finding.run_ids),
            hidden=sum(run_id not in wanted for run_id in finding.run_ids),
        )
        for finding in findings
    )
    return Gallery(groups, why_blank, pictures, {name: chosen[name] for name in pictures})


def finding_picture(recordings: Recordings, finding: Finding) -> Markup:
    """The picture of one finding: its clearest run that has a recording. TraceError if there is none."""
    run_id = _recorded(finding, recordings.summary, set(finding.run_ids))
    if run_id is None:
        raise TraceError(f"No recording of a run with finding {finding.id} was kept.")
    judged = recordings.runs[run_id]
    scenario, trace = recordings.scenario(judged.run.scenario_id), recordings.trace(judged)
    return _card(recordings, finding, judged, scenario, trace)


def _card(recordings: Recordings, finding: Finding, judged: JudgedRun, scenario: Scenario, trace: Trace) -> Markup:
    verdicts = [verdict for verdict in judged.verdicts if verdict.property == finding.property]
    starts = [v.start_s for verdict in verdicts for v in verdict.violations]
    known = finding.at_s is not None and judged.run.id == finding.example_run_id
    at_s = finding.at_s if known else min(starts, default=None)
    return run_svg(
        scenario, trace, verdicts, properties=recordings.properties, width=CARD_WIDTH, near_s=at_s, labels=False
    )


def pick(summary: Summary, most: int) -> dict[str, list[str]]:
    """Run ids by finding, at most ``most`` in all: turn by turn, each finding takes its clearest run not yet taken."""
    # Each passes over those that others have taken: twice as many are enough.
    queues = {finding.id: deque(summary.clearest(finding)[: 2 * most]) for finding in summary.findings}
    picked: dict[str, list[str]] = {finding.id: [] for finding in summary.findings}
    taken: set[str] = set()
    while len(taken) < most and any(queues.values()):
        for name, queue in queues.items():
            while queue and queue[0] in taken:
                queue.popleft()
            if queue and len(taken) < most:
                taken.add(queue[0])
                picked[name].append(queue.popleft())
    return picked


def _recorded(finding: Finding, summary: Summary, shown: set[str]) -> str | None:
    """The clearest run on the page with a recording: a search keeps few."""
    ranked = [run_id for run_id in summary.clearest(finding) if run_id in shown]
    return next((run_id for run_id in ranked if summary.runs[run_id].run.trace_file is not None), None)


def case_of(finding: Finding) -> str:
    """``P5_1``; ``crash`` and ``hang`` alone, whose sub-cases are their headline."""
    return case_name(finding.property, None if finding.property in BROKE else finding.subcase)


def headline_of(finding: Finding, properties: Mapping[str, Explained]) -> str:
    """``No collision: violated after the U-turn``, ``Rows in the right order: skips a row``."""
    if finding.property in BROKE:
        return f"{BROKE[finding.property]}{f': {finding.subcase}' if finding.subcase else ''}"
    prop = properties.get(finding.property)
    explanation = explanation_of(prop, finding.subcase)
    when = explanation.split(" ", 1)[0].lower() in _PREPOSITIONS
    title = sentence(prop.title if prop else finding.property)
    return f"{title}: {'violated ' if when or not explanation else ''}{explanation}".strip()
