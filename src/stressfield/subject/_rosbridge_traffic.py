"""What goes to a graph through its rosbridge server and what comes from it: the traffic of one run, and its frames."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from stressfield.bridge.rosbridge.client import RosbridgeClient
from stressfield.bus import Message
from stressfield.bus.messages import Odometry, TFMessage, Transform, TransformStamped, Vector3
from stressfield.scenario import Scenario

T = TypeVar("T")

TF = "/tf"


def plain_frames(scenario: Scenario) -> dict[str, str]:
    """The frames of a robot that is alone, by the names that software has for them: ``odom`` for ``mower/odom``."""
    if len(scenario.world.robots) != 1:
        return {}
    robot = scenario.world.robots[0].robot
    frames = ["odom", "base_link", *(sensor.topic.strip("/") for sensor in robot.sensors)]
    return {f"{robot.name}/{frame}": frame for frame in frames}


def frame_of(said: Odometry) -> TFMessage:
    """Where the robot is in the frame of its odometry."""
    at, turned = said.pose.pose.position, said.pose.pose.orientation
    there = Transform(Vector3(at.x, at.y, at.z), turned)
    return TFMessage((TransformStamped(said.header, said.child_frame_id, there),))


class RosbridgeTraffic:
    """The connection to the graph, as a clock wants it. Its event loop turns only while the bus waits."""

    def __init__(self, client: RosbridgeClient, loop: asyncio.AbstractEventLoop) -> None:
        self.client, self.loop = client, loop
        self._came: list[tuple[str, Message, float]] = []
        self.count = 0

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Turn the loop until the work is done."""
        return self.loop.run_until_complete(work)

    def heard(self, topic: str, message: Message) -> None:
        """Called by the client."""
        self._came.append((topic, message, time.monotonic()))
        self.count += 1

    def take(self) -> list[tuple[str, Message, float]]:
        """What has come since the last call."""
        self.run(_turn())
        came, self._came = self._came, []
        return came

    def wait(self, within_s: float, *, count: int | None = None) -> bool:
        """Until more than ``count`` messages have come; whether they have in time."""
        return self.run(self._wait(within_s, self.count if count is None else count))

    async def _wait(self, within_s: float, count: int) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while self.count <= count:
                    self.client.check()
                    self.client.changed.clear()
                    await self.client.changed.wait()
        return self.count > count

    def refresh(self) -> None:
        """Who comes and goes is asked for elsewhere, as it takes a call of a service."""


async def _turn() -> None:
    # three turns: bytes come in, become a frame, and reach the listener
    for _ in range(3):
        await asyncio.sleep(0)
