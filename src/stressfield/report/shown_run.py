"""One run with all that is told about it beside its picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stressfield.fuzz.explanation import explain_operation
from stressfield.oracle import Outcome, Property, Verdict
from stressfield.report.facts import Facts
from stressfield.report.figures.tracks import Mark, explanation_of, marks_of
from stressfield.report.tally import KINDS, ending_of
from stressfield.report.words import DASH, case_name, command, counted, figure, seconds, sentence
from stressfield.run import JudgedRun

TIMES_MAX = 4


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """One verdict of a run as it is shown."""

    name: str
    title: str
    outcome: str
    case: str
    margin: str
    times: str
    note: str


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run. ``why_blank`` says why there is no picture."""

    id: str
    world: int
    repeat: int
    ending: str
    status: str
    simulated: str
    marks: tuple[Mark, ...]
    descriptor: str
    parameters: tuple[tuple[str, str], ...]
    trouble: str
    command: str
    verdicts: tuple[VerdictLine, ...]
    disturbances: tuple[str, ...]
    why_blank: str


def shown_run(facts: Facts, judged: JudgedRun, *, folder: str, why_blank: str = "") -> ShownRun:
    """Collect what is told of a run."""
    run = judged.run
    scenario = facts.scenarios.get(run.scenario_id)
    properties = {one.name: one for one in facts.study.oracle.properties}
    return ShownRun(
        id=run.id,
        world=scenario.index if scenario else -1,
        repeat=run.repeat,
        ending=KINDS[ending_of(run)],
        status=run.status.value,
        simulated=seconds(run.simulated_s),
        marks=marks_of(judged.verdicts, properties),
        descriptor=scenario.descriptor if scenario else "",
        parameters=tuple((path, _value(value)) for path, value in facts.parameters.get(run.scenario_id, {}).items()),
        trouble=run.trouble,
        command=command("stressfield", "replay", folder, run.id),
        verdicts=verdict_lines(judged.verdicts, properties),
        disturbances=tuple(map(explain_operation, scenario.disturbances)) if scenario else (),
        why_blank=why_blank,
    )


def verdict_lines(verdicts: tuple[Verdict, ...], properties: Mapping[str, Property]) -> tuple[VerdictLine, ...]:
    """Failing ones first."""
    order = {Outcome.FAIL: 0, Outcome.INCONCLUSIVE: 1, Outcome.PASS: 2}
    ranked = sorted(verdicts, key=lambda verdict: order[verdict.outcome])
    return tuple(_line(verdict, properties.get(verdict.property)) for verdict in ranked)


def _line(verdict: Verdict, prop: Property | None) -> VerdictLine:
    spans = [f"{v.start_s:.1f}{DASH}{v.end_s:.1f} s" for v in verdict.violations[:TIMES_MAX]]
    if len(verdict.violations) > TIMES_MAX:
        spans.append(f"and {counted(len(verdict.violations) - TIMES_MAX, 'more interval')}")
    explanation = explanation_of(prop, verdict.subcase)
    case = case_name(verdict.property, verdict.subcase) if verdict.subcase else ""
    return VerdictLine(
        name=verdict.property,
        title=sentence(prop.title) if prop else "",
        outcome=verdict.outcome.value,
        case=f"{case} {explanation}".strip(),
        margin=figure(verdict.margin, verdict.unit)
        + (f" at {seconds(verdict.at_s)}" if verdict.at_s is not None else ""),
        times=", ".join(spans),
        note=verdict.note,
    )


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value) if isinstance(value, int | float) else str(value)
