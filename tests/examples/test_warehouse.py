"""The warehouse: people and forklifts move, what is found is about people, and can be made small and seen again."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stressfield.analysis import summarise
from stressfield.campaign import Results, find_study, load
from stressfield.report.figures import world_svg

WAREHOUSE = Path(__file__).parents[2] / "examples" / "warehouse.py"
STEPS_OUT = "2-2.8-0.0-[(along-0.9-15.0-1.2-true),(across-0.5-8.2-0.8-false),(along-0.7-2.0-1.2-false)]-[]"
"""One worker steps out of the passage into the shuttle's side; the others are in another aisle."""


def stressfield(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "stressfield"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("warehouse") / "runs"
    done = stressfield("run", WAREHOUSE, "--worlds", 2, "--template", STEPS_OUT, "--out", folder)
    assert done.returncode == 1, done.stdout + done.stderr
    return load(folder)


def test_most_worlds_pass_and_encounters_are_counted(tmp_path: Path) -> None:
    done = stressfield("run", WAREHOUSE, "--worlds", 8, "--jobs", 2, "--out", tmp_path / "runs", "--no-report")
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    summary = summarise(load(tmp_path / "runs"))
    properties = {prop.name: prop for prop in summary.properties}
    assert all(judged.run.status.value in {"completed", "timeout"} for judged in summary.runs.values())
    assert sum(judged.run.outcome == "pass" for judged in summary.runs.values()) >= 4
    assert (properties["space"].encounters or 0) > 0
    assert properties["passage"].encounters == 8
    assert properties["delivers"].encounters is None
    assert "encounters" in stressfield("results", tmp_path / "runs", "--details").stdout


def test_the_finding_is_about_the_worker_who_steps_out(results: Results) -> None:
    summary = summarise(results, find_study(str(WAREHOUSE)))
    assert "space" in {finding.property for finding in summary.findings}
    done = stressfield("replay", results.folder, "F1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "identical, bit for bit" in done.stdout
    assert re.search(r"met:\n   worker_2 \(person\): (contact|0\.[01]\d m) at 1\d\.\d s", done.stdout)


def test_the_page_plays_everybody(results: Results) -> None:
    page = (Path(results.folder) / "report.html").read_text()
    assert '"walks":[{"name":"worker_1"' in page.replace(", ", ",").replace(": ", ":")
    assert "1 encounter" in page or "2 encounters" in page


def test_shrinking_leaves_the_one_who_matters(results: Results) -> None:
    done = stressfield("shrink", results.folder, "F1", "--tests", 40, "--confirm", 1, "--needed", 1, "--repeats", 1)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    after = done.stdout.split("after:")[1].splitlines()[1]
    assert "[(across-" in after
    assert after.count("(") == 1


def test_behaviours_of_navground_work_in_the_warehouse(tmp_path: Path) -> None:
    pytest.importorskip("navground")
    study = WAREHOUSE.with_name("warehouse_navground.py")
    out, builds = tmp_path / "behaviours", ("--only", "hl", "--only", "social-force")
    done = stressfield("experiment", study, "behaviours", "--quick", *builds, "--jobs", 1, "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"hl +passed [1-3], .*delivers 0", done.stdout)  # it finds its way among them
    assert "| social-force |" in (out / "report.md").read_text()
    done = stressfield("replay", out / "hl", "all")
    assert "3 identical, bit for bit" in done.stdout, done.stdout + done.stderr


def test_what_walks_is_told_apart_from_what_stands() -> None:
    pytest.importorskip("navground")
    study = find_study(str(WAREHOUSE.with_name("warehouse_navground.py")))
    behaviour: Any = study.find_build("hl").make(study.scenario(STEPS_OUT, seed=0))
    wall = np.column_stack([np.full(30, 3.0), np.linspace(-2.0, 0.0, 30)])
    for n in range(6):
        person = np.column_stack([np.full(6, 2.0), np.linspace(1.0, 1.4, 6) + 0.08 * n])
        standing, walking = behaviour.told_apart(np.concatenate([wall, person]))
    assert len(standing) > 8
    assert [disc.velocity for disc in walking] == [pytest.approx((0.0, 0.8))]
    assert walking[0].radius_m == pytest.approx(0.22)


def test_a_shuttle_that_does_not_look_is_found_out(tmp_path: Path) -> None:
    blind = tmp_path / "warehouse.py"
    text = WAREHOUSE.read_text()
    assert "self.free_m(scan)" in text
    blind.write_text(text.replace("self.free_m(scan)", "scan.range_max"))
    head_on = "2-3.0-0.0-[(across-0.5-0.0-0.8-true),(across-0.2-4.0-0.8-true),(across-0.8-8.0-0.8-true)]-[(0.0-1.0)]"
    done = stressfield("run", blind, "--worlds", 3, "--template", head_on, "--out", tmp_path / "runs", "--no-report")
    assert done.returncode == 1, done.stdout + done.stderr
    properties = {prop.name: prop for prop in summarise(load(tmp_path / "runs")).properties}
    assert properties["stops"].failed + properties["delivers"].failed > 0


def test_worlds_from_the_smallest_to_the_largest_can_be_built() -> None:
    study = find_study(str(WAREHOUSE))
    for descriptor in ("2-2.8-0.0-[]-[]", "4-3.6-1.0-[r,r,r,r,r]-[r]"):
        world = study.scenario(descriptor, seed=3).world
        assert world.regions_of_kind("crossing")
        assert world_svg(world)


def test_it_is_short() -> None:
    lines = [line for line in WAREHOUSE.read_text().splitlines() if line.strip()]
    assert len(lines) <= 150
