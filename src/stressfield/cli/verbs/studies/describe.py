"""``stressfield describe``: what a descriptor says."""

from __future__ import annotations

from typing import Annotated

import typer

from stressfield._files.plain_text import columns
from stressfield.cli.echo import echo
from stressfield.cli.options import StudyName
from stressfield.model import flat_values, parameters
from stressfield.plugins import find_study
from stressfield.seeds import generator, seed_of


def describe(
    study: StudyName,
    descriptor: Annotated[str, typer.Argument(help="Descriptor to check and explain.")],
    seed: Annotated[int, typer.Option(help="For parameters that the descriptor leaves open.")] = 0,
) -> None:
    """Check a descriptor and show the parameters it gives; exits 2 and points at the fault if it is not valid."""
    model = find_study(study).model
    model.check_descriptor(descriptor)
    seed_of_world = seed_of(seed, "world", 0)
    genotype = model.create_from_descriptor(descriptor, generator(seed_of_world, "genotype"))
    leaves = {leaf.path: leaf for leaf in parameters(model)}
    rows = [["parameter", "value", "unit", "range"]]
    for path, value in flat_values(genotype).items():
        leaf = leaves.get(path) or leaves.get(path.rpartition(".")[0])
        unit = "" if leaf is None or path.endswith(".len") else leaf.unit
        limits = "" if leaf is None or leaf.path != path else _limits(leaf.low, leaf.high, leaf.values)
        rows.append([path, _text(value), unit, limits])
    echo(columns(rows))
    if genotype.descriptor != descriptor:
        echo(f" The descriptor leaves parameters open; with seed {seed} it gives: {genotype.descriptor}")


def _limits(low: float | None, high: float | None, values: tuple[str, ...]) -> str:
    if values:
        return ", ".join(values)
    return "" if low is None or high is None else f"{low:g} to {high:g}"


def _text(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
