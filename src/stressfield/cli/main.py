"""The entry point: the verbs, and what a person is told when something goes wrong.

Verbs are known by name and one line of help; the module of a verb is imported when it is run. ``stressfield --help``
therefore starts at once, and a verb imports at the top of its file whatever it needs.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from stressfield._crash import place_of
from stressfield.cli.echo import DEBUG_VARIABLE, debugging, echo
from stressfield.errors import StressfieldError

GARBAGE_THRESHOLD = 50_000
"""Importing makes many objects and no garbage: looking for some every 700 objects takes a tenth of the start."""
BAD_INPUT = 2
INTERNAL_ERROR = 3
INTERRUPTED = 130

PANELS = {
    "campaigns": "Run",
    "findings": "Look at what was found",
    "field": "Recordings from the field",
    "studies": "Studies",
}
"""The folders of ``verbs``, in the order of the help, and what it calls them."""

VERBS = {
    "run": ("campaigns", "Generate worlds, run the robot software in them, judge what happened."),
    "search": (
        "campaigns",
        "Disturb the robot as a testing space says, and search for the disturbances that hurt most.",
    ),
    "resume": (
        "campaigns",
        "Do what is missing of a campaign that was stopped or killed. Runs that were invalid are tried again.",
    ),
    "shard": ("campaigns", "Divide a planned campaign into self-contained shards, to be run anywhere and merged."),
    "run-shard": (
        "campaigns",
        "Do what is missing of a shard, with the code that is in it. What it found is told when all are merged.",
    ),
    "merge": (
        "campaigns",
        "Join the ledgers and traces of shards in their campaign, as if one machine had done it; show what was found.",
    ),
    "experiment": (
        "campaigns",
        "Run an experiment of a study: several campaigns and a page. Stopped and called again, it goes on.",
    ),
    "live": (
        "campaigns",
        "Run one world while you watch: pause it, step it, look at messages, inject disturbances, change parameters.",
    ),
    "mutants": (
        "campaigns",
        "Plant single faults in the robot's code, run each mutant in the same worlds, and count who sees them.",
    ),
    "results": (
        "findings",
        "Show what a campaign found. With --details also properties, repeats, worlds and published figures.",
    ),
    "report": (
        "findings",
        "Write the report of a campaign: one HTML file that needs no network, and files for other tools.",
    ),
    "serve": (
        "findings",
        "Show the campaigns below a folder live in the browser, and offer them to other tools over HTTP.",
    ),
    "mcp": (
        "findings",
        "Offer the campaigns below a folder to an agent as tools, by the Model Context Protocol.",
    ),
    "export": (
        "findings",
        "Write a campaign as tables for other tools: runs with parameters as columns, verdicts, metrics.",
    ),
    "check": ("findings", "Judge a campaign again with other properties or a revised oracle, without simulating."),
    "verify": (
        "findings",
        "Check every row of a campaign against its trace. Exit code 0: all is sound; 3: something is damaged.",
    ),
    "replay": (
        "findings",
        "Do a run again, compare it with what was stored, bit for bit, and show its verdicts. Exits 3 if it differs.",
    ),
    "shrink": (
        "findings",
        "Make a finding small: drop and simplify what it does not need, as long as the same property fails.",
    ),
    "confirm": (
        "findings",
        "Run failing worlds, and some passing ones, again in another simulator: what of the findings holds there?",
    ),
    "compare": (
        "findings",
        "Compare two campaigns: outcome, status, time, margins, metrics. Exits 1 if the second is worse beyond noise.",
    ),
    "decide": (
        "findings",
        "Write down what was decided about a finding: bug, rig, known or not a defect; it then counts as known.",
    ),
    "history": (
        "findings",
        "Show how a study fared over its campaigns: failing rates, what changed last, when findings were seen.",
    ),
    "noise": (
        "findings",
        "Do identical runs again and say how far a simulator drifts apart in position, time and verdicts.",
    ),
    "judge": ("field", "Judge recordings from the field by the properties of a study, without simulating."),
    "twin": (
        "field",
        "Run the simulation beside a robot: how far they are apart, whether it drifts, which properties hold so far.",
    ),
    "scenario-from": (
        "field",
        "Make a test that runs in the simulator from a moment of a recording: place, start, mission, disturbances.",
    ),
    "calibrate": (
        "field",
        "Estimate constants of the simulated robot from recordings of the real one, with intervals.",
    ),
    "viewer": (
        "field",
        "Write a page on which one drops any recording (MCAP, rosbag2, ROS 1 bag) to look at it; one file, no network.",
    ),
    "new": ("studies", "Write a study that works at once, with comments on what to change, and its test."),
    "model": ("studies", "Print the model of a study: grammar of its descriptors, class diagram or JSON Schema."),
    "generate": ("studies", "Write worlds as SDF with their terrain image and mission."),
    "describe": (
        "studies",
        "Check a descriptor and show the parameters it gives; exits 2 and points at the fault if it is not valid.",
    ),
    "space": ("studies", "Explain a testing space in words and count its configurations, or import one."),
    "scaffold": ("studies", "Write a typed template and its test, ready to be filled in."),
    "studies": ("studies", "List the installed studies and their builds."),
    "doctor": (
        "studies",
        "Check this machine and say what to do about what is missing. Exits 3 if something needed is.",
    ),
}
"""Names in the order of the help, with their panel; each is a module of its folder with a function of the same name
(a dash is an underscore there), or a function in the module of a verb that is much alike (``BESIDE``).

The line is the first paragraph of the function's docstring (a test compares them).
"""

BESIDE = {"scaffold": "new", "run-shard": "shard", "merge": "shard"}


READERS = frozenset({"results", "compare", "history", "export", "model", "describe", "space", "studies"})
"""Verbs that neither run nor judge anything: they have small sums to do, and no robot's code is affected by how."""
ONE_THREAD = "OPENBLAS_NUM_THREADS"


class VerbGroup(TyperGroup):
    """Lists stubs, runs the verbs themselves."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """What the arguments name: here, and only here, the module of a verb is imported."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else load_verb(name), rest


def module_of(name: str) -> ModuleType:
    """The module of a verb."""
    panel, _ = VERBS[name]
    return import_module(f"stressfield.cli.verbs.{panel}.{function_name(BESIDE.get(name, name))}")


def function_name(name: str) -> str:
    return name.replace("-", "_")


def load_verb(name: str) -> Any:
    """The command of a verb, with its options. A module may name a class of its own for it, ``COMMAND``."""
    if name in READERS and "numpy" not in sys.modules:
        # The threads that numpy's linear algebra starts when it is imported take a fifth of the time of such a verb.
        os.environ.setdefault(ONE_THREAD, "1")
    module = module_of(name)
    single = typer.Typer(add_completion=False)
    single.command(
        name, cls=getattr(module, "COMMAND", None), context_settings={"help_option_names": ["-h", "--help"]}
    )(getattr(module, function_name(name)))
    return typer.main.get_command(single)


def stub() -> None:
    """Stands for a verb in the help."""


app = typer.Typer(
    name="stressfield",
    cls=VerbGroup,
    help="Find out in simulation what would fail in the field.",
    epilog="Exit codes: 0 clean, 1 findings, 2 bad input, 3 trouble of the rig, 130 stopped by Ctrl-C.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, (panel, line) in VERBS.items():
    app.command(name, help=line, rich_help_panel=PANELS[panel])(stub)


def _version(wanted: bool) -> None:
    if wanted:
        # slow to import for a word that is asked for rarely
        from importlib.metadata import version as installed_version  # noqa: PLC0415

        echo(f"stressfield {installed_version('stressfield')}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks, those of runs included.")] = False,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    if debug:
        os.environ[DEBUG_VARIABLE] = "1"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    if arguments is None:
        # At its end Python looks through all objects for garbage, of which the system is about to take back the memory.
        atexit.register(gc.freeze)
    try:
        app(args=arguments, prog_name="stressfield")
    except StressfieldError as error:
        if debugging():
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
        if debugging():
            raise
        place = f" {error.filename!r}" if error.filename else ""
        _complain(
            f"The system refused{place}: {error.strerror or error}. Check the disk and permissions, then try again."
        )
        sys.exit(INTERNAL_ERROR)
    except Exception as error:
        if debugging():
            raise
        if place := place_of(error):
            _complain(
                f"Your own code raised {type(error).__name__} at {place}: {error}\n"
                "To see the traceback: stressfield --debug ..."
            )
            sys.exit(BAD_INPUT)
        _complain(
            f"Internal error, please report it: {type(error).__name__}: {error}\n"
            "To see where it came from: stressfield --debug ..."
        )
        sys.exit(INTERNAL_ERROR)


def _complain(message: str) -> None:
    echo(message, err=True)
