"""Predicted against seen success: points on the diagonal are honest."""

from __future__ import annotations

from stressfield.analysis import Calibration
from stressfield.report.figures.plot import Axes, svg, text

WIDTH = 560.0


def calibration_figure(found: Calibration, title: str) -> str:
    """One disc a bin of predictions, as large as it has runs, with the interval of what was seen."""
    axes = Axes(left=52, top=36, width=WIDTH - 70, height=240, x_low=0.0, x_high=1.0, y_low=0.0, y_high=1.0)
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
    most = max((one.seen.total for one in found.bins), default=1)
    for one in found.bins:
        x, radius = axes.x(one.predicted), 3.0 + 7.0 * (one.seen.total / most) ** 0.5
        parts.append(
            f'<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" y1="{axes.y(one.seen.low):.1f}" '
            f'y2="{axes.y(one.seen.high):.1f}"/>'
            f'<circle class="theme" cx="{x:.1f}" cy="{axes.y(one.seen.share or 0.0):.1f}" r="{radius:.1f}">'
            f"<title>predicted {100 * one.predicted:.0f} %, seen {one.seen} in {one.seen.total} runs</title></circle>"
        )
    parts.append(text(axes.left + axes.width / 2, axes.bottom + 38, "predicted chance of success", anchor="middle"))
    middle = axes.top + axes.height / 2
    parts.append(
        text(13, middle, "seen success rate", anchor="middle", extra=f' transform="rotate(-90 13 {middle:.1f})"')
    )
    return svg(WIDTH, 322, f"{title}: predicted against seen success", parts)
