"""``stressfield report``: one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield.cli.options import Folder


def report(
    folder: Folder,
    out: Annotated[
        Path | None, typer.Option(help="File to write. Default: DIR/report.html.", show_default=False)
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Write the report of a campaign: one HTML file that needs no network."""
    from stressfield.campaign import load  # noqa: PLC0415
    from stressfield.cli import reporting  # noqa: PLC0415

    path = reporting.write(load(folder), out)
    typer.echo(f"report:  {path}")
    if open_:
        typer.launch(path.resolve().as_uri())
