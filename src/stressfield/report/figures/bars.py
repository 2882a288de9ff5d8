"""Small figures of counts and shares: stacked bars, how many repeats failed, a parameter against failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from markupsafe import Markup

from stressfield.analysis.sensitivity import Value, is_numeric
from stressfield.report.figures.plot import svg, text

ROW, BAR, LEFT, WIDTH, RIGHT = 24, 15, 250, 360, 90
GROUP = 14
CLASSES = ("pass", "fail", "open")
_COLUMN, _GAP, _HEIGHT, _TOP = 46, 18, 130, 22
_STRIP_WIDTH, _STRIP_HEIGHT, _STRIP_LEFT, _STRIP_BOTTOM, _STRIP_TOP = 260, 86, 34, 18, 6
_SMALL = ' style="font-size:10px"'
_BINS = 5
DOTS_MAX = 5_000
"""Worlds that are drawn; of more, every second or third one and so on. Means are of all."""
"""The line of a strip plot is the mean of each fifth of the worlds."""
_CATEGORIES_MAX = 8


@dataclass(frozen=True, slots=True)
class Bar:
    """One row. ``counts`` are drawn green, red and grey; rows of another ``group`` stand a little apart."""

    label: str
    counts: tuple[int, int, int]
    group: str = ""


def stacked_bars(bars: Sequence[Bar], *, words: tuple[str, str, str], title: str) -> Markup:
    """Of all runs, in how many something held, did not hold, or could not be said; ``words`` name the three."""
    longest = max((sum(bar.counts) for bar in bars), default=1) or 1
    breaks = sum(a.group != b.group for a, b in pairwise(bars))
    parts = []
    x = LEFT
    for kind, word in zip(CLASSES, words, strict=True):
        parts.append(f'<rect class="{kind}" x="{x}" y="4" width="11" height="11" rx="2"/>{text(x + 16, 14, word)}')
        x += 30 + 7 * len(word)
    y, group = 30, bars[0].group if bars else ""
    for bar in bars:
        if bar.group != group:
            y, group = y + GROUP, bar.group
        parts.append(text(LEFT - 8, y + 12, bar.label, anchor="end", css="value"))
        x_left = float(LEFT)
        for kind, count in zip(CLASSES, bar.counts, strict=True):
            width = WIDTH * count / longest
            if count:
                parts.append(f'<rect class="{kind}" x="{x_left:.1f}" y="{y}" width="{width:.1f}" height="{BAR}"/>')
            x_left += width
        parts.append(text(x_left + 6, y + 12, f"{bar.counts[0]} of {sum(bar.counts)}"))
        y += ROW
    spoken = "; ".join(f"{bar.label}: {_said(bar.counts, words)}" for bar in bars)
    return svg(LEFT + WIDTH + RIGHT, 30 + len(bars) * ROW + breaks * GROUP + 8, f"{title}. {spoken}", parts)


def _said(counts: tuple[int, int, int], words: tuple[str, str, str]) -> str:
    return ", ".join(f"{count} {word}" for count, word in zip(counts, words, strict=True))


def repeat_histogram(counts: Sequence[int]) -> Markup:
    """``counts[k]`` worlds failed in k repeats: never green, always red, sometimes amber."""
    width = len(counts) * (_COLUMN + _GAP) + _GAP
    base, most = _TOP + _HEIGHT, max([*counts, 1])
    parts = [f'<line class="axis" x1="0" x2="{width}" y1="{base}" y2="{base}"/>']
    for k, count in enumerate(counts):
        x, height = _GAP + k * (_COLUMN + _GAP), _HEIGHT * count / most
        middle, top = x + _COLUMN / 2, base - height
        kind = "pass" if k == 0 else "fail" if k == len(counts) - 1 else "mixed"
        parts.append(
            f'<rect class="{kind}" x="{x}" y="{top:.1f}" width="{_COLUMN}" height="{height:.1f}" rx="3"/>'
            + text(middle, top - 6, str(count), anchor="middle", css="value")
            + text(middle, base + 16, str(k), anchor="middle")
        )
    parts.append(text(width / 2, base + 34, f"failing repeats of {len(counts) - 1}", anchor="middle"))
    told = ", ".join(f"{k}: {n}" for k, n in enumerate(counts))
    return svg(width, base + 40, f"Worlds by number of failing repeats: {told}", parts)


def strip_plot(values: Sequence[Value], shares: Sequence[float]) -> Markup:
    """Numbers: a dot per world and the mean over fifths of the worlds. Words and yes/no: a bar per value."""
    frame = []
    for share, words in ((0.0, "0 %"), (1.0, "100 %")):
        y = _strip_y(share)
        frame.append(
            f'<line class="axis" x1="{_STRIP_LEFT}" x2="{_STRIP_WIDTH - 4}" y1="{y:.1f}" y2="{y:.1f}"/>'
            + text(_STRIP_LEFT - 4, y + 4, words, anchor="end", extra=_SMALL)
        )
    body = _dots(values, shares) if is_numeric(values) else _bars(values, shares)
    return svg(_STRIP_WIDTH, _STRIP_HEIGHT, "Share of failing runs by parameter value", [*frame, *body])


def _strip_y(share: float) -> float:
    return _STRIP_HEIGHT - _STRIP_BOTTOM - share * (_STRIP_HEIGHT - _STRIP_BOTTOM - _STRIP_TOP)


def _dots(values: Sequence[Value], shares: Sequence[float]) -> list[str]:
    numbers, fails = np.array([float(value) for value in values]), np.array(shares)
    low, high = float(numbers.min()), float(numbers.max())
    span = (high - low) or 1.0
    inner = _STRIP_WIDTH - 10 - _STRIP_LEFT - 6

    def x(number: float) -> float:
        return _STRIP_LEFT + 6 + (number - low) / span * inner

    parts = [
        f'<circle class="dot" cx="{x(number):.1f}" cy="{_strip_y(share):.1f}" r="2.6"/>'
        for number, share in list(zip(numbers, fails, strict=True))[:: -(-len(numbers) // DOTS_MAX)]
    ]
    order = np.argsort(numbers, kind="stable")
    if len(numbers) >= 2 * _BINS:
        means = [(float(numbers[part].mean()), float(fails[part].mean())) for part in np.array_split(order, _BINS)]
        points = " ".join(f"{x(number):.1f},{_strip_y(share):.1f}" for number, share in means)
        parts.append(f'<polyline class="trend" points="{points}"/>')
    for number, anchor, place in ((low, "start", _STRIP_LEFT), (high, "end", _STRIP_WIDTH - 4)):
        parts.append(text(place, _STRIP_HEIGHT - 4, f"{number:.3g}", anchor=anchor, extra=_SMALL))
    return parts


def _bars(values: Sequence[Value], shares: Sequence[float]) -> list[str]:
    names = sorted({str(value) for value in values})[:_CATEGORIES_MAX]
    step = (_STRIP_WIDTH - _STRIP_LEFT - 8) / max(1, len(names))
    parts = []
    for place, name in enumerate(names):
        mean = float(np.mean([share for value, share in zip(values, shares, strict=True) if str(value) == name]))
        x, bar, top = _STRIP_LEFT + 6 + place * step, min(34.0, step * 0.7), _strip_y(mean)
        word = name.lower() if name in {"True", "False"} else name
        tall = _strip_y(0) - top
        parts.append(
            f'<rect class="fail" x="{x:.1f}" y="{top:.1f}" width="{bar:.1f}" height="{tall:.1f}" rx="2"/>'
            + text(x + bar + 4, top + 4, f"{100 * mean:.0f} %", extra=_SMALL)
            + text(x, _STRIP_HEIGHT - 4, word[:14], extra=_SMALL)
        )
    return parts
