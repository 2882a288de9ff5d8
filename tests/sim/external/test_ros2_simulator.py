"""The rig between a world in one domain and its robot in another: all passes, and may be disturbed on its way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from stressfield.bridge import ActionClient, ActionServer, GoalResult, GoalStatus, Qos, Role, Ros2Graph
from stressfield.bridge.hub import Clock
from stressfield.bridge.ros2.node import interfaces
from stressfield.bus import Latency, Timing, encode
from stressfield.bus.messages import LaserScan, Odometry, Point, Pose, PoseWithCovariance, StringMsg, Time, Twist
from stressfield.errors import InputError, RigError
from stressfield.fuzz import Blackhole, Delay, Loss, NotANumber, Window
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario
from stressfield.sim.external import Ros2Simulator
from stressfield.study import Ending
from stressfield.subject import Pacing, Ros2Subject
from stressfield.subject.ros2_goal import NavigateToPose, posed
from stressfield.trace import Metadata
from stressfield.world import Mission, World, robots

TICK_NS = 1_000_000
LATCHED = Qos(transient_local=True, depth=1)
BLOB = ("my_msgs/msg/Blob", "RIHS01_" + "1" * 64)
ALWAYS = Window(start_s=0.0, end_s=1e6)
QUICK = Pacing(quiet_s=0.1, ready_timeout_s=5.0)


class Side:
    """A graph with a node of its own that the rig does not know of, and what it heard."""

    def __init__(self, domain: int, node: str) -> None:
        self.graph = Ros2Graph.routed(domain=domain, node=node)
        self.heard: dict[str, list[Any]] = {}

    def listen(self, topic: str, kind: Any, qos: Qos | None = None) -> None:
        kept = self.heard.setdefault(topic, [])
        self.graph.subscribe(topic, kind, lambda received: kept.append(received.message), qos)


@contextmanager
def repeated(act: Callable[[int], None], period_s: float) -> Iterator[None]:
    """Call ``act`` with 0, 1, 2, ... in a thread."""
    stop = threading.Event()

    def run() -> None:
        for number in range(1_000_000):
            if stop.is_set():
                return
            act(number)
            time.sleep(period_s)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def world() -> Iterator[Side]:
    side = Side(5, "gazebo")
    yield side
    side.graph.close()


@pytest.fixture
def robot() -> Iterator[Side]:
    side = Side(6, "robot")
    yield side
    side.graph.close()


def living(world: Side) -> Callable[[int], None]:
    """A world that tells the time, where the robot is, and what it sees: 10 ms a call."""
    clock, odometry = world.graph.publisher("/clock", Clock), world.graph.publisher("/odom", Odometry)
    scans = world.graph.publisher("/scan", LaserScan)

    def act(number: int) -> None:
        now = Time.from_ns(10**12 + number * 10_000_000)
        clock.publish(Clock(now))
        odometry.publish(Odometry(pose=PoseWithCovariance(Pose(Point(0.01 * number, 0.0, 0.0)))))
        scans.publish(LaserScan(ranges=np.array([number, np.inf], np.float32)))

    return act


def run(world: Side, robot: Side, limit_s: float, *disturbances: Any, **options: Any) -> Executed:
    flat = World.flat(20.0, 12.0).with_robot("robot", robots.diff_drive(), at=(1.0, 6.0))
    return execute(
        Scenario(flat, Mission.reach((19.0, 6.0), within_s=limit_s)).disturbed(disturbances),
        Ros2Subject(endpoint=robot.graph.endpoint, domain=6, pacing=QUICK, **options),
        Ros2Simulator(endpoint=world.graph.endpoint, domain=5, truth={"robot": "/odom"}),
        seed=1,
        timing=Timing(topic_default=Latency(), node_default=Latency()),
        ending=Ending(),
        metadata=Metadata(run_id="r"),
    )


def arrived(done: Executed, topic: str) -> list[Any]:
    """What reached its subscribers before the run was over; in the last tick some may have been on its way."""
    found, last_ns = done.trace.topic(topic), round(done.simulated_s * 1e9) - TICK_NS
    return [said for said, at_ns in zip(found.messages, found.log_time_ns, strict=True) if at_ns <= last_ns]


def commanding(robot: Side) -> Callable[[int], None]:
    command = robot.graph.publisher("/cmd_vel", Twist)
    return lambda number: command.publish(Twist.drive(number, 0.0))


def test_a_null_bridge_changes_nothing(world: Side, robot: Side) -> None:
    trigger: Any = interfaces().service("std_srvs/srv/Trigger")
    world.graph.serve("/reset_world", trigger, lambda _: trigger.response(True, "world"))
    robot.graph.serve("/robot_state", trigger, lambda _: trigger.response(True, "robot"))
    world.listen("/cmd_vel", Twist)
    robot.listen("/scan", LaserScan, Qos(reliable=False))
    robot.listen("/note", StringMsg, LATCHED)
    world.graph.publisher("/note", StringMsg, LATCHED).publish(StringMsg("said before"))
    blob, blobs = world.graph.publisher_of("/blob", *BLOB), []
    robot.graph.subscribe_to("/blob", *BLOB, lambda data, said: blobs.append(data))
    answers: dict[str, Any] = {}

    def ask() -> None:
        answers["world"] = robot.graph.call("/reset_world", trigger, trigger.request(), within_s=8.0).message
        answers["robot"] = world.graph.call("/robot_state", trigger, trigger.request(), within_s=8.0).message
        blob.send(b"\x00\x01\x00\x00any bytes")

    asking = threading.Thread(target=ask)
    with repeated(living(world), 0.01), repeated(commanding(robot), 0.01):
        asking.start()
        done = run(world, robot, 2.5)
    asking.join()
    assert done.status is Status.TIMEOUT, done.trouble
    assert answers == {"world": "world", "robot": "robot"}
    assert blobs == [b"\x00\x01\x00\x00any bytes"]
    assert [said.data for said in robot.heard["/note"]] == ["said before"]
    passed = [encode(scan) for scan in arrived(done, "/scan")]
    assert [encode(scan) for scan in robot.heard["/scan"]] == passed
    assert len(passed) > 100
    numbers = [scan.ranges[0] for scan in done.trace.topic("/scan").messages]  # type: ignore[attr-defined]
    assert np.all(np.diff(numbers) == 1.0)  # each of them, in order
    sent = [said.linear.x for said in done.trace.topic("/cmd_vel").messages]  # type: ignore[attr-defined]
    assert np.all(np.diff(sent) == 1.0)
    came = [said.linear.x for said in world.heard["/cmd_vel"]]
    assert came[-1] == 0.0  # the rig has left the robot standing
    assert came[:-1] == sent
    assert any("/blob of /gazebo is a my_msgs/msg/Blob, which is not known here" in note for note in done.notes)
    assert done.trace.robots["robot"].x_m[-1] > done.trace.robots["robot"].x_m[0]


def test_what_passes_is_disturbed_both_ways_and_counted_as_it_arrives(world: Side, robot: Side) -> None:
    trigger: Any = interfaces().service("std_srvs/srv/Trigger")
    world.graph.serve("/reset_world", trigger, lambda _: trigger.response(True, "world"))
    world.listen("/cmd_vel", Twist)
    robot.listen("/scan", LaserScan)
    trouble: list[str] = []

    def ask() -> None:
        try:
            robot.graph.call("/reset_world", trigger, trigger.request(), within_s=2.0)
        except RigError as error:
            trouble.append(str(error))

    asking = threading.Thread(target=ask)
    with repeated(living(world), 0.01), repeated(commanding(robot), 0.01):
        asking.start()
        done = run(
            world,
            robot,
            2.0,
            Loss(name="loss", topics=("/scan",), probability=0.5, when=ALWAYS),
            NotANumber(name="nan", topics=("/scan",), path="ranges.0", when=Window(start_s=1.0, end_s=1e6)),
            Delay(name="late", topics=("/cmd_vel",), delay_s=0.3, when=ALWAYS),
            Blackhole(name="deaf", topics=("/reset_world/request",), when=ALWAYS),
        )
    asking.join()
    assert done.status is Status.TIMEOUT, done.trouble
    delivered = arrived(done, "/scan/fuzzed")
    assert len(robot.heard["/scan"]) == len(delivered)
    assert 0.3 < len(delivered) / len(done.trace.topic("/scan")) < 0.7
    nans = [bool(np.isnan(scan.ranges[0])) for scan in robot.heard["/scan"]]
    assert nans == [bool(np.isnan(scan.ranges[0])) for scan in delivered]  # type: ignore[attr-defined]
    assert any(nans)
    assert not all(nans)
    late = done.trace.topic("/cmd_vel/fuzzed")
    assert np.all(late.log_time_ns - late.publish_time_ns == 300_000_000)
    assert len(world.heard["/cmd_vel"]) < len(done.trace.topic("/cmd_vel"))
    # the run may be over before its patience is
    unanswered = (
        "/stressfield did not answer /reset_world within 2 s.",
        "/stressfield left the graph without an answer to /reset_world.",
    )
    assert len(trouble) == 1
    assert trouble[0] in unanswered


def test_an_action_passes_with_its_feedback_and_its_result(world: Side, robot: Side) -> None:
    action: Any = NavigateToPose().editions[0].action("nav2_msgs/action/NavigateToPose")

    def execute_goal(goal: Any, execution: Any) -> GoalResult:
        execution.feedback(action.feedback(distance_remaining=goal.pose.pose.position.x))
        execution.cancelled.wait(20.0)
        return GoalResult(GoalStatus.CANCELED, action.result(error_msg="given up"))

    ActionServer(robot.graph, "/navigate_to_pose", action, execute_goal)
    heard: list[float] = []
    results: list[GoalResult] = []

    def ask() -> None:
        world.graph.wait_for(Role.PUBLISHER, "/navigate_to_pose/_action/feedback", within_s=8.0)
        client = ActionClient(world.graph, "/navigate_to_pose", action)
        (pose,) = posed([(4.0, 0.0, 0.0)], "map")
        sent = client.send(action.goal(pose, ""), feedback=lambda said: heard.append(said.distance_remaining))
        time.sleep(0.3)
        assert sent.cancel()
        results.append(sent.result(within_s=5.0))

    asking = threading.Thread(target=ask)
    with repeated(living(world), 0.01), repeated(commanding(robot), 0.01):
        asking.start()
        done = run(world, robot, 3.0)
    asking.join()
    assert done.status is Status.TIMEOUT, done.trouble
    assert [(result.status, result.result.error_msg) for result in results] == [(GoalStatus.CANCELED, "given up")]
    assert heard == [4.0]
    assert len(done.trace.topic("/navigate_to_pose/_action/send_goal/request")) == 1


def test_a_world_that_says_nothing_is_told(world: Side, robot: Side) -> None:
    commanding(robot)
    world.graph.publisher("/odom", Odometry)
    settings = Ros2Simulator(endpoint=world.graph.endpoint, domain=5, truth={"robot": "/odom"}, ready_timeout_s=0.3)
    flat = World.flat(20.0, 12.0).with_robot("robot", robots.diff_drive(), at=(1.0, 6.0))
    test = Scenario(flat, Mission.reach((19.0, 6.0), within_s=1.0))
    with pytest.raises(RigError, match=r"Nothing was said on /clock, /odom on domain 5 .* It publishes /odom\."):
        settings.open(test, seed=1)
    with pytest.raises(InputError, match="No topic tells where robot 'robot' is"):
        Ros2Simulator(endpoint=world.graph.endpoint, domain=5).open(test, seed=1)


def test_two_robots_in_one_domain_each_get_their_own(world: Side, robot: Side) -> None:
    flat = World.flat(20.0, 12.0)
    for number, name in enumerate(("left", "right")):
        flat = flat.with_robot(name, robots.diff_drive(topics=f"/{name}"), at=(1.0, 4.0 + 4.0 * number))
    clock = world.graph.publisher("/clock", Clock)
    truths = {name: world.graph.publisher(f"/{name}/odom", Odometry) for name in ("left", "right")}
    commands = {name: robot.graph.publisher(f"/{name}/cmd_vel", Twist) for name in ("left", "right")}
    for name in ("left", "right"):
        world.listen(f"/{name}/cmd_vel", Twist)
        robot.listen(f"/{name}/odom", Odometry)

    def live(number: int) -> None:
        clock.publish(Clock(Time.from_ns(10**12 + number * 10_000_000)))
        for sign, name in enumerate(truths):
            truths[name].publish(Odometry(pose=PoseWithCovariance(Pose(Point(0.01 * number, sign, 0.0)))))
            commands[name].publish(Twist.drive(number, sign))

    with repeated(live, 0.01):
        done = execute(
            Scenario(flat, Mission.reach((19.0, 6.0), within_s=1.0)).disturbed(
                [Loss(name="deaf", topics=("/left/cmd_vel",), probability=1.0, when=ALWAYS)]
            ),
            Ros2Subject(endpoint=robot.graph.endpoint, domain=6, pacing=QUICK),
            Ros2Simulator(
                endpoint=world.graph.endpoint, domain=5, truth={name: f"/{name}/odom" for name in ("left", "right")}
            ),
            seed=1,
            timing=Timing(topic_default=Latency(), node_default=Latency()),
            ending=Ending(),
            metadata=Metadata(run_id="r"),
        )
    assert done.status is Status.TIMEOUT, done.trouble
    assert world.heard["/left/cmd_vel"] == []
    assert {said.angular.z for said in world.heard["/right/cmd_vel"][:-1]} == {1.0}
    assert {said.pose.pose.position.y for said in robot.heard["/left/odom"]} == {0.0}
    assert {said.pose.pose.position.y for said in robot.heard["/right/odom"]} == {1.0}
    assert done.trace.robots["right"].y_m[-1] == 1.0


def test_a_mission_is_sent_to_a_robot_whose_world_is_elsewhere(world: Side, robot: Side) -> None:
    action: Any = NavigateToPose().editions[0].action("nav2_msgs/action/NavigateToPose")
    trigger: Any = interfaces().service("std_srvs/srv/Trigger")
    robot.listen("/scan", LaserScan)
    robot.listen("/clock", Clock)
    # Active when it has seen something of its world, which it does while it warms up.
    seen = robot.heard["/scan"]
    robot.graph.serve("/lifecycle_manager/is_active", trigger, lambda _: trigger.response(len(seen) > 5, ""))

    def execute_goal(goal: Any, execution: Any) -> GoalResult:
        execution.cancelled.wait(0.3)
        return GoalResult(GoalStatus.SUCCEEDED, action.result())

    ActionServer(robot.graph, "/navigate_to_pose", action, execute_goal)
    with repeated(living(world), 0.01), repeated(commanding(robot), 0.01):
        done = run(world, robot, 20.0, goal=NavigateToPose())
    assert done.status is Status.COMPLETED, done.trouble
    assert done.trace.topic("/report").messages[0].message == "/navigate_to_pose succeeded"  # type: ignore[attr-defined]
    times = [said.clock.ns for said in robot.heard["/clock"]]
    assert times[0] >= 10**12  # the world's own time
    assert times == sorted(times)
