"""Which runs keep their trace file."""

from __future__ import annotations

from enum import StrEnum


class Keep(StrEnum):
    """A campaign's policy: traces of all runs, of those that failed, or of none (digests are always kept)."""

    ALL = "all"
    FAILING = "failing"
    NONE = "none"

    def wants(self, *, failed: bool) -> bool:
        """Whether the trace of a run with this outcome is kept."""
        return self is Keep.ALL or (self is Keep.FAILING and failed)
