"""A summary in Markdown, as GitHub and GitLab show it beside a build."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from stressfield.analysis import Finding
from stressfield.campaign import Results, category
from stressfield.oracle import Property
from stressfield.report.case_text import case_of, wordy
from stressfield.report.figures.tracks import explanation_of
from stressfield.report.header import reproduce
from stressfield.report.known_issues import KnownIssue, Sorted
from stressfield.report.words import command, counted, figure, sentence
from stressfield.study import Study

ROWS_MAX = 30
TROUBLES_MAX = 5
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~$@])")


def markdown_summary(results: Results, study: Study, found: Sorted) -> str:
    """Headline, counts, findings, known issues, trouble, and the commands to go on with."""
    counts = Counter(category(judged.run) for judged in results.runs)
    plan = results.plan
    size = f"{counted(len(results.scenarios), 'world')}, {counted(len(results.runs), 'run')}"
    parts = [
        f"## {_headline(found, counts)} {_text(study.title)}",
        f"Study **{_text(study.name)}**, build **{_text(plan.build)}**, seed {plan.seed}: {size}.",
        _table(
            ["passed", "failed", "inconclusive", "crashed", "invalid"],
            [[str(counts[name]) for name in ("pass", "fail", "inconclusive", "subject_crash", "invalid")]],
        ),
    ]
    properties = {one.name: one for one in study.oracle.properties}
    if found.new:
        parts += ["### Findings", _findings(found.new, properties, results.folder)]
    if found.known:
        parts += ["### Known issues", _known(found.known, properties)]
    if found.expired:
        lines = [f"- **{_text(one.case())}** expired on {one.expires}: {_text(one.reason)}" for one in found.expired]
        parts += ["### Expired: these count again", "\n".join(lines)]
    if found.unseen:
        lines = [f"- {_text(one.case())}: {_text(one.reason)}" for one in found.unseen]
        parts += ["### Known, but not seen this time", "\n".join(lines)]
    trouble = [one.run for one in results.runs if one.run.trouble]
    if trouble:
        lines = [
            f"- {one.status.value} in {_code(one.id)}: {_text(one.trouble[:300])}" for one in trouble[:TROUBLES_MAX]
        ]
        more = len(trouble) - TROUBLES_MAX
        parts += ["### Trouble", "\n".join([*lines, *([f"- and {more} more"] if more > 0 else [])])]
    parts.append(f"Again: {_code(reproduce(plan, results.folder))}")
    return "\n\n".join(parts) + "\n"


def _headline(found: Sorted, counts: Counter[str]) -> str:
    if found.new or found.crashes:
        return "\N{CROSS MARK}"
    return (
        "\N{WARNING SIGN}" if counts["invalid"] or found.known or found.known_crashes else "\N{WHITE HEAVY CHECK MARK}"
    )


def _findings(findings: Sequence[Finding], properties: dict[str, Property], folder: str) -> str:
    rows = [
        [
            one.id,
            _what(one, properties),
            str(one.runs),
            str(one.worlds),
            _text(figure(one.worst, one.unit)),
            _code(one.condition) if one.condition else "",
            _code(command("stressfield", "replay", folder, one.id)),
        ]
        for one in findings[:ROWS_MAX]
    ]
    table = _table(["", "what happens", "runs", "worlds", "worst margin", "mostly when", "replay"], rows)
    more = len(findings) - ROWS_MAX
    return f"{table}\n\nand {more} more" if more > 0 else table


def _known(known: Sequence[tuple[Finding, KnownIssue]], properties: dict[str, Property]) -> str:
    rows = [
        [finding.id, _what(finding, properties), str(finding.runs), _text(issue.reason), str(issue.expires)]
        for finding, issue in known[:ROWS_MAX]
    ]
    return _table(["", "what happens", "runs", "reason", "expires"], rows)


def _what(finding: Finding, properties: dict[str, Property]) -> str:
    prop = properties.get(finding.property)
    title = sentence(prop.title) if prop else finding.property
    explanation = explanation_of(prop, finding.subcase) or wordy(finding.subcase)
    words = f"{title}: {explanation}" if explanation else title
    return f"**{_text(case_of(finding.property, finding.subcase))}** {_text(words)}"


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    """Plain text in which nothing is read as markup, on one line."""
    return _MARKUP.sub(r"\\\1", _line(text))


def _code(text: str) -> str:
    """Text as code on one line, inside a table cell too."""
    line = _line(text).replace("|", "\\|")
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{fence}{space}{line}{space}{fence}"


def _line(text: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())
