"""The pages: built from their sources; right in a real browser while a campaign runs, stops, goes on, is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stressfield.analysis import summarise
from stressfield.campaign import load

from .conftest import TOY, Client

WEB = Path(__file__).parents[2] / "web"
NODE = shutil.which("node")
BROWSER = shutil.which("chromium")
MUST = os.environ.get("CI") == "true"
needs_node = pytest.mark.skipif(
    not MUST and (NODE is None or not (WEB / "node_modules").is_dir()), reason="needs Node.js and scripts/npm-packages"
)
needs_browser = pytest.mark.skipif(not MUST and BROWSER is None, reason="no chromium found")


@needs_node
def test_the_built_files_are_what_the_sources_give() -> None:
    for command in (["npx", "tsc", "--noEmit"], ["node", "build.mjs", "--check"]):
        done = subprocess.run(command, cwd=WEB, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]


@needs_node
@needs_browser
def test_a_live_campaign_is_right_on_the_page_and_so_is_everything_else(active: Client) -> None:
    script = Path(__file__).with_name("pages.mjs")
    words = [str(NODE), str(script), str(WEB), active.served.link, str(BROWSER)]
    told: dict[str, Any] = {}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            what, told[what] = json.loads(line)
            folder = active.root / "live"
            if what == "stopped":
                told["stored"] = len(load(folder).runs)
            elif what == "kill":
                job = active.served.parts.jobs.of(folder)
                assert job is not None
                job.process.kill()
                job.ended.wait(60)
            elif what == "killed":
                told["killed of"] = summarise(load(folder))
            elif what == "begin outside":
                outside = _outside(active.root / "outside")
            elif what == "kill outside":
                os.killpg(outside.pid, signal.SIGKILL)
                outside.wait(60)
        trouble = process.stderr.read()
        assert process.wait(60) == 0, trouble + str(told)
    assert told["address"] == ""
    assert told["picture"] is True
    assert told["stopped"]["done"] == told["stored"]
    summary = told["killed of"]
    assert summary.done > told["stored"]
    failing = summary.counts["fail"] + summary.crashed
    assert told["killed"]["done"] == summary.done
    assert told["killed"]["tiles"][2:] == [str(failing), str(len(summary.findings))]
    _agree(told["moments"])
    outside_now = summarise(load(active.root / "outside"))
    assert told["not ours"] is True
    assert told["outside"]["done"] == outside_now.done
    assert told["outside"]["tiles"][2:] == [str(outside_now.counts["fail"]), str(len(outside_now.findings))]
    late = summarise(load(active.root / "late"))
    wanted = [
        judged
        for judged in late.runs.values()
        if judged.failures and float(late.scenarios[judged.run.scenario_id].parameters["wall_m"]) >= 3.0
    ]
    assert told["filtered"]["rows"] == len(wanted)
    assert "category=fail" in told["filtered"]["address"]
    assert "Did you mean 'parameter.wall_m'?" in told["mistake"]
    assert told["player"]["first"].startswith("0.0 s of ")
    assert told["player"]["second"].startswith("1.0 s of ")
    assert "t=" in told["player"]["address"]
    assert told["player"]["alarm"] == 1
    assert told["wide"] == []
    assert told["troubles"] == []


def _outside(folder: Path) -> subprocess.Popen[bytes]:
    """A campaign that is run in a terminal."""
    words = ["run", TOY, "--build", "slow", "--worlds", "2000", "--template", "r", "--jobs", "1", "--out", str(folder)]
    command = [sys.executable, "-m", "stressfield", *words]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True
    )


def _agree(moments: list[dict[str, Any]]) -> None:
    """Whatever the page showed agreed with itself and with what came before."""
    assert {moment["state"] for moment in moments} == {"running", "stopped"}
    before = 0
    for moment in moments:
        parts = moment["parts"]
        ended = sum(count for name, count in parts.items() if name != "to do")
        assert ended == moment["done"] <= moment["planned"], moment
        assert ended + parts.get("to do", 0) == moment["planned"], moment
        assert moment["failing"] == sum(parts.get(name, 0) for name in ("failed", "crashed", "hung")), moment
        assert moment["done"] >= before, "what was done is not lost"
        assert ("Stop" in moment["buttons"]) == (moment["state"] == "running"), moment
        before = moment["done"]
    assert len({moment["done"] for moment in moments}) > 5
