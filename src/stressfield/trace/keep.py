"""Which runs of a campaign keep their recording. Plans speak of it, and are read without all that recordings need."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

FindingKey: TypeAlias = tuple[str, str | None]
"""What tells one finding from another: the property and the sub-case."""


class Keep(StrEnum):
    """A campaign's policy: traces of all runs, of those that failed, or of none (digests are always kept).

    ``front`` is for searches: tests on the final front are run again at the end, and those traces are kept.
    """

    ALL = "all"
    FAILING = "failing"
    NONE = "none"
    FRONT = "front"

    def wants(self, *, failed: bool) -> bool:
        """Whether the trace of a run with this outcome is kept."""
        return self is Keep.ALL or (self is Keep.FAILING and failed)


KEPT = ("all", "failing", "failing:N", "none", "front")
"""What can be asked for, in words."""


@dataclass(frozen=True, slots=True)
class KeepPolicy:
    """``failing``, or ``failing:10``: of each finding the first ten runs of the plan that show it."""

    keep: Keep
    per_finding: int | None = None

    @classmethod
    def of(cls, text: str) -> KeepPolicy:
        """As a plan has it; ValueError if there is no such policy."""
        name, colon, number = text.partition(":")
        keep = Keep(name)
        if not colon:
            return cls(keep)
        if keep is not Keep.FAILING or not (number.isascii() and number.isdigit() and 0 < int(number) < 10**9):
            raise ValueError(f"{text!r:.60}: wanted a number of runs a finding, such as failing:10")
        return cls(keep, int(number))

    def wants(self, *, failed: bool, findings: Iterable[FindingKey] = (), enough: Collection[FindingKey] = ()) -> bool:
        """Whether the trace of a run is kept that shows these findings, where there are ``enough`` of some."""
        if not self.keep.wants(failed=failed):
            return False
        return self.per_finding is None or not enough or any(finding not in enough for finding in findings)
