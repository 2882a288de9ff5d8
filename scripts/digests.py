"""The guard of results: small campaigns of every study must come out as they did, bit for bit.

``python scripts/digests.py`` runs each campaign of the list in a folder of its own and compares what came of it with
``digests.json`` beside this file: the digest that ``results --json`` prints (runs, traces, and of the verdicts those
that count), a hash of all metrics, and one of the traces alone, which says whether robots did the same even where
verdicts were meant to change. ``--write`` writes the file anew: only for a change that is meant to change results, and
says so.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from stressfield.campaign import digest, load

HERE = Path(__file__).resolve().parent
EXPECTED = HERE / "digests.json"
YARD = str(HERE.parent / "examples" / "yard.py")

CAMPAIGNS: dict[str, str] = {
    "oz-release": "run oz --worlds 12 --repeats 3 --seed 7 --build release",
    "oz-fixed": "run oz --worlds 6 --repeats 2 --seed 7 --build fixed",
    "oz-slip": "run oz --worlds 6 --repeats 2 --seed 7 --build release --option wheel_slip=0.3",
    "oz-artefacts": "run oz --worlds 4 --seed 7 --option late_stop=true --option double_vision=0.2",
    "oz-mujoco": "run oz --worlds 3 --seed 7 --sim mujoco",
    "oz-sweep": "run oz --vary field.rows=1,2,3 --seed 7",
    "oz-pairwise": "run oz --strategy pairwise --vary field.rows=1,3 --vary terrain.roughness_m=0:0.1:2 --seed 7",
    "mana-trees": "experiment mana trees --quick",
    "mana-mujoco": "run mana --worlds 2 --seed 5 --sim mujoco --template r",
    "hospital": "run hospital --worlds 8 --repeats 2 --seed 2026",
    "hospital-windows": "search hospital windows --evaluations 60 --seed 1",
    "hospital-conditions": "search hospital conditions --evaluations 60 --seed 1",
    "hospital-worlds": "search hospital windows --evaluations 60 --seed 2 --vary-world --template r",
    "hospital-random": "search hospital windows --strategy random --evaluations 24 --seed 3 --repeats 2",
    "hospital-sweep": "search hospital windows --strategy sweep --evaluations 24 --seed 4",
    "hospital-listed": "search hospital firstExperiment --tests all",
    "tabletop-grasp": "experiment tabletop grasp --quick",
    "tabletop-config": "run tabletop --config GRASP --seed 3",
    "tabletop-lost": "search tabletop lost_messages --tests all --seed 3",
    "yard": f"run {YARD} --worlds 20 --repeats 2 --seed 7",
}


def grasp() -> str:
    """The configuration of the first published use case, where the study keeps it."""
    from stressfield_studies import tabletop  # noqa: PLC0415

    return str(Path(str(tabletop.__file__)).parent / "grasp.toml")


def measure(name: str, folder: Path) -> dict[str, str]:
    """Run one campaign or experiment; digests by the name of the campaign inside."""
    words = [grasp() if word == "GRASP" else word for word in CAMPAIGNS[name].split()]
    words += ["--profile", "published"]  # stricter bounds may move; what a publication judged may not
    command = [sys.executable, "-c", "from stressfield.cli import main; main()", *words, "--out", str(folder / name)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        sys.exit(f"{name}: {' '.join(words)} ended with exit code {done.returncode}:\n{done.stdout}\n{done.stderr}")
    found: dict[str, str] = {}
    for plan in sorted((folder / name).rglob("campaign.toml")):
        results = load(plan.parent)
        part = plan.parent.relative_to(folder).as_posix()
        # without what is off: a property that a publication did not judge may be added or changed
        counted = tuple(replace(judged, others=()) for judged in results.runs)
        found[part] = digest(replace(results, runs=counted))
        traces = sorted((judged.run.id, judged.run.digest) for judged in results.runs)
        found[f"{part} traces"] = hashlib.sha256(repr(traces).encode()).hexdigest()
        metrics = sorted((judged.run.id, sorted(judged.metrics.items())) for judged in results.runs)
        found[f"{part} metrics"] = hashlib.sha256(repr(metrics).encode()).hexdigest()
    return found


def main() -> None:
    """Run, compare, and exit with 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", nargs="+", choices=list(CAMPAIGNS), help="these campaigns alone")
    parser.add_argument("--write", action="store_true", help="write digests.json anew from what comes out now")
    asked = parser.parse_args()
    expected: dict[str, str] = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    names = asked.only or list(CAMPAIGNS)
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            parts = measure(name, Path(folder))
            found |= parts
            same = bool(parts) and all(expected.get(part) == value for part, value in parts.items())
            print(f"{'same     ' if same else 'DIFFERENT'} {name}", flush=True)
            if not same:
                for part, value in parts.items():
                    if expected.get(part) != value:
                        print(f"    {part}: got {value[:12]}, wanted {expected.get(part, 'nothing')[:12]}")
    if asked.write:
        kept = {part: value for part, value in expected.items() if part.split("/")[0].split(" ")[0] not in names}
        EXPECTED.write_text(json.dumps(dict(sorted((kept | found).items())), indent=1) + "\n")
        return
    wanted = {part for part in expected if part.split("/")[0].split(" ")[0] in names}
    missing = sorted(wanted - set(found))
    different = [part for part in found if expected.get(part) != found[part]]
    for part in missing:
        print(f"    {part}: nothing came out of it")
    print(f"{len(names)} campaigns, {len(found)} digests, {len(different) + len(missing)} different.")
    sys.exit(1 if different or missing else 0)


if __name__ == "__main__":
    main()
