"""Topics that go through the rig, what stops a robot, and what a study may ask of a graph before a run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from stressfield.bridge.rosbridge.client import RosbridgeClient
from stressfield.bus import Message
from stressfield.bus.messages import AckermannDriveMsg, AckermannDriveStamped, Twist, TwistStamped
from stressfield.errors import InputError, did_you_mean
from stressfield.scenario import Scenario


class Direction(Enum):
    """Which side of a topic was renamed to make room in the middle."""

    INBOUND = "inbound"
    """The publisher was renamed: listen to ``X_IN``, publish ``X``."""
    OUTBOUND = "outbound"
    """The subscribers were renamed: listen to ``X``, publish ``X_OUT``."""


@dataclass(frozen=True, slots=True)
class Interposition:
    """A topic that goes through the rig, where disturbances of ``topic`` act on it.

    With none it is a null relay: the same messages in the same order, at most one tick later.
    """

    topic: str
    message_type: type[Message]
    direction: Direction = Direction.INBOUND

    @property
    def listens(self) -> str:
        """The topic of the graph that it listens to."""
        return f"{self.topic}_IN" if self.direction is Direction.INBOUND else self.topic

    @property
    def publishes(self) -> str:
        """The topic of the graph that it publishes."""
        return f"{self.topic}_OUT" if self.direction is Direction.OUTBOUND else self.topic


_REST: tuple[Message, ...] = (Twist(), TwistStamped(), AckermannDriveMsg(), AckermannDriveStamped())


def safe_command(message_type: type[Message]) -> Message | None:
    """The command of this type to stand still; None if it is no command for a drive."""
    return next((rest for rest in _REST if type(rest) is message_type), None)


def moves(message: Message) -> bool:
    """Whether a command for a drive asks for motion."""
    if isinstance(message, TwistStamped):
        message = message.twist
    if isinstance(message, Twist):
        return any((message.linear.x, message.linear.y, message.angular.z))
    if isinstance(message, AckermannDriveStamped):
        message = message.drive
    return isinstance(message, AckermannDriveMsg) and message.speed != 0.0


def check_safe(commands: Mapping[str, Message], outgoing: Mapping[str, type[Message]]) -> None:
    """InputError for a safe command on a topic that the rig does not send, or of another type."""
    for topic, message in commands.items():
        if topic not in outgoing:
            raise InputError(
                f"A safe command is for {topic!r}, which is neither among 'interposed' nor 'commands'."
                + did_you_mean(topic, outgoing)
            )
        if type(message) is not outgoing[topic]:
            raise InputError(
                f"The safe command for {topic!r} is a {type(message).__name__}; wanted {outgoing[topic].__name__}."
            )


class GraphLink:
    """What a ``reset`` may do in the graph before a run."""

    def __init__(self, client: RosbridgeClient, loop: asyncio.AbstractEventLoop) -> None:
        self._client, self._loop = client, loop

    def call(
        self, service: str, arguments: Mapping[str, Any] | None = None, *, within_s: float = 4.0
    ) -> Mapping[str, Any]:
        """Call a service: ``graph.call("/gazebo/reset_world")``. RigError if it fails or does not answer."""
        return self._loop.run_until_complete(self._client.call(service, arguments, within_s=within_s))

    def publish(self, topic: str, message: Message) -> None:
        """Publish a message once, e.g. where a localiser should begin."""
        self._loop.run_until_complete(self._publish(topic, message))

    async def _publish(self, topic: str, message: Message) -> None:
        await self._client.advertise(topic, message.ros_type)
        await self._client.publish(topic, message)


Reset = Callable[[GraphLink, Scenario], None]
"""Puts a graph back to its start before a run."""
