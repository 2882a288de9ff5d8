"""Faults are planted in the robot's code that runs, and in nothing that the test itself uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from stressfield.campaign import Plan
from stressfield.mutation.mutant import choose, possible_sites
from stressfield.mutation.robot_lines import RobotFile, robot_files
from stressfield.mutation.site import Site
from stressfield.provenance import source_files


@pytest.fixture(scope="module")
def files(rover: Path) -> tuple[RobotFile, ...]:
    return robot_files(Plan(study=str(rover), build="default", seed=3, worlds=1, repeats=1))


@pytest.fixture(scope="module")
def sites(files: tuple[RobotFile, ...], rover: Path) -> list[tuple[str, Site]]:
    return [(Path(path).name, site) for path, _, site in possible_sites(files, source_files(str(rover)))]


def test_what_robot_and_oracle_share_is_left_alone(sites: list[tuple[str, Site]]) -> None:
    assert {name for name, _ in sites} == {"rover_pilot.py", "rover_kernels.py", "rover_limits.py"}


def test_what_does_not_run_has_no_fault(sites: list[tuple[str, Site]], rover: Path) -> None:
    lines = (rover.parent / "rover_pilot.py").read_text().splitlines()
    touched = {lines[site.line - 1].strip() for name, site in sites if name == "rover_pilot.py"}
    assert "self.lost(left_m * 2.0)" not in touched
    assert "return far_m + 1.0" not in touched
    assert "elif left_m > 100.0:" in touched


def test_constants_of_the_robot_count_and_those_of_the_worlds_do_not(sites: list[tuple[str, Site]]) -> None:
    assert {site.setting for _, site in sites if site.setting} == {"CRUISE_MPS", "NEAR_M"}


def test_compiled_functions_count_whole_those_that_they_call_too(sites: list[tuple[str, Site]], rover: Path) -> None:
    compiled = {"rover_kernels.py", "rover_limits.py"}
    touched = {
        (rover.parent / name).read_text().splitlines()[site.line - 1].strip()
        for name, site in sites
        if name in compiled
    }
    assert touched == {"return min(value, most)", "return limited(0.1 + 0.8 * left_m, cruise_mps)"}


def test_the_same_seed_chooses_the_same_faults_and_more_keep_the_first(
    files: tuple[RobotFile, ...], rover: Path
) -> None:
    study = source_files(str(rover))
    few, places = choose(files, study, count=5, seed=1)
    many, _ = choose(files, study, count=12, seed=1)
    others, _ = choose(files, study, count=5, seed=2)
    everything, _ = choose(files, study, count=1000, seed=1)
    assert many[:5] == few
    assert others != few
    assert len(everything) == places == len({(m.path, m.start, m.end, m.operator) for m in everything})
