"""One hash for all results of a campaign, independent of the number of workers and the order of runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from stressfield.campaign.records import Results
from stressfield.oracle import Verdict
from stressfield.run import JudgedRun


def digest(results: Results) -> str:
    """SHA-256 over every run: its id, how it ended, its outcome, the digest of its trace and all verdicts."""
    total = hashlib.sha256()
    for judged in sorted(results.runs, key=lambda judged: judged.run.id):
        total.update("\x1f".join(_texts(judged)).encode())
        total.update(b"\x1e")
    return total.hexdigest()


def _texts(judged: JudgedRun) -> Iterator[str]:
    run = judged.run
    yield from (run.id, run.status.value, "" if run.outcome is None else run.outcome.value, run.digest)
    both = [(v, "on") for v in judged.verdicts] + [(v, "off") for v in judged.others]
    for verdict, state in sorted(both, key=lambda pair: pair[0].property):
        yield state
        yield from _verdict_texts(verdict)


def _verdict_texts(verdict: Verdict) -> Iterator[str]:
    yield from (verdict.property, verdict.outcome.value, repr(verdict.margin), verdict.unit, repr(verdict.at_s))
    yield from (verdict.subcase or "", verdict.note)
    for violation in verdict.violations:
        yield f"{violation.start_s!r}:{violation.end_s!r}:{violation.subcase or ''}"
