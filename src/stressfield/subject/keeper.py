"""Runs a command and lets nothing of it outlive the run. Started as a program of its own, with nothing but Python.

    python -I -S keeper.py STATUS_FD GRACE_S PARENT_PID command ...

The command gets a session of its own. Children that it leaves behind, even those that forked twice, become children of
the keeper (a "sub-reaper"). When the command ends, when SIGTERM comes, or when the parent dies, the keeper asks the
command to end (SIGTERM), waits GRACE_S, and kills (SIGKILL) all that is left. How the command ended is written to
STATUS_FD: ``exit 3``, ``signal 11`` or ``error No such file or directory``.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
WATCHED = {signal.SIGCHLD, signal.SIGTERM}


def main(arguments: list[str]) -> None:
    """Keep the command; see above."""
    status_fd, grace_s, parent, command = int(arguments[0]), float(arguments[1]), int(arguments[2]), arguments[3:]
    os.set_inheritable(status_fd, False)
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    if os.getppid() != parent:
        return
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, status_fd, keeper, prctl)
    try:
        _wait(child, status_fd, grace_s)
    finally:
        _kill_all()


def _become(command: list[str], status_fd: int, keeper: int, prctl: "ctypes._NamedFuncPointer") -> None:
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        if os.getppid() == keeper:
            os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        os.write(status_fd, f"error {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _wait(child: int, status_fd: int, grace_s: float) -> None:
    deadline_s = None
    while True:
        left_s = 3600.0 if deadline_s is None else max(0.0, deadline_s - time.monotonic())
        got = signal.sigtimedwait(WATCHED, left_s)
        if got is not None and got.si_signo == signal.SIGTERM and deadline_s is None:
            deadline_s = time.monotonic() + grace_s
            _signal_group(child, signal.SIGTERM)
            _signal_group(child, signal.SIGCONT)
        elif got is None and deadline_s is not None:
            _signal_group(child, signal.SIGKILL)
        if _reaped(child, status_fd):
            return


def _reaped(child: int, status_fd: int) -> bool:
    """Collect what has ended; whether the command itself is among it."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return False
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            with contextlib.suppress(BrokenPipeError):  # the parent is dead: nobody wants to know
                os.write(status_fd, (f"signal {-code}\n" if code < 0 else f"exit {code}\n").encode())
            return True


def _signal_group(child: int, signal_number: int) -> None:
    for send in (os.killpg, os.kill):
        try:
            send(child, signal_number)
        except (ProcessLookupError, PermissionError):
            continue


def _kill_all() -> None:
    """Kill every descendant until there is none: whoever loses its parent becomes a child of the keeper."""
    while True:
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def descendants(root: int) -> list[int]:
    """The processes below a process."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            children.setdefault(parent, []).append(int(name))
    found, pending = [], [root]
    while pending:
        for pid in children.get(pending.pop(), ()):
            found.append(pid)
            pending.append(pid)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
