"""Published figures beside our own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SideBySideRow:
    """One figure, as published and as measured here; None where there is none."""

    label: str
    published: float | None
    ours: float | None
    unit: str = ""

    @property
    def difference(self) -> float | None:
        """Ours less the published one."""
        return None if self.published is None or self.ours is None else self.ours - self.published


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A table of figures under one title; ``source`` says where the published ones come from."""

    title: str
    source: str
    rows: tuple[SideBySideRow, ...]

    def markdown(self) -> str:
        lines = [f"| {self.title} | {self.source} | ours |", "| --- | ---: | ---: |"]
        for row in self.rows:
            lines.append(f"| {row.label} | {_figure(row.published, row.unit)} | {_figure(row.ours, row.unit)} |")
        return "\n".join(lines)


def _figure(value: float | None, unit: str) -> str:
    return "-" if value is None else f"{value:g} {unit}".rstrip()
