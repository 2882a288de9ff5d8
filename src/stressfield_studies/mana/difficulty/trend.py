"""Is a trend that others reported seen in our runs? Each answer is a sentence with the test behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log2

import numpy as np

from stressfield.analysis import holm, smallest_p, spearman, swaps
from stressfield_studies.mana.difficulty.levels import Difficulty, Level
from stressfield_studies.mana.difficulty.spread import Spread, relation

RISK = 0.05
FEWEST = 5
"""With fewer configurations no exact test can reach the risk."""
_DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Trend:
    """One trend: seen or not, in a sentence, with the name of its test and the chance of such data without it.

    ``seen`` is None where there is not enough data to say.
    """

    title: str
    seen: bool | None
    sentence: str
    test: str
    p_value: float | None


def rises(title: str, series: Mapping[str, Sequence[Difficulty]], rng: np.random.Generator) -> Trend:
    """Difficulty rises with the control, in every series (Spearman over configurations, Holm over series)."""
    test = "Spearman's correlation of control and difficulty score over configurations, one-sided permutation test"
    test += " (10,000 draws)"
    enough = {name: found for name, found in series.items() if len(found) >= FEWEST}
    if not enough or len(enough) < len(series):
        return Trend(title, None, f"Too few configurations to tell: each control needs {FEWEST}.", test, None)
    found = {
        name: spearman(
            np.array([difficulty.value for difficulty in levels]),
            np.array([difficulty.score for difficulty in levels]),
            rng,
        )
        for name, levels in enough.items()
    }
    corrected = holm([ranked.p_rising for ranked in found.values()])
    missing = [name for (name, _), p in zip(found.items(), corrected, strict=True) if p >= RISK]
    told = ", ".join(f"{name} {ranked.rho:+.2f}" for name, ranked in found.items())
    if missing:
        words = f"Not seen for {', '.join(missing)}. Rank correlation of control and difficulty: {told}."
    else:
        words = f"Rank correlation of control and difficulty: {told}."
    return Trend(title, not missing, words, _many(test, len(found)), max(corrected))


def harder(title: str, ordered: Sequence[tuple[str, Sequence[Difficulty]]], rng: np.random.Generator) -> Trend:
    """At equal control each series fails more often than the next one (paired by control, sign flips, Holm)."""
    test = "failing shares paired at equal control above 0, one-sided sign-flip test"
    wanted = fewest_pairs(len(ordered) - 1)
    results: list[tuple[str, str, float, float]] = []
    for (name, hard), (other, easy) in pairwise(ordered):
        differences = _at_equal_control(hard, easy)
        if len(differences) < wanted:
            words = f"Too few configurations of {name} and {other} with equal control to tell: wanted {wanted}."
            return Trend(title, None, words, test, None)
        flipped = swaps(len(differences), rng)
        p = smallest_p(flipped, differences[:, None], two_sided=[False]).p[0]
        test = f"failing shares paired at equal control above 0, one-sided sign-flip test ({flipped.words})"
        results.append((name, other, float(differences.mean()), p))
    corrected = holm([result[3] for result in results])
    seen = all(p < RISK for p in corrected)
    told = "; ".join(
        f"{name.lower()} fail {100 * abs(mean):.0f} points {'more' if mean >= 0 else 'less'} often than {other.lower()}"
        for name, other, mean, _ in results
    )
    return Trend(
        title, seen, f"At equal control, on average, runs with {told}.", _many(test, len(results)), max(corrected)
    )


def unrelated(title: str, series: Mapping[str, Sequence[tuple[Difficulty, Spread]]], rng: np.random.Generator) -> Trend:
    """Indeterminism does not go with difficulty: seen when no series shows a significant correlation.

    As in the source, successful runs of very difficult configurations and unsuccessful runs of easy ones are left out:
    there are too few of them.
    """
    test = "Spearman's correlation of difficulty score and largest distance, two-sided permutation test (10,000 draws)"
    found = {}
    for name, pairs in series.items():
        for word, distances in (
            ("successful", [(s.successful_m, d.score) for d, s in pairs if d.level is not Level.VERY_DIFFICULT]),
            ("unsuccessful", [(s.unsuccessful_m, d.score) for d, s in pairs if d.level is not Level.EASY]),
        ):
            tested = relation(distances, rng)
            if tested.count >= FEWEST:
                found[f"{name}, {word}"] = tested
    if not found:
        return Trend(title, None, "Too few configurations with repeats that end alike to tell.", test, None)
    corrected = holm([ranked.p_two_sided for ranked in found.values()])
    clear = [
        f"{name} ({ranked.rho:+.2f}, {ranked.count} configurations)"
        for (name, ranked), p in zip(found.items(), corrected, strict=True)
        if p < RISK
    ]
    low, high = min(ranked.rho for ranked in found.values()), max(ranked.rho for ranked in found.values())
    groups = "one group" if len(found) == 1 else f"{len(found)} groups"
    span = f"rank correlations lie between {low:+.2f} and {high:+.2f} in {groups} of runs"
    if clear:
        words = f"A relation shows for {'; '.join(clear)}; {span}."
    else:
        words = f"No clear relation: {span}, none significant. Absence of proof, with this number of configurations."
    return Trend(title, not clear, words, _many(test, len(found)), min(corrected))


def least_when_easy(title: str, series: Mapping[str, Sequence[tuple[Level, float]]], rng: np.random.Generator) -> Trend:
    """Easy configurations reveal the fault least: (level, share of runs that collide) for each configuration."""
    test = "difference of mean shares of colliding runs, others less easy, one-sided permutation of levels"
    usable = {name: rows for name, rows in series.items() if len({level is Level.EASY for level, _ in rows}) == 2}
    if not usable:
        return Trend(title, None, "No series has both easy and other configurations.", test, None)
    groups = [
        (np.array([share for _, share in rows]), np.array([level is Level.EASY for level, _ in rows]))
        for rows in usable.values()
    ]
    differences = [float(share[~easy].mean() - share[easy].mean()) for share, easy in groups]
    seen, draws = sum(differences), np.zeros(_DRAWS)
    for share, easy in groups:
        shuffled = share[np.argsort(rng.random((_DRAWS, len(share))), axis=1)]
        draws += shuffled[:, ~easy].mean(axis=1) - shuffled[:, easy].mean(axis=1)
    p_value = float(((draws >= seen - 1e-12).sum() + 1) / (_DRAWS + 1))
    told = "; ".join(
        f"{name}: {100 * float(share[easy].mean()):.0f} % of runs collide when easy, "
        f"{100 * float(share[~easy].mean()):.0f} % otherwise"
        for name, (share, easy) in zip(usable, groups, strict=True)
    )
    least = all(difference > 0.0 for difference in differences)
    return Trend(title, least and p_value < RISK, f"{told[:1].upper()}{told[1:]}.", test, p_value)


def _at_equal_control(hard: Sequence[Difficulty], easy: Sequence[Difficulty]) -> np.ndarray:
    """Failing share of the first less that of the second, interpolated, at each control that both cover."""
    other = sorted((difficulty.value, 1.0 - (difficulty.success.share or 0.0)) for difficulty in easy)
    if not other:
        return np.zeros(0)
    values = np.array([value for value, _ in other])
    shares = np.array([share for _, share in other])
    return np.array(
        [
            1.0 - (difficulty.success.share or 0.0) - float(np.interp(difficulty.value, values, shares))
            for difficulty in hard
            if 0.0 < difficulty.value <= values[-1]
        ]
    )


def fewest_pairs(tests: int) -> int:
    """So many pairs that the least p of the sign flips, 0.5 to their number, is below the risk after Holm."""
    return max(FEWEST, floor(log2(max(1, tests) / RISK)) + 1)


def _many(test: str, count: int) -> str:
    return f"{test}, Holm over {count} tests" if count > 1 else test
