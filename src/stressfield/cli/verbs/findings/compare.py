"""``stressfield compare``: is one campaign worse than another, or does one strategy find more than another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from stressfield._files.json_text import dump_json
from stressfield.analysis import ExitCode, Summary, compare_searches, summarise
from stressfield.analysis import compare as compare_campaigns
from stressfield.analysis.comparison import ALPHA, EFFECT
from stressfield.analysis.searches import group_name
from stressfield.analysis.sides import check_studies, refusal
from stressfield.campaign import load
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson, Details
from stressfield.errors import InputError
from stressfield.report.comparison import comparison_text, searches_text


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
    alpha: Annotated[float, typer.Option(help="Risk of calling a build worse that is not.")] = ALPHA,
    effect: Annotated[float, typer.Option(help="Least change that counts: 0.05 is five percent.")] = EFFECT,
    details: Details = False,
    json: AsJson = False,
) -> None:
    """Compare two campaigns: outcome, status, time, margins, metrics. Exits 1 if the second is worse beyond noise.

    With --against, compare searches: compare runs/nsga2-* --against runs/random-* shows the final hypervolume of every
    campaign in one box, and the effect size (Vargha and Delaney's A12, Mann-Whitney).
    """
    if against:
        _compare_searches(folders, against, json=json)
    elif len(folders) == 2:
        _compare_campaigns(*folders, alpha=alpha, effect=effect, details=details, json=json)
    else:
        raise InputError(
            f"Got {len(folders)} campaigns to compare. Wanted two, or searches with --against: "
            "compare runs/nsga2-* --against runs/random-*."
        )


def _compare_searches(folders: list[Path], against: list[Path], *, json: bool) -> None:
    both = [[load(folder) for folder in side] for side in (folders, against)]
    check_studies([(results.folder, results.study.name) for side in both for results in side])
    names = [group_name(side) for side in both]
    if names[0] == names[1]:
        names = [f"{name} {number}" for name, number in zip(names, ("first", "second"), strict=True)]
    compared = compare_searches(dict(zip(names, both, strict=True)))
    echo(dump_json(asdict(compared)) if json else searches_text(compared))


def _compare_campaigns(
    baseline: Path, candidate: Path, *, alpha: float, effect: float, details: bool, json: bool
) -> None:
    first, second = _summary(baseline), _summary(candidate)
    _guard(first, second, json=json)
    compared = compare_campaigns(first, second, alpha=alpha, effect=effect)
    if json:
        echo(dump_json({"worse": compared.worse, **asdict(compared)}))
    else:
        echo(comparison_text(compared, first, second, details=details))
    raise typer.Exit(ExitCode.FINDINGS if compared.worse else ExitCode.CLEAN)


def _guard(baseline: Summary, candidate: Summary, *, json: bool) -> None:
    """End here where no test of differences could tell the truth: see :func:`stressfield.analysis.refusal`."""
    refused = refusal(baseline, candidate)
    if refused is None:
        return
    echo(dump_json({"refused": refused.reason, "properties": []}) if json else refused.reason)
    raise typer.Exit(refused.exit_code)


def _summary(folder: Path) -> Summary:
    return summarise(load(folder))


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
