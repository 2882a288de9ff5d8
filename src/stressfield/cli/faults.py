"""``stressfield faults``: is each known issue found?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import write_file
from stressfield._files.json_text import dump_json
from stressfield._files.plain_text import columns
from stressfield.campaign import find_study
from stressfield.cli.echo import echo
from stressfield.cli.fault_experiment import FaultResult, find_faults, run_faults
from stressfield.cli.options import AsJson, Jobs, StudyName
from stressfield.errors import InputError
from stressfield.report.sections.evidence import FAULTS_FILE
from stressfield.report.words import exact_percent

TITLE = "Each known issue alone, against the build without it"
LEGEND = (
    "p: one-sided exact test that the property fails more often with the issue; worlds paired; Holm-corrected over "
    "the properties. revealed: p < 0.05. field, sim: as published."
)


def faults(
    study: StudyName,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the campaigns. Default: runs/STUDY-faults.", show_default=False)
    ] = None,
    worlds: Annotated[int, typer.Option(help="Worlds for each issue.")] = 80,
    repeats: Annotated[int, typer.Option(help="Runs of each world.")] = 2,
    seed: Annotated[int, typer.Option(help="Everything random follows from it.")] = 0,
    baseline: Annotated[
        str | None, typer.Option(help="Build without the issues. Default: fixed, or the first.", show_default=False)
    ] = None,
    only: Annotated[list[str] | None, typer.Option(metavar="ISSUE", help="Only this issue; may be repeated.")] = None,
    keep: Annotated[str, typer.Option(help="Which traces to keep: all, failing or none.")] = "none",
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Switch on each known issue alone and compare with the baseline in the same worlds. Called again, it goes on."""
    found = find_study(study)
    if not found.faults:
        raise InputError(f"The study {found.name!r} lists no known issues. Wanted 'faults' in its Study.")
    folder = out or Path("runs") / f"{found.name}-faults"
    results = run_faults(
        study,
        find_faults(found, only or ()),
        folder,
        baseline=baseline,
        worlds=worlds,
        repeats=repeats,
        seed=seed,
        keep=keep,
        jobs=jobs,
    )
    rows = _rows(results)
    notes = [f"{result.name}: {text}" for result in results for text in _notes(result)]
    if only is None:
        table = {"title": TITLE, "headers": rows[0], "rows": rows[1:], "note": " ".join([LEGEND, *notes])}
        write_file(folder / FAULTS_FILE, dump_json(table).encode())
    if json:
        echo(dump_json([asdict(result) for result in results]))
        return
    echo(columns(rows, right=(7, 8, 9)))
    echo(f" {LEGEND}")
    if notes:
        echo("\n".join(f" {note}" for note in notes))


def _rows(results: tuple[FaultResult, ...]) -> list[list[str]]:
    rows = [["issue", "", "nature", "field", "sim", "revealed", "by", "baseline", "issue on", "p"]]
    for one in results:
        revealed = "yes" if one.revealed else "no"
        differs = bool(one.expected) and not one.as_expected
        figures = [exact_percent(one.baseline_share), exact_percent(one.fault_share), f"{one.p_value:.2g}"]
        published = [one.nature, one.field_tests, one.published]
        by = ", ".join(one.properties) or "-"
        rows.append([one.name, one.title, *published, revealed + (" (!)" if differs else ""), by, *figures])
    return rows


def _notes(result: FaultResult) -> list[str]:
    notes = [result.note] if result.note else []
    if result.expected and not result.as_expected:
        notes.append(f"(!) differs from what is expected here: {result.expected}")
    return notes
