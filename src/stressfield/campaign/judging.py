"""Judging one recording with every property of an oracle, those that are off included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from stressfield.errors import RigError, StressfieldError
from stressfield.oracle import Evidence, Oracle, Verdict, Violation
from stressfield.plain_text import keepable


def judge_all(oracle: Oracle, evidence: Evidence) -> tuple[Verdict, ...]:
    """A verdict from every property. One that crashes is trouble of the rig, never a verdict."""
    every = [one.name for one in oracle.properties]
    try:
        return tuple(map(_keepable, oracle.judge(evidence, include=every)))
    except StressfieldError:
        raise
    except Exception as error:
        raise RigError(f"A property of oracle {oracle.name!r} crashed: {type(error).__name__}: {error}") from error


def _keepable(verdict: Verdict) -> Verdict:
    """The verdict as the ledger can hold it. Times that are no numbers are trouble of the rig."""
    for one in verdict.violations:
        if not (isfinite(one.start_s) and isfinite(one.end_s)):
            raise RigError(
                f"Property {verdict.property!r} says that it was violated from {one.start_s!r} to {one.end_s!r} s; "
                "wanted finite times."
            )
    return replace(
        verdict,
        margin=_float(verdict.margin),
        unit=keepable(verdict.unit),
        at_s=_float(verdict.at_s),
        subcase=_text(verdict.subcase),
        violations=tuple(
            Violation(float(one.start_s), float(one.end_s), _text(one.subcase)) for one in verdict.violations
        ),
        note=keepable(verdict.note),
    )


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def _text(value: str | None) -> str | None:
    return None if value is None else keepable(value)


def split(
    oracle: Oracle, verdicts: Sequence[Verdict], *, include: Sequence[str], exclude: Sequence[str]
) -> tuple[tuple[Verdict, ...], tuple[Verdict, ...]]:
    """The verdicts of the properties that are on, and the others."""
    active = {one.name for one in oracle.select(include=include, exclude=exclude)}
    return tuple(v for v in verdicts if v.property in active), tuple(v for v in verdicts if v.property not in active)
