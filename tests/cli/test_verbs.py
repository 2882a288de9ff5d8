"""Verbs are known without being imported, and start light."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from stressfield.campaign import Plan, run_campaign
from stressfield.cli.main import VERBS, load_verb, module_of

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
HEAVY = {"jinja2", "mujoco", "numba", "pymoo", "scipy"}
"""What takes a noticeable time to import, and neither help nor figures need."""
STUDIES_NEED = {
    "stressfield.model.element",
    "stressfield.oracle.evidence",
    "stressfield.sim.factory",
    "stressfield.study",
    "stressfield.trace.trace",
    "stressfield.world.world",
}
"""What worlds, runs and recordings are made of: figures are kept without."""


@pytest.mark.parametrize("name", VERBS)
def test_the_line_of_help_is_the_first_paragraph_of_the_docstring(name: str) -> None:
    verb = getattr(module_of(name), name.replace("-", "_"))
    first = (inspect.getdoc(verb) or "").split("\n\n")[0]
    assert " ".join(first.split()) == VERBS[name][1]


def loaded_after(*arguments: str) -> tuple[str, set[str]]:
    """What a verb prints, and the modules that it imported."""
    code = (
        "import atexit, sys; from stressfield.cli import main; "
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main(sys.argv[1:])"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return done.stdout, set(done.stderr.split())


def test_help_shows_all_verbs_and_imports_none() -> None:
    shown, loaded = loaded_after("--help")
    assert [name for name in VERBS if f" {name} " not in shown] == []
    assert sorted(module for module in loaded if module.startswith("stressfield.cli.verbs")) == []
    assert loaded & (HEAVY | {"numpy", "msgspec", "yaml"}) == set()


def test_an_unknown_verb_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    code = "from stressfield.cli import main; main(['rum'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ}, check=False)
    assert done.returncode == 2
    assert "No such command 'rum'" in done.stderr


def test_results_import_nothing_heavy(tmp_path: Path) -> None:
    run_campaign(Plan(study=TOY, build="late", seed=7, worlds=12, repeats=3), tmp_path / "c", in_process=True)
    shown, loaded = loaded_after("results", str(tmp_path / "c"), "--details")
    assert " F1 " in shown
    assert sorted(loaded & HEAVY) == []
    assert sorted(loaded & STUDIES_NEED) == []
    assert not any(name.startswith("stressfield_study_") for name in loaded), "the study itself is not read"


@pytest.mark.parametrize("name", VERBS)
def test_no_panel_of_help_has_more_than_ten_options(name: str) -> None:
    panels = Counter(
        option.rich_help_panel for option in load_verb(name).params if getattr(option, "rich_help_panel", None)
    )
    assert all(count <= 10 for count in panels.values()), panels
