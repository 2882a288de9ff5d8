"""Attached to a ROS graph that is already there: observe, interpose, disturb, judge. The graph is a stand-in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bridge.stand_in import StandIn
from tests.bridge.stand_in_nodes import Node

from stressfield.bridge._json_message import from_json, to_json
from stressfield.bus import Latency, Message, Timing, encode
from stressfield.bus.messages import (
    Header,
    LaserScan,
    OccupancyGrid,
    Odometry,
    PointCloud2,
    PoseStamped,
    RangeMsg,
    StringMsg,
    TFMessage,
    Time,
    Twist,
    TwistStamped,
)
from stressfield.errors import InputError
from stressfield.fuzz import Blackhole, NotANumber, Operation, Window
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario
from stressfield.sim.external import Direction, ExternalSimulator, GraphLink, Interposition
from stressfield.study import Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata
from stressfield.world import Mission, World, actors, robots

EXACT = Timing(topic_default=Latency(), node_default=Latency())
RELAY = Interposition("/cmd_vel", Twist, Direction.INBOUND)
SCANS = Interposition("/scan", LaserScan, Direction.OUTBOUND)


def scenario(limit_s: float = 0.5, disturbances: Sequence[Operation] = ()) -> Scenario:
    world = World.flat(20.0, 12.0).with_robot("mower", robots.diff_drive(), at=(1.0, 6.0))
    return Scenario(world, Mission.reach((19.0, 6.0), within_s=limit_s)).disturbed(disturbances)


def attached(
    graph: StandIn | str,
    *disturbances: Operation,
    limit_s: float = 0.5,
    relay: tuple[Interposition, ...] = (RELAY,),
    observed: dict[str, type[Message]] | None = None,
    **options: Any,
) -> Executed:
    simulator = ExternalSimulator(
        url=graph if isinstance(graph, str) else graph.url,
        observed={"/pose": PoseStamped, **(observed or {})},
        interposed=relay,
        truth={"mower": "/pose"},
        **{"silence_s": 1.5, "ready_timeout_s": 1.5, "max_lag_s": 5.0, "watchdog_s": None, **options},
    )
    return execute(
        scenario(limit_s, disturbances),
        NodesSubject(lambda _: ()),
        simulator,
        seed=1,
        timing=EXACT,
        ending=Ending(),
        metadata=Metadata(run_id="r"),
    )


def scanner(graph: StandIn, ranges: list[float], *, period_s: float = 0.05) -> Node:
    """A lidar, and a planner that hears what the rig passes on."""
    lidar = graph.node("/lidar", publishes={"/scan": "sensor_msgs/msg/LaserScan"})
    graph.node("/planner").subscribe("/scan_OUT", "sensor_msgs/msg/LaserScan", lambda _: None)
    stamp = {"header": {"stamp": {"sec": 3, "nanosec": 700}}}
    lidar.every(period_s, lambda: lidar.publish("/scan", {**stamp, "ranges": ranges}))
    return lidar


def during_the_run(graph: StandIn, work: Callable[[], object], *, passed_on: str = "/cmd_vel") -> None:
    """Do something when the rig has begun to pass messages on."""

    def wait() -> None:
        until_s = time.monotonic() + 20.0
        while len(graph.received[passed_on]) < 3 and time.monotonic() < until_s:
            time.sleep(0.02)
        work()

    threading.Thread(target=wait, daemon=True).start()


# passing on -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ros", [1, 2])
def test_a_null_relay_passes_everything_on_in_order(ros: int) -> None:
    with StandIn(ros=ros) as graph:
        yard = graph.sim()
        done = attached(graph)
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")
        numbers = done.trace.column("/cmd_vel", "linear.z")[1].tolist()
        assert len(numbers) >= 7
        assert numbers == [numbers[0] + i for i in range(len(numbers))]
        passed = [made["linear"]["z"] for made in graph.received["/cmd_vel"]]
        assert passed[:-1] in (numbers, numbers[:-1])  # what came in the last tick is recorded and not sent any more
        assert passed[-1] == 0.0  # the last safe command
        assert done.trace.truth("mower").values[-1, 0] > 1.1
        assert "/cmd_vel/fuzzed" not in done.trace.topics
        assert graph.log == []
        assert yard.sent


def test_a_disturbance_acts_on_what_goes_through() -> None:
    with StandIn() as graph:
        graph.sim()
        done = attached(graph, Blackhole(name="gone", topics=("/cmd_vel",), when=Window(start_s=0.2)))
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")
        assert 2 <= len(graph.received["/cmd_vel"]) <= 6 < len(done.trace.topic("/cmd_vel"))


@pytest.mark.parametrize("ros", [1, 2])
def test_a_relayed_scan_arrives_with_its_infinities_and_its_stamp(ros: int) -> None:
    with StandIn(ros=ros) as graph:
        graph.sim()
        scanner(graph, [1.0, inf, -inf, nan])
        done = attached(graph, relay=(SCANS,))
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")
        got = graph.received["/scan_OUT"]
        assert len(got) >= 7
        assert got[0]["ranges"][:3] == [1.0, inf, -inf]
        assert isnan(got[0]["ranges"][3])
        assert got[0]["header"]["stamp"] == {"sec": 3, "nanosec": 700}
        assert graph.log == []


def test_a_scan_that_the_server_cannot_take_is_never_recorded_as_delivered() -> None:
    with StandIn(parser="strict") as graph:
        graph.sim()
        scanner(graph, [1.0, inf])
        done = attached(graph, relay=(SCANS,))
        assert done.status is Status.INVALID
        assert done.trouble.startswith(
            "A message on /scan_OUT has infinity in 'ranges[1]', which this rosbridge server cannot take: it would be "
            "refused without a word. It was not sent"
        )
        assert graph.received["/scan_OUT"] == []
        assert done.notes == ("The graph is of ROS 2; its server sends CBOR, takes neither infinity nor NaN.",)


def test_a_null_that_might_be_anything_is_not_passed_on() -> None:
    with StandIn(cbor=False) as graph:
        graph.sim()
        scanner(graph, [1.0, inf])
        done = attached(graph, relay=(SCANS,))
        assert done.status is Status.INVALID
        assert "/scan has null in 'ranges[1]': this server says so of NaN and of the infinities alike" in done.trouble


@pytest.mark.parametrize("parser", ["python", "strict"])
def test_a_disturbance_with_nan_is_delivered_or_the_run_is_invalid(parser: str) -> None:
    with StandIn(parser=parser) as graph:
        graph.sim()
        done = attached(graph, NotANumber(name="n", topics=("/cmd_vel",), path="angular.z", when=Window(start_s=0.2)))
        got = [made["angular"]["z"] for made in graph.received["/cmd_vel"]]
        if parser == "python":
            assert (done.status, done.trouble) == (Status.TIMEOUT, "")
            delivered = done.trace.column("/cmd_vel/fuzzed", "angular.z")[1]
            assert sum(map(isnan, got)) in {np.isnan(delivered).sum(), np.isnan(delivered).sum() - 1}
            assert sum(map(isnan, got)) >= 3
        else:
            assert done.status is Status.INVALID
            assert done.trouble.startswith("A message on /cmd_vel has NaN in 'angular.z', which this rosbridge server")
            assert not any(map(isnan, got))


def test_what_was_latched_before_the_run_belongs_to_it() -> None:
    with StandIn() as graph:
        graph.sim()
        frames, kinds = {}, {"/tf_static": "tf2_msgs/msg/TFMessage", "/name": "std_msgs/msg/String"}
        for number in (1, 2):
            frames[number] = graph.node(f"/robot{number}", publishes=kinds)
            child = {"child_frame_id": f"lidar{number}", "header": {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": "b"}}
            zero = graph.conversion.zero("geometry_msgs/msg/TransformStamped")
            frames[number].publish("/tf_static", {"transforms": [{**zero, **child}]}, latch=True)
        frames[1].publish("/name", {"data": "old"}, latch=True)
        frames[1].publish("/name", {"data": "new"}, latch=True)
        done = attached(graph, limit_s=0.1, observed={"/tf_static": TFMessage, "/name": StringMsg})
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")
        static = done.trace.topic("/tf_static")
        assert [message.transforms[0].child_frame_id for message in static.messages] == ["lidar1", "lidar2"]
        assert [message.data for message in done.trace.topic("/name").messages] == ["new"]
        assert static.publish_time_ns.tolist() == [0, 0]


def test_a_latched_map_is_relayed_and_latched_again() -> None:
    with StandIn() as graph:
        graph.sim()
        server = graph.node("/map_server", publishes={"/map": "nav_msgs/msg/OccupancyGrid"})
        server.publish("/map", {"data": [0, 100, -1]}, latch=True)
        graph.node("/planner").subscribe("/map_OUT", "nav_msgs/msg/OccupancyGrid", lambda _: None)
        done = attached(graph, limit_s=0.1, relay=(Interposition("/map", OccupancyGrid, Direction.OUTBOUND),))
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")
        assert [made["data"] for made in graph.topics["/map_OUT"].latched.values()] == [[0, 100, -1]]


def test_two_megabytes_come_as_they_are_and_do_not_make_the_graph_look_dead() -> None:
    data = np.random.default_rng(1).integers(0, 256, 2_000_000, dtype=np.uint8)
    with StandIn() as graph:
        graph.sim()
        camera = graph.node("/camera", publishes={"/points": "sensor_msgs/msg/PointCloud2"})
        values = data.tolist()
        during_the_run(graph, lambda: camera.publish("/points", {"data": values}))
        done = attached(graph, limit_s=2.0, observed={"/points": PointCloud2})
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")
        assert done.trace.topic("/points").messages[0].data.tobytes() == data.tobytes()


def test_a_cloud_is_read_at_once_not_byte_by_byte() -> None:
    cloud = PointCloud2(data=np.arange(2_000_000, dtype=np.uint8))
    said = json.loads(to_json(cloud))
    begin = time.process_time()
    again = from_json(PointCloud2, said)
    fast = time.process_time() - begin
    assert encode(again) == encode(cloud)
    begin = time.process_time()
    list(map(float, range(len(cloud.data))))  # a loop over its bytes, as plain as can be
    assert fast < time.process_time() - begin


# what is not as the study says ----------------------------------------------------------------------------------------


def told_by(graph: StandIn, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        attached(graph, **options)
    return str(caught.value)


def test_a_forgotten_remap_is_said() -> None:
    with StandIn() as graph:
        graph.sim(remapped=False)
        assert told_by(graph) == (
            "/controller publishes '/cmd_vel' itself, past the rig; wanted it on '/cmd_vel_IN'. Remap it in its launch "
            "file: /cmd_vel:=/cmd_vel_IN."
        )


def test_subscribers_that_were_not_remapped_are_said() -> None:
    with StandIn() as graph:
        graph.sim()
        graph.node("/lidar", publishes={"/scan": "sensor_msgs/msg/LaserScan"})
        graph.node("/planner").subscribe("/scan", "sensor_msgs/msg/LaserScan", lambda _: None)
        done = attached(graph, relay=(SCANS,))
        assert done.status is Status.INVALID
        assert done.trouble == (
            "Nobody hears '/scan_OUT', but /planner hears '/scan' itself, past the rig. Remap it in its launch file: "
            "/scan:=/scan_OUT."
        )


def test_a_missing_topic_is_said() -> None:
    with StandIn() as graph:
        graph.sim()
        done = attached(graph, observed={"/poze": PoseStamped})
        assert done.status is Status.INVALID
        assert done.trouble.startswith("The ROS graph has no topic '/poze'. It has: ")
        assert done.trouble.endswith("Did you mean '/pose'?")


@pytest.mark.parametrize("ros", [1, 2])
def test_a_wrong_type_is_said(ros: int) -> None:
    with StandIn(ros=ros) as graph:
        graph.sim()
        graph.node("/other", publishes={"/odom": "geometry_msgs/msg/PoseStamped"})
        assert told_by(graph, observed={"/odom": Odometry}) == (
            "'/odom' is geometry_msgs/PoseStamped on the ROS graph; the study has nav_msgs/Odometry."
        )


def test_a_type_of_another_version_is_said() -> None:
    with StandIn(ros=1) as graph:
        graph.sim()
        graph.node("/sonar", publishes={"/range": "sensor_msgs/msg/Range"})
        relay = Interposition("/range", RangeMsg, Direction.OUTBOUND)
        assert "sensor_msgs/Range has no field 'variance' on the ROS graph: it has " in told_by(graph, relay=(relay,))
    with StandIn(ros=2) as graph:
        graph.sim()
        assert attached(graph, limit_s=0.1).status is Status.TIMEOUT


def test_a_second_rig_is_said_and_the_first_goes_on() -> None:
    with StandIn() as graph:
        graph.sim()
        runs: list[Executed] = []
        first = threading.Thread(target=lambda: runs.append(attached(graph, limit_s=4.0)))
        first.start()
        while not graph.received["/cmd_vel"]:
            time.sleep(0.02)
        told = told_by(graph)
        first.join()
        assert told.startswith(f"Another rig is on the ROS graph at {graph.url} already: process {os.getpid()} on ")
        assert told.endswith("Use --jobs 1, or give every worker a graph of its own.")
        assert (runs[0].status, runs[0].trouble) == (Status.TIMEOUT, "")


def test_a_graph_without_rosapi_is_said_unless_it_was_said_to_be_fine() -> None:
    with StandIn(rosapi=False) as graph:
        graph.sim()
        done = attached(graph)
        assert done.status is Status.INVALID
        assert "has no rosapi" in done.trouble
        assert done.trouble.endswith("or say checked=False.")
        done = attached(graph, checked=False)
        assert done.status is Status.TIMEOUT
        assert done.notes[1] == "Topics and types of the graph were not checked."


# what dies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["die", "freeze"])
def test_a_server_that_dies_or_freezes_makes_the_run_invalid(how: str) -> None:
    with StandIn() as graph:
        graph.sim()
        during_the_run(graph, graph.die if how == "die" else lambda: graph.freeze(4.0))
        done = attached(graph, limit_s=20.0)
        assert done.status is Status.INVALID
        assert done.trouble.startswith(
            "The connection to the ROS graph was lost"
            if how == "die"
            else (
                "The ROS graph has given no sign of life for 1.5 s",
                "The ROS graph's /clock has stood still for 1.5 s",
                "The ROS graph's rosbridge server is more than 1 s behind",
            )
        )


def test_a_server_that_reads_too_slowly_makes_the_run_invalid() -> None:
    with StandIn() as graph:
        graph.sim()
        scanner(graph, [1.0], period_s=0.02)
        during_the_run(graph, lambda: setattr(graph, "read_delay_s", 0.2), passed_on="/scan_OUT")
        done = attached(graph, limit_s=20.0, relay=(SCANS,), max_lag_s=1.0)
        assert done.status is Status.INVALID
        assert done.trouble.startswith(
            "The ROS graph's rosbridge server is more than 1 s behind with what is sent to it"
        )


def test_a_controller_that_leaves_the_graph_is_noticed() -> None:
    with StandIn() as graph:
        yard = graph.sim()
        during_the_run(graph, yard.controller.kill)
        done = attached(graph, limit_s=20.0)
        assert done.status is Status.SUBJECT_CRASH
        assert done.trouble == "/controller, which published '/cmd_vel_IN', has left the ROS graph during the run."
        assert graph.received["/cmd_vel"][-1]["linear"]["x"] == yard.speed_mps == 0.0


def test_a_controller_that_falls_silent_is_noticed() -> None:
    with StandIn(ros=1) as graph:
        yard = graph.sim()
        during_the_run(graph, lambda: yard.controller.kill(deregister=False))
        done = attached(graph, limit_s=20.0)
        assert done.status is Status.SUBJECT_CRASH
        assert done.trouble.startswith(
            "The controller fell silent: nothing on /cmd_vel_IN for 1.5 s, and its last command"
        )


def test_one_that_may_pause_may() -> None:
    with StandIn(ros=1) as graph:
        yard = graph.sim()
        during_the_run(graph, lambda: yard.controller.kill(deregister=False))
        done = attached(graph, limit_s=2.0, may_pause=True, silence_s=1.0)
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")


# leaving --------------------------------------------------------------------------------------------------------------


def test_when_the_rig_leaves_the_robot_stands() -> None:
    with StandIn() as graph:
        yard = graph.sim()
        attached(graph)
        assert yard.speed_mps == 0.0


def test_the_last_command_is_what_the_study_says() -> None:
    with StandIn() as graph:
        yard = graph.sim()
        attached(graph, safe_commands={"/cmd_vel": Twist.drive(-0.1, 0.0)})
        assert yard.speed_mps == -0.1
        attached(graph, safe_commands={})
        assert yard.speed_mps == 0.5


RIG = """
import sys
from tests.bridge.test_external import attached
done = attached(sys.argv[1], limit_s=60.0, watchdog_s=0.4)
print(done.status.value, done.trouble)
"""


def rig(graph: StandIn) -> subprocess.Popen[bytes]:
    """A rig in a process of its own that is in the middle of a run."""
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", RIG, graph.url], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not graph.received["/cmd_vel"]:
        assert process.poll() is None
        time.sleep(0.02)
    return process


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_when_the_rig_is_killed_or_frozen_the_watchdog_stops_the_robot(how: signal.Signals) -> None:
    with StandIn() as graph:
        yard = graph.sim()
        process = rig(graph)
        assert yard.speed_mps == 0.5
        process.send_signal(how)
        until_s = time.monotonic() + 10.0
        while yard.speed_mps != 0.0 and time.monotonic() < until_s:
            time.sleep(0.02)
        assert yard.speed_mps == 0.0
        process.send_signal(signal.SIGCONT)
        said = process.communicate(timeout=20.0)[0].decode()
        assert how is signal.SIGKILL or "the watchdog stopped the robot. The run says nothing about it" in said
        if how is signal.SIGKILL:
            assert "/stressfield/rig" in graph.offered, "its place on the graph is still there, but it is nobody's"
            assert attached(graph, limit_s=0.1).status is Status.TIMEOUT
        assert "/stressfield/rig" not in graph.offered


def test_ctrl_c_ends_the_run_at_once_and_stops_the_robot() -> None:
    with StandIn() as graph:
        yard = graph.sim()
        process = rig(graph)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20.0)
        assert b"KeyboardInterrupt" in errors
        assert b"never awaited" not in errors
        assert b"destroyed" not in errors
        assert yard.speed_mps == 0.0


# before a run ---------------------------------------------------------------------------------------------------------


def test_a_graph_is_reset_before_every_run() -> None:
    with StandIn() as graph:
        yard = graph.sim()
        graph.services["/reset"] = lambda _: yard.__dict__.update(x_m=5.0) or {"success": True}
        graph.node("/amcl").subscribe("/initialpose", "geometry_msgs/msg/PoseStamped", lambda _: None)

        def reset(link: GraphLink, scenario: Scenario) -> None:
            assert link.call("/reset", {"to": scenario.world.robots[0].robot.name}) == {"success": True}
            link.publish("/initialpose", PoseStamped(Header(Time(1), "map")))
            time.sleep(0.5)  # longer than the watchdog waits: before the run there is nothing to stop

        for _ in range(2):
            done = attached(graph, limit_s=0.1, reset=reset, watchdog_s=0.3)
            assert (done.status, done.trouble) == (Status.TIMEOUT, "")
            assert done.trace.truth("mower").values[0, 0] == pytest.approx(5.0, abs=0.1)
        assert graph.calls == [("/reset", {"to": "mower"})] * 2
        assert [made["header"]["frame_id"] for made in graph.received["/initialpose"]] == ["map", "map"]


def test_a_reset_that_fails_makes_the_run_invalid() -> None:
    with StandIn() as graph:
        graph.sim()
        done = attached(graph, reset=lambda link, _: link.call("/gazebo/reset") and None)
        assert done.status is Status.INVALID
        assert done.trouble.startswith("The service /gazebo/reset of the ROS graph failed: ")
        done = attached(graph, reset=lambda *_: 1 / 0)
        assert done.status is Status.INVALID
        assert done.trouble.startswith("The reset of the ROS graph crashed: ZeroDivisionError")


# bad input ------------------------------------------------------------------------------------------------------------


def test_nobody_there_is_invalid() -> None:
    done = attached("ws://127.0.0.1:9")
    assert done.status is Status.INVALID
    assert done.trouble.startswith("No rosbridge server answers at ws://127.0.0.1:9: ")


def test_a_wrong_token_is_said() -> None:
    with StandIn(token="right") as graph:
        graph.sim()
        assert told_by(graph, token="wrong") == (
            f"The rosbridge server at {graph.url} refuses the token that it was given (HTTP 401). Give the right one "
            "as token=..."
        )
        assert "refuses a client without a token" in told_by(graph)
        assert attached(graph, token="right", watchdog_s=5.0).status is Status.TIMEOUT


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"tick_ns": 0}, "tick_ns is 0; wanted at least 100,000"),
        ({"clock": "sun"}, "clock is 'sun'; wanted 'graph' or 'wall'"),
        ({"watchdog_s": 0.0}, "watchdog_s is 0.0; wanted more than zero"),
        ({"truth": {"a": "/odom"}}, "The truth of robot 'a' comes from '/odom', which is not among"),
        ({"interposed": (RELAY, RELAY)}, "A topic is interposed or commanded twice: /cmd_vel"),
        (
            {"interposed": (RELAY,), "safe_commands": {"/cmd_vle": Twist()}},
            "A safe command is for '/cmd_vle', which is neither .* Did you mean '/cmd_vel'",
        ),
        (
            {"interposed": (RELAY,), "safe_commands": {"/cmd_vel": TwistStamped()}},
            "The safe command for '/cmd_vel' is a TwistStamped; wanted Twist",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        ExternalSimulator(url="ws://x", **options)


def test_worlds_with_actors_are_refused() -> None:
    world = World.flat(5.0, 5.0).with_robot("r", robots.diff_drive(), at=(1.0, 1.0))
    world = world.with_actor("ann", actors.person(), at=(3.0, 3.0))
    told = r"The world has actors \('ann'\), which a ROS graph elsewhere cannot be told to move. Use the kinematic"
    with pytest.raises(InputError, match=told):
        ExternalSimulator(url="ws://localhost:1").open(Scenario(world, Mission(limit_s=1.0)), seed=1)


def test_an_address_of_something_else_is_refused() -> None:
    with pytest.raises(InputError, match="wanted one such as ws://localhost:9090"):
        attached("http://localhost:9090")
