"""``stressfield new``: what it writes works at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


def call(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)


def test_the_new_study_passes_its_own_test(tmp_path: Path) -> None:
    made = call(tmp_path, BIN / "stressfield", "new", "patrol")
    assert made.returncode == 0, made.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["patrol.py", "test_patrol.py"]
    tested = call(tmp_path, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout
    assert "13 passed" in tested.stdout
    run = call(tmp_path, BIN / "stressfield", "run", "patrol.py", "--worlds", 3, "--no-report")
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", ["Patrol", "class", "my-robot", "../x", ""])
def test_a_name_that_python_does_not_take(tmp_path: Path, name: str) -> None:
    made = call(tmp_path, BIN / "stressfield", "new", name)
    assert made.returncode == 2
    assert "Wanted a Python name in small letters" in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "patrol.py").write_text("mine")
    made = call(tmp_path, BIN / "stressfield", "new", "patrol")
    assert made.returncode == 2
    assert "exists already" in made.stderr
    assert (tmp_path / "patrol.py").read_text() == "mine"
    assert not (tmp_path / "test_patrol.py").exists()
