"""How long the rig between two domains of ROS 2 delays what passes, against a bare relay; how fast clouds are read.

    python benchmarks/bench_ros2.py [--seconds 6] [--rounds 3]

Twists go from the robot's domain to the world's 1,000 times a second, scans the other way 40 times a second. Bare relay
and rig take turns in one run, so that whatever else the machine does is the same for both. Exit code 1 if the median
added delay is above 2 ms, its 99th percentile above 10 ms, or clouds are decoded slower than 500 MB/s.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from stressfield.bridge import Ros2Graph
from stressfield.bridge.ros2.wire import described
from stressfield.bus import Latency, Message, Timing, decode, encode
from stressfield.bus.messages import LaserScan, Odometry, PointCloud2, Twist
from stressfield.run import execute
from stressfield.scenario import Scenario
from stressfield.sim.external import Ros2Simulator
from stressfield.study import Ending
from stressfield.subject import Pacing, Ros2Subject
from stressfield.trace import Metadata
from stressfield.world import Mission, World, robots

WORLD, ROBOT = 1, 2
TWISTS_HZ, SCANS_HZ = 1000.0, 40.0
MEDIAN_MS, P99_MS, DECODE_MBPS = 2.0, 10.0, 500.0


def peers(link: Connection) -> None:
    """World and robot: routers, senders and receivers. Told ``("measure", seconds)`` it answers with delays in s."""
    world, robot = Ros2Graph.routed(domain=WORLD, node="world"), Ros2Graph.routed(domain=ROBOT, node="robot")
    sent: dict[str, dict[float, float]] = {"twist": {}, "scan": {}}
    delays: dict[str, list[float]] = {"twist": [], "scan": []}

    def heard(name: str, number: float) -> None:
        at = sent[name].pop(number, None)
        if at is not None:
            delays[name].append(time.perf_counter() - at)

    world.subscribe("/cmd_vel", Twist, lambda got: heard("twist", got.message.linear.x))  # type: ignore[attr-defined]
    robot.subscribe("/scan", LaserScan, lambda got: heard("scan", float(got.message.scan_time)))  # type: ignore[attr-defined]
    twists, scans = robot.publisher("/cmd_vel", Twist), world.publisher("/scan", LaserScan)
    odometry = world.publisher("/odom", Odometry)
    ranges = np.linspace(0.1, 10.0, 1080, dtype=np.float32)
    measured = threading.Event()

    def repeat(name: str, rate_hz: float, send: Any) -> None:
        begin, number = time.perf_counter(), 0
        while True:
            number += 1
            key = float(number % 1_000_000)
            if measured.is_set():
                sent[name][key] = time.perf_counter()
            send(key)
            left = begin + number / rate_hz - time.perf_counter()
            if left > 0.0:
                time.sleep(left)

    def send_scan(key: float) -> None:
        scans.publish(LaserScan(scan_time=key, ranges=ranges))
        odometry.publish(Odometry())

    for name, rate, send in (("twist", TWISTS_HZ, lambda key: twists.publish(Twist.drive(key, 0.0))),
                             ("scan", SCANS_HZ, send_scan)):  # fmt: skip
        threading.Thread(target=repeat, args=(name, rate, send), daemon=True).start()
    link.send((world.endpoint, robot.endpoint))
    while True:
        seconds = link.recv()
        if seconds is None:
            os._exit(0)  # in the middle of messages: nothing is worth an orderly end
        for each in (*sent.values(), *delays.values()):
            each.clear()
        measured.set()
        time.sleep(seconds)
        measured.clear()
        time.sleep(0.5)
        link.send({name: list(found) for name, found in delays.items()})


def bare(link: Connection, world_at: str, robot_at: str) -> None:
    """The least that a relay can do: bytes in, bytes out."""
    world = Ros2Graph.joined(world_at, domain=WORLD, node="relay")
    robot = Ros2Graph.joined(robot_at, domain=ROBOT, node="relay")

    def relay(source: Ros2Graph, sink: Ros2Graph, topic: str, kind: type[Message]) -> None:
        out = sink.publisher_of(topic, *described(kind))
        source.subscribe_to(topic, *described(kind), lambda data, _: out.send(data))

    relay(robot, world, "/cmd_vel", Twist)
    relay(world, robot, "/scan", LaserScan)
    link.send("ready")
    link.recv()
    os._exit(0)


def rig(link: Connection, world_at: str, robot_at: str, seconds: float) -> None:
    """The rig, with nothing to disturb."""
    flat = World.flat(20.0, 12.0).with_robot("robot", robots.diff_drive(), at=(1.0, 6.0))
    link.send("ready")
    done = execute(
        Scenario(flat, Mission.reach((19.0, 6.0), within_s=seconds)),
        Ros2Subject(endpoint=robot_at, domain=ROBOT, pacing=Pacing(quiet_s=0.1)),
        Ros2Simulator(endpoint=world_at, domain=WORLD, truth={"robot": "/odom"}, clock="wall"),
        seed=1,
        timing=Timing(topic_default=Latency(), node_default=Latency()),
        ending=Ending(),
        metadata=Metadata(run_id="bench"),
    )
    link.send((done.status.value, done.trouble))


def measured(with_rig: bool, link: Connection, at: tuple[str, str], seconds: float) -> dict[str, list[float]]:
    """Delays through one of the two."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    arguments = (theirs, *at, seconds + 4.0) if with_rig else (theirs, *at)
    process = context.Process(target=rig if with_rig else bare, args=arguments)
    process.start()
    theirs.close()  # or nobody would notice that the process has died
    ours.recv()
    time.sleep(2.0)
    link.send(seconds)
    delays: dict[str, list[float]] = link.recv()
    if with_rig:
        status, trouble = ours.recv()
        if status != "timeout":
            sys.exit(f"The rig's run was {status}: {trouble}")
    else:
        ours.send("stop")
    process.join()
    return delays


def decoded_mbps() -> float:
    """How fast clouds of 2 MB are decoded."""
    points = 2_000_000 // 16
    cloud = PointCloud2(
        height=1, width=points, point_step=16, row_step=points * 16,
        data=np.random.default_rng(1).integers(0, 256, points * 16, dtype=np.uint8),
    )  # fmt: skip
    messages = [bytes(bytearray(encode(cloud))) for _ in range(40)]  # each in memory of its own, as they arrive
    kept: list[PointCloud2] = []
    seconds = [_seconds(data, kept) for data in messages]
    return len(messages[0]) / 1e6 / float(np.median(seconds))


def _seconds(data: bytes, kept: list[PointCloud2]) -> float:
    begin = time.perf_counter()
    kept.append(decode(PointCloud2, data))  # kept, as a recording does: memory is not used again
    return time.perf_counter() - begin


def main() -> None:
    """Measure and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    speed = decoded_mbps()
    context = multiprocessing.get_context("spawn")
    link, theirs = context.Pipe()
    process = context.Process(target=peers, args=(theirs,), daemon=True)
    process.start()
    at = link.recv()
    found: dict[bool, dict[str, list[float]]] = {False: {}, True: {}}
    for _ in range(given.rounds):
        for with_rig in (False, True):
            for name, delays in measured(with_rig, link, at, given.seconds).items():
                found[with_rig].setdefault(name, []).extend(delays)
    link.send(None)
    process.join()
    bad = speed < DECODE_MBPS
    print(f"clouds of 2 MB decoded: {speed:,.0f} MB/s (wanted {DECODE_MBPS:g})")
    for name in ("twist", "scan"):
        plain, through = (np.array(found[with_rig][name]) * 1e3 for with_rig in (False, True))
        added = np.median(through) - np.median(plain)
        late = np.quantile(through, 0.99) - np.quantile(plain, 0.99)
        bad |= bool(added > MEDIAN_MS or late > P99_MS)
        for noun, ms in (("bare", plain), ("rig", through)):
            print(f"{name:6} {noun:5} {len(ms):6}: median {np.median(ms):6.2f} ms, p99 {np.quantile(ms, 0.99):7.2f} ms")
        print(f"{name:6} added: median {added:+.2f} ms (wanted {MEDIAN_MS:g}), p99 {late:+.2f} ms (wanted {P99_MS:g})")
    sys.exit(int(bad))


if __name__ == "__main__":
    main()
