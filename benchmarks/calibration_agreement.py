"""Do verdicts of the kinematic simulator agree better with those of a field after a calibration?

python benchmarks/calibration_agreement.py [oz mana] [--worlds 8] [--out FOLDER]

The field is MuJoCo with a drive and an odometer that the study does not know. A few missions in other worlds are
recorded as rosbag2, the kinematic simulator is calibrated with them, and all suggestions that differ are accepted. Then
the same worlds are run in the field, in the kinematic simulator as it is, and as calibrated.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from shutil import rmtree

from stressfield.analysis import wilson
from stressfield.calibration import calibrate
from stressfield.campaign import Plan, Results, find_study, prepare, resume, run_campaign
from stressfield.campaign.folder import open_trace, read_plan
from stressfield.scenario import Options
from stressfield.trace.bags.rosbag2 import write_bag

FIELD = {"speed_gain": 0.88, "turn_gain": 0.9, "lag_s": 0.3, "dead_time_s": 0.15, "slip": 0.04}
SCALE = {"distance_scale": 1.03, "turn_scale": 0.97}
ROBOTS = {"oz": ("oz", "/odom", "release", "r"), "mana": ("mana", "/rflex/odometry", "fixed", "(4-1.0)-(4.0-0.5-0.0)")}
"""The robot, its odometry, the build and the template of the worlds."""
RECORDED = 4
SEED = 7


def ran(study: str, sim: str, options: Options, *, worlds: int, seed: int, folder: Path, keep: str = "none") -> Results:
    """A campaign; what is there of it is not done again."""
    _, _, build, template = ROBOTS[study]
    plan = Plan(
        study=study, build=build, seed=seed, worlds=worlds, repeats=1, template=template, options=options, keep=keep,
        simulator=find_study(study).simulator_key(sim),
    )  # fmt: skip
    ready = prepare(plan)
    if (folder / "campaign.toml").exists() and read_plan(folder)[0] == ready.plan:
        return resume(folder).results
    return run_campaign(ready, folder, overwrite=True).results


def verdicts(results: Results) -> Mapping[tuple[int, str], str]:
    """Outcomes by world and property."""
    return {
        (results.scenario_of(judged.run).index, verdict.property): verdict.outcome.value
        for judged in results.runs
        for verdict in judged.verdicts
    }


def agreement(results: Results, field: Results) -> tuple[str, str]:
    """Verdicts that are the same, and worlds in which all are."""
    ours, theirs = verdicts(results), verdicts(field)
    both = sorted(ours.keys() & theirs.keys())
    worlds = sorted({world for world, _ in both})
    alike = [all(ours[key] == theirs[key] for key in both if key[0] == world) for world in worlds]
    same = wilson(sum(ours[key] == theirs[key] for key in both), len(both))
    whole = wilson(sum(alike), len(worlds))
    return f"{int(same.count)} of {same.total}: {same}", f"{int(whole.count)} of {whole.total}: {whole}"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("studies", nargs="*", default=list(ROBOTS))
    parser.add_argument("--worlds", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("build/calibration-agreement"))
    asked, notes = parser.parse_args(), []
    print("| study | kinematic | verdicts as in the field | worlds with all verdicts as in the field |")
    print("| --- | --- | --- | --- |")
    for study in asked.studies:
        robot, odometer, _, _ = ROBOTS[study]
        field = {f"{robot}.drive.{name}": value for name, value in FIELD.items()}
        field |= {f"{robot}.{odometer}.{name}": value for name, value in SCALE.items()}
        out = asked.out / study
        recorded = ran(study, "mujoco", field, worlds=RECORDED, seed=SEED + 1, folder=out / "recorded", keep="all")
        bags = []
        for number, judged in enumerate(recorded.runs):
            bag = out / f"bag{number}"
            rmtree(bag, ignore_errors=True)
            trace = open_trace(out / "recorded", judged)
            bags.append(write_bag(trace, bag, start=datetime(2026, 1, 1, number, tzinfo=UTC)))
        result = calibrate(study, bags)
        found = {each.name: each.value for each in result.differing}
        change = result.prediction.change(0)
        theirs = ran(study, "mujoco", field, worlds=asked.worlds, seed=SEED, folder=out / "field")
        for name, options in (("as it is", {}), ("calibrated", found)):
            ours = ran(study, "kinematic", options, worlds=asked.worlds, seed=SEED, folder=out / name.replace(" ", "-"))
            print(f"| {study} | {name} | {' | '.join(agreement(ours, theirs))} |", flush=True)
        told = ", ".join(f"`{name}` {value:.3g}" for name, value in found.items())
        notes.append(
            f"{study}: accepted {told}; the median error of position over 5 s, held-out windows, fell to "
            f"{100 * change.value:.0f} % ({100 * change.low:.0f} to {100 * change.high:.0f} %)."
        )
    print("", *notes, sep="\n\n")


if __name__ == "__main__":
    main()
