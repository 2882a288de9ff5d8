#!/usr/bin/env python
"""Write docs/reference/cli.md from the commands themselves. A test fails when the file is out of date."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from stressfield.cli.main import VERBS, load_verb

TARGET = Path(__file__).resolve().parents[1] / "docs" / "reference" / "cli.md"
HEAD = """# The command line

This page is written by `scripts/cli_reference.py` from the commands themselves. `stressfield VERB --help` says the
same.

| exit code | meaning |
| --- | --- |
| 0 | clean: nothing was found |
| 1 | findings: a run failed, crashed or hung; or `compare` found the second campaign worse |
| 2 | bad input: the message says what was got and what was wanted |
| 3 | trouble of the rig or its machine; or a replay that differs from what was stored |
| 130 | stopped by Ctrl-C; what is done is kept |

Standing before the verb, `--debug` shows where in the program an error came from and `--version` prints the version.
`--install-completion` sets up completion of verbs and options in your shell.
"""
WORDS = {int: "N", float: "NUMBER", Path: "PATH"}
OWN = {"help", "install_completion", "show_completion"}


def reference() -> str:
    """The whole page."""
    return HEAD + "".join(_verb(name, load_verb(name)) for name in VERBS)


def _verb(name: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and one.name not in OWN]
    shown = " ".join(_shown(one) for one in arguments)
    text = f"\n## {name}\n\n`stressfield {name}{' ' if shown else ''}{shown}{' [OPTIONS]' if options else ''}`\n\n"
    text += f"{' '.join((command.help or '').split())}\n"
    rows = [f"| `{_shown(one).strip('[]')}` | {_help(one)} |" for one in arguments]
    rows += [f"| {_flags(one)} | {_help(one)} |" for one in options]
    return text + ("\n| argument or option | meaning |\n| --- | --- |\n" + "\n".join(rows) + "\n" if rows else "")


def _shown(argument: Any) -> str:
    word = (argument.metavar or argument.name).strip("{}[]").upper()
    return word if argument.required else f"[{word}]"


def _flags(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    kind = getattr(getattr(option, "type_descriptor", None), "annotation", str)
    word = option.metavar or WORDS.get(kind, "TEXT")
    return f"{names} {word}".replace("|", "\\|")


def _help(parameter: Any) -> str:
    text = " ".join((parameter.help or "").split()).replace("|", "\\|")
    value = parameter.default
    plain = not (parameter.required or value is None or value is False or value == ())
    shown = getattr(value, "value", value)
    return f"{text} Default: `{shown}`." if plain and "Default" not in text else text


if __name__ == "__main__":
    TARGET.write_text(reference())
    sys.stdout.write(f"{TARGET} written\n")
