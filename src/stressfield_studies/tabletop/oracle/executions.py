"""What became of each action of a task, read from the messages of a recording.

An action is *not executed* when its executor never got a result: goal or result were lost on the way, or the task
had stopped before. That is trouble of communication, and told apart from what went wrong in the physical world.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from stressfield.bus import FORWARDED
from stressfield.errors import OracleError
from stressfield.oracle import Evidence
from stressfield_studies.tabletop.messages import (
    SUCCEEDED,
    feedback_topic,
    goal_topic,
    result_topic,
)
from stressfield_studies.tabletop.mission import Step, TabletopMission
from stressfield_studies.tabletop.robot import STEP


class ActionStatus(StrEnum):
    """How an action ended."""

    SUCCEEDED = "succeeded"
    ABORTED = "aborted"
    NOT_EXECUTED = "not executed"


class Cause(StrEnum):
    """Why an action was not executed."""

    NONE = ""
    GOAL_LOST = "goal lost"
    RESULT_LOST = "result lost"
    NO_RESULT = "no result in time"
    NOT_REACHED = "the task had stopped before"


@dataclass(frozen=True, slots=True)
class ActionExecution:
    """One action of the task. Times are those at which its executor sent the goal and heard of (or gave up) its end."""

    index: int
    action: str
    step: Step
    goal_id: str
    start_s: float
    end_s: float
    status: ActionStatus
    cause: Cause = Cause.NONE
    message: str = ""

    @property
    def executed(self) -> bool:
        """Whether it can be judged by what happened."""
        return self.status is not ActionStatus.NOT_EXECUTED


def mission_of(evidence: Evidence) -> TabletopMission:
    """The mission of a tabletop scenario."""
    mission = evidence.scenario.mission
    if not isinstance(mission, TabletopMission):
        raise OracleError(f"The properties of actions need a TabletopMission, got {type(mission).__name__}.")
    return mission


def executions(evidence: Evidence) -> tuple[ActionExecution, ...]:
    """All actions of the task, in order, whether they were executed or not."""
    steps = mission_of(evidence).steps
    told = _told(evidence)
    end_s = evidence.trace.end_time_ns / 1e9
    return tuple(_execution(evidence, i, step, told.get(i, []), end_s) for i, step in enumerate(steps))


def _told(evidence: Evidence) -> dict[int, list[tuple[float, Any]]]:
    """What the executor said of each step, with the times at which it did."""
    told: dict[int, list[tuple[float, Any]]] = {}
    if STEP in evidence.trace.topics:
        topic = evidence.trace.topic(STEP)
        for sent_ns, message in zip(topic.publish_time_ns.tolist(), topic.messages, strict=True):
            told.setdefault(getattr(message, "index"), []).append((sent_ns / 1e9, message))  # noqa: B009
    return told


def _execution(
    evidence: Evidence, index: int, step: Step, told: list[tuple[float, Any]], end_s: float
) -> ActionExecution:
    if not told:
        return ActionExecution(
            index, step.action, step, "", end_s, end_s, ActionStatus.NOT_EXECUTED, Cause.NOT_REACHED,
            "the executor never began it",
        )  # fmt: skip
    start_s, first = told[0]
    goal_id = first.goal_id
    last_s, last = told[-1]
    if last.status in {ActionStatus.SUCCEEDED, ActionStatus.ABORTED}:
        status = ActionStatus(last.status)
        return ActionExecution(index, step.action, step, goal_id, start_s, last_s, status, Cause.NONE, last.message)
    over_s = last_s if len(told) > 1 else end_s
    cause = _cause(evidence, step.action, goal_id)
    return ActionExecution(
        index, step.action, step, goal_id, start_s, over_s, ActionStatus.NOT_EXECUTED, cause, last.message
    )


def _cause(evidence: Evidence, action: str, goal_id: str) -> Cause:
    """Where the communication broke: a goal that arrived is answered with feedback at once."""
    if not _said(evidence, feedback_topic(action), goal_id):
        delivered = _said(evidence, goal_topic(action) + FORWARDED, goal_id)
        disturbed = goal_topic(action) + FORWARDED in evidence.trace.topics
        return Cause.NO_RESULT if disturbed and delivered else Cause.GOAL_LOST
    if _said(evidence, result_topic(action), goal_id):
        return Cause.RESULT_LOST
    return Cause.NO_RESULT


def _said(evidence: Evidence, topic: str, goal_id: str) -> bool:
    if topic not in evidence.trace.topics:
        return False
    return any(getattr(m, "goal_id", None) == goal_id for m in evidence.trace.topic(topic).messages)


def reported_success(evidence: Evidence, execution: ActionExecution) -> bool:
    """Whether the action itself said that it succeeded."""
    topic = result_topic(execution.action)
    if topic not in evidence.trace.topics:
        return False
    return any(
        getattr(m, "goal_id", None) == execution.goal_id and getattr(m, "status", None) == SUCCEEDED
        for m in evidence.trace.topic(topic).messages
    )
