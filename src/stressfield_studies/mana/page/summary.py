"""What the series of a programme say in short: lines for a terminal, and data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from stressfield.report import columns
from stressfield_studies.mana.page.divergence import Located
from stressfield_studies.mana.page.facts import ProgrammeFacts
from stressfield_studies.mana.page.figures import level_text


def summary_lines(facts: ProgrammeFacts, located: Sequence[Located]) -> Iterator[str]:
    """What the series say, as lines for a terminal."""
    rows = [["series", "levels", "easy until", "very difficult from", "runs", "success", "collisions"]]
    for series in facts.series:
        runs = [run for configuration in series.configurations for run in configuration.runs]
        share = f"{100 * sum(run.success for run in runs) / len(runs):.0f} %" if runs else "-"
        until, very = (_value(value, series.series.unit) for value in (series.easy_until, series.very_difficult_from))
        hits = f"{sum(run.collided for run in runs)}"
        rows.append([series.series.name, level_text(series), until, very, f"{len(runs)}", share, hits])
    yield (columns(rows, right=(2, 3, 4, 5, 6)))
    yield ("  ● easy   ▲ challenging   ■ very difficult, from the least to the greatest control")
    for trend in facts.trends:
        word = {True: "seen", False: "NOT SEEN", None: "not tested"}[trend.seen]
        p = "" if trend.p_value is None else f" (p = {trend.p_value:.2g})"
        yield (f" {word}: {trend.title}.{p} {trend.sentence}")
    for place in located:
        yield (f" {place.title}: {place.sentence}")
    for series in facts.series:
        if series.crashed:
            yield (f" {series.series.title}: the robot software crashed in {series.crashed} runs: Fail-Error.")
        if series.unjudged:
            yield (
                f" {series.series.title}: {series.unjudged} runs have no result and are left out, "
                f"{series.invalid} of them "
                "invalid."
            )
        if series.configurations and not series.reference:
            yield (f" {series.series.title}: the flat empty world has no result; more successes are called easy.")


def _value(value: float | None, unit: str) -> str:
    return "-" if value is None else f"{value:g} {unit}".strip()


def summary_data(facts: ProgrammeFacts, located: Sequence[Located]) -> dict[str, object]:
    """The same as data, for ``--json``."""
    series = [
        {
            "name": series.series.name,
            "build": series.series.build,
            "easy_until": series.easy_until,
            "very_difficult_from": series.very_difficult_from,
            "crashed": series.crashed,
            "unjudged": series.unjudged,
            "invalid": series.invalid,
            "reference": series.reference,
            "configurations": [
                {
                    "value": c.value,
                    "level": c.level.value,
                    "confidence": c.difficulty.confidence,
                    "runs": len(c.runs),
                    "success": c.difficulty.success.share,
                    "median_duration_s": c.difficulty.median_duration_s,
                    "median_tortuousness_rad": c.difficulty.median_tortuousness_rad,
                    "outcomes": {kind.value: count for kind, count in c.outcomes.items()},
                    "spread": asdict(c.spread),
                }
                for c in series.configurations
            ],
        }
        for series in facts.series
    ]
    divergence = [{"series": pair.series, "value": pair.value, "sentence": pair.sentence} for pair in located]
    trends = [asdict(trend) for trend in facts.trends]
    return {"series": series, "trends": trends, "divergence": divergence}
