"""Very many runs: memory stays flat and a run costs next to nothing; and a report over very many verdicts."""

from __future__ import annotations

import json
import resource
import time
from pathlib import Path

from campaigns import HERE, apart, plan, workers
from row import Figure, Size

from stressfield._process_tree import private_bytes, tree
from stressfield.analysis import summarise
from stressfield.campaign import Ledger, Progress, find_study, load, run_campaign
from stressfield.campaign.folder import write_plan
from stressfield.campaign.plan import prepare
from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.provenance import versions
from stressfield.run import JudgedRun, RunRecord, Status
from stressfield.seeds import generator

MIB = 1 << 20
PROPERTIES = 10


def many_runs(size: Size) -> Figure:
    runs, verdicts = size.pick(1_500, 100_000), size.pick(10_000, 1_000_000)
    found = apart("volume.count_runs", str(size.folder / "runs"), runs)
    told = apart("volume.count_verdicts", str(size.folder / "verdicts"), verdicts)
    grown = found["last_mib"] - found["first_mib"]
    text = (
        f"{runs:,} runs with {found['ms']:.2f} ms each; "
        f"memory {found['first_mib']:.0f} MiB early, {found['last_mib']:.0f} MiB late, "
        f"workers {found['workers_mib']:.0f} MiB; "
        f"report over {verdicts:,} verdicts in {told['report_s']:.1f} s with "
        f"{told['peak_mib']:.0f} MiB, {told['page_mib']:.1f} MiB of HTML"
    )
    flat = grown <= max(24.0, 0.1 * found["first_mib"])
    return Figure(flat and (size.quick or size.within(found["ms"], 2.0)), text)


def count_runs(folder: str, number: int) -> None:
    """Memory of the runner while the campaign goes on, and the time of a run."""
    import os  # noqa: PLC0415

    samples: list[tuple[int, int, int]] = []
    marks: list[tuple[int, float]] = []

    def watch(progress: Progress) -> None:
        marks[1:] = [(progress.done, time.monotonic())] if marks else []
        if not marks and progress.done:
            marks.append((progress.done, time.monotonic()))
        if not samples or progress.done - samples[-1][0] >= number // 20:
            samples.append((progress.done, private_bytes([os.getpid()]), private_bytes(tree(os.getpid()))))

    executor = workers(jobs=2)
    try:
        asked = plan("idle", worlds=100, repeats=number // 100)
        run_campaign(asked, folder, executor=executor, export_worlds=False, progress=watch)
    finally:
        executor.close()
    (first, first_s), (last, last_s) = marks
    early = next(sample for sample in samples if sample[0] >= 0.2 * number)
    told = {
        "ms": 1000.0 * (last_s - first_s) / (last - first),
        "first_mib": early[1] / MIB,
        "last_mib": samples[-1][1] / MIB,
        "workers_mib": samples[-1][2] / MIB,
    }
    print(json.dumps(told))


def count_verdicts(folder: str, number: int) -> None:
    """The report of a ledger that was filled without running anything."""
    from stressfield.report import write_report  # noqa: PLC0415

    place = Path(folder)
    place.mkdir(parents=True)
    worlds = 200
    asked = plan("idle", worlds=worlds, repeats=number // PROPERTIES // worlds, study=str(HERE / "ten.py"))
    study = find_study(asked.study)
    write_plan(place, asked, versions(), asked.study_record())
    scenarios = prepare(asked).ask()
    rng = generator(11, "verdicts")
    with Ledger(place) as ledger:
        ledger.add(scenarios=scenarios)
        planned = asked.runs_of(scenarios)
        for start in range(0, len(planned), 1000):
            ledger.add(runs=[_made_up(one, rng.random(PROPERTIES).tolist()) for one in planned[start : start + 1000]])
    begin_s = time.monotonic()
    page = write_report(summarise(load(place), study), study)
    told = {
        "report_s": time.monotonic() - begin_s,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "page_mib": page.stat().st_size / MIB,
    }
    print(json.dumps(told))


def _made_up(planned, dice: list[float]) -> JudgedRun:
    verdicts = tuple(
        Verdict(
            f"P{at}", Outcome.FAIL if bad else Outcome.PASS, one - 0.02, "m", 0.01, "1" if bad else None,
            (Violation(0.01, 0.02, "1"),) if bad else (), "",
        )
        for at, one in enumerate(dice) for bad in [one < 0.02]
    )  # fmt: skip
    failed = any(verdict.outcome is Outcome.FAIL for verdict in verdicts)
    run = RunRecord(
        id=planned.id, scenario_id=planned.scenario.id, repeat=planned.repeat, seed=planned.seed, build="idle",
        status=Status.COMPLETED, outcome=Outcome.FAIL if failed else Outcome.PASS, simulated_s=0.06, wall_s=0.001,
        digest=planned.id, trace_file=None,
    )  # fmt: skip
    return JudgedRun(run=run, verdicts=verdicts)
