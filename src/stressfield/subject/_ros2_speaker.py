"""A node on the bus that speaks for robot software on a ROS 2 graph."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from stressfield.bridge.hub import CLOCK, MISSION
from stressfield.bridge.ros2.services import REPLY, REQUEST, Offers, ServiceCall
from stressfield.bus import Bus, Link, Message, Node
from stressfield.errors import SubjectError
from stressfield.subject._ros2_robot import Ros2Robot

DEPTH = 1000
"""Messages of a topic that may wait for the robot: all there can be, for what is sent is to be what arrives."""


class Ros2Speaker(Node):
    """Speaks on the bus for the robot: what comes for it goes out at once, what it says comes in.

    Services that the simulator's side offers are offered to the robot, and those of the robot to that side.
    """

    def __init__(self, name: str, robot: Ros2Robot, bus: Bus, *, period_s: float, report: str) -> None:
        self.name = name
        self._robot, self._bus, self._period_s, self._report = robot, bus, period_s, report
        self._subscribed = {MISSION} if robot.clock.told_elsewhere else {MISSION, CLOCK}
        self._announced: set[str] = set()
        self._offered: object = None

    def setup(self, link: Link) -> None:
        """Subscribe to what the robot wants by now; from now on tell it the time."""
        self._link = link
        self._meet()
        link.every(self._period_s, self.on_clock)

    def on_clock(self) -> None:
        """Time goes on."""
        robot = self._robot
        if robot.traffic.refresh() or self._bus.offers.get("") is not self._offered:
            self._meet()
        self._publish(robot.exchange(self._link.now_ns, "", None))
        robot.check_silence()
        if robot.errand is not None and not robot.reported:
            try:
                report = robot.errand.report
            except SubjectError:
                robot.explain()
                raise
            if report is not None:
                robot.reported = True
                self._link.publish(self._report, report)

    def on_message(self, topic: str, message: Message) -> None:
        """Something for the robot."""
        self._publish(self._robot.exchange(self._link.now_ns, topic, message))

    def _publish(self, said: Sequence[tuple[str, Message]]) -> None:
        for topic, message in said:
            if topic == self._report:
                self._robot.reported = True
            self._link.publish(topic, message)
        for topic, call in self._robot.services.take():
            self._link.publish(topic, call)

    def on_call(self, topic: str, call: ServiceCall) -> None:
        """A request for the robot, or the answer to one of its own."""
        self._robot.services.pass_on(topic, call)

    def _meet(self) -> None:
        traffic = self._robot.traffic
        for topic in sorted(traffic.wanted.keys() - self._subscribed):
            self._subscribed.add(topic)
            self._link.subscribe(topic, partial(self.on_message, topic), depth=DEPTH, own=False)
        self._offered = self._bus.offers.get("")
        if isinstance(self._offered, Offers):
            self._meet_graph(self._offered)
        for topic in sorted(traffic.heard.keys() - self._announced):
            self._announced.add(topic)
            self._link.advertise(topic)

    def _meet_graph(self, theirs: Offers) -> None:
        """Offer the robot what the graph of its simulator does, and that graph what the robot does."""
        services, traffic = self._robot.services, self._robot.traffic
        own = Offers(services.offers(), traffic.published())
        if own != self._bus.offers.get(self.name):
            self._bus.offers[self.name] = own
        services.mirror({name: what for name, what in theirs.services.items() if name not in own.services})
        traffic.mirror(theirs.topics)
        topics = {*(name + REQUEST for name in own.services), *(name + REPLY for name in theirs.services)}
        for topic in sorted(topics - self._subscribed):
            self._subscribed.add(topic)
            self._link.subscribe(topic, partial(self.on_call, topic), depth=DEPTH, own=False)
