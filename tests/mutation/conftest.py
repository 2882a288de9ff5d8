"""One programme of mutants for all tests that look at one: each mutant starts workers of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from stressfield.campaign import Plan
from stressfield.mutation import Asked, Programme, Score

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def rover(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The study in a folder of its own, so that nothing else has imported its files."""
    folder = tmp_path_factory.mktemp("study")
    for file in HERE.glob("rover*.py"):
        shutil.copy(file, folder)
    return folder / "rover.py"


@pytest.fixture(scope="session")
def asked(rover: Path) -> Asked:
    """Eight mutants in two worlds."""
    plan = Plan(study=str(rover), build="default", seed=3, worlds=2, repeats=1)
    return Asked(plan=plan, mutants=8, seed=3, controls=1)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programme is."""
    return tmp_path_factory.mktemp("mutants") / "rover"


@pytest.fixture(scope="session")
def score(asked: Asked, folder: Path) -> Score:
    """What came of it."""
    return Programme(asked, folder, jobs=1).run()
