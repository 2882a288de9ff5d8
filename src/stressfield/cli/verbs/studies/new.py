"""``stressfield new`` and ``stressfield scaffold``: templates that work at once, each with a test."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield.cli.echo import echo
from stressfield.errors import InputError, did_you_mean

KINDS = ("metric",)
_METRIC = '''"""The metric ``{name}``: say here what it means, its unit, and which direction is bad for the robot.

A study measures it with ``metrics={{"{name}": {name}}}``, and a testing space looks for it with
``metrics: [{{name: {name}, direction: lowest}}]`` and ``objectives: [{{metric: {name}}}]``.
"""

from __future__ import annotations

import stressfield as sf

TOPIC = "/{name}"
"""The topic it reads."""
PATH = "data"
"""The field of that topic's messages."""


def {name}(run: sf.Evidence) -> float | None:
    """The largest value that was sent. None if nothing was: a metric that saw nothing is missing, not a number."""
    said = run.signal(TOPIC, PATH)
    return float(said.values.max()) if len(said) else None
'''
_TEST = '''"""The metric ``{name}``: what it makes of known recordings."""

from __future__ import annotations

import stressfield as sf
from stressfield.bus.messages import Float64Msg
from stressfield.trace import Metadata, Recorder

from {name} import TOPIC, {name}

SCENARIO = sf.Scenario(sf.World.flat(5.0, 5.0), sf.Mission.reach((1.0, 1.0), within_s=10.0))


def recording(*values: float) -> sf.Evidence:
    recorder = Recorder(())
    for second, value in enumerate(values):
        recorder.record(TOPIC, second * 10**9, second * 10**9, Float64Msg(value))
    return sf.Evidence(recorder.finish(Metadata(topics=(TOPIC,))), SCENARIO)


def test_known_values() -> None:
    assert {name}(recording(1.0, 3.0, 2.0)) == 3.0


def test_nothing_seen_is_missing() -> None:
    assert {name}(recording()) is None
'''


def new(
    name: Annotated[str, typer.Argument(help="Its name: a Python name such as patrol.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path(),
) -> None:
    """Write a study that works at once, with comments on what to change, and its test."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", name) or keyword.iskeyword(name):
        raise InputError(f"A study cannot be called {name[:60]!r}. Wanted a Python name in small letters: patrol.")
    study, test = (
        files("stressfield.cli.templates").joinpath(file).read_text(encoding="utf-8").replace("NAME", name)
        for file in ("study.py.txt", "test_study.py.txt")
    )
    _write({out / f"{name}.py": study, out / f"test_{name}.py": test}, out)
    echo(f"\n run it:   stressfield run {out / f'{name}.py'}\n test it:  pytest {out / f'test_{name}.py'}")


def scaffold(
    kind: Annotated[str, typer.Argument(metavar="|".join(KINDS), help="What to write.")],
    name: Annotated[str, typer.Argument(help="Its name: a Python name such as completed_rooms.")],
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path(),
) -> None:
    """Write a typed template and its test, ready to be filled in."""
    if kind not in KINDS:
        raise InputError(f"Cannot scaffold {kind!r}. There is: {', '.join(KINDS)}." + did_you_mean(kind, KINDS))
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,79}", name) or keyword.iskeyword(name):
        raise InputError(f"A metric cannot be called {name[:80]!r}. Wanted a Python name such as completed_rooms.")
    _write({out / f"{name}.py": _METRIC.format(name=name), out / f"test_{name}.py": _TEST.format(name=name)}, out)


def _write(made: Mapping[Path, str], folder: Path) -> None:
    """Write the files and say so; none of them if one exists."""
    taken = next((path for path in made if path.exists()), None)
    if taken is not None:
        raise InputError(f"{str(taken)!r} exists already. Choose another name, or another folder with --out.")
    make_folder(folder)
    for path, text in made.items():
        write_file(path, text.encode())
        echo(str(path))
