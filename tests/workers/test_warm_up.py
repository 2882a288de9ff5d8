"""Kernels are compiled before there are workers, so that no run pays for it with its time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

from stressfield._process_tree import children
from stressfield.campaign import Plan, run_campaign
from stressfield.errors import InputError
from stressfield.oracle import Outcome
from stressfield.plugins import modules_of
from stressfield.workers import LocalExecutor

TOY = Path(__file__).parents[1] / "campaign" / "toy.py"

KERNELS = """
import os

warmed_by = 0


def warm_up():
    global warmed_by
    warmed_by = os.getpid()
"""

STUDY = """
import os
from dataclasses import replace

import {kernels}
from stressfield.campaign import find_study
from stressfield.study import Build

toy = find_study({toy!r})


def make(scenario):
    assert {kernels}.warmed_by == {process}, {kernels}.warmed_by
    return toy.find_build("good").subject(scenario)


study = replace(toy, name="compiled", subject=(Build("good", "good", make),), kernels=({kernels!r},))
"""


def written(folder: Path, name: str, process: str) -> str:
    (folder / f"{name}.py").write_text(KERNELS)
    file = folder / f"study_of_{name}.py"
    file.write_text(STUDY.format(kernels=name, toy=str(TOY), process=process))
    return str(file)


@pytest.mark.parametrize(
    ("start", "process"), [("fork", "os.getppid()"), ("spawn", "os.getpid()")], ids=["fork", "spawn"]
)
def test_kernels_are_warm_before_the_first_run(
    start: Literal["fork", "spawn"], process: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    study = written(tmp_path, f"kernels_{start}", process)
    executor = LocalExecutor(jobs=1, run_timeout_s=60.0, preload=modules_of(study), start=start)
    plan = Plan(study=study, build="good", seed=1, worlds=2, repeats=1, keep="none")
    runs = run_campaign(plan, tmp_path / "out", executor=executor, export_worlds=False).results.runs
    executor.close()
    assert [(judged.run.outcome, judged.run.trouble) for judged in runs] == [(Outcome.PASS, "")] * 2


def test_kernels_of_the_simulator_that_is_used() -> None:
    assert modules_of("oz") == ("stressfield_studies.oz", "stressfield.sim.kinematic")
    assert modules_of("tabletop") == ("stressfield_studies.tabletop",)
    assert modules_of(str(TOY)) == ()


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "lost.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from stressfield.campaign import find_study\n"
        f"study = replace(find_study({str(TOY)!r}), kernels=('no_such.kernels',))\n"
    )
    with pytest.raises(InputError) as caught:
        modules_of(str(file))
    assert str(caught.value) == (
        f"Unknown module 'no_such.kernels' in the 'kernels' of study {str(file)!r}. Wanted one that can be imported."
    )


RUNNER = """
import signal

from stressfield.workers._client import SupervisorClient
from stressfield.workers.limits import Limits

client = SupervisorClient(jobs=1, limits=Limits(memory_bytes=1 << 30), start="fork", modules=["endless"])
signal.pause()
"""

ENDLESS = """
import os
import time


def warm_up():
    print(os.getpid(), flush=True)
    time.sleep(30)
    print("outlived it", flush=True)
"""


def test_a_supervisor_that_is_still_compiling_ends_with_its_runner(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(ENDLESS)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", RUNNER], env=env, stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout is not None
        supervisor = int(runner.stdout.readline())
        assert children(runner.pid) == [supervisor]
        runner.kill()
        assert runner.stdout.read() == ""  # the supervisor holds the other end of it for as long as it lives


COMPILED = """
from numba import njit


@njit(cache=True)
def total(x):
    return x + 1.0


def warm_up():
    total(1.0)
"""


def test_that_it_compiles_is_said_and_the_second_time_it_need_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "compiled_kernels.py").write_text(COMPILED)
    plan = Plan(study=str(TOY), build="good", seed=1, worlds=1, repeats=1, keep="none")
    told: list[list[str]] = []
    for turn in ("first", "second"):
        notes: list[str] = []
        executor = LocalExecutor(jobs=1, run_timeout_s=60.0, preload=["compiled_kernels"])
        run_campaign(
            plan,
            tmp_path / turn,
            executor=executor,
            export_worlds=False,
            progress=lambda progress: notes.append(progress.note),  # noqa: B023
        )
        executor.close()
        told.append([note for note in notes if note])
    assert told == [["compiling, once on this machine: function 1"], []]
