"""Whether two campaigns can be compared at all, before anything is counted.

A test of differences says "no difference" of two campaigns that say nothing. So what must not be compared is refused.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from stressfield.analysis.known_issues import ExitCode
from stressfield.analysis.summary import Summary
from stressfield.errors import InputError


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why two campaigns are not compared, and how the command ends."""

    reason: str
    exit_code: ExitCode


def refusal(baseline: Summary, candidate: Summary) -> Refusal | None:
    """None if the two can be compared. Different studies are an InputError.

    A candidate whose robot software crashes or hangs in every run is worse than any baseline. Where nothing was judged
    on a side, nobody knows whether anything has changed.
    """
    check_studies([(summary.results.folder, summary.study) for summary in (baseline, candidate)])
    if candidate.crashed and not candidate.judged:
        again = f"stressfield replay {shlex.quote(candidate.results.folder)} {candidate.findings[0].id}"
        return Refusal(
            f"Worse: no run of the second campaign was judged, and the robot software crashed or hung in "
            f"{candidate.crashed} of {candidate.done}; in the first in {baseline.crashed} of {baseline.done}. "
            f"Next: {again}",
            ExitCode.FINDINGS,
        )
    for which, summary in (("first", baseline), ("second", candidate)):
        if summary.nothing_judged:
            return Refusal(
                f"Cannot compare, the {which} campaign says nothing. {summary.nothing_judged}", ExitCode.INFRASTRUCTURE
            )
    return None


def check_studies(campaigns: Sequence[tuple[str, str]]) -> None:
    """InputError unless all of these campaigns, given by folder and study, are of one study."""
    first = campaigns[0]
    for other in campaigns[1:]:
        if other[1] != first[1]:
            raise InputError(
                f"Cannot compare two studies: {first[0]!r} is of {first[1]!r}, {other[0]!r} of {other[1]!r}. "
                "Wanted campaigns of one study, with two builds of its robot software or two versions of it."
            )
