"""Options that several verbs share, and reading ``--option wheel_slip=0.3``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stressfield.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from stressfield.scenario import RigOptions


def _study_names(incomplete: str) -> list[str]:
    from stressfield.plugins import study_names  # noqa: PLC0415

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
RigOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="What is simulated beyond the plain world: wheel_slip=0.3, ..."
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
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def read_rig_options(texts: Sequence[str]) -> RigOptions:
    """Rig options from ``name=value`` texts."""
    from stressfield.scenario import RigOptions  # noqa: PLC0415

    kinds = {field.name: type(getattr(RigOptions(), field.name)) for field in fields(RigOptions)}
    values: dict[str, float | bool] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        name = name.replace("-", "_")
        if name not in kinds:
            near = did_you_mean(name, kinds)
            raise InputError(f"Unknown option {name!r}. There are: {', '.join(kinds)}.{near}")
        values[name] = _switch(name, value, equals) if kinds[name] is bool else _share(name, value)
    return RigOptions(**values)  # type: ignore[arg-type]


def _switch(name: str, value: str, equals: str) -> bool:
    if equals and value not in {"true", "false"}:
        raise InputError(f"Option {name}: got {value!r}, wanted true or false.")
    return value != "false"


def _share(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise InputError(f"Option {name}: got {value!r}, wanted a number from 0 to 1.")
    return number
