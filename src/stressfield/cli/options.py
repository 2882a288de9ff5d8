"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield.plugins import study_names

WHAT = "What to run"
WHICH = "Which worlds"
HOW = "How to search, and when to end"
KEEPING = "Judging and keeping"
MACHINE = "This machine"
MACHINES = "Many machines"
"""Panels of the help: at most ten options in each."""


def _study_names(incomplete: str) -> list[str]:
    return [name for name in study_names() if name.startswith(incomplete)]


StudyName = Annotated[
    str,
    typer.Argument(metavar="STUDY", help="Name of a study, or a .py file that has one.", autocompletion=_study_names),
]
StudyPlace = Annotated[
    str | None,
    typer.Option(
        "--study",
        metavar="STUDY",
        help="Where the study is now: its .py file, or its name. Default: where it was.",
        show_default=False,
        autocompletion=_study_names,
    ),
]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a campaign.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        help="Worker processes. Default: one per core. Results do not depend on it.",
        show_default=False,
        rich_help_panel=MACHINE,
    ),
]
ExecutorName = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="WHERE",
        help="Where runs are done: local, ray (a cluster of its own, or the one it is in), ray://HOST:PORT.",
        rich_help_panel=MACHINES,
    ),
]
Storage = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="Keep traces and the report in a store: s3://BUCKET/PREFIX, file:///FOLDER. Default: in the folder.",
        show_default=False,
        rich_help_panel=MACHINES,
    ),
]
LedgerPlace = Annotated[
    str,
    typer.Option(
        "--ledger",
        metavar="URL",
        help="Keep the ledger on a server: postgresql://USER@HOST/DATABASE. Default: SQLite in the folder.",
        show_default=False,
        rich_help_panel=MACHINES,
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="PROPERTY", help="Switch a property on.", rich_help_panel=KEEPING),
]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="PROPERTY", help="Switch a property off.", rich_help_panel=KEEPING),
]
ProfileName = Annotated[
    str,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="Which properties count: strict, or only those of a publication: published.",
        rich_help_panel=KEEPING,
    ),
]
RunTimeout = Annotated[
    float,
    typer.Option(
        help="Wall time after which a run is killed, in seconds. What it waits for the wall clock comes on top.",
        rich_help_panel=MACHINE,
    ),
]
AgainTimeout = Annotated[
    float | None,
    typer.Option(
        "--run-timeout-s",
        help="Wall time after which a run is killed, in seconds. Default: as in the campaign.",
        show_default=False,
        rich_help_panel=MACHINE,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        help="Folder for the results. Default: runs/STUDY, or a numbered one if that is taken.",
        show_default=False,
        rich_help_panel=KEEPING,
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the campaign in the folder.", rich_help_panel=KEEPING)
]
PORT = 8765
Port = Annotated[
    int,
    typer.Option(
        help="Of this machine, for the page; nobody else can reach it. 0: one that is free.", rich_help_panel=MACHINE
    ),
]
Repeats = Annotated[int, typer.Option(help="Runs of each world, or of each test.", rich_help_panel=WHAT)]
Seed = Annotated[int, typer.Option(help="Everything random follows from it.", rich_help_panel=WHAT)]
BuildName = Annotated[
    str | None,
    typer.Option(help="Build of the robot software. Default: the first.", show_default=False, rich_help_panel=WHAT),
]
Template = Annotated[
    str | None,
    typer.Option(
        metavar="DESCRIPTOR",
        help="Draw every world from this descriptor. Default: the study's.",
        show_default=False,
        rich_help_panel=WHICH,
    ),
]
StudyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option that the study declares, e.g. wheel_slip=0.3 of oz.",
        rich_help_panel=WHAT,
    ),
]
CalibrationPath = Annotated[
    Path | None,
    typer.Option(
        "--calibration",
        metavar="FILE",
        help="Run with the constants that 'stressfield calibrate' wrote and somebody accepted.",
        show_default=False,
        rich_help_panel=WHAT,
    ),
]
Sim = Annotated[
    str,
    typer.Option(
        "--sim",
        metavar="NAME",
        help="One of the study's simulators. Default: its own.",
        show_default=False,
        rich_help_panel=WHAT,
    ),
]
KnownIssues = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="TOML of known issues: they do not count as findings.",
        show_default=False,
        rich_help_panel=KEEPING,
    ),
]
NoReport = Annotated[bool, typer.Option("--no-report", help="Do not write report.html.", rich_help_panel=KEEPING)]
ExportWorlds = Annotated[
    bool | None,
    typer.Option(
        "--export-worlds/--no-export-worlds",
        help="Write world files for scenarios with kept traces. Default: if that is cheap.",
        show_default=False,
        rich_help_panel=KEEPING,
    ),
]
PlanOnly = Annotated[
    bool,
    typer.Option(
        "--plan-only",
        help="Write the campaign's folder and run nothing: for 'stressfield shard', or to resume elsewhere.",
        rich_help_panel=MACHINES,
    ),
]
Details = Annotated[
    bool,
    typer.Option(
        "--details",
        help="Also show properties, repeats, worlds, published figures and metrics.",
        rich_help_panel=KEEPING,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
