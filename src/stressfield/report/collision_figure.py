"""Runs with collisions of a faulty build, over the control, with the levels of the right build."""

from __future__ import annotations

from itertools import pairwise

from stressfield.report.experiment_facts import SeriesFacts
from stressfield.report.figures.plot import Axes, padded, panel, svg, text, x_axis
from stressfield.report.level_figure import LEVEL_CLASS, level_legend, level_symbol

WIDTH, LEFT, RIGHT = 560.0, 52.0, 12.0


def collision_figure(facts: SeriesFacts) -> str:
    """A bar and a level symbol for each configuration."""
    found = facts.configurations
    low, high = padded(found[0].value, found[-1].value, share=0.04) if len(found) > 1 else (-1.0, 1.0)
    most = max((len(one.runs) for one in found), default=1)
    axes = Axes(
        left=LEFT, top=50, width=WIDTH - LEFT - RIGHT, height=170, x_low=low, x_high=high, y_low=0.0, y_high=most
    )
    parts = [text(LEFT, 16, facts.series.title, css="value"), level_legend(WIDTH - RIGHT - 238, 16)]
    parts += panel(axes, y_label=f"Runs with a collision, of {most}")
    parts += x_axis(
        axes, f"{facts.series.control} ({facts.series.unit})" if facts.series.unit else facts.series.control
    )
    gaps = [axes.x(b.value) - axes.x(a.value) for a, b in pairwise(found)]
    wide = 0.5 * min(gaps, default=30.0)
    for one in found:
        x, y = axes.x(one.value), axes.y(one.colliding)
        parts.append(
            f'<rect class="{LEVEL_CLASS[one.level]} faint" x="{x - wide / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" '
            f'height="{axes.bottom - y:.1f}"/>'
        )
        parts.append(
            level_symbol(one.level, x, y, f"{one.value:g}: {one.colliding} of {len(one.runs)} runs; {one.level.value}")
        )
    return svg(WIDTH, 266, f"{facts.series.title}: runs with a collision", parts)
