"""``stressfield model``: what may vary."""

from __future__ import annotations

from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.cli.echo import echo
from stressfield.cli.options import StudyName
from stressfield.errors import InputError, did_you_mean
from stressfield.model import to_ebnf, to_json_schema, to_mermaid, to_svg
from stressfield.plugins import find_study

FORMATS = ("ebnf", "mermaid", "svg", "json-schema")


def model(
    study: StudyName,
    format_: Annotated[str, typer.Option("--format", metavar="|".join(FORMATS), help="Form to print.")] = "ebnf",
) -> None:
    """Print the model of a study: grammar of its descriptors, class diagram or JSON Schema."""
    if format_ not in FORMATS:
        raise InputError(
            f"Unknown format {format_!r}. There are: {', '.join(FORMATS)}." + did_you_mean(format_, FORMATS)
        )
    root = find_study(study).model
    if format_ == "json-schema":
        echo(dump_json(to_json_schema(root)))
    else:
        echo({"ebnf": to_ebnf, "mermaid": to_mermaid, "svg": to_svg}[format_](root).rstrip("\n"))
