"""Findings as sentences and table rows."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.analysis import Finding
from stressfield.report.facts import Facts
from stressfield.report.figures.tracks import explanation_of
from stressfield.report.words import case_name, command, counted, figure, seconds, sentence

_PREPOSITIONS = {"after", "at", "before", "between", "during", "in", "near", "on", "outside", "when", "while", "with"}


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding in plain words."""

    id: str
    case: str
    headline: str
    runs: int
    worlds: int
    worst: str
    worst_value: float | None
    unit: str
    at: str
    at_s: float | None
    condition: str
    extent: str
    example: str
    command: str


def finding_rows(facts: Facts, *, folder: str) -> tuple[FindingRow, ...]:
    """All findings, the gravest first."""
    return tuple(_row(facts, finding, folder) for finding in facts.findings)


def headline(title: str, explanation: str) -> str:
    """``No collision: violated after the U-turn``, ``Rows in the right order: skips a row``."""
    when = explanation.split(" ", 1)[0].lower() in _PREPOSITIONS
    return f"{sentence(title)}: {'violated ' if when or not explanation else ''}{explanation}".strip()


def _row(facts: Facts, finding: Finding, folder: str) -> FindingRow:
    properties = {one.name: one for one in facts.study.oracle.properties}
    prop = properties.get(finding.property)
    title = prop.title if prop else finding.property
    explanation = explanation_of(prop, finding.subcase)
    return FindingRow(
        id=finding.id,
        case=case_name(finding.property, finding.subcase),
        headline=headline(title, explanation),
        runs=finding.runs,
        worlds=finding.worlds,
        worst=figure(finding.worst, finding.unit),
        worst_value=finding.worst,
        unit=finding.unit,
        at=seconds(finding.at_s),
        at_s=finding.at_s,
        condition=finding.condition or "",
        extent=f"Seen in {counted(finding.runs, 'run')} in {counted(finding.worlds, facts.results.plan.noun)}.",
        example=finding.example_run_id,
        command=command("stressfield", "replay", folder, finding.id),
    )
