"""``stressfield decide``: what people made of a finding, kept for later campaigns."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from stressfield.analysis import Decision, KnownIssue, summarise
from stressfield.analysis import decide as write_decision
from stressfield.analysis.findings import name_of
from stressfield.analysis.known_issues import REASON_MAX
from stressfield.campaign import load
from stressfield.cli.echo import echo
from stressfield.cli.options import Folder
from stressfield.errors import InputError, did_you_mean

OPEN = "open"


def decide(
    folder: Folder,
    finding: Annotated[str, typer.Argument(metavar="FINDING", help="A finding of the campaign: F1.")],
    decision: Annotated[
        str, typer.Argument(metavar="DECISION", help="bug, rig, known, 'not a defect'; open takes it back.")
    ],
    file: Annotated[Path, typer.Option("--known-issues", metavar="FILE", help="Where it is kept; made if missing.")],
    reason: Annotated[str, typer.Option(help="Why, such as a ticket.", show_default=False)] = "",
    until: Annotated[
        str, typer.Option(metavar="DATE", help="The last day that it counts: 2027-01-31.", show_default=False)
    ] = "",
) -> None:
    """Write down what was decided about a finding: bug, rig, known or not a defect; it then counts as known.

    The file is the one of --known-issues: whatever is found again in later campaigns of the study is told with it, and
    does not fail a build until its day is over.
    """
    words = [each.value for each in Decision]
    if decision not in (*words, OPEN):
        raise InputError(
            f"Cannot decide {decision!r}. Wanted one of: {', '.join((*words, OPEN))}."
            + did_you_mean(decision, (*words, OPEN))
        )
    summary = summarise(load(folder))
    found = summary.finding(finding)
    issue = None
    if decision != OPEN:
        if not reason.strip() or len(reason) > REASON_MAX:
            raise InputError(f"A decision needs a reason: --reason 'ticket 112', of {REASON_MAX} characters at most.")
        issue = KnownIssue(
            study=summary.study, property=found.property, subcase=found.subcase, reason=reason.strip(),
            expires=_day(until), decision=Decision(decision),
        )  # fmt: skip
    write_decision(file, issue, study=summary.study, property=found.property, subcase=found.subcase)
    told = "open again" if issue is None else f"{decision}, until {issue.expires}"
    echo(f"{file}: {summary.study} {name_of(found.property, found.subcase)} is {told}.")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--until is {text!r}. Wanted the last day that it counts, such as 2027-01-31.") from None
