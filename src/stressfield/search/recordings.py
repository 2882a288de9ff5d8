"""Recordings from the field as the plan of a campaign: they were made already, and are only judged."""

from __future__ import annotations

from typing import NoReturn

from stressfield.errors import InputError
from stressfield.search.strategy import OfWorlds, Setting
from stressfield.trace.bags.field_knowledge import FieldKnowledge


class FieldRecordings(
    OfWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="recordings", tag_field="kind"
):
    """One run for each recording, by its path; and what is known beside them."""

    own_templates = True
    paths: tuple[str, ...]
    known: FieldKnowledge
    asked: tuple[str, ...] = ()
    """How ``known`` was said on the command line: options of ``judge``."""

    def make(self, setting: Setting) -> NoReturn:  # noqa: ARG002
        """Nothing can be proposed: InputError that says what can be done."""
        refuse_again()


def refuse_again() -> NoReturn:
    """InputError for whoever would do a recording again."""
    raise InputError(
        "The runs of this campaign are recordings from the field, which cannot be done again. "
        "Make a test of one: stressfield scenario-from STUDY BAG --at TIME"
    )
