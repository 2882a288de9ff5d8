"""Every world with its repeats, the failing runs as one can see them, and runs without a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from stressfield.analysis import Finding, WorldSummary
from stressfield.campaign import category
from stressfield.report.figures.tracks import marks_of
from stressfield.report.gallery import Group
from stressfield.report.page import (
    BREAK,
    Block,
    Cell,
    Column,
    Entry,
    Fold,
    Heading,
    Pairs,
    Paragraph,
    Points,
    Replay,
    Rich,
    Section,
    Table,
    Words,
)
from stressfield.report.run.page import verdict_table
from stressfield.report.sections._material import PageMaterial
from stressfield.report.words import DASH, ENDINGS, TIMES, brief, command, figure, seconds
from stressfield.run import JudgedRun

GLYPHS = {"pass": "", "fail": TIMES, "inconclusive": "?", "subject_crash": "!", "hang": "!", "invalid": DASH}
UNJUDGED_MAX = 50
WORLDS_MAX = 5_000
"""Worlds that have a row on the page. Of more, those that fail: a page of a hundred megabytes opens nowhere."""
DECODED_MAX = 8
"""Columns for parameters."""


def worlds_section(material: PageMaterial) -> Section:
    """One row per world, one mark per repeat."""
    noun = material.noun
    tests = noun == "test"
    decoded = _varying(material)
    headers = [
        Column(noun.capitalize(), number=True),
        Column("Repeats"),
        Column("Fails", number=True),
        Column("Findings"),
        *([Column("Disturbances", fixed=True)] if tests else []),
        *(Column(name, number=number) for name, number in decoded.items()),
        Column("Descriptor"),
    ]
    worlds = material.summary.worlds
    shown, title = list(worlds) if len(worlds) <= WORLDS_MAX else _telling(worlds), f"All {noun}s"
    more: list[Block] = []
    if len(shown) < len(worlds):
        title = f"{len(shown):,} of {len(worlds):,} {noun}s"
        told = f"Of {len(worlds):,} {noun}s, the first {len(shown):,} that fail are shown; all are in the ledger: "
        where = command("stressfield", "export", material.folder, "--csv")
        more.append(Paragraph((told, Words(where, "code"), "."), "soft small"))
    return Section(
        name="worlds",
        title=f"{noun.capitalize()}s",
        menu="All tests" if tests else "",
        lead=f"One row per {noun}, one mark per repeat: round green passed, square red failed, amber crashed or hung, "
        "grey undecided. Click a mark to see the run.",
        blocks=[
            Table(title, headers, [_world(material, world, decoded, tests=tests) for world in shown], tall=True),
            *more,
        ],
    )


def _telling(worlds: Sequence[WorldSummary]) -> list[WorldSummary]:
    """Those that fail, or the first ones if none does."""
    failing = list(islice((world for world in worlds if world.failed), WORLDS_MAX))
    return failing or list(worlds[:WORLDS_MAX])


def _varying(material: PageMaterial) -> dict[str, bool]:
    """Parameters that differ between worlds, the most telling first, and whether they are numbers."""
    worlds = material.summary.worlds
    if len(worlds) > WORLDS_MAX:  # 'stressfield export' has them
        return {}
    given = [material.summary.parameters.get(world.scenario_id, {}) for world in worlds]
    telling = [a.path for found in material.summary.associations.values() for a in found]
    names = list(dict.fromkeys([*telling, *(name for each in given for name in each)]))
    varying = [name for name in names if len({each.get(name) for each in given}) > 1][:DECODED_MAX]
    return {
        name: all(isinstance(each.get(name, 0), int | float) and each.get(name) is not None for each in given)
        for name in varying
    }


def _world(
    material: PageMaterial, world: WorldSummary, decoded: Mapping[str, bool], *, tests: bool
) -> tuple[Cell, ...]:
    dots = tuple(_dot(material, *told) for told in zip(world.run_ids, world.repeats, strict=True))
    cells: list[Cell] = [
        str(world.index),
        Entry(dots, sort=world.failed, look="dots"),
        str(world.failed),
        " ".join(world.findings),
    ]
    if tests:
        told = [brief(operation) for operation in material.recordings.scenarios[world.scenario_id].disturbances]
        pieces = [piece for words in told for piece in (f"{words};", BREAK)][:-1]
        pieces[-1:] = told[-1:]
        cells.append(Entry(tuple(pieces) if told else "none", look="small words"))
    parameters = material.summary.parameters.get(world.scenario_id, {})
    cells += [_value(parameters[name]) if name in parameters else DASH for name in decoded]
    return (*cells, Words(world.descriptor, "command"))


def _dot(material: PageMaterial, run_id: str, told: tuple[int, str]) -> Words:
    repeat, kind = told
    note = f"Repeat {repeat}: {ENDINGS.get(kind, kind)} (run {run_id})"
    href = f"#run={run_id}" if material.gallery.shows(run_id) else ""
    return Words(GLYPHS.get(kind, "?"), f"c-{kind}", href, note)


def runs_section(material: PageMaterial) -> Section | None:
    """The clearest failing runs of each finding; None if none failed."""
    failing, shown = material.summary.counts.get("fail", 0) + material.summary.crashed, len(material.gallery.why_blank)
    if not failing:
        return None
    others = f"; the other {failing - shown} can be replayed with their command" if failing > shown else ""
    blocks: list[Block] = []
    for finding, group in zip(material.summary.findings, material.gallery.groups, strict=True):
        blocks.append(_group_title(material, finding, group))
        blocks += [_run(material, material.recordings.runs[run_id]) for run_id in group.runs]
    return Section(
        name="runs",
        title="Failing runs",
        lead=f"Open a run to see it from above and play it. {shown} of {failing} failing runs are on this page, the "
        f"clearest of each finding{others}.",
        blocks=blocks,
    )


def _group_title(material: PageMaterial, finding: Finding, group: Group) -> Heading:
    told = f" · {len(group.runs)} shown here"
    told += f", {group.elsewhere} under other findings" if group.elsewhere else ""
    told += f", {group.hidden} not shown" if group.hidden else ""
    words = f"{material.case(finding)} {material.headline(finding)}"
    return Heading((Words(finding.id, "tag"), words, Words(told, "soft small")), finding.id)


def _run(material: PageMaterial, judged: JudgedRun) -> Fold:
    run = judged.run
    scenario = material.recordings.scenarios.get(run.scenario_id)
    labels = [mark.label for mark in marks_of(judged.verdicts, material.properties)]
    title = (
        Words(f"{material.noun.capitalize()} {scenario.index if scenario else -1}, repeat {run.repeat}", "strong"),
        Words(run.id, "mono soft"),
        Words(" · ".join(labels[:3] + ["\N{HORIZONTAL ELLIPSIS}"] * bool(labels[3:])), "small"),
    )
    why = material.gallery.why_blank[run.id]
    items: list[tuple[str, Rich | Points]] = [("Replay", Words(material.replay(run.id), "command"))]
    if scenario and scenario.disturbances:
        items.append(("Disturbances", Points([operation.words for operation in scenario.disturbances])))
    ending = ENDINGS.get(category(run), category(run))
    by = f"; by {run.ended_by}" if run.ended_by else ""
    items += [
        ("Descriptor", Words(scenario.descriptor if scenario else "", "command")),
        ("Ended", f"{run.status.value} after {seconds(run.simulated_s)} (simulated); {ending}{by}"),
    ]
    if run.trouble:
        items.append(("Trouble", Words(run.trouble, "pre")))
    if run.notes:
        items.append(("Notes", Points(run.notes.splitlines())))
    if run.output and run.output not in run.trouble:
        items.append(("Output", Words(run.output, "pre")))
    if run.crash is not None and run.crash.traceback:
        items.append(("Traceback", Words(run.crash.traceback, "pre")))
    if parameters := material.summary.parameters.get(run.scenario_id, {}):
        items.append(("World", _parameters(parameters)))
    if judged.metrics:
        items.append(("Metrics", _parameters(judged.metrics)))
    return Fold(
        title,
        [
            Paragraph(why, "note") if why else Replay(run.id),
            Pairs(items, "detail"),
            verdict_table(judged.verdicts, material.properties),
        ],
        name=f"run-{run.id}",
    )


def _parameters(parameters: Mapping[str, object]) -> tuple[str | Words, ...]:
    pieces: list[str | Words] = []
    for path, value in parameters.items():
        pieces += [" · "] if pieces else []
        pieces += [Words(path, "soft"), f" {_value(value)}"]
    return tuple(pieces)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return figure(value) if isinstance(value, int | float) else str(value)


def unjudged_section(material: PageMaterial) -> Section | None:
    """Crashes, hangs and trouble of the rig; None if there are none."""
    unjudged = material.summary.troubled
    if not unjudged:
        return None
    scenarios = material.recordings.scenarios
    rows = [
        (
            Entry(judged.run.id, look="mono"),
            str(scenarios[judged.run.scenario_id].index if judged.run.scenario_id in scenarios else -1),
            Entry(ENDINGS.get(category(judged.run), category(judged.run)), look="nowrap"),
            Words(judged.run.told, "pre"),
        )
        for judged in (material.summary.runs[name] for name in unjudged[:UNJUDGED_MAX])
    ]
    left_out = len(unjudged) - UNJUDGED_MAX
    blocks: list[Block] = [
        Table("", ("Run", Column(material.noun.capitalize(), number=True), "Ended", "Trouble"), rows)
    ]
    if left_out > 0:
        more = (f"{left_out} more are in the ledger: ", Words(f"stressfield results {material.folder}", "code"), ".")
        blocks.append(Paragraph(more, "soft small"))
    return Section(
        name="unjudged",
        title="Runs without a verdict",
        menu="No verdict",
        lead="Runs in which the robot software crashed or hung, which are findings, and runs in which the rig itself "
        "had trouble, which say nothing of the robot.",
        blocks=blocks,
    )
