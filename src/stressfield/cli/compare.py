"""``stressfield compare``: does one campaign fail more often than another?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stressfield.cli.options import AsJson
from stressfield.cli.table import columns

if TYPE_CHECKING:
    from stressfield.cli.rates import ComparedProperty

SIGNIFICANT = 0.05


def compare(
    baseline: Annotated[Path, typer.Argument(metavar="DIR1", help="Folder of the first campaign.")],
    candidate: Annotated[Path, typer.Argument(metavar="DIR2", help="Folder of the second campaign.")],
    json: AsJson = False,
) -> None:
    """Compare two campaigns, property by property. Exits 1 if the second fails significantly more often."""
    from dataclasses import asdict  # noqa: PLC0415

    from stressfield.campaign import load  # noqa: PLC0415
    from stressfield.cli.json_text import json_text  # noqa: PLC0415
    from stressfield.cli.rates import compare_properties, same_worlds  # noqa: PLC0415

    first, second = load(baseline), load(candidate)
    compared = compare_properties(first, second)
    if json:
        typer.echo(
            json_text({"same_worlds": same_worlds(first, second), "properties": [asdict(one) for one in compared]})
        )
    else:
        paired = "the same worlds, paired" if same_worlds(first, second) else "different worlds"
        typer.echo(f"{baseline} (build {first.plan.build}) and {candidate} (build {second.plan.build}): {paired}")
        typer.echo(columns(_rows(compared), right=(1, 2, 3, 4)))
        typer.echo(" p-values are two-sided, corrected for the number of properties (Holm).")
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
