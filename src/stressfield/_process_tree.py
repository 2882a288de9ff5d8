"""Processes and all that they start: seen as Linux shows them in ``/proc``, and ended so that nothing is left.

The supervisor of the workers imports this. Robot software that is a command line is run by this file itself, as a small
program between the rig and the command::

    python -I -S _process_tree.py STATUS_FD GRACE_S PARENT_PID command ...

The command gets a session of its own. When it ends, when SIGTERM comes, or when the parent dies, the program asks the
command to end (SIGTERM), waits GRACE_S, and kills (SIGKILL) all that is left. How the command ended is written to
STATUS_FD: ``exit 3``, ``signal 11`` or ``error No such file or directory``.
"""

# Only the standard library, and little of it: the program is started for every run, and each import makes it slower.
# psutil could do most of this, but its import alone takes longer than the whole start of the program, and it reads all
# of /proc to find the descendants of one process.

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
_libc = ctypes.CDLL(None, use_errno=True)

# what the kernel does for us ------------------------------------------------------------------------------------------


def die_with_parent(signal_number: int = signal.SIGKILL) -> None:
    """The kernel sends this process a signal when the one that started it ends, however it ends."""
    _libc.prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0)


def outlive_parent() -> None:
    """Takes ``die_with_parent`` back."""
    _libc.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)


def adopt_orphans() -> None:
    """Descendants whose parent ends become children of this process (a "sub-reaper").

    Without it, a process that forks twice becomes a child of process 1, and nobody knows any more who started it.
    """
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


# looking --------------------------------------------------------------------------------------------------------------


def children(pid: int) -> list[int]:
    """The direct children of a process; none if it is gone."""
    if not _LISTS_CHILDREN:
        return _parents().get(pid, [])
    found: list[int] = []
    with suppress(OSError, ValueError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # a child belongs to the thread that forked it
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _parents() -> dict[int, list[int]]:
    """All processes by their parent: for kernels built without lists of children (CONFIG_PROC_CHILDREN)."""
    found: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, IndexError, ValueError):
                found.setdefault(int(_stat(int(name))[1]), []).append(int(name))
    return found


def _stat(pid: int) -> list[bytes]:
    """State, parent and so on. The name of the program, which stands before, may itself hold spaces and brackets."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def state(pid: int) -> str:
    """``R`` running, ``S`` sleeping, ``T`` or ``t`` stopped, ``Z`` ended but not reaped; empty if it is gone."""
    with suppress(OSError, IndexError):
        return _stat(pid)[0].decode()
    return ""


def tree(pid: int) -> list[int]:
    """Everything below a process, without itself."""
    found: list[int] = []
    waiting = children(pid)
    while waiting:
        child = waiting.pop()
        found.append(child)
        waiting += children(child)
    return found


def marked(text: str) -> list[int]:
    """Processes that were started with this text in their environment. A program may change what others see of it."""
    found = []
    wanted = text.encode()
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
            if wanted in file.read():
                found.append(int(name))
    return found


def private_bytes(pids: Iterable[int]) -> int:
    """Resident memory of processes that is not shared with files. Pages shared after a fork count several times."""
    total = 0
    for pid in pids:
        with suppress(OSError, ValueError), open(f"/proc/{pid}/statm", "rb") as file:
            _, resident, shared, *_ = file.read().split()
            total += max(0, int(resident) - int(shared)) * _PAGE_BYTES
    return total


def fair_bytes(pids: Iterable[int]) -> int:
    """Resident memory of processes where pages that several share count once. Slower: the kernel walks all pages."""
    total = 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith(b"Pss_Anon:")) * 1024
    return total


# ending ---------------------------------------------------------------------------------------------------------------


def send(pids: Iterable[int], signal_number: int) -> None:
    """A signal to each; those that are gone already do not matter."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal_number)


def kill_tree(pid: int) -> None:
    """End a process and everything below it. First they are stopped, so that none can start another meanwhile."""
    send([pid], signal.SIGSTOP)
    stopped: set[int] = set()
    while new := [child for child in tree(pid) if child not in stopped]:
        send(new, signal.SIGSTOP)
        stopped.update(new)
    send([*stopped, pid], signal.SIGKILL)


def kill_children(*, spare: Iterable[int] = (), limit_s: float = 10.0) -> int:
    """End and reap everything below this process except the trees of ``spare``; how many children that were.

    It has to be repeated: whoever loses its parent becomes a child of this process if it adopts orphans. A process that
    hangs in the kernel cannot be killed, hence the limit.
    """
    kept, killed, until_s = set(spare), 0, time.monotonic() + limit_s
    while left := [pid for pid in children(os.getpid()) if pid not in kept]:
        for pid in left:
            kill_tree(pid)
            killed += _reaped(pid)
        if time.monotonic() > until_s:
            break
        time.sleep(0.001)
    return killed


def _reaped(pid: int) -> bool:
    """Whether a child has ended; if so, the system forgets it."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def how_ended(exit_code: int) -> str:
    """``exit code 3``, or the signal (a negative code): ``SIGSEGV``."""
    if exit_code >= 0:
        return f"exit code {exit_code}"
    with suppress(ValueError):
        return signal.Signals(-exit_code).name
    return f"signal {-exit_code}"


# a command under supervision ------------------------------------------------------------------------------------------

_WATCHED = {signal.SIGCHLD, signal.SIGTERM}


def main(arguments: list[str]) -> None:
    """Run a command so that nothing of it outlives this process; see the top of the file."""
    status_fd, grace_s, parent, command = int(arguments[0]), float(arguments[1]), int(arguments[2]), arguments[3:]
    os.set_inheritable(status_fd, False)
    die_with_parent(signal.SIGTERM)
    adopt_orphans()
    # Blocked signals wait until sigtimedwait takes them, so none is missed between two looks.
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    if os.getppid() != parent:  # it died before die_with_parent was in force
        return
    supervisor = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, status_fd, supervisor)
    try:
        _wait(child, status_fd, grace_s)
    finally:
        kill_children(limit_s=float("inf"))


def _become(command: list[str], status_fd: int, supervisor: int) -> None:
    try:
        os.setsid()  # a group of its own, which can be signalled as a whole
        die_with_parent()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _WATCHED)
        if os.getppid() == supervisor:
            os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        os.write(status_fd, f"error {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _wait(child: int, status_fd: int, grace_s: float) -> None:
    """Until the command has ended, asked to or not."""
    deadline_s = None
    while True:
        left_s = 3600.0 if deadline_s is None else max(0.0, deadline_s - time.monotonic())
        got = signal.sigtimedwait(_WATCHED, left_s)
        if got is not None and got.si_signo == signal.SIGTERM and deadline_s is None:
            deadline_s = time.monotonic() + grace_s
            _signal_group(child, signal.SIGTERM)
            _signal_group(child, signal.SIGCONT)  # one that is stopped would not hear the other signal
        elif got is None and deadline_s is not None:
            _signal_group(child, signal.SIGKILL)
        if _has_ended(child, status_fd):
            return


def _has_ended(child: int, status_fd: int) -> bool:
    """Reap what has ended, adopted orphans too; whether the command itself is among it."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return False
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            with suppress(BrokenPipeError):  # the parent is dead: nobody wants to know
                os.write(status_fd, (f"signal {-code}\n" if code < 0 else f"exit {code}\n").encode())
            return True


def _signal_group(child: int, signal_number: int) -> None:
    """To all of the command's session, and to the command itself in case it is not there yet."""
    for deliver in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            deliver(child, signal_number)


if __name__ == "__main__":
    main(sys.argv[1:])
