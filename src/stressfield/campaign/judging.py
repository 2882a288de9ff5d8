"""Judging one recording with every property of an oracle, those that are off included."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import RigError, StressfieldError
from stressfield.oracle import Evidence, Oracle, Verdict


def judge_all(oracle: Oracle, evidence: Evidence) -> tuple[Verdict, ...]:
    """A verdict from every property. One that crashes is trouble of the rig, never a verdict."""
    every = [one.name for one in oracle.properties]
    try:
        return oracle.judge(evidence, include=every)
    except StressfieldError:
        raise
    except Exception as error:
        raise RigError(f"A property of oracle {oracle.name!r} crashed: {type(error).__name__}: {error}") from error


def split(
    oracle: Oracle, verdicts: Sequence[Verdict], *, include: Sequence[str], exclude: Sequence[str]
) -> tuple[tuple[Verdict, ...], tuple[Verdict, ...]]:
    """The verdicts of the properties that are on, and the others."""
    active = {one.name for one in oracle.select(include=include, exclude=exclude)}
    return tuple(v for v in verdicts if v.property in active), tuple(v for v in verdicts if v.property not in active)
