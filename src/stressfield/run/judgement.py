"""What one recording is worth: a verdict of every property, and the metrics of the study and of its testing space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isfinite

from stressfield._crash import described, is_interrupt, place_of_function
from stressfield._files.plain_text import keepable
from stressfield.errors import OracleError, RigError
from stressfield.fuzz.search import Metric
from stressfield.oracle import (
    FUZZING_TIME,
    STATIC_METRICS,
    Evidence,
    Oracle,
    Outcome,
    Property,
    Verdict,
    Violation,
    take_variable,
)
from stressfield.study import Study

ALL = "*"
"""Stands for every metric of a function that gives them all and raised."""
LONGEST_REASON = 500
"""Characters of an error's text that are kept: a study may put a whole array into its message."""


def judge_all(oracle: Oracle, evidence: Evidence, *, of_recording: bool = False) -> tuple[Verdict, ...]:
    """A verdict from every property. One that crashes is the study's fault: a RigError that names it, never a verdict.

    A property that asks for what no run of the study can have is an OracleError: it would crash in every run. On a
    recording from the field, where much is not known, it is inconclusive, as is one that crashes.
    """
    given = (_verdict(oracle, prop, evidence, of_recording) for prop in oracle.properties)
    return tuple(_keepable(verdict) for verdict in given if verdict is not None)


def _verdict(oracle: Oracle, prop: Property, evidence: Evidence, of_recording: bool) -> Verdict | None:
    try:
        return oracle.verdict(prop, evidence)
    except OracleError as error:
        if of_recording:
            return Verdict(prop.name, Outcome.INCONCLUSIVE, None, "", note=str(error))
        raise OracleError(f"{error}{_where(prop)}") from error
    except BaseException as error:
        if is_interrupt(error):
            raise
        if of_recording:
            note = f"It crashed on this recording, perhaps for what that does not have: {described(error)}"
            return Verdict(prop.name, Outcome.INCONCLUSIVE, None, "", note=note)
        raise RigError(
            f"Property {prop.name!r} crashed: {described(error)}. That is the study's fault, not the robot's."
        ) from error


def _where(prop: Property) -> str:
    place = place_of_function(prop.judge)
    return f" ({place})" if place else ""


def _keepable(verdict: Verdict) -> Verdict:
    """The verdict as the ledger can hold it. Times that are no numbers are trouble of the rig."""
    for violation in verdict.violations:
        if not (isfinite(violation.start_s) and isfinite(violation.end_s)):
            raise RigError(
                f"Property {verdict.property!r} says that it was violated from {violation.start_s!r} to "
                f"{violation.end_s!r} s; "
                "wanted finite times."
            )
    return replace(
        verdict,
        margin=_float(verdict.margin),
        unit=keepable(verdict.unit),
        at_s=_float(verdict.at_s),
        subcase=_text(verdict.subcase),
        violations=tuple(
            Violation(float(violation.start_s), float(violation.end_s), _text(violation.subcase))
            for violation in verdict.violations
        ),
        note=keepable(verdict.note),
        encounters=None if verdict.encounters is None else int(verdict.encounters),
    )


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def _text(value: str | None) -> str | None:
    return None if value is None else keepable(value)


def split(
    oracle: Oracle, verdicts: Sequence[Verdict], *, profile: str, include: Sequence[str], exclude: Sequence[str]
) -> tuple[tuple[Verdict, ...], tuple[Verdict, ...]]:
    """The verdicts of the properties that are on, and the others."""
    active = {each.name for each in oracle.select(profile=profile, include=include, exclude=exclude)}
    return tuple(v for v in verdicts if v.property in active), tuple(v for v in verdicts if v.property not in active)


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers by name, and why others are missing."""

    values: Mapping[str, float] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)


def readable(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Those that need no code of a study: read from topics, or of the disturbances themselves."""
    return tuple(
        metric
        for metric in metrics
        if metric.name in STATIC_METRICS or (metric.topics and (metric.path or metric.take == "count"))
    )


def measure(study: Study, evidence: Evidence, space: Sequence[Metric] | None = None) -> Measured:
    """All metrics of a judged run. One that raises is missing, with the reason; the run is none the worse for it.

    ``space`` are metrics that a testing space reads from topics; None if nothing is fuzzed. Of two with one name the
    study's is taken.
    """
    space = None if space is None else readable(space)
    values: dict[str, float] = {}
    missing: dict[str, str] = {}
    if space is not None:
        _note(FUZZING_TIME, partial(STATIC_METRICS[FUZZING_TIME], evidence.trace), values, missing)
        for metric in space:
            _note(metric.name, partial(_read, evidence, metric), values, missing)
    if study.metrics is None:
        return Measured(values, missing)
    if isinstance(study.metrics, Mapping):
        for name, function in study.metrics.items():
            _note(name, partial(function, evidence), values, missing)
        return Measured(values, missing)
    try:
        given = study.metrics(evidence)
        numbers = {name: float(value) for name, value in given.items()}
    except Exception as error:
        missing[ALL] = _reason(error)
    else:
        for name, number in numbers.items():
            values.pop(name, None)
            if isfinite(number):
                values[name] = number
                missing.pop(name, None)
    return Measured(values, missing)


def _read(evidence: Evidence, metric: Metric) -> float | None:
    if metric.name in STATIC_METRICS:
        return STATIC_METRICS[metric.name](evidence.trace)
    return take_variable(evidence.trace, metric.topics, metric.path, take=metric.take)


def _note(name: str, function: Callable[[], float | None], values: dict[str, float], missing: dict[str, str]) -> None:
    values.pop(name, None)
    missing.pop(name, None)
    try:
        value = function()
        number = None if value is None else float(value)
    except Exception as error:
        missing[name] = _reason(error)
        return
    if number is not None and isfinite(number):
        values[name] = number


def _reason(error: Exception) -> str:
    return keepable(described(error), most=LONGEST_REASON)
