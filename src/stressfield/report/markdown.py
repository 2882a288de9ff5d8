"""The Summary of a campaign in Markdown, as GitHub and GitLab show it beside a build."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.analysis import Finding, KnownIssue, Summary, Triage
from stressfield.analysis.findings import name_of
from stressfield.analysis.summary import BROKE
from stressfield.report.case_text import case_of, wordy
from stressfield.report.page import Column, Rich, Table, Words
from stressfield.report.sections.overview import reproduce
from stressfield.report.tables import published_tables
from stressfield.report.text import markdown_code, markdown_text, table_markdown
from stressfield.report.words import command, counted, figure, sentence

TROUBLES_MAX = 5
TROUBLE_LONGEST = 300
"""Letters of a trouble that are told: tracebacks may be long."""
ENDINGS = {
    "pass": "passed",
    "fail": "failed",
    "inconclusive": "inconclusive",
    "subject_crash": "crashed",
    "hang": "hung",
    "invalid": "invalid",
}


def markdown_summary(summary: Summary, found: Triage) -> str:
    """Headline, counts, findings, known issues, trouble, published figures, and the command to do it again."""
    results, plan = summary.results, summary.results.plan
    size = f"{counted(len(results.scenarios), plan.noun)}, {counted(len(results.runs), 'run')}"
    study, build = markdown_text(summary.study), markdown_text(plan.build)
    parts = [
        f"## {_mark(found)} {markdown_text(summary.title)}",
        f"Study **{study}**, build **{build}**, seed {plan.seed}: {size}.",
        table_markdown(Table("", tuple(ENDINGS.values()), [[str(summary.counts.get(name, 0)) for name in ENDINGS]])),
    ]
    if found.nothing_judged:
        parts.append(f"**{markdown_text(found.nothing_judged)}**")
    if found.new:
        parts += ["### Findings", table_markdown(_findings(found.new, summary))]
    if found.known:
        parts += ["### Known issues", table_markdown(_known(found.known, summary))]
    if found.expired:
        parts += ["### Expired: these count again", "\n".join(_expired(issue) for issue in found.expired)]
    if found.unseen:
        lines = [f"- {markdown_text(issue.case())}: {markdown_text(issue.reason)}" for issue in found.unseen]
        parts += ["### Known, but not seen this time", "\n".join(lines)]
    if summary.troubled:
        parts += ["### Trouble", _trouble(summary)]
    if summary.published:
        parts += ["### Published figures", *map(table_markdown, published_tables(summary))]
    parts.append(f"Again: {markdown_code(reproduce(plan, results.folder))}")
    return "\n\n".join(parts) + "\n"


def _mark(found: Triage) -> str:
    if not found.clean:
        return "\N{CROSS MARK}"
    unsure = found.invalid or found.known or found.nothing_judged
    return "\N{WARNING SIGN}" if unsure else "\N{WHITE HEAVY CHECK MARK}"


def _findings(findings: Sequence[Finding], summary: Summary) -> Table:
    rows = [
        [
            finding.id,
            _what(finding, summary),
            str(finding.runs),
            str(finding.worlds),
            figure(finding.worst, finding.unit),
            Words(finding.condition, "code") if finding.condition else "",
            Words(command("stressfield", summary.results.plan.again_verb, summary.results.folder, finding.id), "code"),
        ]
        for finding in findings
    ]
    numbers = [Column(title, number=True) for title in ("runs", f"{summary.results.plan.noun}s", "worst margin")]
    return Table("", ("", "what happens", *numbers, "mostly when", "replay"), rows)


def _known(known: Sequence[tuple[Finding, KnownIssue]], summary: Summary) -> Table:
    rows = [
        [finding.id, _what(finding, summary), str(finding.runs), issue.reason, str(issue.expires)]
        for finding, issue in known
    ]
    return Table("", ("", "what happens", Column("runs", number=True), "reason", "expires"), rows)


def _what(finding: Finding, summary: Summary) -> Rich:
    if finding.property in BROKE:
        told = f"{BROKE[finding.property]}: {finding.told.splitlines()[0]}" if finding.told else BROKE[finding.property]
        return Words(name_of(finding.property, finding.subcase), "strong"), f" {told[:TROUBLE_LONGEST]}"
    prop = summary.property_of(finding.property)
    title = sentence(prop.title) if prop and prop.title else finding.property
    explanation = (prop.words(finding.subcase) if prop else "") or wordy(finding.subcase)
    words = f"{title}: {explanation}" if explanation else title
    return Words(case_of(finding.property, finding.subcase), "strong"), f" {words}"


def _expired(issue: KnownIssue) -> str:
    return f"- **{markdown_text(issue.case())}** expired on {issue.expires}: {markdown_text(issue.reason)}"


def _trouble(summary: Summary) -> str:
    troubled = summary.troubled
    runs = [summary.runs[name].run for name in troubled[:TROUBLES_MAX]]
    lines = [
        f"- {run.status.value} in {markdown_code(run.id)}: {markdown_text(run.trouble[:TROUBLE_LONGEST])}"
        for run in runs
    ]
    more = len(troubled) - TROUBLES_MAX
    return "\n".join([*lines, *([f"- and {more} more"] if more > 0 else [])])
