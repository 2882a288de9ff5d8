"""How the runs of a campaign ended, in the five kinds a reader must tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, RunRecord, Status

KINDS = {
    "pass": "passed",
    "fail": "failed",
    "inconclusive": "inconclusive",
    "crash": "robot software crashed",
    "invalid": "invalid (trouble of the rig)",
}
"""Kind of ending and its plain words, in the order shown."""


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of ending: how many runs, and their share of all."""

    kind: str
    words: str
    count: int
    share: float


def ending_of(run: RunRecord) -> str:
    """One of :data:`KINDS`."""
    if run.status is Status.INVALID:
        return "invalid"
    if run.status is Status.SUBJECT_CRASH:
        return "crash"
    return (run.outcome or Outcome.INCONCLUSIVE).value


def tally(runs: Iterable[JudgedRun]) -> tuple[Part, ...]:
    """All kinds, also those without a run."""
    counts = Counter(ending_of(judged.run) for judged in runs)
    total = max(1, counts.total())
    return tuple(Part(kind, words, counts[kind], counts[kind] / total) for kind, words in KINDS.items())
