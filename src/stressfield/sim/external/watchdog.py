"""A process beside the rig that stops the robot when the rig does not go on: killed, frozen, or busy for too long.

The rig itself says the last safe command when it leaves. When it cannot, nobody else would: a robot drives on with the
last command that it got. This file is the class that the rig uses, and the program that it starts::

    python watchdog.py < pipe

The first line of its input is JSON; after it every byte is a sign of life, ``Q`` is the good-bye. When the input ends
without one, when SIGTERM comes or when signs of life have come and then none for a while, it publishes the safe
commands.
"""

# Only the standard library, and websockets: the program is started for every run, and each import makes it slower.

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO
from math import inf
from typing import Any
from weakref import WeakSet

READY, FIRED = b"ready\n", b"fired\n"
AGAIN_S = 0.1
TIMES = 3
"""How often, and how many times at least, a safe command is said."""

LIFE_S = 30.0
"""After so long without a sign of life the program ends: nobody will come back."""

END_S = 1.0


_running: WeakSet[Watchdog] = WeakSet()


def stop_robots(within_s: float = 0.2) -> None:
    """Have all watchdogs of this process stop their robots at once: it is made to end."""
    watchdogs = list(_running)
    for watchdog in watchdogs:
        watchdog.hang_up()
    until_s = time.monotonic() + within_s
    while not all(watchdog.fired for watchdog in watchdogs) and time.monotonic() < until_s:
        time.sleep(0.005)


class Watchdog:
    """The rig's side: started with the operations that stop the robot, fed with signs of life."""

    def __init__(self, url: str, token: str | None, *, operations: Sequence[bytes], after_s: float) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        said = {"url": url, "token": token, "after_s": after_s, "operations": [text.decode() for text in operations]}
        self._write(json.dumps(said).encode() + b"\n")
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self._heard = b""
        _running.add(self)

    @property
    def ready(self) -> bool:
        """Whether it is connected."""
        return READY in self._said()

    @property
    def fired(self) -> bool:
        """Whether it has stopped the robot."""
        return FIRED in self._said()

    @property
    def ended(self) -> bool:
        """Whether it is gone."""
        return self._process.poll() is not None

    def beat(self) -> None:
        """The rig goes on."""
        self._write(b".")

    def close(self, *, safely: bool) -> None:
        """The rig leaves. If it has not said the last safe command itself (``safely``), the program does."""
        _running.discard(self)
        if safely:
            self._write(b"Q")
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def hang_up(self) -> None:
        """Have it stop the robot: its input ends without a good-bye."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it is gone, which is noticed where it is asked for
            os.write(self._process.stdin.fileno(), data)

    def _said(self) -> bytes:
        assert self._process.stdout is not None
        with suppress(BlockingIOError, OSError, ValueError):
            self._heard += os.read(self._process.stdout.fileno(), 4096)
        return self._heard


def main(input_: FileIO) -> None:
    """Watch until the good-bye, or stop the robot."""
    from websockets.sync.client import connect  # noqa: PLC0415

    file = input_.fileno()
    given: dict[str, Any] = json.loads(input_.readline())
    asked_to_end: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: asked_to_end.append(number))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the rig, which then says good-bye
    headers = {"Authorization": f"Bearer {given['token']}"} if given["token"] else None
    with connect(given["url"], additional_headers=headers, compression=None, close_timeout=0.2, proxy=None) as socket:
        advertised = [text for text in given["operations"] if json.loads(text)["op"] == "advertise"]
        commands = [text for text in given["operations"] if text not in advertised]
        for text in advertised:
            socket.send(text)
        os.write(sys.stdout.fileno(), READY)
        lived_s, fired = inf, 0  # until the first sign of life the robot has got no command through the rig
        while True:
            wait_s = AGAIN_S if fired else max(0.0, min(AGAIN_S, lived_s + given["after_s"] - time.monotonic()))
            said = os.read(file, 65536) if select.select([file], [], [], wait_s)[0] else None
            if said and b"Q" in said:
                return
            over = said == b"" or bool(asked_to_end) or time.monotonic() > lived_s + LIFE_S
            if said:
                lived_s, fired = time.monotonic(), 0
            elif over or time.monotonic() >= lived_s + given["after_s"]:
                for text in commands:
                    socket.send(text)
                if not fired:
                    with suppress(OSError):
                        os.write(sys.stdout.fileno(), FIRED)
                fired += 1
                if over and fired >= TIMES:
                    time.sleep(AGAIN_S)  # servers drop what is in their queue when a client leaves
                    return
            if said == b"":
                time.sleep(AGAIN_S)


if __name__ == "__main__":
    with suppress(OSError, KeyboardInterrupt):
        main(open(0, "rb", buffering=0))  # noqa: SIM115  it is the standard input
