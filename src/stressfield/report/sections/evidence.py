"""What others say beside our runs: published figures, runtime monitors, parameters, and known faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stressfield._files.json_text import parse_json
from stressfield.analysis import Association, Finding, Summary
from stressfield.analysis.monitors import HEADINGS, rows
from stressfield.errors import MalformedError
from stressfield.report.figures.bars import strip_plot
from stressfield.report.page import BREAK, Cell, Column, Entry, Figure, Paragraph, Section, Table, Words
from stressfield.report.sections._material import PageMaterial
from stressfield.report.tables import published_tables
from stressfield.report.words import DASH, figure, p_value, percent

FAULTS_FILE = "faults.json"
BYTES_MAX = 5_000_000
PARAMETERS_MAX, LEAST_ROWS, FINDINGS_MAX = 6, 2, 8
"""Parameters shown of a finding: those that surely go with it, and at least the best two."""
SURE = 0.05
PARAMETER_COLUMNS = (
    "Parameter",
    Column("Failing share", fixed=True),
    Column("In words", fixed=True),
    Column("Effect", number=True),
    Column("p", number=True),
)


def metrics_section(material: PageMaterial) -> Section | None:
    """What the study measures in every run, over all runs and by how they ended; None without metrics."""
    summary = material.summary
    if not summary.metrics:
        return None
    missing = {unmeasured.name: unmeasured for unmeasured in summary.unmeasured}
    rows = []
    for metric in summary.metrics:
        by = (metric.median_passed, metric.median_failed)
        why = missing.get(metric.name)
        rows.append(
            (
                metric.name,
                f"{metric.runs:,}",
                *(Entry(figure(value), sort=value) for value in (metric.lowest, metric.median, metric.highest)),
                *(DASH if value is None else Entry(figure(value), sort=value) for value in by),
                f"missing in {why.runs:,}" if why else "",
            )
        )
    numbers = ("Runs", "Lowest", "Median", "Highest", "Median if passed", "Median if failed")
    return Section(
        name="metrics",
        title="Metrics",
        lead="Numbers that the study measures in every run. Those of a single run are with the run.",
        blocks=[Table("", ("Metric", *(Column(name, number=True) for name in numbers), "Missing"), rows)],
    )


def monitors_section(material: PageMaterial) -> Section | None:
    """How runtime monitors did against what the recordings know; None without monitors."""
    table = monitor_table(material.summary)
    if table is None:
        return None
    return Section(
        name="monitors",
        title="Monitors",
        lead="Nodes that watch the robot while it runs, held against what the recordings know.",
        blocks=[table],
    )


def monitor_table(summary: Summary) -> Table | None:
    """The scores of all monitors over all judged runs; None without monitors."""
    if not summary.monitors:
        return None
    note = "A hit is an alarm during what the monitor is there to detect; held: no harm began while the alarm was on."
    return Table("Runtime monitors", HEADINGS, tuple(rows(summary.monitors)), note)


def published_section(material: PageMaterial) -> Section | None:
    """Published figures beside ours; None if the study has none."""
    tables = published_tables(material.summary)
    if not tables:
        return None
    return Section(
        name="published",
        title="Published beside ours",
        menu="Published",
        lead="Figures of the published experiment and the same figures of this campaign.",
        blocks=tables,
    )


def parameters_section(material: PageMaterial) -> Section | None:
    """Which parameters go with each finding, as sentences and small plots."""
    summary = material.summary
    leaves = {leaf.path: (leaf.doc, leaf.unit) for leaf in summary.results.study.parameters}
    blocks = []
    for finding in summary.findings[:FINDINGS_MAX]:
        found = summary.associations.get(finding.id, ())
        if found:
            sure = sum(association.p_holm < SURE for association in found)
            rows = [
                _parameter(summary, finding, association, *_about(association.path, leaves))
                for association in found[: max(LEAST_ROWS, min(sure, PARAMETERS_MAX))]
            ]
            blocks.append(Table(f"{finding.id} {material.headline(finding)}", PARAMETER_COLUMNS, rows))
    if not blocks:
        return None
    left_out = len(summary.findings) - FINDINGS_MAX
    more = [Paragraph(f"{left_out} more findings are not shown.", "soft small")] if left_out > 0 else []
    return Section(
        name="parameters",
        title="Which parameters go with failure",
        menu="Parameters",
        lead="Every world is one dot: across, its parameter; up, the share of its runs that show the finding. The line "
        "is the mean of each fifth of the worlds. Strongest evidence first; p is corrected for the number of "
        "parameters. Going together is not yet a cause.",
        blocks=[*blocks, *more],
    )


def _about(path: str, leaves: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Documentation and unit; ``spacings.mean`` is described by ``spacings``."""
    owner = path
    while owner and owner not in leaves:
        owner = owner.rpartition(".")[0]
    doc, unit = leaves.get(owner, ("", ""))
    return doc, "" if path.endswith(".len") else unit


def _parameter(summary: Summary, finding: Finding, association: Association, doc: str, unit: str) -> tuple[Cell, ...]:
    worlds = summary.parameters.worlds(finding.property, finding.subcase)
    known = worlds.known(association.path)
    plot = strip_plot(worlds.values(association.path).listed, worlds.shares[known].tolist())
    about: tuple[str | Words, ...] = (Words(association.path, "code"),)
    about += (" ", Words(unit, "soft small")) if unit else ()
    about += (BREAK, Words(doc, "soft small")) if doc else ()
    return (
        Entry(about, look="path"),
        Entry(Figure(plot), look="plot"),
        _sentence(association, unit),
        Entry(
            f"{association.effect:+.2f}" if association.auc is not None else f"{association.effect:.2f}",
            sort=abs(association.effect),
        ),
        Entry(p_value(association.p_holm), sort=association.p_holm),
    )


def _sentence(association: Association, unit: str) -> str:
    sure = association.p_holm < SURE
    if association.best is None:
        return "Goes with failure." if sure else "No clear influence."
    condition = f"{association.best} {unit}".rstrip()
    told = (
        f"Worlds with {condition} fail in {percent(association.best.inside.share)} of their runs, "
        f"the others in {percent(association.best.outside.share)}."
    )
    return told if sure else f"{told} This may be chance."


def faults_section(material: PageMaterial) -> Section | None:
    """Each known issue alone; None if nobody asked for it."""
    if material.faults is None:
        return None
    return Section(
        name="faults",
        title="Known faults",
        menu="Faults",
        lead="Each known issue switched on alone: does the rig reveal it?",
        blocks=[material.faults],
    )


def fault_table(path: Path) -> Table | None:
    """What the experiment ``faults`` of a study wrote there; None if there is no such file, or it holds no table.

    Either a list of objects, whose keys are the columns, or ``{"title", "headers", "rows", "note"}``.
    """
    try:
        if not path.is_file() or path.stat().st_size > BYTES_MAX:
            return None
        content = parse_json(path.read_bytes(), max_bytes=BYTES_MAX)
    except (OSError, MalformedError):
        return None
    if isinstance(content, list):
        content = {"rows": content}
    if not isinstance(content, dict):
        return None
    listed = content.get("rows", content.get("faults"))
    return _generic(content, listed) if isinstance(listed, list) and listed else None


def _generic(content: Mapping[str, Any], rows: Sequence[Any]) -> Table:
    if all(isinstance(row, dict) for row in rows):
        keys = list(dict.fromkeys(key for row in rows for key in row))
        headers = [str(key).replace("_", " ") for key in keys]
        cells = [tuple(_text(row.get(key)) for key in keys) for row in rows]
    else:
        given = content.get("headers", [])
        headers = [_text(header) for header in given] if isinstance(given, list) else []
        cells = [tuple(_text(cell) for cell in (row if isinstance(row, list) else [row])) for row in rows]
    return Table(
        str(content.get("title", "Each known issue alone")), tuple(headers), tuple(cells), str(content.get("note", ""))
    )


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return figure(value)
    if isinstance(value, list | tuple):
        return ", ".join(_text(item) for item in value)
    return str(value)
