"""Is this version slower than another? The same runs of both in turn, on one core; prints ratios, asserts nothing.

git worktree add ../before COMMIT
python benchmarks/versions.py ../before                 oz, mana, hospital: whole runs, judged, and engines alone
python benchmarks/versions.py ../before --only oz       one of them

Both versions stay in memory and take turns, run by run; the ratio is the median of those of all turns, so that other
work on the machine hardly counts. Judging is timed apart: a version with more properties judges more. Traces are
compared as well, because a run that does something else takes another time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[1]
STUDIES = {
    "oz": (
        "0.02-(1-[]-6.0-[0.0]-r-2.0-r-r-(0-0.0)-r-0.0-0)-(true-false-left)",
        "0.05-(2-[0.75]-9.0-[0.0,0.0]-(leek-0.72)-4.6-0.0-0.0-(0-0.0)-(0-0.0)-0.0-0)-(true-false-left)",
    ),
    "mana": ("(2-0.0)-(6.0-0.0-0.0)", "(2-4.0)-(20.0-1.0-0.0)"),
    "hospital": ("",),
}
PARTS = ("run", "engine", "judging")

CHILD = """
import json, sys
from time import process_time
from stressfield.oracle import Evidence
from stressfield.plugins import find_study
from stressfield.run import execute
from stressfield.trace import Metadata

study, descriptors = find_study(sys.argv[1]), json.loads(sys.argv[2])
if study.name == "hospital":
    from stressfield_studies.hospital.model import PLAIN
    descriptors = [PLAIN.descriptor] * len(descriptors)
scenarios = [study.scenario(text, seed=n) for n, text in enumerate(descriptors)]


def measured(n, scenario):
    begin = process_time()
    done = execute(scenario, study.find_build("fixed").subject(scenario), study.find_simulator()(), seed=n,
                   timing=study.timing, ending=study.ending, metadata=Metadata())
    run = process_time() - begin
    begin = process_time()
    study.oracle.judge(Evidence(done.trace, scenario))
    judging = process_time() - begin
    session = study.find_simulator()().open(scenario, seed=n)
    begin = process_time()
    for _ in range(600):
        session.step(())
        session.observe()
    engine = process_time() - begin
    session.close()
    return {"run": run, "judging": judging, "engine": engine, "digest": done.trace.digest()}


for n, scenario in enumerate(scenarios):
    measured(n, scenario)  # what is compiled or imported when first used
for line in sys.stdin:
    n = int(line)
    print(json.dumps(measured(n, scenarios[n])), flush=True)
"""


class Version:
    """The code in a tree, in a process of its own that does one run of a study when told to."""

    def __init__(self, tree: Path, study: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(tree / "src")}
        words = [sys.executable, "-c", CHILD, study, json.dumps(STUDIES[study])]
        self.process = subprocess.Popen(
            words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, n: int) -> dict[str, float | str]:
        """Seconds of processor time of a run, and the digest of its trace."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(n, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"A version ended with code {self.process.wait()}.")
        found: dict[str, float | str] = json.loads(answer)
        return found

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    """Print a line a study."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("before", type=Path, help="a folder with the other version of the repository")
    options.add_argument("--only", nargs="+", choices=list(STUDIES), default=list(STUDIES))
    options.add_argument("--rounds", type=int, default=40)
    asked = options.parse_args()
    if not (asked.before / "src" / "stressfield").is_dir():
        options.error(f"{asked.before} has no src/stressfield; wanted a folder with another version of the repository")
    print(f"{'':<10}" + "".join(f"{part:>16}" for part in PARTS) + "   time now / time before; below 1 is faster")
    for study in asked.only:
        before, now = (Version(tree, study) for tree in (asked.before.resolve(), HERE))
        turns = []
        for n in range(asked.rounds):
            pair = (before, now) if n % 2 else (now, before)
            done = {id(version): version.run(n % len(STUDIES[study])) for version in pair}
            turns.append((done[id(before)], done[id(now)]))
        before.close()
        now.close()
        ratios = [median(float(b[part]) / float(a[part]) for a, b in turns) for part in PARTS]
        told = "identical" if all(a["digest"] == b["digest"] for a, b in turns) else "differ"
        print(f"{study:<10}" + "".join(f"{ratio:16.3f}" for ratio in ratios) + f"   traces {told}", flush=True)


if __name__ == "__main__":
    main()
