"""How fast is the `oz` study? Prints figures and ratios; asserts nothing, for machines are noisy.

python benchmarks/bench_oz.py            the published campaign of 80 worlds x 5 runs, worlds a second, memory
python benchmarks/bench_oz.py --quick    the same with 16 worlds x 2 runs

Shares are of the wall time of workers. What reading the clock takes is taken off each part, for that happens some 250
times a simulated second: twice for each callback, five times for each tick. What the robot's callbacks publish is
counted to the subject: the rig checks and sends it, but within them.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from stressfield._compiled import missing
from stressfield.campaign import Plan, run_campaign
from stressfield.oracle import Evidence
from stressfield.run import Stopwatch, execute
from stressfield.seeds import generator
from stressfield.trace import Metadata
from stressfield_studies.oz import study

PUBLISHED_RUNS, PUBLISHED_HOURS = 400, 24.0
GOAL_S = 60.0
"""For the published campaign, with two workers on two cores that do nothing else."""
ENGINE = ("engine", "subject")
PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def campaign(worlds: int, repeats: int, jobs: int) -> None:
    """The published campaign: traces of failing runs, verdicts, ledger."""
    plan = Plan(study="oz", build="release", seed=7, worlds=worlds, repeats=repeats)
    before_s = processor_s()
    with tempfile.TemporaryDirectory() as folder:
        begin = perf_counter()
        done = run_campaign(plan, Path(folder) / "oz", jobs=jobs, timed=True)
        wall_s = perf_counter() - begin
    simulated_s = sum(one.run.simulated_s for one in done.results.runs)
    runs = len(done.results.runs)
    print(f"campaign           {runs} runs in {wall_s:.1f} s with {jobs} workers ({wall_s / runs * 1e3:.0f} ms a run)")
    cpu_s = processor_s() - before_s
    least_s = cpu_s / runs * PUBLISHED_RUNS / jobs
    print(f"processor          {cpu_s:.1f} s, {cpu_s / runs * 1e3:.0f} ms a run, start and ledger included")
    print(
        f"                   {PUBLISHED_RUNS} runs on {jobs} cores: {least_s:.0f} s at the least (goal: {GOAL_S:g} s)"
    )
    share = 1.0 / _ratio(wall_s, runs)
    print(f"published          {PUBLISHED_RUNS} runs in {PUBLISHED_HOURS:g} h: ours takes {share:.5f} of that a run")
    print(f"simulated          {simulated_s:.0f} s, {simulated_s / wall_s / jobs:.0f} simulated s per s and worker")
    total = sum(done.seconds.values())
    for part, seconds in sorted(done.seconds.items(), key=lambda item: -item[1]):
        print(f"  {part:<16} {seconds / total:6.1%}   {seconds / simulated_s * 1e3:.3f} ms per simulated s")
    rig = sum(seconds for part, seconds in done.seconds.items() if part not in ENGINE)
    print(f"rig share          {rig / total:.1%} (all but engine and subject; goal: at most 25 %)")


def processor_s() -> float:
    """Of this process and of all workers that have ended."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, PROCESSES))


def _ratio(wall_s: float, runs: int) -> float:
    return (PUBLISHED_HOURS * 3600.0 / PUBLISHED_RUNS) / (wall_s / runs)


def worlds_per_second(count: int) -> None:
    """Genotype and phenotype, no files."""
    study.build(study.model.random_create(generator(0, "warm")), generator(0, "warm too"))
    begin = perf_counter()
    for i in range(count):
        study.build(study.model.random_create(generator(i, "genotype")), generator(i, "phenotype"))
    print(f"worlds             {count / (perf_counter() - begin):.0f} a second and core (goal: at least 1000)")


def memory(runs: int) -> None:
    """Peak memory of a process that runs and judges, and how it grows."""
    marks = []
    for i in range(runs):
        scenario = study.scenario("0.02-(1-[]-6.0-[0.0]-r-2.0-r-r-(0-0.0)-r-0.0-0)-(true-false-left)", seed=i)
        subject = study.find_build("fixed").subject(scenario)
        done = execute(
            scenario, subject, study.find_simulator()(), seed=i, timing=study.timing, ending=study.ending,
            metadata=Metadata(), stopwatch=Stopwatch() if i % 2 else None,
        )  # fmt: skip
        study.oracle.judge(Evidence(done.trace, scenario))
        if i in {runs // 10, runs - 1}:
            marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)
    print(f"memory             {marks[-1]:.0f} MB at the end of {runs} runs, {marks[0]:.0f} MB after a tenth of them")


def main() -> None:
    """Print everything."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--memory-runs", type=int, default=None, help="10000 for the long measurement")
    chosen = options.parse_args()
    np.seterr(all="raise", under="ignore")
    print(f"written in C       {'NOT COMPILED: the plain versions are measured' if missing() else 'compiled'}")
    worlds_per_second(500 if chosen.quick else 3000)
    campaign(16 if chosen.quick else 80, 2 if chosen.quick else 5, chosen.jobs)
    memory(chosen.memory_runs or (30 if chosen.quick else 300))


if __name__ == "__main__":
    main()
