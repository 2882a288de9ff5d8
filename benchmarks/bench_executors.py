"""What a run costs beside itself: one machine, a Ray cluster and shards, with a study that does nothing.

python benchmarks/bench_executors.py                10,000 runs (two minutes)
python benchmarks/bench_executors.py --runs 2000    fewer
python benchmarks/bench_executors.py --memory       also the memory of the driver over 100,000 runs (five minutes)

One worker each, started before time is taken. Ratios are of one run of this program: on a machine that has other things
to do, that of processor time is the one to believe. Exits 1 if a bar is missed there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "torture"), str(HERE / "scale")]

from places import Cost, costs  # noqa: E402
from workloads import measure  # noqa: E402

BARS = {"Ray": 3.0, "shards": 1.2}
WIDTHS = (15, 12, 20, 12, 5)
GROWN_MIB = 6.0
"""The driver may have so much more after 100,000 runs than after 1,000 of them: most of it is the ledger's cache."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000, help="no-op runs of each campaign")
    parser.add_argument("--memory", action="store_true", help="also run 100,000 and watch the driver's memory")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        missed = _overheads(Path(place), asked.runs)
        if asked.memory:
            missed |= _memory(Path(place) / "many")
    return int(missed)


def _overheads(folder: Path, runs: int) -> bool:
    local, *others = costs(folder, runs)
    print(f"{runs:,} no-op runs, one worker\n")
    heads = ["wall, ms a run", "times local", "processor, ms a run", "times local", "bar"]
    print(f"{'':<10} " + " ".join(f"{head:>{width}}" for head, width in zip(heads, WIDTHS, strict=True)))
    missed = False
    for cost in (local, *others):
        bar = BARS.get(cost.way)
        ratio = cost.processor_s / local.processor_s
        missed |= bar is not None and ratio > bar
        print(_line(cost, local, runs, bar))
    return missed


def _line(cost: Cost, local: Cost, runs: int, bar: float | None) -> str:
    wall, processor = 1000.0 * cost.wall_s / runs, 1000.0 * cost.processor_s / runs
    ratios = cost.wall_s / local.wall_s, cost.processor_s / local.processor_s
    told = "" if bar is None else f"{bar:.1f}"
    return f"{cost.way:<10} {wall:>15.2f} {ratios[0]:>12.2f} {processor:>20.2f} {ratios[1]:>12.2f} {told:>5}"


def _memory(folder: Path) -> bool:
    found = measure("no-op", 100_000, folder, jobs=1).driver_mib
    print(f"\n{'runs done':>12} {'driver, MiB':>12}")
    for runs, mib in found.items():
        print(f"{int(runs):>12,} {mib:>12.1f}")
    first, last = found["1000"], found["100000"]
    return last - first > GROWN_MIB


if __name__ == "__main__":
    sys.exit(main())
