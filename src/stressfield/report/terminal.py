"""The Summary of a campaign on a terminal: one screen with what happened, what broke, and what to type next.

Everything else (properties, repeats, worlds, published figures, monitors, metrics) is asked for with ``details``.
These functions only make text: whoever calls them prints it.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stressfield._files.plain_text import columns
from stressfield.analysis.findings import name_of
from stressfield.analysis.monitors import HEADINGS
from stressfield.analysis.monitors import rows as monitor_rows
from stressfield.analysis.summary import BROKE
from stressfield.campaign import Plan, Searched
from stressfield.report.page import Table
from stressfield.report.tables import listed_tests, published_tables
from stressfield.report.text import cell_words, table_terminal
from stressfield.report.words import brief, counted, plain
from stressfield.search import SpaceSearch
from stressfield.sim.simulator import PACED

if TYPE_CHECKING:
    from stressfield.analysis import Finding, MonitorScore, Summary, Triage

WIDTH = 100
"""Columns of the screen: what is longer is cut, unless details are asked for."""
MOST_FINDINGS, MOST_TESTS, MOST_TROUBLES, MOST_REASONS, MOST_NOTES = 8, 5, 3, 3, 5
"""Rows of the one screen."""
ORDER = ("pass", "fail", "inconclusive", "subject_crash", "hang", "invalid")
WORDS = {"subject_crash": "crashed", "hang": "hung"}


def title_of(plan: Plan, name: str) -> str:
    """``oz: 80 worlds x 5 runs``, ``hospital, nsga2: 2000 tests x 1 run``."""
    searches = isinstance(plan.strategy, SpaceSearch) or plan.own_strategy is not None
    how = (f", {plan.strategy_name}" if searches else "") + (", disturbed" if plan.disturbances else "")
    most = "" if plan.until_sure is None else "at most "
    return f"{name}{how}: {counted(plan.worlds, plan.noun)} x {most}{counted(plan.repeats, 'run')}"


def counts_line(counts: Mapping[str, int]) -> str:
    """``511 pass · 74 fail``: pass and fail always, the others if there are any."""
    others = sorted(set(counts) - set(ORDER))
    shown = [name for name in (*ORDER, *others) if counts.get(name) or name in {"pass", "fail"}]
    return " · ".join(f"{counts.get(name, 0)} {WORDS.get(name, name)}" for name in shown)


def screen(summary: Summary, *, details: bool = False, ended: str = "", debug: bool = False) -> str:
    """Headline and findings of a campaign, and of a search its front; with ``details`` all tables, uncut.

    ``ended`` says why a search ended. With ``debug`` errors come with their tracebacks.
    """
    width = None if details else WIDTH
    parts = [_headline(summary)]
    if details:
        parts += [_properties(summary), _repeats(summary), _worlds(summary)]
    parts += [_findings(summary, details=details), _trouble(summary, debug=debug), _notes(summary, details=details)]
    if (listed := listed_tests(summary.results)) is not None:
        parts.append(_listed(listed, summary, width))
    elif summary.search is not None:
        parts.append(_front(summary, summary.search, ended, width))
    if details:
        parts += [f" {table.title}\n{table_terminal(table)}" for table in published_tables(summary)]
        parts += [monitors_text(summary.monitors), _metrics(summary)]
    parts.append(_unmeasured(summary))
    return "\n\n".join(part for part in parts if part)


def next_commands(summary: Summary, *, report: Path | None, details: bool = False) -> str:
    """What to type next, one line each."""
    folder = shlex.quote(summary.results.folder)
    lines = []
    if summary.findings:
        verb = summary.results.plan.again_verb
        lines.append(
            f" {'replay' if verb == 'replay' else 'test'}:".ljust(11)
            + f"stressfield {verb} {folder} {summary.findings[0].id}"
        )
    if not details:
        lines.append(f" details:  stressfield results {folder} --details")
    if report is not None:
        lines.append(f" report:   {report}")
    return "\n".join(lines)


def gate_text(found: Triage) -> str:
    """What is known, what has expired and what is new."""
    lines = [
        f" known:    {finding.id} {issue.case()}, until {issue.expires}: {issue.reason}"
        for finding, issue in found.known
    ]
    for issue in found.expired:
        lines.append(f" expired:  {issue.case()} on {issue.expires}: {issue.reason}. It counts again.")
    for issue in found.unseen:
        lines.append(f" unseen:   {issue.case()}: {issue.reason}. Perhaps it is fixed: take it out of the file.")
    lines += [f" new:      {finding}" for finding in found.new]
    return "\n".join(lines)


def monitors_text(scores: Sequence[MonitorScore]) -> str:
    """How runtime monitors did; empty without monitors."""
    if not scores:
        return ""
    return columns([list(HEADINGS), *map(list, monitor_rows(scores))], right=range(1, len(HEADINGS)))


def _headline(summary: Summary) -> str:
    steady, noun = summary.repeatability, summary.results.plan.noun
    line = f" {counts_line(summary.counts)}"
    if steady.repeats > 1:
        rate = steady.inconsistent
        line += f"   {rate.count:.0f} of {counted(rate.total, noun)} change their verdict between repeats"
        if steady.incomplete:
            line += f" ({len(steady.incomplete)} incomplete)"
    if (sure := summary.sureness) is not None:
        line += f"\n {counted(sure.sure, noun)} {'is' if sure.sure == 1 else 'are'} sure at {100 * sure.confidence:g} %"
        line += f", {sure.undecided} undecided after {counted(summary.results.plan.repeats, 'run')}"
        line += f"; {sure.spared} of {summary.done + sure.spared} runs were not needed"
    if summary.done < summary.planned:
        line += f"\n {summary.done} of {summary.planned} runs are done."
    return line


def _findings(summary: Summary, *, details: bool) -> str:
    if not summary.findings:
        return ""
    most = None if details else MOST_FINDINGS
    table = [["", "", "what happens", "runs", f"{summary.results.plan.noun}s", "worst"]]
    for finding in summary.findings[:most]:
        table += _finding_rows(finding, summary, details=details)
    text = columns(table, right=(3, 4, 5), width=None if details else WIDTH)
    return text + _more(0 if most is None else len(summary.findings) - most, summary)


def _finding_rows(finding: Finding, summary: Summary, *, details: bool) -> list[list[str]]:
    """A line, and one more for the circumstances in which it mostly happens."""
    prop = summary.property_of(finding.property)
    name = finding.property if finding.property in BROKE else name_of(finding.property, finding.subcase)
    title, case = ("", "") if prop is None else (prop.title, prop.words(finding.subcase))
    if finding.property in BROKE:
        title = finding.subcase or BROKE[finding.property]
    worst = "" if finding.worst is None else f"{finding.worst:.2f} {finding.unit}".rstrip()
    if details and worst and finding.at_s is not None:
        worst += f" at {finding.at_s:.1f} s"
    what = f"{title}: {case}" if case else title
    rows = [[finding.id, name, what, str(finding.runs), str(finding.worlds), worst]]
    if finding.told and details:
        rows += [["", "", line, "", "", ""] for line in finding.told.splitlines()]
    if finding.condition is not None:
        rows.append(["", "", f"mostly when {finding.condition}", "", "", ""])
    return rows


def _notes(summary: Summary, *, details: bool) -> str:
    """What runs said of themselves, each once. How they were paced differs from run to run: only with details."""
    said = Counter({line: runs for line, runs in summary.notes.items() if details or not line.startswith(PACED)})
    shown = said.most_common(None if details else MOST_NOTES)
    text = "\n".join(f" {counted(count, 'run')}: {line}" for line, count in shown)
    return text + _more(len(said) - len(shown), summary) if text else ""


def _trouble(summary: Summary, *, debug: bool) -> str:
    """What runs ended with that crashed, hung or are invalid; with ``debug`` also their tracebacks."""
    lines = []
    kinds: dict[str, list[str]] = {}
    for name, kind in zip(summary.troubled, summary.columns.endings(summary.columns.troubled), strict=True):
        kinds.setdefault(kind, []).append(name)
    for kind, runs in kinds.items():
        lines.append(f" {WORDS.get(kind, kind)}: {counted(len(runs), 'run')}")
        for judged in (summary.runs[name] for name in runs[:MOST_TROUBLES]):
            lines.append(f"   {judged.run.id}: {judged.run.trouble}")
            if debug and judged.run.crash is not None:
                lines += [f"     {line}" for line in judged.run.crash.traceback.splitlines()]
    return "\n".join(lines)


def _properties(summary: Summary) -> str:
    # Columns for what few studies have: shown where they do.
    vacuous = any(prop.vacuous for prop in summary.properties)
    met = any(prop.encounters is not None for prop in summary.properties)
    more = [*(["vacuous"] if vacuous else []), *(["encounters"] if met else [])]
    table = [["property", "", "pass", "fail", "inconclusive", *more, ""]]
    for prop in summary.properties:
        if not prop.judged and not prop.inconclusive and not prop.on:
            continue
        counts = [str(prop.passed), str(prop.failed), str(prop.inconclusive)]
        counts += [str(prop.vacuous)] if vacuous else []
        counts += ["" if prop.encounters is None else str(prop.encounters)] if met else []
        table.append([prop.name, prop.title, *counts, "" if prop.on else "(off)"])
        table += [
            [f"  .{case.name}", case.words, "", str(case.failed), *([""] * (len(counts) - 1))]
            for case in prop.subcases
            if case.name and case.failed
        ]
    return columns(table, right=range(2, 5 + len(more))) if len(table) > 1 else ""


def _repeats(summary: Summary) -> str:
    steady, noun = summary.repeatability, summary.results.plan.noun
    if steady.repeats < 2 or summary.sureness is not None:  # worlds that are sure early have no k of n
        return ""
    table = [[f"failing runs of a {noun}", *(f"{fails}/{steady.repeats}" for fails in range(steady.repeats + 1))]]
    table.append([f"{noun}s", *map(str, steady.histogram)])
    text = columns(table, right=range(1, steady.repeats + 2))
    rate = steady.inconsistent
    if rate.share is not None:
        sure = f"95 % confidence: {rate.low:.0%} to {rate.high:.0%}"
        text += f"\n {rate.share:.0%} of {noun}s are inconsistent ({sure})"
    return text


def _worlds(summary: Summary) -> str:
    """Of searches the front says more than all of their tests."""
    if summary.search is not None or not summary.findings:
        return ""
    noun = summary.results.plan.noun
    table = [[noun, "failing", "runs", "findings", "descriptor"]]
    table += [
        [str(world.index), str(world.failed), str(len(world.run_ids)), " ".join(world.findings), world.descriptor]
        for world in summary.worlds
        if world.failed
    ]
    return columns(table, right=(0, 1, 2))


def _metrics(summary: Summary) -> str:
    if not summary.metrics:
        return ""
    table = [["metric", "runs", "lowest", "median", "highest"]]
    for metric in summary.metrics:
        figures = [f"{value:.4g}" for value in (metric.lowest, metric.median, metric.highest)]
        table.append([metric.name, str(metric.runs), *figures])
    return columns(table, right=(1, 2, 3, 4))


def _unmeasured(summary: Summary) -> str:
    lines = []
    for metric in summary.unmeasured:
        what = "The metrics of the study are" if metric.name == "*" else f"The metric {metric.name!r} is"
        lines.append(f" {what} missing in {counted(metric.runs, 'run')}:")
        lines += [f"   {count} x  {reason}" for reason, count in metric.reasons[:MOST_REASONS]]
    return "\n".join(lines)


def _listed(table: Table, summary: Summary, width: int | None) -> str:
    most = None if width is None else 2 * MOST_TESTS
    heads = [column.title for column in table.columns]
    body = [[plain(cell_words(cell)) for cell in row] for row in table.rows[:most]]
    text = columns([heads, *body], right=range(2, len(heads) - 1), width=width)
    return text + _more(len(table.rows) - len(body), summary)


def _front(summary: Summary, found: Searched, ended: str, width: int | None) -> str:
    results = summary.results
    generations = max((test.generation for test in results.tests), default=-1) + 1
    made = f"{counted(len(results.tests), 'test')} in {counted(generations, 'generation')}"
    lead = f" {made}, {len(found.front)} of them on the front.{f' Ended: {ended}.' if ended else ''}"
    directions = zip(found.objectives.names, found.objectives.highest, strict=True)
    names = [f"{name} ({'high' if high else 'low'})" for name, high in directions]
    first_run = {world.scenario_id: world.run_ids[0] for world in summary.worlds if world.run_ids}
    best = sorted(found.front, key=lambda scored: scored.vector)[: None if width is None else MOST_TESTS]
    table = [["test", "generation", *names, "run", "disturbances"]]
    for scored in best:
        test, disturbances = scored.test, summary.scenarios[scored.test.scenario_id].disturbances
        values = [f"{value:.4g}" for value in scored.values]
        words = plain("; ".join(map(brief, disturbances))) or "none"
        run = first_run.get(test.scenario_id, "")
        table.append([test.name or str(test.index), str(test.generation + 1), *values, run, words])
    text = f"{lead}\n{columns(table, right=range(1, 2 + len(names)), width=width)}"
    return text + _more(len(found.front) - len(best), summary) + _uncounted(summary, found)


def _more(count: int, summary: Summary) -> str:
    folder = shlex.quote(summary.results.folder)
    return f"\n and {count} more: stressfield results {folder} --details" if count > 0 else ""


def _uncounted(summary: Summary, found: Searched) -> str:
    """Tests that cannot be on the front, and why: not run to the end yet, or not measured."""
    results = summary.results
    runs = Counter(judged.run.scenario_id for judged in results.runs)
    unfinished = sum(runs[test.scenario_id] < results.plan.repeats for test in found.unscored)
    unmeasured = len(found.unscored) - unfinished
    text = f"\n {_tests_are(unfinished)} not run to the end yet." if unfinished else ""
    if unmeasured:
        spoiled = summary.counts.get("invalid", 0)
        because = f" ({counted(spoiled, 'invalid run')})" if spoiled else ""
        text += f"\n {_tests_are(unmeasured)} not counted: an objective was not measured{because}."
    return text


def _tests_are(number: int) -> str:
    return f"{number} test is" if number == 1 else f"{number} tests are"
