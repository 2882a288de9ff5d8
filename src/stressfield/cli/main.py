"""The entry point: verbs, and what a person is told when something goes wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from stressfield.cli.echo import echo
from stressfield.cli.verbs import VERBS, VerbGroup, stub
from stressfield.errors import StressfieldError

INTERNAL_ERROR = 3
INTERRUPTED = 130
DEBUG_VARIABLE = "STRESSFIELD_DEBUG"

app = typer.Typer(
    name="stressfield",
    cls=VerbGroup,
    help="Find out in simulation what would fail in the field.",
    epilog="Exit codes: 0 clean, 1 findings, 2 bad input, 3 trouble of the rig, 130 stopped by Ctrl-C.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, line in VERBS.items():
    app.command(name, help=line)(stub)


def _version(wanted: bool) -> None:
    if wanted:
        # slow to import for a word that is asked for rarely
        from importlib.metadata import version as installed_version  # noqa: PLC0415

        echo(f"stressfield {installed_version('stressfield')}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show where in the program an error came from.")] = False,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    if debug:
        os.environ[DEBUG_VARIABLE] = "1"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        app(args=arguments, prog_name="stressfield")
    except StressfieldError as error:
        if _debugging():
            raise
        _complain(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # whoever read our output (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if _debugging():
            raise
        place = f" {error.filename!r}" if error.filename else ""
        _complain(
            f"The system refused{place}: {error.strerror or error}. Check the disk and permissions, then try again."
        )
        sys.exit(INTERNAL_ERROR)
    except Exception as error:
        if _debugging():
            raise
        _complain(
            f"Internal error, please report it: {type(error).__name__}: {error}\n"
            "To see where it came from: stressfield --debug ..."
        )
        sys.exit(INTERNAL_ERROR)


def _debugging() -> bool:
    return bool(os.environ.get(DEBUG_VARIABLE))


def _complain(message: str) -> None:
    echo(message, err=True)
