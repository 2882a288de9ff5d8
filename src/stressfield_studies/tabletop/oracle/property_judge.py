"""How a property of an action is judged: what a judge is given, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from stressfield.errors import OracleError
from stressfield.oracle import Evidence, Judgement, Violation
from stressfield.oracle import holds as margin_holds
from stressfield_studies.tabletop.oracle.executions import ActionExecution, ActionStatus

ParameterValue: TypeAlias = float | str | tuple[str, ...]
Parameters: TypeAlias = Mapping[str, ParameterValue]
JudgeAction: TypeAlias = Callable[[Evidence, ActionExecution, Parameters], Judgement | None]

NOT_EXECUTED = "not executed"


@dataclass(frozen=True, slots=True)
class PropertyJudge:
    """A property of actions, called with a recording, an execution and the values of its parameters.

    ``tolerances`` are the numbers it uses unless the parameters say otherwise. An action that was not executed does not
    satisfy it, whatever happened: the sub-case of the violation is then ``not executed``. None means missing data.
    """

    name: str
    title: str
    actions: tuple[str, ...]
    judge: JudgeAction
    tolerances: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
        """The judgement of one execution."""
        if execution.status is ActionStatus.NOT_EXECUTED:
            gone = Violation(execution.start_s, execution.end_s, NOT_EXECUTED)
            return Judgement(None, "", execution.end_s, (gone,), note=f"not executed: {execution.cause}")
        return self.judge(evidence, execution, {**self.tolerances, **parameters})


def number(parameters: Parameters, name: str) -> float:
    """The value of a numeric parameter."""
    value = parameters.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise OracleError(f"The parameter {name!r} of a property is {value!r}; wanted a finite number.")
    return float(value)


def text(parameters: Parameters, name: str, otherwise: str) -> str:
    """The value of a parameter that names something; ``otherwise`` where it is not bound."""
    value = parameters.get(name, otherwise)
    if not isinstance(value, str):
        raise OracleError(f"The parameter {name!r} of a property is {value!r}; wanted a name.")
    return value


def judged(margin: float, unit: str, execution: ActionExecution, *, subcase: str, note: str = "") -> Judgement:
    """Violated at the end of the action if ``margin`` is negative."""
    end_s = execution.end_s
    violations = () if margin_holds(margin) else (Violation(execution.start_s, end_s, subcase),)
    return Judgement(margin, unit, end_s, violations, note=note)


def holds(condition: bool, execution: ActionExecution, *, subcase: str, note: str = "") -> Judgement:
    """A property without a measure."""
    violations = () if condition else (Violation(execution.start_s, execution.end_s, subcase),)
    return Judgement(None, "", execution.end_s, violations, note=note)
