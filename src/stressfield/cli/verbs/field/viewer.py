"""``stressfield viewer``: a page for recordings, as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import write_file
from stressfield.cli.echo import echo
from stressfield.errors import InputError
from stressfield.report.html import viewer_html


def viewer(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")] = Path("viewer.html"),
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Write a page on which one drops any recording (MCAP, rosbag2, ROS 1 bag) to look at it; one file, no network.

    It shows poses, scans, maps and paths from above and in space, any number of a message over time, and every message
    decoded. Recordings are read in the browser and go nowhere.
    """
    if out.is_dir():
        raise InputError(f"{out} is a folder. Wanted a file to write, such as {out / 'viewer.html'}.")
    path = write_file(out, viewer_html().encode())
    echo(f"viewer:  {path}   drop a recording on it")
    if open_:
        typer.launch(path.resolve().as_uri())
