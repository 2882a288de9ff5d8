"""``stressfield results``: the figures of a campaign."""

from __future__ import annotations

from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.analysis import ExitCode, summarise
from stressfield.campaign import load
from stressfield.campaign.folder import REPORT
from stressfield.cli.echo import debugging, echo
from stressfield.cli.options import AsJson, Details, Folder, StudyPlace
from stressfield.cli.study_at_hand import study_at_hand
from stressfield.report.results_json import results_json
from stressfield.report.terminal import next_commands, screen, title_of


def results(
    folder: Folder,
    details: Details = False,
    mechanisms: Annotated[
        bool, typer.Option("--mechanisms", help="Also what was hit, with what, doing what, from the recordings.")
    ] = False,
    study: StudyPlace = None,
    json: AsJson = False,
) -> None:
    """Show what a campaign found. With --details also properties, repeats, worlds and published figures.

    Exits 3 if nothing was judged.
    """
    loaded = load(folder, study=study)
    published = details and not json and loaded.study.published
    known = study_at_hand(loaded, given=study, without="published figures are not shown") if published else None
    summary = summarise(loaded, known)
    ended = ExitCode.INFRASTRUCTURE if summary.nothing_judged else ExitCode.CLEAN
    if json:
        echo(dump_json(results_json(summary)))
        raise typer.Exit(ended)
    plan = loaded.plan
    simulator = f", simulator {plan.simulator}" if plan.simulator else ""
    echo(title_of(plan, f"{summary.study}, build {plan.build}, seed {plan.seed}{simulator}"))
    echo(screen(summary, details=details, debug=debugging()))
    if mechanisms:
        # These read recordings and draw worlds: who asks for figures alone does not wait for them.
        from stressfield.report.gallery import Recordings  # noqa: PLC0415
        from stressfield.report.mechanisms import campaign_mechanisms, mechanisms_text  # noqa: PLC0415

        at_hand = study_at_hand(loaded, given=study, without="worlds are read from files, where they were kept")
        found = campaign_mechanisms(Recordings(summary, at_hand))
        echo("\n" + (mechanisms_text(found) or " Nothing failed, so there are no mechanisms."))
    report = folder / REPORT
    following = next_commands(summary, report=report if report.exists() else None, details=details)
    said = [f" {summary.nothing_judged}", ""] if summary.nothing_judged else []
    echo("\n".join(["", *said, *([following] if following else []), f" digest:   {summary.digest}"]))
    raise typer.Exit(ended)
