"""Which runs of a campaign keep their recording. Plans speak of it, and are read without all that recordings need."""

from __future__ import annotations

from enum import StrEnum


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
