"""How the nodes send goals, feedback and results of actions."""

from __future__ import annotations

from stressfield.bus import Link, Message
from stressfield.bus.messages import Header, Time
from stressfield.seeds import generator
from stressfield_studies.tabletop.builds import LOSS, Issues
from stressfield_studies.tabletop.messages import (
    ABORTED,
    SUCCEEDED,
    ActionFeedback,
    ActionResult,
    feedback_topic,
    goal_topic,
    result_topic,
)


class Middleware:
    """Sends action messages. With the fault ``lost`` some goals and results never leave.

    Which ones depends on the time at which they are sent: it differs from run to run and repeats with a run's seed.
    """

    def __init__(self, link: Link, issues: Issues) -> None:
        self._link = link
        self._loses = issues.lost

    def header(self) -> Header:
        """Now."""
        return Header(Time.from_ns(self._link.now_ns), "")

    def send_goal(self, action: str, goal: Message) -> None:
        """Ask for an action."""
        self._send(goal_topic(action), goal)

    def feedback(self, action: str, goal_id: str, phase: str) -> None:
        """Say what an action is doing; never lost."""
        self._link.publish(feedback_topic(action), ActionFeedback(self.header(), goal_id, phase))

    def send_result(self, action: str, result: Message) -> None:
        """Say how an action ended."""
        self._send(result_topic(action), result)

    def end(self, action: str, goal_id: str, problem: str | None) -> None:
        """A plain result: done, or given up because of a problem."""
        status = SUCCEEDED if problem is None else ABORTED
        self.send_result(action, ActionResult(self.header(), goal_id, status, problem or "done"))

    def _send(self, topic: str, message: Message) -> None:
        if self._loses and generator("middleware", topic, self._link.now_ns).random() < LOSS:
            return
        self._link.publish(topic, message)
