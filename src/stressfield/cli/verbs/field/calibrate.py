"""``stressfield calibrate``: what recordings of a robot suggest for its simulation, and what is accepted of it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder
from stressfield._files.json_text import dump_json
from stressfield.calibration import CalibrationResult, Suggestion, write_calibration
from stressfield.calibration import calibrate as estimate
from stressfield.campaign import find_study
from stressfield.cli.echo import echo
from stressfield.cli.options import KEEPING, WHAT, AsJson, StudyName, StudyOption
from stressfield.cli.progress import step_progress
from stressfield.cli.verbs.field.judge import Bags, Mapping
from stressfield.errors import InputError
from stressfield.report import write_page
from stressfield.report.fidelity.calibration_page import calibration_data, calibration_page, calibration_screen
from stressfield.trace.bags.field_topics import read_field_topics


def calibrate(
    study: StudyName,
    bags: Bags,
    map_topics: Mapping = None,
    robot: Annotated[
        str,
        typer.Option(help="Which robot of the study. Default: the first.", show_default=False, rich_help_panel=WHAT),
    ] = "",
    frames: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Whose frames the recordings name (NAME/base_link), if not the robot's as the study calls it.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = "",
    option: StudyOption = None,
    know: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="What you measured yourself is not estimated.", rich_help_panel=WHAT),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the bootstrap.", rich_help_panel=WHAT)] = 0,
    accept: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,...",
            help="Accept these suggestions; 'all' for all that differ. Default: asked one by one on a terminal.",
            show_default=False,
            rich_help_panel=KEEPING,
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where accepted constants are written.", rich_help_panel=KEEPING)
    ] = Path("calibration.toml"),
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.", rich_help_panel=KEEPING)] = False,
    no_report: Annotated[
        bool, typer.Option("--no-report", help="Do not write the page beside the file.", rich_help_panel=KEEPING)
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Estimate constants of the simulated robot from recordings of the real one, with intervals.

    Nothing is used that nobody accepted: accepted constants are written to a file for 'stressfield run --calibration'.
    """
    asks = accept is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    # Now, not when all questions are answered: the answers would be lost.
    if out.exists() and not overwrite and (accept is not None or asks):
        raise InputError(f"{str(out)!r} is there already. Give another --out, or --overwrite.")
    names = None if accept is None else [name.strip() for name in accept.split(",") if name.strip()]
    if names == []:
        raise InputError(f"--accept {accept!r} names nothing. Wanted names of suggestions, or 'all'.")
    found = find_study(study)
    topics = found.field_topics if map_topics is None else read_field_topics(map_topics, found.field_topics)
    with step_progress("calibrate") as progress:
        result = estimate(
            study, bags, topics=topics, robot=robot, frames=frames, options=found.read_options(option or ()),
            known=_known(know or ()),
            seed=seed, progress=progress,
        )  # fmt: skip
    if not as_json:
        echo(calibration_screen(result))
    chosen = _accepted(result, names, asks=asks)
    make_folder(out.parent)
    if chosen:
        write_calibration(out, result, chosen, overwrite=overwrite)
    page = out.with_suffix(".html")
    if not no_report:
        write_page(calibration_page(result, chosen), page)
    if as_json:
        echo(dump_json(calibration_data(result, chosen)))
        return
    echo("")
    if not no_report:
        echo(f" page:    {page}")
    if chosen:
        echo(f" file:    {out}, with {len(chosen)} accepted")
        echo(f" use it:  {shlex.join(['stressfield', 'run', study, '--calibration', str(out)])}")
    elif result.differing:
        again = ["stressfield", "calibrate", study, *map(str, bags), "--accept", "all"]
        echo(f" Nothing is accepted. To accept all that differs:  {shlex.join(again)}")
    else:
        echo(" Nothing differs: the simulation agrees with the recordings as it is.")


def _known(texts: Sequence[str]) -> dict[str, float]:
    known = {}
    for text in texts:
        name, _, value = text.rpartition("=")
        try:
            known[name.strip()] = float(value)
        except ValueError:
            raise InputError(
                f"--know {text!r} is no constant. Wanted NAME=VALUE, such as cart.drive.slip=0.05."
            ) from None
    return known


def _accepted(result: CalibrationResult, names: Sequence[str] | None, *, asks: bool) -> tuple[Suggestion, ...]:
    if names is not None:
        return result.chosen(names)
    if not asks:
        return ()
    echo("")
    return tuple(
        each
        for each in result.differing
        if typer.confirm(f"Accept {each.name} = {each.value:.4g} (now {each.before:.4g})?", default=False)
    )
