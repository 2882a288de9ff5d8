"""What is found out about a ROS graph through its rosbridge server: how it speaks, who is there, what they say."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from stressfield.bridge._json_message import from_json
from stressfield.bridge.rosbridge._dialect import ODD_WORDS, PROBE_STAMP, Dialect, parse_frame, probe, ros_of
from stressfield.bridge.rosbridge.client import MAX_BYTES, Operation, RosbridgeClient, open_socket
from stressfield.bus import Message
from stressfield.bus.message import fields_of, short_name
from stressfield.bus.messages import LaserScan
from stressfield.errors import InputError, RigError, did_you_mean

ECHO_S = 3.0
"""How long a first message may take to come back: a ROS graph needs a moment to connect publisher and subscriber."""

ODD_S = 0.7
"""How long one with an odd number may take after that, at least: longer if the server is slow. A server that refuses it
says nothing, so this is waited for."""

RIG = "/stressfield/rig"
"""The service by which a rig says that it is there."""

ASK_S = 1.5
"""How long a rig may take to say so. Servers keep the services of clients that were killed: for those none answers."""


# how the server speaks ------------------------------------------------------------------------------------------------


async def find_dialect(client: RosbridgeClient) -> Dialect:
    """Send scans with odd numbers around, and see what comes back.

    Each odd number goes over a connection of its own: a server whose parser refuses a frame may keep it in its buffer,
    and then understands nothing any more that comes after it on that connection.
    """
    topic = f"/stressfield/probe_{secrets.token_hex(4)}"
    heard: dict[str, tuple[LaserScan, bool, int]] = {}

    def came(said: Operation, cbor: bool) -> None:
        scan = from_json(LaserScan, said)
        heard[scan.header.frame_id] = (scan, cbor, ros_of(said))

    await client.advertise(topic, short_name(LaserScan.ros_type))
    await client.subscribe_raw(topic, short_name(LaserScan.ros_type), came, compression="cbor")
    first = partial(client.send_text, probe(topic, "first", ros=2))
    if not await _until(client, lambda: "first" in heard, within_s=ECHO_S, again=first):
        raise RigError(
            f"The rosbridge server at {client.address} does not pass messages on: one on {topic} was not back within "
            f"{ECHO_S:g} s. Allow topics below /stressfield/ (topics_glob), and check that sensor_msgs is installed."
        )
    _, cbor, ros = heard["first"]
    odd = [
        asyncio.ensure_future(_send_alone(client, topic, probe(topic, word, ros=ros, number=word)))
        for word in ODD_WORDS
    ]
    try:
        begin_s = asyncio.get_running_loop().time()
        await client.send_text(probe(topic, "stamp", ros=ros))
        await _until(client, lambda: "stamp" in heard, within_s=ECHO_S)
        echo_s = asyncio.get_running_loop().time() - begin_s
        await _until(client, lambda: heard.keys() >= {*ODD_WORDS}, within_s=max(ODD_S, 5.0 * echo_s))
    finally:
        for task in odd:
            task.cancel()
        await asyncio.gather(*odd, return_exceptions=True)
    client.check()
    await client.unsubscribe(topic)
    await client.send({"op": "unadvertise", "topic": topic})
    if "stamp" not in heard or heard["stamp"][0].header.stamp.ns != PROBE_STAMP.ns:
        raise RigError(
            f"The rosbridge server at {client.address} does not keep the stamps of messages: sent {PROBE_STAMP.ns} ns, "
            f"got {heard['stamp'][0].header.stamp.ns if 'stamp' in heard else 'nothing'} back."
        )
    infinity = next((word for word in ODD_WORDS[:2] if word in heard), None)
    return Dialect(ros, cbor, infinity, "NaN" if "NaN" in heard else None)


async def _send_alone(client: RosbridgeClient, topic: str, text: bytes) -> None:
    connection = await open_socket(client.url, client.token)
    try:
        kind = short_name(LaserScan.ros_type)
        await connection.send(msgspec.json.encode({"op": "advertise", "topic": topic, "type": kind}), text=True)
        await connection.send(text, text=True)
        await asyncio.Event().wait()  # until it is cancelled: servers drop what they have not read when a client leaves
    finally:
        await connection.close()


async def _until(
    client: RosbridgeClient, holds: Callable[[], bool], *, within_s: float, again: Callable[[], Any] | None = None
) -> bool:
    loop = asyncio.get_running_loop()
    until_s = loop.time() + within_s
    while not holds():
        left_s = until_s - loop.time()
        if left_s <= 0.0:
            return False
        client.check()
        client.changed.clear()
        if again is not None:
            await again()
        try:
            await asyncio.wait_for(client.changed.wait(), min(left_s, 0.2))
        except TimeoutError:
            continue
    return True


# who else is there ----------------------------------------------------------------------------------------------------


async def take_seat(client: RosbridgeClient) -> None:
    """Tell the graph that a rig is on it. InputError if there is one already: each would spoil the other's runs."""
    mine = f"process {os.getpid()} on {socket.gethostname()} ({secrets.token_hex(4)})"
    other = await _asked(client)
    if not other:
        await client.serve(RIG, "std_srvs/srv/Trigger", lambda: {"success": True, "message": mine})
        until_s = asyncio.get_running_loop().time() + 1.0
        while not other and asyncio.get_running_loop().time() < until_s:
            await asyncio.sleep(0.02)
            other = await _asked(client)  # of two that come at once, the graph knows only the later one
    if other and other != mine:
        raise InputError(
            f"Another rig is on the ROS graph at {client.address} already: {other.partition(' (')[0]}. Both would "
            "disturb it, and neither run would say anything. Use --jobs 1, or give every worker a graph of its own."
        )


async def _asked(client: RosbridgeClient) -> str:
    """Who says that it is the rig; empty if nobody does. Asked over a connection of its own, because some servers read
    nothing else until a call is answered, and the answer may have to come from this process.
    """
    connection = await open_socket(client.url, client.token)
    try:
        await connection.send(msgspec.json.encode({"op": "call_service", "id": "rig", "service": RIG}), text=True)
        async with asyncio.timeout(ASK_S):
            async for frame in connection:
                said = parse_frame(frame, max_bytes=MAX_BYTES)
                if isinstance(said, dict) and said.get("op") == "service_response":
                    values = said.get("values")
                    good = said.get("result") is not False and isinstance(values, dict)
                    return str(values.get("message")) if good and isinstance(values, dict) else ""
    except TimeoutError:
        return ""
    finally:
        await connection.close()
    return ""


@dataclass(frozen=True, slots=True)
class Rosapi:
    """What ``/rosapi`` tells: topics and their types, nodes and what they publish and hear."""

    client: RosbridgeClient
    own: frozenset[str] = frozenset()
    """The node that the rosbridge server is: what its clients publish and hear is said to be its doing."""

    @classmethod
    async def found(cls, client: RosbridgeClient) -> Rosapi:
        """RigError if the graph has none."""
        api, here = cls(client), f"/stressfield/here_{secrets.token_hex(4)}"
        try:
            await client.advertise(here, "std_msgs/msg/String")
            nodes = await api.publishers(here)
            await client.send({"op": "unadvertise", "topic": here})
        except RigError as error:
            client.check()
            raise RigError(
                f"The ROS graph at {client.address} has no rosapi ({error}), so a forgotten remap, a missing topic or "
                "a wrong type would go unnoticed. Start it (the launch files of rosbridge_server do), or say "
                "checked=False."
            ) from error
        client.echo = "/rosapi/get_time"
        return cls(client, frozenset(nodes))

    async def topics(self) -> dict[str, str]:
        """The type of every topic, as ROS 1 writes it: ``std_msgs/String``."""
        said = await self.client.call("/rosapi/topics")
        return dict(zip(said.get("topics", ()), map(short_name, said.get("types", ())), strict=False))

    async def publishers(self, topic: str) -> list[str]:
        """The nodes that publish it."""
        said = await self.client.call("/rosapi/publishers", {"topic": topic})
        return sorted(said.get("publishers", ()))

    async def subscribers(self, topic: str) -> list[str]:
        """The nodes that hear it."""
        said = await self.client.call("/rosapi/subscribers", {"topic": topic})
        return sorted(said.get("subscribers", ()))

    async def speakers(self, topic: str) -> list[str]:
        """Who publishes it, beside the rosbridge server itself."""
        return [node for node in await self.publishers(topic) if node not in self.own]

    async def hearers(self, topic: str) -> list[str]:
        """Who hears it, beside the rosbridge server itself."""
        return [node for node in await self.subscribers(topic) if node not in self.own]

    async def nodes(self) -> list[str]:
        """All nodes."""
        return sorted((await self.client.call("/rosapi/nodes")).get("nodes", ()))

    async def check_type(self, topic: str, message_type: type[Message], topics: Mapping[str, str]) -> None:
        """InputError if the graph has another type there, RigError if it has no such topic."""
        if topic not in topics:
            raise RigError(
                f"The ROS graph has no topic {topic!r}. It has: {', '.join(sorted(topics)) or 'none'}."
                + did_you_mean(topic, topics)
            )
        wanted = short_name(message_type.ros_type)
        if topics[topic] != wanted:
            raise InputError(f"{topic!r} is {topics[topic]} on the ROS graph; the study has {wanted}.")

    async def check_fields(self, message_type: type[Message]) -> None:
        """InputError if the graph's type lacks a field of ours: servers refuse such a message without a word.

        The service fails in some distributions of ROS 2; then nothing is known, and nothing said.
        """
        name = self.client.dialect.type_name(message_type.ros_type)
        try:
            said = await self.client.call("/rosapi/message_details", {"type": name})
        except RigError:
            self.client.check()
            return
        known = {
            # of ROS 2 it tells the names of Python's attributes: _linear for linear
            short_name(kind.get("type", "")): {field.removeprefix("_") for field in kind.get("fieldnames", ())}
            for kind in said.get("typedefs", ())
            if isinstance(kind, Mapping)
        }
        _compare(message_type, known)


def _compare(message_type: type[Message], known: Mapping[str, set[str]]) -> None:
    there = known.get(short_name(message_type.ros_type))
    if there is None:  # stamps are no message of their own in ROS 1
        return
    for field in fields_of(message_type):
        if field.name not in there:
            raise InputError(
                f"{short_name(message_type.ros_type)} has no field {field.name!r} on the ROS graph: it has "
                f"{', '.join(sorted(there))}. Its messages are of another version and cannot be sent there."
            )
        if field.nested is not None:
            _compare(field.nested, known)
