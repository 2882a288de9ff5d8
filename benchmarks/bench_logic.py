"""Temporal logic in arrays against its plain definition: random formulas and signals, and how many differ (wanted: 0).

``python benchmarks/bench_logic.py [--cases 100000] [--seed 1]``. Compared are the bounds of every formula at every
sample, strict and as far as the record settles them, the verdict and its margin.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.oracle.plain_logic import differences, random_formula, random_record, verdict

BATCH = 1000


def batch(seed: int) -> tuple[Counter[str], list[str]]:
    """A thousand cases: how their verdicts came out, and what differs."""
    rng = random.Random(seed)
    told: Counter[str] = Counter()
    found = []
    for _ in range(BATCH):
        formula, record = random_formula(rng, rng.randint(1, 4)), random_record(rng)
        holds, _ = verdict(formula, record)
        told["unknown" if holds is None else "holds" if holds else "violated"] += 1
        if difference := differences(formula, record):
            found.append(f"{formula} on {record}: {'; '.join(difference)}")
    return told, found


def main() -> None:
    """Compare, print, and exit with 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=100_000, help="random formulas, each with a record of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    started_s = time.perf_counter()
    told: Counter[str] = Counter()
    different: list[str] = []
    batches = range(asked.seed * 1_000_000, asked.seed * 1_000_000 + -(-asked.cases // BATCH))
    with ProcessPoolExecutor(asked.workers) as pool:
        for done, (verdicts, found) in enumerate(pool.map(batch, batches), start=1):
            told += verdicts
            different += found
            if sys.stderr.isatty():
                print(f"\r{done * BATCH:,} of {len(batches) * BATCH:,}", end="", file=sys.stderr, flush=True)
    for text in different[:10]:
        print(text)
    outcomes = ", ".join(f"{number:,} {name}" for name, number in sorted(told.items()))
    print(
        f"{told.total():,} formulas ({outcomes}), {len(different)} differences, {time.perf_counter() - started_s:.0f} s"
    )
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
