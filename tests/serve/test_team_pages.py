"""The pages that a team works with, in a real browser: comparison, history, findings, plots, editors; and many runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stressfield.analysis import compare, read_known_issues, summarise
from stressfield.campaign import Ledger, Plan, load, run_campaign
from stressfield.campaign.folder import write_plan
from stressfield.campaign.plan import prepare
from stressfield.oracle import Outcome, Verdict
from stressfield.provenance import versions
from stressfield.run import JudgedRun, RunRecord, Status
from stressfield.seeds import generator

from .conftest import TOY, Client, serving
from .test_pages import BROWSER, NODE, WEB, needs_browser, needs_node

RUNS = 20_000


def _told(script: str, *words: str) -> dict[str, Any]:
    command = [str(NODE), str(Path(__file__).with_name(script)), str(WEB), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0, done.stderr + str(told)
    return told


@pytest.fixture
def team(made: Path, tmp_path: Path) -> Iterator[Client]:
    root = tmp_path / "runs"
    shutil.copytree(made, root)
    run_campaign(
        Plan(study=TOY, build="late", seed=3, worlds=3, repeats=1, template="r", keep="none"),
        root / "bare",
        in_process=True,
    )
    with serving(root, studies=[TOY], workers=1, known_issues=tmp_path / "known.toml") as client:
        yield client


@needs_node
@needs_browser
def test_a_team_compares_decides_edits_and_starts(team: Client, tmp_path: Path) -> None:
    pictures = os.environ.get("STRESSFIELD_PICTURES", "")
    told = _told("team_pages.mjs", team.served.link, str(BROWSER), TOY, *([pictures] if pictures else []))
    both = [summarise(load(team.root / name)) for name in ("raises", "late")]
    compared = compare(*both)
    assert told["compared"] == {"flips": len(compared.flips), "pairs": 6, "opened": True}
    assert told["history"]["points"] == 3
    assert told["history"]["cases"] >= 2
    assert told["history"]["charts"] >= 2
    assert any("hit nothing, driving" in words for words in told["decided"]["mechanisms"])
    assert told["decided"]["images"] == 0
    assert "<img src=x onerror=alert(1)> ticket 7" in told["decided"]["note"]
    assert [issue.reason for issue in read_known_issues(tmp_path / "known.toml")] == [
        "<img src=x onerror=alert(1)> ticket 7"
    ]
    low, high = (float(chip.split()[2]) for chip in told["brushed"]["chips"][:2])
    wanted = [
        judged
        for judged in both[1].runs.values()
        if low <= float(both[1].scenarios[judged.run.scenario_id].parameters["wall_m"]) <= high
    ]
    assert 0 < told["brushed"]["rows"] == len(wanted) < len(both[1].runs)
    assert told["again"] is True
    world = told["world"]
    assert world["pushed"].split("-")[1] == "5"
    assert "damp" in world["rejected"]
    assert (world["disabled"], world["slid"], world["wall"]) == (True, "5", "2.45")
    found = summarise(load(team.root / world["heading"]))
    assert [record.descriptor for record in found.results.scenarios] == ["2.45-5-dry"]
    assert found.counts["fail"] > 0, "the world that was found makes the robot fail"
    assert world["tiles"][2] == str(found.counts["fail"])
    space = told["space"]
    assert "probability" in space["wrong"]
    assert "0.2 to 0.5" in space["explained"]
    assert int(space["counted"].replace(",", "")) > 1
    front = summarise(load(team.root / "toy-search")).search
    assert front is not None
    assert space["points"] == len(space["opened"]) == len(front.front)
    assert told["wide"] == []
    assert told["unnamed"] == []
    assert told["axe"] == [], "contrast, roles, order of headings"
    assert told["troubles"] == []


@needs_node
@needs_browser
def test_a_campaign_of_very_many_runs_is_painted_soon_after_its_data(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    _fill(root / "many")
    with serving(root) as client:
        told = _told("many_runs.mjs", client.served.link, str(BROWSER), "many")
    painted = told["painted"]
    print({name: round(value) for name, value in painted.items()})  # noqa: T201 - a machine is not asked to be fast
    assert painted["drawn"] == painted["lines"] == RUNS
    assert told["troubles"] == []


def _fill(folder: Path) -> None:
    """A ledger that was filled without running anything."""
    folder.mkdir(parents=True)
    plan = Plan(study=TOY, build="late", seed=1, worlds=RUNS // 10, repeats=10, template="r", keep="none")
    write_plan(folder, plan, versions(), plan.study_record())
    scenarios = prepare(plan).ask()
    rng = generator(11, "verdicts")
    with Ledger(folder) as ledger:
        ledger.add(scenarios=scenarios)
        planned = plan.runs_of(scenarios)
        for start in range(0, len(planned), 1000):
            ledger.add(runs=[_made_up(one, float(rng.random())) for one in planned[start : start + 1000]])


def _made_up(planned: Any, chance: float) -> JudgedRun:
    outcome = Outcome.FAIL if chance < 0.1 else Outcome.PASS
    record = RunRecord(
        id=planned.id, scenario_id=planned.scenario.id, repeat=planned.repeat, seed=planned.seed, build="late",
        status=Status.COMPLETED, outcome=outcome, simulated_s=4.0 * chance, wall_s=0.01, digest="", trace_file=None,
    )  # fmt: skip
    verdict = Verdict("gap", outcome, chance - 0.1, "m", 1.0, "near" if outcome is Outcome.FAIL else None)
    return JudgedRun(run=record, verdicts=(verdict,), metrics={"path_m": 3.0 * chance, "speed_mps": 1.0 - chance})
