"""``stressfield serve``: campaigns live, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield.cli.echo import echo
from stressfield.cli.options import PORT, Jobs, Port
from stressfield.errors import InputError, NotInstalledError

try:
    from stressfield.serve.app import bind, make_app, serving_twin
    from stressfield.serve.app import serve as serve_app
except ImportError as error:
    if (error.name or "").partition(".")[0] not in {"fastapi", "starlette", "uvicorn", "pydantic"}:
        raise
    raise NotInstalledError(
        f"'stressfield serve' needs the package {error.name}. Install it with: pip install 'stressfield[serve]'"
    ) from error


__all__ = ["serve", "serving_twin"]


def serve(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Campaigns in it and below are shown.")] = Path(
        "runs"
    ),
    open_: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    port: Port = PORT,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STUDY",
            help="A study that may be begun, resumed, judged again and shrunk from the page: its name or .py file. "
            "Without it, the page only shows.",
            show_default=False,
        ),
    ] = None,
    at_once: Annotated[int, typer.Option(help="How many of these may run at a time.")] = 1,
    jobs: Jobs = None,
    known_issues: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="TOML in which decisions about findings are kept, for later campaigns, too; made if missing.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Show the campaigns below a folder live in the browser, and offer them to other tools over HTTP.

    The link that it prints holds a token: whoever has it can see the campaigns and begin the studies that are allowed.
    """
    if at_once < 1:
        raise InputError(f"Got --at-once {at_once}. Wanted at least 1.")
    listening = bind(port)
    try:
        served = make_app(
            folder, port=listening.getsockname()[1], studies=allow or (), at_once=at_once, workers=jobs,
            known_issues=known_issues,
        )  # fmt: skip
        echo(f"Campaigns below {folder}:  {served.link}\nCtrl-C ends it.")
        if open_:
            typer.launch(served.link)
        serve_app(served, listening)
    finally:
        listening.close()
