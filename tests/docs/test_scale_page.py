"""What people copy from the page on many machines: the scripts run, the files are what they say they are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from stressfield.campaign import Plan, plan_campaign, prepare, write_shards
from stressfield.campaign.ledger import LEDGER
from stressfield.cli.main import VERBS

from .pages import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "scale.md"


def texts(language: str) -> list[str]:
    return [block.text for block in blocks(PAGE) if block.language == language]


def test_the_script_of_the_batch_system_runs_a_shard(tmp_path: Path) -> None:
    study = str(ROOT / "tests" / "campaign" / "toy.py")
    plan_campaign(prepare(Plan(study=study, build="good", seed=1, worlds=3, repeats=1)), tmp_path / "runs" / "oz")
    write_shards(tmp_path / "runs" / "oz", into=3)
    script = next(text for text in texts("bash") if "SLURM" in text)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SLURM_ARRAY_TASK_ID": "2", "SLURM_CPUS_PER_TASK": "1"}
    command = ["bash", "-eu", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Shard 2 of 3: 1 runs are done." in done.stdout
    assert (tmp_path / "runs" / "oz" / "shards" / "2" / LEDGER).exists()


def test_the_files_of_build_servers_and_clusters_are_whole() -> None:
    actions, job = (yaml.safe_load(text) for text in texts("yaml"))
    shards = actions["jobs"]["shard"]["strategy"]["matrix"]["shard"]
    steps = [step.get("run", "") for step in actions["jobs"]["shard"]["steps"]]
    assert f"stressfield shard runs/oz --into {len(shards)}" in " ".join(steps)
    assert job["spec"]["completionMode"] == "Indexed"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (named,) = re.findall(r"stressfield\[(.*?)\]", texts("dockerfile")[0])
    assert set(named.split(",")) <= set(extras)
    words = " ".join([*texts("bash"), *texts("yaml"), *texts("dockerfile")])
    called = re.findall(r"(?:stressfield|registry\.example\.com/stressfield) ([a-z][a-z-]+)\b(?!:)", words)
    assert set(called) <= set(VERBS), called


def test_every_option_is_one() -> None:
    known = (ROOT / "docs" / "reference" / "cli.md").read_text()
    commands = re.findall(r"stressfield ((?:run|search|shard|run-shard|merge|resume)\b[^\n;`&]*)", PAGE.read_text())
    assert len(commands) > 10
    for command in commands:
        verb = command.split()[0]
        (section,) = re.findall(rf"^## {verb}\n(.*?)(?=^## |\Z)", known, re.MULTILINE | re.DOTALL)
        for option in re.findall(r"--[a-z-]+", command):
            assert f"`{option}`" in section, command
