"""How a run can end."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Only ``completed`` and ``timeout`` are judged; ``invalid`` is the rig's own trouble, never a verdict."""

    COMPLETED = "completed"
    TIMEOUT = "timeout"
    SUBJECT_CRASH = "subject_crash"
    INVALID = "invalid"

    @property
    def judged(self) -> bool:
        """Whether the oracle may speak of such a run."""
        return self in {Status.COMPLETED, Status.TIMEOUT}
