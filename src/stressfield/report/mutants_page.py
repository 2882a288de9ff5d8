"""The score of the tests, told: a screen, a page, and data, of faults planted in the robot's code and who sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stressfield._files.plain_text import columns, visible
from stressfield.campaign.command import plan_words
from stressfield.mutation import Fate, MutantResult, Score
from stressfield.report.page import (
    Block,
    Cell,
    Column,
    Entry,
    Heading,
    Page,
    Paragraph,
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
from stressfield.report.words import DASH, command, counted, figure, percent

SURVIVORS_MAX = 12
"""Rows of the one screen."""
KILLERS_MAX = 10
CHANGES_MAX = 3
LEGEND = (
    "*: it matters, a margin or the mission time changed by a tenth and more than other run seeds change it, or a "
    "run's end. **: for the worse."
)
WIDTH = 110
COLOURS = {Fate.KILLED: "pass", Fate.COMPARED: "inconclusive", Fate.UNSEEN: "fail", Fate.EQUIVALENT: "invalid"}


def mutants_screen(score: Score) -> str:
    """One screen: the score, what kills, what survives, and what to type next."""
    head = "\n".join(f" {line}" for line in (_headline(score), *_notes(score)))
    parts = [head, table_terminal(_fates(score))]
    if score.killers:
        parts.append(table_terminal(_killers(score), rows_max=KILLERS_MAX))
    parts.append(table_terminal(_groups(score, "fault"), rows_max=KILLERS_MAX))
    survivors = score.survivors
    if survivors:
        rows = [["", "", "survivor", "", "what changed"]]
        rows += [_survivor(result) for result in survivors[:SURVIVORS_MAX]]
        more = len(survivors) - SURVIVORS_MAX
        text = columns(rows, width=WIDTH) + (f"\n and {more} more" if more > 0 else "")
        parts.append(f"{text}\n {LEGEND}")
        parts.append(f" look at it:  {_show(score, survivors[0])}")
    return "\n\n".join(parts)


def mutant_screen(score: Score, result: MutantResult) -> str:
    """All about one mutant: the fault, what became of it, what changed, and how to look at it."""
    mutant = result.mutant
    matters = {"": "it does not matter", "yes": "it matters"}.get(_matters(result), "it matters, for the worse")
    parts = [f" Mutant {mutant.number}, {mutant.operator}: {result.fate}; {matters}", visible(mutant.diff())]
    if result.killers:
        parts.append(" killed by  " + ", ".join(f"{name} in {counted(n, 'run')}" for name, n in result.killers.items()))
    if result.ends:
        parts.append(" ends       " + ", ".join(f"{visible(name)} in {n}" for name, n in result.ends.items()))
    if result.changed_runs:
        parts.append(f" {result.changed_runs} of {counted(result.runs, 'run')} differ.")
        rows = [["mean over the worlds", "before", "after", "change"]] if result.changes else []
        rows += [
            [change.name, figure(change.before, change.unit), figure(change.after, change.unit), _percent(change.share)]
            for change in result.changes
        ]
        parts.append(columns(rows, right=(1, 2, 3)))
    lines = [f" compare:  {command('stressfield', 'compare', f'{score.folder}/unmutated', _folder(score, result))}"]
    if result.example:
        lines.append(f" replay:   {command('stressfield', 'replay', _folder(score, result), result.example)}")
    parts.append("\n".join(lines))
    return "\n\n".join(parts)


def mutants_page(score: Score) -> Page:
    """The same as a page, with every mutant."""
    plan = score.plan
    size = f"{counted(plan.worlds, plan.noun)}, {counted(plan.repeats, 'run')} each"
    return Page(
        title=f"How good are the tests of {score.study}?",
        kicker=("Study ", Words(score.study, "strong"), " · build ", Words(plan.build, "strong"), f" · {size}"),
        headline=_headline(score),
        command=_again(score),
        folder=score.folder,
        sections=(
            Section(name="score", title="Score", lead=" ".join(_notes(score)), blocks=_score(score)),
            Section(name="killers", title="Who kills", blocks=_tables(score)),
            Section(
                name="survivors",
                title="Survivors",
                lead="Changed, and neither a verdict nor the comparison says so; those that matter are first. "
                "Each is a property, a margin or a world that the tests lack.",
                blocks=_survivors(score),
            ),
            Section(name="mutants", title="All mutants", blocks=[_everything(score)]),
        ),
    )


def mutants_data(score: Score) -> dict[str, Any]:
    """The same as plain data, for other programs."""
    return {
        "study": score.study,
        "build": score.plan.build,
        "seed": score.seed,
        "worlds": score.plan.worlds,
        "repeats": score.plan.repeats,
        "places": score.places,
        "left_out_runs": score.left_out,
        "mutants": len(score.results),
        "meaningful": len(score.meaningful),
        "changed_by_a_tenth": len(score.large),
        "changed_by_a_tenth_seen_by_verdict": score.large_by_verdict,
        "changed_by_a_tenth_seen_by_verdict_or_comparison": score.large_by_both,
        "seen_by_verdict": score.by_verdict,
        "seen_by_verdict_or_comparison": score.by_both,
        "harmful": len(score.harmful),
        "harmful_seen_by_verdict": score.harmful_by_verdict,
        "harmful_seen_by_verdict_or_comparison": score.harmful_by_both,
        "fates": {fate.value: sum(result.fate is fate for result in score.results) for fate in Fate},
        "false_alarms": {
            "runs": score.alarms.runs,
            "failed": score.alarms.failed,
            "campaigns": score.alarms.campaigns,
            "worse": score.alarms.worse,
        },
        "killers": [{"name": k.name, "mutants": k.mutants, "alone": k.alone} for k in score.killers],
        "results": [_row(result) for result in score.results],
    }


def _row(result: MutantResult) -> dict[str, Any]:
    mutant = result.mutant
    return {
        "number": mutant.number,
        "file": mutant.path,
        "line": mutant.line,
        "operator": mutant.operator,
        "was": mutant.was,
        "now": mutant.now,
        "fate": result.fate.value,
        "meaningful": result.meaningful,
        "harmful": result.harmful,
        "seen_by_comparison": result.compared,
        "killers": result.killers,
        "ends": result.ends,
        "changed_runs": result.changed_runs,
        "runs": result.runs,
        "example_run": result.example or None,
        "changes": [
            {"name": c.name, "unit": c.unit, "before": c.before, "after": c.after, "share": c.share}
            for c in result.changes
        ],
    }


def _headline(score: Score) -> str:
    matter = len(score.meaningful)
    said = f"{counted(len(score.results), 'mutant')}, {matter} of them matter"
    if not matter:
        return f"{said}: there is no score."
    return f"{said}: verdicts see {_of(score.by_verdict, matter)}, with the comparison {_of(score.by_both, matter)}."


def _literally(score: Score) -> str:
    """The same count without regard to chance."""
    matter, large = len(score.meaningful), len(score.large)
    if matter == large:
        return "None of them changed only as much as other run seeds change the unmutated build."
    both = [_of(share, large) for share in (score.large_by_verdict, score.large_by_both)]
    return (
        f"{large} changed by a tenth or ended otherwise, {large - matter} of them no more than other run seeds make "
        f"the unmutated build change. Of all {large}, verdicts see {both[0]}, with the comparison {both[1]}."
    )


def _of(share: float | None, total: int) -> str:
    return DASH if share is None else f"{round(share * total)} ({percent(share)})"


def _notes(score: Score) -> list[str]:
    """How far the score can be trusted."""
    found, runs = score.alarms, score.plan.worlds * score.plan.repeats
    notes = [_literally(score)] if score.large else []
    notes += [
        f"False alarms with other run seeds: {found.failed} of {counted(found.runs, 'run')} fail where the unmutated "
        f"build passed, {found.worse} of {counted(found.campaigns, 'campaign')} are called worse."
        if found.campaigns
        else "False alarms were not counted (no controls)."
    ]
    if score.left_out:
        notes.append(
            f"The unmutated build fails {score.left_out} of {counted(runs, 'run')}: "
            "what verdicts say of these does not count."
        )
    return notes


def _fates(score: Score) -> Table:
    rows = []
    for fate in Fate:
        group = [result for result in score.results if result.fate is fate]
        matter, harm = sum(result.meaningful for result in group), sum(result.harmful for result in group)
        rows.append([fate.value, str(len(group)), str(matter), str(harm)])
    numbers = [Column(title, number=True) for title in ("mutants", "that matter", "for the worse")]
    return Table("", ("", *numbers), rows)


def _killers(score: Score) -> Table:
    rows = [[killer.name, str(killer.mutants), str(killer.alone)] for killer in score.killers]
    heads = ("killed by", Column("mutants", number=True), Column("by it alone", number=True))
    return Table("", heads, rows)


def _groups(score: Score, what: str) -> Table:
    groups = score.groups(lambda mutant: mutant.operator if what == "fault" else Path(mutant.path).name)
    rows = [
        [group.name, str(len(group.results)), str(group.meaningful), str(group.killed), str(group.seen)]
        for group in groups
    ]
    numbers = [Column(title, number=True) for title in ("mutants", "that matter", "by verdict", "or comparison")]
    return Table("", (what, *numbers), rows)


def _score(score: Score) -> list[Block]:
    counts = {fate: sum(result.fate is fate for result in score.results) for fate in Fate}
    total = max(1, len(score.results))
    return [
        Tiles(
            (
                Tile(percent(score.by_verdict), "of the mutants that matter are killed by a verdict"),
                Tile(percent(score.by_both), "are seen by a verdict or by the comparison"),
                Tile(str(len(score.meaningful)), f"of {len(score.results)} mutants matter"),
                Tile(str(score.places), "places of the robot's code could have a fault"),
            )
        ),
        Shares(
            tuple(
                Part(kind=COLOURS[fate], words=fate.value, count=count, share=count / total)
                for fate, count in counts.items()
            )
        ),
        Points(
            (
                "A mutant is the robot software with one fault planted in its own code. Nothing else is changed.",
                "It runs in the same worlds, with the same seeds, as the unmutated build.",
                "Killed by verdict: a run fails, crashes or hangs that passes unmutated.",
                "Seen by comparison: 'stressfield compare' calls it worse beyond noise.",
                "It matters: a margin or the mission time changes by a tenth and beyond all controls, or a run's end.",
                "Equivalent: every recording is the same, bit for bit.",
            )
        ),
    ]


def _tables(score: Score) -> list[Block]:
    blocks: list[Block] = [Heading("By property"), _killers(score)] if score.killers else []
    return [*blocks, Heading("By kind of fault"), _groups(score, "fault"), Heading("By file"), _groups(score, "file")]


def _survivors(score: Score) -> list[Block]:
    if not score.survivors:
        return [Paragraph("None.")]
    rows: list[list[Cell]] = []
    for result in score.survivors:
        mutant = result.mutant
        rows.append(
            [
                Entry(str(mutant.number), sort=mutant.number),
                _matters(result),
                Words(mutant.place, "code"),
                mutant.operator,
                Words(mutant.words, "code"),
                _changed(result),
                Words(_show(score, result), "command"),
            ]
        )
    heads = (
        Column("", number=True),
        "matters",
        "where",
        "fault",
        "instead",
        "what changed",
        Column("look", fixed=True),
    )
    return [Table("", heads, rows)]


def _everything(score: Score) -> Table:
    rows: list[list[Cell]] = []
    for result in score.results:
        mutant = result.mutant
        killers = ", ".join(f"{name} ({count})" for name, count in result.killers.items())
        rows.append(
            [
                Entry(str(mutant.number), sort=mutant.number),
                result.fate.value,
                _matters(result),
                Words(mutant.place, "code"),
                mutant.operator,
                Words(mutant.words, "code"),
                killers or DASH,
                _changed(result) or DASH,
            ]
        )
    heads = (
        Column("", number=True),
        "fate",
        "matters",
        "where",
        "fault",
        "instead",
        "killed by (runs)",
        "what changed",
    )
    return Table("", heads, rows, tall=True)


def _survivor(result: MutantResult) -> list[str]:
    mutant, mark = result.mutant, "**" if result.harmful else "*" if result.meaningful else ""
    return [mark, str(mutant.number), mutant.place, f"{mutant.operator}: {visible(mutant.words)}", _changed(result)]


def _matters(result: MutantResult) -> str:
    return "for the worse" if result.harmful else "yes" if result.meaningful else ""


def _changed(result: MutantResult) -> str:
    ends = [f"{name} in {count}" for name, count in result.ends.items()]
    most = [change for change in result.changes if change.matters] or list(result.changes[:1])
    shares = [f"{change.name} {_percent(change.share)}" for change in most[:CHANGES_MAX]]
    return ", ".join((*ends, *shares)) if result.changed_runs else ""


def _percent(share: float) -> str:
    return f"{100 * share:+.0f} %" if abs(share) >= 0.01 or not share else f"{100 * share:+.1g} %"


def _show(score: Score, result: MutantResult) -> str:
    return f"{_again(score)} --show {result.mutant.number}"


def _folder(score: Score, result: MutantResult) -> str:
    return f"{score.folder}/{result.mutant.name}"


def _again(score: Score) -> str:
    sizes = {"mutants": len(score.results), "worlds": score.plan.worlds, "controls": score.alarms.campaigns}
    words = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    return command("stressfield", "mutants", score.plan.study, *words, *plan_words(score.plan), "--out", score.folder)
