"""How long a run may take: not the time that everything stood still, and not the time it has to wait."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from stressfield._process_tree import send, tree
from stressfield.analysis import summarise
from stressfield.campaign import Plan, load, make_executor, replay, run_campaign
from stressfield.errors import StressfieldError
from stressfield.plugins import find_study
from stressfield.report import report_html
from stressfield.run import JudgedRun, Status
from stressfield.workers import Executor, _standstill
from stressfield.workers._standstill import LATE_S, StandstillClock

ROOT = Path(__file__).parents[2]
RIG = str(ROOT / "benchmarks" / "torture" / "rig.py")
RUNNER = """
import sys
from stressfield.campaign import Plan, run_campaign
plan = Plan(study=sys.argv[1], build="sleeps", seed=11, worlds=4, repeats=2, keep="none")
run_campaign(plan, sys.argv[2], jobs=2, run_timeout_s=5.0, export_worlds=False)
"""


def _runs(folder: Path) -> int:
    try:
        return len(load(folder).runs)
    except StressfieldError:  # it has not begun
        return 0


def test_a_run_that_stood_still_is_done_again(tmp_path: Path) -> None:
    """The runner, its supervisor and the workers are frozen for longer than a run may take, as a sleeping laptop is."""
    with subprocess.Popen([sys.executable, "-c", RUNNER, RIG, str(tmp_path / "c")]) as runner:
        until_s = time.monotonic() + 60.0
        while not _runs(tmp_path / "c"):
            assert time.monotonic() < until_s
            time.sleep(0.05)
        frozen = [runner.pid, *tree(runner.pid)]
        send(frozen, signal.SIGSTOP)
        time.sleep(5.0 + LATE_S)
        send(frozen, signal.SIGCONT)
        assert runner.wait(60.0) == 0
    assert {(judged.run.status, judged.run.trouble) for judged in load(tmp_path / "c").runs} == {(Status.COMPLETED, "")}


def test_a_machine_that_slept_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one of the two clocks counts that time."""
    monotonic_s, slept_s = 100.0, 0.0
    monkeypatch.setattr(_standstill.time, "monotonic", lambda: monotonic_s)
    monkeypatch.setattr(
        _standstill.time, "clock_gettime", lambda clock: monotonic_s + slept_s * (clock == time.CLOCK_BOOTTIME)
    )
    clock = StandstillClock()
    assert clock.pass_until(99.0) == (0.0, False)
    slept_s = 3600.0
    assert clock.pass_until(100.0) == (0.0, True)
    assert clock.pass_until(100.0) == (0.0, False)
    monotonic_s = 110.0
    assert clock.pass_until(100.1) == (pytest.approx(9.9), True)


STUDY = """
import sys
from dataclasses import replace
sys.path[:0] = [{subject!r}, {torture!r}]
import rig, runs
from stressfield.oracle import Judgement, Oracle, PropertyClass
from stressfield.sim import kinematic_simulator
from stressfield.study import Build, Ending
from stressfield.subject import Pacing

oracle = Oracle("waiting")

@oracle.property("moves", PropertyClass.CRITICAL_EVENT, "Moves")
def moves(evidence):
    return Judgement(1.0, "m", None, ())

patient = Pacing(time="lockstep", silence_s=600.0, ready_timeout_s=10.0)
study = replace(
    rig.study, name="waiting", build=lambda spot, rng: runs.scenario({limit_s}), simulator=kinematic_simulator(),
    ending=Ending(), oracle=oracle, subject=(
        Build("paced", "", lambda _: runs.toy("paced", pacing=Pacing(rate={rate}))),
        Build("hangs", "", lambda _: runs.toy("prints and hangs", pacing=patient)),
        Build("silent", "", lambda _: runs.toy("prints and hangs")),
        Build("exits", "", lambda _: runs.toy("exits")),
    ),
)
"""


def one_run(tmp_path: Path, build: str, *, limit_s: float = 2.0, rate: float = 1.0) -> JudgedRun:
    path = tmp_path / "waiting.py"
    subject, torture = str(ROOT / "tests" / "subject"), str(ROOT / "benchmarks" / "torture")
    path.write_text(STUDY.format(subject=subject, torture=torture, limit_s=limit_s, rate=rate))
    plan = Plan(study=str(path), build=build, seed=1, worlds=1, repeats=1, keep="none")
    (judged,) = run_campaign(plan, tmp_path / "c", jobs=1, run_timeout_s=1.0, export_worlds=False).results.runs
    return judged


def test_a_run_paced_by_the_wall_clock_has_the_time_of_its_mission(tmp_path: Path) -> None:
    """Two simulated seconds at half the speed take four; the limit of one second is for the rig's own work."""
    judged = one_run(tmp_path, "paced", rate=0.5)
    assert (judged.run.status, judged.run.trouble) == (Status.TIMEOUT, "")
    assert judged.run.simulated_s == pytest.approx(2.0, abs=0.1)
    assert judged.run.wall_s > 4.0


def test_a_replay_takes_the_campaigns_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(study=RIG, build="idle", seed=11, worlds=1, repeats=1, keep="none")
    results = run_campaign(plan, tmp_path / "c", jobs=1, run_timeout_s=77.0, export_worlds=False).results
    assert "run_timeout_s = 77.0" in (tmp_path / "c" / "campaign.toml").read_text()
    taken: list[float] = []

    def make(study: str, *, run_timeout_s: float, **how: Any) -> Executor:
        taken.append(run_timeout_s)
        return make_executor(study, run_timeout_s=run_timeout_s, **how)

    monkeypatch.setattr(sys.modules["stressfield.campaign.replay"], "make_executor", make)
    assert replay(results, results.runs[0]).identical
    assert replay(results, results.runs[0], run_timeout_s=33.0).identical
    assert taken == [77.0, 33.0]


@pytest.mark.parametrize(
    ("build", "status", "trouble"),
    [
        ("hangs", Status.TIMEOUT, "Still running after 11.5 s of wall time. Its worker was killed."),
        ("silent", Status.INVALID, "The subject fell silent at 0.300 s"),
        ("exits", Status.SUBJECT_CRASH, "The subject ended before the run did (exit code 3)."),
    ],
)
def test_what_the_robot_printed_is_kept(tmp_path: Path, build: str, status: Status, trouble: str) -> None:
    """Also of one that hangs, and takes its worker along."""
    run = one_run(tmp_path, build).run
    assert run.status is status
    assert run.trouble.startswith(trouble)
    said = "I have had enough" if build == "exits" else "waiting for the gate\nstill waiting"
    assert run.output.endswith(said)
    assert len(run.output) <= 2000
    results = load(tmp_path / "c")
    assert results.runs[0].run == run
    study = find_study(results.plan.study)
    assert "still waiting" in report_html(summarise(results, study), study) or build == "exits"
