"""Recordings from the field: judged by the properties of a study, and made into tests.

================= =====================================================================================
judge_recordings  one campaign's folder of many recordings, with verdicts and findings
write_field_case  a moment of a recording as a test: a folder with an ordinary study; a `Moment` says which
field_study       the study of such a folder, a `FieldCase`
================= =====================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.field.case import FieldCase, FieldStart, Start, field_study, read_case
    from stressfield.field.excerpt import Moment, write_field_case
    from stressfield.field.judgement import JudgedRecordings, judge_recordings

__all__ = [
    "FieldCase",
    "FieldStart",
    "JudgedRecordings",
    "Moment",
    "Start",
    "field_study",
    "judge_recordings",
    "read_case",
    "write_field_case",
]

lazy_names(__name__)
