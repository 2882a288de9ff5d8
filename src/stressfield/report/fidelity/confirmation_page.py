"""What a climb of the ladder says: one screen, a page, JSON and JUnit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree as ET

from stressfield.ladder import Confirmation, FindingCall, LadderGate, RungCall, WorldCall
from stressfield.ladder.confirmation import Estimate
from stressfield.report.junit import clean, file_text
from stressfield.report.page import (
    Block,
    Cell,
    Column,
    Entry,
    Page,
    Pairs,
    Part,
    Points,
    Section,
    Shares,
    Table,
    Tile,
    Tiles,
    Words,
)
from stressfield.report.text import table_terminal
from stressfield.report.words import DASH, command, counted

COLOURS = {
    RungCall.CONFIRMED: "fail",
    RungCall.ONLY_ABOVE: "inconclusive",
    RungCall.ONLY_BELOW: "pass",
    RungCall.UNDECIDED: "invalid",
}
MEANING = {
    RungCall.CONFIRMED: "it shows on both rungs",
    RungCall.ONLY_BELOW: "it shows below and not above: perhaps an artefact of the lower simulator",
    RungCall.ONLY_ABOVE: "it shows above and not below: the lower simulator misses it",
    RungCall.UNDECIDED: "the repeats leave it open",
}
FRESH = (
    "Both rungs are run anew with run seeds that the campaign did not use: a world that fails now and then was picked "
    "for the times it did, and would seem to fail less the second time on any rung."
)
COUNTING = (
    "Precision and recall count worlds; one that is left open counts with the share of its runs that fail. Recall "
    "takes the passing worlds that went up for all passing ones. Intervals are of 95 %."
)
ROWS_MAX = 20
AGREES = "passes on both"


def confirmation_screen(found: Confirmation) -> str:
    """One screen: the calls, how good the lower rung is, what it cost."""
    lines = [_headline(found), *_notes(found)]
    parts = ["\n".join(f" {line}" for line in lines)]
    if found.findings:
        parts.append(table_terminal(_findings(found, commands=False), rows_max=ROWS_MAX))
    parts.append("\n".join(f" {name + ':':<11} {words}" for name, words in _figures(found)))
    if first := next((each for each in found.findings if each.example and each.call is not RungCall.ONLY_BELOW), None):
        parts.append(f" replay:     {_replay(found, first)}")
    return "\n\n".join(parts)


def confirmation_page(found: Confirmation) -> Page:
    """The same as a page, with every world."""
    lower, upper = found.rungs
    plan = found.summary.results.plan
    return Page(
        title=f"What of {found.summary.study} holds in {upper}?",
        kicker=(
            "Study ", Words(found.summary.study, "strong"), " · build ", Words(plan.build, "strong"),
            f" · from {lower} up to {upper}",
        ),
        headline=_headline(found),
        command=confirm_command(found),
        folder=found.summary.results.folder,
        sections=(
            Section(name="calls", title="Calls", lead=" ".join(_notes(found)), blocks=_calls(found)),
            Section(
                name="findings",
                title="Findings",
                lead="Worlds in which each surely shows, below, above and on both; and the runs that show it.",
                blocks=_all_findings(found),
            ),
            Section(
                name="worlds",
                title="Worlds that went up",
                lead="All that fail below and a sample of those that pass. Runs that fail, of those with a verdict.",
                blocks=[_worlds(found)],
            ),
            Section(name="method", title="How it is told", blocks=[Points(_method(found))]),
        ),
    )  # fmt: skip


def confirmation_data(found: Confirmation, *, gate: LadderGate, known: Mapping[str, str]) -> dict[str, Any]:
    """Everything as plain data. Scripts read it: keys stay as they are."""
    return {
        "campaign": found.summary.results.folder,
        "below": {"simulator": found.rungs[0], "folder": found.lower.folder, "runs": found.cost.runs_below},
        "above": {"simulator": found.rungs[1], "folder": found.upper.folder, "runs": found.cost.runs_above},
        "calibration": found.calibration or None,
        "confidence": found.confidence,
        "false_call": found.false_call,
        "gate": gate.value,
        "invalid_runs": found.invalid,
        "counts": {call.value: found.count(call) for call in RungCall},
        "findings": [
            {
                "id": each.name,
                "property": each.property,
                "subcase": each.subcase,
                "call": each.call.value,
                "why": each.why,
                "known": known.get(each.name),
                "gated": gated(each, gate, known),
                "worlds": each.worlds,
                "worlds_below": each.shows_below,
                "worlds_above": each.shows_above,
                "worlds_both": each.shows_both,
                "runs_below": [each.below.shown, each.below.runs],
                "runs_above": [each.above.shown, each.above.runs],
                "example_above": each.example or None,
            }
            for each in found.findings
        ],
        "worlds": [
            {
                "index": world.scenario.index,
                "scenario": world.scenario.id,
                "failed": world.failed,
                "call": None if world.call is None else world.call.value,
                "runs_below": [world.below.shown, world.below.runs],
                "runs_above": [world.above.shown, world.above.runs],
            }
            for world in found.worlds
        ],
        "precision": _estimate_data(found.quality.precision),
        "recall": _estimate_data(found.quality.recall),
        "missed": _estimate_data(found.quality.missed),
        "cost": {**asdict(found.cost), "ladder_s": found.cost.ladder_s},
        "campaign_worlds": {
            "failing": len(found.drawn.failing),
            "passing": len(found.drawn.passing),
            "neither": found.drawn.neither,
        },
    }


def confirmation_junit(found: Confirmation, *, gate: LadderGate, known: Mapping[str, str]) -> str:
    """JUnit XML: a test case for each finding. What the gate counts fails; other findings, and known ones, are skipped.

    Where no run above was judged, that is an error: the ladder says nothing.
    """
    name = f"{found.summary.study}.{found.summary.results.plan.build}.confirm"
    failed = [each for each in found.findings if gated(each, gate, known)]
    errors = 1 if found.nothing_above else 0
    figures = {
        "tests": str(len(found.findings) + errors),
        "failures": str(len(failed)),
        "errors": str(errors),
        "time": f"{found.cost.ladder_s:.3f}",
    }
    root = ET.Element("testsuites", {"name": "stressfield", **figures})
    skipped = str(len(found.findings) - len(failed))
    suite = ET.SubElement(root, "testsuite", {"name": clean(name), **figures, "skipped": skipped})
    for each in found.findings:
        case = ET.SubElement(
            suite, "testcase", {"classname": clean(name), "name": clean(f"{each.name} {each.title()}")}
        )
        message = clean(_told(each, known))
        kind = "failure" if gated(each, gate, known) else "skipped"
        ET.SubElement(case, kind, {"message": message, **({"type": each.call.value} if kind == "failure" else {})})
        if each.example:
            ET.SubElement(case, "system-out").text = clean(_replay(found, each))
    if errors:
        case = ET.SubElement(suite, "testcase", {"classname": clean(name), "name": "above"})
        ET.SubElement(case, "error", {"type": "nothing_judged", "message": clean(_headline(found))})
    return file_text(root)


def gated(each: FindingCall, gate: LadderGate, known: Mapping[str, str]) -> bool:
    """Whether a finding makes the exit code 1."""
    return each.name not in known and gate.counts(each.call)


def confirm_command(found: Confirmation) -> str:
    """What does it again."""
    plan = found.upper.plan
    words = ["stressfield", "confirm", found.summary.results.folder, "--sim", found.rungs[1]]
    drawn = found.drawn
    if len(drawn.failing_up) < len(drawn.failing):
        words += ["--failing", str(len(drawn.failing_up))]
    if found.calibration:
        words += ["--calibration", found.calibration]
    words += ["--passing", str(len(drawn.passing_up)), "--repeats", str(plan.repeats)]
    words += ["--until-sure", f"{found.confidence:g}", "--seed", str(found.seed)]
    return command(*words)


def _headline(found: Confirmation) -> str:
    if found.nothing_above:
        troubles = Counter(judged.run.trouble for judged in found.upper.runs if judged.run.trouble)
        why = f" {troubles.most_common(1)[0][0]}" if troubles else ""
        return f"Nothing was judged in {found.rungs[1]}: the ladder says nothing.{why}"
    if not found.findings:
        return f"Nothing to confirm, and nothing that only {found.rungs[1]} shows."
    calls = [f"{found.count(call)} {call.value}" for call in RungCall if found.count(call)]
    return f"{counted(len(found.findings), 'finding')} in {found.rungs[0]} or {found.rungs[1]}: {', '.join(calls)}."


def _notes(found: Confirmation) -> list[str]:
    drawn = found.drawn
    went = f"{len(drawn.failing_up)} of {counted(len(drawn.failing), 'failing world')} and {len(drawn.passing_up)} of"
    runs = f"{counted(found.cost.runs_below, 'run')} below, {found.cost.runs_above:,} above"
    notes = [f"{went} {len(drawn.passing)} passing went up: {runs}."]
    if found.calibration:
        constants = found.upper.plan.options.items() - found.lower.plan.options.items()
        said = ", ".join(f"{name} {value:.4g}" for name, value in sorted(constants))
        notes.append(
            f"Above with the constants of {found.calibration}: {said or 'those that the campaign has already'}."
        )
    if drawn.neither:
        notes.append(f"{counted(drawn.neither, 'world')} without a verdict stayed below.")
    if found.invalid:
        notes.append(f"{counted(found.invalid, 'run')} of the two rungs were invalid. The same command tries again.")
    return notes


def _figures(found: Confirmation) -> list[tuple[str, str]]:
    quality, cost = found.quality, found.cost
    lower, upper = found.rungs
    told = [
        ("precision", f"{_said(quality.precision)} of the worlds that fail in {lower} fail in {upper}"),
        ("recall", f"{_said(quality.recall)} of the worlds that fail in {upper} fail in {lower}"),
    ]
    spent = f"{cost.campaign_s:.0f} the campaign, {cost.below_s:.0f} below, {cost.above_s:.0f} above"
    told.append(("cost", f"{cost.ladder_s:.0f} s of a core ({spent})"))
    if cost.everything_s is not None and cost.everything_sure_s is not None:
        again = f"its runs once {cost.everything_s:.0f} s, repeated as surely {cost.everything_sure_s:.0f} s"
        told.append(("instead", f"all of the campaign in {upper}: {again}"))
    return told


def _said(estimate: Estimate | None) -> str:
    return "unknown share" if estimate is None else str(estimate)


def _calls(found: Confirmation) -> list[Block]:
    total = max(1, len(found.findings))
    tiles = [Tile(str(found.count(call)), call.value, bad=call is RungCall.CONFIRMED) for call in RungCall]
    shares = [Part(COLOURS[call], call.value, found.count(call), found.count(call) / total) for call in RungCall]
    return [Tiles(tiles), Shares(shares), Pairs([(name, words) for name, words in _figures(found)])]


def _findings(found: Confirmation, *, commands: bool) -> Table:
    rows: list[list[Cell]] = []
    for each in found.findings:
        row: list[Cell] = [
            each.name,
            each.title(),
            each.call.value,
            str(each.worlds),
            str(each.shows_below),
            str(each.shows_above),
            str(each.shows_both),
            str(each.below),
            str(each.above),
        ]
        if commands:
            row += [_what(each, found), Words(each.example, "code") if each.example else DASH]
        else:
            row.append(each.why)
        rows.append(row)
    numbers = [Column(title, number=True) for title in ("worlds", "below", "above", "both", "runs below", "runs above")]
    last = (Column("what"), Column("a run above", fixed=True)) if commands else (Column(""),)
    return Table("", ("", "finding", "call", *numbers, *last), rows)


def _all_findings(found: Confirmation) -> list[Block]:
    if not found.findings:
        return ["None."]
    table: list[Block] = [_findings(found, commands=True)]
    first = next((each for each in found.findings if each.example), None)
    if first is not None:
        table.append(("Look at a run above: ", Words(_replay(found, first), "command")))
    return table


def _what(each: FindingCall, found: Confirmation) -> str:
    prop = found.summary.property_of(each.property)
    title = "" if prop is None else prop.title
    return f"{title}{'; ' if title and each.why else ''}{each.why}"


def _worlds(found: Confirmation) -> Table:
    rows: list[list[Cell]] = [
        [
            Entry(str(world.scenario.index), sort=world.scenario.index),
            "fails" if world.failed else "passes",
            str(world.below),
            str(world.above),
            _call_words(world),
            Words(world.scenario.descriptor, "code"),
        ]
        for world in found.worlds
    ]
    numbers = [Column(title, number=True) for title in ("fail below", "fail above")]
    return Table("", (Column("world", number=True), "in the campaign", *numbers, "call", "descriptor"), rows, tall=True)


def _call_words(world: WorldCall) -> str:
    return AGREES if world.call is None else world.call.value


def _method(found: Confirmation) -> list[str]:
    return [
        *(f"{call.value.capitalize()}: {MEANING[call]}." for call in RungCall),
        FRESH,
        (
            "In each world every failure is a question of its own on each rung, with Wald's sequential test: shown in "
            "at least 80 % of runs, or in at most 20 %. A wrong answer has a chance of at most "
            f"{100 * found.false_call:.1f} % where the share is one of these, less where it is clearer. After "
            f"{found.upper.plan.repeats} runs it is left open."
        ),
        "A run in which the property came to no conclusion counts for neither.",
        COUNTING,
    ]


def _told(each: FindingCall, known: Mapping[str, str]) -> str:
    reason = f"; known: {known[each.name]}" if each.name in known else ""
    why = f" ({each.why})" if each.why else ""
    return (
        f"{each.call.value}{why}: surely in {each.shows_below} worlds below and {each.shows_above} above, shown by "
        f"{each.below} runs below and {each.above} above{reason}"
    )


def _replay(found: Confirmation, each: FindingCall) -> str:
    return command("stressfield", "replay", found.upper.folder, each.example)


def _estimate_data(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else asdict(estimate)
