"""The worlds of BARN: a navigator of ours and behaviours of navground in three of them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from math import hypot, inf, pi
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.stats import spearmanr

import stressfield as sf
from stressfield.bus import Timing
from stressfield.campaign import load
from stressfield.cli import main
from stressfield.model import template
from stressfield.run import Executed, execute
from stressfield.seeds import generator
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata

EXAMPLES = Path(__file__).parents[2] / "examples"

Call = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def barn() -> ModuleType:
    spec = importlib.util.spec_from_file_location("barn", EXAMPLES / "barn.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["barn"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]) -> Call:
    def call(*words: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(word) for word in words])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out + captured.err

    return call


def scenario(barn: ModuleType, name: str) -> sf.Scenario:
    made: sf.Scenario = barn.study.scenario(template(barn.Barn, {"world": f"world_{name}.world"}), seed=1)
    return made


# the study ----------------------------------------------------------------------------------------------------


def test_runs_end_on_the_truth_and_are_the_same_again(stressfield: Call, tmp_path: Path) -> None:
    out = tmp_path / "barn"
    vary = "world=world_10.world,world_138.world,world_264.world"
    code, said = stressfield("run", EXAMPLES / "barn.py", "--vary", vary, "--out", out, "--no-report", "--jobs", 1)
    assert code in (0, 1), said
    runs = [judged.run for judged in load(out).runs]
    assert len(runs) == 3
    assert {run.ended_by.partition(" ")[0] or run.status.value for run in runs} <= {"reached", "collided", "timeout"}
    assert any(run.ended_by.startswith("reached") for run in runs)
    code, said = stressfield("replay", out, "all")
    assert code in (0, 1), said
    assert "3 of 3" in said or "identical" in said


def test_the_experiment_sets_ours_beside_the_published_runs(stressfield: Call, tmp_path: Path) -> None:
    code, said = stressfield("experiment", EXAMPLES / "barn.py", "published", "--quick", "--out", tmp_path / "e")
    assert code == 0, said
    assert "3 worlds, 60 published runs and 6 of ours" in said
    page = (tmp_path / "e" / "report.md").read_text()
    assert "| 264 | 5 % |" in page  # the share of the 20 published runs in that world
    assert "| 10 | 100 % |" in page


def fresh(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own: a study is read only once in each."""
    command = [str(Path(sys.executable).with_name("stressfield")), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


def test_a_folder_without_worlds_is_bad_input(tmp_path: Path) -> None:
    done = fresh("run", EXAMPLES / "barn.py", "--out", tmp_path / "out", STRESSFIELD_BARN=str(tmp_path))
    assert (done.returncode, "fits no file" in done.stderr) == (2, True)


class Ahead(sf.Node):
    """Drives straight ahead, whatever there is."""

    name = "ahead"

    def setup(self, link: sf.Link) -> None:
        link.every(0.1, lambda: link.publish("/cmd_vel", sf.messages.Twist.drive(0.7, 0.0)))


@pytest.mark.parametrize("name", ["10", "138", "264"])
def test_a_cylinder_of_fifteen_centimetres_stops_who_drives_into_it(barn: ModuleType, name: str) -> None:
    done = run(barn, scenario(barn, name), Ahead())
    assert done.ended_by.startswith("collided")
    truth, bodies = done.trace.truth("jackal"), done.trace.truth("jackal").touched_body[-1]
    touched = scenario(barn, name).world.bodies[int(bodies)]
    assert touched.size_x_m == pytest.approx(0.15)
    assert hypot(truth.x_m[-1] - touched.x_m, truth.y_m[-1] - touched.y_m) < 0.45


def run(barn: ModuleType, where: sf.Scenario, node: sf.Node) -> Executed:
    return execute(
        where, NodesSubject(lambda _: [node]), barn.study.find_simulator()(), seed=1, timing=Timing(),
        ending=barn.study.ending, metadata=Metadata(),
    )  # fmt: skip


def test_rows_are_taken_away_and_nothing_else(barn: ModuleType) -> None:
    whole = scenario(barn, "138").world.bodies
    part = barn.study.scenario('"world_138.world"-[11,0]', seed=1).world.bodies
    rows = [barn.row_of(body) for body in whole]
    assert {barn.row_of(body) for body in part} == {-1, 0, 11}
    assert len(part) == sum(row in {-1, 0, 11} for row in rows)
    assert set(rows) == set(range(-1, 30))


# the navigator ------------------------------------------------------------------------------------------------


def test_distances_are_those_to_the_nearest_taken_cell(barn: ModuleType) -> None:
    grid = generator(3, "barn").random((60, 50)) < 0.01
    room = np.zeros(grid.shape)
    barn.distances(grid, room, 0, 60, 0, 50)
    rows, columns = np.nonzero(grid)
    r, c = np.indices(grid.shape)
    exact = barn.CELL_M * np.sqrt(((r[..., None] - rows) ** 2 + (c[..., None] - columns) ** 2).min(axis=-1))
    assert np.abs(room - exact).max() <= 0.06 * exact.max()
    assert (room[grid] == 0.0).all()


def test_the_way_leads_round_a_wall(barn: ModuleType) -> None:
    grid = np.zeros((80, 80), np.bool_)
    grid[40, :60] = True
    room, way = np.zeros(grid.shape), np.zeros((40, 40))
    barn.distances(grid, room, 0, 80, 0, 80)
    barn.ways(room, 30, 5, way)
    straight_m = barn.CELL_M * barn.COARSE * 20
    assert way[30, 5] == 0.0
    assert straight_m * 3 < way[10, 5] < 1e3  # not through the wall, though the goal is right behind it
    x, y = 10.0, 20.0
    for _ in range(400):
        x, y = min(((x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1)), key=lambda at: barn.look_up(way, *at))
        assert not grid[int(y), int(x)]
    assert hypot(x - 11, y - 61) < 4


def test_a_scan_marks_what_it_hits_and_clears_what_it_passes(barn: ModuleType) -> None:
    grid = np.zeros((40, 40), np.bool_)
    grid[20, 25] = True
    barn.see(grid, 20.5, 20.5, 0.0, np.array([0.5, inf]), 0.0, pi / 2.0, 10.0)
    assert np.argwhere(grid).tolist() == [[20, 30]]


def test_there_is_no_command_where_every_one_would_hit(barn: ModuleType) -> None:
    room, way = np.full((100, 100), 9.0), np.zeros((50, 50))
    best, speed, _ = barn.window(room, way, 50.0, 50.0, 0.0, 0.3, 0.0, 0.7)
    assert best < inf
    assert speed == pytest.approx(0.6)  # as fast as two periods allow
    assert barn.window(np.full((100, 100), 0.2), way, 50.0, 50.0, 0.0, 0.3, 0.0, 0.7)[0] == inf


def test_the_correlation_is_that_of_scipy(barn: ModuleType) -> None:
    rng = generator(1, "barn")
    a = rng.integers(0, 6, 60).astype(float)
    b = a + rng.normal(0.0, 2.0, 60)
    said = barn.alike(list(zip(a.tolist(), b.tolist(), strict=True)), rng, draws=200)
    assert said.startswith(f"{spearmanr(a, b).statistic:.2f} (")
    assert "too few worlds (3)" in barn.alike([(1.0, 2.0)] * 3, rng)


# navground ----------------------------------------------------------------------------------------------------


def test_behaviours_of_navground_drive(stressfield: Call, tmp_path: Path) -> None:
    pytest.importorskip("navground")
    out = tmp_path / "behaviours"
    words = ("experiment", EXAMPLES / "barn_navground.py", "behaviours", "--quick", "--out", out)
    code, said = stressfield(*words, "--only", "hl-guided", "--only", "hrvo", "--jobs", 1)
    assert code == 0, said
    assert "crashed 0" in said
    assert "reached 3" in said.partition("hl-guided")[2].partition("\n")[0]
    code, said = stressfield("replay", out / "hrvo", "all")
    assert code in (0, 1), said


def test_without_navground_the_message_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "navground.py").write_text("raise ImportError\n")  # in front of the real one
    out = tmp_path / "out"
    done = fresh("run", EXAMPLES / "barn_navground.py", "--worlds", 1, "--out", out, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2, done.stdout + done.stderr
    said = " ".join(done.stderr.split())
    assert "This robot needs navground. Install it: pip install 'stressfield[navground]'" in said


def test_the_ending_is_that_of_the_challenge(barn: ModuleType) -> None:
    made = scenario(barn, "10")
    assert isinstance(made.mission, sf.ReachMission)
    assert (made.mission.goal_m, made.mission.limit_s) == ((-2.0, 13.0), 100.0)
    start = made.world.robot("jackal")
    assert (start.x_m, start.y_m, start.yaw_rad) == (-2.0, 3.0, pi / 2.0)
    assert replace(barn.study.ending, settle_s=0.0) == barn.ending
