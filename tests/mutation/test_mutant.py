"""A mutant is a study of its own: the fault is in its workers, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from stressfield.errors import InputError
from stressfield.mutation.mutant import Mutant, write_mutant
from stressfield.plugins import find_study

SAID = """
import sys
from stressfield.plugins import find_study
study = find_study(sys.argv[1])
import rover_kernels, rover_pilot
print(rover_kernels.speed(1.0, 5.0), rover_pilot.NEAR_M, rover_pilot.__file__)
"""


def planted(rover: Path, name: str, was: str, now: str) -> Mutant:
    path = rover.parent / name
    start = path.read_bytes().index(was.encode())
    return Mutant(
        number=1, path=str(path), operator="constant", line=1, start=start, end=start + len(was), was=was, now=now
    )


def said(reference: Path) -> list[str]:
    """What a fresh process sees of a study: the result of a compiled function, a constant, a module's file."""
    done = subprocess.run([sys.executable, "-c", SAID, str(reference)], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_fresh_process_runs_the_fault_and_no_file_is_changed(rover: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in rover.parent.glob("*.py")}
    file = write_mutant(planted(rover, "rover_pilot.py", "NEAR_M = 0.2", "NEAR_M = 0.4"), str(rover), tmp_path)
    speed, near, place = said(file)
    assert (near, place) == ("0.4", str(rover.parent / "rover_pilot.py"))
    assert said(rover)[:2] == [speed, "0.2"]
    assert {path: path.read_bytes() for path in rover.parent.glob("*.py")} == before


def test_compiled_code_of_a_mutant_is_kept_apart(rover: Path, tmp_path: Path) -> None:
    assert said(rover)[0] == "0.9"
    kept = sorted(path.name for path in (rover.parent / "__pycache__").glob("rover_kernels*.nb?"))
    assert kept
    file = write_mutant(planted(rover, "rover_kernels.py", "0.1 + 0.8", "0.1 - 0.8"), str(rover), tmp_path)
    for _ in range(2):  # compiled, then from its own cache
        assert said(file)[0] == "-0.7000000000000001"
    assert sorted(path.name for path in (rover.parent / "__pycache__").glob("rover_kernels*.nb?")) == kept
    assert list((tmp_path / "mutants" / "001" / "__pycache__").glob("rover_kernels*.nbi"))
    assert said(rover)[0] == "0.9"


def test_compiled_code_that_holds_the_changed_code_is_compiled_anew(rover: Path, tmp_path: Path) -> None:
    """numba puts the called function's code into the caller's, and would load the caller from its cache."""
    assert said(rover)[0] == "0.9"
    file = write_mutant(planted(rover, "rover_limits.py", "min(value, most)", "(most)"), str(rover), tmp_path)
    assert said(file)[0] == "5.0"
    assert said(rover)[0] == "0.9"


def test_a_process_that_knows_the_unmutated_robot_refuses_to_run_a_mutant(rover: Path, tmp_path: Path) -> None:
    original = find_study(str(rover))
    file = write_mutant(planted(rover, "rover_pilot.py", "NEAR_M = 0.2", "NEAR_M = 0.4"), str(rover), tmp_path)
    mutant = find_study(str(file))
    assert [build.name for build in mutant.builds] == [build.name for build in original.builds]
    with pytest.raises(InputError, match="unmutated robot software"):
        mutant.builds[0].subject(mutant.scenario("r", seed=0))


def test_a_diff_tells_the_fault(rover: Path) -> None:
    mutant = planted(rover, "rover_pilot.py", "0.2", "0.4")
    assert "-NEAR_M = 0.2\n+NEAR_M = 0.4" in mutant.diff(context=0)
    assert mutant.words == "0.4 for 0.2"
