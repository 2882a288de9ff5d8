"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield.plugins import study_names


def _study_names(incomplete: str) -> list[str]:
    return [name for name in study_names() if name.startswith(incomplete)]


StudyName = Annotated[
    str,
    typer.Argument(metavar="STUDY", help="Name of a study, or a .py file that has one.", autocompletion=_study_names),
]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a campaign.")]
Jobs = Annotated[
    int | None,
    typer.Option(help="Worker processes. Default: one a core. Results do not depend on it.", show_default=False),
]
With = Annotated[list[str] | None, typer.Option("--with", metavar="PROPERTY", help="Switch a property on.")]
Without = Annotated[list[str] | None, typer.Option("--without", metavar="PROPERTY", help="Switch a property off.")]
RunTimeout = Annotated[float, typer.Option(help="Wall time after which a run is killed, in seconds.")]
StudyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="An option that the study declares, e.g. wheel_slip=0.3 of oz."
    ),
]
Sim = Annotated[
    str,
    typer.Option("--sim", metavar="NAME", help="One of the study's simulators. Default: its own.", show_default=False),
]
KnownIssues = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="TOML of known issues: they do not count as findings.", show_default=False),
]
NoReport = Annotated[bool, typer.Option("--no-report", help="Do not write report.html.")]
ExportWorlds = Annotated[
    bool | None,
    typer.Option(
        "--export-worlds/--no-export-worlds",
        help="Write world files for scenarios with kept traces. Default: if that is cheap.",
        show_default=False,
    ),
]
Details = Annotated[
    bool,
    typer.Option("--details", help="Also show properties, repeats, worlds, published figures and metrics."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
