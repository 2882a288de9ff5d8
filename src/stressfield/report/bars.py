"""Stacked bars: of all runs, in how many something held, did not hold, or could not be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import escape

ROW, BAR, LEFT, WIDTH, RIGHT = 24, 15, 250, 360, 90
GROUP = 14
CLASSES = ("pass", "fail", "open")


@dataclass(frozen=True, slots=True)
class Bar:
    """One row. ``counts`` are drawn green, red and grey; rows of another ``group`` stand a little apart."""

    label: str
    counts: tuple[int, int, int]
    group: str = ""


def stacked_bars(bars: Sequence[Bar], *, words: tuple[str, str, str], title: str) -> str:
    """An SVG figure; ``words`` say what the three colours mean."""
    longest = max((sum(bar.counts) for bar in bars), default=1) or 1
    breaks = sum(a.group != b.group for a, b in pairwise(bars))
    height = 30 + len(bars) * ROW + breaks * GROUP + 8
    spoken = "; ".join(f"{bar.label}: {_said(bar.counts, words)}" for bar in bars)
    across = LEFT + WIDTH + RIGHT
    said = f"{escape(title)}. {escape(spoken)}"
    parts = [f'<svg class="figure" viewBox="0 0 {across} {height}" width="{across}" role="img" aria-label="{said}">']
    x = LEFT
    for kind, word in zip(CLASSES, words, strict=True):
        parts.append(f'<rect class="{kind}" x="{x}" y="4" width="11" height="11" rx="2"/>')
        parts.append(f'<text x="{x + 16}" y="14">{escape(word)}</text>')
        x += 30 + 7 * len(word)
    y, group = 30, bars[0].group if bars else ""
    for bar in bars:
        if bar.group != group:
            y, group = y + GROUP, bar.group
        parts.append(f'<text class="value" x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(bar.label)}</text>')
        x_left = float(LEFT)
        for kind, count in zip(CLASSES, bar.counts, strict=True):
            width = WIDTH * count / longest
            if count:
                parts.append(f'<rect class="{kind}" x="{x_left:.1f}" y="{y}" width="{width:.1f}" height="{BAR}"/>')
            x_left += width
        parts.append(f'<text x="{x_left + 6:.1f}" y="{y + 12}">{bar.counts[0]} of {sum(bar.counts)}</text>')
        y += ROW
    return "".join([*parts, "</svg>"])


def _said(counts: tuple[int, int, int], words: tuple[str, str, str]) -> str:
    return ", ".join(f"{count} {word}" for count, word in zip(counts, words, strict=True))
