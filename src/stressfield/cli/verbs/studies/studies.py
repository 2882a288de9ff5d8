"""``stressfield studies``: what is installed."""

from __future__ import annotations

from stressfield._files.plain_text import columns
from stressfield.cli.echo import echo
from stressfield.plugins import find_study, study_names


def studies() -> None:
    """List the installed studies and their builds."""
    rows = []
    for name in study_names():
        study = find_study(name)
        rows.append([name, study.title, f"builds: {', '.join(build.name for build in study.builds)}"])
    echo(columns(rows, indent=0) if rows else "No studies are installed.")
