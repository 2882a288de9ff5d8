"""How a robot behind a rosbridge server is told its mission: ``move_base`` of ROS 1, Nav2 of ROS 2, or a topic."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, Protocol

from stressfield.bridge.rosbridge.client import Operation, RosbridgeClient
from stressfield.bridge.rosbridge.graph import Rosapi
from stressfield.bus.messages import DiagnosticStatus, PoseStamped
from stressfield.errors import InputError, SubjectError
from stressfield.scenario import Scenario
from stressfield.subject.goal import Places, goal_of_mission, posed

MOVE_BASE = {3: "succeeded", 2: "was cancelled", 4: "aborted", 5: "rejected the goal", 8: "was cancelled"}
"""States of a goal in ROS 1 (actionlib) in which it has ended."""
NAVIGATE = {4: "succeeded", 5: "was cancelled", 6: "aborted"}
"""The same in ROS 2."""


class RosbridgeErrand(Protocol):
    """A goal that was sent."""

    @property
    def report(self) -> DiagnosticStatus | None:
        """How it ended; None while it lasts, and always for a goal whose end the robot must report itself."""

    async def close(self) -> None:
        """The run is over: a robot that is still at it is told to give up."""


class RosbridgeGoal(Protocol):
    """How a robot is told its mission."""

    @property
    def missing(self) -> str:
        """What is not there while nobody can take it."""

    async def ready(self, api: Rosapi) -> bool:
        """Whether somebody on the graph can take it."""

    async def send(self, api: Rosapi, scenario: Scenario, now_ns: int) -> RosbridgeErrand:
        """Tell the robot, at a time of its own clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveBaseGoal:
    """The first of ``places`` for ``move_base`` of ROS 1, by its action: its result ends the mission."""

    name: str = "/move_base"
    frame_id: str = "map"
    places: Places = goal_of_mission

    @property
    def missing(self) -> str:
        """What is not there."""
        return f"nobody hears {self.name}/goal"

    async def ready(self, api: Rosapi) -> bool:
        """Whether its server is there."""
        if api.client.dialect.ros != 1:
            raise InputError("MoveBaseGoal is for ROS 1, and the graph is of ROS 2. Wanted NavigateGoal or PoseGoal.")
        return bool(await api.hearers(f"{self.name}/goal"))

    async def send(self, api: Rosapi, scenario: Scenario, now_ns: int) -> RosbridgeErrand:
        """Publish the goal, and hear of its result."""
        client, name = api.client, f"stressfield-{secrets.token_hex(6)}"
        errand = _MoveBaseErrand(self.name, name, client)
        await client.subscribe_raw(
            f"{self.name}/result", "move_base_msgs/MoveBaseActionResult", lambda said, _: errand.heard(said)
        )
        await client.advertise(f"{self.name}/goal", "move_base_msgs/MoveBaseActionGoal")
        await client.advertise(f"{self.name}/cancel", "actionlib_msgs/GoalID")
        pose = _pose(self.places, self.frame_id, scenario, now_ns)
        target = client.dialect.plain(pose)
        goal = {"header": target["header"], "goal_id": {"stamp": target["header"]["stamp"], "id": name}}
        said = {**goal, "goal": {"target_pose": target}}
        await client.send({"op": "publish", "topic": f"{self.name}/goal", "msg": said})
        return errand


class _MoveBaseErrand:
    def __init__(self, action: str, name: str, client: RosbridgeClient) -> None:
        self._action, self._name, self._client = action, name, client
        self.report: DiagnosticStatus | None = None

    def heard(self, said: Operation) -> None:
        status = said.get("status", {})
        if status.get("goal_id", {}).get("id") == self._name and self.report is None:
            self.report = _ended(self._action, MOVE_BASE, status.get("status"), str(status.get("text", "")))

    async def close(self) -> None:
        """Take the goal back if it still lasts."""
        if self.report is None and self._client.trouble is None:
            said = {"op": "publish", "topic": f"{self._action}/cancel", "msg": {"id": self._name}}
            await self._client.send(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigateGoal:
    """The first of ``places`` for Nav2, by the action ``NavigateToPose``: its result ends the mission."""

    name: str = "/navigate_to_pose"
    frame_id: str = "map"
    places: Places = goal_of_mission

    @property
    def missing(self) -> str:
        """What is not there."""
        return f"nobody serves the action {self.name}"

    async def ready(self, api: Rosapi) -> bool:
        """Whether its server is there."""
        if api.client.dialect.ros != 2:
            raise InputError("NavigateGoal is for ROS 2, and the graph is of ROS 1. Wanted MoveBaseGoal or PoseGoal.")
        servers = (await api.client.call("/rosapi/action_servers")).get("action_servers", ())
        return self.name in servers

    async def send(self, api: Rosapi, scenario: Scenario, now_ns: int) -> RosbridgeErrand:
        """Send the goal over a connection of its own: some servers read nothing else until an action has ended."""
        client = RosbridgeClient(api.client.url, lambda *_: None, token=api.client.token)
        await client.connect()
        client.dialect, name = api.client.dialect, f"stressfield-{secrets.token_hex(6)}"
        errand = _NavigateErrand(self.name, name, client)
        client.actions[name] = errand.heard
        pose = client.dialect.plain(_pose(self.places, self.frame_id, scenario, now_ns))
        await client.send(
            {
                "op": "send_action_goal",
                "id": name,
                "action": self.name,
                "action_type": "nav2_msgs/action/NavigateToPose",
                "args": {"pose": pose},
                "feedback": False,
            }
        )
        return errand


class _NavigateErrand:
    def __init__(self, action: str, name: str, client: RosbridgeClient) -> None:
        self._action, self._name, self._client = action, name, client
        self._report: DiagnosticStatus | None = None

    @property
    def report(self) -> DiagnosticStatus | None:
        if self._report is None:
            self._client.check()
        return self._report

    def heard(self, said: Operation) -> None:
        if said.get("op") != "action_result" or self._report is not None:
            return
        values = said.get("values")
        if said.get("result") is False:
            self._report = DiagnosticStatus.error(f"{self._action} did not take the goal: {values!s:.200}")
            return
        text = str(values.get("error_msg", "")) if isinstance(values, dict) else ""
        self._report = _ended(self._action, NAVIGATE, said.get("status"), text)

    async def close(self) -> None:
        """Take the goal back if it still lasts."""
        if self._report is None and self._client.trouble is None:
            await self._client.send({"op": "cancel_action_goal", "id": self._name, "action": self._action})
        await self._client.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseGoal:
    """The first of ``places`` as a PoseStamped on a topic. Its end the robot reports itself, or the truth tells it."""

    topic: str = "/move_base_simple/goal"
    frame_id: str = "map"
    places: Places = goal_of_mission

    @property
    def missing(self) -> str:
        """What is not there."""
        return f"nobody hears {self.topic}"

    async def ready(self, api: Rosapi) -> bool:
        """Whether somebody listens."""
        return bool(await api.hearers(self.topic))

    async def send(self, api: Rosapi, scenario: Scenario, now_ns: int) -> RosbridgeErrand:
        """Publish it once."""
        await api.client.advertise(self.topic, PoseStamped.ros_type)
        await api.client.publish(self.topic, _pose(self.places, self.frame_id, scenario, now_ns))
        return _ToldErrand()


class _ToldErrand:
    report: DiagnosticStatus | None = None

    async def close(self) -> None:
        """Nothing to take back."""


def _pose(places: Places, frame_id: str, scenario: Scenario, now_ns: int) -> PoseStamped:
    return posed(places(scenario), frame_id, now_ns)[0]


def _ended(action: str, words: dict[int, str], status: Any, text: str) -> DiagnosticStatus:
    if status not in words:
        raise SubjectError(f"{action} ended with the status {status!r}, which is none of {sorted(words)}.")
    said = f"{action} {words[status]}" + (f": {text}" if text else "")
    return DiagnosticStatus.done(said) if words[status] == "succeeded" else DiagnosticStatus.error(said)
