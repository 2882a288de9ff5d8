"""Distinct failures: verdicts grouped by property and sub-case, and crashes by what raised where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

FAIL = "fail"


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One verdict of one run; ``outcome`` is "pass", "fail" or "inconclusive"."""

    run_id: str
    scenario_id: str
    descriptor: str
    property: str
    subcase: str | None
    outcome: str
    margin: float | None
    unit: str
    at_s: float | None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One distinct failure: the runs that show it, its worst margin, and the run to look at first.

    ``property`` is ``crash`` or ``hang`` where the robot software did that; ``told`` says then what it ended with.

    ``worst`` and ``at_s`` are those of the example, the run with the lowest margin; ``condition`` says when it
    happens ("rows >= 3"), None when nothing stands out.
    """

    id: str
    property: str
    subcase: str | None
    runs: int
    worlds: int
    worst: float | None
    unit: str
    at_s: float | None
    example_run_id: str
    example_descriptor: str
    run_ids: tuple[str, ...]
    condition: str | None = None
    told: str = ""

    def __str__(self) -> str:
        parts = [
            f"{self.id}  {name_of(self.property, self.subcase)}",
            f"{_counted(self.runs, 'run')} in {_counted(self.worlds, 'world')}",
        ]
        if self.worst is not None:
            at = "" if self.at_s is None else f" at {self.at_s:.1f} s"
            parts.append(f"worst {self.worst:.3g} {self.unit}".rstrip() + at)
        if self.condition is not None:
            parts.append(f"when {self.condition}")
        return "   ".join(parts)


def name_of(property_: str, subcase: str | None) -> str:
    """``P5.1``; ``crash: ZeroDivisionError at yard.py:57`` for a sub-case in words."""
    if subcase is None:
        return property_
    return f"{property_}{': ' if ' ' in subcase else '.'}{subcase}"


def findings(
    rows: Iterable[VerdictRow],
    *,
    severity: Mapping[str, int] | None = None,
    conditions: Mapping[tuple[str, str | None], str] | None = None,
) -> tuple[Finding, ...]:
    """Group the failing verdicts; F1 is the gravest.

    ``severity`` ranks properties, 0 the gravest (those not named come last); within a rank, more runs come first.
    ``conditions`` says for a (property, sub-case) when it happens.
    """
    ranks, when = severity or {}, conditions or {}
    groups: dict[tuple[str, str | None], list[VerdictRow]] = {}
    for row in rows:
        if row.outcome == FAIL:
            groups.setdefault((row.property, row.subcase), []).append(row)
    last = max(ranks.values(), default=0) + 1

    def order(key: tuple[str, str | None]) -> tuple[int, int, str, str]:
        return ranks.get(key[0], last), -len({row.run_id for row in groups[key]}), key[0], key[1] or ""

    return tuple(
        _finding(f"F{number}", groups[key], when.get(key))
        for number, key in enumerate(sorted(groups, key=order), start=1)
    )


def _finding(name: str, rows: list[VerdictRow], condition: str | None) -> Finding:
    example = min(rows, key=_clarity)
    run_ids = tuple(dict.fromkeys(row.run_id for row in rows))
    return Finding(
        id=name,
        property=example.property,
        subcase=example.subcase,
        runs=len(run_ids),
        worlds=len({row.scenario_id for row in rows}),
        worst=example.margin,
        unit=example.unit,
        at_s=example.at_s,
        example_run_id=example.run_id,
        example_descriptor=example.descriptor,
        run_ids=run_ids,
        condition=condition,
        told=example.told,
    )


def _clarity(row: VerdictRow) -> tuple[bool, float, int, str]:
    """The clearest example has the worst margin; then the shortest descriptor."""
    return row.margin is None, 0.0 if row.margin is None else row.margin, len(row.descriptor), row.run_id


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
