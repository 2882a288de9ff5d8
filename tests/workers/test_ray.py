"""Runs on a Ray cluster of several nodes of this machine: the same results, whatever happens to the nodes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stressfield.campaign import Plan, digest, load, resume, run_campaign
from stressfield.errors import InputError, RigError
from stressfield.machine import read_machines
from stressfield.testing import ExecutorSuite
from stressfield.workers import RayExecutor

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.xdist_group("ray")  # one cluster for all

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
SMALL = {"object_store_memory": 80 << 20, "include_dashboard": False}
QUICK = {"health_check_period_ms": 500, "health_check_timeout_ms": 1000, "health_check_failure_threshold": 3}
"""A dead node is to be noticed in seconds; usually that takes half a minute."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that does no runs, and nodes of one processor each."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "_system_config": QUICK, **SMALL})
    for _ in range(3):
        made.add_node(wait=False, num_cpus=1, **SMALL)
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def executor(cluster: Any) -> Iterator[RayExecutor]:
    made = RayExecutor(cluster.address, run_timeout_s=60.0)
    yield made
    made.close()


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=20, repeats=3, keep="all"), **changes)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest(run_campaign(plan(), tmp_path_factory.mktemp("here") / "toy", in_process=True).results)


class TestRay(ExecutorSuite):
    @pytest.fixture
    def executor(self, cluster: Any) -> RayExecutor:
        return RayExecutor(cluster.address, run_timeout_s=60.0)


def test_the_digest_is_that_of_one_machine(executor: RayExecutor, tmp_path: Path, wanted: str) -> None:
    notes = []
    folder = tmp_path / "toy"
    done = run_campaign(plan(), folder, executor=executor, progress=lambda progress: notes.append(progress.note))
    assert digest(done.results) == wanted
    assert len(list((folder / "traces").iterdir())) == 60  # and no mark of ours
    machines = read_machines(folder)
    assert (len(machines), sum(machine.runs for machine in machines)) == (3, 60)
    assert all(machine.processor and machine.versions["numpy"] for machine in machines)
    assert notes[-1].count(" done") == 3


def test_a_node_that_is_killed_loses_nothing(cluster: Any, executor: RayExecutor, tmp_path: Path, wanted: str) -> None:
    victim = cluster.add_node(num_cpus=1, **SMALL)
    killed = []

    def kill(progress: Any) -> None:
        if progress.done >= 6 and not killed:
            (process,) = (process for name, process in victim.live_processes() if name == "raylet")
            os.kill(process.pid, signal.SIGKILL)
            killed.append(process.pid)

    try:
        done = run_campaign(plan(), tmp_path / "toy", executor=executor, progress=kill)
    finally:
        cluster.remove_node(victim)
    assert killed
    assert digest(done.results) == wanted
    assert len(done.results.runs) == 60


DRIVER = """
import sys
from stressfield.campaign import run_campaign, Plan
from stressfield.workers import RayExecutor
plan = Plan(study=sys.argv[3], build="late", seed=7, worlds=20, repeats=3, keep="all")
run_campaign(plan, sys.argv[1], executor=RayExecutor(sys.argv[2], run_timeout_s=60.0),
    progress=lambda progress: print(progress.done, flush=True))
"""


def test_a_driver_that_is_killed_loses_nothing(cluster: Any, tmp_path: Path, wanted: str) -> None:
    folder = tmp_path / "toy"
    command = [sys.executable, "-c", DRIVER, str(folder), cluster.address, TOY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as driver:
        assert driver.stdout is not None
        for line in driver.stdout:
            if int(line) >= 10:
                break
        driver.kill()
    assert digest(resume(folder, executor=cluster.address and "local", jobs=1).results) == wanted


def other(tmp_path: Path, cluster: Any, **files: str) -> Any:
    """A node whose Python finds other packages first."""
    for name, text in files.items():
        path = tmp_path / "other" / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(tmp_path / "other")}, **SMALL)
