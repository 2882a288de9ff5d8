"""Axes, ticks, marks and words of figures: the pieces of SVG that every figure is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup


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


def svg(width: float, height: float, label: str, parts: Sequence[str]) -> Markup:
    """The whole figure. ``label`` says in words what it shows; whoever makes ``parts`` escapes the texts in them."""
    figure = (
        f'<svg class="figure" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )
    return Markup(figure)  # noqa: S704  every text in it is escaped: see above


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
    digits = max(10, 3 - math.floor(math.log10(step)))  # what is as small as an error of rounding has ticks, too
    # Zero is added for the sake of minus zero.
    return [round(n * step, digits) + 0.0 for n in range(first, math.floor(high / step + 1e-9) + 1)]


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


def symbol(shape: str, css: str, x: float, y: float, title: str, *, size: float = 5.5) -> str:
    """A ``disc``, a ``triangle`` or a ``square`` of about the same weight, with classes of the style sheet."""
    look = f'class="{escape(css)} mark"'
    note = f"<title>{escape(title)}</title>"
    if shape == "disc":
        return f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="{size:g}">{note}</circle>'
    if shape == "triangle":
        up, side = 1.25 * size, 1.15 * size
        return (
            f'<path {look} d="M{x:.1f} {y - up:.1f}L{x + side:.1f} {y + 0.75 * size:.1f}'
            f'L{x - side:.1f} {y + 0.75 * size:.1f}Z">{note}</path>'
        )
    edge = 0.92 * size
    box = f'x="{x - edge:.1f}" y="{y - edge:.1f}" width="{2 * edge:.1f}" height="{2 * edge:.1f}"'
    return f"<rect {look} {box}>{note}</rect>"


def padded(low: float, high: float, *, share: float = 0.05) -> tuple[float, float]:
    """The range with some room at both ends."""
    room = share * ((high - low) or abs(high) or 1.0)
    return low - room, high + room
