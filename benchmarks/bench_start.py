"""How long commands take to start: processor time of verbs that only read, the least of ten, beside an empty Python.

    python benchmarks/bench_start.py [--times 10] [--campaign DIR]

Without a campaign a small one of ``examples/yard.py`` is run first. Processor time, not wall time: other programs on
the machine hardly count. ``results``, ``compare`` and ``describe`` are to take at most 0.5 s.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

YARD = Path(__file__).parents[1] / "examples" / "yard.py"
START = "from stressfield.cli import main; main()"


def processor_s(arguments: list[str]) -> float:
    """Of one Python process with these arguments; its output is not shown."""
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    command = [sys.executable, *arguments]
    process = os.posix_spawn(sys.executable, command, dict(os.environ), file_actions=silent)
    _, _, used = os.wait4(process, 0)
    return used.ru_utime + used.ru_stime


def least_s(arguments: list[str], times: int) -> float:
    """The first one, which may still have to compile modules, is left out."""
    processor_s(arguments)
    return min(processor_s(arguments) for _ in range(times))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--campaign", type=Path)
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="stressfield-start-") as place:
        folder = asked.campaign
        if folder is None:
            folder = Path(place) / "yard"
            words = ["run", str(YARD), "--worlds", "8", "--repeats", "2", "--no-report", "--out", str(folder)]
            subprocess.run([sys.executable, "-c", START, *words], capture_output=True, check=False)
        empty_s = least_s(["-c", "pass"], asked.times)
        print(f"{'command':<32}{'processor':>11}{'x empty':>9}")
        print(f"{'python -c pass':<32}{1000 * empty_s:>8.0f} ms{1:>9}")
        for words in (
            ["--help"],
            ["results", str(folder)],
            ["results", str(folder), "--details"],
            ["results", str(folder), "--json"],
            ["compare", str(folder), str(folder)],
            ["describe", str(YARD)],
            ["describe", "oz"],
            ["verify", str(folder)],
        ):
            took_s = least_s(["-c", START, *words], asked.times)
            shown = " ".join(word if word != str(folder) else "DIR" for word in words)
            print(f"{shown:<32}{1000 * took_s:>8.0f} ms{took_s / empty_s:>9.0f}")


if __name__ == "__main__":
    main()
