"""``stressfield new``: a study of your own, to begin with."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield.cli.echo import echo
from stressfield.errors import InputError


def new(
    name: Annotated[str, typer.Argument(help="Its name: a Python name such as patrol.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path(),
) -> None:
    """Write a study that works at once, with comments on what to change, and its test."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", name) or keyword.iskeyword(name):
        raise InputError(f"A study cannot be called {name[:60]!r}. Wanted a Python name in small letters: patrol.")
    made = {out / f"{name}.py": "study.py.txt", out / f"test_{name}.py": "test_study.py.txt"}
    taken = next((path for path in made if path.exists()), None)
    if taken is not None:
        raise InputError(f"{str(taken)!r} exists already. Choose another name, or another folder with --out.")
    make_folder(out)
    for path, template in made.items():
        text = files("stressfield.cli.templates").joinpath(template).read_text(encoding="utf-8")
        write_file(path, text.replace("NAME", name).encode())
        echo(str(path))
    study = out / f"{name}.py"
    echo(f"\n run it:   stressfield run {study}\n test it:  pytest {out / f'test_{name}.py'}")
