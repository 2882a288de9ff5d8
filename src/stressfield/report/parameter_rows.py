"""Which parameters go with failure, as sentences and small plots."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from stressfield.analysis import Association
from stressfield.model import parameters
from stressfield.report.facts import Facts
from stressfield.report.figures.bars import strip_plot
from stressfield.report.words import p_value, percent

ROWS_MAX = 12


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One parameter as it is shown."""

    path: str
    doc: str
    unit: str
    sentence: str
    effect: str
    effect_value: float
    p: str
    p_value: float
    plot: Markup


def parameter_rows(facts: Facts) -> tuple[tuple[ParameterRow, ...], int]:
    """The most telling parameters, and how many are left out."""
    leaves = {leaf.path: (leaf.doc, leaf.unit) for leaf in parameters(facts.study.model)}
    rows = tuple(_row(facts, one, *_about(one.path, leaves)) for one in facts.associations[:ROWS_MAX])
    return rows, len(facts.associations) - len(rows)


def _about(path: str, leaves: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Documentation and unit; ``spacings.mean`` is described by ``spacings``."""
    owner = path
    while owner and owner not in leaves:
        owner = owner.rpartition(".")[0]
    doc, unit = leaves.get(owner, ("", ""))
    return doc, "" if path.endswith(".len") else unit


def _row(facts: Facts, one: Association, doc: str, unit: str) -> ParameterRow:
    shares = {world.world: world.fails / world.judged for world in facts.consistency.worlds if world.judged}
    known = [name for name in shares if one.path in facts.parameters.get(name, {})]
    plot = strip_plot([facts.parameters[name][one.path] for name in known], [shares[name] for name in known])
    return ParameterRow(
        path=one.path,
        doc=doc,
        unit=unit,
        sentence=_sentence(one, unit),
        effect=f"{one.effect:+.2f}" if one.auc is not None else f"{one.effect:.2f}",
        effect_value=abs(one.effect),
        p=p_value(one.p_holm),
        p_value=one.p_holm,
        plot=Markup(plot),  # noqa: S704  made of numbers; words in it are escaped
    )


def _sentence(one: Association, unit: str) -> str:
    sure = one.p_holm < 0.05
    if one.best is None:
        return "Goes with failure." if sure else "No clear influence."
    condition = f"{one.best} {unit}".rstrip()
    told = (
        f"Worlds with {condition} fail in {percent(one.best.inside.share)} of their runs, "
        f"the others in {percent(one.best.outside.share)}."
    )
    return told if sure else f"{told} This may be chance."
