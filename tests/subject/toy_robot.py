"""A robot in a process of its own that behaves well, or badly in the way it is told to. Started by tests.

python toy_robot.py BEHAVIOUR [AT_S]
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from socket import create_connection

from websockets.sync.client import connect

BEHAVIOUR = sys.argv[1]
AT_S = float(sys.argv[2]) if len(sys.argv) > 2 else 0.3

PROXY = """
import socket, sys, threading, urllib.parse
def forward(a, b):
    while data := a.recv(65536):
        b.sendall(data)
with socket.create_server(("127.0.0.1", 0)) as door:
    print(door.getsockname()[1], flush=True)
    near = door.accept()[0]
    far = socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(sys.argv[1]).port))
    for one in (near, far):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=forward, args=(near, far), daemon=True).start()
    forward(far, near)
"""
"""A wire that can be cut without either end being told: by SIGSTOP."""

if BEHAVIOUR == "never starts":
    sys.stderr.write("cannot find my map\n")
    sys.exit(4)
if BEHAVIOUR == "never connects":
    time.sleep(60.0)
if "PIDS" in os.environ:
    with open(os.environ["PIDS"], "a") as file:
        file.write(f"{os.getpid()}\n")
if BEHAVIOUR == "leaves daemons":
    code = (
        "import os, time; os.setsid(); os.fork() and os._exit(0); "
        "open(os.environ['PIDS'], 'a').write(f'{os.getpid()}\\n'); time.sleep(60)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
if BEHAVIOUR == "ignores SIGTERM":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

url = os.environ["STRESSFIELD_URL"]
if BEHAVIOUR == "wrong token":
    url = url.partition("?")[0]
proxy = (
    subprocess.Popen([sys.executable, "-c", PROXY, url], stdout=subprocess.PIPE) if "half-open" in BEHAVIOUR else None
)
wire = None if proxy is None else create_connection(("127.0.0.1", int(proxy.stdout.readline())))
socket = connect(url, compression=None, sock=wire).__enter__()


def send(**words: object) -> None:
    socket.send(json.dumps(words))


PACED = BEHAVIOUR.startswith("paced")
if BEHAVIOUR == "wrong protocol":
    send(op="hello", version=3)
send(op="subscribe", topic="/pose", type="geometry_msgs/PoseStamped")
send(op="subscribe", topic="/clock", type="rosgraph_msgs/Clock")
send(op="advertise", topic="/cmd_vel", type="std_msgs/String" if BEHAVIOUR == "wrong type" else "geometry_msgs/Twist")
if not PACED:
    send(op="advertise", topic="/stressfield/tick_done", type="rosgraph_msgs/Clock")


def exits() -> None:
    sys.stdout.write("I have had enough\n")
    sys.stdout.flush()
    os._exit(3)


def report() -> None:
    send(op="advertise", topic="/report", type="diagnostic_msgs/DiagnosticStatus")
    send(op="publish", topic="/report", msg={"name": "mission", "message": "done"})


def reports_and_exits() -> None:
    report()
    os._exit(0)


def reports_and_closes() -> None:
    report()
    closes()


def reports_and_fails() -> None:
    report()
    exits()


def closes() -> None:
    socket.close()
    time.sleep(60.0)


def cuts() -> None:
    socket.socket.shutdown(2)
    time.sleep(60.0)


def floods() -> None:
    while True:
        send(op="publish", topic="/cmd_vel", msg={})


def chatters() -> None:
    for _ in range(300):
        send(op="publish", topic="/cmd_vel", msg={})
    time.sleep(60.0)


def prints_and_hangs() -> None:
    sys.stdout.write("waiting for the gate\n" * 500 + "still waiting\n")
    sys.stdout.flush()
    time.sleep(60.0)


MISDEEDS = {
    "prints and hangs": prints_and_hangs,
    "chatters": chatters,
    "exits": exits,
    "segfaults": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "freezes": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "closes": closes,
    "cuts": cuts,
    "half-open": lambda: proxy.send_signal(signal.SIGSTOP),
    "falls silent": lambda: time.sleep(60.0),
    "malformed json": lambda: socket.send('{"op": "publish", '),
    "malformed message": lambda: send(op="publish", topic="/cmd_vel", msg={"linear": {"x": "fast"}}),
    "deep json": lambda: socket.send("[" * 100_000),
    "floods": floods,
    "reports and exits": reports_and_exits,
    "reports and closes": reports_and_closes,
    "reports and fails": reports_and_fails,
    "exits well": lambda: os._exit(0),
    "actions": lambda: send(op="send_action_goal", action="/dock"),
    "png": lambda: send(op="subscribe", topic="/scan", compression="png"),
    "acks twice": lambda: send(op="publish", topic="/stressfield/tick_done", msg={"clock": {"sec": 99}}),
}


def misbehave() -> None:
    MISDEEDS.get(BEHAVIOUR.removeprefix("paced "), lambda: None)()


now_s = 0.0
for frame in socket:
    message = json.loads(frame)
    if message["op"] != "publish":
        continue
    if message["topic"] == "/pose" and not ("pauses" in BEHAVIOUR and now_s >= AT_S):
        send(op="publish", topic="/cmd_vel", msg={"linear": {"x": 0.5}})
    elif message["topic"] == "/clock":
        now_s = message["msg"]["clock"]["sec"] + message["msg"]["clock"]["nanosec"] / 1e9
        if now_s >= AT_S:
            misbehave()
        if not PACED:
            send(op="publish", topic="/stressfield/tick_done", msg=message["msg"])
