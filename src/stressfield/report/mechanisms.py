"""The mechanisms behind the findings of a campaign, read from its recordings, and their words for a terminal."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

from stressfield._files.plain_text import columns
from stressfield.analysis import Circumstance, Mechanism, circumstance, mechanisms
from stressfield.errors import StressfieldError
from stressfield.oracle import Evidence
from stressfield.report.gallery import Recordings, pick
from stressfield.report.terminal import WIDTH
from stressfield.report.words import counted

READ_MAX = 150
"""Recordings that are read: the clearest of each finding, turn by turn. Each takes some hundredths of a second."""


def campaign_mechanisms(
    recordings: Recordings, *, most: int = READ_MAX, known: MutableMapping[tuple[str, str], Circumstance] | None = None
) -> tuple[Mechanism, ...]:
    """Of all findings, in their order. ``known`` keeps what was read before: recordings do not change."""
    summary, kept = recordings.summary, {} if known is None else known
    made: list[Mechanism] = []
    for finding in summary.findings:
        chosen = pick([finding], summary.runs, max(1, most // max(1, len(summary.findings))))[finding.id]
        seen = []
        for run_id in chosen:
            # by what the finding is: its number may change while a campaign runs
            key = (f"{finding.property} {finding.subcase}", run_id)
            if key not in kept:
                judged = summary.runs[run_id]
                record = summary.scenarios[judged.run.scenario_id]
                kept[key] = circumstance(judged, record, finding, _evidence(recordings, run_id))
            seen.append(kept[key])
        made += mechanisms(finding, seen)
    return tuple(made)


def _evidence(recordings: Recordings, run_id: str) -> Evidence | None:
    """None if there is no recording, or no study to build its world: that is told as not known."""
    judged = recordings.runs[run_id]
    try:
        return Evidence(recordings.trace(judged), recordings.scenario(judged.run.scenario_id))
    except StressfieldError:
        return None


def mechanisms_text(found: Sequence[Mechanism]) -> str:
    """A row for each."""
    rows = [[one.finding, one.words, counted(len(one.run_ids), "run"), f"such as {one.run_ids[0]}"] for one in found]
    return columns(rows, right=(2,), width=WIDTH) if rows else ""
