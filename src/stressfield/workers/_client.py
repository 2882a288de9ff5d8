"""The runner's side of a supervisor: the process is started with the first run, and gone when this is closed."""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict

from stressfield._process_tree import marked, send, state
from stressfield.workers._protocol import Channel, Frame, Kind, with_limit
from stressfield.workers.limits import Limits

MARK = "STRESSFIELD_SUPERVISOR"
"""In the environment of the supervisor and so of all below it: what is left of them can be found by it."""

END_S = 10.0
"""How long a supervisor may take to end everything before it is killed."""

_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
"""Workers are many, so each is single-threaded; and robot software that iterates over sets must repeat itself."""

# Not with -m: the paths of this process are set first, so that a supervisor imports what its runner would.
_BEGIN = (
    "import json, sys; given = json.loads(sys.argv[1]); sys.path[:] = given['path']; "
    "from stressfield.workers._supervisor import main; main(given)"
)


class SupervisorClient:
    """A supervisor process and the channel to it."""

    def __init__(self, *, jobs: int, limits: Limits, start: str, modules: Sequence[str], quiet: bool = False) -> None:
        ours, theirs = socket.socketpair()
        self._mark = secrets.token_hex(8)
        given = {
            "descriptor": theirs.fileno(),
            "jobs": jobs,
            "limits": asdict(limits),
            "start": start,
            "preload": list(modules),
            "path": sys.path,
        }
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603  (own interpreter)
                [sys.executable, "-c", _BEGIN, json.dumps(given)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if quiet else None,
                env={**os.environ, **_ENVIRONMENT, MARK: self._mark},
            )
        self._channel = Channel(ours)
        self._poll = select.poll()

    @property
    def alive(self) -> bool:
        """Whether it can be asked for anything."""
        return self._channel.open

    def ask(self, key: int, task: bytes, *, limit_s: float) -> None:
        """Have a run done."""
        self._channel.send(Kind.TASK, key, with_limit(limit_s, task))

    def tell(self, kind: Kind) -> None:
        """An order without a run."""
        self._channel.send(kind)

    def receive(self, *, wait_s: float) -> list[Frame]:
        """What has come; waits for the first."""
        self._poll.register(self._channel, select.POLLIN | (select.POLLOUT if self._channel.unsent else 0))
        if self._poll.poll(wait_s * 1000.0):
            self._channel.flush()
            return self._channel.receive()
        return []

    def close(self) -> None:
        """End it and everything below it. If it was itself killed, what is left is found by its mark and ended."""
        self._channel.close()
        try:
            code = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if code != 0:
            while left := marked(f"{MARK}={self._mark}"):
                send(left, signal.SIGKILL)
                if all(state(pid) in {"", "Z", "X"} for pid in left):
                    break
