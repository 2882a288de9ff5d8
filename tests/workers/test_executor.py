"""Workers and their supervisor: what a run does to its process costs that run and nothing else."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from stressfield._files.failpoints import arm, failpoint
from stressfield._process_tree import children, marked, tree
from stressfield.campaign import Plan, category, run_campaign
from stressfield.campaign.plan import prepare
from stressfield.errors import RigError
from stressfield.oracle import Outcome
from stressfield.run import Status, Task
from stressfield.workers import Limits, LocalExecutor

RIG = str(Path(__file__).parents[2] / "benchmarks" / "torture" / "rig.py")
TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
LIMITS = Limits(memory_bytes=500 << 20, open_files=128, processes=20)


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    made = LocalExecutor(jobs=2, run_timeout_s=20.0, limits=LIMITS)
    yield made
    made.close()
    assert children(os.getpid()) == []


def statuses(build: str, folder: Path, executor: LocalExecutor, keep: str = "none") -> dict[str, set[str]]:
    """The troubles of runs, by what they counted as."""
    plan = Plan(study=RIG, build=build, seed=11, worlds=10, repeats=1, keep=keep)
    found: dict[str, set[str]] = {}
    for judged in run_campaign(plan, folder, executor=executor, export_worlds=False).results.runs:
        found.setdefault(category(judged.run), set()).add(judged.run.trouble)
    return found


def test_each_pays_for_itself(executor: LocalExecutor, tmp_path: Path) -> None:
    crash = statuses("segfaults", tmp_path / "a", executor)
    assert crash == {"pass": {""}, "subject_crash": {"Killed its worker process 3 times (by SIGSEGV)."}}
    hog = statuses("hogs", tmp_path / "b", executor)
    assert hog == {"pass": {""}, "subject_crash": {"Killed its worker process 3 times (more than 500 MiB of memory)."}}
    fork = statuses("leaks_processes", tmp_path / "c", executor)
    assert fork == {"pass": {""}, "subject_crash": {"Killed its worker process 3 times (more than 20 processes)."}}
    files = statuses("leaks_files", tmp_path / "d", executor)
    assert all("Too many open files" in text for text in files["subject_crash"])
    kept = statuses("keeps_files", tmp_path / "e", executor, keep="all")
    assert kept == {"pass": {""}, "invalid": {"This process has no room left to write a file: Too many open files."}}


def test_a_stopped_process_is_a_timeout(tmp_path: Path) -> None:
    executor = LocalExecutor(jobs=2, run_timeout_s=0.5)
    found = statuses("stops", tmp_path, executor)
    executor.close()
    assert found == {"pass": {""}, "hang": {"Still running after 0.5 s of wall time. Its worker was killed."}}


@pytest.mark.parametrize("quiet", [True, False])
def test_what_a_worker_said_before_it_died_is_kept_with_its_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], quiet: bool
) -> None:
    plan = Plan(study=TOY, build="aborts", seed=7, worlds=12, repeats=3, keep="none")
    executor = LocalExecutor(jobs=2, run_timeout_s=20.0, quiet=quiet)
    runs = run_campaign(plan, tmp_path, executor=executor, export_worlds=False).results.runs
    executor.close()
    died = [judged.run for judged in runs if judged.run.status is Status.SUBJECT_CRASH]
    assert died
    assert {run.trouble for run in died} == {"Killed its worker process 3 times (by SIGABRT)."}
    assert {run.output for run in died} == {"double free or corruption (out)"}
    assert ("double free" in capfd.readouterr().err) is not quiet


def test_a_killed_supervisor_is_replaced(tmp_path: Path, executor: LocalExecutor) -> None:
    crashing = {one.judged.run.seed for batch in executor.run(tasks("segfaults", tmp_path, 10)) for one in batch
                if one.judged.run.status is Status.SUBJECT_CRASH}  # fmt: skip
    every = tasks("kills_supervisor", tmp_path, 10)
    killer = next(task for task in every if task.seed in crashing)
    others = [task for task in every if task.seed not in crashing][:3]
    found = {one.judged.run.id: one.judged.run for batch in executor.run([killer, *others]) for one in batch}
    assert found.pop(killer.run_id).trouble == "Killed its worker process 3 times (and its supervisor)."
    assert [run.outcome for run in found.values()] == [Outcome.PASS] * 3


def test_runs_that_kill_the_supervisor_are_no_trouble_of_the_rig(
    tmp_path: Path, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stressfield.workers.executor.LOST_SUPERVISORS_MAX", 0)
    found = statuses("kills_supervisor", tmp_path, executor)
    assert found == {"pass": {""}, "subject_crash": {"Killed its worker process 3 times (and its supervisor)."}}


def test_daemons_do_not_outlive_their_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_MARK", token := os.urandom(8).hex())
    executor = LocalExecutor(jobs=1, run_timeout_s=20.0)
    plan = Plan(study=RIG, build="daemonizes", seed=11, worlds=1, repeats=1, keep="none")
    run_campaign(plan, tmp_path, executor=executor, export_worlds=False)
    (supervisor,) = children(os.getpid())
    assert set(marked(token)) == {supervisor, *tree(supervisor)}
    assert len(tree(supervisor)) == 1
    executor.close()
    assert marked(token) == []


def test_workers_that_cannot_start_are_trouble_of_the_rig(tmp_path: Path) -> None:
    impossible = Limits(memory_bytes=1 << 30, open_files=-5)
    executor = LocalExecutor(jobs=1, run_timeout_s=20.0, limits=impossible)
    with pytest.raises(RigError) as caught:
        statuses("idle", tmp_path, executor)
    assert str(caught.value) == (
        "Worker processes cannot be kept alive: workers end at once, exit code 1. Check memory and limits, then resume."
    )
    executor.close()


def test_a_supervisor_that_cannot_start_is_trouble_of_the_rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    executor = LocalExecutor(jobs=1, run_timeout_s=20.0)
    with pytest.raises(
        RigError, match=r"The supervisor of the workers was killed 11 times in a row, with no run under way\."
    ):
        statuses("idle", tmp_path, executor)
    executor.close()


def tasks(build: str, folder: Path, number: int) -> list[Task]:
    plan = Plan(study=RIG, build=build, seed=11, worlds=10, repeats=1, keep="none")
    prepared = prepare(plan)
    return list(prepared.plan.tasks(prepared.plan.runs_of(prepared.ask())[:number], folder))


def test_an_abandoned_campaign_leaves_the_workers_usable(tmp_path: Path, executor: LocalExecutor) -> None:
    first = executor.run(tasks("slow", tmp_path, 10))
    assert next(first)
    first.close()
    wanted = tasks("slow", tmp_path, 7)
    again = [one for batch in executor.run(wanted) for one in batch]
    assert sorted(one.judged.run.id for one in again) == sorted(task.run_id for task in wanted)


def test_closing_ends_a_run_that_ignores_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stressfield.workers.executor.GRACE_S", 0.2)
    executor = LocalExecutor(jobs=1, run_timeout_s=600.0)
    enough = Event()
    for _ in executor.run(tasks("spins", tmp_path, 10), enough.is_set):
        enough.set()
    (supervisor,) = children(os.getpid())
    executor.close()
    assert not Path(f"/proc/{supervisor}").exists()


def test_failpoints_are_inert_until_armed() -> None:
    failpoint("somewhere")
    arm("somewhere:2:EIO")
    try:
        failpoint("elsewhere")
        failpoint("somewhere")
        with pytest.raises(OSError, match="Input/output error"):
            failpoint("somewhere")
    finally:
        arm()
    failpoint("somewhere")


def test_a_failpoint_kills() -> None:
    pid = os.fork()
    if pid == 0:
        arm("here:1")
        failpoint("here")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
