"""Temporal logic in arrays: how fast it is, and against its plain definition how many results differ (wanted: 0).

``python benchmarks/bench_logic.py [--cases 100000] [--seed 1]``; ``--cases 0`` measures the speed alone. Compared are
the bounds of every formula at every sample, strict and as far as the record settles them, the verdict and its margin.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from scipy.ndimage import minimum_filter1d
from tests.oracle.plain_logic import differences, random_formula, random_record, verdict

from stressfield.oracle import Signal, always, eventually, implies
from stressfield.workers._memory import keep_memory

BATCH = 1000
SAMPLES, WINDOW_S, RATE_HZ = 100_000, 2.0, 100.0


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


def speed() -> None:
    """A response formula over a long record, beside a plain sliding window, in the memory that workers have."""
    keep_memory()
    rng = np.random.default_rng(1)
    times_s = np.arange(SAMPLES) / RATE_HZ
    error = Signal(times_s, np.abs(np.cumsum(rng.normal(size=SAMPLES))) * 0.01, "error", "m")
    still = Signal(times_s, np.abs(rng.normal(size=SAMPLES)), "speed", "m/s")

    def response() -> object:
        stops = eventually((still <= 0.01).scaled(by=0.1), within_s=WINDOW_S)
        return always(implies((error >= 0.5).scaled(by=1.0), stops))

    def least_ms(call: Callable[[], object]) -> float:
        took = []
        for _ in range(20):
            begin = time.process_time()
            call()
            took.append(time.process_time() - begin)
        return 1e3 * min(took)

    plain_ms, whole_ms = (
        least_ms(lambda: minimum_filter1d(still.values, int(WINDOW_S * RATE_HZ) + 1)),
        least_ms(response),
    )
    print(f"response formula, {SAMPLES:,} samples: {whole_ms:.1f} ms of processor time (goal: at most 6),")
    print(f"a sliding window alone: {plain_ms:.1f} ms; {whole_ms / plain_ms:.1f} times that")


def main() -> None:
    """Compare, print, and exit with 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=100_000, help="random formulas, each with a record of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    speed()
    if not asked.cases:
        return
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
