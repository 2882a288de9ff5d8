"""The robots in other processes and languages: real rosbridge clients, in generated worlds, with verdicts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stressfield.campaign import Results, load

EXAMPLES = Path(__file__).parents[2] / "examples"
MODULES = EXAMPLES / "javascript" / "node_modules" / "roslib"


def needs_node() -> None:
    """Without Node the test is skipped with a reason; in CI it fails."""
    if shutil.which("node") and MODULES.is_dir():
        return
    why = "needs Node 20 and roslib: npm ci --prefix examples/javascript"
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def campaign(name: str, folder: Path, *, worlds: int) -> Results:
    command = [Path(sys.executable).with_name("stressfield"), "run", EXAMPLES / f"{name}.py"]
    options = ["--worlds", str(worlds), "--repeats", "1", "--seed", "4", "--out", folder, "--no-report"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    return load(folder)


def digests(results: Results) -> list[str]:
    assert {judged.run.status.value for judged in results.runs} <= {"completed", "timeout"}, results.runs
    assert all(len(judged.verdicts) == 4 for judged in results.runs)
    return [judged.run.digest for judged in results.runs]


def test_a_robot_with_roslibpy(tmp_path: Path) -> None:
    results = campaign("yard_roslibpy", tmp_path / "runs", worlds=3)
    assert len(set(digests(results))) == 3
    replayed = subprocess.run(
        [Path(sys.executable).with_name("stressfield"), "replay", results.folder, results.runs[0].run.id],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "identical, bit for bit" in replayed.stdout, replayed.stdout + replayed.stderr


def test_a_robot_in_javascript(tmp_path: Path) -> None:
    needs_node()
    assert len(set(digests(campaign("yard_javascript", tmp_path / "runs", worlds=3)))) == 3


def test_a_robot_over_grpc(tmp_path: Path) -> None:
    assert len(digests(campaign("yard_grpc", tmp_path / "runs", worlds=1))) == 1


@pytest.mark.parametrize("name", ["roslibpy_robot.py", "javascript/robot.mjs"])
def test_they_are_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) < 60


def test_the_lock_file_names_no_registry() -> None:
    lock = (EXAMPLES / "javascript" / "package-lock.json").read_text()
    assert '"integrity"' in lock
    assert '"resolved"' not in lock


def test_the_page_about_javascript_shows_the_robot() -> None:
    page = (EXAMPLES.parent / "docs" / "how-to" / "javascript.md").read_text()
    assert f"```javascript\n{(EXAMPLES / 'javascript' / 'robot.mjs').read_text()}```" in page
