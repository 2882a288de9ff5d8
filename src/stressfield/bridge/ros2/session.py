"""A connection to zenoh: as the router of a graph of our own, or as a client of a router that is there."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Mapping
from typing import Any

from stressfield.bridge.ros2.wire import DOMAIN_MAX, zenoh
from stressfield.errors import InputError

LOOPBACK = "127.0.0.1"
ROUTER_PORT = 7447
"""Where ROS 2 looks for the router, if nobody says otherwise."""

JOIN_S = 5.0
"""How long a router may take to answer before it counts as absent."""

FREE_PORTS = 5
"""How many free ports are tried: between finding one and taking it, somebody else may."""

_ALWAYS: dict[str, object] = {
    # Nobody is found but through the router: a run hears its own robot alone.
    "scouting/multicast/enabled": False,
    "scouting/gossip/enabled": False,
    # What is kept for those who join later is told apart by its time.
    "timestamping/enabled": True,
}


def router_session(port: int) -> tuple[Any, int]:
    """A session that is its own router on a port of loopback, and that port; 0 takes one that is free."""
    for attempt in reversed(range(1 if port else FREE_PORTS)):
        taken = port or _free_port()
        endpoint = loopback(taken)
        try:
            return zenoh.open(_config({"mode": "router", "listen/endpoints": [endpoint]})), taken
        except zenoh.ZError as error:
            if attempt:  # another worker was quicker
                continue
            raise InputError(
                f"Cannot be the router on {endpoint}: {error}. Is another one there? Join it, or take another port."
            ) from error
    raise AssertionError("the last attempt returns or raises")


def client_session(endpoint: str) -> Any:
    """A session with the router at an endpoint; InputError if none answers."""
    config = {
        "mode": "client",
        "connect/endpoints": [endpoint],
        "connect/timeout_ms": round(JOIN_S * 1000),
        "connect/exit_on_failure": True,
    }
    try:
        return zenoh.open(_config(config))
    except zenoh.ZError as error:
        raise InputError(
            f"No zenoh router answers at {endpoint} ({error}). Start it (ros2 run rmw_zenoh_cpp rmw_zenohd), or "
            "let stressfield be the router."
        ) from error


def loopback(port: int) -> str:
    """The endpoint of a port of this machine."""
    return f"tcp/{LOOPBACK}:{port}"


def to_environment(endpoint: str, domain: int) -> dict[str, str]:
    """What a robot's process needs in its environment to join a graph."""
    return {
        "RMW_IMPLEMENTATION": "rmw_zenoh_cpp",
        "ROS_DOMAIN_ID": str(domain),
        "ZENOH_CONFIG_OVERRIDE": f'mode="client";connect/endpoints=["{endpoint}"]',
    }


def from_environment() -> tuple[str, int]:
    """The endpoint and the domain that this process was told to join, as every node of ROS 2 is."""
    found = re.search(r"connect/endpoints=\[\s*\"([^\"]+)\"", os.environ.get("ZENOH_CONFIG_OVERRIDE", ""))
    text = os.environ.get("ROS_DOMAIN_ID", "") or "0"
    if not text.isdecimal():
        raise InputError(f"ROS_DOMAIN_ID is {text!r}; wanted a number from 0 to {DOMAIN_MAX}.")
    return loopback(ROUTER_PORT) if found is None else found[1], int(text)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def _config(values: Mapping[str, object]) -> Any:
    config = zenoh.Config()
    for path, value in {**values, **_ALWAYS}.items():
        config.insert_json5(path, json.dumps(value))
    return config
