"""Campaigns of the rig study for all rows: in this process's children, or as a runner that can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from stressfield.campaign import Plan, Results, resume, run_campaign
from stressfield.run import JudgedRun
from stressfield.workers import Limits, LocalExecutor

HERE = Path(__file__).parent
RIG = str(HERE / "rig.py")
RUNNER = str(HERE / "runner.py")
MIB = 1 << 20


def plan(build: str, *, worlds: int, repeats: int, keep: str = "none", study: str = RIG) -> Plan:
    return Plan(study=study, build=build, seed=11, worlds=worlds, repeats=repeats, keep=keep)


def workers(
    *, jobs: int = 2, limit_s: float = 30.0, start: str = "fork", memory_mib: int = 700, preload: Sequence[str] = ()
) -> LocalExecutor:
    """Workers with tight limits, so that going beyond them does not take long."""
    limits = Limits(memory_bytes=memory_mib * MIB, open_files=256, processes=64)
    how: Literal["fork", "spawn"] = "spawn" if start == "spawn" else "fork"
    return LocalExecutor(jobs=jobs, run_timeout_s=limit_s, preload=preload, start=how, limits=limits)


def campaign(asked: Plan, folder: Path, executor: LocalExecutor | None = None) -> Results:
    """Run it to its end: with these workers, which are left open, or with some of its own."""
    used = executor or workers()
    try:
        return run_campaign(asked, folder, executor=used, export_worlds=False).results
    finally:
        if executor is None:
            used.close()


def go_on(folder: Path) -> Results:
    """Resume it in this process."""
    return resume(folder, in_process=True, export_worlds=False).results


def place(judged: JudgedRun, results: Results) -> tuple[int, int]:
    """Which run of the plan this is, whatever its build."""
    index = {scenario.id: scenario.index for scenario in results.scenarios}
    return index[judged.run.scenario_id], judged.run.repeat


def start_runner(
    build: str,
    folder: Path,
    *,
    worlds: int,
    repeats: int,
    keep: str = "all",
    jobs: int = 2,
    env: dict[str, str] | None = None,
    limit_s: float = 120.0,
) -> subprocess.Popen[bytes]:
    """A runner of its own: begins the campaign, or goes on with it."""
    arguments = [sys.executable, RUNNER, build, str(folder), str(worlds), str(repeats), keep, str(jobs), str(limit_s)]
    return subprocess.Popen(
        arguments, env={**os.environ, **(env or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def apart(what: str, *words: object) -> dict[str, Any]:
    """``module.function(*words)`` in a new process, whose memory and libraries are nobody else's: what it prints last,
    as JSON.
    """
    module, _, function = what.partition(".")
    code = f"import sys; sys.path.insert(0, {str(HERE)!r}); import {module}; {module}.{function}(*{words!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@contextmanager
def forked(action: Callable[[], None]) -> Iterator[int]:
    """Do something in a forked process; gives its exit code (negative: the signal that ended it)."""
    pid = os.fork()
    if pid == 0:
        code = 97
        try:
            action()
            code = 0
        except BaseException as error:
            code = getattr(error, "exit_code", 96)
        finally:
            os._exit(code)
    yield os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
