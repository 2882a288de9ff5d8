"""The plan for a billion runs in numbers: what was measured, what follows from it, and what a simulation says.

python benchmarks/scale campaign no-op 100000   measure a campaign and its report; the result goes to measured.json
python benchmarks/scale memory no-op 100000 ray measure the driver's memory: with workers local, on ray, or in a merge
python benchmarks/scale report 1000000 10       the report of a ledger of made-up runs, so many of each world
python benchmarks/scale merge 10000             merge a shard of no-op runs
python benchmarks/scale traces                  how large recordings of examples/yard.py are
python benchmarks/scale tables                  the tables of docs/scale.md, from measured.json

Processor time throughout: the wall clock of a machine that has other things to do says little.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from time import process_time
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cost_model import Assumed, Outcome, Rig, fitted, simulate  # noqa: E402
from workloads import WORKLOADS, measure, remembered, reported  # noqa: E402

KEPT = HERE / "measured.json"
WHERE = {"local": "this machine", "ray": "Ray", "merge": "`merge` of four shards"}
MEMORY_MARKS = (1_000, 10_000, 30_000, 50_000, 100_000)
RUNS = (10**6, 10**7, 10**8, 10**9)
NODES = (10, 100, 1_000, 10_000)


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("campaign", "memory", "report", "merge", "traces", "tables"))
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args()
    if asked.what == "tables":
        print("\n\n".join(f"**{name}**\n\n{text}" for name, text in tables().items()))
        return
    with tempfile.TemporaryDirectory() as place:
        _note(asked.what, _measured(asked.what, asked.words, Path(place) / "campaign"))


def _measured(what: str, words: list[str], folder: Path) -> dict[str, Any]:
    if what == "campaign":
        return asdict(measure(words[0], int(words[1]), folder, jobs=1))
    if what == "memory":
        workload, runs, where = words[0], int(words[1]), words[2]
        return {"workload": workload, "runs": runs, "where": where, **remembered(workload, runs, folder, where=where)}
    if what == "report":
        from large_ledger import fill  # noqa: PLC0415

        fill(folder, runs=int(words[0]), repeats=int(words[1]))
        return {"runs": int(words[0]), "repeats": int(words[1]), **reported(folder)}
    if what == "merge":
        return {"runs": int(words[0]), "merge_s": _merged(folder, int(words[0]))}
    study = HERE.parents[1] / "examples" / "yard.py"
    command = [sys.executable, "-m", "stressfield", "run", str(study), "--worlds", "40", "--no-report"]
    subprocess.run([*command, "--out", str(folder)], check=False, capture_output=True)
    sizes = [path.stat().st_size for path in (folder / "traces").iterdir()]
    return {"traces": len(sizes), "trace_bytes": sum(sizes) / len(sizes)}


def _merged(folder: Path, runs: int) -> float:
    from stressfield.campaign import Plan, merge_shards, plan_campaign, prepare, run_shard, write_shards  # noqa: PLC0415

    workload = WORKLOADS["no-op"]
    plan = Plan(
        study=str(HERE.parent / workload.study), build="idle", seed=11, worlds=runs // 10, repeats=10, keep="none"
    )
    plan_campaign(prepare(plan), folder)
    for piece in write_shards(folder, into=4):
        run_shard(piece, jobs=1)
    begin_s = process_time()
    merge_shards(folder)
    return process_time() - begin_s


def _note(kind: str, found: dict[str, Any]) -> None:
    """Keep a measurement: one of the same kind and size takes the place of an earlier one."""
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    key = [found.get(name) for name in ("workload", "runs", "repeats", "where")]
    others = [
        old for old in kept.get(kind, []) if [old.get(name) for name in ("workload", "runs", "repeats", "where")] != key
    ]
    kept[kind] = sorted(
        [*others, found], key=lambda each: (each.get("where", ""), each.get("workload", ""), each.get("runs", 0))
    )
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    print(json.dumps(found, indent=1))


def rig(kept: dict[str, Any]) -> Rig:
    """The model of the rig, fitted to what was measured of short kinematic runs."""
    found = [each for each in kept["campaign"] if each["workload"] == "kinematic"]
    runs = [each["runs"] for each in found]
    reports, merges = kept["report"], kept["merge"]
    return Rig(
        driver_s=fitted(runs, [each["driver_s"] for each in found]),
        merge_s=fitted([each["runs"] for each in merges], [each["merge_s"] for each in merges]),
        report_s=fitted([each["runs"] for each in reports], [each["report_s"] for each in reports]),
        ledger_bytes=fitted(runs, [each["ledger_bytes"] for each in found]),
        rows=fitted(runs, [each["rows"] for each in found]),
        trace_bytes=kept["traces"][-1]["trace_bytes"],
    )


def tables() -> dict[str, str]:
    """The tables of the page."""
    kept = json.loads(KEPT.read_text())
    return {
        "campaigns": _measured_table(kept),
        "memory": _memory_table(kept),
        "reports": _report_table(kept),
        "model": _model_table(rig(kept)),
        "simulated": _simulated_table(rig(kept)),
        "driver": _driver_table(rig(kept)),
    }


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _measured_table(kept: dict[str, Any]) -> str:
    heads = ["study", "runs", "driver, s", "workers, s", "rows", "ledger, MB"]
    rows = [
        [each["workload"], f"{each['runs']:,}", f"{each['driver_s']:.1f}", f"{each['workers_s']:.1f}",
         f"{each['rows']:,}", f"{each['ledger_bytes'] / 1e6:.1f}"]
        for each in kept["campaign"]
    ]  # fmt: skip
    return _table(heads, rows)


def _memory_table(kept: dict[str, Any]) -> str:
    heads = ["driver of", "study", *(f"after {mark:,} runs, MiB" for mark in MEMORY_MARKS)]
    rows = []
    for each in kept["memory"]:
        mib = [each["driver_mib"].get(str(mark)) for mark in MEMORY_MARKS]
        rows.append([WHERE[each["where"]], each["workload"], *("" if at is None else f"{at:.0f}" for at in mib)])
    return _table(heads, rows)


def _report_table(kept: dict[str, Any]) -> str:
    heads = ["runs", "worlds", "`report`, s of processor time", "memory, MiB", "page, MB"]
    rows = [
        [f"{each['runs']:,}", f"{each['runs'] // each['repeats']:,}", f"{each['report_s']:.1f}",
         f"{each['report_mib']:.0f}", f"{each['page_bytes'] / 1e6:.1f}"]
        for each in kept["report"]
    ]  # fmt: skip
    return _table(heads, rows)


def _model_table(found: Rig) -> str:
    rows = [
        ["driver, ms of processor time", f"{1e3 * found.driver_s.each:.3f}", f"{found.driver_s.fixed:.1f} s"],
        ["merge of shards, ms", f"{1e3 * found.merge_s.each:.3f}", f"{found.merge_s.fixed:.1f} s"],
        ["report, ms", f"{1e3 * found.report_s.each:.3f}", f"{found.report_s.fixed:.1f} s"],
        ["ledger, bytes", f"{found.ledger_bytes.each:.0f}", f"{found.ledger_bytes.fixed / 1e3:.0f} kB"],
        ["ledger, rows", f"{found.rows.each:.1f}", f"{found.rows.fixed:.0f}"],
        ["a recording, bytes", f"{found.trace_bytes:,.0f}", ""],
    ]
    return _table(["cost", "a run", "once"], rows)


def _simulated_table(found: Rig) -> str:
    heads = ["runs", "nodes", "hours", "nodes lost", "runs done again", "merge, h", "report, h", "ledger, GB",
             "recordings: all failing", "`failing:10`", "USD", "USD with all recordings"]  # fmt: skip
    rows = [
        _simulated(simulate(runs, nodes, found, Assumed(), driver=False)) for runs in RUNS for nodes in NODES
        if runs // nodes >= 10_000
    ]  # fmt: skip
    return _table(heads, rows)


def _simulated(one: Outcome) -> list[str]:
    return [
        f"10^{len(str(one.runs)) - 1}", f"{one.nodes:,}", f"{one.hours:,.1f}", f"{one.lost:,}", f"{one.redone:,}",
        f"{one.merge_hours:.1f}", f"{one.report_hours:.2f}", f"{one.ledger_gb:,.1f}", f"{one.objects_all:,}",
        f"{one.objects_sampled:,}", f"{one.usd:,.0f}", f"{one.usd_all:,.0f}",
    ]  # fmt: skip


def _driver_table(found: Rig) -> str:
    """How many slots one driver can feed."""
    rows = [
        [f"{run_s:g} s", f"{run_s / found.driver_s.each:,.0f}", f"{run_s / found.driver_s.each / Assumed().slots:,.0f}"]
        for run_s in (0.01, 0.1, 1.0, 10.0)
    ]
    return _table(["a run takes", "slots that one driver feeds", "nodes of 8"], rows)


if __name__ == "__main__":
    main()
