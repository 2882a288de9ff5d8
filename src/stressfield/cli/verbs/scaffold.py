"""``stressfield scaffold``: typed templates to fill in, each with a test that runs."""

from __future__ import annotations

import keyword
import re
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
    return sf.Evidence(recorder.finish(Metadata()), SCENARIO)


def test_known_values() -> None:
    assert {name}(recording(1.0, 3.0, 2.0)) == 3.0


def test_nothing_seen_is_missing() -> None:
    assert {name}(recording()) is None
'''


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
    made = {out / f"{name}.py": _METRIC, out / f"test_{name}.py": _TEST}
    taken = next((path for path in made if path.exists()), None)
    if taken is not None:
        raise InputError(f"{str(taken)!r} exists already. Choose another name, or another folder with --out.")
    make_folder(out)
    for path, template in made.items():
        write_file(path, template.format(name=name).encode())
        echo(str(path))
