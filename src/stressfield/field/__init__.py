"""Recordings from the field: judged by the properties of a study, and made into tests.

================= =====================================================================
judge_recordings  one campaign's folder of many recordings, with verdicts and findings
================= =====================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.field.judgement import JudgedRecordings, judge_recordings

__all__ = ["JudgedRecordings", "judge_recordings"]

lazy_names(__name__)
