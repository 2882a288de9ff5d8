"""Does a calibration on published durations order BARN's worlds better, worlds left out? Prints either answer.

STRESSFIELD_BARN=FOLDER python benchmarks/calibration_barn.py [--worlds 150] [--repeats 1] [--out FOLDER]

Nobody recorded the published runs: all that is known is how long each took. So the constants of the drive are chosen
from a list, by how near the durations come (median of absolute logarithms of ratios) in half of the worlds; then the
rank correlation of durations is taken in the other half, with these constants and with those of the study. 500
divisions of the worlds into halves give the interval.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from stressfield.campaign import Plan, prepare, run_campaign
from stressfield.search import SweepWorlds
from stressfield.seeds import generator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from barn import FOLDER, number_of, published, tried

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

DIVISIONS = 500
LEAST = 20
"""Worlds: ten in each half. Of fewer, a rank correlation says nothing."""
DRIVE = "jackal.drive."
TRIED: tuple[Mapping[str, float], ...] = (
    {},
    {"speed_gain": 0.8},
    {"speed_gain": 0.65},
    {"speed_gain": 0.55},
    {"speed_gain": 0.65, "turn_gain": 0.7},
    {"speed_gain": 0.65, "lag_s": 0.3},
)
"""Constants of the drive that differ from the study's."""


def durations(constants: Mapping[str, float], names: list[str], repeats: int, folder: Path) -> np.ndarray:
    """Median seconds of successes in each world; NaN where none succeeded."""
    files = ",".join(f"world_{name}.world" for name in names)
    plan = Plan(
        study=str(EXAMPLES / "barn.py"), build="dwa", seed=1, worlds=0, repeats=repeats, keep="none",
        strategy=SweepWorlds(vary=(f"world={files}",)),
        options={f"{DRIVE}{name}": value for name, value in constants.items()},
    )  # fmt: skip
    ours = tried(run_campaign(prepare(plan), folder).results)
    return np.array([np.nan if ours[name].time_s is None else ours[name].time_s for name in names])


def words(constants: Mapping[str, float]) -> str:
    """As a row of the table calls them."""
    return ", ".join(f"`{name}` {value:g}" for name, value in constants.items()) or "as in the study"


def main() -> None:
    """Print a table and the answer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--worlds", type=int, default=150, help="so many of them, evenly taken")
    parser.add_argument("--out", type=Path, default=Path("build/barn-calibration"))
    asked = parser.parse_args()
    theirs = published()
    there = {number_of(path.name) for path in FOLDER.glob("*.world")}
    names = sorted((name for name in theirs if name in there and theirs[name].times_s), key=int)
    if asked.worlds < LEAST or len(names) < asked.worlds:
        parser.error(
            f"--worlds {asked.worlds} of the {len(names)} in {str(FOLDER)!r} that have a published success. Wanted at "
            f"least {LEAST}, and a folder that has them: STRESSFIELD_BARN=FOLDER, see docs/studies/barn.md."
        )
    names = names[:: len(names) // asked.worlds]
    real = np.array([theirs[name].time_s for name in names], dtype=float)
    times = np.array(
        [durations(each, names, asked.repeats, asked.out / str(number)) for number, each in enumerate(TRIED)]
    )
    good = np.isfinite(times)
    print("| constants | worlds with a success | median ratio to the published time | rank correlation |")
    print("| --- | --: | --: | --: |")
    for each, row, known in zip(TRIED, times, good, strict=True):
        rho = spearmanr(row[known], real[known]).statistic
        print(f"| {words(each)} | {known.sum()} | {np.median(row[known] / real[known]):.2f} | {rho:.2f} |")
    rng, gains, chosen = generator(1, "halves"), [], []
    for _ in range(DIVISIONS):
        half = rng.permutation(len(names)) < len(names) // 2
        misses = [np.median(np.abs(np.log(t[half & k] / real[half & k]))) for t, k in zip(times, good, strict=True)]
        best = int(np.argmin(misses))
        left = ~half & good[best] & good[0]
        rhos = [spearmanr(times[n][left], real[left]).statistic for n in (0, best)]
        gains.append((*rhos, rhos[1] - rhos[0]))
        chosen.append(best)
    before, after, gain = np.array(gains).T
    low, high = np.percentile(gain, [2.5, 97.5])
    most = max(set(chosen), key=chosen.count)
    print(
        f"\nChosen in {100 * chosen.count(most) / DIVISIONS:.0f} % of {DIVISIONS} divisions: {words(TRIED[most])}. "
        f"Rank correlation in the worlds left out: {before.mean():.2f} as in the study, {after.mean():.2f} calibrated; "
        f"difference {gain.mean():+.2f} ({low:+.2f} to {high:+.2f})."
    )


if __name__ == "__main__":
    main()
