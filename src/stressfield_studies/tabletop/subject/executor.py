"""The executor: runs the task, action after action, without retries, and reports."""

from __future__ import annotations

from stressfield.bus import Link, Message, Node
from stressfield.bus.messages import DiagnosticStatus, Float64Msg, JointState
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.builds import Issues
from stressfield_studies.tabletop.messages import (
    ACTIONS,
    MOVE_TO,
    PERCEIVE_PLANE,
    PICK_OBJECT,
    PLACE_OBJECT,
    SUCCEEDED,
    ActionResult,
    Grip,
    MoveToGoal,
    PerceivedObject,
    PerceivePlaneGoal,
    PerceivePlaneResult,
    PickObjectGoal,
    PickObjectResult,
    PlaceObjectGoal,
    TaskStep,
    result_topic,
)
from stressfield_studies.tabletop.mission import Step, TabletopMission
from stressfield_studies.tabletop.subject.middleware import Middleware
from stressfield_studies.tabletop.subject.pick_object import split

PERIOD_S = 0.25
PAUSE_S = 0.5
"""Between an action's end and the next one's beginning."""

Result = ActionResult | PerceivePlaneResult | PickObjectResult


class Executor(Node):
    """An action that fails does not keep the next from being tried; one that never answers ends the task."""

    name = "executor"

    def __init__(self, mission: TabletopMission, issues: Issues) -> None:
        self._mission = mission
        self._issues = issues
        self._index = -1
        self._goal_id = ""
        self._began_s: float | None = None
        self._next_s = PAUSE_S
        self._failed: list[str] = []
        self._plane: tuple[Float64Msg, ...] = ()
        self._seen: tuple[PerceivedObject, ...] = ()
        self._held: tuple[Grip, ...] = ()
        self._carried = ""
        self._over = False

    def setup(self, link: Link) -> None:
        """Listen to all results; joint states say that the robot is awake."""
        self._link = link
        self._actions = Middleware(link, self._issues)
        for action in ACTIONS:
            link.subscribe(result_topic(action), self.on_result)
        link.subscribe(robot.JOINTS, self.on_joints, depth=1)
        link.every(PERIOD_S, self.on_timer)

    @property
    def _step(self) -> Step:
        return self._mission.steps[self._index]

    def on_joints(self, message: JointState) -> None:
        """Begin the next action when it is time."""
        del message
        now_s = self._link.now_ns / 1e9
        if not self._over and self._began_s is None and now_s >= self._next_s:
            self._begin(now_s)

    def on_timer(self) -> None:
        """Give an action up that does not answer."""
        if self._over or self._began_s is None:
            return
        if self._link.now_ns / 1e9 - self._began_s > self._mission.action_timeout_s:
            self._tell("not executed", f"no result within {self._mission.action_timeout_s:g} s")
            self._report(f"{self._step.action} did not answer")

    def on_result(self, result: Result) -> None:
        """Note what came of it."""
        if self._over or self._began_s is None or result.goal_id != self._goal_id:
            return
        if isinstance(result, PerceivePlaneResult):
            self._plane = result.plane_height
            # What the gripper holds before the camera seems to stand on the table: it is in nobody's way.
            self._seen = split(result.objects, self._carried)[1]
        if isinstance(result, PickObjectResult):
            self._held = result.held
            self._carried = self._mission.object(self._step.object).kind if result.held else ""
        succeeded = result.status == SUCCEEDED
        if succeeded and self._step.action == PLACE_OBJECT:
            self._held, self._carried = (), ""
        self._tell("succeeded" if succeeded else "aborted", result.message)
        if not succeeded:
            self._failed.append(f"{self._step.action}: {result.message}")
        self._began_s = None
        self._next_s = self._link.now_ns / 1e9 + PAUSE_S
        if self._index + 1 == len(self._mission.steps):
            self._report("; ".join(self._failed))

    def _begin(self, now_s: float) -> None:
        self._index += 1
        step = self._step
        self._goal_id = f"{step.action}-{self._index}"
        self._began_s = now_s
        self._tell("running", "")
        self._actions.send_goal(step.action, self._goal(step))

    def _goal(self, step: Step) -> Message:
        header, goal_id = self._actions.header(), self._goal_id
        if step.action == MOVE_TO:
            place = self._mission.location(step.location)
            return MoveToGoal(header, goal_id, place.name, place.x_m, place.y_m, place.yaw_rad, place.dock_m)
        if step.action == PERCEIVE_PLANE:
            return PerceivePlaneGoal(header, goal_id, step.surface)
        kind = self._mission.object(step.object).kind
        found, others = split(self._seen, kind)
        if step.action == PICK_OBJECT:
            those = () if found is None else (found,)
            return PickObjectGoal(header, goal_id, step.object, kind, those, self._plane, others)
        return PlaceObjectGoal(header, goal_id, step.surface, self._plane, self._held, self._seen)

    def _tell(self, status: str, message: str) -> None:
        step = TaskStep(self._actions.header(), self._index, self._step.action, self._goal_id, status, message)
        self._link.publish(robot.STEP, step)

    def _report(self, problems: str) -> None:
        self._over = True
        status = DiagnosticStatus.error(problems) if problems else DiagnosticStatus.done("task done")
        self._link.publish(robot.REPORT, status)
