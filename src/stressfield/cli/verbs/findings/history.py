"""``stressfield history``: many campaigns of a study over time."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.analysis import HistoryPoint, Summary, history_point, last_change, summarise
from stressfield.analysis import history as history_of
from stressfield.campaign import load
from stressfield.campaign.results import glance
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson
from stressfield.cli.progress import step_progress
from stressfield.errors import InputError, StressfieldError, did_you_mean
from stressfield.report.history import history_text
from stressfield.serve.catalogue import Catalogue, refuse_elsewhere


def history(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Campaigns in it and below are looked at.")],
    study: Annotated[
        str | None,
        typer.Argument(metavar="STUDY", help="Name of the study. Default: the only one.", show_default=False),
    ] = None,
    details: Annotated[bool, typer.Option("--details", help="All properties and findings.")] = False,
    json: AsJson = False,
) -> None:
    """Show how a study fared over its campaigns: failing rates, what changed last, when findings were seen.

    Campaigns are in the order in which they were begun. Those that cannot be read are named and left out.
    """
    catalogue = Catalogue(folder)
    catalogue.refresh()
    named, unread = {}, {}
    for entry in catalogue.entries.values():
        try:
            refuse_elsewhere(entry.folder)
            named[entry.name] = (entry.folder, glance(entry.folder))
        except StressfieldError as error:
            unread[entry.name] = str(error)
    wanted = _chosen(folder, study, sorted({seen.study for _, seen in named.values()}))
    places = [(name, place) for name, (place, seen) in named.items() if seen.study == wanted and seen.done]
    points: list[HistoryPoint] = []
    summaries: dict[str, Summary] = {}
    with step_progress("history") as progress:
        for done, (name, place) in enumerate(places, start=1):
            summary = summarise(load(place))
            points.append(history_point(summary, name=name))
            # Two at most are needed at the end: those that were begun last.
            summaries[name] = summary
            latest = sorted(points, key=lambda point: (point.began_s, point.name))[-2:]
            summaries = {point.name: summaries[point.name] for point in latest}
            progress(done, len(places))
    if not points:
        raise InputError(f"No campaign of {wanted!r} below {str(folder)!r} has a run yet.")
    change = last_change(*summaries.values()) if len(summaries) == 2 else None
    told = history_of(points, change=change)
    echo(dump_json(asdict(told)) if json else history_text(told, details=details))
    for name, why in unread.items():
        echo(f" left out: {name}: {why}", err=True)


def _chosen(folder: Path, study: str | None, there: list[str]) -> str:
    names = ", ".join(there) or "none"
    if study is None:
        if len(there) != 1:
            raise InputError(f"Campaigns below {str(folder)!r} are of {len(there)} studies: {names}. Say which one.")
        return there[0]
    if study not in there:
        raise InputError(
            f"No campaign below {str(folder)!r} is of the study {study!r}. There are: {names}."
            + did_you_mean(study, there)
        )
    return study
