"""Figures of a search: its front, whose points open their tests, and how front and coverage grew over the tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from stressfield.report.figures.plot import Axes, padded, panel, svg, text, ticks, x_axis
from stressfield.report.words import figure

LEFT, TOP, GAP_X, GAP_Y = 56.0, 48.0, 74.0, 92.0
COLUMNS = 3
SINGLE, SMALL = (520.0, 260.0), (266.0, 200.0)
"""Width and height of a panel that stands alone, and of one among others."""
DOT, DOT_OF_MANY, MANY = 5.0, 3.0, 300
"""Size of the dot of a test that is not on the front; a smaller one where there are many."""
CURVE_WIDTH, CURVE_HEIGHT, CURVE_LEFT, CURVE_RIGHT, CURVE_TOP = 520.0, 210.0, 56.0, 14.0, 46.0
CURVE_POINTS_MAX = 240
"""A page need not hold more points of a curve than it has pixels to show them."""
STYLES = 4
"""Colours with a dash pattern each in the style sheet: curve c0 to c3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPoint:
    """One test. ``href`` is where the page shows it; ``title`` is read when the pointer rests on it."""

    values: tuple[float, ...]
    title: str
    href: str = ""
    on_front: bool = False


def front_figure(points: Sequence[FrontPoint], names: Sequence[str], *, highest: Sequence[bool]) -> Markup:
    """Faint dots are all tests, marks those of the front. With one objective: its value over the tests."""
    pairs = list(combinations(range(len(names)), 2))
    labels = [_label(name, high) for name, high in zip(names, highest, strict=True)]
    parts: list[str] = []
    wide, tall = SMALL if len(pairs) > 1 else SINGLE
    for number, pair in enumerate(pairs or [(0, 0)]):
        column, row = number % COLUMNS, number // COLUMNS
        left, top = LEFT + column * (wide + GAP_X), TOP + row * (tall + GAP_Y)
        if pairs:
            parts += _panel(points, (left, top, wide, tall), [point.values[pair[0]] for point in points],
                            [point.values[pair[1]] for point in points], labels[pair[0]], labels[pair[1]])  # fmt: skip
        else:
            places = [float(at) for at in range(1, len(points) + 1)]
            parts += _panel(
                points, (left, top, wide, tall), places, [point.values[0] for point in points], "test", labels[0]
            )
    columns, rows = min(len(pairs) or 1, COLUMNS), -(-(len(pairs) or 1) // COLUMNS)
    width = LEFT + columns * wide + (columns - 1) * GAP_X + 16
    parts.append(_key(_dot(points)))
    found = sum(point.on_front for point in points)
    said = f"{found} tests on the front of {len(points)}, by {', '.join(names)}"
    return svg(width, TOP + rows * tall + (rows - 1) * GAP_Y + 48, said, parts)


def _label(name: str, high: bool) -> str:
    return f"{name} (looking for {'high' if high else 'low'})"


def _dot(points: Sequence[FrontPoint]) -> float:
    return DOT_OF_MANY if len(points) > MANY else DOT


def _key(size: float) -> str:
    mark = f'<circle class="front mark" cx="{LEFT + 5:.1f}" cy="12" r="5"/>'
    dot = f'<rect class="others" x="{LEFT + 111:.1f}" y="{12.0 - size / 2.0:g}" width="{size:g}" height="{size:g}"/>'
    return mark + text(LEFT + 15, 16, "on the front") + dot + text(LEFT + 122, 16, "other tests")


def _panel(
    points: Sequence[FrontPoint],
    frame: tuple[float, float, float, float],
    xs: Sequence[float],
    ys: Sequence[float],
    x_label: str,
    y_label: str,
) -> list[str]:
    x_low, x_high = padded(min(xs, default=0.0), max(xs, default=1.0))
    y_low, y_high = padded(min(ys, default=0.0), max(ys, default=1.0))
    axes = Axes(
        left=frame[0], top=frame[1], width=frame[2], height=frame[3], x_low=x_low, x_high=x_high, y_low=y_low,
        y_high=y_high,
    )  # fmt: skip
    parts = [*panel(axes, y_label=y_label), *x_axis(axes, x_label)]
    places = sorted(
        {
            (round(axes.x(x), 1), round(axes.y(y), 1))
            for x, y, point in zip(xs, ys, points, strict=True)
            if not point.on_front
        }
    )
    size = _dot(points)
    dots = "".join(f"M{x - size / 2:.1f} {y - size / 2:.1f}h{size:g}v{size:g}h-{size:g}z" for x, y in places)
    parts.append(f'<path class="others" d="{dots}"/>')
    for x, y, point in zip(xs, ys, points, strict=True):
        if point.on_front:
            mark = (
                f'<circle class="front mark" cx="{axes.x(x):.1f}" cy="{axes.y(y):.1f}" r="5">'
                f"<title>{escape(point.title)}</title></circle>"
            )
            parts.append(f'<a href="{escape(point.href)}">{mark}</a>' if point.href else mark)
    return parts


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


def hypervolume_figure(groups: Sequence[Curves]) -> Markup:
    """How much the front dominates, as a share of the box of all values seen."""
    return curve_figure(groups, y_label="Hypervolume of the front (share of its box)", label="hypervolume")


def coverage_figure(groups: Sequence[Curves]) -> Markup:
    """Which share of the space's cells the tests entered."""
    return curve_figure(groups, y_label="Cells of the testing space entered (share)", label="coverage")


def curve_figure(groups: Sequence[Curves], *, y_label: str, label: str) -> Markup:
    """The median of each group over its tests; several campaigns also have the band from lowest to highest."""
    tables = [group.table() for group in groups]
    most = max((table.shape[1] for table in tables), default=0)
    top = max((float(table.max()) for table in tables if table.size), default=0.0)
    high = next((value for value in ticks(0.0, 2.0 * top, 8) if value >= top), top) or 1.0
    axes = Axes(
        left=CURVE_LEFT,
        top=CURVE_TOP,
        width=CURVE_WIDTH - CURVE_LEFT - CURVE_RIGHT,
        height=CURVE_HEIGHT,
        x_low=0.0,
        x_high=float(max(most, 1)),
        y_low=0.0,
        y_high=high,
    )
    parts = [*panel(axes, y_label=y_label), *x_axis(axes, "tests")]
    x = CURVE_LEFT
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
    return svg(
        max(CURVE_WIDTH, x),
        CURVE_TOP + CURVE_HEIGHT + 48,
        f"{label} over {most} tests: {', '.join(ends) or 'none'}",
        parts,
    )


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
    return sorted({*np.linspace(0, length - 1, min(length, CURVE_POINTS_MAX)).astype(int).tolist(), length - 1})
