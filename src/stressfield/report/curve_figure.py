"""Curves over the tests of a search: hypervolume and coverage, of one campaign or of several to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.report.plot import Axes, panel, svg, text, ticks, x_axis
from stressfield.report.words import figure

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 520.0, 210.0, 56.0, 14.0, 46.0
MOST_POINTS = 240
STYLES = 4


@dataclass(frozen=True, slots=True)
class Curves:
    """Campaigns of one kind, such as one strategy with several seeds: a value after each of their tests."""

    name: str
    runs: tuple[tuple[float, ...], ...]

    def table(self) -> NDArray[np.float64]:
        """One row a campaign; one that ended earlier keeps its last value."""
        found = [run for run in self.runs if run]
        length = max(map(len, found), default=0)
        return np.array([[*run, *[run[-1]] * (length - len(run))] for run in found]).reshape(len(found), length)


def hypervolume_figure(groups: Sequence[Curves]) -> str:
    """How much the front dominates, as a share of the box of all values seen."""
    return curve_figure(groups, y_label="Hypervolume of the front (share of its box)", label="hypervolume")


def coverage_figure(groups: Sequence[Curves]) -> str:
    """Which share of the space's cells the tests entered."""
    return curve_figure(groups, y_label="Cells of the testing space entered (share)", label="coverage")


def curve_figure(groups: Sequence[Curves], *, y_label: str, label: str) -> str:
    """The median of each group over its tests; several campaigns also have the band from lowest to highest."""
    tables = [group.table() for group in groups]
    most = max((table.shape[1] for table in tables), default=0)
    top = max((float(table.max()) for table in tables if table.size), default=0.0)
    high = next((value for value in ticks(0.0, 2.0 * top, 8) if value >= top), top) or 1.0
    axes = Axes(
        left=LEFT, top=TOP, width=WIDTH - LEFT - RIGHT, height=HEIGHT, x_low=0.0, x_high=float(max(most, 1)), y_low=0.0,
        y_high=high,
    )  # fmt: skip
    parts = [*panel(axes, y_label=y_label), *x_axis(axes, "tests")]
    x = LEFT
    for number, (group, table) in enumerate(zip(groups, tables, strict=True)):
        if table.size:
            parts += _drawn(axes, table, number % STYLES)
        told = f"{group.name} ({len(table)})" if len(table) > 1 else group.name
        parts.append(f'<line class="curve c{number % STYLES}" x1="{x:.1f}" x2="{x + 20:.1f}" y1="12" y2="12"/>')
        parts.append(text(x + 26, 16, told))
        x += 44 + 6.6 * len(told)
    ends = [
        f"{group.name} {figure(float(np.median(table[:, -1])))}"
        for group, table in zip(groups, tables, strict=True)
        if table.size
    ]
    return svg(max(WIDTH, x), TOP + HEIGHT + 48, f"{label} over {most} tests: {', '.join(ends) or 'none'}", parts)


def _drawn(axes: Axes, table: NDArray[np.float64], style: int) -> list[str]:
    places = _places(table)
    middle = np.median(table[:, places], axis=0)
    parts = []
    if len(table) > 1:
        upper = [(axes.x(at + 1.0), axes.y(v)) for at, v in zip(places, table[:, places].max(axis=0), strict=True)]
        lower = [(axes.x(at + 1.0), axes.y(v)) for at, v in zip(places, table[:, places].min(axis=0), strict=True)]
        outline = "L".join(f"{x:.1f} {y:.1f}" for x, y in [*upper, *reversed(lower)])
        parts.append(f'<path class="curve-band c{style}" d="M{outline}Z"/>')
    line = "L".join(f"{axes.x(at + 1.0):.1f} {axes.y(v):.1f}" for at, v in zip(places, middle, strict=True))
    parts.append(f'<path class="curve c{style}" d="M{line}"/>')
    return parts


def _places(table: NDArray[np.float64]) -> list[int]:
    """Even steps, and the last."""
    length = table.shape[1]
    return sorted({*np.linspace(0, length - 1, min(length, MOST_POINTS)).astype(int).tolist(), length - 1})
