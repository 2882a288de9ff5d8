"""Processes and their descendants, as Linux shows them in ``/proc``; and how to end all of them."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Iterable

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
_PAGE = os.sysconf("SC_PAGE_SIZE")
_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent() -> None:
    """The kernel kills this process when the one that started it ends, however it ends."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def outlive_parent() -> None:
    """Takes ``die_with_parent`` back."""
    _libc.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)


def adopt_orphans() -> None:
    """Descendants whose parent ends become children of this process, so that none can slip away."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(pid: int) -> list[int]:
    """The direct children of a process; none if it is gone."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except (OSError, ValueError):
        pass
    return found


def tree(pid: int) -> list[int]:
    """Everything below a process, without itself."""
    found: list[int] = []
    waiting = children(pid)
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += children(one)
    return found


def private_bytes(pids: Iterable[int]) -> int:
    """Resident memory of processes that is not shared with files."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                _, resident, shared, *_ = file.read().split()
        except (OSError, ValueError):
            continue
        total += max(0, int(resident) - int(shared)) * _PAGE
    return total


def fair_bytes(pids: Iterable[int]) -> int:
    """Resident memory of processes where pages that several share count once. Slower to find out."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
                found = [line.split()[1] for line in file if line.startswith(b"Pss_Anon:")]
        except (OSError, ValueError, IndexError):
            continue
        total += sum(map(int, found)) * 1024
    return total


def send(pids: Iterable[int], number: int) -> None:
    """A signal to each; those that are gone already do not matter."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def kill_tree(pid: int) -> None:
    """End a process and everything below it. First they are stopped, so that none can start another meanwhile."""
    send([pid], signal.SIGSTOP)
    stopped: set[int] = set()
    while new := [one for one in tree(pid) if one not in stopped]:
        send(new, signal.SIGSTOP)
        stopped.update(new)
    send([*stopped, pid], signal.SIGKILL)


def kill_children(*, spare: Iterable[int] = (), limit_s: float = 10.0) -> int:
    """End and bury everything below this process except the trees of ``spare``; how many children that were."""
    kept, killed, until = set(spare), 0, time.monotonic() + limit_s
    while doomed := [pid for pid in children(os.getpid()) if pid not in kept]:
        for pid in doomed:
            kill_tree(pid)
            killed += bury(pid)
        if time.monotonic() > until:
            break
        time.sleep(0.001)
    return killed


def bury(pid: int) -> bool:
    """Take note of the end of a child, if it has ended."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def marked(text: str) -> list[int]:
    """Processes that were started with this text in their environment."""
    found = []
    wanted = text.encode()
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read():
                    found.append(int(name))
        except OSError:
            continue
    return found
