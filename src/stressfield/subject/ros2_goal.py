"""How a robot on a ROS 2 graph is told its mission: an action of Nav2, or a pose on a topic.

Nav2 has changed its actions from one distribution of ROS to the next. Which one a robot speaks is seen from the type
hashes that it offers, so nothing need be said about it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from stressfield.bridge import ActionClient, ActionGoal, GoalResult, GoalStatus, Role
from stressfield.bridge.ros2.action import interfaces as action_interfaces
from stressfield.bridge.ros2.graph import Ros2Graph
from stressfield.bus import Action, Interfaces, Message, Service, type_hash
from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import InputError, RigError, SubjectError
from stressfield.scenario import Scenario
from stressfield.subject.goal import Errand, Places, ToldErrand, goal_of_mission, posed

REJECTED = "goal rejected"
ANSWER_S = 5.0
"""How long the robot may take to accept a goal or to refuse it."""

LONGEST_S = 24 * 3600.0
"""How long a result is waited for. The run ends much earlier."""

_DURATION = "int32 sec\nuint32 nanosec\n"
_FEEDBACK = (
    "geometry_msgs/PoseStamped current_pose\nbuiltin_interfaces/Duration navigation_time\n"
    "builtin_interfaces/Duration estimated_time_remaining\nint16 number_of_recoveries\nfloat32 distance_remaining\n"
)
_TRACKING = "float32 position_tracking_error\nfloat32 heading_tracking_error\n"
_NAVIGATE = "geometry_msgs/PoseStamped pose\nstring behavior_tree\n---\n"
_ERROR = "uint16 error_code\nstring error_msg\n"
_LOOPS = "uint32 number_of_loops\nuint32 goal_index 0\ngeometry_msgs/PoseStamped[] poses\n---\n"
_AT = "---\nuint32 current_waypoint\n"
_MISSED = {"nav2_msgs/msg/MissedWaypoint": "uint32 index\ngeometry_msgs/PoseStamped goal\nuint16 error_code\n"}
_WAYPOINT = {
    "nav2_msgs/msg/WaypointStatus": "uint8 waypoint_status\nuint32 waypoint_index\n"
    "geometry_msgs/PoseStamped waypoint_pose\nuint16 error_code\nstring error_msg\n"
}


@dataclass(frozen=True, slots=True)
class _Edition:
    """An action as one distribution of ROS 2 has it, with the types that it is made of."""

    distribution: str
    text: str
    parts: Mapping[str, str]

    def interfaces(self, name: str) -> Interfaces:
        made = Interfaces()
        made.add_text("builtin_interfaces/msg/Duration", _DURATION)
        for part, text in self.parts.items():
            made.add_text(part, text)
        made.add_text(name, self.text)
        made.action(name)
        return made

    def action(self, name: str) -> Action:
        return self.interfaces(name).action(name)


_NAVIGATE_EDITIONS = (
    _Edition("jazzy", f"{_NAVIGATE}{_ERROR}---\n{_FEEDBACK}", {}),
    _Edition("lyrical", f"{_NAVIGATE}{_ERROR}---\n{_FEEDBACK}{_TRACKING}", {}),
    _Edition("iron", f"{_NAVIGATE}uint16 error_code\n---\n{_FEEDBACK}", {}),
    _Edition("humble", f"{_NAVIGATE}std_msgs/Empty result\n---\n{_FEEDBACK}", {"std_msgs/msg/Empty": ""}),
)
_WAYPOINT_EDITIONS = (
    _Edition("jazzy", f"{_LOOPS}MissedWaypoint[] missed_waypoints\n{_ERROR}{_AT}", _MISSED),
    _Edition("kilted", f"{_LOOPS}WaypointStatus[] missed_waypoints\n{_ERROR}{_AT}", _WAYPOINT),
    _Edition("iron", f"{_LOOPS}MissedWaypoint[] missed_waypoints\n{_AT}", _MISSED),
    _Edition("humble", f"geometry_msgs/PoseStamped[] poses\n---\nint32[] missed_waypoints\n{_AT}", {}),
)


def nav2_interfaces() -> Iterator[Interfaces]:
    """The types of the actions of Nav2, of every distribution, and of what all actions share."""
    for kind in (NavigateToPose, FollowWaypoints):
        for edition in kind.editions:
            yield edition.interfaces(kind.action)
    yield action_interfaces()


class Ros2Goal(Protocol):
    """How a robot is told its mission."""

    def ready(self, graph: Ros2Graph) -> bool:
        """Whether somebody on the graph can take it."""

    @property
    def missing(self) -> str:
        """What is not there while nobody can."""

    def send(self, graph: Ros2Graph, publish: Callable[[str, Message], object], scenario: Scenario) -> Errand:
        """Tell the robot. SubjectError if it refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ActionOfNav2:
    """What the two have in common."""

    action: ClassVar[str] = ""
    editions: ClassVar[tuple[_Edition, ...]] = ()
    name: str
    frame_id: str = "map"
    places: Places = goal_of_mission
    cancel_after_s: float | None = None
    """Cancel the goal after so much simulated time. The robot has then done right if it says that it gave up."""

    def ready(self, graph: Ros2Graph) -> bool:
        """Whether its server is there."""
        return bool(graph.endpoints(Role.SERVER, name=f"{self.name}/_action/get_result"))

    @property
    def missing(self) -> str:
        """What is not there."""
        return f"nobody serves the action {self.name}"

    def edition(self, graph: Ros2Graph) -> Action:
        """The action as the robot has it; InputError if it is another one than all that are known."""
        below = f"{self.name}/_action"
        offered = {
            suffix: found[0]
            for kind, suffix in ((Role.SERVER, "send_goal"), (Role.SERVER, "get_result"), (Role.PUBLISHER, "feedback"))
            if (found := graph.endpoints(kind, name=f"{below}/{suffix}"))
        }
        for edition in self.editions:
            made = edition.action(self.action)
            parts: dict[str, type[Message] | Service] = {
                "send_goal": made.send_goal,
                "get_result": made.get_result,
                "feedback": made.feedback_message,
            }
            if all(
                end.hash == type_hash(parts[suffix]) or (not end.has_hash and edition.distribution == "humble")
                for suffix, end in offered.items()
            ):
                return made
        server = next(iter(offered.values()))
        raise InputError(
            f"{server.node} serves {self.name} as {server.type_name} with the hash {server.hash[:19]}..., which no "
            f"{self.action} known here has ({', '.join(edition.distribution for edition in self.editions)}). Tell "
            "the robot its mission in another way: Ros2Subject(goal=PoseTopic())."
        )

    def message(self, action: Action, scenario: Scenario) -> Message:
        """The goal."""
        raise NotImplementedError

    def send(self, graph: Ros2Graph, publish: Callable[[str, Message], object], scenario: Scenario) -> Errand:
        """Send the goal, and wait until the robot takes it."""
        del publish
        action = self.edition(graph)
        client = ActionClient(graph, self.name, action)
        try:
            goal = client.send(self.message(action, scenario), within_s=ANSWER_S)
        except InputError as error:
            raise SubjectError(str(error), kind=REJECTED) from None
        return _ActionErrand(self, goal)


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigateToPose(_ActionOfNav2):
    """One pose, by the action of that name: the first of ``places``, by default the goal of a ReachMission."""

    action: ClassVar[str] = "nav2_msgs/action/NavigateToPose"
    editions: ClassVar[tuple[_Edition, ...]] = _NAVIGATE_EDITIONS
    name: str = "/navigate_to_pose"
    behavior_tree: str = ""

    def message(self, action: Action, scenario: Scenario) -> Message:
        """The goal."""
        made: Any = action.goal
        goal: Message = made(posed(self.places(scenario), self.frame_id)[0], self.behavior_tree)
        return goal


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowWaypoints(_ActionOfNav2):
    """All of ``places``, one after another."""

    action: ClassVar[str] = "nav2_msgs/action/FollowWaypoints"
    editions: ClassVar[tuple[_Edition, ...]] = _WAYPOINT_EDITIONS
    name: str = "/follow_waypoints"

    def message(self, action: Action, scenario: Scenario) -> Message:
        """The goal."""
        made: Any = action.goal
        goal: Message = made(poses=posed(self.places(scenario), self.frame_id))
        return goal


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseTopic:
    """The first of ``places`` as a PoseStamped on a topic. Its end the robot reports itself, or the truth tells it."""

    topic: str = "/goal_pose"
    frame_id: str = "map"
    places: Places = goal_of_mission

    def ready(self, graph: Ros2Graph) -> bool:
        """Whether somebody listens."""
        return bool(graph.endpoints(Role.SUBSCRIBER, name=self.topic))

    @property
    def missing(self) -> str:
        """What is not there."""
        return f"nobody listens to {self.topic}"

    def send(self, graph: Ros2Graph, publish: Callable[[str, Message], object], scenario: Scenario) -> Errand:
        """Publish it once."""
        del graph
        publish(self.topic, posed(self.places(scenario), self.frame_id)[0])
        return ToldErrand()


class _ActionErrand:
    """A goal of an action under way. A thread waits for its result."""

    def __init__(self, goal: _ActionOfNav2, sent: ActionGoal) -> None:
        self._name, self._sent = goal.name, sent
        self._cancel_ns = None if goal.cancel_after_s is None else round(goal.cancel_after_s * 1e9)
        self._cancelled = False
        self._result: GoalResult | None = None
        self._trouble: RigError | InputError | None = None
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        try:
            self._result = self._sent.result(within_s=LONGEST_S)
        except (RigError, InputError) as error:
            self._trouble = error

    @property
    def report(self) -> DiagnosticStatus | None:
        """How it ended."""
        if self._result is None:
            if self._trouble is not None:
                raise SubjectError(f"The action server of {self._name} gave no result: {self._trouble}")
            return None
        status, said = self._result.status, getattr(self._result.result, "error_msg", "")
        code = getattr(self._result.result, "error_code", 0)
        why = f": {said}" if said else f" (error code {code})" if code else ""
        if status is GoalStatus.SUCCEEDED:
            return DiagnosticStatus.done(f"{self._name} succeeded")
        if status is GoalStatus.CANCELED and self._cancelled:
            return DiagnosticStatus.done(f"{self._name} was cancelled as asked")
        ended = "was cancelled" if status is GoalStatus.CANCELED else "aborted"
        return DiagnosticStatus.error(f"{self._name} {ended}{why}")

    def tick(self, now_ns: int) -> None:
        """Cancel it when its time has come."""
        if self._cancel_ns is not None and not self._cancelled and now_ns >= self._cancel_ns and self._result is None:
            self._cancelled = True
            if not self._sent.cancel(within_s=ANSWER_S):
                raise SubjectError(
                    f"The action server of {self._name} would not cancel its goal.", kind="not cancelled"
                )

    def close(self) -> None:
        """Cancel it if it still lasts: a robot that goes on running must not go on driving."""
        if self._result is None and self._trouble is None and not self._cancelled:
            self._cancelled = True
            try:
                self._sent.cancel(within_s=0.5)
            except (RigError, InputError):
                return
