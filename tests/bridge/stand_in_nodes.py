"""Nodes on the graph of the stand-in, beside its server: a simulator with a controller, a robot that takes goals."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.bridge.stand_in_messages import merged, stamp_of

if TYPE_CHECKING:
    from tests.bridge.stand_in import StandIn


class Node:
    """A node of the graph, beside the server."""

    def __init__(self, graph: StandIn, name: str, publishes: dict[str, str]) -> None:
        self.graph, self.name, self._tasks = graph, name, []
        self._do(lambda: self._join(publishes))

    def _join(self, publishes: dict[str, str]) -> None:
        self.graph.nodes.add(self.name)
        for topic, kind in publishes.items():
            self.graph._topic(topic, kind.replace("/msg/", "/") if self.graph.ros == 1 else kind).publishers.add(
                self.name
            )

    def _do(self, work: Callable[[], Any]) -> None:
        if threading.current_thread() is self.graph._thread:
            work()
            return
        done = threading.Event()
        self.graph.loop.call_soon_threadsafe(lambda: (work(), done.set()))
        assert done.wait(10.0)

    def publish(self, topic: str, said: dict[str, Any], *, latch: bool = False) -> None:
        kind = self.graph.topics[topic].kind
        made = merged(self.graph.conversion.zero(kind), said)
        self._do(lambda: self.graph.deliver(topic, made, latched_by=self.name if latch else ""))

    def subscribe(self, topic: str, kind: str, hear: Callable[[dict[str, Any]], None]) -> None:
        name = kind.replace("/msg/", "/") if self.graph.ros == 1 else kind
        self._do(lambda: self.graph._topic(topic, name).hearers.append((self.name, hear)))

    def every(self, period_s: float, work: Callable[[], None]) -> None:
        async def tick() -> None:
            due_s = self.graph.loop.time()
            while True:
                due_s += period_s
                await asyncio.sleep(max(0.0, due_s - self.graph.loop.time()))
                work()

        self._do(lambda: self._tasks.append(self.graph.begin(tick())))

    def kill(self, *, deregister: bool = True) -> None:
        """It dies. A node of ROS 1 that is killed stays in the master's lists (``deregister=False``)."""

        def die() -> None:
            for task in self._tasks:
                task.cancel()
            if deregister:
                self.graph.nodes.discard(self.name)
                for topic in self.graph.topics.values():
                    topic.publishers.discard(self.name)
                    topic.hearers = [(name, hear) for name, hear in topic.hearers if name != self.name]

        self._do(die)


class Yard:
    """Time, a robot that obeys /cmd_vel, and a controller that counts its commands in ``linear.z``."""

    def __init__(self, graph: StandIn, *, rate: float, remapped: bool) -> None:
        self.x_m, self.speed_mps, self.sent = 1.0, 0.0, 0
        kinds = {"/clock": "rosgraph_msgs/msg/Clock", "/pose": "geometry_msgs/msg/PoseStamped"}
        self.simulator = graph.node("/gazebo", publishes=kinds)
        self.commands = "/cmd_vel_IN" if remapped else "/cmd_vel"
        self.controller = graph.node("/controller", publishes={self.commands: "geometry_msgs/msg/Twist"})
        self.simulator.subscribe("/cmd_vel", "geometry_msgs/msg/Twist", self._obey)
        self.graph, self.step_ns = graph, round(0.01 * rate * 1e9)
        self.simulator.every(0.01, self._step)
        self.controller.every(0.05, self._drive)

    def _obey(self, made: dict[str, Any]) -> None:
        self.speed_mps = made["linear"]["x"]

    def _step(self) -> None:
        self.graph.now_ns += self.step_ns
        self.x_m += self.speed_mps * self.step_ns / 1e9
        now = stamp_of(self.graph.now_ns)
        self.simulator.publish("/clock", {"clock": now})
        self.simulator.publish("/pose", {"header": {"stamp": now}, "pose": {"position": {"x": self.x_m, "y": 6.0}}})

    def _drive(self) -> None:
        self.sent += 1
        self.controller.publish(self.commands, {"linear": {"x": 0.5, "z": float(self.sent)}})


class MoveBase:
    """The robot's side of ROS 1's ``move_base`` or (ROS 2) of Nav2, and a controller that drives straight to the goal.

    It commands once for each scan, if ``answers``, and takes its goal when it knows where it is.
    """

    def __init__(
        self, graph: StandIn, *, arrives_m: float = 0.3, status: int | None = None, kind: str = "Twist"
    ) -> None:
        self.graph, self.arrives_m, self.status, self.answers = graph, arrives_m, status, True
        self.goal: dict[str, Any] | None = None
        self.driving = threading.Event()
        self.x_m: float | None = None
        self.heard: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.cancelled: list[dict[str, Any]] = []
        publishes = {"/cmd_vel": f"geometry_msgs/msg/{kind}"}
        if graph.ros == 1:
            publishes["/move_base/result"] = "move_base_msgs/msg/MoveBaseActionResult"
        self.node = graph.node("/move_base", publishes=publishes)
        hears = {
            "/clock": "rosgraph_msgs/msg/Clock",
            "/scan": "sensor_msgs/msg/LaserScan",
            "/tf": "tf2_msgs/msg/TFMessage",
        }
        for topic, name in {**hears, "/odom": "nav_msgs/msg/Odometry"}.items():
            self.node.subscribe(topic, name, partial(self._hear, topic))

    def _hear(self, topic: str, made: dict[str, Any]) -> None:
        self.heard[topic].append(made)
        if topic == "/tf":
            if self.x_m is None:
                self._serve()
            self.x_m = sum(one["transform"]["translation"]["x"] for one in made["transforms"])
        elif topic == "/scan" and self.goal is not None and self.answers:
            self._drive()

    def _serve(self) -> None:
        if self.graph.ros == 1:
            goals = "move_base_msgs/msg/MoveBaseActionGoal"
            self.node.subscribe("/move_base/goal", goals, lambda made: self._take(made, made["goal"]["target_pose"]))
            self.node.subscribe("/move_base/cancel", "actionlib_msgs/msg/GoalID", self.cancelled.append)
        else:
            self.graph.actions.append("/navigate_to_pose")
            self.graph.action = self._act

    def _act(self, said: dict[str, Any], answer: Callable[[dict[str, Any]], None]) -> None:
        if said["op"] == "cancel_action_goal":
            self.cancelled.append(said)
        else:
            self._take({**said, "answer": answer}, said["args"]["pose"])

    def _take(self, goal: dict[str, Any], pose: dict[str, Any]) -> None:
        self.goal, self.goal_x_m = goal, pose["pose"]["position"]["x"]

    def _drive(self) -> None:
        assert self.goal is not None
        assert self.x_m is not None
        left_m = self.goal_x_m - self.x_m
        there = abs(left_m) < self.arrives_m
        self.driving.set()
        self.node.publish("/cmd_vel", {"linear": {"x": 0.0 if there else 0.5}})
        if there or self.status is not None:
            self._end(self.status)
            self.goal = None

    def _end(self, status: int | None) -> None:
        assert self.goal is not None
        if self.graph.ros == 1:
            said = {"goal_id": self.goal["goal_id"], "status": status or 3, "text": "no way" if status else ""}
            self.node.publish("/move_base/result", {"status": said})
            return
        words = {"op": "action_result", "action": self.goal["action"], "id": self.goal["id"]}
        values = {"error_code": 0, "error_msg": "no way" if status else ""}
        self.goal["answer"]({**words, "values": values, "status": status or 4, "result": True})
