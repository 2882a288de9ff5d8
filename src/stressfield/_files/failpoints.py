"""Faults on demand, so that tests can ask what is left after one. Without ``STRESSFIELD_FAILPOINT`` nothing happens.

``STRESSFIELD_FAILPOINT=trace.rename:3`` ends the process with SIGKILL when it comes to that place for the third time;
``trace.fsync:1:EIO`` makes the system say "Input/output error" there, from then on. With
``STRESSFIELD_FAILPOINTS_SEEN=FILE`` the name of every place that is passed is appended to that file.
"""

from __future__ import annotations

import errno
import os
import signal

VARIABLE = "STRESSFIELD_FAILPOINT"
SEEN_VARIABLE = "STRESSFIELD_FAILPOINTS_SEEN"


class _Order:
    """What is to happen, and where."""

    def __init__(self, order: str, seen: str) -> None:
        name, _, rest = order.partition(":")
        count, _, action = rest.partition(":")
        self._name, self._count, self._action = name, int(count or 1), action or "KILL"
        self._seen = seen

    def passing(self, name: str) -> None:
        if self._seen:
            with open(self._seen, "a", encoding="utf-8") as file:
                file.write(name + "\n")
        if name != self._name:
            return
        self._count -= 1
        if self._count > 0:
            return
        if self._action == "KILL":
            os.kill(os.getpid(), signal.SIGKILL)
        number = getattr(errno, self._action)
        raise OSError(number, os.strerror(number))


_order: _Order | None = None


def arm(order: str = "", *, seen: str = "") -> None:
    """Order a fault in this process and those it starts by forking; nothing at all if both are empty."""
    global _order  # noqa: PLW0603
    _order = _Order(order, seen) if order or seen else None


def failpoint(name: str) -> None:
    """Stands at a place where a fault matters."""
    if _order is not None:
        _order.passing(name)


arm(os.environ.get(VARIABLE, ""), seen=os.environ.get(SEEN_VARIABLE, ""))
