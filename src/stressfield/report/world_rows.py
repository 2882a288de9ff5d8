"""One row per world: its descriptor and a dot per repeat."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.report.disturbances import brief
from stressfield.report.facts import Facts
from stressfield.report.tally import KINDS, ending_of
from stressfield.report.words import DASH, TIMES

GLYPHS = {"pass": "", "fail": TIMES, "inconclusive": "?", "crash": "!", "invalid": DASH}


@dataclass(frozen=True, slots=True)
class Dot:
    """One run; ``link`` when the page shows it."""

    run: str
    kind: str
    glyph: str
    words: str
    link: bool


@dataclass(frozen=True, slots=True)
class WorldRow:
    """One world."""

    index: int
    id: str
    descriptor: str
    fails: int
    dots: tuple[Dot, ...]
    cases: str
    disturbances: tuple[str, ...]


def world_rows(facts: Facts, shown: frozenset[str]) -> tuple[WorldRow, ...]:
    """In the order of the plan."""
    cases: dict[str, list[str]] = {}
    for finding in facts.findings:
        for scenario_id in {facts.runs[run_id].run.scenario_id for run_id in finding.run_ids}:
            cases.setdefault(scenario_id, []).append(finding.id)
    rows = []
    for scenario in facts.scenarios.values():
        dots = []
        for judged in facts.in_world(scenario.id):
            kind = ending_of(judged.run)
            words = f"Repeat {judged.run.repeat}: {KINDS[kind]} (run {judged.run.id})"
            dots.append(Dot(judged.run.id, kind, GLYPHS[kind], words, judged.run.id in shown))
        fails = sum(dot.kind == "fail" for dot in dots)
        rows.append(
            WorldRow(
                scenario.index,
                scenario.id,
                scenario.descriptor,
                fails,
                tuple(dots),
                " ".join(cases.get(scenario.id, [])),
                tuple(map(brief, scenario.disturbances)),
            )
        )
    return tuple(rows)
