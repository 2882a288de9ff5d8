"""Writing the report of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stressfield.campaign import Results, find_study
from stressfield.report import write_report


def write(results: Results, out: Path | None = None, *, known: Mapping[str, str] | None = None) -> Path:
    """Write ``report.html`` into the campaign's folder (or ``out``) and say where it is."""
    return Path(write_report(results, find_study(results.plan.study), results.folder, out=out, known=known))
