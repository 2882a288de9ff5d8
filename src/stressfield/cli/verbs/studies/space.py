"""``stressfield space``: testing spaces, explained, imported, and the schema of their files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import write_file
from stressfield._files.json_text import dump_json
from stressfield.cli.echo import echo
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz import Frequency, explain, read_sesame, read_space, space_schema, space_to_yaml

ACTIONS = ("check", "import", "schema")


def space(
    action: Annotated[
        str,
        typer.Argument(
            metavar="|".join(ACTIONS),
            help="Check a space (YAML) and explain it; import a SESAME .model file; print the JSON Schema of spaces.",
        ),
    ],
    file: Annotated[
        Path | None, typer.Argument(help="Testing space or model file; none for schema.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the imported space here instead of printing it.", show_default=False)
    ] = None,
    frequency: Annotated[
        Frequency,
        typer.Option(
            help="What 'frequency' of a SESAME packet loss means: the share that is lost (the text of D6.2) or the "
            "share that comes through (its generated code)."
        ),
    ] = Frequency.LOST,
    study: Annotated[
        str | None,
        typer.Option(
            metavar="STUDY",
            help="With check: start the robot of this study once, to see whether it has all that is disturbed.",
            show_default=False,
        ),
    ] = None,
    steps: Annotated[int, typer.Option(help="Steps that ranges and windows are cut into to count them.")] = 10,
) -> None:
    """Explain a testing space in words and count its configurations, or import one."""
    if action not in ACTIONS:
        raise InputError(f"Unknown action {action!r}. There are: {', '.join(ACTIONS)}." + did_you_mean(action, ACTIONS))
    if action == "schema":
        _schema()
    elif file is None:
        raise InputError(f"'space {action}' needs a file. For instance: stressfield space {action} FILE")
    elif action == "check":
        _check(file, steps, study)
    else:
        _import(file, out, frequency)


def _schema() -> None:
    echo(dump_json(space_schema()))


def _check(file: Path, steps: int, study: str | None) -> None:
    found = read_space(file)
    if study is not None:
        # slow to import, and not needed by who only reads a space
        from stressfield.campaign.runner import check_space  # noqa: PLC0415

        check_space(found, study)
    echo(explain(found, steps=steps))
    if study is not None:
        echo(f"It fits the study {study}: its robot has everything that is disturbed.")


def _import(file: Path, out: Path | None, frequency: Frequency) -> None:
    imported = read_sesame(file, frequency=frequency)
    text = space_to_yaml(imported.space)
    if out is None:
        echo(text, nl=False)
    else:
        write_file(out, text.encode())
        tests = sum(len(search.tests) for search in imported.space.searches)
        echo(f"{out}: {len(imported.space.operations)} operations, {tests} tests.")
    echo(f"{len(imported.notes)} notes on what is not in it, or was understood in a particular way:", err=True)
    for note in imported.notes:
        echo(f"  {note}", err=True)
