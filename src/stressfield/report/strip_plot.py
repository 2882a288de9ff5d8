"""A small plot of one parameter against the failing share of each world."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from stressfield.analysis.sensitivity import Value, is_numeric

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 260, 86, 34, 18, 6
_BINS = 5
_CATEGORIES_MAX = 8


def strip_plot(values: Sequence[Value], shares: Sequence[float]) -> str:
    """Numbers: a dot per world and the mean over fifths of the worlds. Words and yes/no: a bar per value."""
    body = _dots(values, shares) if is_numeric(values) else _bars(values, shares)
    frame = [
        (
            f'<svg class="figure" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" '
            'aria-label="Share of failing runs by parameter value">'
        )
    ]
    for share, text in ((0.0, "0 %"), (1.0, "100 %")):
        frame.append(
            f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - 4}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>'
            f'<text x="{_LEFT - 4}" y="{_y(share) + 4:.1f}" text-anchor="end" style="font-size:10px">{text}</text>'
        )
    return "".join([*frame, *body, "</svg>"])


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _BOTTOM - _TOP)


def _dots(values: Sequence[Value], shares: Sequence[float]) -> list[str]:
    numbers, fails = np.array([float(value) for value in values]), np.array(shares)
    low, high = float(numbers.min()), float(numbers.max())
    span = (high - low) or 1.0
    inner = _WIDTH - 10 - _LEFT - 6

    def x(number: float) -> float:
        return _LEFT + 6 + (number - low) / span * inner

    parts = [
        f'<circle class="dot" cx="{x(n):.1f}" cy="{_y(s):.1f}" r="2.6"/>' for n, s in zip(numbers, fails, strict=True)
    ]
    order = np.argsort(numbers, kind="stable")
    if len(numbers) >= 2 * _BINS:
        means = [(float(numbers[part].mean()), float(fails[part].mean())) for part in np.array_split(order, _BINS)]
        points = " ".join(f"{x(n):.1f},{_y(s):.1f}" for n, s in means)
        parts.append(f'<polyline class="trend" points="{points}"/>')
    ends = ((low, "start", _LEFT), (high, "end", _WIDTH - 4))
    parts += [
        f'<text x="{place}" y="{_HEIGHT - 4}" text-anchor="{anchor}" style="font-size:10px">{number:.3g}</text>'
        for number, anchor, place in ends
    ]
    return parts


def _bars(values: Sequence[Value], shares: Sequence[float]) -> list[str]:
    names = sorted({str(value) for value in values})[:_CATEGORIES_MAX]
    step = (_WIDTH - _LEFT - 8) / max(1, len(names))
    parts = []
    for i, name in enumerate(names):
        mean = float(np.mean([share for value, share in zip(values, shares, strict=True) if str(value) == name]))
        x, bar = _LEFT + 6 + i * step, min(34.0, step * 0.7)
        tall = _y(0) - _y(mean)
        word = escape(name.lower() if name in {"True", "False"} else name)
        parts.append(
            f'<rect class="fail" x="{x:.1f}" y="{_y(mean):.1f}" width="{bar:.1f}" height="{tall:.1f}" rx="2"/>'
            f'<text x="{x + bar + 4:.1f}" y="{_y(mean) + 4:.1f}" style="font-size:10px">{100 * mean:.0f} %</text>'
            f'<text x="{x:.1f}" y="{_HEIGHT - 4}" style="font-size:10px">{word[:14]}</text>'
        )
    return parts
