"""The last screen of a campaign: what happened, what broke, and what to type next."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from stressfield.analysis import Finding
from stressfield.analysis.monitors import HEADINGS, from_metrics, pooled, rows
from stressfield.campaign import Plan, Results
from stressfield.cli.echo import echo
from stressfield.cli.progress import counted
from stressfield.cli.summary import PropertyCount, Summary
from stressfield.cli.table import columns
from stressfield.oracle import Property
from stressfield.report.extra_tables import published_tables
from stressfield.report.text import cell_words
from stressfield.run import JudgedRun
from stressfield.study import Study

MOST_FINDINGS = 12
MOST_TROUBLES = 3


def show_summary(summary: Summary, properties: Mapping[str, Property], *, tables: bool = False) -> None:
    """Print counts and findings; with ``tables`` also each property and sub-case and the repeatability."""
    steady = summary.consistency
    line = f" {counted(summary.counts)}"
    if steady.repeats > 1:
        complete = sum(steady.histogram)
        change = sum(world.inconsistent for world in steady.worlds)
        of = max(complete, len(steady.worlds))
        line += f"        {change} of {of} {summary.results.plan.noun}s change their verdict between repeats"
    echo(line)
    if len(summary.results.runs) < summary.planned:
        echo(f" {len(summary.results.runs)} of {summary.planned} runs are done.")
    if tables:
        _show_properties(summary, properties)
        _show_repeats(summary)
    _show_findings(summary, properties)
    _show_trouble(summary)


def show_published(results: Results, study: Study) -> None:
    """The study's published figures beside ours, if it has any."""
    for table in published_tables(results, study):
        heads = [column.title for column in table.columns]
        rows = [[table.title, *heads[1:]], *([cell_words(cell) for cell in row] for row in table.rows)]
        echo()
        echo(columns(rows, right=range(1, len(table.headers))))


def show_next(summary: Summary, report: Path | None) -> None:
    """The commands to type next."""
    folder = shlex.quote(summary.results.folder)
    parts = []
    if summary.findings:
        parts.append(f"replay:  stressfield replay {folder} {summary.findings[0].id}")
    if report is not None:
        parts.append(f"report:  {report}")
    if parts:
        echo()
        echo(" " + "        ".join(parts))


def _show_findings(summary: Summary, properties: Mapping[str, Property]) -> None:
    rows = [_finding_row(finding, properties) for finding in summary.findings[:MOST_FINDINGS]]
    if rows:
        echo()
        echo(columns(rows, right=(3,)))
    if len(summary.findings) > MOST_FINDINGS:
        echo(f" and {len(summary.findings) - MOST_FINDINGS} more: stressfield results {summary.results.folder}")


def _finding_row(finding: Finding, properties: Mapping[str, Property]) -> list[str]:
    known = properties.get(finding.property)
    name = finding.property if finding.subcase is None else f"{finding.property}.{finding.subcase}"
    what = "" if known is None else known.title
    case = None if known is None else known.subcases.get(finding.subcase or "")
    if case:
        what += f": {case}"
    worst = "" if finding.worst is None else f"worst {finding.worst:.2f} {finding.unit}".rstrip()
    if worst and finding.at_s is not None:
        worst += f" at {finding.at_s:.1f} s"
    when = "" if finding.condition is None else f"when {finding.condition}"
    runs = f"{finding.runs} run{'' if finding.runs == 1 else 's'}"
    return [finding.id, name, what, runs, worst, when]


def _show_trouble(summary: Summary) -> None:
    kinds: dict[str, list[str]] = {}
    for judged in summary.troubled:
        kinds.setdefault(judged.run.status.value, []).append(f"{judged.run.id}: {judged.run.trouble}")
    for status, lines in kinds.items():
        echo(f" {status}: {len(lines)} run{'' if len(lines) == 1 else 's'}")
        echo("\n".join(f"   {line}" for line in lines[:MOST_TROUBLES]))


def _show_properties(summary: Summary, properties: Mapping[str, Property]) -> None:
    rows = [["property", "", "pass", "fail", "inconclusive", ""]]
    for count in summary.properties:
        rows.append(
            [count.property, count.title, str(count.passed), str(count.failed), str(count.inconclusive), _off(count)]
        )
        known = properties.get(count.property)
        for subcase, fails in count.subcases.items():
            if subcase:
                text = "" if known is None else known.subcases.get(subcase, "")
                rows.append([f"  .{subcase}", text, "", str(fails), "", ""])
    echo()
    echo(columns(rows, right=(2, 3, 4)))


def _off(count: PropertyCount) -> str:
    return "" if count.active else "(off)"


def show_monitors(runs: Sequence[JudgedRun]) -> None:
    """How runtime monitors did, if there are any."""
    scores = pooled(score for judged in runs for score in from_metrics(judged.metrics))
    if scores:
        echo()
        echo(columns([list(HEADINGS), *map(list, rows(scores))], right=range(1, len(HEADINGS))))


def _show_repeats(summary: Summary) -> None:
    steady = summary.consistency
    if steady.repeats < 2:
        return
    echo()
    noun = summary.results.plan.noun
    rows = [[f"failing runs of a {noun}", *(f"{k}/{steady.repeats}" for k in range(steady.repeats + 1))]]
    rows.append([f"{noun}s", *map(str, steady.histogram)])
    echo(columns(rows, right=range(1, steady.repeats + 2)))
    rate = steady.inconsistent
    if rate.share is not None:
        text = f" {rate.share:.0%} of {noun}s are inconsistent (95 % confidence: {rate.low:.0%} to {rate.high:.0%})"
        echo(text)


def title_of(plan: Plan, name: str) -> str:
    """``oz: 80 worlds x 5 runs``, ``hospital, nsga2: 2000 tests x 1 run``."""
    how = "" if plan.fuzzing is None or plan.fuzzing.tests else f", {plan.strategy}"
    return f"{name}{how}: {_counted(plan.worlds, plan.noun)} x {_counted(plan.repeats, 'run')}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
