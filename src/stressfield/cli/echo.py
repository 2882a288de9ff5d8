"""Printing. What robots and strangers wrote may hold words that a terminal acts on: it only ever shows them."""

from __future__ import annotations

import typer

from stressfield._files.plain_text import visible


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, to standard error if ``err``; without a new line if not ``nl``."""
    typer.echo(visible(text), err=err, nl=nl)
