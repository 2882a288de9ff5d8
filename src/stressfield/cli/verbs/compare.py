"""``stressfield compare``: does one campaign fail more often than another, or one strategy find more than another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from stressfield._files.json_text import dump_json
from stressfield.analysis import ExitCode, Summary, compare_properties, compare_searches, same_worlds, summarise
from stressfield.analysis.comparability import check_studies, refusal
from stressfield.analysis.comparison import worse_or_better
from stressfield.analysis.searches import group_name
from stressfield.campaign import find_study, load
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson
from stressfield.errors import InputError
from stressfield.report.terminal import properties_text, searches_text


class CompareCommand(TyperCommand):
    """``--against a b c``, as a shell makes it of ``--against runs/r*``, means ``--against a --against b ...``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Spell it out, then parse as usual."""
        return super().parse_args(ctx, spelled_out(args, "--against"))


COMMAND = CompareCommand


def compare(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders of two campaigns, or of the searches of one strategy."),
    ],
    against: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR...", help="Folders of the searches of another strategy.", show_default=False),
    ] = None,
    json: AsJson = False,
) -> None:
    """Compare two campaigns, property by property. Exits 1 if the second fails significantly more often.

    With --against, compare searches: compare runs/nsga2-* --against runs/random-* shows the final hypervolume of every
    campaign in one box, and the effect size (Vargha and Delaney's A12, Mann-Whitney).
    """
    if against:
        _compare_searches(folders, against, json=json)
    elif len(folders) == 2:
        _compare_properties(*folders, json=json)
    else:
        raise InputError(
            f"Got {len(folders)} campaigns to compare. Wanted two, or searches with --against: "
            "compare runs/nsga2-* --against runs/random-*."
        )


def _compare_searches(folders: list[Path], against: list[Path], *, json: bool) -> None:
    both = [[load(folder) for folder in side] for side in (folders, against)]
    check_studies([(results.folder, find_study(results.plan.study).name) for side in both for results in side])
    names = [group_name(side) for side in both]
    if names[0] == names[1]:
        names = [f"{name} {number}" for name, number in zip(names, ("first", "second"), strict=True)]
    compared = compare_searches(dict(zip(names, both, strict=True)))
    echo(dump_json(asdict(compared)) if json else searches_text(compared))


def _compare_properties(baseline: Path, candidate: Path, *, json: bool) -> None:
    first, second = _summary(baseline), _summary(candidate)
    _guard(first, second, json=json)
    compared, same = compare_properties(first, second), same_worlds(first, second)
    if json:
        echo(dump_json({"same_worlds": same, "properties": [asdict(prop) for prop in compared]}))
    else:
        builds = first.results.plan.build, second.results.plan.build
        paired = "the same worlds, paired" if same else "different worlds"
        echo(f"{baseline} (build {builds[0]}) and {candidate} (build {builds[1]}): {paired}")
        echo(properties_text(compared))
    raise typer.Exit(
        ExitCode.FINDINGS if any(worse_or_better(prop) == "worse" for prop in compared) else ExitCode.CLEAN
    )


def _guard(baseline: Summary, candidate: Summary, *, json: bool) -> None:
    """End here where no test of differences could tell the truth: see :func:`stressfield.analysis.refusal`."""
    refused = refusal(baseline, candidate)
    if refused is None:
        return
    echo(dump_json({"refused": refused.reason, "properties": []}) if json else refused.reason)
    raise typer.Exit(refused.exit_code)


def _summary(folder: Path) -> Summary:
    results = load(folder)
    return summarise(results, find_study(results.plan.study))


def spelled_out(args: Sequence[str], option: str) -> list[str]:
    """The arguments with the option before each of its values."""
    spelled: list[str] = []
    inside = False
    for at, word in enumerate(args):
        if word == option:
            inside = True
            if at + 1 == len(args) or args[at + 1].startswith("-"):
                spelled.append(word)  # without a value: the usual message
        elif word.startswith("-"):
            inside = False
            spelled.append(word)
        else:
            spelled += [option, word] if inside else [word]
    return spelled
