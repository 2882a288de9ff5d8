"""What is known beside recordings from the field, as plain data: it stands in the plan of their campaign."""

from __future__ import annotations

from dataclasses import dataclass, field

from stressfield.trace.bags.field_topics import FieldTopics

UNKNOWN, OF_STUDY = "", "study"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldKnowledge:
    """How recordings are read, and where and with which robots they were made."""

    topics: FieldTopics = field(default_factory=FieldTopics)
    descriptor: str
    """A world of the study, complete: its robots are those of the recordings, and it is the place if ``world`` says."""
    seed: int = 0
    world: str = UNKNOWN
    """``study`` if the place is that of the descriptor, else the path of an SDF file or a map; empty: nobody knows."""
