"""Actions of ROS 2 on a graph: goals that take a while, with feedback, a result, and a way to cancel them.

An action is three services (send_goal, get_result, cancel_goal) and two topics (feedback, status) below its name.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, Protocol

from stressfield.bridge.ros2.graph import CALL_S, Received, Ros2Graph
from stressfield.bridge.ros2.wire import Qos, Role
from stressfield.bus import Action, Interfaces, Message, Service
from stressfield.bus.messages import Time
from stressfield.errors import InputError

_GOAL_INFO = """\
unique_identifier_msgs/UUID goal_id
builtin_interfaces/Time stamp
================================================================================
MSG: unique_identifier_msgs/UUID
uint8[16] uuid
"""
_CANCEL = "action_msgs/GoalInfo goal_info\n---\nint8 return_code\nGoalInfo[] goals_canceling\n"
_STATUS = "action_msgs/GoalInfo goal_info\nint8 status\n"
STATUS_QOS = Qos(transient_local=True, depth=1)


class GoalStatus(IntEnum):
    """How far a goal is: action_msgs/msg/GoalStatus."""

    UNKNOWN = 0
    ACCEPTED = 1
    EXECUTING = 2
    CANCELING = 3
    SUCCEEDED = 4
    CANCELED = 5
    ABORTED = 6

    @property
    def ended(self) -> bool:
        """Whether it changes no more."""
        return self >= GoalStatus.SUCCEEDED


@dataclass(frozen=True, slots=True)
class GoalResult:
    """How a goal ended, and what its server said of it."""

    status: GoalStatus
    result: Any


@cache
def interfaces() -> Interfaces:
    """The types that all actions share."""
    made = Interfaces()
    made.add_text("action_msgs/msg/GoalInfo", _GOAL_INFO)
    made.add_text("action_msgs/srv/CancelGoal", _CANCEL)
    made.add_text("action_msgs/msg/GoalStatus", _STATUS)
    made.add_text("action_msgs/msg/GoalStatusArray", "GoalStatus[] status_list\n")
    return made


def cancel_service() -> Service:
    """By which goals of every action are cancelled."""
    return interfaces().service("action_msgs/srv/CancelGoal")


def _identifier(goal: uuid.UUID) -> Any:
    return interfaces().message("unique_identifier_msgs/UUID")(tuple(goal.bytes))


def _uuid(identifier: Any) -> uuid.UUID:
    return uuid.UUID(bytes=bytes(identifier.uuid))


def _info(goal: uuid.UUID, time_ns: int) -> Any:
    return interfaces().message("action_msgs/GoalInfo")(_identifier(goal), Time.from_ns(time_ns))


class ActionClient:
    """Sends goals to an action server of the robot."""

    def __init__(self, graph: Ros2Graph, name: str, action: Action) -> None:
        self._graph, self.name, self.action = graph, name.rstrip("/"), action
        self._hear: dict[uuid.UUID, Callable[[Any], None]] = {}
        graph.subscribe(f"{self.name}/_action/feedback", action.feedback_message, self._feedback)

    def send(
        self, goal: Message, *, feedback: Callable[[Any], None] | None = None, within_s: float = CALL_S
    ) -> ActionGoal:
        """Send a goal. InputError if nobody serves the action or the goal is rejected."""
        number = uuid.uuid4()
        if feedback is not None:
            self._hear[number] = feedback
        service = self.action.send_goal
        request = service.request(_identifier(number), goal)
        answer = self._graph.call(f"{self.name}/_action/send_goal", service, request, within_s=within_s)
        if not answer.accepted:
            self._hear.pop(number, None)
            raise InputError(f"The goal was rejected by the action server of {self.name}. Is the robot active yet?")
        return ActionGoal(self, self._graph, number)

    def _feedback(self, received: Received) -> None:
        message: Any = received.message
        hear = self._hear.get(_uuid(message.goal_id))
        if hear is not None:
            hear(message.feedback)


class ActionGoal:
    """A goal under way."""

    def __init__(self, client: ActionClient, graph: Ros2Graph, number: uuid.UUID) -> None:
        self._client, self._graph, self.number = client, graph, number

    def result(self, *, within_s: float) -> GoalResult:
        """Wait for the end. RigError if it does not come in time, or if the server has gone."""
        service = self._client.action.get_result
        request = service.request(_identifier(self.number))
        name = f"{self._client.name}/_action/get_result"
        answer = self._graph.call(name, service, request, within_s=within_s)
        return GoalResult(GoalStatus(answer.status), answer.result)

    def cancel(self, *, within_s: float = CALL_S) -> bool:
        """Ask to give the goal up; False if the server will not."""
        request = cancel_service().request(_info(self.number, 0))
        name = f"{self._client.name}/_action/cancel_goal"
        answer = self._graph.call(name, cancel_service(), request, within_s=within_s)
        return bool(answer.return_code == 0)


class Execution(Protocol):
    """What a server's function is given with a goal."""

    @property
    def cancelled(self) -> threading.Event:
        """Set when the client wants the goal to be given up."""

    def feedback(self, message: Message) -> None:
        """Tell how it goes."""


class ActionServer:
    """Serves an action: each goal that ``accept`` takes is done by ``execute`` in a thread of its own."""

    def __init__(
        self,
        graph: Ros2Graph,
        name: str,
        action: Action,
        execute: Callable[[Any, Execution], GoalResult],
        *,
        accept: Callable[[Any], bool] | None = None,
    ) -> None:
        self._action, self._execute, self._accept = action, execute, accept
        self._name = name.rstrip("/")
        self._goals: dict[uuid.UUID, _Goal] = {}
        self._lock = threading.Lock()
        below = f"{self._name}/_action"
        self._feedback = graph.publisher(f"{below}/feedback", action.feedback_message)
        self._status = graph.publisher(
            f"{below}/status", interfaces().message("action_msgs/GoalStatusArray"), STATUS_QOS
        )
        graph.serve(f"{below}/send_goal", action.send_goal, self._send)
        graph.serve(f"{below}/get_result", action.get_result, self._result)
        graph.serve(f"{below}/cancel_goal", cancel_service(), self._cancel)

    def _send(self, request: Any) -> Message:
        accepted = self._accept is None or self._accept(request.goal)
        now = time.time_ns()
        if accepted:
            goal = _Goal(_uuid(request.goal_id), now, self)
            with self._lock:
                self._goals[goal.number] = goal
            self._say()
            threading.Thread(target=self._do, args=(goal, request.goal), daemon=True).start()
        return self._action.send_goal.response(accepted, Time.from_ns(now))

    def _do(self, goal: _Goal, asked: Any) -> None:
        goal.status = GoalStatus.EXECUTING
        self._say()
        try:
            done = self._execute(asked, goal)
        except Exception as error:  # as rclcpp does: a server that fails aborts its goal
            done = GoalResult(GoalStatus.ABORTED, self._action.result())
            goal.trouble = f"{type(error).__name__}: {error}"
        goal.done, goal.status = done, done.status
        goal.ended.set()
        self._say()

    def _result(self, request: Any) -> Message:
        goal = self._goals.get(_uuid(request.goal_id))
        response = self._action.get_result.response
        if goal is None:
            return response(int(GoalStatus.UNKNOWN), self._action.result())
        goal.ended.wait()
        assert goal.done is not None
        return response(int(goal.done.status), goal.done.result)

    def _cancel(self, request: Any) -> Message:
        asked = _uuid(request.goal_info.goal_id)
        with self._lock:
            found = [g for g in self._goals.values() if not g.status.ended and (not asked.int or g.number == asked)]
        for goal in found:
            goal.status = GoalStatus.CANCELING
            goal.cancelled.set()
        self._say()
        infos = tuple(_info(goal.number, goal.begun_ns) for goal in found)
        return cancel_service().response(0 if found else 1, infos)

    def tell(self, goal: uuid.UUID, message: Message) -> None:
        """Publish feedback of a goal."""
        self._feedback.publish(self._action.feedback_message(_identifier(goal), message))

    def _say(self) -> None:
        state = interfaces().message("action_msgs/GoalStatus")
        array = interfaces().message("action_msgs/GoalStatusArray")
        with self._lock:
            goals = list(self._goals.values())
        listed = tuple(state(_info(goal.number, goal.begun_ns), int(goal.status)) for goal in goals)
        self._status.publish(array(listed))


class _Goal:
    """One goal at its server."""

    def __init__(self, number: uuid.UUID, begun_ns: int, server: ActionServer) -> None:
        self.number, self.begun_ns, self._server = number, begun_ns, server
        self.status = GoalStatus.ACCEPTED
        self.cancelled = threading.Event()
        self.ended = threading.Event()
        self.done: GoalResult | None = None
        self.trouble = ""

    def feedback(self, message: Message) -> None:
        """Tell the client how it goes."""
        self._server.tell(self.number, message)


def wait_for_server(graph: Ros2Graph, name: str, action: Action, *, within_s: float) -> None:
    """InputError unless somebody serves the action in time, and as this type."""
    found = graph.wait_for(Role.SERVER, f"{name.rstrip('/')}/_action/send_goal", within_s=within_s)
    if found.type_name != action.send_goal.name:
        raise InputError(f"{found.node} serves {name} as {found.type_name}; wanted {action.send_goal.name}.")


__all__ = ["ActionClient", "ActionGoal", "ActionServer", "GoalResult", "GoalStatus", "wait_for_server"]
