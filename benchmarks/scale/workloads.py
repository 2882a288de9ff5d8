"""Campaigns of many short runs, measured: time, memory, rows and bytes, while they run and when they are reported.

Every campaign is in a process of its own, whose memory and processor time are nobody else's.
"""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stressfield.campaign import Plan

HERE = Path(__file__).resolve().parent
REPEATS = 10
"""Runs of a world."""
MARKS = (1_000, 10_000, 30_000, 50_000, 100_000, 1_000_000)
"""Runs after which the memory of the driver is noted."""


@dataclass(frozen=True, slots=True)
class Workload:
    """A study that is run many times: its file, its build, which worlds, and which traces are kept."""

    study: str
    build: str
    template: str
    keep: str
    exclude: tuple[str, ...]
    words: str


WORKLOADS = {
    "no-op": Workload("torture/rig.py", "idle", "r", "none", (), "three ticks, nothing simulated, no traces kept"),
    "kinematic": Workload(
        "growing_field.py", "default", "20-1-30.0-2.0-trees-usual", "failing", ("finished",),
        "a robot with a laser among 20 trees for 2 s, traces of failing runs kept",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one campaign took."""

    workload: str
    runs: int
    jobs: int
    wall_s: float
    driver_s: float
    """Processor time of the process that plans, hands out and commits."""
    workers_s: float
    """Processor time of its workers."""
    rows: int
    ledger_bytes: int
    traces: int
    trace_bytes: int
    failing: int
    driver_mib: dict[str, float] = field(default_factory=dict)
    """Resident memory of the driver after so many runs."""
    report_s: float
    """Processor time of ``stressfield report``."""
    report_mib: float
    page_bytes: int


def measure(workload: str, runs: int, folder: Path, *, jobs: int) -> Measured:
    """A campaign and its report, each in a process of its own."""
    told = _apart("run", workload, str(runs), str(folder), str(jobs), "local")
    return Measured(workload=workload, runs=runs, jobs=jobs, **told, **reported(folder))


def remembered(workload: str, runs: int, folder: Path, *, where: str) -> dict[str, object]:
    """Resident memory of a driver that does so many runs with one worker ``where``, or that merges four shards."""
    if where == "merge":
        _apart("shards", workload, str(runs), str(folder))
        return _apart("merge", str(folder))
    told = _apart("run", workload, str(runs), str(folder), "1", where)
    return {"driver_mib": told["driver_mib"]}


def reported(folder: Path) -> dict[str, float]:
    """What ``stressfield report`` of a campaign takes."""
    return _apart("report", str(folder))


def _apart(*words: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def resident_mib() -> float:
    """Of this process, now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


class Marks:
    """Resident memory of this process when so many runs are done."""

    def __init__(self) -> None:
        self.mib: dict[str, float] = {}

    def note(self, done: int) -> None:
        for mark in MARKS:
            if done >= mark and str(mark) not in self.mib:
                self.mib[str(mark)] = round(resident_mib(), 1)


def _plan(workload: str, runs: int) -> Plan:
    from stressfield.campaign import Plan  # noqa: PLC0415 (in the process that is measured)

    asked = WORKLOADS[workload]
    return Plan(
        study=str(HERE.parent / asked.study), build=asked.build, seed=11, worlds=runs // REPEATS, repeats=REPEATS,
        template=asked.template, keep=asked.keep, exclude=asked.exclude,
    )  # fmt: skip


def _shards(workload: str, runs: int, folder: Path) -> dict[str, object]:
    from stressfield.campaign import plan_campaign, prepare, run_shard, write_shards  # noqa: PLC0415

    plan_campaign(prepare(_plan(workload, runs)), folder)
    return {"runs": sum(run_shard(piece, jobs=1).executed for piece in write_shards(folder, into=4))}


def _merge(folder: Path) -> dict[str, object]:
    from stressfield.campaign import merge_shards  # noqa: PLC0415

    marks = Marks()
    merge_shards(folder, progress=lambda done, _: marks.note(done))
    return {"driver_mib": marks.mib}


def _run(workload: str, runs: int, folder: Path, jobs: int, where: str) -> dict[str, object]:
    from stressfield.campaign import run_campaign  # noqa: PLC0415

    marks, begin_s = Marks(), perf_counter()
    run_campaign(
        _plan(workload, runs), folder, jobs=jobs, export_worlds=False, executor=where,
        progress=lambda progress: marks.note(progress.done),
    )  # fmt: skip
    wall_s = perf_counter() - begin_s
    own, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    traces = [path.stat().st_size for path in (folder / "traces").iterdir()]
    return {
        "wall_s": wall_s,
        "driver_s": own.ru_utime + own.ru_stime,
        "workers_s": theirs.ru_utime + theirs.ru_stime,
        "traces": len(traces),
        "trace_bytes": sum(traces),
        "driver_mib": marks.mib,
        **_counted(folder / "results.sqlite"),
    }


def _counted(ledger: Path) -> dict[str, int]:
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = sum(db.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in names)
        failing = db.execute("SELECT COUNT(*) FROM runs WHERE outcome = 'fail'").fetchone()[0]
    return {"rows": rows, "ledger_bytes": ledger.stat().st_size, "failing": failing}


def _report(folder: Path) -> dict[str, object]:
    command = [sys.executable, "-m", "stressfield", "report", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(done.stderr)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "report_s": spent.ru_utime + spent.ru_stime,
        "report_mib": spent.ru_maxrss / 1024,
        "page_bytes": (folder / "report.html").stat().st_size,
    }


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", workload, runs, folder, jobs, where]:
            print(json.dumps(_run(workload, int(runs), Path(folder), int(jobs), where)))
        case ["shards", workload, runs, folder]:
            print(json.dumps(_shards(workload, int(runs), Path(folder))))
        case ["merge", folder]:
            print(json.dumps(_merge(Path(folder))))
        case ["report", folder]:
            print(json.dumps(_report(Path(folder))))
        case [workload, runs, folder, jobs]:
            print(json.dumps(asdict(measure(workload, int(runs), Path(folder), jobs=int(jobs))), indent=1))
