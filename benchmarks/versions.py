"""Is this version slower than another? The same runs of both in turn, on one core; prints ratios, asserts nothing.

git worktree add ../before COMMIT
python benchmarks/versions.py ../before                 oz, mana, hospital: whole runs, judged, and engines alone
python benchmarks/versions.py ../before --only oz       one of them

Of each run the least processor time of all rounds counts, so that other work on the machine hardly does. Judging is
timed apart: a version with more properties judges more. Traces are compared as well, because a run that does something
else takes another time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
STUDIES = {
    "oz": (
        "0.02-(1-[]-6.0-[0.0]-r-2.0-r-r-(0-0.0)-r-0.0-0)-(true-false-left)",
        "0.05-(2-[0.75]-9.0-[0.0,0.0]-(leek-0.72)-4.6-0.0-0.0-(0-0.0)-(0-0.0)-0.0-0)-(true-false-left)",
    ),
    "mana": ("(2-0.0)-(6.0-0.0-0.0)", "(2-4.0)-(20.0-1.0-0.0)"),
    "hospital": ("", ""),
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
print(json.dumps([measured(n, scenario) for n, scenario in enumerate(scenarios)]))
"""


def measured(tree: Path, study: str) -> list[dict[str, float | str]]:
    """Seconds of every run of a study by the code in a tree, in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(tree / "src")}
    words = [sys.executable, "-c", CHILD, study, json.dumps(STUDIES[study])]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{tree}: {study} failed.\n{done.stderr}")
    found: list[dict[str, float | str]] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Print a line a study."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("before", type=Path, help="a folder with the other version of the repository")
    options.add_argument("--only", nargs="+", choices=list(STUDIES), default=list(STUDIES))
    options.add_argument("--rounds", type=int, default=5)
    asked = options.parse_args()
    if not (asked.before / "src" / "stressfield").is_dir():
        options.error(f"{asked.before} has no src/stressfield; wanted a folder with another version of the repository")
    trees = {"before": asked.before.resolve(), "now": HERE}
    print(f"{'':<10}" + "".join(f"{part:>16}" for part in PARTS) + "   time now / time before; below 1 is faster")
    for study in asked.only:
        rounds: dict[str, list[list[dict[str, float | str]]]] = {name: [] for name in trees}
        for n in range(asked.rounds):
            for name in trees if n % 2 else reversed(trees):
                rounds[name].append(measured(trees[name], study))
        least = {
            name: {
                part: sum(min(float(run[part]) for run in runs) for runs in zip(*done, strict=True)) for part in PARTS
            }
            for name, done in rounds.items()
        }
        same = all(a["digest"] == b["digest"] for a, b in zip(rounds["before"][0], rounds["now"][0], strict=True))
        ratios = "".join(f"{least['now'][part] / least['before'][part]:16.2f}" for part in PARTS)
        print(f"{study:<10}{ratios}   traces {'identical' if same else 'differ'}", flush=True)


if __name__ == "__main__":
    main()
