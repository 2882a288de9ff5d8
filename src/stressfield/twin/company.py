"""A twin beside a source, until that ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from pathlib import Path

from stressfield.errors import InputError
from stressfield.twin.graphs import Ros2Source, RosbridgeSource
from stressfield.twin.playback import Playback
from stressfield.twin.source import StreamSource
from stressfield.twin.twin import Twin


def open_source(name: str, *, rate: float = 1.0, domain: int = 0) -> StreamSource:
    """``ws://HOST:9090`` is a rosbridge server, ``tcp/HOST:7447`` a router of zenoh, anything else a recording."""
    if name.startswith(("ws://", "wss://")):
        return RosbridgeSource(name)
    if name.startswith(("tcp/", "tls/", "udp/", "quic/", "unixsock-stream/")):
        return Ros2Source(name, domain=domain)
    if "://" in name:
        kind = name.partition("://")[0]
        raise InputError(
            f"The source is {name!r}, of the unknown kind {kind!r}. Wanted a recording, ws://HOST:9090 for rosbridge, "
            "or tcp/HOST:7447 for ROS 2 over zenoh."
        )
    return Playback(Path(name), rate=rate)


def accompany(
    twin: Twin,
    source: StreamSource,
    *,
    for_s: float = inf,
    stop: Callable[[], bool] = lambda: False,
    watch: Callable[[Twin], None] | None = None,
) -> None:
    """Listen until the source ends, the time is over, or somebody says stop."""
    begin_s = time.monotonic()
    try:
        source.open(twin)
        if isinstance(source, Playback):
            twin.check(source.topics, source.total_s)
        while not stop() and time.monotonic() - begin_s < for_s:
            came = source.take(0.1)
            if came is None:
                break
            for topic, time_ns, message in came:
                for said in twin.hear(topic, time_ns, message):
                    source.say(*said)
            if watch is not None:
                watch(twin)
        for said in twin.look():
            source.say(*said)
    finally:
        source.close()
