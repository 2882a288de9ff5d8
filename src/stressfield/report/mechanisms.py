"""The mechanisms behind the findings of a campaign, read from its recordings, and their words for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from stressfield._files.plain_text import columns
from stressfield.analysis import Finding, Mechanism, mechanisms
from stressfield.analysis.findings import name_of
from stressfield.errors import StressfieldError
from stressfield.oracle import Evidence
from stressfield.report.gallery import Recordings
from stressfield.report.terminal import WIDTH
from stressfield.report.words import counted

READ_MAX = 150
"""Recordings that are read: the clearest of each finding, turn by turn. Each takes some hundredths of a second."""


def campaign_mechanisms(
    recordings: Recordings,
    *,
    most: int = READ_MAX,
    guard: AbstractContextManager[object] | None = None,
) -> tuple[Mechanism, ...]:
    """Of all findings, in their order. What was read before, the recordings keep.

    ``guard`` is held while one recording is read, and let go in between, so that others who read get their turn.
    """
    summary, kept = recordings.summary, recordings.circumstances
    each = max(1, most // max(1, len(summary.findings)))
    chosen = {finding.id: summary.clearest(finding)[:each] for finding in summary.findings}
    wanted: dict[str, list[Finding]] = {}
    for finding in summary.findings:
        for run_id in chosen[finding.id]:
            if (_name(finding), run_id) not in kept:
                wanted.setdefault(run_id, []).append(finding)
    for run_id, shown in wanted.items():  # a run may show many findings, and is read once
        with guard or nullcontext():
            recordings.note(summary.runs[run_id], shown, _evidence(recordings, run_id))
    return tuple(
        found
        for finding in summary.findings
        for found in mechanisms(finding, [kept[_name(finding), run_id] for run_id in chosen[finding.id]])
    )


def _name(finding: Finding) -> str:
    """What it is: its number may change while a campaign runs."""
    return name_of(finding.property, finding.subcase)


def _evidence(recordings: Recordings, run_id: str) -> Evidence | None:
    """None if there is no recording, or no study to build its world: that is told as not known."""
    judged = recordings.runs[run_id]
    try:
        return Evidence(recordings.trace(judged), recordings.scenario(judged.run.scenario_id))
    except StressfieldError:
        return None


def mechanisms_text(found: Sequence[Mechanism]) -> str:
    """A row for each."""
    rows = [[way.finding, way.words, counted(len(way.run_ids), "run"), f"such as {way.run_ids[0]}"] for way in found]
    return columns(rows, right=(2,), width=WIDTH) if rows else ""
