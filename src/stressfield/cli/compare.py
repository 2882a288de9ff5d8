"""``stressfield compare``: does one campaign fail more often than another, or one strategy find more than another?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.analysis.searches import COLUMNS, compare_searches, group_name
from stressfield.campaign import load
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson
from stressfield.cli.rates import ComparedProperty, compare_properties, same_worlds
from stressfield.cli.table import columns
from stressfield.cli.variadic import SeveralAtOnce
from stressfield.errors import InputError

SIGNIFICANT = 0.05


class CompareCommand(SeveralAtOnce):
    """Takes ``--against DIR DIR ...``, as a shell makes it of ``--against runs/random-*``."""

    several = "--against"


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
    names = [group_name(side) for side in both]
    if names[0] == names[1]:
        names = [f"{name} {number}" for name, number in zip(names, ("first", "second"), strict=True)]
    compared = compare_searches(dict(zip(names, both, strict=True)))
    if json:
        echo(dump_json(asdict(compared)))
    else:
        echo(columns([COLUMNS, *compared.rows], right=(1, 2, 3, 4, 5)))
        for sentence in compared.sentences:
            echo(f" {sentence}")


def _compare_properties(baseline: Path, candidate: Path, *, json: bool) -> None:
    first, second = load(baseline), load(candidate)
    compared = compare_properties(first, second)
    if json:
        echo(dump_json({"same_worlds": same_worlds(first, second), "properties": [asdict(one) for one in compared]}))
    else:
        paired = "the same worlds, paired" if same_worlds(first, second) else "different worlds"
        echo(f"{baseline} (build {first.plan.build}) and {candidate} (build {second.plan.build}): {paired}")
        echo(columns(_rows(compared), right=(1, 2, 3, 4)))
        echo(" p-values are two-sided, corrected for the number of properties (Holm).")
    raise typer.Exit(1 if any(_word(one) == "worse" for one in compared) else 0)


def _rows(compared: tuple[ComparedProperty, ...]) -> list[list[str]]:
    rows = [["property", "first", "second", "difference", "p", "", "test"]]
    for one in compared:
        test = one.comparison
        shares = [percent(test.baseline.share), percent(test.candidate.share), _signed(test.difference)]
        rows.append([one.property, *shares, f"{one.p_adjusted:.2g}", _word(one), test.method])
    return rows


def _word(one: ComparedProperty) -> str:
    if one.p_adjusted >= SIGNIFICANT or one.comparison.difference is None:
        return ""
    return "worse" if one.comparison.difference > 0 else "better"


def percent(share: float | None) -> str:
    """A share as a person reads it."""
    return "-" if share is None else f"{100 * share:.1f} %"


def _signed(difference: float | None) -> str:
    return "-" if difference is None else f"{100 * difference:+.1f} %"
