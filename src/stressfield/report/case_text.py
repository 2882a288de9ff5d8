"""One run as a test case of other tools: what it is called, how it ended, what to say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from stressfield.campaign.records import Results
from stressfield.oracle import Outcome, Property, Verdict
from stressfield.report.figures.tracks import explanation_of
from stressfield.report.known_issues import Sorted
from stressfield.report.words import case_name, command, sentence
from stressfield.run import JudgedRun, ScenarioRecord, Status
from stressfield.study import Study

Kind = Literal["passed", "failed", "known", "crashed", "invalid", "inconclusive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseText:
    """A run in words. ``message`` is one line, ``details`` all there is to say; both are empty for passed runs."""

    name: str
    kind: Kind
    message: str
    details: str
    descriptor: str
    command: str
    findings: tuple[str, ...]
    """Ids of the findings it shows."""


def case_texts(results: Results, study: Study, found: Sorted | None = None) -> dict[str, CaseText]:
    """All runs by id. ``found`` says which findings are known."""
    scenarios = {one.id: one for one in results.scenarios}
    properties = {one.name: one for one in study.oracle.properties}
    named = () if found is None else (*found.new, *(one for one, _ in found.known))
    shown: dict[str, list[str]] = {}
    for finding in sorted(named, key=lambda one: int(one.id[1:])):
        for run_id in finding.run_ids:
            shown.setdefault(run_id, []).append(finding.id)
    known = _known_cases(found)
    return {
        one.run.id: _text(results, one, scenarios[one.run.scenario_id], properties, known, found,
                          tuple(shown.get(one.run.id, ())))
        for one in results.runs
    }  # fmt: skip


def verdict_line(verdict: Verdict, properties: Mapping[str, Property]) -> str:
    """``P5_1 No collision with plants or stakes: after the U-turn; margin -0.03 m at 12.1 s``."""
    prop = properties.get(verdict.property)
    title = sentence(prop.title) if prop else ""
    line = f"{case_of(verdict.property, verdict.subcase)} {title}".strip()
    explanation = explanation_of(prop, verdict.subcase) or wordy(verdict.subcase)
    line += f": {explanation}" if explanation else ""
    if verdict.margin is not None:
        line += f"; margin {verdict.margin:.3g} {verdict.unit}".rstrip()
    if verdict.at_s is not None:
        line += f" at {verdict.at_s:.1f} s"
    return f"{line}; {verdict.note}" if verdict.note else line


def case_of(property_: str, subcase: str | None) -> str:
    """``P5_1``; sub-cases in words, such as ``gave up``, are no part of the name."""
    return property_ if wordy(subcase) else case_name(property_, subcase)


def wordy(subcase: str | None) -> str:
    """The sub-case, if it is more than a number or a letter."""
    return subcase if subcase is not None and len(subcase) > 3 else ""


def _known_cases(found: Sorted | None) -> dict[tuple[str, str | None], str]:
    if found is None:
        return {}
    return {(finding.property, finding.subcase): issue.reason for finding, issue in found.known}


def _text(
    results: Results,
    judged: JudgedRun,
    scenario: ScenarioRecord,
    properties: Mapping[str, Property],
    known: Mapping[tuple[str, str | None], str],
    found: Sorted | None,
    findings: tuple[str, ...],
) -> CaseText:
    run = judged.run
    kind, message, details = _ending(judged, properties, known, found)
    return CaseText(
        name=f"{results.plan.noun} {scenario.index} repeat {run.repeat}",
        kind=kind,
        message=message,
        details=details,
        descriptor=scenario.descriptor,
        command=command("stressfield", "replay", results.folder, run.id),
        findings=findings,
    )


def _ending(
    judged: JudgedRun,
    properties: Mapping[str, Property],
    known: Mapping[tuple[str, str | None], str],
    found: Sorted | None,
) -> tuple[Kind, str, str]:
    run = judged.run
    if run.status is Status.INVALID:
        return "invalid", f"invalid: {_first_line(run.trouble)}", run.trouble
    if run.status is Status.SUBJECT_CRASH:
        excused = found is not None and found.known_crashes > 0
        words = "known issue: " if excused else ""
        return "known" if excused else "crashed", f"{words}subject_crash: {_first_line(run.trouble)}", run.trouble
    failing = [one for one in judged.verdicts if one.outcome is Outcome.FAIL]
    if failing:
        lines = [verdict_line(one, properties) for one in failing]
        new = [one for one in failing if (one.property, one.subcase) not in known]
        if new:
            return "failed", verdict_line(new[0], properties), "\n".join(lines)
        reasons = list(dict.fromkeys(known[(one.property, one.subcase)] for one in failing))
        return "known", f"known issue: {'; '.join(reasons)}", "\n".join(lines)
    if run.outcome is Outcome.PASS:
        return "passed", "", ""
    open_ones = [verdict_line(one, properties) for one in judged.verdicts if one.outcome is Outcome.INCONCLUSIVE]
    why = run.trouble or (open_ones[0] if open_ones else "no property was judged")
    return "inconclusive", f"inconclusive: {_first_line(why)}", "\n".join([run.trouble, *open_ones]).strip()


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else "no reason was given"
