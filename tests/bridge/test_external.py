"""Attached to a ROS graph that is already there: observe, interpose, disturb, judge. The graph is our own server."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from stressfield.bus import Latency, Timing
from stressfield.bus.messages import Odometry, PoseStamped, Twist
from stressfield.errors import InputError
from stressfield.fuzz import Blackhole, Operation, Window
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario
from stressfield.sim.external import Direction, ExternalSimulator, Interposition
from stressfield.study import Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata
from stressfield.world import Mission, World, actors, robots

HERE = Path(__file__).parent
EXACT = Timing(topic_default=Latency(), node_default=Latency())
RELAY = (Interposition("/cmd_vel", Twist, Direction.INBOUND),)


@dataclass
class Graph:
    folder: Path
    process: subprocess.Popen[bytes]
    url: str
    robot: subprocess.Popen[bytes] | None = None

    def join(self, topic: str) -> None:
        self.robot = subprocess.Popen([sys.executable, HERE / "ros_robot.py", self.url, topic])

    def result(self) -> dict[str, object]:
        self.process.wait(timeout=20.0)
        return json.loads((self.folder / "result").read_text())


@pytest.fixture
def graph(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Graph]:
    clients, limit_s = getattr(request, "param", (2, 30.0))
    arguments = [tmp_path / "url", tmp_path / "result", str(clients), str(limit_s)]
    process = subprocess.Popen([sys.executable, HERE / "graph.py", *arguments])
    while not (tmp_path / "url").exists():
        assert process.poll() is None
        time.sleep(0.02)
    graph = Graph(tmp_path, process, (tmp_path / "url").read_text())
    yield graph
    for one in (graph.robot, process):
        if one is not None:
            one.kill()
            one.wait()


def attached(
    url: str, *disturbances: Operation, limit_s: float = 1.5, relay: tuple[Interposition, ...] = RELAY
) -> Executed:
    world = World.flat(20.0, 12.0).with_robot("mower", robots.diff_drive(), at=(1.0, 6.0))
    scenario = Scenario(world, Mission.reach((19.0, 6.0), within_s=limit_s)).disturbed(disturbances)
    simulator = ExternalSimulator(
        url=url, observed={"/pose": PoseStamped}, interposed=relay, truth={"mower": "/pose"}, silence_s=1.0
    )
    return execute(
        scenario,
        NodesSubject(lambda _: ()),
        simulator,
        seed=1,
        timing=EXACT,
        ending=Ending(),
        metadata=Metadata(run_id="r"),
    )


def test_a_null_relay_passes_everything_on_in_order(graph: Graph) -> None:
    graph.join("/cmd_vel_IN")
    relay = (*RELAY, Interposition("/odom", Odometry, Direction.OUTBOUND))
    assert [(one.listens, one.publishes) for one in relay] == [("/cmd_vel_IN", "/cmd_vel"), ("/odom", "/odom_OUT")]
    done = attached(graph.url, relay=relay)
    assert (done.status, done.trouble) == (Status.TIMEOUT, "")
    numbers = done.trace.column("/cmd_vel", "linear.z")[1].tolist()
    assert len(numbers) > 8
    assert numbers == [numbers[0] + i for i in range(len(numbers))]
    assert done.trace.truth("mower").values[-1, 0] > 1.3
    told = graph.result()
    said = told["said"]
    assert isinstance(said, dict)
    passed, sent = said["/cmd_vel"], said["/cmd_vel_IN"]
    assert passed == sent[: len(passed)]
    assert len(sent) - len(passed) <= 2
    odometry = len(done.trace.topic("/odom"))
    assert told["odometry"] >= odometry - 3 > 10
    assert "/cmd_vel/fuzzed" not in done.trace.topics


@pytest.mark.parametrize("graph", [(1, 1.5)], indirect=True)
def test_without_the_relay_the_robot_goes_as_far(graph: Graph) -> None:
    graph.join("/cmd_vel")
    told = graph.result()
    assert told["trouble"] == ""
    assert told["x_m"] == pytest.approx(1.6, abs=0.2)


def test_a_disturbance_acts_on_what_goes_through(graph: Graph) -> None:
    graph.join("/cmd_vel_IN")
    done = attached(graph.url, Blackhole(name="gone", topics=("/cmd_vel",), when=Window(start_s=0.5)))
    assert (done.status, done.trouble) == (Status.TIMEOUT, "")
    said = graph.result()["said"]
    assert isinstance(said, dict)
    assert 2 <= len(said["/cmd_vel"]) <= 7 < len(said["/cmd_vel_IN"])
    assert done.trace.truth("mower").values[-1, 0] < 1.6


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_graph_that_dies_or_freezes_makes_the_run_invalid(graph: Graph, how: signal.Signals) -> None:
    graph.join("/cmd_vel_IN")
    # what stops the graph is a child, so that it happens while the run goes on
    code = f"import os, time; time.sleep(2.0); os.kill({graph.process.pid}, {int(how)})"
    killer = subprocess.Popen([sys.executable, "-c", code])
    done = attached(graph.url, limit_s=20.0)
    killer.wait()
    assert done.status is Status.INVALID
    assert done.trouble.startswith(
        "The connection to the ROS graph was lost"
        if how is signal.SIGKILL
        else ("The ROS graph has given no sign of life for 1 s", "The ROS graph's /clock has stood still for 1 s")
    )


def test_nobody_there_is_invalid() -> None:
    done = attached("ws://127.0.0.1:9")
    assert done.status is Status.INVALID
    assert done.trouble.startswith("No rosbridge server answers at ws://127.0.0.1:9: ")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"url": "ws://x", "tick_ns": 0}, "tick_ns is 0; wanted at least 100,000"),
        ({"url": "ws://x", "clock": "sun"}, "clock is 'sun'; wanted 'graph' or 'wall'"),
        ({"url": "ws://x", "truth": {"a": "/odom"}}, "The truth of robot 'a' comes from '/odom', which is not among"),
        ({"url": "ws://x", "interposed": RELAY * 2}, "A topic is interposed or commanded twice: /cmd_vel"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        ExternalSimulator(**options)  # type: ignore[arg-type]


def test_worlds_with_actors_are_refused() -> None:
    world = World.flat(5.0, 5.0).with_robot("r", robots.diff_drive(), at=(1.0, 1.0))
    world = world.with_actor("ann", actors.person(), at=(3.0, 3.0))
    told = r"The world has actors \('ann'\), which a ROS graph elsewhere cannot be told to move. Use the kinematic"
    with pytest.raises(InputError, match=told):
        ExternalSimulator(url="ws://localhost:1").open(Scenario(world, Mission(limit_s=1.0)), seed=1)


def test_an_address_of_something_else_is_refused() -> None:
    with pytest.raises(InputError, match="wanted one such as ws://localhost:9090"):
        attached("http://localhost:9090")
