"""``stressfield confirm``: the findings of a fast simulator, asked again one rung up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield._files.json_text import dump_json
from stressfield.analysis import ExitCode, summarise
from stressfield.cli.conclusion import check_known_issues, gate_of
from stressfield.cli.echo import echo
from stressfield.cli.options import (
    KEEPING,
    WHAT,
    AgainTimeout,
    AsJson,
    Folder,
    Jobs,
    KnownIssues,
    NoReport,
    Overwrite,
    Seed,
    StudyPlace,
)
from stressfield.cli.progress import Screen
from stressfield.errors import InputError, did_you_mean
from stressfield.ladder import Climb, Confirmation, Ladder, LadderGate
from stressfield.ladder.programme import CONFIDENCE, PASSING, REPEATS
from stressfield.report import page_markdown, write_page
from stressfield.report.fidelity.confirmation_page import (
    confirmation_data,
    confirmation_junit,
    confirmation_page,
    confirmation_screen,
    gated,
)

REPORT, DATA = "report.html", "confirmation.json"


def confirm(
    folder: Folder,
    sim: Annotated[
        str,
        typer.Option("--sim", metavar="NAME", help="The upper rung: another of the study's simulators.",
                     rich_help_panel=WHAT),
    ],
    passing: Annotated[
        int, typer.Option(help="Passing worlds to take up, drawn at random.", rich_help_panel=WHAT)
    ] = PASSING,
    failing: Annotated[
        int | None,
        typer.Option(help="Failing worlds to take up at most, drawn at random. Default: all.", show_default=False,
                     rich_help_panel=WHAT),
    ] = None,
    repeats: Annotated[
        int, typer.Option(help="Runs of each world on each rung, at most.", rich_help_panel=WHAT)
    ] = REPEATS,
    until_sure: Annotated[
        float, typer.Option(metavar="CONFIDENCE", help="How sure each answer must be.", rich_help_panel=WHAT)
    ] = CONFIDENCE,
    calibration: Annotated[
        Path | None,
        typer.Option("--calibration", metavar="FILE", show_default=False, rich_help_panel=WHAT,
                     help="Constants that 'stressfield calibrate' wrote, for the upper rung."),
    ] = None,
    seed: Seed = 0,
    gate: Annotated[
        str,
        typer.Option(help="Which findings make the exit code 1: any, above (what shows there), or confirmed.",
                     rich_help_panel=KEEPING),
    ] = LadderGate.ANY.value,
    known_issues: KnownIssues = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for both rungs and the page. Default: DIR/confirm/NAME (or NAME-calibrated).",
                     show_default=False,
                     rich_help_panel=KEEPING),
    ] = None,
    overwrite: Overwrite = False,
    junit: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write JUnit XML, a test case a finding.", show_default=False,
                     rich_help_panel=KEEPING),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the page as Markdown.", show_default=False,
                     rich_help_panel=KEEPING),
    ] = None,
    no_report: NoReport = False,
    study: StudyPlace = None,
    jobs: Jobs = None,
    run_timeout_s: AgainTimeout = None,
    json: AsJson = False,
) -> None:  # fmt: skip
    """Run failing worlds, and some passing ones, again in another simulator: what of the findings holds there?

    Each finding becomes confirmed, only below, only above or undecided. Stopped and called again, it goes on.
    """
    wanted = _gate(gate)
    check_known_issues(known_issues)
    asked = Climb(simulator=sim, failing=failing, passing=passing, seed=seed, repeats=repeats, confidence=until_sure,
                  calibration=calibration)  # fmt: skip
    programme = Ladder(
        folder, asked, study=study, out=out, jobs=jobs, run_timeout_s=run_timeout_s, overwrite=overwrite,
        display=Screen(),
    )  # fmt: skip
    if not programme.drawn.failing:
        echo(" No finding to confirm: only passing worlds go up, to see what was missed.", err=True)
    try:
        found = programme.run()
    except KeyboardInterrupt:
        echo(" Stopped. What is done is kept: the same command goes on.", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    known = _known(found, known_issues)
    page = confirmation_page(found)
    data = dump_json(confirmation_data(found, gate=wanted, known=known))
    write_file(programme.folder / DATA, data.encode() + b"\n")
    report = None if no_report else write_page(page, programme.folder / REPORT)
    for path, text in ((junit, confirmation_junit(found, gate=wanted, known=known)), (markdown, page_markdown(page))):
        if path is not None:
            make_folder(path.parent)
            write_file(path, text.encode())
    if json:
        echo(data)
    else:
        echo(confirmation_screen(found))
        if report is not None:
            echo(f" report:     {report}")
    raise typer.Exit(_exit_code(found, wanted, known))


def _gate(name: str) -> LadderGate:
    known = [gate.value for gate in LadderGate]
    if name not in known:
        raise InputError(f"Unknown gate {name!r}. There are: {', '.join(known)}.{did_you_mean(name, known)}")
    return LadderGate(name)


def _known(found: Confirmation, path: Path | None) -> dict[str, str]:
    """Why findings are known, by their names here."""
    if path is None:
        return {}
    told = gate_of(found.summary, path).reasons
    upper = gate_of(summarise(found.upper), path)
    elsewhere = {(finding.property, finding.subcase): issue.reason for finding, issue in upper.known}
    for each in found.findings:
        if each.finding is None and (each.property, each.subcase) in elsewhere:
            told[each.name] = elsewhere[each.property, each.subcase]
    return told


def _exit_code(found: Confirmation, gate: LadderGate, known: dict[str, str]) -> ExitCode:
    """What fails the build counts before trouble of the rig; a rung that says nothing is never clean."""
    if any(gated(each, gate, known) for each in found.findings):
        return ExitCode.FINDINGS
    return ExitCode.INFRASTRUCTURE if found.nothing_above or found.invalid else ExitCode.CLEAN
