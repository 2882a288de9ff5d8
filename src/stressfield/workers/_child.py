"""The life of a worker process: take a run, do it, say what came of it, leave nothing behind."""

from __future__ import annotations

import faulthandler
import importlib
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from stressfield._lazy import load_names
from stressfield._process_tree import (
    adopt_orphans,
    children,
    die_with_parent,
    kill_children,
    kill_tree,
    private_bytes,
)
from stressfield.plugins import find_study
from stressfield.run import Finished, Status, Task, perform
from stressfield.run.performance import untraced
from stressfield.workers._memory import keep_memory
from stressfield.workers._protocol import Channel, Kind, seconds_text
from stressfield.workers.limits import Limits

FILES_LEFT_OPEN = 32
THREADS_LEFT = 0
MEMORY_SHARE = 0.5
"""A run may leave so many files open, threads running, and this share of its memory in use before its worker is
replaced: what one run leaks must not hurt the next one. A few files are normal, for example logs and caches."""

STDERR = 2
"""Of a worker, which its supervisor reads."""

LOADING_S = 5.0
"""A study's file that takes longer to load is loaded by each worker on its own."""

OOM_SCORE = "500"
"""When the machine runs out of memory, the kernel ends workers before their runner (0) and its supervisor."""


def work(end: socket.socket, limits: Limits) -> None:
    """Do one run after another, until the supervisor hangs up."""
    _settle(limits)
    channel = Channel(end)
    supervisor = select.poll()
    supervisor.register(channel, select.POLLIN)
    files, threads, process = _open_files(), _threads(), os.getpid()
    channel.send(Kind.READY)
    while channel.open:
        supervisor.poll()
        for frame in channel.receive():
            _tell_before_the_end(channel, frame.key)
            waits = partial(_tell_waiting, channel, frame.key)
            result = _performed(Task.from_bytes(frame.body), waits)
            faulthandler.unregister(signal.SIGTERM)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the run made of it
            if os.getpid() != process:  # a copy that the run forked: it must not take the next run
                os._exit(0)
            leaving = (
                _open_files() > files + FILES_LEFT_OPEN
                or _threads() > threads + THREADS_LEFT
                or private_bytes([os.getpid()]) > MEMORY_SHARE * limits.memory_bytes
            )
            if children(os.getpid()):
                kill_children()
            _send_whole(channel, Kind.DONE_AND_LEAVING if leaving else Kind.DONE, frame.key, result)
            if leaving:
                return


def _performed(task: Task, waits: Callable[[float], None]) -> bytes:
    """What came of a task, as it travels."""
    finished = perform(task, waits=waits)
    try:
        return finished.to_bytes()
    except (TypeError, ValueError, OverflowError) as error:  # a study gave something that is not plain data
        trouble = f"What came of the run cannot be sent: {error}"
        wall_s = finished.judged.run.wall_s
        return Finished(judged=untraced(task, Status.INVALID, trouble=trouble, wall_s=wall_s)).to_bytes()


def _tell_waiting(channel: Channel, key: int, seconds: float) -> None:
    channel.send(Kind.MORE_TIME, key, seconds_text(seconds))


def _tell_before_the_end(channel: Channel, key: int) -> None:
    """When the supervisor makes this worker end, it still tells where it was, and what the robot's process printed."""
    process = os.getpid()

    def leave(*_: object) -> None:
        commands = sys.modules.get("stressfield.subject._command")  # who has not imported it has started no command
        if commands is not None and os.getpid() == process:  # a copy that the run forked has nothing to tell
            with suppress(Exception):
                _send_whole(channel, Kind.LAST_WORDS, key, commands.last_words().encode(errors="replace"))
        watchdogs = sys.modules.get("stressfield.sim.external.watchdog")
        if watchdogs is not None and os.getpid() == process:  # a robot that is no process of this machine drives on
            with suppress(Exception):
                watchdogs.stop_robots()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, leave)
    # Not from Python's own handler: a robot may hang in compiled code, from which Python is never reached.
    faulthandler.register(signal.SIGTERM, file=STDERR, all_threads=False, chain=True)


def _settle(limits: Limits) -> None:
    os.setsid()
    die_with_parent()
    # A copy that a run forks is not asked where it was.
    os.register_at_fork(after_in_child=lambda: faulthandler.unregister(signal.SIGTERM))
    adopt_orphans()  # what a run starts and leaves is ended here at once, not by the supervisor later
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    limits.impose()
    keep_memory()
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write(OOM_SCORE)


def _send_whole(channel: Channel, kind: int, key: int, body: bytes) -> None:
    channel.send(kind, key, body)
    waiting = select.poll()
    waiting.register(channel, select.POLLOUT)
    while channel.unsent and channel.open:
        waiting.poll()
        channel.flush()


def _threads() -> int:
    """Threads of this process, without those that a store keeps for the next trace."""
    kept = ("fsspecIO", "asyncio_") if "fsspec" in sys.modules else ()
    return (
        sum(not thread.name.startswith(kept) for thread in threading.enumerate()) if kept else threading.active_count()
    )


def _open_files() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:  # no file can be opened any more
        return 1 << 30


RUN_PACKAGES = tuple(
    f"stressfield.{name}" for name in ("model", "world", "bus", "fuzz", "sim", "trace", "oracle", "run")
)
"""What every run needs is imported before workers are forked: their names are lazy, and each worker would pay anew."""


def preload(modules: Sequence[str]) -> None:
    """Import modules and the files of studies in advance; what cannot be will be told by the run that needs it."""
    for package in RUN_PACKAGES:
        load_names(package)
    loaded = True
    for name in modules:
        with suppress(Exception):
            if name.endswith(".py"):
                loaded = _loads_quietly(name)
                if loaded:
                    find_study(name)
            elif loaded or name.startswith("stressfield."):
                # a study's file may say where its modules are read from, so they are never loaded before it
                importlib.import_module(name)


def warm_up(modules: Sequence[str]) -> None:
    """Have those that were imported, and have kernels, compile or load them; likewise."""
    for name in modules:
        compile_all = getattr(sys.modules.get(name), "warm_up", None)
        if compile_all is not None:
            with suppress(Exception):
                compile_all()


def _loads_quietly(reference: str) -> bool:
    """Whether a study's file can be loaded soon, without a crash, and without leaving threads or processes.

    It is tried in a process of its own, for the supervisor must not run a stranger's code that could hurt it: a thread
    would make forking unsafe, a crash would take all workers along.
    """
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            find_study(reference)
            code = len(os.listdir("/proc/self/task")) - 1 + len(children(os.getpid()))
        finally:
            os._exit(min(code, 1))
    until_s = time.monotonic() + LOADING_S
    while time.monotonic() < until_s:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.005)
    kill_tree(pid)
    os.waitpid(pid, 0)
    return False


if __name__ == "__main__":
    import json

    given = json.loads(sys.argv[1])
    sys.path[:] = given["path"]
    preload(given["preload"])
    warm_up(given["preload"])
    work(socket.socket(fileno=given["descriptor"]), Limits(**given["limits"]))
