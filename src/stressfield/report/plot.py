"""Axes and marks of the report's figures, as pieces of SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from stressfield.analysis import Level

LEVEL_CLASS = {Level.EASY: "easy", Level.CHALLENGING: "challenging", Level.VERY_DIFFICULT: "very"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """A panel in pixels and the range of values it shows."""

    left: float
    top: float
    width: float
    height: float
    x_low: float
    x_high: float
    y_low: float
    y_high: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def x(self, value: float) -> float:
        return self.left + (value - self.x_low) / ((self.x_high - self.x_low) or 1.0) * self.width

    def y(self, value: float) -> float:
        return self.bottom - (value - self.y_low) / ((self.y_high - self.y_low) or 1.0) * self.height


def svg(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    """The whole figure. ``label`` says in words what it shows."""
    return (
        f'<svg class="figure" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def text(x: float, y: float, words: str, *, anchor: str = "start", css: str = "", extra: str = "") -> str:
    """One line of text."""
    kind = f' class="{css}"' if css else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers between two values."""
    span = high - low
    if not span > 0.0:
        return [low]
    step = 10.0 ** math.floor(math.log10(span / wanted))
    step = next((step * factor for factor in (1, 2, 2.5, 5, 10) if span / (step * factor) <= wanted), step * 10)
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 10) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def panel(axes: Axes, *, y_label: str, y_unit: str = "", y_ticks: Sequence[float] | None = None) -> list[str]:
    """Frame, horizontal grid, numbers at the left and the name of the measure above."""
    parts = [text(axes.left, axes.top - 8, y_label, css="value")]
    for value in ticks(axes.y_low, axes.y_high, 4) if y_ticks is None else y_ticks:
        y = axes.y(value)
        parts.append(f'<line class="axis" x1="{axes.left:.1f}" x2="{axes.right:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(text(axes.left - 7, y + 4, f"{value:g}{y_unit}", anchor="end"))
    return parts


def x_axis(axes: Axes, label: str) -> list[str]:
    """Numbers and the name of the control below the panel."""
    parts = []
    for value in ticks(axes.x_low, axes.x_high, 10):
        x = axes.x(value)
        parts.append(
            f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{axes.bottom:.1f}" y2="{axes.bottom + 5:.1f}"/>'
        )
        parts.append(text(x, axes.bottom + 19, f"{value:g}", anchor="middle"))
    parts.append(text(axes.left + axes.width / 2, axes.bottom + 38, label, anchor="middle"))
    return parts


def symbol(level: Level, x: float, y: float, title: str, *, size: float = 5.5) -> str:
    """A disc for easy, a triangle for challenging, a square for very difficult."""
    css = f'class="{LEVEL_CLASS[level]} mark"'
    note = f"<title>{escape(title)}</title>"
    if level is Level.EASY:
        return f'<circle {css} cx="{x:.1f}" cy="{y:.1f}" r="{size:g}">{note}</circle>'
    if level is Level.CHALLENGING:
        up, side = 1.25 * size, 1.15 * size
        return (
            f'<path {css} d="M{x:.1f} {y - up:.1f}L{x + side:.1f} {y + 0.75 * size:.1f}'
            f'L{x - side:.1f} {y + 0.75 * size:.1f}Z">{note}</path>'
        )
    edge = 0.92 * size
    box = f'x="{x - edge:.1f}" y="{y - edge:.1f}" width="{2 * edge:.1f}" height="{2 * edge:.1f}"'
    return f"<rect {css} {box}>{note}</rect>"


def legend(x: float, y: float) -> str:
    """What the three symbols mean, in one line."""
    parts = []
    for level, width in ((Level.EASY, 52), (Level.CHALLENGING, 92), (Level.VERY_DIFFICULT, 92)):
        parts.append(symbol(level, x, y - 4, level.value, size=5) + text(x + 10, y, level.value))
        x += width
    return "".join(parts)


def padded(low: float, high: float, *, share: float = 0.05) -> tuple[float, float]:
    """The range with some room at both ends."""
    room = share * ((high - low) or abs(high) or 1.0)
    return low - room, high + room
