"""How far a campaign is, for whoever watches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from stressfield.run import RunRecord, Status


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a campaign is. ``counts`` holds pass, fail, inconclusive, subject_crash and invalid."""

    done: int
    total: int
    before: int
    """Runs that were done before this session."""
    counts: Counter[str]
    note: str = ""
    """For searches: the generation and what is on the front."""


Watch = Callable[[Progress], None]


def category(run: RunRecord) -> str:
    """The one word for a run in counts: its outcome, or why it has none."""
    if run.status in {Status.INVALID, Status.SUBJECT_CRASH} or run.outcome is None:
        return run.status.value
    return run.outcome.value
