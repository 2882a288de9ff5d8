"""A mower that heads for its dock and stops for what is ahead, over gRPC in lock-step."""

import json
import os
import queue
from math import atan2, cos, hypot, remainder, tau

import grpc

from stressfield.bridge import JOIN, message_class  # or your own stubs, made from stressfield.proto

FromSubject, ToSubject = message_class("FromSubject"), message_class("ToSubject")
goal_x, goal_y = json.loads(os.environ["STRESSFIELD_MISSION"])["goal_m"]
outbox = queue.SimpleQueue()
latest = {}


def say(**what):
    outbox.put(FromSubject(**what))


def publish(topic, **body):
    say(publish={"topic": topic, "json": json.dumps(body)})


def on_pose(message):
    latest["pose"] = message["pose"]


def on_scan(scan):
    if "pose" not in latest:
        return
    at, turned = latest["pose"]["position"], latest["pose"]["orientation"]
    dx, dy = goal_x - at["x"], goal_y - at["y"]
    if hypot(dx, dy) < 0.15:
        publish("/cmd_vel")
        publish("/report", name="mission", message="docked")
        return
    turn = remainder(atan2(dy, dx) - 2.0 * atan2(turned["z"], turned["w"]), tau)
    middle = scan["ranges"][len(scan["ranges"]) // 3 : 2 * len(scan["ranges"]) // 3]
    blocked = min((range_m for range_m in middle if range_m is not None), default=8.0) < 1.0
    publish("/cmd_vel", linear={"x": 0.0 if blocked else 0.6 * max(0.0, cos(turn))}, angular={"z": 1.5 * turn})


say(advertise={"topic": "/cmd_vel", "type": "geometry_msgs/Twist"})
say(advertise={"topic": "/report", "type": "diagnostic_msgs/DiagnosticStatus"})
say(subscribe={"topic": "/pose"})
say(subscribe={"topic": "/scan"})
say(ready={"lockstep": True})
channel = grpc.insecure_channel(os.environ["STRESSFIELD_URL"])
join = channel.stream_stream(JOIN, FromSubject.SerializeToString, ToSubject.FromString)
token = os.environ["STRESSFIELD_TOKEN"]
for said in join(iter(outbox.get, None), metadata=[("authorization", f"Bearer {token}")]):
    if said.HasField("publish"):
        {"/pose": on_pose, "/scan": on_scan}[said.publish.topic](json.loads(said.publish.json))
    elif said.HasField("tick"):
        say(tick_done={"time_ns": said.tick.time_ns})
