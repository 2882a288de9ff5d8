"""A Ray cluster of three hosts, each in a network namespace: one is cut off in the middle, one is killed."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from campaigns import apart, plan
from places import QUICK
from row import Figure, Size

from stressfield._process_tree import kill_tree
from stressfield.campaign import Progress, digest, run_campaign
from stressfield.workers import RayExecutor
from stressfield.workers.ray_executor import NICENESS

SUBNET = "10.213.77"
"""Of the bridge between the hosts."""
HOSTS = 3
RAY = str(Path(sys.executable).parent / "ray")


def lost_hosts(size: Size) -> Figure:
    """Two of three hosts are lost while they work; the third one does what they leave."""
    if os.geteuid() != 0 or shutil.which("ip") is None or not _can_divide():
        return Figure(True, "not tried", "needs root, ip and network namespaces")
    try:
        # Ray reads the token of a cluster once in the life of a process, and other rows have clusters of their own.
        told = apart("hosts.lose_hosts", str(size.folder), size.pick(150, 400))
    finally:
        _disconnect()  # also if that process was killed
    return Figure(told["passed"], told["text"])


def lose_hosts(place: str, worlds: int) -> None:
    """The campaign on such a cluster, against the same one here."""
    folder = Path(place)
    asked = plan("idle", worlds=worlds, repeats=10, keep="all")
    wanted = digest(run_campaign(asked, folder / "here", jobs=2).results)
    lost: list[str] = []
    with _hosts() as (address, heads):
        executor = RayExecutor(address, run_timeout_s=60.0)
        _warm(executor, folder / "warm")

        def watch(progress: Progress) -> None:
            busy = {slot.node.name for slot in executor._doing.values()}
            share = progress.done / max(1, progress.total)
            if share > 0.1 and not lost and _ip_of(1) in busy:
                _run("ip", "link", "set", _link(1), "down")
                lost.append("one cut off")
            elif share > 0.3 and len(lost) == 1 and _ip_of(2) in busy:
                kill_tree(heads[2].pid)
                lost.append("one killed")

        try:
            results = run_campaign(asked, folder / "hosts", executor=executor, progress=watch).results
            told = executor.status
        finally:
            executor.close()
    again = sum(judged.run.attempts > 1 for judged in results.runs)
    text = (
        f"{len(results.runs)} runs on {HOSTS} hosts, {' and '.join(lost) or 'none lost'}: "
        f"{'the same digest' if digest(results) == wanted else 'ANOTHER DIGEST'}, {again} runs done again ({told})"
    )
    print(json.dumps({"passed": digest(results) == wanted and len(lost) == 2, "text": text}))


def _warm(executor: RayExecutor, folder: Path) -> None:
    """Until all hosts have joined."""
    for number in range(60):
        run_campaign(plan("idle", worlds=1, repeats=3), folder / str(number), executor=executor)
        if len([slot for slot in executor._slots if slot.answered]) == HOSTS:
            return
        time.sleep(1.0)
    raise AssertionError(f"not all hosts joined: {executor.status}")


def _ip_of(number: int) -> str:
    return f"{SUBNET}.{number + 2}"


def _link(number: int) -> str:
    return f"sf-torture{number}"


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _can_divide() -> bool:
    done = subprocess.run(["ip", "netns", "add", "sf-torture-try"], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", "sf-torture-try"], capture_output=True, check=False)
    return done.returncode == 0


@contextmanager
def _hosts() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a cluster whose head is here, and the process of each host's node."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes: list[subprocess.Popen[bytes]] = []
    before = dict(os.environ)
    # A token of this cluster's own: where the user has one, 'ray start' asks for it, and a driver does not know that.
    os.environ.update({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})
    try:
        _connect()
        options = ["--block", "--object-store-memory", str(80 << 20)]
        head = [RAY, "start", "--head", f"--node-ip-address={SUBNET}.1", f"--port={port}", "--num-cpus=0", *options]
        head += ["--include-dashboard=false", f"--system-config={json.dumps(QUICK)}"]
        processes.append(_begun(head))
        address = f"{SUBNET}.1:{port}"
        _await(f"{SUBNET}.1", port)
        nodes = []
        for number in range(HOSTS):
            joined = [RAY, "start", f"--address={address}", "--num-cpus=1", f"--node-ip-address={_ip_of(number)}"]
            # hosts do not share what Ray keeps of its sessions
            alone = f"mkdir -p /tmp/ray && mount -t tmpfs none /tmp/ray && exec {shlex.join([*joined, *options])}"
            nodes.append(_begun(["ip", "netns", "exec", _link(number), "sh", "-c", alone]))
        processes += nodes
        yield address, nodes
    finally:
        for process in processes:
            kill_tree(process.pid)
            process.wait()
        _disconnect()
        os.environ.clear()
        os.environ.update(before)


def _begun(command: list[str]) -> subprocess.Popen[bytes]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env={**os.environ, NICENESS: "0"}, start_new_session=True, **quiet)


def _await(host: str, port: int) -> None:
    until_s = time.monotonic() + 60.0
    while time.monotonic() < until_s:
        try:
            socket.create_connection((host, port), timeout=1.0).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the head of the cluster does not answer")


def _connect() -> None:
    _disconnect()
    _run("ip", "link", "add", "sf-torture", "type", "bridge")
    _run("ip", "addr", "add", f"{SUBNET}.1/24", "dev", "sf-torture")
    _run("ip", "link", "set", "sf-torture", "up")
    for number in range(HOSTS):
        name = _link(number)
        _run("ip", "netns", "add", name)
        _run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        _run("ip", "link", "set", name, "master", "sf-torture", "up")
        inside = ("ip", "-n", name)
        _run(*inside, "addr", "add", f"{_ip_of(number)}/24", "dev", "eth0")
        _run(*inside, "link", "set", "eth0", "up")
        _run(*inside, "link", "set", "lo", "up")
        _run(*inside, "route", "add", "default", "via", f"{SUBNET}.1")


def _disconnect() -> None:
    for number in range(HOSTS):
        subprocess.run(["ip", "link", "del", _link(number)], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", _link(number)], capture_output=True, check=False)
    subprocess.run(["ip", "link", "del", "sf-torture"], capture_output=True, check=False)
