"""How far apart runs of one world get, over the control; successful and unsuccessful runs apart."""

from __future__ import annotations

from stressfield.report.experiment_facts import SeriesFacts
from stressfield.report.figures.plot import Axes, padded, panel, svg, text, x_axis
from stressfield.report.level_figure import level_legend, level_symbol

WIDTH, LEFT, RIGHT = 560.0, 52.0, 12.0


def spread_figure(facts: SeriesFacts) -> str:
    """Two panels: the largest distance at time t between runs on one map, averaged over maps."""
    found = facts.configurations
    low, high = padded(found[0].value, found[-1].value, share=0.03) if len(found) > 1 else (-1.0, 1.0)
    known = [one.spread.successful_m for one in found] + [one.spread.unsuccessful_m for one in found]
    most = max((value for value in known if value is not None), default=1.0) or 1.0
    parts = [text(LEFT, 16, facts.series.title, css="value"), level_legend(WIDTH - RIGHT - 238, 16)]
    for number, (words, good) in enumerate((("Successful runs (m)", True), ("Unsuccessful runs (m)", False))):
        axes = Axes(
            left=LEFT, top=50 + 170.0 * number, width=WIDTH - LEFT - RIGHT, height=120,
            x_low=low, x_high=high, y_low=0.0, y_high=1.08 * most,
        )  # fmt: skip
        parts += panel(axes, y_label=words)
        shown = 0
        for one in found:
            apart = one.spread.successful_m if good else one.spread.unsuccessful_m
            maps = one.spread.successful_worlds if good else one.spread.unsuccessful_worlds
            if apart is not None:
                shown += 1
                note = f"{one.value:g}: {apart:.1f} m, mean over {maps} maps; {one.level.value}"
                parts.append(level_symbol(one.level, axes.x(one.value), axes.y(apart), note))
        if not shown:
            middle = axes.left + axes.width / 2
            parts.append(text(middle, axes.top + 64, "no map has two such runs", anchor="middle"))
        if not good:
            parts += x_axis(
                axes, f"{facts.series.control} ({facts.series.unit})" if facts.series.unit else facts.series.control
            )
    return svg(WIDTH, 386, f"{facts.series.title}: largest distance between runs of one map at time t", parts)
