"""The front of a search: every pair of objectives as a panel, whose points open their test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations

from stressfield.report.plot import Axes, padded, panel, svg, text, x_axis

LEFT, TOP, GAP_X, GAP_Y = 56.0, 48.0, 74.0, 92.0
COLUMNS = 3
SINGLE, SMALL = (520.0, 260.0), (266.0, 200.0)
"""Width and height of a panel that stands alone, and of one among others."""
DOT, DOT_OF_MANY, MANY = 5.0, 3.0, 300
"""Size of the dot of a test that is not on the front; a smaller one where there are many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontPoint:
    """One test. ``href`` is where the page shows it; ``title`` is read when the pointer rests on it."""

    values: tuple[float, ...]
    title: str
    href: str = ""
    on_front: bool = False


def front_figure(points: Sequence[FrontPoint], names: Sequence[str], *, highest: Sequence[bool]) -> str:
    """Faint dots are all tests, marks those of the front. With one objective: its value over the tests."""
    pairs = list(combinations(range(len(names)), 2))
    labels = [_label(name, high) for name, high in zip(names, highest, strict=True)]
    parts: list[str] = []
    wide, tall = SMALL if len(pairs) > 1 else SINGLE
    for number, pair in enumerate(pairs or [(0, 0)]):
        column, row = number % COLUMNS, number // COLUMNS
        left, top = LEFT + column * (wide + GAP_X), TOP + row * (tall + GAP_Y)
        if pairs:
            parts += _panel(points, (left, top, wide, tall), [one.values[pair[0]] for one in points],
                            [one.values[pair[1]] for one in points], labels[pair[0]], labels[pair[1]])  # fmt: skip
        else:
            places = [float(at) for at in range(1, len(points) + 1)]
            parts += _panel(
                points, (left, top, wide, tall), places, [one.values[0] for one in points], "test", labels[0]
            )
    columns, rows = min(len(pairs) or 1, COLUMNS), -(-(len(pairs) or 1) // COLUMNS)
    width = LEFT + columns * wide + (columns - 1) * GAP_X + 16
    parts.append(_key(_dot(points)))
    found = sum(one.on_front for one in points)
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
