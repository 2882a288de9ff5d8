"""``stressfield verify``: is everything in a campaign's folder still what it was?"""

from __future__ import annotations

from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.campaign.verify import verify as verify_campaign
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson, Folder, StudyPlace
from stressfield.cli.progress import step_progress

MOST_SHOWN = 20
SOUND, DAMAGED = 0, 3


def verify(
    folder: Folder,
    judge: Annotated[bool, typer.Option("--judge", help="Also judge every trace again and compare.")] = False,
    study: StudyPlace = None,
    json: AsJson = False,
) -> None:
    """Check every row of a campaign against its trace. Exit code 0: all is sound; 3: something is damaged."""
    with step_progress("verify") as progress:
        found = verify_campaign(folder, judge=judge, study=study, progress=progress)
    if json:
        echo(
            dump_json(
                {
                    "runs": found.runs,
                    "traces": found.traces,
                    "judged_again": found.judged_again,
                    "problems": [{"run": problem.run_id, "problem": problem.text} for problem in found.problems],
                    "leftovers": list(found.leftovers),
                    "unchecked": dict(found.unchecked),
                    "notes": list(found.notes),
                }
            )
        )
        raise typer.Exit(DAMAGED if found.problems else SOUND)
    judged = f", {found.judged_again} judged again" if judge else ""
    echo(f" {found.runs} runs and {found.traces} traces checked{judged}.")
    for reason, count in found.unchecked.items():
        echo(f" {count} not judged again: {reason}.")
    for note in found.notes:
        echo(f" {note}")
    for problem in found.problems[:MOST_SHOWN]:
        echo(f" {problem}")
    if len(found.problems) > MOST_SHOWN:
        echo(f" and {len(found.problems) - MOST_SHOWN} more; --json shows all")
    if found.leftovers:
        echo(f" {len(found.leftovers)} files in traces/ belong to no run: harmless, resume makes them again.")
    many = "" if len(found.problems) == 1 else "s"
    sound = f" All that could be checked is sound; {sum(found.unchecked.values())} of {found.runs} verdicts could not."
    whole = sound if found.unchecked else " All is sound."
    echo(f" {len(found.problems)} problem{many}." if found.problems else whole)
    raise typer.Exit(DAMAGED if found.problems else SOUND)
