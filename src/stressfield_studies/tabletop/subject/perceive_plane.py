"""The action ``perceive_plane``: take a depth image, find the table and the objects on it."""

from __future__ import annotations

from stressfield.bus import Link, Node
from stressfield.bus.messages import Float64Msg, PointCloud2
from stressfield.seeds import generator
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.builds import BIAS_M, Issues
from stressfield_studies.tabletop.messages import (
    ABORTED,
    PERCEIVE_PLANE,
    SUCCEEDED,
    Capture,
    PerceivePlaneGoal,
    PerceivePlaneResult,
    goal_topic,
)
from stressfield_studies.tabletop.subject.middleware import Middleware
from stressfield_studies.tabletop.subject.perception import perceive


class PerceivePlane(Node):
    """Looks once per goal."""

    name = PERCEIVE_PLANE

    def __init__(self, issues: Issues) -> None:
        self._issues = issues
        self._goal_id: str | None = None

    def setup(self, link: Link) -> None:
        """Listen to goals and to the camera."""
        self._link = link
        self._actions = Middleware(link, self._issues)
        link.subscribe(goal_topic(PERCEIVE_PLANE), self.on_goal)
        link.subscribe(robot.CLOUD, self.on_cloud)

    def on_goal(self, goal: PerceivePlaneGoal) -> None:
        """Ask for an image."""
        self._goal_id = goal.goal_id
        self._actions.feedback(PERCEIVE_PLANE, goal.goal_id, "looking")
        self._link.publish(robot.CAPTURE, Capture(self._actions.header()))

    def on_cloud(self, cloud: PointCloud2) -> None:
        """Find what is in it."""
        if self._goal_id is None:
            return
        goal_id, self._goal_id = self._goal_id, None
        bias_m = BIAS_M if self._issues.bias else 0.0
        seen = perceive(cloud, generator("ransac", goal_id), bias_m=bias_m)
        header = self._actions.header()
        if seen is None:
            result = PerceivePlaneResult(header, goal_id, ABORTED, "no plane in sight", (), ())
        else:
            result = PerceivePlaneResult(
                header, goal_id, SUCCEEDED, f"{len(seen.objects)} objects", (Float64Msg(seen.height_m),), seen.objects
            )
        self._actions.send_result(PERCEIVE_PLANE, result)
