"""How often does `compare` call a build worse that is not, and which fault builds does it see?

``python benchmarks/bench_compare.py --out runs/compare`` runs what is missing and prints both tables.
``make docs-measured STUDY=statistics`` puts them into docs/statistics.md.

False alarms: of every study, one pool of runs of the build `fixed` (worlds x repeats). Pairs of small campaigns are
drawn from it: the same worlds with other repeats (paired), or other worlds (unpaired). Both are of one build, so every
alarm is false. Draws share runs, so they are not independent: the pool, not their number, limits how well the rate is
known.

Power: every fault build against the build without the fault, 10 worlds x 1 run, as `stressfield compare` sees it: with
a baseline of as many runs, and with one of five times as many.
Folders are resumed: a second call computes the tables only.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from stressfield.analysis import Change, EndpointKind, Summary, compare, compare_verdicts, summarise, wilson
from stressfield.campaign import Plan, find_study, load, resume, run_campaign
from stressfield.campaign.loop import nothing_missing
from stressfield.seeds import generator
from stressfield_studies.faults import Fault
from stressfield_studies.oz.faults import FAULTS as OZ_FAULTS
from stressfield_studies.tabletop.builds import FAULTS as TABLETOP_FAULTS

STUDIES = ("oz", "mana", "tabletop", "hospital")
POOL_WORLDS, POOL_REPEATS = 20, 4
POWER_WORLDS = 10
BASELINE_REPEATS = 5
DESIGNS = ((10, 1, 1), (10, 2, 2), (10, 3, 1))
"""Worlds, and repeats of the baseline and the candidate, of the campaigns that are drawn from a pool."""
FALSE_ALARMS, POWER = "false alarms", "power"

FAULTS: dict[str, tuple[Fault, ...]] = {
    "oz": OZ_FAULTS,
    "mana": (Fault("faulty", "P3D believes that the rover is smaller", "real", "faulty"),),
    "tabletop": TABLETOP_FAULTS,
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """What came of one way to draw pairs of campaigns of one build."""

    paired: bool
    worlds: int
    repeats: tuple[int, int]
    pairs: int
    alarms: int
    verdict_alarms: int


def campaign(plan: Plan, folder: Path, jobs: int | None) -> Summary:
    """The campaign in its folder: begun, gone on with, or only read."""
    if not (folder / "campaign.toml").exists():
        run_campaign(plan, folder, jobs=jobs)
    elif not nothing_missing(load(folder)):
        resume(folder, jobs=jobs)
    return summarise(load(folder), find_study(plan.study))


def part_of(pool: Summary, worlds: np.ndarray, repeats: np.ndarray) -> Summary:
    """A small campaign out of a pool: these worlds, and of each of them its own choice of repeats."""
    ids = list(pool.scenarios)
    chosen = {
        ids[world]: {repeat: place for place, repeat in enumerate(picks)}
        for world, picks in zip(worlds, repeats, strict=True)
    }
    runs = tuple(
        replace(judged, run=replace(judged.run, repeat=chosen[judged.run.scenario_id][judged.run.repeat]))
        for judged in pool.runs.values()
        if judged.run.repeat in chosen.get(judged.run.scenario_id, ())
    )
    plan = replace(pool.results.plan, worlds=len(worlds), repeats=repeats.shape[1])
    scenarios = tuple(scenario for scenario in pool.results.scenarios if scenario.id in chosen)
    results = replace(pool.results, plan=plan, scenarios=scenarios, runs=runs)
    # What compare reads of a Summary; the rest, findings and rules, would be computed in vain.
    return replace(
        pool,
        results=results,
        scenarios={scenario.id: scenario for scenario in scenarios},
        runs={judged.run.id: judged for judged in runs},
        planned=results.wanted_runs,
    )


def false_alarms(pool: Summary, name: str, pairs: int) -> list[Drawn]:
    """Every design, paired and unpaired."""
    found = []
    total = len(pool.scenarios)
    for worlds, before_runs, after_runs in DESIGNS:
        # of other worlds, only as many runs are compared as both have
        for paired in (True, False) if before_runs == after_runs else (True,):
            rng = generator("bench_compare", name, worlds, before_runs, int(paired))
            alarms = verdict_alarms = 0
            for _ in range(pairs):
                order = rng.permutation(total)
                first = order[:worlds]
                second = first if paired else order[worlds : 2 * worlds]
                picks = np.array([rng.permutation(POOL_REPEATS)[: before_runs + after_runs] for _ in range(worlds)])
                before = part_of(pool, first, picks[:, :before_runs])
                after = part_of(pool, second, picks[:, before_runs:])
                alarms += compare(before, after).worse
                verdict_alarms += any(one.verdict is Change.WORSE for one in compare_verdicts(before, after))
            found.append(Drawn(paired, worlds, (before_runs, after_runs), pairs, alarms, verdict_alarms))
    return found


def alarm_rows(name: str, drawn: list[Drawn]) -> list[str]:
    """Rows of the table of false alarms."""
    rows = []
    for case in drawn:
        rate = wilson(case.alarms, case.pairs)
        how = "the same worlds, paired" if case.paired else "other worlds"
        shares = f"{100 * case.alarms / case.pairs:.1f} % | {100 * case.verdict_alarms / case.pairs:.1f} %"
        once, again = case.repeats
        runs = f"{case.worlds} x {once}" + (f" and {case.worlds} x {again}" if once != again else "")
        rows.append(f"| {name} | {runs} | {how} | {case.pairs} | {shares} |")
        assert rate.share is not None
    return rows


def power_rows(name: str, out: Path, jobs: int | None) -> list[tuple[str, bool, bool, bool]]:
    """Rows of the table of fault builds; whether verdicts alone reveal each, compare, and compare with more runs."""
    rows = []
    for fault in FAULTS.get(name, ()):
        study = find_study(name)
        template = study.template if fault.template == "r" else fault.template
        plan = Plan(
            study=name, build=fault.build, seed=11, worlds=POWER_WORLDS, repeats=1, keep="none", template=template,
            include=fault.include, options=fault.options,
        )  # fmt: skip
        base = replace(plan, build=fault.baseline, options=fault.baseline_options)
        words = f"{fault.baseline}-{'-'.join(sorted(fault.baseline_options))}-{'-'.join(fault.include)}".strip("-")
        often = campaign(
            replace(base, repeats=BASELINE_REPEATS),
            out / f"power-{name}" / f"baseline-{BASELINE_REPEATS}-{words}",
            jobs,
        )
        before = part_of(often, np.arange(POWER_WORLDS), np.zeros((POWER_WORLDS, 1), int))
        after = campaign(plan, out / f"power-{name}" / fault.name.replace(" ", "-"), jobs)
        found = compare(before, after)
        by_verdicts = [one.name for one in compare_verdicts(before, after) if one.verdict is Change.WORSE]
        outcome = found.endpoints[0].verdict is Change.WORSE
        worse = [one.name for one in found.of(Change.WORSE) if one.kind is not EndpointKind.OUTCOME] + [*found.vanished]
        seen = ", ".join((["outcome"] if outcome else []) + worse) or "nothing"
        failing = f"{found.endpoints[0].baseline:.0%} to {found.endpoints[0].candidate:.0%}".replace("%", " %")
        verdicts = bool(by_verdicts or outcome)
        changed = f"{found.changed_runs} of {found.compared_runs}"
        surely = compare(often, after).worse
        called = ["yes" if revealed else "no" for revealed in (verdicts, found.worse, surely)]
        row = f"| {name} {fault.name} | {failing} | {changed} | {' | '.join(called)} | {seen} |"
        rows.append((row, verdicts, found.worse, surely))
    return rows


def tables(out: Path, studies: list[str], pairs: int, jobs: int | None) -> dict[str, str]:
    """Both tables as Markdown, by name; printed as they grow."""
    alarm = [
        "| study | worlds x runs | campaigns | pairs drawn | `compare` | verdicts alone |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    power = [
        "| fault | failing runs | runs changed | by verdicts | by `compare` | with 5 baseline runs | worse in |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    seen = []
    for name in studies:
        study = find_study(name)
        plan = Plan(
            study=name,
            build="fixed",
            seed=7,
            worlds=POOL_WORLDS,
            repeats=POOL_REPEATS,
            keep="none",
            template=study.template,
        )
        pool = campaign(plan, out / f"pool-{name}", jobs)
        alarm += alarm_rows(name, false_alarms(pool, name, pairs))
        print("\n".join(alarm[-5:]), flush=True)
        rows = power_rows(name, out, jobs)
        power += [row for row, *_ in rows]
        print("\n".join(row for row, *_ in rows), flush=True)
        seen += [revealed for _, *revealed in rows]
    by_verdicts, by_compare, surely = (sum(column) for column in zip(*seen, strict=True)) if seen else (0, 0, 0)
    power.append("")
    power.append(
        f"Of {len(seen)} builds {by_verdicts} are revealed by verdicts alone, {by_compare} by `compare`, {surely} by "
        f"`compare` with a baseline of {BASELINE_REPEATS} runs a world."
    )
    print(power[-1])
    return {FALSE_ALARMS: "\n".join(alarm), POWER: "\n".join(power)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/compare"))
    parser.add_argument("--studies", nargs="+", default=list(STUDIES), choices=STUDIES)
    parser.add_argument("--pairs", type=int, default=500, help="Pairs of campaigns drawn for each row.")
    parser.add_argument("--jobs", type=int)
    asked = parser.parse_args()
    tables(asked.out, asked.studies, asked.pairs, asked.jobs)


if __name__ == "__main__":
    main()
