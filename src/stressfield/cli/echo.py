"""Printing. What robots and strangers wrote may hold words that a terminal acts on: it only ever shows them."""

from __future__ import annotations

import os

import typer

from stressfield._files.plain_text import visible

DEBUG_VARIABLE = "STRESSFIELD_DEBUG"


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, to standard error if ``err``; without a new line if not ``nl``."""
    typer.echo(visible(text), err=err, nl=nl)


def debugging() -> bool:
    """Whether tracebacks are asked for: ``stressfield --debug``."""
    return bool(os.environ.get(DEBUG_VARIABLE))
