"""Distinct failures: verdicts grouped by property and sub-case, and crashes by what raised where."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import nan

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
    failing = [row for row in rows if row.outcome == FAIL]
    runs = {name: number for number, name in enumerate(dict.fromkeys(row.run_id for row in failing))}
    worlds = {name: number for number, name in enumerate(dict.fromkeys(row.scenario_id for row in failing))}
    groups = Groups()
    for row in sorted(failing, key=lambda row: runs[row.run_id]):
        groups.add(row, at=runs[row.run_id], world=worlds[row.scenario_id], length=len(row.descriptor))
    return groups.findings(severity=severity, conditions=conditions)


@dataclass(slots=True)
class _Group:
    """One distinct failure while verdicts come in: of each run a few bytes, of the clearest one all."""

    example: VerdictRow
    clarity: tuple[bool, float, int, str]
    at: array[int] = field(default_factory=lambda: array("q"))
    margins: array[float] = field(default_factory=lambda: array("d"))
    run_ids: list[str] = field(default_factory=list)
    worlds: array[int] = field(default_factory=lambda: array("q"))


class Groups:
    """Failing verdicts by property and sub-case."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str | None], _Group] = {}

    def add(self, row: VerdictRow, *, at: int, world: int, length: int) -> None:
        """A failing verdict; those of one run come together.

        ``at`` and ``world`` are numbers of its run and of its world, ``length`` is that of the world's descriptor.
        """
        key, clarity = (row.property, row.subcase), _clarity(row, length)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(row, clarity)
        elif clarity < group.clarity:
            group.example, group.clarity = row, clarity
        if group.at and group.at[-1] == at:
            return
        group.at.append(at)
        group.margins.append(nan if row.margin is None else row.margin)
        group.run_ids.append(row.run_id)
        group.worlds.append(world)

    def at(self, property_: str, subcase: str | None) -> array[int]:
        """The numbers of the runs that show it, as they came."""
        return self._groups[property_, subcase].at

    def margins(self, property_: str, subcase: str | None) -> array[float]:
        """Their margins; not a number where there is none."""
        return self._groups[property_, subcase].margins

    def example(self, property_: str, subcase: str | None) -> VerdictRow:
        """The clearest of its verdicts."""
        return self._groups[property_, subcase].example

    def most_frequent(self, most: int) -> list[tuple[str, str | None]]:
        """Those that most runs show; of equally frequent ones the first seen."""
        return sorted(self._groups, key=lambda key: -len(self._groups[key].at))[:most]

    def findings(
        self,
        *,
        severity: Mapping[str, int] | None = None,
        conditions: Mapping[tuple[str, str | None], str] | None = None,
    ) -> tuple[Finding, ...]:
        """See :func:`findings`."""
        ranks, when = severity or {}, conditions or {}
        last = max(ranks.values(), default=0) + 1

        def order(key: tuple[str, str | None]) -> tuple[int, int, str, str]:
            return ranks.get(key[0], last), -len(self._groups[key].at), key[0], key[1] or ""

        return tuple(
            _finding(f"F{number}", self._groups[key], when.get(key))
            for number, key in enumerate(sorted(self._groups, key=order), start=1)
        )


def _finding(name: str, group: _Group, condition: str | None) -> Finding:
    example = group.example
    return Finding(
        id=name,
        property=example.property,
        subcase=example.subcase,
        runs=len(group.at),
        worlds=len(set(group.worlds)),
        worst=example.margin,
        unit=example.unit,
        at_s=example.at_s,
        example_run_id=example.run_id,
        example_descriptor=example.descriptor,
        run_ids=tuple(group.run_ids),
        condition=condition,
        told=example.told,
    )


def _clarity(row: VerdictRow, length: int) -> tuple[bool, float, int, str]:
    """The clearest example has the worst margin; then the shortest descriptor."""
    return row.margin is None, 0.0 if row.margin is None else row.margin, length, row.run_id


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
