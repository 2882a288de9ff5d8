"""Published figures beside our own. Counts out of different totals are compared as shares, with the counts told."""

from __future__ import annotations

from dataclasses import dataclass

POINTS = "points"
"""The unit of a difference between two shares in percent."""
_ROUNDING = 1e-9
"""What is below a billionth of its unit is nothing but rounding."""


@dataclass(frozen=True, slots=True)
class SideBySideRow:
    """One figure, as published and as measured here; None where there is none.

    A count has the totals that it is out of (``published_of``, ``ours_of``): 192 of 400 runs. If the totals differ, the
    two are compared as shares, because 21 of 36 runs are not fewer failures than 192 of 400.
    """

    label: str
    published: float | None
    ours: float | None
    unit: str = ""
    published_of: int | None = None
    ours_of: int | None = None

    @property
    def as_shares(self) -> bool:
        """Whether both totals are known and differ."""
        return None not in (self.published_of, self.ours_of) and self.published_of != self.ours_of

    @property
    def difference(self) -> float | None:
        """Ours less the published one; in percentage points where shares are compared."""
        if not self.as_shares:
            return None if self.published is None or self.ours is None else self.ours - self.published
        before, after = _share(self.published, self.published_of), _share(self.ours, self.ours_of)
        return None if before is None or after is None else 100.0 * (after - before)

    def texts(self) -> tuple[str, str, str, str]:
        """Label, published, ours, difference: the same words on a terminal, on a page and in Markdown."""
        difference = self.difference
        if self.as_shares:
            published = _counted(self.published, self.published_of)
            ours, unit = _counted(self.ours, self.ours_of), POINTS
        else:
            published, ours, unit = _figure(self.published, self.unit), _figure(self.ours, self.unit), self.unit
            unit = POINTS if unit == "%" else unit
        if difference is None:
            return self.label, published, ours, "-"
        if unit == POINTS:
            return self.label, published, ours, f"{difference:+.1f} {POINTS}"
        return self.label, published, ours, ("+" if difference > _ROUNDING else "") + _figure(difference, unit)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A table of figures under one title; ``source`` says where the published ones come from."""

    title: str
    source: str
    rows: tuple[SideBySideRow, ...]

    def markdown(self) -> str:
        """The table without differences, for documents."""
        lines = [f"| {self.title} | {self.source} | ours |", "| --- | ---: | ---: |"]
        lines += [f"| {label} | {published} | {ours} |" for label, published, ours, _ in map(_texts, self.rows)]
        return "\n".join(lines)


def _texts(row: SideBySideRow) -> tuple[str, str, str, str]:
    return row.texts()


def _share(count: float | None, of: int | None) -> float | None:
    return count / of if count is not None and of else None


def _counted(count: float | None, of: int | None) -> str:
    share = _share(count, of)
    return "-" if count is None or share is None else f"{count:g} of {of} ({100 * share:.1f} %)"


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    if unit and abs(value) < _ROUNDING:
        value = 0.0
    return f"{value:.4g} {unit}".rstrip() if value != int(value) else f"{int(value)} {unit}".rstrip()
