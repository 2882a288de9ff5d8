"""The metrics of a run: those of the study, those that a testing space reads from topics, and the fuzzing time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite

from stressfield.fuzz.campaign import Metric
from stressfield.oracle import Evidence
from stressfield.oracle.measuring import FUZZING_TIME, fuzzing_time_s, take_variable
from stressfield.plain_text import keepable
from stressfield.study import Study

ALL = "*"
"""Stands for every metric of a function that gives them all and raised."""
LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers by name, and why others are missing."""

    values: Mapping[str, float] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)


def readable(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Those that say all that is needed to read them from topics."""
    return tuple(one for one in metrics if one.topics and (one.path or one.take == "count"))


def measure(study: Study, evidence: Evidence, space: Sequence[Metric] | None = None) -> Measured:
    """All metrics of a judged run. One that raises is missing, with the reason; the run is none the worse for it.

    ``space`` are metrics that a testing space reads from topics; None if nothing is fuzzed. Of two with one name the
    study's is taken.
    """
    values: dict[str, float] = {}
    missing: dict[str, str] = {}
    if space is not None:
        _note(FUZZING_TIME, partial(fuzzing_time_s, evidence.trace), values, missing)
        for one in space:
            _note(one.name, partial(_read, evidence, one), values, missing)
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
    return keepable(f"{type(error).__name__}: {error}"[:LONGEST_REASON])
