"""The figures of the page: levels, collisions, spread and calibration, over the control."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import numpy as np
from markupsafe import Markup

from stressfield.analysis import NavigationRun, OutcomeClass
from stressfield.report import percent
from stressfield.report.figures import Axes, padded, panel, svg, symbol, text, x_axis
from stressfield_studies.mana.difficulty import Calibration, Level
from stressfield_studies.mana.page.facts import ConfigurationFacts, SeriesFacts
from stressfield_studies.mana.series import Published

LEVEL_CLASS = {Level.EASY: "easy", Level.CHALLENGING: "challenging", Level.VERY_DIFFICULT: "very"}
LEVEL_SHAPE = {Level.EASY: "disc", Level.CHALLENGING: "triangle", Level.VERY_DIFFICULT: "square"}
WIDTH, NARROW, LEFT, RIGHT = 660.0, 560.0, 52.0, 12.0
CLASS_CSS = {
    OutcomeClass.SUCCESS: "pass",
    OutcomeClass.OTHER: "open",
    OutcomeClass.ERROR: "mixed",
    OutcomeClass.TIMEOUT: "late",
    OutcomeClass.COLLISION: "fail",
}


def level_figure(facts: SeriesFacts) -> Markup:
    """Four panels over one control."""
    found = facts.configurations
    low, high = padded(found[0].value, found[-1].value, share=0.03) if len(found) > 1 else (-1.0, 1.0)

    def axes(top: float, height: float, y_low: float, y_high: float) -> Axes:
        return Axes(
            left=LEFT, top=top, width=WIDTH - LEFT - RIGHT, height=height,
            x_low=low, x_high=high, y_low=y_low, y_high=y_high,
        )  # fmt: skip

    success = axes(46, 150, -4.0, 104.0)
    classes = axes(232, 46, 0.0, 100.0)
    slow = _range(facts, lambda run: run.duration_s)
    winding = _range(facts, _degrees)
    duration, winds = axes(314, 110, *slow), axes(460, 110, *winding)
    parts = [level_legend(WIDTH - RIGHT - 238, 16), text(LEFT, 16, facts.series.title, css="value")]
    for panel_axes in (success, duration, winds):
        parts += _bands(facts, panel_axes)
    parts += _success(facts, success)
    parts += _classes(facts, classes)
    parts += panel(duration, y_label="Duration of successful runs (s), median and quartiles")
    parts += _measured(facts, duration, lambda run: run.duration_s)
    parts += panel(winds, y_label="Tortuousness of successful runs (degrees), median and quartiles")
    parts += _measured(facts, winds, _degrees)
    for panel_axes in (success, duration, winds):
        parts += _published(facts.series.published, panel_axes, words=panel_axes is success)
    parts += x_axis(
        winds, f"{facts.series.control} ({facts.series.unit})" if facts.series.unit else facts.series.control
    )
    label = f"{facts.series.title}: success rate, outcomes, durations and tortuousness by {facts.series.control}"
    return svg(WIDTH, 616, label, parts)


def _degrees(run: NavigationRun) -> float | None:
    return None if run.tortuousness_rad is None else math.degrees(run.tortuousness_rad)


def _range(facts: SeriesFacts, measure: Callable[[NavigationRun], float | None]) -> tuple[float, float]:
    values = [
        v
        for configuration in facts.configurations
        for run in configuration.runs
        if run.success and (v := measure(run)) is not None
    ]
    return padded(min(values), max(values), share=0.08) if values else (0.0, 1.0)


def _half_step(facts: SeriesFacts, axes: Axes) -> float:
    values = [axes.x(configuration.value) for configuration in facts.configurations]
    gaps = np.diff(values)
    return float(gaps.min()) / 2 if len(gaps) else 20.0


def _bands(facts: SeriesFacts, axes: Axes) -> list[str]:
    """The level of each configuration as a pale column."""
    values = [axes.x(configuration.value) for configuration in facts.configurations]
    edges = [axes.left, *((x + other) / 2 for x, other in pairwise(values)), axes.right]
    return [
        f'<rect class="{LEVEL_CLASS[configuration.level]} band" x="{low:.1f}" y="{axes.top:.1f}" '
        f'width="{high - low:.1f}" '
        f'height="{axes.height:.1f}"/>'
        for configuration, (low, high) in zip(facts.configurations, pairwise(edges), strict=True)
    ]


def _success(facts: SeriesFacts, axes: Axes) -> list[str]:
    parts = panel(axes, y_label="Success rate, and level", y_unit=" %", y_ticks=(0, 25, 50, 75, 100))
    limit = axes.y(25.0)
    parts.append(f'<line class="limit" x1="{axes.left:.1f}" x2="{axes.right:.1f}" y1="{limit:.1f}" y2="{limit:.1f}"/>')
    for configuration in facts.configurations:
        rate, x = configuration.difficulty.success, axes.x(configuration.value)
        parts.append(
            f'<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" y1="{axes.y(100 * rate.low):.1f}" '
            f'y2="{axes.y(100 * rate.high):.1f}"/>'
        )
        parts.append(level_symbol(configuration.level, x, axes.y(100 * (rate.share or 0.0)), _title(configuration)))
    return parts


def _title(configuration: ConfigurationFacts) -> str:
    rate = configuration.difficulty.success
    sure = percent(configuration.difficulty.confidence)
    return (
        f"{configuration.value:g}: {percent(rate.share)} of {rate.total} runs succeed; "
        f"{configuration.level.value} (in {sure} of resamples)"
    )


def _classes(facts: SeriesFacts, axes: Axes) -> list[str]:
    parts = [text(axes.left, axes.top - 8, "How runs ended", css="value")]
    x = axes.left + 134
    for kind, css in CLASS_CSS.items():
        parts.append(f'<rect class="{css}" x="{x:.1f}" y="{axes.top - 17:.1f}" width="9" height="9" rx="2"/>')
        parts.append(text(x + 13, axes.top - 8, kind.value))
        x += 24 + 6.4 * len(kind.value)
    wide = min(26.0, max(2.0, 1.6 * _half_step(facts, axes)))
    for configuration in facts.configurations:
        y = axes.bottom
        for kind, css in CLASS_CSS.items():
            tall = axes.height * configuration.outcomes[kind] / len(configuration.runs)
            y -= tall
            if tall > 0.0:
                parts.append(
                    f'<rect class="{css}" x="{axes.x(configuration.value) - wide / 2:.1f}" y="{y:.1f}" '
                    f'width="{wide:.1f}" '
                    f'height="{tall:.1f}"><title>{configuration.value:g}: {configuration.outcomes[kind]} '
                    f"{kind.value}</title></rect>"
                )
    return parts


def _measured(facts: SeriesFacts, axes: Axes, measure: Callable[[NavigationRun], float | None]) -> list[str]:
    parts = []
    for configuration in facts.configurations:
        values = [v for run in configuration.runs if run.success and (v := measure(run)) is not None]
        if not values:
            continue
        x = axes.x(configuration.value)
        parts += [
            f'<circle class="{LEVEL_CLASS[configuration.level]} faint" cx="{x:.1f}" cy="{axes.y(v):.1f}" r="2"/>'
            for v in values
        ]
        first, last = np.percentile(values, [25, 75])
        parts.append(
            f'<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" y1="{axes.y(float(first)):.1f}" '
            f'y2="{axes.y(float(last)):.1f}"/>'
        )
        middle = median(values)
        parts.append(
            level_symbol(
                configuration.level,
                x,
                axes.y(middle),
                f"{configuration.value:g}: median {middle:.3g} of {len(values)} runs",
            )
        )
    return parts


def _published(published: Published, axes: Axes, *, words: bool) -> list[str]:
    """Published thresholds as dashed lines."""
    lines = [(published.easy_until, "published: easy until here", "end"),
             (published.very_difficult_from, "published: very difficult from here", "start")]  # fmt: skip
    parts = []
    for number, (value, what, anchor) in enumerate(lines):
        if value is None or not axes.x_low <= value <= axes.x_high:
            continue
        x = axes.x(value)
        parts.append(f'<line class="theirs" x1="{x:.1f}" x2="{x:.1f}" y1="{axes.top:.1f}" y2="{axes.bottom:.1f}"/>')
        if words:
            room = axes.right - x if anchor == "start" else x - axes.left
            side = anchor if room > 200 else ("end" if anchor == "start" else "start")
            shift = 5 if side == "start" else -5
            parts.append(text(x + shift, axes.bottom - 10 - 15 * number, what, anchor=side, css="theirs"))
    return parts


def level_text(series: SeriesFacts) -> str:
    """One symbol for each configuration: what a terminal can show of the figure."""
    marks = {Level.EASY: "●", Level.CHALLENGING: "▲", Level.VERY_DIFFICULT: "■"}
    return "".join(marks[configuration.level] for configuration in series.configurations)


def level_symbol(level: Level, x: float, y: float, title: str, *, size: float = 5.5) -> str:
    """A disc for easy, a triangle for challenging, a square for very difficult."""
    return symbol(LEVEL_SHAPE[level], LEVEL_CLASS[level], x, y, title, size=size)


def level_legend(x: float, y: float) -> str:
    """What the three symbols mean, in one line."""
    parts = []
    for level, width in ((Level.EASY, 52), (Level.CHALLENGING, 92), (Level.VERY_DIFFICULT, 92)):
        parts.append(level_symbol(level, x, y - 4, level.value, size=5) + text(x + 10, y, level.value))
        x += width
    return "".join(parts)


def collision_figure(facts: SeriesFacts) -> Markup:
    """A bar and a level symbol for each configuration."""
    found = facts.configurations
    low, high = padded(found[0].value, found[-1].value, share=0.04) if len(found) > 1 else (-1.0, 1.0)
    most = max((len(configuration.runs) for configuration in found), default=1)
    axes = Axes(
        left=LEFT, top=50, width=NARROW - LEFT - RIGHT, height=170, x_low=low, x_high=high, y_low=0.0, y_high=most
    )
    parts = [text(LEFT, 16, facts.series.title, css="value"), level_legend(NARROW - RIGHT - 238, 16)]
    parts += panel(axes, y_label=f"Runs with a collision, of {most}")
    parts += x_axis(
        axes, f"{facts.series.control} ({facts.series.unit})" if facts.series.unit else facts.series.control
    )
    gaps = [axes.x(b.value) - axes.x(a.value) for a, b in pairwise(found)]
    wide = 0.5 * min(gaps, default=30.0)
    for configuration in found:
        x, y = axes.x(configuration.value), axes.y(configuration.colliding)
        parts.append(
            f'<rect class="{LEVEL_CLASS[configuration.level]} faint" x="{x - wide / 2:.1f}" y="{y:.1f}" '
            f'width="{wide:.1f}" '
            f'height="{axes.bottom - y:.1f}"/>'
        )
        parts.append(
            level_symbol(
                configuration.level,
                x,
                y,
                f"{configuration.value:g}: {configuration.colliding} of {len(configuration.runs)} runs; "
                f"{configuration.level.value}",
            )
        )
    return svg(NARROW, 266, f"{facts.series.title}: runs with a collision", parts)


def spread_figure(facts: SeriesFacts) -> Markup:
    """Two panels: the largest distance at time t between runs on one map, averaged over maps."""
    found = facts.configurations
    low, high = padded(found[0].value, found[-1].value, share=0.03) if len(found) > 1 else (-1.0, 1.0)
    known = [configuration.spread.successful_m for configuration in found] + [
        configuration.spread.unsuccessful_m for configuration in found
    ]
    most = max((value for value in known if value is not None), default=1.0) or 1.0
    parts = [text(LEFT, 16, facts.series.title, css="value"), level_legend(NARROW - RIGHT - 238, 16)]
    for number, (words, good) in enumerate((("Successful runs (m)", True), ("Unsuccessful runs (m)", False))):
        axes = Axes(
            left=LEFT, top=50 + 170.0 * number, width=NARROW - LEFT - RIGHT, height=120,
            x_low=low, x_high=high, y_low=0.0, y_high=1.08 * most,
        )  # fmt: skip
        parts += panel(axes, y_label=words)
        shown = 0
        for configuration in found:
            apart = configuration.spread.successful_m if good else configuration.spread.unsuccessful_m
            maps = configuration.spread.successful_worlds if good else configuration.spread.unsuccessful_worlds
            if apart is not None:
                shown += 1
                note = f"{configuration.value:g}: {apart:.1f} m, mean over {maps} maps; {configuration.level.value}"
                parts.append(level_symbol(configuration.level, axes.x(configuration.value), axes.y(apart), note))
        if not shown:
            middle = axes.left + axes.width / 2
            parts.append(text(middle, axes.top + 64, "no map has two such runs", anchor="middle"))
        if not good:
            parts += x_axis(
                axes, f"{facts.series.control} ({facts.series.unit})" if facts.series.unit else facts.series.control
            )
    return svg(NARROW, 386, f"{facts.series.title}: largest distance between runs of one map at time t", parts)


def calibration_figure(found: Calibration, title: str) -> Markup:
    """One disc a bin of predictions, as large as it has runs, with the interval of what was seen."""
    axes = Axes(left=52, top=36, width=NARROW - 70, height=240, x_low=0.0, x_high=1.0, y_low=0.0, y_high=1.0)
    parts = [text(axes.left, 18, title, css="value")]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = axes.x(share), axes.y(share)
        parts.append(f'<line class="axis" x1="{axes.left}" x2="{axes.right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{axes.top}" y2="{axes.bottom}"/>')
        parts.append(text(axes.left - 7, y + 4, f"{100 * share:.0f} %", anchor="end"))
        parts.append(text(x, axes.bottom + 18, f"{100 * share:.0f} %", anchor="middle"))
    parts.append(
        f'<line class="limit" x1="{axes.x(0):.1f}" y1="{axes.y(0):.1f}" x2="{axes.x(1):.1f}" y2="{axes.y(1):.1f}"/>'
    )
    most = max((bucket.seen.total for bucket in found.bins), default=1)
    for bucket in found.bins:
        x, radius = axes.x(bucket.predicted), 3.0 + 7.0 * (bucket.seen.total / most) ** 0.5
        parts.append(
            f'<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" y1="{axes.y(bucket.seen.low):.1f}" '
            f'y2="{axes.y(bucket.seen.high):.1f}"/>'
            f'<circle class="theme" cx="{x:.1f}" cy="{axes.y(bucket.seen.share or 0.0):.1f}" r="{radius:.1f}">'
            f"<title>predicted {100 * bucket.predicted:.0f} %, seen {bucket.seen} in {bucket.seen.total} "
            "runs</title></circle>"
        )
    parts.append(text(axes.left + axes.width / 2, axes.bottom + 38, "predicted chance of success", anchor="middle"))
    middle = axes.top + axes.height / 2
    parts.append(
        text(13, middle, "seen success rate", anchor="middle", extra=f' transform="rotate(-90 13 {middle:.1f})"')
    )
    return svg(NARROW, 322, f"{title}: predicted against seen success", parts)
