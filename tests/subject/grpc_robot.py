"""A robot over gRPC that behaves well, or badly in the way it is told to. Started by tests: grpc_robot.py BEHAVIOUR"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import time
from typing import Any

import grpc

from stressfield.bridge.grpc_server import JOIN, message_class
from stressfield.bus import cdr
from stressfield.bus.messages import Twist

BEHAVIOUR = sys.argv[1]
FromSubject, ToSubject = message_class("FromSubject"), message_class("ToSubject")
outbox: queue.SimpleQueue[Any] = queue.SimpleQueue()


def say(**what: Any) -> None:
    outbox.put(FromSubject(**what))


def packed(said: Any) -> bytes:
    return said if isinstance(said, bytes) else bytes(said.SerializeToString())


def drive() -> None:
    if BEHAVIOUR == "cdr":
        say(publish={"topic": "/cmd_vel", "cdr": cdr.encode(Twist.drive(0.5, 0.0))})
    else:
        say(publish={"topic": "/cmd_vel", "json": json.dumps({"linear": {"x": 0.5}})})


def floods() -> None:
    for _ in range(20_000):
        drive()


MISDEEDS = {
    "exits": lambda: os._exit(3),
    "malformed": lambda: say(publish={"topic": "/cmd_vel", "json": '{"linear": {"x": "fast"}}'}),
    "bad cdr": lambda: say(publish={"topic": "/cmd_vel", "cdr": b"\x00"}),
    "nothing": say,
    "corrupt": lambda: outbox.put(b"\xff\xff\xff"),
    "floods": floods,
    "freezes": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "closes": lambda: (channel.close(), time.sleep(60.0)),
}

say(advertise={"topic": "/cmd_vel", "type": "geometry_msgs/Twist"})
say(subscribe={"topic": "/pose"})
say(ready={"lockstep": not BEHAVIOUR.startswith("paced"), "encoding": int(BEHAVIOUR == "cdr")})
token = "guess" if BEHAVIOUR == "wrong token" else os.environ["STRESSFIELD_TOKEN"]
channel = grpc.insecure_channel(os.environ["STRESSFIELD_URL"])
join = channel.stream_stream(JOIN, packed, ToSubject.FromString)
metadata = [("authorization", f"Bearer {token}")]
if BEHAVIOUR == "browser":
    metadata.append(("origin", "http://evil.example"))
for said in join(iter(outbox.get, None), metadata=metadata):
    if said.HasField("publish"):
        drive()
    elif said.HasField("tick"):
        if said.tick.time_ns >= 300_000_000:
            MISDEEDS.get(BEHAVIOUR.removeprefix("paced "), lambda: None)()
        say(tick_done={"time_ns": said.tick.time_ns})
