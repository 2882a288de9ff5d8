"""A small bar chart: how many worlds failed in how many of their repeats."""

from __future__ import annotations

from collections.abc import Sequence

_BAR, _GAP, _HEIGHT, _TOP = 46, 18, 130, 22


def repeat_histogram(counts: Sequence[int]) -> str:
    """``counts[k]`` worlds failed in k repeats: never green, always red, sometimes amber."""
    width = len(counts) * (_BAR + _GAP) + _GAP
    most = max([*counts, 1])
    parts = [
        (
            f'<svg class="figure" viewBox="0 0 {width} {_TOP + _HEIGHT + 40}" width="{width}" role="img" '
            f'aria-label="Worlds by number of failing repeats: {", ".join(f"{k}: {n}" for k, n in enumerate(counts))}">'
        ),
        f'<line class="axis" x1="0" x2="{width}" y1="{_TOP + _HEIGHT}" y2="{_TOP + _HEIGHT}"/>',
    ]
    for k, count in enumerate(counts):
        x, height = _GAP + k * (_BAR + _GAP), _HEIGHT * count / most
        middle, top = x + _BAR / 2, _TOP + _HEIGHT - height
        kind = "pass" if k == 0 else "fail" if k == len(counts) - 1 else "mixed"
        parts.append(
            f'<rect class="{kind}" x="{x}" y="{top:.1f}" width="{_BAR}" height="{height:.1f}" rx="3"/>'
            f'<text class="value" x="{middle}" y="{top - 6:.1f}" text-anchor="middle">{count}</text>'
            f'<text x="{middle}" y="{_TOP + _HEIGHT + 16}" text-anchor="middle">{k}</text>'
        )
    caption = f'x="{width / 2}" y="{_TOP + _HEIGHT + 34}" text-anchor="middle"'
    return "".join([*parts, f"<text {caption}>failing repeats of {len(counts) - 1}</text></svg>"])
