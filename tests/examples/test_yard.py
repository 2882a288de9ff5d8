"""The example study in one file: it runs, it finds something, and what it finds can be seen again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from stressfield.analysis import summarise
from stressfield.campaign import Results, find_study, load

YARD = Path(__file__).parents[2] / "examples" / "yard.py"


def stressfield(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "stressfield"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("yard") / "runs"
    done = stressfield("run", YARD, "--worlds", 5, "--repeats", 2, "--jobs", 2, "--out", folder, "--no-report")
    assert done.returncode == 1, done.stderr
    return load(folder)


def test_the_campaign_finds_that_the_mower_comes_too_near_to_people(results: Results) -> None:
    assert len(results.runs) == 10
    assert {judged.run.status.value for judged in results.runs} <= {"completed", "timeout"}
    assert "clear" in {one.property for one in summarise(results, find_study(str(YARD))).findings}


def test_a_finding_replays_bit_for_bit(results: Results) -> None:
    done = stressfield("replay", results.folder, "F1")
    assert done.returncode == 0, done.stderr
    assert "identical, bit for bit" in done.stdout


def test_it_is_short() -> None:
    lines = [line for line in YARD.read_text().splitlines() if line.strip()]
    assert len(lines) <= 70
