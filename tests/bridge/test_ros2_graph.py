"""A graph of ROS 2 over zenoh. The peer is zenoh-ros2-sdk, which others wrote; actions, which it has not, are tried
between two graphs of ours, and prove only that we agree with ourselves and with the published type hashes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.bus.test_interface import NAVIGATE

from stressfield.bridge.ros2.action import ActionClient, ActionServer, GoalResult, GoalStatus, wait_for_server
from stressfield.bridge.ros2.graph import Received, Ros2Graph
from stressfield.bridge.ros2.wire import Attachment, Identity, Qos, Role, gid_of, key_of, read_token
from stressfield.bus import Action, Interfaces, Service
from stressfield.bus.messages import LaserScan, StringMsg, Twist
from stressfield.errors import InputError, MalformedError, RigError

PEER = """
import sys, threading
from zenoh_ros2_sdk import ROS2Publisher, ROS2ServiceClient, ROS2ServiceServer, ROS2Subscriber
port = int(sys.argv[1])
text = dict(msg_definition="string data\\n", domain_id=7, router_port=port)
add = dict(request_definition="int64 a\\nint64 b\\n", response_definition="int64 sum\\n", domain_id=7, router_port=port)
talk = ROS2Publisher("/chatter", "std_msgs/msg/String", **text)
hear = ROS2Subscriber("/back", "std_msgs/msg/String", callback=lambda m: talk.publish(data="heard " + m.data), **text)
server = ROS2ServiceServer("/theirs", "example_interfaces/srv/AddTwoInts",
                           callback=lambda r: server.response_msg_class(sum=r.a + r.b), **add)
client = ROS2ServiceClient("/ours", "example_interfaces/srv/AddTwoInts", **add)
def ask(message):
    talk.publish(data=f"sum {client.call(a=2, b=40).sum}")
def answer(message):  # a call waits for its answer, which the thread of this callback would have to bring
    threading.Thread(target=ask, args=(message,)).start()
asked = ROS2Subscriber("/ask", "std_msgs/msg/String", callback=answer, **text)
talk.publish(data="hello")
threading.Event().wait()
"""


@pytest.fixture
def graph() -> Iterator[Ros2Graph]:
    with Ros2Graph.routed(domain=7) as made:
        yield made


@pytest.fixture
def robot(graph: Ros2Graph) -> Iterator[Ros2Graph]:
    with Ros2Graph.joined(graph.endpoint, domain=7, node="robot") as made:
        yield made


@pytest.fixture
def peer(graph: Ros2Graph) -> Iterator[subprocess.Popen[bytes]]:
    port = graph.endpoint.rpartition(":")[2]
    process = subprocess.Popen([sys.executable, "-c", PEER, port], stderr=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


def add_service() -> Service:
    interfaces = Interfaces()
    interfaces.add_text("example_interfaces/srv/AddTwoInts", "int64 a\nint64 b\n---\nint64 sum\n")
    return interfaces.service("example_interfaces/srv/AddTwoInts")


def navigate() -> Action:
    interfaces = Interfaces()
    interfaces.add_text("builtin_interfaces/msg/Duration", "int32 sec\nuint32 nanosec\n")
    interfaces.add_text("nav2_msgs/action/NavigateToPose", NAVIGATE)
    return interfaces.action("nav2_msgs/action/NavigateToPose")


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30.0
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_a_node_of_another_implementation_is_seen_heard_answered_and_missed(
    graph: Ros2Graph, peer: subprocess.Popen[bytes]
) -> None:
    heard: list[Received] = []
    service: Any = add_service()
    graph.subscribe("/chatter", StringMsg, heard.append)
    graph.serve("/ours", service, lambda request: service.response(request.a + request.b))
    back, ask = graph.publisher("/back", StringMsg), graph.publisher("/ask", StringMsg)
    listener = graph.wait_for(Role.SUBSCRIBER, "/ask", within_s=30.0)
    assert (listener.type_name, listener.qos.reliable) == ("std_msgs/msg/String", True)
    assert listener.hash == "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
    graph.wait_for(Role.SUBSCRIBER, "/back", within_s=30.0)
    back.publish(StringMsg("it"))
    until(lambda: any(r.message.data == "heard it" for r in heard))  # type: ignore[attr-defined]
    ask.publish(StringMsg(""))
    until(lambda: any(r.message.data == "sum 42" for r in heard))  # type: ignore[attr-defined]
    assert len({r.gid for r in heard}) == 1
    assert len(heard[0].gid) == 16
    assert graph.call("/theirs", service, service.request(3, 4), within_s=10.0).sum == 7
    assert graph.troubles == ()
    peer.kill()
    until(lambda: not graph.endpoints())


def test_a_wrong_type_a_missing_name_and_a_second_rig_are_said(graph: Ros2Graph, robot: Ros2Graph) -> None:
    graph.subscribe("/cmd_vel", Twist, lambda received: pytest.fail("not a Twist"))
    publisher = robot.publisher("/cmd_vel", StringMsg)

    def said() -> bool:
        publisher.publish(StringMsg("go"))  # again and again: the first may be sent before anyone listens
        return len(graph.troubles) == 2 and bool(robot.troubles)

    until(said)
    assert set(graph.troubles) == {
        "Somebody publishes std_msgs::msg::dds_::String_ on /cmd_vel; wanted geometry_msgs::msg::dds_::Twist_.",
        "/cmd_vel is std_msgs/msg/String to /robot and geometry_msgs/msg/Twist here: they do not meet.",
    }
    assert robot.troubles == (
        "/cmd_vel is geometry_msgs/msg/Twist to /stressfield and std_msgs/msg/String here: they do not meet.",
    )
    with pytest.raises(InputError, match=r"Nobody publishes /cmd_vell .* Did you mean '/cmd_vel'\?"):
        graph.wait_for(Role.PUBLISHER, "/cmd_vell", within_s=0.1)
    with pytest.raises(InputError, match="Another /stressfield is on domain 7"):
        Ros2Graph.joined(graph.endpoint, domain=7)
    with pytest.raises(InputError, match=r"Cannot be the router on .* Is another one there\?"):
        Ros2Graph.routed(domain=7, port=int(graph.endpoint.rpartition(":")[2]))


def test_who_joins_late_gets_what_is_latched_and_other_domains_hear_nothing(graph: Ros2Graph) -> None:
    latched = Qos(transient_local=True, depth=1)
    publisher = graph.publisher("/map", StringMsg, latched)
    publisher.publish(StringMsg("old"))
    publisher.publish(StringMsg("new"))
    heard: list[Received] = []
    elsewhere: list[Received] = []
    with (
        Ros2Graph.joined(graph.endpoint, domain=7, node="late") as late,
        Ros2Graph.joined(graph.endpoint, domain=8, node="late") as other,
    ):
        late.subscribe("/map", StringMsg, heard.append, latched)
        other.subscribe("/map", StringMsg, elsewhere.append, latched)
        until(lambda: bool(heard))
        assert [r.message.data for r in heard] == ["new"]  # type: ignore[attr-defined]
        assert other.endpoints() == ()
        assert elsewhere == []


def test_a_goal_succeeds_aborts_is_cancelled_and_is_rejected(graph: Ros2Graph, robot: Ros2Graph) -> None:
    action: Any = navigate()

    def execute(goal: Any, execution: Any) -> GoalResult:
        if goal.behavior_tree == "abort":
            return GoalResult(GoalStatus.ABORTED, action.result(error_code=7, error_msg="no way"))
        if goal.behavior_tree == "crash":
            raise ValueError("lost")
        if goal.behavior_tree == "wait":
            execution.cancelled.wait(30.0)
            return GoalResult(GoalStatus.CANCELED, action.result())
        execution.feedback(action.feedback(distance_remaining=2.5))
        return GoalResult(GoalStatus.SUCCEEDED, action.result())

    ActionServer(robot, "/navigate_to_pose", action, execute, accept=lambda goal: goal.behavior_tree != "reject")
    client = ActionClient(graph, "/navigate_to_pose", action)
    wait_for_server(graph, "/navigate_to_pose", action, within_s=10.0)
    heard: list[Any] = []
    assert client.send(action.goal(), feedback=heard.append).result(within_s=10.0).status is GoalStatus.SUCCEEDED
    until(lambda: [feedback.distance_remaining for feedback in heard] == [2.5])
    aborted = client.send(action.goal(behavior_tree="abort")).result(within_s=10.0)
    assert (aborted.status, aborted.result.error_msg) == (GoalStatus.ABORTED, "no way")
    assert client.send(action.goal(behavior_tree="crash")).result(within_s=10.0).status is GoalStatus.ABORTED
    waiting = client.send(action.goal(behavior_tree="wait"))
    assert waiting.cancel()
    assert waiting.result(within_s=10.0).status is GoalStatus.CANCELED
    assert not waiting.cancel()
    with pytest.raises(InputError, match="The goal was rejected by the action server of /navigate_to_pose"):
        client.send(action.goal(behavior_tree="reject"))


def test_a_service_that_fails_or_is_another_is_told(graph: Ros2Graph, robot: Ros2Graph) -> None:
    service: Any = add_service()
    robot.serve("/add", service, lambda request: 1 // 0)
    with pytest.raises(RigError, match=r"/robot could not answer /add: .*integer division"):
        graph.call("/add", service, service.request(1, 2))
    interfaces = Interfaces()
    interfaces.add_text("std_srvs/srv/Trigger", "---\nbool success\nstring message\n")
    trigger: Any = interfaces.service("std_srvs/srv/Trigger")
    with pytest.raises(InputError, match=r"offers /add as example_interfaces/srv/AddTwoInts; wanted std_srvs/srv/Trig"):
        graph.call("/add", trigger, trigger.request())


def test_nobody_routes() -> None:
    with pytest.raises(InputError, match=r"No zenoh router answers at tcp/127\.0\.0\.1:9 "):
        Ros2Graph.joined("tcp/127.0.0.1:9")


def test_keys_tokens_and_attachments_are_those_of_the_wire() -> None:
    assert key_of(0, "/robot/scan", LaserScan.ros_type, "RIHS01_x") == (
        "0/robot/scan/sensor_msgs::msg::dds_::LaserScan_/RIHS01_x"
    )
    identity = Identity(2, "abc", 0, "/fleet", "rig")
    assert identity.token == "@ros2_lv/2/abc/0/0/NN/%/%fleet/rig"
    token = identity.endpoint_token(5, Role.PUBLISHER, "/a/b", (Twist.ros_type, "H"), Qos())
    assert token == "@ros2_lv/2/abc/0/5/MP/%/%fleet/rig/%a%b/geometry_msgs::msg::dds_::Twist_/H/::,10:,:,:,,"
    found = read_token(token)
    assert (found.kind, found.node, found.name, found.type_name) == (
        Role.PUBLISHER,
        "/fleet/rig",
        "/a/b",
        Twist.ros_type,
    )
    assert Qos(reliable=False, transient_local=True, depth=1).text == "2:1:,1:,:,:,,"
    assert Qos.parse("2:1:,1:,:,:,,") == Qos(reliable=False, transient_local=True, depth=1)
    said = Attachment(1, 2, gid_of(token))
    assert len(said.pack()) == 33
    assert said.pack()[:17] == (1).to_bytes(8, "little") + (2).to_bytes(8, "little") + b"\x10"
    assert Attachment.unpack(said.pack()) == said
    for wrong in ("nonsense", "@ros2_lv/2/abc/0/5/XX/%/%/rig", "@ros2_lv/2/abc/0/5/MP/%/%/rig/%a"):
        with pytest.raises(MalformedError):
            read_token(wrong)
    with pytest.raises(MalformedError):
        Attachment.unpack(b"short")
    with pytest.raises(InputError, match="ROS_DOMAIN_ID 300 cannot be"):
        Identity(300, "abc", 0, "", "rig")
