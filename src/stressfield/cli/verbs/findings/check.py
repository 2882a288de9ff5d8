"""``stressfield check``: judge the recordings again."""

from __future__ import annotations

from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.analysis import summarise
from stressfield.campaign import Rejudged, rejudge, study_of
from stressfield.cli.conclusion import gate_of
from stressfield.cli.echo import debugging, echo
from stressfield.cli.options import AsJson, Details, Folder, StudyPlace, With, Without
from stressfield.cli.progress import step_progress
from stressfield.report.results_json import results_json
from stressfield.report.terminal import screen

MOST_PROBLEMS = 3


def check(
    folder: Folder,
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="strict or published. Default: that of the campaign.", show_default=False),
    ] = None,
    with_: With = None,
    without: Without = None,
    save: Annotated[bool, typer.Option("--save", help="Keep the new verdicts in the campaign.")] = False,
    study: StudyPlace = None,
    details: Details = False,
    json: AsJson = False,
) -> None:
    """Judge a campaign again with other properties or a revised oracle, without simulating."""
    with step_progress("check") as progress:
        judged = rejudge(
            folder,
            profile=profile,
            include=with_ or (),
            exclude=without or (),
            study=study,
            save=save,
            progress=progress,
        )
    summary = summarise(judged.after, study_of(judged.after))
    found = gate_of(summary, None)
    ended = found.exit_code
    if json:
        sources = {"from_recordings": judged.from_recordings, "from_ledger": judged.from_ledger}
        echo(dump_json({**results_json(summary), **sources, "changed": judged.changed}))
        raise typer.Exit(ended)
    _show_sources(judged)
    echo(screen(summary, details=details, debug=debugging()))
    if found.nothing_judged:
        echo(f"\n {found.nothing_judged}")
    echo(" Saved." if save else " Nothing was written; --save keeps these verdicts.")
    raise typer.Exit(ended)


def _show_sources(judged: Rejudged) -> None:
    echo(
        f" {judged.from_recordings} runs judged again from their recordings, {judged.from_ledger} from stored verdicts "
        f"(no recording kept). {judged.changed} runs change their outcome."
    )
    for problem in judged.unreadable[:MOST_PROBLEMS]:
        echo(f" unreadable, stored verdicts used: {problem}")
    if len(judged.unreadable) > MOST_PROBLEMS:
        echo(f" and {len(judged.unreadable) - MOST_PROBLEMS} more unreadable recordings")
    if judged.missing:
        names = ", ".join(judged.missing)
        echo(f" Some runs without a recording have no verdict on: {names} (not asked of them, or added later).")
