"""One run as a test case of other tools: what it is called, how it ended, what to say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from stressfield.analysis import Summary, Triage
from stressfield.oracle import Outcome, Verdict
from stressfield.report.words import case_name, command, sentence
from stressfield.run import JudgedRun, RunRecord, Status

Kind = Literal["passed", "failed", "known", "crashed", "invalid", "inconclusive", "unjudged"]
"""``unjudged``: inconclusive, as all others: to skip it would make a green build of a campaign that says nothing."""


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


def case_texts(summary: Summary, found: Triage | None = None) -> dict[str, CaseText]:
    """All runs by id. ``found`` says which findings are known."""
    shown: dict[str, list[str]] = {}
    for finding in summary.findings:
        for run_id in finding.run_ids:
            shown.setdefault(run_id, []).append(finding.id)
    known = _known_cases(found)
    return {
        run_id: _text(summary, judged, known, tuple(shown.get(run_id, ())) if found is not None else ())
        for run_id, judged in summary.runs.items()
    }


def verdict_line(verdict: Verdict, summary: Summary) -> str:
    """``P5_1 No collision with plants or stakes: after the U-turn; margin -0.03 m at 12.1 s``."""
    prop = summary.property_of(verdict.property)
    title = sentence(prop.title) if prop else ""
    line = f"{case_of(verdict.property, verdict.subcase)} {title}".strip()
    explanation = (prop.words(verdict.subcase) if prop else "") or wordy(verdict.subcase)
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


def _known_cases(found: Triage | None) -> dict[tuple[str, str | None], str]:
    if found is None:
        return {}
    return {(finding.property, finding.subcase): issue.reason for finding, issue in found.known}


def _text(
    summary: Summary,
    judged: JudgedRun,
    known: Mapping[tuple[str, str | None], str],
    findings: tuple[str, ...],
) -> CaseText:
    run, scenario = judged.run, summary.scenarios[judged.run.scenario_id]
    kind, message, details = _ending(summary, judged, known)
    return CaseText(
        name=f"{summary.results.plan.noun} {scenario.index} repeat {run.repeat}",
        kind=kind,
        message=message,
        details=details,
        descriptor=scenario.descriptor,
        command=command("stressfield", summary.results.plan.again_verb, summary.results.folder, run.id),
        findings=findings,
    )


def _ending(summary: Summary, judged: JudgedRun, known: Mapping[tuple[str, str | None], str]) -> tuple[Kind, str, str]:
    run, failing = judged.run, judged.failures
    if run.status is Status.INVALID:
        return "invalid", f"invalid: {_first_line(run.trouble)}", _with_traceback(run)
    if failing:
        return _failing(summary, run, failing, known)
    if run.outcome is Outcome.PASS:
        return "passed", "", ""
    undecided = [
        verdict_line(verdict, summary) for verdict in judged.verdicts if verdict.outcome is Outcome.INCONCLUSIVE
    ]
    why = run.trouble or (undecided[0] if undecided else "no property was judged")
    message, details = f"inconclusive: {_first_line(why)}", "\n".join([run.trouble, *undecided]).strip()
    if summary.nothing_judged:
        return "unjudged", f"nothing was judged; {message}", details
    return "inconclusive", message, details


def _failing(
    summary: Summary, run: RunRecord, failing: Sequence[Verdict], known: Mapping[tuple[str, str | None], str]
) -> tuple[Kind, str, str]:
    details = _with_traceback(run) or "\n".join(verdict_line(verdict, summary) for verdict in failing)
    new = [verdict for verdict in failing if (verdict.property, verdict.subcase) not in known]
    if not new:
        reasons = list(dict.fromkeys(known[(verdict.property, verdict.subcase)] for verdict in failing))
        return "known", f"known issue: {'; '.join(reasons)}", details
    if run.broke is not None:
        return "crashed", f"{run.broke}: {_first_line(run.trouble)}", details
    return "failed", verdict_line(new[0], summary), details


def _with_traceback(run: RunRecord) -> str:
    return f"{run.trouble}\n\n{run.crash.traceback if run.crash else ''}".strip()


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else "no reason was given"
